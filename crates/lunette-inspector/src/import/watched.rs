//! Imports files of a watched folder: new files become assets, and changed files update theirs. A doubtful file becomes
//! a new asset, and its previous asset is unchanged.
//!
//! What must hold: imported files are recorded, so that they are not found again, even if the import was cancelled.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::changed_files::updates;
use super::detect::{FoundFile, record_imported};
use super::engine;
use super::updates::{UpdateResult, make_changes};
use super::{ImportSummary, Imports, Output, headless};
use crate::Vendor;
use crate::action::ImportAction;
use crate::capability::Capability;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::event::Event;
use crate::tasks::{CancelFlag, blocking};
use crate::write::journaled::WriteContext;
use lunette_client::model::size::plural;

impl Imports {
    pub(super) fn import_found(&mut self, folder: PathBuf, found: Arc<Vec<FoundFile>>, cx: &mut Context<'_>) {
        if found.is_empty() || cx.blocks_write(Capability::CreateAsset, "Could not import") {
            return cx.emit(Event::FolderImported(folder));
        }
        if !cx.confirms() {
            return self.import_found_now(folder, found, cx);
        }
        let title = format!("Import {} from {}?", plural(found.len(), "file"), folder.display());
        let text = "New and doubtful files become assets, and changed files update theirs. Undo deletes the new \
                    assets and reverts the updates.";
        let declined = ImportAction::FoundDeclined(folder.clone());
        let asked =
            Confirmation::import(title, text, |confirmed| ImportAction::FoundConfirmed(folder, found, confirmed));
        cx.ask_first(asked.or_else(declined));
    }

    pub(super) fn import_found_now(&mut self, folder: PathBuf, found: Arc<Vec<FoundFile>>, cx: &mut Context<'_>) {
        let what = format!("{} from {}", plural(found.len(), "file"), headless::what(std::slice::from_ref(&folder)));
        let (sending, data, connection) = (Self::sending(cx), cx.data(), cx.connection.key());
        let of = folder.clone();
        let vendor = cx.connection.vendor;
        let run = move |step: super::ImportJob, report: super::Report, cancel: CancelFlag| async move {
            let progress = step.counting(move |now: engine::Progress| report(now.done, now.total));
            let new = found.iter().filter(|found| found.updates().is_none());
            let entries = new.map(|found| found.file.clone()).collect();
            let done = engine::import_entries(step.clone(), entries, sending, progress, cancel.clone()).await;
            let mut imported: Vec<_> = done.imported.iter().chain(&done.existing).cloned().collect();
            let going_on = done.stopped.is_none() && step.problem().is_none() && !cancel.cancelled();
            let mut summary = ImportSummary::of(done);
            let mut made = Vec::new();
            if going_on {
                let result = update(step.context(), vendor, &found, &of, &cancel).await;
                summary = summary.with_updates(&result.updated);
                summary.stopped = summary.stopped.or(result.problem);
                let up_to_date = result.updated.up_to_date.iter();
                let has: HashSet<_> = result.updated.updated.iter().map(|(asset, _)| asset).chain(up_to_date).collect();
                let updated = found.iter().filter_map(|found| Some((&found.file.path, found.updates()?)));
                imported.extend(
                    updated.filter(|(_, asset)| has.contains(asset)).map(|(path, asset)| (path.clone(), asset.clone())),
                );
                made = result.made;
            }
            let not_kept = match data {
                Some(data) => {
                    match blocking(move || record_imported(&data, &connection, &of, &found, &imported)).await {
                        Ok(kept) => kept.err().map(|error| error.to_string()),
                        Err(ended) => Some(ended.to_string()),
                    }
                }
                None => None,
            };
            let again = "the files may be imported again";
            summary.stopped = summary.stopped.or(not_kept.map(|problem| format!("{again}: {problem}")));
            (summary, made)
        };
        let output = move |summary, made| Output::FoundImported(folder, Box::new(summary), made);
        self.start_import_of(&what, run, output, cx);
    }
}

/// Updates the assets of changed files, as a separate step.
async fn update(
    context: &WriteContext,
    vendor: Vendor,
    found: &[FoundFile],
    folder: &Path,
    cancel: &CancelFlag,
) -> UpdateResult {
    let mut end = UpdateResult::default();
    let updates = match updates(&context.client, vendor, found).await {
        Ok(updates) => updates,
        Err(error) => return UpdateResult { problem: Some(error.to_string()), ..end },
    };
    end.updated.add_unchanged(&updates);
    if !updates.changes.is_empty() {
        match make_changes(context, updates.record(&headless::what(&[folder.to_owned()])), cancel).await {
            Ok(made) => {
                end.updated.add_results(&updates, made.run.rows.iter());
                end.made.push(made);
            }
            Err(why) => end.problem = Some(why.to_string()),
        }
    }
    end
}
