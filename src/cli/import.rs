//! `lunette import`: imports files and folders into a running service, or into a data folder.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde_json::{Value, json};

use crate::app::import::engine::{self, ImportReport, Progress, Rejected};
use crate::app::tasks::CancelFlag;
use lunette_client::client::Limits;
use lunette_client::model::id::AssetId;

use super::Failure;
use super::connect::{self, Access, Service, Wanted};
use super::progress::{ProgressLine, escaped};
use super::signals::Signals;

/// What `import` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files and folders to import; hidden and ignored files in folders are skipped.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Import into this service. Default: your own, whether it is running or not.
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    url: Option<String>,
    /// Allow writes to a service on another machine, which are sent unencrypted.
    #[arg(long)]
    allow_writes: bool,
    /// Import into this data folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print the result for each file as JSON.
    #[arg(long)]
    json: bool,
}

/// Imports, and fails if any file was rejected.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let wanted = Wanted {
        url: arguments.url.as_deref(),
        data: arguments.data.as_deref(),
        access: Access::Write { allowed: arguments.allow_writes },
        limits: Limits::default(),
        identify: true,
    };
    let report = connect::run(wanted.with(async |service: &Service| import(arguments, service).await))?;
    print(arguments, &report)?;
    finish(report)
}

/// Imports until all is done or a signal cancels it.
async fn import(arguments: &Arguments, service: &Service) -> Result<ImportReport, Failure> {
    let mut signals = Signals::listen()?;
    let cancel = CancelFlag::default();
    let mut line = ProgressLine::default();
    let note = |Progress { done, total, last }: Progress| line.show(done, total, last.as_deref());
    let import = engine::import(service.client.clone(), arguments.paths.clone(), service.own, note, cancel.clone());
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
    let imported = report.taken.iter().map(|item| line(item, ""));
    let present = report.existing.iter().map(|item| line(item, "  (already present)"));
    super::print(&imported.chain(present).collect::<String>())
}

/// Prints a summary to stderr, and returns the result of the verb.
fn finish(report: ImportReport) -> Result<(), Failure> {
    let mut message = String::new();
    for Rejected { path, reason } in &report.refused {
        message.push_str(&format!("lunette: failed: {}: {reason}\n", shown(path)));
    }
    for Rejected { path, reason } in &report.unknown {
        message.push_str(&format!("lunette: unknown: {}: {reason}\n", shown(path)));
    }
    for Rejected { path, reason } in &report.skipped {
        message.push_str(&format!("skipped: {}: {reason}\n", shown(path)));
    }
    match report.hidden.len() {
        0 => {}
        1 => message.push_str("1 hidden or ignored file skipped\n"),
        count => message.push_str(&format!("{count} hidden or ignored files skipped\n")),
    }
    let ImportReport { taken, existing, refused, unknown, skipped: _, hidden: _, cancelled, stopped } = report;
    let in_doubt = if unknown.is_empty() { String::new() } else { format!(", {} unknown", unknown.len()) };
    let (imported, present, failed) = (taken.len(), existing.len(), refused.len());
    message.push_str(&format!("{imported} imported, {present} already present, {failed} failed{in_doubt}\n"));
    io::stderr().write_all(message.as_bytes()).ok(); // A closed stderr leaves only the exit code to tell.
    match stopped {
        Some(error) if error.missing() => Err(Failure::failed(anyhow!(
            "this service does not make assets, so nothing more was imported ({error}): import into another one, such as \
             `lunette serve`"
        ))),
        Some(error) => Err(connect::failure(error)),
        None if cancelled && unknown.is_empty() => {
            Err(Failure::failed(anyhow!("cancelled; run the command again to import the rest")))
        }
        None if cancelled => {
            Err(Failure::failed(anyhow!("cancelled; check the files marked unknown before importing the rest")))
        }
        None if !refused.is_empty() || !unknown.is_empty() => Err(Failure::reported()),
        None => Ok(()),
    }
}

fn as_json(report: &ImportReport) -> Value {
    let assets = |list: &[(PathBuf, AssetId)]| -> Value {
        list.iter().map(|(path, id)| json!({ "path": path.to_string_lossy(), "asset": id.as_str() })).collect()
    };
    let path = |item: &Rejected| json!({ "path": item.path.to_string_lossy(), "reason": item.reason });
    let paths = |list: &[Rejected]| -> Value { list.iter().map(path).collect() };
    let skipped: Value = report.skipped.iter().chain(&report.hidden).map(path).collect();
    json!({
        "imported": assets(&report.taken),
        "already_present": assets(&report.existing),
        "failed": paths(&report.refused),
        "unknown": paths(&report.unknown),
        "skipped": skipped,
        "cancelled": report.cancelled,
        "stopped": report.stopped.as_ref().map(ToString::to_string),
    })
}

/// Returns a path for display, with control and direction characters escaped.
fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}
