//! `lunette import`: files and folders become assets of a running service, or of a data folder.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde_json::{Value, json};

use crate::app::harvest::{self, CancelFlag, ImportReport, Progress, Refused};
use crate::client::{Client, Limits};
use crate::model::id::AssetId;
use crate::service::Ports;

use super::inside::{self, Signals};
use super::progress::{ProgressLine, escaped};
use super::{Failure, reach};

/// What `import` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files and folders; hidden and ignored files in a folder are left out.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The service to import into; without it a running one is looked for.
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    url: Option<String>,
    /// Let writes leave for a service that is not on this machine; they travel unencrypted.
    #[arg(long)]
    allow_writes: bool,
    /// Import into this data folder, by the service inside, which runs for as long as this takes.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print what became of each file as JSON.
    #[arg(long)]
    json: bool,
}

/// Imports, and fails when any file could not be taken.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let report = reach::run(async {
        let Some(folder) = &arguments.data else {
            let rail = reach::rail(arguments.url.as_deref(), arguments.allow_writes)?;
            let (client, found) = reach::found(arguments.url.as_deref()).await?;
            let own = found.server.is_some_and(|server| server.starts_with("lunette/"));
            return import(arguments, client.with_rail(rail), own).await;
        };
        let running = inside::started(inside::settings(Some(folder), Ports::Any)?).await?;
        let client = reach::client(Some(&running.url()), Limits::default()).await;
        let report = match client {
            Ok(client) => import(arguments, client, true).await,
            Err(failure) => Err(failure),
        };
        running.stop().await;
        report
    })?;
    print(arguments, &report)?;
    ended(report)
}

/// Imports until all is done or a signal takes it back.
async fn import(arguments: &Arguments, client: Client, own: bool) -> Result<ImportReport, Failure> {
    let mut signals = Signals::listen()?;
    let cancel = CancelFlag::default();
    let mut line = ProgressLine::default();
    let note = |Progress { done, total, last }: Progress| line.show(done, total, last.as_deref());
    let import = harvest::import(client, arguments.paths.clone(), own, note, cancel.clone());
    let mut import = std::pin::pin!(import);
    let report = loop {
        tokio::select! {
            report = &mut import => break report,
            () = signals.next() => cancel.cancel(),
        }
    };
    Ok(report)
}

fn print(arguments: &Arguments, report: &ImportReport) -> Result<(), Failure> {
    if arguments.json {
        return super::print_json(&format!("{:#}\n", as_json(report)));
    }
    let line = |(path, id): &(PathBuf, AssetId), mark| format!("{id}  {}{mark}\n", shown(path));
    let taken = report.taken.iter().map(|item| line(item, ""));
    let existing = report.existing.iter().map(|item| line(item, "  (was there)"));
    super::print(&taken.chain(existing).collect::<String>())
}

/// Says on stderr what came of it, and how the program ends.
fn ended(report: ImportReport) -> Result<(), Failure> {
    let mut said = String::new();
    for Refused { path, reason } in &report.refused {
        said.push_str(&format!("lunette: not imported: {}: {reason}\n", shown(path)));
    }
    for Refused { path, reason } in &report.unknown {
        said.push_str(&format!("lunette: unknown: {}: {reason}\n", shown(path)));
    }
    for Refused { path, reason } in &report.skipped {
        said.push_str(&format!("left out: {}: {reason}\n", shown(path)));
    }
    let ImportReport { taken, existing, refused, unknown, skipped: _, cancelled, stopped } = report;
    let nobody_knows = if unknown.is_empty() { String::new() } else { format!(", unknown {}", unknown.len()) };
    said.push_str(&format!(
        "imported {}, were there {}, not imported {}{nobody_knows}\n",
        taken.len(),
        existing.len(),
        refused.len()
    ));
    io::stderr().write_all(said.as_bytes()).ok(); // A closed stderr leaves only the exit code to tell.
    match stopped {
        Some(error) if error.missing() => Err(Failure::failed(anyhow!(
            "this service does not make assets, so nothing more was imported ({error}): import into another one, such as \
             `lunette serve`"
        ))),
        Some(error) => Err(reach::failure(error)),
        None if cancelled && unknown.is_empty() => {
            Err(Failure::failed(anyhow!("cancelled; run it again to import the rest")))
        }
        None if cancelled => {
            Err(Failure::failed(anyhow!("cancelled; look at what is unknown before importing the rest")))
        }
        None if !refused.is_empty() || !unknown.is_empty() => Err(Failure::said()),
        None => Ok(()),
    }
}

fn as_json(report: &ImportReport) -> Value {
    let assets = |list: &[(PathBuf, AssetId)]| -> Value {
        list.iter().map(|(path, id)| json!({ "path": path.to_string_lossy(), "asset": id.as_str() })).collect()
    };
    let paths = |list: &[Refused]| -> Value {
        list.iter().map(|item| json!({ "path": item.path.to_string_lossy(), "reason": item.reason })).collect()
    };
    json!({
        "taken": assets(&report.taken),
        "existing": assets(&report.existing),
        "refused": paths(&report.refused),
        "unknown": paths(&report.unknown),
        "skipped": paths(&report.skipped),
        "cancelled": report.cancelled,
        "stopped": report.stopped.as_ref().map(ToString::to_string),
    })
}

/// A path for people, safe on a terminal: characters that move the cursor or turn the text around are escaped.
fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}
