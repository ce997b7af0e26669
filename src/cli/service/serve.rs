//! `lunette serve`: runs the service alone, until a signal ends it.

use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow};

use lunette_service::{FAMILY_PORTS, PastBounds, Ports, Running, Settings, maintenance, start};

use crate::cli::assistants_endpoint::AssistantsEndpoint;
use crate::cli::data_dir;
use crate::cli::number::{number, number_in};
use crate::cli::signals::Signals;
use crate::cli::turn;
use crate::cli::{Failure, connect};

/// What `serve` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Port on 127.0.0.1 and ::1; 0 chooses any free port. Default: the first free port from 39300 to 39333.
    #[arg(long, value_name = "N", value_parser = number_in(0..=u16::MAX))]
    port: Option<u16>,
    /// Data folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Version to report to clients, which refuse those they do not know, such as 12.4.1.
    #[arg(long, value_name = "VERSION", value_parser = version)]
    announce_version: Option<String>,
    /// Serve only the 27 operations of the interface, without the extension operations.
    #[arg(long)]
    interface_only: bool,
    /// Allow web pages of this origin, such as http://localhost:8888, to use the service; repeatable.
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// For how many days versions of assets are kept. Default: as was set, or 90.
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    history_days: Option<u32>,
    /// How many versions of each asset are kept; 0 keeps none. Default: as was set, or 200.
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    history_versions: Option<u32>,
    /// How many MiB all versions together take at most. Default: as was set, or 1024.
    #[arg(long, value_name = "MIB", value_parser = number::<u32>)]
    history_size: Option<u32>,
    /// If the database is damaged or missing, set it aside and start with an empty one. An intact database is used as
    /// it is.
    #[arg(long)]
    set_aside: bool,
    /// Answer assistants with what the conformance suite of their protocol expects.
    #[cfg(all(debug_assertions, feature = "mcp"))]
    #[arg(long, hide = true)]
    conformance: bool,
}

/// Serves until SIGINT or SIGTERM.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let ports = match arguments.port {
        None => Ports::FirstOf(FAMILY_PORTS),
        Some(0) => Ports::Any,
        Some(port) => Ports::Exactly(port),
    };
    let folder = data_dir::folder(arguments.data.as_deref())?;
    let assistants = AssistantsEndpoint::of(&folder);
    #[cfg(all(debug_assertions, feature = "mcp"))]
    let assistants = if arguments.conformance { assistants.with_fixtures() } else { assistants };
    let settings = Settings {
        endpoint: assistants.mounted(),
        announced_version: arguments.announce_version.clone(),
        interface_only: arguments.interface_only,
        allowed_origins: arguments.allow_origin.clone(),
        past: past(arguments, &folder),
        ..data_dir::settings(arguments.data.as_deref(), ports)?
    };
    connect::run(async {
        let mut signals = Signals::listen()?;
        // Checking a large database takes a while; a signal ends it.
        let running = tokio::select! {
            running = begun(arguments, settings) => running?,
            () = signals.next() => return Ok(()),
        };
        assistants.started(&running.url());
        crate::cli::print(&format!("listening on {}\n", running.url()))?;
        signals.next().await;
        tokio::select! {
            () = running.stop() => Ok(()),
            () = signals.next() => Err(Failure::failed(anyhow!("stopped immediately by a second signal; everything acknowledged was saved"))),
        }
    })
}

/// How many versions of assets are kept, if an option says so; what no option says is as was set in the folder.
fn past(arguments: &Arguments, folder: &Path) -> Option<PastBounds> {
    let Arguments { history_days: days, history_versions: versions, history_size: size, .. } = arguments;
    if days.is_none() && versions.is_none() && size.is_none() {
        return None;
    }
    let set = PastBounds::set_in(folder).unwrap_or_default();
    Some(PastBounds {
        days: days.unwrap_or(set.days),
        versions: versions.unwrap_or(set.versions),
        bytes: size.map_or(set.bytes, |mib| u64::from(mib) << 20),
    })
}

/// A text that is not a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("use three numbers with dots, such as 12.4.1")]
struct NoVersion;

/// A version as clients compare it: three numbers with dots, and what follows a hyphen.
fn version(text: &str) -> Result<String, NoVersion> {
    let (numbers, _) = text.split_once('-').unwrap_or((text, ""));
    let numbers: Vec<Result<u32, _>> = numbers.split('.').map(str::parse).collect();
    match numbers.len() == 3 && numbers.iter().all(Result::is_ok) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => Ok(text.to_owned()),
        false => Err(NoVersion),
    }
}

async fn begun(arguments: &Arguments, settings: Settings) -> Result<Running, Failure> {
    let _turn = turn::take_existing(&data_dir::folder(arguments.data.as_deref())?).await;
    match start(settings.clone()).await {
        Err(error) if arguments.set_aside && error.damaged() => {
            set_aside(arguments)?;
            data_dir::started(settings).await
        }
        started => started.map_err(data_dir::not_started),
    }
}

fn set_aside(arguments: &Arguments) -> Result<(), Failure> {
    let data = data_dir::folder(arguments.data.as_deref())?;
    let aside = maintenance::quarantine(&data).map_err(|error| Failure::usage(Error::new(error)))?;
    crate::cli::print_message(&match aside {
        None => format!("the database was missing; started with an empty one in {}", data.display()),
        Some(aside) => format!("the damaged database was moved to {}; started with an empty one", aside.display()),
    });
    Ok(())
}
