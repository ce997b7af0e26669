//! Imports the marked rows of a preview: new ones become assets as one step of the history, changed ones update theirs
//! as another step, and all are read back.
//!
//! What must hold: the assets of the items are recorded whatever else fails, so that a second run adds nothing; the
//! receipt is read back from the service.

use std::sync::Arc;

use super::Action;
use super::state::Sent;
use crate::capability::Capability;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::import::engine::{self, ImportReport, Progress};
use crate::import::job::{ImportJob, ImportRows, Made, undo_of};
use crate::import::receipt::{Imported, Receipt, ReceiptKind, Selection};
use crate::import::recorder::ImportRecorder;
use crate::import::sources::Updated;
use crate::import::updates::{UpdateResult, update_items};
use crate::import::{FailureReport, ImportSummary, Imports, Output};
use crate::notifications::Severity;
use crate::tasks::{CancelFlag, Ended, TaskId};
use crate::write::journaled::Failed;
use crate::{CallError, Remote};
use lunette_client::client::{Client, Purpose};

/// The result of importing a preview.
pub(crate) struct SentOutput {
    /// The preview.
    number: u64,
    report: ImportReport,
    updated: Updated,
    /// Why it ended early or was not recorded.
    problem: Option<String>,
    /// The steps: one for new assets, and one for each library with updates.
    made: Vec<Made>,
}

/// Returns the output of an interrupted import.
fn interrupted(number: u64, failed: &Failed) -> SentOutput {
    let unknown = "The import was interrupted, and it is unknown what was imported";
    let problem = failed.message("The import failed", unknown);
    let (report, updated, made) = Default::default();
    SentOutput { number, report, updated, problem: Some(problem), made }
}

impl Imports {
    /// Imports the marked rows; asks first if the connection confirms every change.
    pub(super) fn import_marked(&mut self, cx: &mut Context<'_>) {
        let Some(preview) = self.previews.open.as_deref() else { return };
        let Some(content) = preview.content.value().filter(|_| preview.marked > 0) else { return };
        // The button is disabled until then.
        if preview.asks_about_ids() || cx.blocks_write(Capability::CreateAsset, "Could not import") {
            return;
        }
        if !cx.confirms() {
            return self.import_marked_now(cx);
        }
        let title = match preview.marked {
            1 => "Import 1 item?".to_owned(),
            count => format!("Import {count} items?"),
        };
        let text = format!(
            "The marked items of {} become assets; changed ones update theirs. Undo deletes the new assets and \
             reverts the updates.",
            content.what()
        );
        cx.ask_first(Confirmation::import(title, &text, Action::ImportConfirmed));
    }

    pub(super) fn import_marked_now(&mut self, cx: &mut Context<'_>) {
        let sending = Self::sending(cx);
        let Some(preview) = self.previews.open.as_deref_mut().filter(|preview| preview.sending.is_none()) else {
            return;
        };
        let Some(content) = preview.content.value().cloned() else { return };
        let (context, left) = cx.write_context_and_sent();
        let context = match context {
            Ok(context) => context,
            Err(error) => return cx.notify(Severity::Failed, format!("Could not import: {error}")),
        };
        let (number, marks, cancel) = (preview.number, Arc::clone(&preview.marks), CancelFlag::default());
        let step = ImportJob::new(context, format!("Imported {}", content.what()), cancel.clone(), ImportRows::Kept);
        let (work, title) = (cx.next_work(), format!("Importing {}", content.what()));
        let report = cx.reporter().progress(work);
        let progress = step.counting(move |now: Progress| report(now.done, now.total));
        let (recorder, flag) = (ImportRecorder::of(cx), cancel.clone());
        let send = async move {
            let entries = content.entries(&marks);
            let report = engine::import_entries(step.clone(), entries, sending, progress, flag.clone()).await;
            let made = step.end().await;
            let kept = recorder.keep(content.plans.clone(), report.clone()).await;
            let problem = step.problem().map(ToString::to_string).or(kept);
            let result = match problem.is_none() && report.stopped.is_none() {
                true => update_items(step.context(), content.changed(&marks), &flag, &recorder).await,
                false => UpdateResult::default(),
            };
            let problem = problem.or(result.problem);
            let made = made.into_iter().chain(result.made).collect();
            let sent = SentOutput { number, report, updated: result.updated, problem, made };
            Ok(Box::new(sent))
        };
        let task = cx.run(send, move |sent: Result<_, CallError>| {
            Output::Sent(sent.unwrap_or_else(|error| Box::new(interrupted(number, &left.failed(&error)))))
        });
        preview.sending = Some(task);
        cx.show_work(work, task, title, Some(cancel));
    }

