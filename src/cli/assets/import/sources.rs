//! The libraries of other programs among the paths of an import.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Error, anyhow};
use lunette_sources::{OpenError, Source, UnknownSource, Warning};
use serde_json::{Value, json};

use super::{Arguments, updates};
use crate::cli::connect::{self, Service};
use crate::cli::progress::escaped;
use crate::cli::{Failure, data_dir, secrets};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetsIdentifiersSnapshot;
use lunette_inspector::db::Database;
use lunette_inspector::import::engine::{ImportReport, Progress, ScanResult, scan};
use lunette_inspector::import::headless;
use lunette_inspector::import::mapping::Mapping;
use lunette_inspector::import::sources::{
    Difference, LibraryAmongFiles, Opened, Planned, SourcePlan, Status, Updated, open,
};
use lunette_inspector::tasks::CancelFlag;
use lunette_inspector::write::headless::HeadlessWriter;
use lunette_secrets::{Finding, MAX_BYTES, find_in_bytes};

/// How all paths are imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Plain files.
    Files,
    /// Libraries of this program.
    Source(Source),
}

/// No source has this name, and it is not `files`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}, and files")]
pub(super) struct UnknownKind(UnknownSource);

/// Reads the value of `--as`.
pub(super) fn parse_as(text: &str) -> Result<Kind, UnknownKind> {
    match text {
        "files" => Ok(Kind::Files),
        text => text.parse().map(Kind::Source).map_err(UnknownKind),
    }
}

/// The paths of an import: libraries and plain files.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorted {
    pub plans: Vec<SourcePlan>,
    pub paths: Vec<PathBuf>,
    /// The libraries in folders that are imported as plain files.
    pub offered: Vec<LibraryAmongFiles>,
    /// The results of updates.
    pub updated: Updated,
}

/// A file or item with possible secrets: its name and the findings.
pub(super) type Suspect = (String, Vec<Finding>);

/// Finds possible secrets in a file, up to the search limit of an asset; returns none if it cannot be read. Blocks.
pub(super) fn in_file(path: &Path) -> Vec<Finding> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES as u64).read_to_end(&mut bytes));
    if read.is_ok() { find_in_bytes(&bytes) } else { Vec::new() }
}

