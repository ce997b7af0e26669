//! Writes: planned, journaled, sent in the background, reported in the status bar, undone by Undo.
//!
//! What must hold: each write is sent once, at the user's request, and is on disk before it is sent. A write to an
//! asset that changed meanwhile sends nothing. A failed write is reported at its asset and changes nothing else.

use std::future::Future;
use std::sync::Arc;

use crate::background::Saving;
use crate::change::Change;
use crate::change::fingerprint::Fingerprint;
use crate::context::{Context, WideContext};
use crate::journal::EntryRelation;
use crate::notifications::Topic;
use crate::session::support::Reason;
use crate::tasks::TaskId;
use crate::write::plan::{PlanError, Planned, Preflight, conflict_message, prepare};
use crate::write::recovery::{Copies, DeletedAssets};
use crate::{CallError, Remote};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;

mod actions;
mod cancel;
pub mod conflict;
mod console;
pub(crate) mod created;
mod deletions;
pub(crate) mod engine;
pub mod headless;
pub(crate) mod journaled;
mod merge;
mod output;
pub mod own_writes;
pub mod plan;
mod reconcile;
pub mod recovery;
pub mod request;
mod results;
mod state;
pub(crate) mod tracking;

pub use actions::Action;
pub use journaled::NotRecorded;
pub(crate) use output::Output;
pub use state::{AssetWrite, Console, ConsoleAnswer, Writes};

pub(crate) use crate::journal::lower;
use journaled::{MaybeSent, Reviewed, Step, WriteContext, WriteResult};

impl Writes {
    /// Writes a change: at once, or after its plan was reviewed if the table of kinds says so, or if it is unknown what
    /// became of the last change to the asset.
    pub(super) fn submit(&mut self, change: Change, cx: &mut WideContext<'_>) {
        let review = change.needs_review(cx.connection.recovery()) || self.of(change.asset()).unsure;
        let change = if review { change } else { as_seen(change, cx) };
        self.submit_as(change, if review { Reviewed::No } else { Reviewed::IfIrreversible }, cx);
    }

    /// Writes a change that the user confirmed in a dialog, which says what changes and whether it can be undone. Its
    /// plan is shown only if the write policy requires it for every write.
    pub(super) fn submit_confirmed(&mut self, change: Change, cx: &mut WideContext<'_>) {
        self.submit_as(change, Reviewed::Yes, cx);
    }

    fn submit_as(&mut self, change: Change, reviewed: Reviewed, cx: &mut WideContext<'_>) {
        if let Some(reason) = cx.write_obstacle(change.capability()) {
            return self.not_sent(&change, &reason, cx);
        }
        if !self.begin_writing(change.asset()) {
            return;
        }
        let again = self.planned.take().filter(|planned| planned.change == change);
        match (again, reviewed, cx.confirms()) {
            (Some(again), ..) => self.plan(again, cx),
            (None, Reviewed::Yes | Reviewed::IfIrreversible, false) => {
                self.start_writing(change, Step { reviewed, ..Step::default() }, cx);
            }
            (None, reviewed, _) => {
                let awaited = reviewed != Reviewed::No;
                self.plan(Planned { awaited, ..Planned::of(change, Remote::NotRequested) }, cx);
            }
        }
    }

    /// Reports a change that the connection blocks: nothing was planned, recorded or sent.
    fn not_sent(&mut self, change: &Change, reason: &Reason, cx: &mut WideContext<'_>) {
        self.assets.entry(change.asset().clone()).or_default().refused = Some(reason.to_string());
        let text = results::not_changed(change, &reason.to_string(), cx);
        cx.notify_failed(Topic::Asset(change.asset().clone()), text, Vec::new());
    }

    /// Marks an asset as being written. Returns false, with the reason on its page, if it is being written already.
    fn begin_writing(&mut self, id: &AssetId) -> bool {
        let write = self.assets.entry(id.clone()).or_default();
        if std::mem::replace(&mut write.writing, true) {
            write.refused = Some("the last change to this asset is still in progress; wait until it ends".to_owned());
            return false;
        }
        (write.refused, write.cancelled) = (None, false);
        true
    }

