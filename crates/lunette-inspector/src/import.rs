//! Import of files, folders, samples and pasted text as assets. Each import is one step of the history.

use crate::CallError;
use crate::Vendor;
use crate::action::ImportAction;
use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;

use crate::action::AssetsAction;
use crate::assets::seed::application;
use crate::background::Saving;
use crate::capability::Capability;
use crate::change::Change;
use crate::change::fingerprint::Fingerprint;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::event::{AssetEvent, RunEvent};
use crate::listing::rows::LUNETTE;
use crate::notifications::Topic;
use crate::tasks::CancelFlag;
use crate::write::journaled::{self, Failed, WriteContext};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::{Record, View};
use lunette_client::model::seed::Seed;
use lunette_client::operation::table::{AssetsCreateBatch, AssetsCreateNewAsset};
use lunette_client::operation::{Call, Operation as _, Reply};
use serde_json::Value;

mod actions;
mod capture;
pub(crate) mod changed_files;
pub mod detect;
pub mod engine;
pub mod headless;
mod job;
pub mod known_libraries;
pub mod mapping;
mod output;
pub(crate) mod pick;
pub mod preview;
pub mod receipt;
mod recorder;
pub mod sources;
mod state;
mod summary;
mod typed_path;
mod updates;
mod watched;

pub use actions::Action;
pub use capture::Captured;
pub(crate) use output::Output;
pub use state::{Imports, Repeatable};
pub use summary::{ImportSummary, Unit};

pub(super) use job::Made;
pub use typed_path::typed_path;

use engine::SendMode;
use job::{ImportJob, ImportRows};

/// The sample files: name and bytes.
const SAMPLES: &[(&str, &[u8])] = &[
    ("first steps.md", include_bytes!("../../../assets/samples/first steps.md")),
    ("moon_phase.rs", include_bytes!("../../../assets/samples/moon_phase.rs")),
    ("word_count.py", include_bytes!("../../../assets/samples/word_count.py")),
    ("debounce.ts", include_bytes!("../../../assets/samples/debounce.ts")),
    ("observations.sql", include_bytes!("../../../assets/samples/observations.sql")),
    ("telescope.toml", include_bytes!("../../../assets/samples/telescope.toml")),
    ("greetings.txt", include_bytes!("../../../assets/samples/greetings.txt")),
    ("moon.png", include_bytes!("../../../assets/samples/moon.png")),
];

/// Where the files that were not imported are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureReport {
    /// In the report of the import.
    Summary,
    /// In the receipt of its preview.
    Receipt,
}

/// Reports progress: done and total.
type Report = Box<dyn Fn(usize, usize) + Send>;

impl Imports {
    /// Imports paths; libraries and archives are previewed first.
    pub(super) fn import(&mut self, paths: Vec<PathBuf>, cx: &mut Context<'_>) {
        if !paths.is_empty() && !cx.blocks_write(Capability::CreateAsset, "Could not import") {
            self.import_recognised(paths, cx);
        }
    }

    /// Imports plain files and folders; asks first if the connection confirms every change.
    pub(super) fn import_files(&mut self, paths: Vec<PathBuf>, cx: &mut Context<'_>) {
        if cx.blocks_write(Capability::CreateAsset, "Could not import") {
            return;
        }
        if !cx.confirms() {
            return self.import_now(paths, cx);
        }
        let title = match paths.as_slice() {
            [path] => format!("Import {}?", path.display()),
            paths => format!("Import {} files and folders?", paths.len()),
        };
        let text = "Each file becomes an asset, except hidden files, ignored files and files that are already \
                    assets. Undo deletes the new assets.";
        cx.ask_first(Confirmation::import(title, text, |confirmed| ImportAction::ImportConfirmed(paths, confirmed)));
    }

    pub(super) fn import_now(&mut self, paths: Vec<PathBuf>, cx: &mut Context<'_>) {
        let what = headless::what(&paths);
        let sending = Self::sending(cx);
        self.repeatable = Some(Repeatable::Files(paths.clone()));
        self.start_import(
            &what,
            move |step, report, cancel| async move {
                let create = step.clone();
                let progress = move |progress: engine::Progress| {
                    step.expect(progress.total);
                    report(progress.done, progress.total);
                };
                ImportSummary::of(engine::import_through(create, paths, sending, progress, cancel).await)
            },
            cx,
        );
    }

    /// Returns how assets are sent to the service.
    fn sending(cx: &Context<'_>) -> SendMode {
        match cx.connection.vendor {
            Vendor::Other => SendMode::Single,
            Vendor::Lunette if cx.connection.offers(AssetsCreateBatch::INFO) => SendMode::Batches,
            Vendor::Lunette => SendMode::Compact,
        }
    }

