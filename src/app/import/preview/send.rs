//! The marked rows of a preview become assets, as one step of the history, and are read back.
//!
//! What must hold: what the items became is kept whatever else fails, so that a second run adds nothing; the receipt is
//! read back from the service.

use std::sync::Arc;

use super::content::Content;
use super::state::Sent;
use super::{Action, reporter};
use crate::app::confirm::Confirmation;
use crate::app::context::Context;
use crate::app::db::Database;
use crate::app::import::engine::{self, ImportReport, Progress};
use crate::app::import::job::{Made, Step};
use crate::app::import::receipt::{Receipt, ReceiptKind};
use crate::app::import::{ImportSummary, Imports};
use crate::app::notifications::Grade;
use crate::app::output::{ImportOutput, TaskOutput};
use crate::app::session::feature::Feature;
use crate::app::tasks::CancelFlag;
use crate::app::{CallError, Remote};

/// What an import of a preview ended with.
pub(in crate::app) struct SentOutput {
    /// The preview.
    number: u64,
    report: ImportReport,
    /// Why it ended early or was not kept.
    problem: Option<String>,
    made: Option<Made>,
}

impl Imports {
    /// Imports the marked rows; asks first where every change is confirmed.
    pub(super) fn import_marked(&mut self, cx: &mut Context<'_>) {
        let Some(preview) = self.previews.open.as_deref() else { return };
        let Some(content) = preview.content.value().filter(|_| preview.marked > 0) else { return };
        if cx.blocks_write(Feature::Make, "Could not import") {
            return;
        }
        if !cx.confirms() {
            return self.import_marked_now(cx);
        }
        let title = match preview.marked {
            1 => "Import 1 item?".to_owned(),
            count => format!("Import {count} items?"),
        };
        let text = format!("The marked items of {} become assets. Undo deletes the new assets.", content.what());
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
            Err(error) => return cx.notify(Grade::Failed, format!("Could not import: {error}")),
        };
        let (number, marks, cancel) = (preview.number, Arc::clone(&preview.marks), CancelFlag::default());
        let step = Step::new(context, format!("Imported {}", content.what()), cancel.clone());
        let (work, title) = (cx.next_work(), format!("Importing {}", content.what()));
        let report = reporter(work, cx);
        let keep = keeper(&content, cx);
        let (flag, counted) = (cancel.clone(), step.clone());
        let send = async move {
            let progress = move |progress: Progress| {
                counted.expect(progress.total);
                report(progress.done, progress.total);
            };
            let entries = content.entries(&marks);
            let report = engine::import_entries(step.clone(), entries, sending, progress, flag).await;
            let made = step.end().await;
            let kept = keep.keep(report.clone()).await;
            let problem = step.problem().map(str::to_owned).or(kept);
            TaskOutput::Import(ImportOutput::Sent(Box::new(SentOutput { number, report, problem, made })))
        };
        let task = cx.start(send, move |error| {
            let problem = left
                .failed(&error)
                .message("The import failed", "The import was interrupted, and it is unknown what was imported");
            let (report, made) = (ImportReport::default(), None);
            let sent = SentOutput { number, report, problem: Some(problem), made };
            TaskOutput::Import(ImportOutput::Sent(Box::new(sent)))
        });
        preview.sending = Some(task);
        cx.show_work(work, task, title, Some(cancel));
    }

    /// Shows how an import ended, and reads its receipt.
    pub(in crate::app::import) fn sent(&mut self, sent: SentOutput, cx: &mut Context<'_>) {
        let SentOutput { number, report, problem, made } = sent;
        let summary = ImportSummary::of(report.clone()).of_items();
        let summary = match problem {
            Some(problem) => summary.halted(&problem),
            None => summary,
        };
        let undo = made.as_ref().filter(|made| !made.run.rows.is_empty()).map(|made| made.entry);
        self.imported(summary.clone(), made, cx);
        let Some(preview) = self.previews.numbered(number) else { return };
        preview.sending = None;
        let mut sent = Sent { summary: Arc::new(summary), undo, receipt: Remote::Unasked, reading: None };
        sent.receipt.ask();
        let client = match cx.client() {
            Ok(client) => client.without_waking(),
            Err(error) => {
                sent.receipt.answer(Err(error.reason()));
                preview.sent = Some(sent);
                return;
            }
        };
        let (work, cancel) = (cx.next_work(), CancelFlag::default());
        let (tell, flag) = (reporter(work, cx), cancel.clone());
        let output = move |end| TaskOutput::Import(ImportOutput::ReceiptRead(number, end));
        let read = async move {
            let told = move |done: usize, all: usize| {
                if done.is_multiple_of(REPORTED) {
                    tell(done, all);
                }
            };
            output(Ok(Receipt::read_back(&client, &report, told, &flag).await))
        };
        let task = cx.start(read, move |error: CallError| output(Err(error.reason())));
        cx.show_work(work, task, "Reading back what was imported".to_owned(), Some(cancel));
        sent.reading = Some(task);
        preview.sent = Some(sent);
    }

    pub(in crate::app::import) fn receipt_read(&mut self, number: u64, end: Result<Receipt, String>) {
        let sent = self.previews.numbered(number).and_then(|preview| preview.sent.as_mut());
        if let Some(sent) = sent {
            sent.reading = None;
            sent.receipt.answer(end.map(Arc::new));
        }
    }

    /// Saves the receipt, where the user says.
    pub(super) fn save_receipt(&mut self, kind: ReceiptKind, cx: &mut Context<'_>) {
        let sent = self.previews.open.as_ref().and_then(|preview| preview.sent.as_ref());
        let Some(receipt) = sent.and_then(|sent| sent.receipt.value()).cloned() else { return };
        cx.save_made(&format!("receipt.{}", kind.extension()), move || receipt.file(kind));
    }
}

/// After so many assets that were read back the progress is told.
const REPORTED: usize = 64;

/// What keeps which assets the items of a preview became.
struct Keeper {
    content: Arc<Content>,
    data: Option<std::path::PathBuf>,
    connection: String,
    runtime: tokio::runtime::Handle,
}

fn keeper(content: &Arc<Content>, cx: &Context<'_>) -> Keeper {
    let setup = &cx.runtime.setup;
    Keeper {
        content: Arc::clone(content),
        data: setup.data.clone(),
        connection: cx.connection.key(),
        runtime: setup.runtime.clone(),
    }
}

impl Keeper {
    /// Keeps it; why it could not be kept.
    async fn keep(self, report: ImportReport) -> Option<String> {
        let Self { content, data, connection, runtime } = self;
        let data = data?;
        let keep = runtime.spawn_blocking(move || {
            let database = Database::open(&data).map_err(|error| error.to_string())?.database;
            content.keep(&database, &connection, &report).map_err(|error| error.to_string())
        });
        let end = keep.await.unwrap_or_else(|error| Err(error.to_string()));
        end.err().map(|why| format!("what was imported could not be noted for the next time: {why}"))
    }
}
