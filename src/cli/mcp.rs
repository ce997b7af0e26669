//! `lunette mcp`: serves one assistant on standard input and output by the Model Context Protocol.
//!
//! What must hold: nothing but the protocol is written to standard output; no write is sent but those that
//! `lunette-mcp` allows.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use lunette_client::client::WritePolicy;
use lunette_mcp::{Backend, Permission, Writer, serve_stdio};

use super::connect::{self, Service};
use super::proposals::backup_of;
use super::target::ReadTarget;
use super::{Failure, assistants, data_dir};

mod install;

use install::{Client, Wish};

/// The verbs about assistants.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Serve an assistant over standard input and output by the Model Context Protocol, or add Lunette to a client.
    Mcp(Arguments),
    /// List assistants and how much each has read, and decide what they may do.
    Assistants(assistants::Arguments),
}

/// Runs one of them.
pub fn execute(verb: &Verb) -> Result<(), Failure> {
    match verb {
        Verb::Mcp(arguments) => run(arguments),
        Verb::Assistants(arguments) => assistants::run(arguments),
    }
}

/// What `mcp` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Add Lunette to the settings of a client, after showing what is written and asking.
    #[arg(long, value_name = "CLIENT", value_enum)]
    install: Option<Client>,
    /// Remove Lunette from the settings of a client, after showing what is removed and asking.
    #[arg(long, value_name = "CLIENT", value_enum, conflicts_with = "install")]
    uninstall: Option<Client>,
    /// With --install or --uninstall, write without asking.
    #[arg(long)]
    yes: bool,
    /// The assistant can only read: the tools that propose changes are left out.
    #[arg(long)]
    read_only: bool,
    #[command(flatten)]
    target: ReadTarget,
}

/// Serves until standard input ends, or installs.
fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(client) = arguments.install {
        let options = arguments.target.options().context("the data folder has no absolute path");
        let mut options = options.map_err(Failure::usage)?;
        options.extend(arguments.read_only.then(|| "--read-only".to_owned()));
        return install::run(client, &Wish::Add(options), arguments.yes);
    }
    if let Some(client) = arguments.uninstall {
        return install::run(client, &Wish::Remove, arguments.yes);
    }
    if arguments.yes {
        return Err(Failure::usage(anyhow!("--yes goes with --install or --uninstall")));
    }
    let folder = data_dir::folder(arguments.target.data())?;
    let most = if arguments.read_only { Permission::Read } else { Permission::TakeBack };
    connect::run_on_this_thread(arguments.target.wanted().with(async |service: &Service| {
        let backend = backend(service, folder.clone(), most)?;
        serve_stdio(backend).await.map_err(|error| Failure::failed(anyhow!(error)))
    }))
}

fn backend(service: &Service, folder: PathBuf, most: Permission) -> Result<Backend, Failure> {
    let writer = writer(service, &folder);
    let opened = Backend::open(service.client.clone(), service.vendor, &service.connection, folder, most);
    Ok(opened.map_err(|error| Failure::failed(anyhow!(error)))?.with_writer(writer))
}

fn writer(service: &Service, folder: &Path) -> Writer {
    let client = service.client.clone().with_write_policy(WritePolicy::Allow);
    Writer { client, back_up: Box::new(backup_of(service, folder)) }
}