    /// Imports the samples.
    pub(super) fn import_samples(&mut self, cx: &mut Context<'_>) {
        if cx.blocks_write(Capability::CreateAsset, "Could not import") {
            return;
        }
        match cx.confirms() {
            false => self.import_samples_now(cx),
            true => cx.ask_first(Confirmation::import(
                "Import the samples?".to_owned(),
                "Eight small files become assets. Undo deletes them.",
                ImportAction::SamplesConfirmed,
            )),
        }
    }

    pub(super) fn import_samples_now(&mut self, cx: &mut Context<'_>) {
        let vendor = cx.connection.vendor;
        self.repeatable = Some(Repeatable::Samples);
        self.start_import(
            "samples",
            move |step, report, cancel| async move {
                step.expect(SAMPLES.len());
                let mut summary = ImportSummary::default();
                for (index, (name, bytes)) in SAMPLES.iter().enumerate() {
                    if cancel.cancelled() {
                        summary.cancelled = true;
                        break;
                    }
                    let end = import_sample(&step, name, bytes, vendor).await;
                    if step.problem().is_some() && end.is_err() {
                        break;
                    }
                    match end {
                        Ok(false) => summary.imported += 1,
                        Ok(true) => summary.existing += 1,
                        Err(_) if step.context().client.refusal().is_some() => {
                            summary.stopped = step.context().client.refusal().map(|refusal| refusal.to_string());
                            break;
                        }
                        Err(Failed { why, unknown }) => {
                            summary.rejected.push((PathBuf::from(name), why));
                            summary.unknown += usize::from(unknown);
                        }
                    }
                    report(index + 1, SAMPLES.len());
                }
                summary
            },
            cx,
        );
    }

    /// Starts an import that can be cancelled and reports its progress.
    fn start_import<F>(
        &mut self,
        what: &str,
        run: impl FnOnce(ImportJob, Report, CancelFlag) -> F,
        cx: &mut Context<'_>,
    ) where
        F: Future<Output = ImportSummary> + Send + 'static,
    {
        let output = |summary, made| Output::Imported(Box::new(summary), made);
        let run = |step, report, cancel| {
            let run = run(step, report, cancel);
            async move { (run.await, Vec::new()) }
        };
        self.start_import_of(what, run, output, cx);
    }

    /// Does the same with a custom output, and with further steps of the import.
    fn start_import_of<F>(
        &mut self,
        what: &str,
        run: impl FnOnce(ImportJob, Report, CancelFlag) -> F,
        output: impl FnOnce(ImportSummary, Vec<Made>) -> Output + Send + 'static,
        cx: &mut Context<'_>,
    ) where
        F: Future<Output = (ImportSummary, Vec<Made>)> + Send + 'static,
    {
        let stopped = |why: String| ImportSummary { stopped: Some(why), ..ImportSummary::default() };
        let cancel = CancelFlag::default();
        let (context, left) = cx.write_context_and_sent();
        let step = match context {
            Ok(context) => ImportJob::new(context, format!("Imported {what}"), cancel.clone(), ImportRows::Kept),
            Err(error) => return self.apply(output(stopped(error.to_string()), Vec::new()), cx),
        };
        let token = cx.next_work();
        let report: Report = Box::new(cx.reporter().progress(token));
        let work = Box::pin(run(step.clone(), report, cancel.clone()));
        let work = async move {
            let (summary, others) = work.await;
            let made = step.end().await.into_iter().chain(others).collect();
            let summary = match step.problem() {
                None => summary,
                Some(problem) => summary.stopped_by(&problem.to_string()),
            };
            Ok((summary, made))
        };
        let task = cx.run(work, move |end: Result<_, CallError>| {
            let (summary, made) = end.unwrap_or_else(|error| {
                let unknown = "The import was interrupted, and it is unknown what was imported";
                (stopped(left.failed(&error).message("The import failed", unknown)), Vec::new())
            });
            output(summary, made)
        });
        cx.show_work(token, task, format!("Importing {what}"), Some(cancel));
    }

