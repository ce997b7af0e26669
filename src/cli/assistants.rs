//! `lunette assistants`: the clients of the Model Context Protocol, what they read and did, and what they may do.

use anyhow::anyhow;
use clap::Subcommand;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

use lunette_client::model::size;
use lunette_inspector::assistants::{Assistant, Assistants, TokenError, TokenFile, ToolCall};
use lunette_inspector::db::{Database, DatabaseError};

use super::connect;
use super::number::number;
use super::progress::{escaped, whole};
use super::target::ReadTarget;
use super::{Failure, data_dir};

/// What `assistants` takes.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// Use this data folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print a JSON array with one object per assistant.
    #[arg(long)]
    json: bool,
}

/// What can be decided about assistants.
#[derive(Debug, Subcommand)]
enum Action {
    /// List the calls of assistants, newest first.
    Calls(CallArguments),
    /// Turn an assistant off: from then on it can neither read nor propose.
    Off(NameArguments),
    /// Turn an assistant on again.
    On(NameArguments),
    /// Apply the small changes of an assistant at once: those of one asset that can be undone. With the write policy
    /// Confirm, they wait for your approval all the same.
    Allow(NameArguments),
    /// Ask about every change of an assistant again.
    Confirm(NameArguments),
    /// Let an assistant see what looks like a secret.
    ShowSecrets(NameArguments),
    /// Mask what looks like a secret again.
    MaskSecrets(NameArguments),
    /// Print the token that assistants need over HTTP; one is made if there is none.
    Token(TokenArguments),
}

#[derive(Debug, clap::Args)]
struct CallArguments {
    /// Print at most N calls.
    #[arg(short = 'n', long, value_name = "N", value_parser = number::<usize>)]
    limit: Option<usize>,
    #[command(flatten)]
    target: ReadTarget,
    /// Print a JSON array with one object per call.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct NameArguments {
    /// Name of the assistant, as `lunette assistants` lists it.
    #[arg(value_name = "NAME")]
    name: String,
    /// Use this data folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct TokenArguments {
    /// Make a new one; the old one is refused from then on.
    #[arg(long, conflicts_with = "revoke")]
    renew: bool,
    /// Delete it: no assistant is accepted over HTTP until there is another.
    #[arg(long)]
    revoke: bool,
    /// Use this data folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.action {
        None => list(arguments.data.as_deref(), arguments.json),
        Some(Action::Calls(arguments)) => calls(arguments),
        Some(Action::Off(name)) => decide(name, |assistant| assistant.off = true),
        Some(Action::On(name)) => decide(name, |assistant| assistant.off = false),
        Some(Action::Allow(name)) => decide(name, |assistant| assistant.applies_small = true),
        Some(Action::Confirm(name)) => decide(name, |assistant| assistant.applies_small = false),
        Some(Action::ShowSecrets(name)) => decide(name, |assistant| assistant.shown_secrets = true),
        Some(Action::MaskSecrets(name)) => decide(name, |assistant| assistant.shown_secrets = false),
        Some(Action::Token(arguments)) => token(arguments),
    }
}

fn failed(error: DatabaseError) -> Failure {
    Failure::failed(anyhow!(error))
}

/// Opens what is recorded in a data folder; `None` if nothing is.
fn open(folder: &Path) -> Result<Option<Assistants>, Failure> {
    match Database::exists(folder) {
        true => Assistants::open(folder).map(Some).map_err(failed),
        false => Ok(None),
    }
}

fn list(data: Option<&Path>, as_json: bool) -> Result<(), Failure> {
    let assistants = open(&data_dir::folder(data)?)?;
    let known = assistants.map(|assistants| assistants.list()).transpose().map_err(failed)?.unwrap_or_default();
    if as_json {
        let object = |(name, assistant): &(String, Assistant)| {
            let mut tree = serde_json::to_value(assistant).unwrap_or_default();
            tree["name"] = name.as_str().into();
            tree
        };
        return super::print_json(&format!("{:#}\n", known.iter().map(object).collect::<Value>()));
    }
    super::print(&known.iter().map(|(name, assistant)| line(name, assistant)).collect::<String>())
}

fn line(name: &str, assistant: &Assistant) -> String {
    let Assistant { off, shown_secrets, applies_small, last, calls, bytes, requests, .. } = assistant;
    let marks = [(*off, "off"), (*shown_secrets, "sees secrets"), (*applies_small, "applies small changes")];
    let marks: Vec<&str> = marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, mark)| mark).collect();
    let read = size::size(i64::try_from(*bytes).unwrap_or(i64::MAX));
    let text = format!("{}\t{calls} calls\t{read}\t{requests} requests\t{last}\t{}", escaped(name), marks.join(", "));
    text.trim_end().to_owned() + "\n"
}

fn calls(arguments: &CallArguments) -> Result<(), Failure> {
    let folder = data_dir::folder(arguments.target.data())?;
    let connection = connect::run(arguments.target.wanted().connection())?;
    let calls = open(&folder)?.map(|assistants| assistants.calls(&connection)).transpose().map_err(failed)?;
    let calls = calls.unwrap_or_default();
    let shown = calls.iter().rev().take(arguments.limit.unwrap_or(usize::MAX));
    if arguments.json {
        let object = |call: &ToolCall| {
            let ToolCall { at, client, tool, bytes, requests, failed } = call;
            json!({ "at": at, "client": client, "tool": tool, "bytes": bytes, "requests": requests, "failed": failed })
        };
        return super::print_json(&format!("{:#}\n", shown.map(object).collect::<Value>()));
    }
    let line = |call: &ToolCall| {
        let failed = call.failed.as_deref().map(whole).unwrap_or_default();
        let (client, tool) = (escaped(&call.client), escaped(&call.tool));
        let text = format!("{}\t{client}\t{tool}\t{} bytes\t{} requests\t{failed}", call.at, call.bytes, call.requests);
        text.trim_end().to_owned() + "\n"
    };
    super::print(&shown.map(line).collect::<String>())
}

fn decide(arguments: &NameArguments, decision: impl FnOnce(&mut Assistant)) -> Result<(), Failure> {
    let folder = data_dir::folder(arguments.data.as_deref())?;
    let assistants = Assistants::open(&folder).map_err(failed)?;
    let is_known = assistants.list().map_err(failed)?.iter().any(|(name, _)| *name == arguments.name);
    assistants.decide(&arguments.name, decision).map_err(failed)?;
    if !is_known {
        let name = whole(&arguments.name);
        super::print_message(&format!(
            "no assistant named “{name}” has called yet; this holds for the first that does"
        ));
    }
    let decided = assistants.get(&arguments.name).map_err(failed)?;
    super::print(&line(&arguments.name, &decided))
}

fn token(arguments: &TokenArguments) -> Result<(), Failure> {
    let file = TokenFile::of(&data_dir::folder(arguments.data.as_deref())?);
    let failed = |error: TokenError| Failure::failed(anyhow!(error));
    if arguments.revoke {
        file.revoke().map_err(failed)?;
        super::print_message("the token was deleted; no assistant is accepted over HTTP");
        return Ok(());
    }
    let token = if arguments.renew { file.renew() } else { file.get() };
    super::print(&format!("{}\n", token.map_err(failed)?.text()))
}
