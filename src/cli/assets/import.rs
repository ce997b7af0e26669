//! `lunette import`: imports files, folders and the libraries of other programs into a running service, or into a data
//! folder.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde_json::{Value, json};

use lunette_client::client::Limits;
use lunette_client::model::id::AssetId;
use lunette_inspector::change::Recovery;
use lunette_inspector::import::engine::{FileEntry, ImportReport, Progress, Rejected, ScanResult, TakenIds, scan};
use lunette_inspector::import::headless;
use lunette_inspector::import::mapping::MappingChoice;
use lunette_inspector::import::sources::Updated;
use lunette_inspector::tasks::CancelFlag;

use crate::cli::connect::{self, Service, Wanted};
use crate::cli::progress::{ProgressLine, escaped};
use crate::cli::signals::Signals;
use crate::cli::target::WriteTarget;
use crate::cli::{Failure, data_dir, secrets};

mod receipt;
mod sources;
mod updates;

/// What `import` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files, folders, archives, and libraries of other programs to import, which are recognised by content. Hidden and
    /// ignored files in folders are skipped.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Import all as libraries of this program, or as plain files. By default, each is recognised by its content.
    #[arg(long = "as", value_name = "SOURCE|files", value_parser = sources::parse_as)]
    kind: Option<sources::Kind>,
    /// Change how parts of items are mapped: folders=tag|none, fragments=assets|one, triggers=description|none. The
    /// first value is the default. Can be repeated.
    #[arg(long = "map", value_name = "WHAT=HOW")]
    map: Vec<MappingChoice>,
    /// Update the assets whose items changed since they were imported. Assets that were also edited here are not
    /// updated.
    #[arg(long)]
    changed: bool,
    /// Also import what is in the trash of the other program.
    #[arg(long)]
    with_trash: bool,
    /// What to do with assets of an archive of Lunette whose ids are taken: new gives them other ids, keep leaves the existing
    /// asset as it is and takes the item for it, skip leaves the item out. Ids that are free are kept.
    #[arg(long, value_name = "new|keep|skip", default_value = "new", value_parser = taken_ids)]
    taken_ids: TakenIds,
    /// Write a receipt of what the service has after the import to a new file: .csv, .json or .md.
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    receipt: Option<PathBuf>,
    #[command(flatten)]
    target: WriteTarget,
}

/// A text that names no way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("use new, keep or skip")]
struct NoSuchWay;

fn taken_ids(text: &str) -> Result<TakenIds, NoSuchWay> {
    TakenIds::ALL.into_iter().find(|way| way.as_str() == text).ok_or(NoSuchWay)
}

/// Imports, and fails if any file was rejected.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let receipt = arguments.receipt.as_deref().map(receipt::ReceiptFile::of).transpose()?;
    let sorted = sources::sort(arguments)?;
    if arguments.target.dry_run() {
        return match sorted.plans.is_empty() {
            true => preview(arguments, &sorted),
            false => sources::preview(arguments, sorted),
        };
    }
    let wanted = Wanted { limits: Limits::default(), ..arguments.target.wanted() };
    let (report, sorted) = connect::run(wanted.with(async |service: &Service| {
        let mut sorted = sorted.clone();
        let report = import(arguments, service, &mut sorted).await?;
        if let Some(receipt) = &receipt {
            receipt.write(service, &report, &sorted).await?;
        }
        Ok((report, sorted))
    }))?;
    let suspects = suspects(&report, &sorted);
    print(arguments, (&report, &sorted), &suspects)?;
    sorted.print_problems();
    sources::print_secrets(suspects);
    finish(report, &sorted.updated)
}

/// Imports until everything is done or a signal cancels it.
async fn import(
    arguments: &Arguments,
    service: &Service,
    sorted: &mut sources::Sorted,
) -> Result<ImportReport, Failure> {
    let folder = data_dir::folder(arguments.target.data())?;
    let writer = service.writer(&folder, Recovery::None)?;
    let mut signals = Signals::listen()?;
    let cancel = CancelFlag::default();
    let mut line = ProgressLine::of(&service.client);
    let note = |Progress { done, total, last }: Progress| line.show(done, total, last.as_deref());
    let import = async {
        match sorted.plans.is_empty() {
            true => Ok(headless::import(&writer, arguments.paths.clone(), note, cancel.clone()).await),
            false => sources::import(arguments, service, &writer, sorted, note, cancel.clone()).await,
        }
    };
    let mut import = std::pin::pin!(import);
    loop {
        tokio::select! {
            report = &mut import => return report,
            () = signals.next() => cancel.cancel(),
        }
    }
}

/// Finds possible secrets in imported and already present files. Blocks.
fn suspects(report: &ImportReport, sorted: &sources::Sorted) -> Vec<sources::Suspect> {
    let items: HashSet<PathBuf> =
        sorted.plans.iter().flat_map(|plan| plan.items.iter().map(|planned| plan.path_of(&planned.item))).collect();
    let stored = report.imported.iter().chain(&report.existing).map(|(path, _)| path.as_path());
    let files: Vec<&Path> = stored.filter(|path| !items.contains(*path)).collect();
    let found = sorted.suspects(&files);
    let named = files.iter().map(|path| path.to_string_lossy().into_owned());
    secrets::with_names(found, named)
}

/// Returns the JSON of a file that would be imported.
fn file_json(file: &FileEntry) -> Value {
    let findings = sources::in_file(&file.path);
    json!({
        "path": file.path.to_string_lossy(),
        "size": file.size,
        "looks_like_secrets": crate::cli::secrets::json(&findings),
    })
}