    pub(super) fn imported(
        &mut self,
        summary: ImportSummary,
        made: Vec<Made>,
        reported: FailureReport,
        cx: &mut Context<'_>,
    ) {
        let (message, repeatable) = (summary.to_string(), self.repeatable.take());
        // Only our own service finds what was imported before, so that it is not imported twice.
        let repeats_nothing = summary.imported == 0 || cx.connection.vendor.is_lunette();
        let stopped = repeatable.filter(|_| summary.stopped.is_some() && repeats_nothing);
        cx.heed_refusal();
        if let (Some(what), Some(refusal)) = (stopped, cx.connection.refusal.clone()) {
            cx.ask_first(Confirmation::retry_import(&refusal, what));
        }
        if summary.is_complete() {
            self.completed += 1;
            cx.resolve(Topic::Import);
        } else {
            cx.notify_failed(Topic::Import, message.clone(), Vec::new());
            if reported == FailureReport::Summary {
                self.summary = Some(Arc::new(summary));
            }
        }
        let undo = job::undo_of(&made);
        cx.emit(RunEvent::Recorded(made.into_iter().map(|made| made.run).collect()));
        cx.outcome(message, undo);
        cx.request(AssetsAction::LoadList);
    }

    /// Creates an asset from typed or pasted text.
    pub(super) fn create(&mut self, name: String, text: String, cx: &mut Context<'_>) {
        let tree = serde_json::json!({
            "type": "SEEDED_ASSET",
            "asset": {
                "application": application(),
                "format": { "fragment": { "string": { "raw": text } } },
                "metadata": { "name": name, "mechanism": "MANUAL" },
            },
        });
        let seed = match (cx.write_obstacle(Capability::CreateAsset), Seed::from_tree(tree)) {
            (Some(reason), _) => return self.created(Err(reason.to_string().into()), cx),
            (None, Err(wrong)) => return self.created(Err(wrong.to_string().into()), cx),
            (None, Ok(seed)) => seed,
        };
        let call = AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(seed) }.into();
        // The typed text is kept until the response, including that of a confirmation dialog.
        self.creation.start_loading();
        match cx.confirms() {
            false => self.create_now(name, call, cx),
            true => {
                let title = format!("Create “{name}”?");
                let then = |call, confirmed| ImportAction::CreateConfirmed(name, call, confirmed);
                cx.ask_first(Confirmation::call(title, "Create", call, then).or_else(ImportAction::CreateDeclined));
            }
        }
    }

    pub(super) fn create_now(&mut self, name: String, call: Call, cx: &mut Context<'_>) {
        let title = format!("Creating {name}");
        let create = async move |context: WriteContext| {
            let exchange = journaled::call(&context, &call, format!("Created “{name}”"), undoable_change).await?;
            let reply = exchange.outcome?;
            let id = undoable_change(&reply).map(|change| change.asset().clone());
            id.ok_or_else(|| Failed::from("the new asset has no id".to_owned()))
        };
        let task = cx.run_write(create, Output::Created);
        self.creating = Some(Saving { task, since: jiff::Timestamp::now(), cancelled: false });
        cx.show_saving(task, title);
    }

    pub(super) fn created(&mut self, end: Result<AssetId, Failed>, cx: &mut Context<'_>) {
        self.creating = None;
        let message = |failed: Failed| {
            failed.message("Could not create the asset", "It is unknown whether the asset was created")
        };
        self.creation.resolve(end.clone().map_err(message));
        match end {
            Ok(id) => {
                cx.resolve(Topic::Create);
                cx.emit(AssetEvent::Created(id));
            }
            Err(failed) => {
                cx.notify_failed(Topic::Create, message(failed), Vec::new());
            }
        }
    }
}

/// Returns the created asset as a change that can be undone until the asset is changed.
pub(crate) fn undoable_change(reply: &Reply) -> Option<Change> {
    created(AssetsCreateNewAsset::output(reply.clone())?.tree())
}

/// Does the same for its record.
fn created(record: &Value) -> Option<Change> {
    let asset = View::<Asset>::of(record);
    let name = asset.name().unwrap_or_default().to_owned();
    Some(Change::Create { asset: asset.id().parse().ok()?, name, made: Fingerprint::of(record), replaces: None })
}

/// Returns whether the asset existed before, so that none was created.
fn existed(asset: &Asset) -> bool {
    asset.tree().get("existing").is_some_and(|existing| existing == true)
}

/// Returns whether this is the id of this program as an application.
pub fn is_lunette(application: &str) -> bool {
    application == LUNETTE
}

/// Creates an asset from a sample; returns whether it existed already.
async fn import_sample(step: &ImportJob, name: &str, bytes: &[u8], vendor: Vendor) -> Result<bool, Failed> {
    let seed = engine::seed_of(name, bytes.to_vec(), "One of Lunette's samples", vendor);
    let seed = seed.map_err(|error| error.to_string())?;
    let create = AssetsCreateNewAsset {
        transferables: Some(false),
        once: vendor.is_lunette().then_some(true),
        seed: Some(seed),
    };
    let asset = step.make(create).await;
    let asset =
        asset.map_err(|error| Failed { why: engine::failure_reason(&error), unknown: error.outcome_unknown() })?;
    Ok(existed(&asset))
}