/// Returns the files with possible secrets, in order; searches on all cores. Blocks.
fn in_files(files: &[&Path]) -> Vec<Suspect> {
    let next = AtomicUsize::new(0);
    let search = || {
        let mut found = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = files.get(index) else { return found };
            let findings = in_file(path);
            if !findings.is_empty() {
                found.push((index, (path.to_string_lossy().into_owned(), findings)));
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(files.len());
    let mut found: Vec<(usize, Suspect)> = thread::scope(|scope| {
        let searches: Vec<_> = (0..threads).map(|_| scope.spawn(search)).collect();
        searches.into_iter().flat_map(|search| search.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, suspect)| suspect).collect()
}

/// Prints possible secrets to stderr.
pub(super) fn print_secrets(suspects: Vec<Suspect>) {
    let named = suspects.iter().map(|(name, found)| (name.as_str(), found.as_slice()));
    io::stderr().write_all(secrets::lines(named).as_bytes()).ok(); // A closed stderr leaves only the exit code to tell.
}

/// Recognises which paths are libraries. A path that cannot be read is left to the import of files, which reports why.
pub(super) fn sort(arguments: &Arguments) -> Result<Sorted, Failure> {
    let mut sorted = Sorted::default();
    let forced = match arguments.kind {
        Some(Kind::Files) => return Ok(Sorted { paths: arguments.paths.clone(), ..sorted }),
        Some(Kind::Source(source)) => Some(source),
        None => None,
    };
    let mapping = Mapping::of(&arguments.map);
    for path in &arguments.paths {
        match open(path, forced, mapping, &CancelFlag::default()) {
            Ok(Opened::Library(mut plan)) => {
                if arguments.with_trash {
                    plan.with_trash();
                }
                if plan.items.is_empty() {
                    return Err(nothing(&plan));
                }
                sorted.plans.push(plan);
            }
            Ok(Opened::Files(libraries)) => {
                sorted.paths.push(path.clone());
                sorted.offered.extend(libraries);
            }
            Err(OpenError::Io(_) | OpenError::Special) => sorted.paths.push(path.clone()),
            Err(error) => {
                let advice = "`--as files` imports it as it is";
                return Err(Failure::failed(anyhow!("{}: {error}; {advice}", path.display())));
            }
        }
    }
    Ok(sorted)
}

fn nothing(plan: &SourcePlan) -> Failure {
    let warnings: String = plan.warnings.iter().map(|warning| format!("\n{}", warned(warning))).collect();
    let (path, title) = (plan.path.display(), plan.source.title());
    let message = format!("{path}: nothing to import as {title}; `--as files` imports it as it is{warnings}");
    Failure::failed(anyhow!("{message}"))
}

fn warned(warning: &Warning) -> String {
    format!("warning: {}", escaped(&warning.to_string()))
}

/// The maximum number of warnings of one kind that are printed; JSON has all.
const PRINTED_WARNINGS: usize = 20;

/// Returns a line for each warning, and the number of omitted ones per kind.
fn warnings_of(plan: &SourcePlan) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut message = String::new();
    for warning in plan.warnings.iter().chain(plan.items.iter().flat_map(|planned| &planned.item.warnings)) {
        let count = counts.entry(warning.code).or_default();
        *count += 1;
        if *count <= PRINTED_WARNINGS {
            message.push_str(&format!("{}\n", warned(warning)));
        }
    }
    for (code, count) in counts.into_iter().filter(|(_, count)| *count > PRINTED_WARNINGS) {
        message.push_str(&format!("warning: {} more ({code}); --json lists them\n", count - PRINTED_WARNINGS));
    }
    message
}

/// Compares the libraries with previous imports.
fn compare(
    sorted: &mut Sorted,
    database: &Database,
    connection: &str,
    present: Option<&HashSet<String>>,
) -> Result<(), Failure> {
    for plan in &mut sorted.plans {
        let known = plan.load_imported(database, connection).map_err(|error| Failure::failed(Error::new(error)))?;
        plan.compare(&known, present);
    }
    Ok(())
}

/// Applies what the user said of items whose ids are taken.
fn set_taken_ids(arguments: &Arguments, sorted: &mut Sorted, present: Option<&HashSet<String>>) {
    sorted.plans.iter_mut().for_each(|plan| plan.set_taken_ids(arguments.taken_ids, present));
}

/// Returns the ids of all assets, or `None` if the service does not list them.
async fn present(service: &Service) -> Option<HashSet<String>> {
    let listed = service.client.call(AssetsIdentifiersSnapshot { pseudo: None }).await.ok()?;
    let ids = listed.view().iterable()?.iter().map(|asset| asset.id().to_owned()).collect();
    Some(ids)
}

/// Imports libraries and files as one step, and records their assets.
pub(super) async fn import(
    arguments: &Arguments,
    service: &Service,
    writer: &HeadlessWriter,
    sorted: &mut Sorted,
    progress: impl FnMut(Progress),
    cancel: CancelFlag,
) -> Result<ImportReport, Failure> {
    let failed = |error| Failure::failed(Error::new(error));
    let folder = data_dir::folder(arguments.target.data())?;
    let database = Database::open(&folder).map_err(failed)?.database;
    let present = present(service).await;
    compare(sorted, &database, &service.connection, present.as_ref())?;
    // Another service gives every asset an id of its own.
    set_taken_ids(arguments, sorted, present.as_ref().filter(|_| service.vendor.is_lunette()));
    let ScanResult { files, rejected, skipped, hidden } = scan(&sorted.paths, cancel.flag());
    let entries = sorted.plans.iter().flat_map(SourcePlan::entries).chain(files).collect();
    let report = headless::import_entries(writer, sorted.title(), entries, progress, cancel).await;
    for plan in &sorted.plans {
        plan.record_imported(&database, &service.connection, &report).map_err(failed)?;
    }
    if arguments.changed && report.stopped.is_none() && !report.cancelled {
        sorted.updated = updates::apply(arguments, service, &database, &sorted.plans).await?;
    }
    let rejected = rejected.into_iter().chain(report.rejected).collect();
    Ok(ImportReport { rejected, skipped, hidden, ..report })
}

/// Compares with previous imports and with the assets of the service; returns whether the service could be asked. It is
/// called only if something was imported before.
fn compare_for_preview(arguments: &Arguments, sorted: &mut Sorted) -> Result<bool, Failure> {
    let folder = data_dir::folder(arguments.target.data())?;
    if !Database::exists(&folder) {
        return Ok(true);
    }
    let connection = connect::run(arguments.target.wanted().connection())?;
    let database = Database::open(&folder).map_err(|error| Failure::failed(Error::new(error)))?.database;
    let mut anything = false;
    for plan in &sorted.plans {
        anything |=
            !plan.load_imported(&database, &connection).map_err(|error| Failure::failed(Error::new(error)))?.is_empty();
    }
    let ask = arguments.target.wanted().with(async |service: &Service| Ok(present(service).await));
    let present = if anything { connect::run(ask).ok().flatten() } else { None };
    compare(sorted, &database, &connection, present.as_ref())?;
    Ok(!anything || present.is_some())
}

/// Prints the status of each item, compared with previous imports.
pub(super) fn preview(arguments: &Arguments, mut sorted: Sorted) -> Result<(), Failure> {
    let checked = compare_for_preview(arguments, &mut sorted)?;
    let ScanResult { files, rejected, skipped, hidden } = scan(&sorted.paths, CancelFlag::default().flag());
    let count = files.len() + sorted.plans.iter().map(|plan| plan.entries().len()).sum::<usize>();
    if arguments.target.json() {
        let tree = json!({
            "would_import": files.iter().map(super::file_json).collect::<Value>(),
            "checked": checked,
            "failed": super::rejected_json(&rejected),
            "skipped": super::rejected_json(skipped.iter().chain(&hidden)),
            "sources": sorted.json(),
            "libraries_offered": sorted.offers_json(),
        });
        crate::cli::print_json(&format!("{tree:#}\n"))?;
    } else {
        let items: String = sorted.plans.iter().flat_map(|plan| &plan.items).map(line).collect();
        let files = files.iter().map(|file| format!("{}\n", super::shown(&file.path)));
        crate::cli::print(&(items + &files.collect::<String>()))?;
    }
    sorted.print_problems();
    if !checked {
        let message = "not checked: the service does not list its assets, so `same` and `changed` items may have been deleted \
                       since then; the import creates those again";
        crate::cli::print_message(message);
    }
    print_secrets(sorted.suspects(&files.iter().map(|file| file.path.as_path()).collect::<Vec<_>>()));
    let failed = rejected.len();
    let report = ImportReport { rejected, skipped, hidden, ..ImportReport::default() };
    let message = format!("{}{count} would be imported, {failed} failed\n", super::problems(&report));
    io::stderr().write_all(message.as_bytes()).ok(); // A closed stderr leaves only the exit code to tell.
    if failed == 0 { Ok(()) } else { Err(Failure::reported()) }
}

/// Returns a line for an item: its status, name, tags and reason.
fn line(planned: &Planned) -> String {
    let (word, reason) = status(&planned.status);
    let new = &planned.item.new;
    let name = new.name.as_deref().unwrap_or("(named by the service)");
    let tags: String = new.tags.iter().map(|tag| format!("  #{tag}")).collect();
    let tags = if new.favourite { tags + "  (favourite)" } else { tags };
    let reason = reason.map(|reason| format!("  ({reason})")).unwrap_or_default();
    format!("{word:<9} {}{}{}\n", escaped(name), escaped(&tags), escaped(&reason))
}

/// Returns the word for a status, and its reason.
fn status(status: &Status) -> (&'static str, Option<String>) {
    match status {
        Status::New => ("new", None),
        Status::Same(asset) => ("same", Some(format!("imported as {asset}"))),
        Status::Changed(asset, difference) => {
            let what = match difference {
                Difference::Content => "its name or content",
                Difference::Details => "only its tags, description, websites or language",
            };
            ("changed", Some(format!("imported as {asset}; {what} changed; use --changed to update the asset")))
        }
        Status::Doubtful(reason) => ("doubtful", Some(reason.clone())),
        Status::LeftOut(reason) => ("left out", Some(reason.clone())),
    }
}

impl Sorted {
    /// Returns the sent items and these files that have possible secrets. Blocks.
    pub fn suspects(&self, files: &[&Path]) -> Vec<Suspect> {
        let sent = self.plans.iter().flat_map(|plan| &plan.items).filter(|planned| planned.is_sent());
        let items = sent.map(|planned| {
            (planned.item.new.name.clone().unwrap_or_default(), find_in_bytes(&planned.item.new.content))
        });
        items.filter(|(_, found)| !found.is_empty()).chain(in_files(files)).collect()
    }

    fn title(&self) -> String {
        match (self.plans.as_slice(), self.paths.is_empty()) {
            ([plan], true) => {
                let name = plan.path.file_name().unwrap_or(plan.path.as_os_str()).to_string_lossy();
                format!("Imported {name} from {}", plan.source.program())
            }
            (plans, _) => format!("Imported {} files, folders and libraries", plans.len() + self.paths.len()),
        }
    }

    /// Returns a line for each library in a folder that is imported as plain files.
    pub fn offers(&self) -> String {
        let line = |LibraryAmongFiles { source, path }: &LibraryAmongFiles| {
            let (path, program, name) = (super::shown(path), source.program(), source.name());
            format!(
                "{path}: has a library of {program}, which is imported as plain files; `lunette import --as {name} '{path}'` \
                 imports its items\n"
            )
        };
        self.offered.iter().map(line).collect()
    }

    /// Returns these libraries as JSON.
    pub fn offers_json(&self) -> Value {
        let offer = |LibraryAmongFiles { source, path }: &LibraryAmongFiles| json!({ "path": path.to_string_lossy(), "source": source.name() });
        self.offered.iter().map(offer).collect()
    }

    /// Prints what each path was recognised as, the counts of its items, and warnings.
    pub fn print_problems(&self) {
        let mut message = self.offers();
        for plan in &self.plans {
            message.push_str(&warnings_of(plan));
            for planned in plan.items.iter().filter(|planned| matches!(planned.status, Status::Changed(..))) {
                message.push_str(&line(planned));
            }
            let count = |wanted: &str| plan.items.iter().filter(|planned| status(&planned.status).0 == wanted).count();
            let counts: Vec<String> = ["new", "same", "changed", "doubtful", "left out"]
                .into_iter()
                .map(|word| (word, count(word)))
                .filter(|(_, count)| *count > 0)
                .map(|(word, count)| format!("{count} {word}"))
                .collect();
            message.push_str(&format!(
                "{}: {}: {}\n",
                super::shown(&plan.path),
                plan.source.title(),
                counts.join(", ")
            ));
        }
        io::stderr().write_all(message.as_bytes()).ok(); // A closed stderr leaves only the exit code to tell.
    }

    /// Returns the libraries as JSON, with all details of their items.
    pub fn json(&self) -> Value {
        self.plans.iter().map(plan_json).collect()
    }
}

fn plan_json(plan: &SourcePlan) -> Value {
    json!({
        "path": plan.path.to_string_lossy(),
        "source": plan.source.name(),
        "experimental": plan.source.experimental(),
        "items": plan.items.iter().map(item_json).collect::<Value>(),
        "warnings": plan.warnings.iter().map(warning_json).collect::<Value>(),
    })
}

fn item_json(planned: &Planned) -> Value {
    let (word, reason) = status(&planned.status);
    let new = &planned.item.new;
    let asset = match &planned.status {
        Status::Same(asset) | Status::Changed(asset, _) => Some(asset.as_str()),
        Status::New | Status::Doubtful(_) | Status::LeftOut(_) => None,
    };
    json!({
        "id": planned.item.id,
        "status": word,
        "reason": reason,
        "asset": asset,
        "name": new.name,
        "language": new.language,
        "tags": new.tags,
        "websites": new.websites.iter().map(|site| site.url.as_str()).collect::<Value>(),
        "description": new.annotations.first().map(|(_, text)| text),
        "favourite": new.favourite,
        "size": new.content.len(),
        "looks_like_secrets": secrets::json(&find_in_bytes(&new.content)),
        "warnings": planned.item.warnings.iter().map(warning_json).collect::<Value>(),
    })
}

fn warning_json(warning: &Warning) -> Value {
    json!({ "code": warning.code, "place": warning.location, "message": warning.message })
}