/// Prints which files would be imported; fails if one cannot be. No service is called, so files that are already
/// present are included.
fn preview(arguments: &Arguments, sorted: &sources::Sorted) -> Result<(), Failure> {
    let ScanResult { files, rejected, skipped, hidden } = scan(&arguments.paths, CancelFlag::default().flag());
    let (count, failed) = (files.len(), rejected.len());
    if arguments.target.json() {
        let tree = json!({
            "would_import": files.iter().map(file_json).collect::<Value>(),
            "failed": rejected_json(&rejected),
            "skipped": rejected_json(skipped.iter().chain(&hidden)),
            "libraries_offered": sorted.offers_json(),
        });
        crate::cli::print_json(&format!("{tree:#}\n"))?;
    } else {
        crate::cli::print(&files.iter().map(|file| format!("{}\n", shown(&file.path))).collect::<String>())?;
    }
    let named = || files.iter().map(|file| file.path.to_string_lossy().into_owned());
    let found = files.iter().zip(named()).map(|(file, name)| (name, sources::in_file(&file.path)));
    let found = found.filter(|(_, findings)| !findings.is_empty()).collect();
    sources::print_secrets(secrets::with_names(found, named()));
    let report = ImportReport { rejected, skipped, hidden, ..ImportReport::default() };
    let message = format!("{}{}{count} would be imported, {failed} failed\n", sorted.offers(), problems(&report));
    io::stderr().write_all(message.as_bytes()).ok(); // A closed stderr leaves only the exit code to tell.
    if failed == 0 { Ok(()) } else { Err(Failure::reported()) }
}

fn print(
    arguments: &Arguments,
    (report, sorted): (&ImportReport, &sources::Sorted),
    suspects: &[sources::Suspect],
) -> Result<(), Failure> {
    if arguments.target.json() {
        let mut tree = as_json(report);
        if !sorted.plans.is_empty() {
            tree["sources"] = sorted.json();
        }
        tree["libraries_offered"] = sorted.offers_json();
        updates::add_to(&sorted.updated, &mut tree);
        let suspect =
            |(name, found): &sources::Suspect| json!({ "name": name, "findings": crate::cli::secrets::json(found) });
        tree["looks_like_secrets"] = suspects.iter().map(suspect).collect();
        return crate::cli::print_json(&format!("{tree:#}\n"));
    }
    let items =
        sorted.plans.iter().flat_map(|plan| plan.items.iter().map(|planned| (plan.path_of(&planned.item), planned)));
    let names: HashMap<PathBuf, &str> =
        items.filter_map(|(path, planned)| Some((path, planned.item.new.name.as_deref()?))).collect();
    let line = |(path, id): &(PathBuf, AssetId), mark| match names.get(path) {
        Some(name) => format!("{id}  {}{mark}\n", escaped(name)),
        None => format!("{id}  {}{mark}\n", shown(path)),
    };
    let imported = report.imported.iter().map(|item| line(item, ""));
    let present = report.existing.iter().map(|item| line(item, "  (already present)"));
    crate::cli::print(&imported.chain(present).chain(updates::lines(&sorted.updated)).collect::<String>())
}

/// Returns a line for each file that was not imported, and the number of hidden and ignored ones.
fn problems(report: &ImportReport) -> String {
    let mut message = String::new();
    for Rejected { path, reason } in &report.rejected {
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
    message
}

/// Prints a summary to stderr, and returns the result of the command.
fn finish(report: ImportReport, updated: &Updated) -> Result<(), Failure> {
    let mut message = problems(&report) + &updates::summary(updated);
    let ImportReport { imported, existing, rejected, unknown, skipped: _, hidden: _, cancelled, stopped } = report;
    let in_doubt = if unknown.is_empty() { String::new() } else { format!(", {} unknown", unknown.len()) };
    let (imported, present, failed) = (imported.len(), existing.len(), rejected.len());
    message.push_str(&format!("{imported} imported, {present} already present, {failed} failed{in_doubt}\n"));
    io::stderr().write_all(message.as_bytes()).ok(); // A closed stderr leaves only the exit code to tell.
    match stopped {
        Some(error) if error.missing() => Err(Failure::failed(anyhow!(
            "this service does not create assets, so nothing more was imported ({error}); use another service, such as \
             `lunette serve`"
        ))),
        Some(error) => Err(connect::failure(error)),
        None if cancelled && unknown.is_empty() => {
            Err(Failure::failed(anyhow!("cancelled; run the command again to import the rest")))
        }
        None if cancelled => {
            Err(Failure::failed(anyhow!("cancelled; check the files marked unknown before importing the rest")))
        }
        None if !rejected.is_empty() || !unknown.is_empty() || updates::failed(updated) => Err(Failure::reported()),
        None => Ok(()),
    }
}

fn as_json(report: &ImportReport) -> Value {
    let assets = |list: &[(PathBuf, AssetId)]| -> Value {
        list.iter().map(|(path, id)| json!({ "path": path.to_string_lossy(), "asset": id.as_str() })).collect()
    };
    json!({
        "imported": assets(&report.imported),
        "already_present": assets(&report.existing),
        "failed": rejected_json(&report.rejected),
        "unknown": rejected_json(&report.unknown),
        "skipped": rejected_json(report.skipped.iter().chain(&report.hidden)),
        "cancelled": report.cancelled,
        "stopped": report.stopped.as_ref().map(ToString::to_string),
    })
}

fn rejected_json<'a>(list: impl IntoIterator<Item = &'a Rejected>) -> Value {
    let path = |item: &Rejected| json!({ "path": item.path.to_string_lossy(), "reason": item.reason });
    list.into_iter().map(path).collect()
}

/// Returns a path for display, with control and direction characters escaped.
fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy())
}