    fn start_writing(&mut self, change: Change, step: Step, cx: &mut WideContext<'_>) {
        let (intended, relation) = (change.clone(), step.relation);
        let write = async move |context: WriteContext| journaled::write(&context, change, step).await;
        self.send_change(intended, relation, write, cx);
    }

    /// Returns whether a write of this window is under way, which Undo then takes back as soon as it has ended.
    pub(crate) fn undo_when_ended(&mut self) -> bool {
        self.undo_next = self.assets.values().any(|write| write.saving.is_some());
        self.undo_next
    }

    /// Starts the write of a change. One that panics or is cancelled has an unknown outcome if it may have been sent.
    fn send_change<F>(
        &mut self,
        intended: Change,
        relation: EntryRelation,
        write: impl FnOnce(WriteContext) -> F,
        cx: &mut WideContext<'_>,
    ) where
        F: Future<Output = WriteResult> + Send + 'static,
    {
        let (context, left) = cx.write_context_and_sent();
        let write = context.map(write);
        let write = async move {
            Ok::<_, CallError>(match write {
                Ok(write) => write.await,
                Err(error) => WriteResult::Unsent(journaled::why(&error)),
            })
        };
        let asset = intended.asset().clone();
        let task = cx.run(write, move |end| {
            let end = end.unwrap_or_else(|error| left.ended(error));
            Output::Ended { intended, relation, end }
        });
        self.show_saving_at(&asset, task, cx);
    }

    /// Shows that a write was sent, so that it can be cancelled while its response is awaited.
    fn show_saving_at(&mut self, asset: &AssetId, task: TaskId, cx: &mut WideContext<'_>) {
        if let Some(write) = self.assets.get_mut(asset) {
            write.saving = Some(Saving { task, since: jiff::Timestamp::now(), cancelled: false });
        }
        let record = cx.pages.of.get(asset).and_then(|page| page.record.value());
        let name = record.and_then(|asset| asset.view().name()).filter(|name| !name.is_empty());
        let title = name.map_or_else(|| "Saving".to_owned(), |name| format!("Saving {name}"));
        cx.show_saving(task, title);
    }

    /// Plans a write on a fresh read and shows the plan.
    fn plan(&mut self, planned: Planned, cx: &mut WideContext<'_>) {
        let change = planned.change.clone();
        let plan = Remote::Loading { previous: None };
        self.planned = Some(Planned { plan, applying: false, ..planned });
        let (context, intended) = (cx.write_context(), change.clone());
        let plan = async move {
            let context = context?;
            prepare(&context.client, &context.deleted, intended, context.vendor).await
        };
        cx.run(plan, |end| Output::Planned { change, end });
    }

    pub(super) fn planned(&mut self, change: Change, end: Result<Preflight, PlanError>, cx: &mut WideContext<'_>) {
        let id = change.asset().clone();
        let awaited = |planned: &Planned| planned.awaited && planned.awaits(&change);
        let ready = matches!(end, Ok(Preflight::Ready(_)));
        if !ready || !self.planned.as_ref().is_some_and(awaited) {
            self.end_writing(&id);
        }
        // The user may have closed the plan meanwhile.
        let Some(planned) = self.planned.as_mut().filter(|planned| planned.awaits(&change)) else { return };
        match end {
            Ok(Preflight::Ready(plan)) => planned.plan = Remote::Known(Arc::from(plan)),
            Ok(Preflight::NoOp(how)) => {
                self.planned = None;
                cx.show_success(format!("Nothing to change: {how}"));
            }
            Ok(Preflight::Conflict(conflict)) => match self.planned.take().map(|planned| planned.relation) {
                None | Some(EntryRelation::None) => self.open_conflict(*conflict, cx),
                // An undo has no conflict dialog: it is not sent.
                Some(relation @ (EntryRelation::Undoes(_) | EntryRelation::Redoes(_))) => {
                    self.report_failure(relation, &change, conflict_message(&change, &conflict.theirs), cx);
                }
            },
            Err(error) => {
                let refusal = error.to_string();
                planned.plan.resolve(Err(refusal.clone()));
                self.refuse(&id, refusal, cx);
            }
        }
    }