    /// Shows the result of an import, and reads its receipt.
    pub(in crate::import) fn sent(&mut self, sent: SentOutput, cx: &mut Context<'_>) {
        let SentOutput { number, report, updated, problem, made } = sent;
        let summary = ImportSummary::of(report.clone()).of_items().with_updates(&updated);
        let summary = match problem {
            Some(problem) => summary.stopped_by(&problem),
            None => summary,
        };
        let undo = undo_of(&made);
        // The receipt lists failures; if it is not shown, the report of the import lists them.
        let reported = match self.previews.numbered(number) {
            Some(_) => FailureReport::Receipt,
            None => FailureReport::Summary,
        };
        self.imported(summary.clone(), made, reported, cx);
        let client = cx.client();
        let Some(preview) = self.previews.numbered(number) else { return };
        preview.sending = None;
        let mut sent = Sent { summary: Arc::new(summary), undo, receipt: Remote::NotRequested, reading: None };
        sent.receipt.start_loading();
        match (client, preview.content.value()) {
            (Ok(client), Some(content)) => {
                let (plans, files) = (&content.plans, &content.files);
                let imported =
                    Imported { report: &report, plans, files, updated: &updated, selection: Selection::Marked };
                sent.reading = Some(read_back(number, Receipt::of(&imported), client, cx));
            }
            (Err(error), _) => sent.receipt.resolve(Err(error.reason())),
            (Ok(_), None) => sent.receipt.resolve(Err("the preview was closed".to_owned())),
        }
        preview.sent = Some(sent);
    }

    pub(in crate::import) fn receipt_read(&mut self, number: u64, end: Result<Receipt, Ended>) {
        let sent = self.previews.numbered(number).and_then(|preview| preview.sent.as_mut());
        if let Some(sent) = sent {
            sent.reading = None;
            sent.receipt.resolve(end.map(Arc::new).map_err(|ended| ended.to_string()));
        }
    }

    /// Saves the receipt; the user chooses where.
    pub(super) fn save_receipt(&mut self, kind: ReceiptKind, cx: &mut Context<'_>) {
        let sent = self.previews.open.as_ref().and_then(|preview| preview.sent.as_ref());
        let Some(receipt) = sent.and_then(|sent| sent.receipt.value()).cloned() else { return };
        cx.save_made(&format!("receipt.{}", kind.extension()), move || Ok(receipt.file(kind).into_bytes()));
    }
}

/// Reads back the imported assets in the background.
fn read_back(number: u64, receipt: Receipt, client: Client, cx: &mut Context<'_>) -> TaskId {
    let (work, cancel) = (cx.next_work(), CancelFlag::default());
    let (tell, flag) = (cx.reporter().progress(work), cancel.clone());
    let read = async move {
        let progress = move |done: usize, all: usize| {
            if done.is_multiple_of(PROGRESS_INTERVAL) {
                tell(done, all);
            }
        };
        Ok(receipt.read_back(&client.for_run().for_purpose(Purpose::Part), progress, &flag).await)
    };
    let task = cx.run(read, move |end| Output::ReceiptRead(number, end));
    cx.show_work(work, task, "Reading back what was imported".to_owned(), Some(cancel));
    task
}

/// Progress is reported each time this many assets were read back.
const PROGRESS_INTERVAL: usize = 64;
