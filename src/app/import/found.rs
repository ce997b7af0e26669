//! Imports of what was found in a watched folder.
//!
//! What must hold: what was imported is kept, so that it is not found again; that is done also where the import was
//! cancelled on the way.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::task::spawn_blocking;

use super::engine;
use super::look::{FoundFile, keep};
use super::{ImportSummary, Imports, headless};
use crate::app::action::{ImportAction, WatchAction};
use crate::app::confirm::Confirmation;
use crate::app::context::Context;
use crate::app::output::ImportOutput;
use crate::app::session::feature::Feature;
use lunette_client::model::size::grouped;

impl Imports {
    pub(super) fn import_found(&mut self, folder: PathBuf, found: Arc<Vec<FoundFile>>, cx: &mut Context<'_>) {
        if found.is_empty() || cx.blocks_write(Feature::Make, "Could not import") {
            return cx.request(WatchAction::Imported(folder));
        }
        if !cx.confirms() {
            return self.import_found_now(folder, found, cx);
        }
        let title = format!("Import {} from {}?", files(found.len()), folder.display());
        let text = "Each file becomes an asset. Undo deletes the new assets.";
        let declined = ImportAction::FoundDeclined(folder.clone());
        let asked =
            Confirmation::import(title, text, |confirmed| ImportAction::FoundConfirmed(folder, found, confirmed));
        cx.ask_first(asked.or_else(declined));
    }

    pub(super) fn import_found_now(&mut self, folder: PathBuf, found: Arc<Vec<FoundFile>>, cx: &mut Context<'_>) {
        let what = format!("{} from {}", files(found.len()), headless::what(std::slice::from_ref(&folder)));
        let (sending, data, connection) = (Self::sending(cx), cx.runtime.setup.data.clone(), cx.connection.key());
        let of = folder.clone();
        let run = move |step: super::Step, report: super::Report, cancel| async move {
            let create = step.clone();
            let progress = move |progress: engine::Progress| {
                step.expect(progress.total);
                report(progress.done, progress.total);
            };
            let entries = found.iter().map(|found| found.file.clone()).collect();
            let done = engine::import_entries(create, entries, sending, progress, cancel).await;
            let imported: Vec<_> = done.taken.iter().chain(&done.existing).cloned().collect();
            let mut summary = ImportSummary::of(done);
            let kept = match data {
                Some(data) => spawn_blocking(move || keep(&data, &connection, &of, &found, &imported)).await,
                None => Ok(Ok(())),
            };
            let problem = match kept {
                Ok(kept) => kept.err().map(|error| error.to_string()),
                Err(error) => Some(error.to_string()),
            };
            let again = "the files may be imported again";
            summary.stopped = summary.stopped.or(problem.map(|problem| format!("{again}: {problem}")));
            summary
        };
        let output = move |summary, made| ImportOutput::FoundImported(folder, Box::new(summary), made);
        self.start_import_of(&what, run, output, cx);
    }
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{} files", grouped(count as u64)) }
}