    /// Closes the shown plan without sending it. A form that waits for it keeps its input.
    pub(super) fn dismiss_plan(&mut self, cx: &mut WideContext<'_>) {
        let Some(planned) = self.planned.take() else { return };
        if !planned.awaited || planned.applying {
            return;
        }
        let id = planned.change.asset();
        if !planned.plan.loading() {
            self.end_writing(id);
        }
        let message = "Cancelled".to_owned();
        if let Some(write) = self.assets.get_mut(id) {
            (write.refused, write.unsure, write.cancelled) = (Some(message.clone()), false, true);
        }
        cx.show_success(message);
    }

    /// Sends the shown plan after reading the asset once more.
    pub(super) fn apply_plan(&mut self, cx: &mut WideContext<'_>) {
        let Some(planned) = self.planned.as_ref().filter(|planned| !planned.applying) else { return };
        let Remote::Known(plan) = &planned.plan else { return };
        let (plan, awaited) = (Arc::clone(plan), planned.awaited);
        let (relation, title) = (planned.relation, planned.title.clone());
        if cx.blocks_write(plan.change.capability(), "Could not make the change") {
            return;
        }
        if !awaited && !self.begin_writing(plan.change.asset()) {
            return;
        }
        if let Some(planned) = &mut self.planned {
            planned.applying = true;
        }
        let intended = plan.change.clone();
        let write = async move |context: WriteContext| journaled::apply(&context, &plan, relation, title).await;
        self.send_change(intended, relation, write, cx);
    }

    pub(super) fn end_writing(&mut self, id: &AssetId) {
        if let Some(write) = self.assets.get_mut(id) {
            (write.writing, write.saving) = (false, None);
        }
    }

    pub(super) fn refuse(&mut self, id: &AssetId, refusal: String, cx: &mut WideContext<'_>) {
        let refusal = cx.pages.with_names(refusal);
        if let Some(write) = self.assets.get_mut(id) {
            (write.refused, write.unsure, write.cancelled) = (Some(refusal), false, false);
        }
    }
}

impl Context<'_> {
    /// What a write needs, or the error that every call has without a connection.
    pub(crate) fn write_context(&self) -> Result<WriteContext, CallError> {
        let vendor = self.connection.vendor;
        let copies = Copies::in_folder(self.journal().deleted());
        let deleted = DeletedAssets { recovery: self.connection.recovery(), copies };
        Ok(WriteContext {
            client: self.client()?,
            reporter: self.reporter(),
            journal: self.journal().clone(),
            vendor,
            deleted,
            sent: MaybeSent::default(),
            asked_by: None,
        })
    }

    /// Returns the context of a write, and whether a request may have been sent when the work is aborted.
    pub(crate) fn write_context_and_sent(&self) -> (Result<WriteContext, CallError>, MaybeSent) {
        let context = self.write_context();
        let sent = context.as_ref().map(|context| context.sent.clone()).unwrap_or_default();
        (context, sent)
    }
}

/// A deletion of an asset whose record is shown, of that record only: if another program changed it since, there is a
/// conflict instead.
fn as_seen(change: Change, cx: &WideContext<'_>) -> Change {
    match change {
        Change::Delete { asset, name, made: None } => {
            let seen = cx.pages.of.get(&asset).and_then(|page| page.record.value());
            let made = seen.map(|record| Fingerprint::of(record.tree()));
            Change::Delete { asset, name, made }
        }
        change => change,
    }
}

impl Planned {
    /// Whether this change's plan is awaited.
    fn awaits(&self, change: &Change) -> bool {
        self.change == *change && self.plan.loading()
    }
}
