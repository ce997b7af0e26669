//! Writes: planned, noted, sent in the background, said in the status bar, undone by Undo.
//!
//! What must hold: each is sent once, on the user's word, and is on disk before it is; one that met an asset which moved
//! on sends nothing; a write that failed is said at the asset it was meant for, and nothing else is changed.

use std::sync::Arc;

use crate::app::background::Saving;
use crate::app::change::Change;
use crate::app::journal::EntryRelation;
use crate::app::notifications::Topic;
use crate::app::output::WriteOutput;
use crate::app::output::{TaskOutput, WriteResult};
use crate::app::session::capability::Reason;
use crate::app::tasks::TaskId;
use crate::app::write::plan::{Planned, Preflight, conflict_message};
use crate::app::write::recovery::{Copies, DeletedAssets};
use crate::app::{App, CallError, Remote};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;

mod actions;
mod cancel;
pub mod conflict;
mod console;
mod deletions;
mod merge;
mod output;
pub mod plan;
pub mod recovery;
pub mod request;
mod results;
mod state;
pub(in crate::app) mod step;
pub(in crate::app) mod tracking;
mod undo;

pub use actions::Action;
pub(in crate::app) use output::Output;
pub use state::{Console, ConsoleAnswer, Writes};

use step::{MaybeSent, WriteContext};
pub(in crate::app) use undo::lower;

/// Why a write was not done: a sentence for the user.
type Refusal = String;

impl App {
    /// Writes: at once where it is small and can be undone, else after its plan was reviewed.
    pub(super) fn change(&mut self, change: Change) {
        let at_once = change.at_once();
        self.change_after(change, at_once);
    }

    /// Writes what the user confirmed in a dialog that says what changes and whether it can be undone: its plan is shown
    /// only where every write is.
    pub(super) fn change_confirmed(&mut self, change: Change) {
        self.change_after(change, true);
    }

    fn change_after(&mut self, change: Change, at_once: bool) {
        if let Some(reason) = self.held(change.feature()) {
            return self.not_sent(&change, &reason);
        }
        if !self.begin_writing(change.asset()) {
            return;
        }
        let again = self.state.write.planned.take().filter(|planned| planned.change == change);
        match (again, at_once, self.confirms()) {
            (Some(again), ..) => self.plan(again),
            (None, true, false) => self.start_writing(change, EntryRelation::None, None),
            (None, awaited, _) => {
                self.plan(Planned { awaited, ..Planned::of(change, Remote::Unasked) });
            }
        }
    }

    /// A change that the connection does not let through: nothing was planned, noted or sent.
    fn not_sent(&mut self, change: &Change, reason: &Reason) {
        self.state.pages.of.entry(change.asset().clone()).or_default().refused = Some(reason.to_string());
        let text = format!("Could not make the change: {reason}");
        self.notify_failed(Topic::Asset(change.asset().clone()), text, Vec::new());
    }

    /// What a step needs, or the error every call has while there is no service.
    pub(in crate::app) fn context(&self) -> Result<WriteContext, CallError> {
        let own = self.state.connection.own;
        let copies = Copies::in_folder(self.runtime.journal.deleted());
        let deleted = DeletedAssets { recovery: self.state.connection.recovery(), copies };
        Ok(WriteContext {
            client: self.client()?,
            journal: self.runtime.journal.clone(),
            own,
            deleted,
            left: MaybeSent::default(),
        })
    }

    /// The same, and what tells whether a call of it may have left where the work breaks off.
    pub(in crate::app) fn write_context_and_sent(&self) -> (Result<WriteContext, CallError>, MaybeSent) {
        let context = self.context();
        let left = context.as_ref().map(|context| context.left.clone()).unwrap_or_default();
        (context, left)
    }

    /// Notes that an asset is written to; false, with the reason on its page, where it is already.
    fn begin_writing(&mut self, id: &AssetId) -> bool {
        let page = self.state.pages.of.entry(id.clone()).or_default();
        if std::mem::replace(&mut page.writing, true) {
            page.refused = Some("the last change to this asset is still in progress; wait until it ends".to_owned());
            return false;
        }
        (page.refused, page.cancelled) = (None, false);
        true
    }

    fn start_writing(&mut self, change: Change, answers: EntryRelation, title: Option<String>) {
        let (context, left) = self.write_context_and_sent();
        let (meant, failed) = (change.clone(), change.clone());
        let write = async move {
            let end = match context {
                Ok(context) => step::write(&context, change, answers, title).await,
                Err(error) => WriteResult::Unsent(step::why(&error)),
            };
            TaskOutput::Write(WriteOutput::Ended { meant, answers, end })
        };
        let asset = failed.asset().clone();
        let task = self.start(write, move |error| {
            TaskOutput::Write(WriteOutput::Ended { meant: failed, answers, end: left.ended(error) })
        });
        self.show_saving_at(&asset, task);
    }

    /// Shows that a write was sent, so that it can be cancelled while its answer is awaited.
    fn show_saving_at(&mut self, asset: &AssetId, task: TaskId) {
        let page = self.state.pages.of.get_mut(asset);
        let mut title = "Saving".to_owned();
        if let Some(page) = page {
            page.saving = Some(Saving { task, since: jiff::Timestamp::now(), cancelled: false });
            let name = page.record.value().and_then(|asset| asset.view().name());
            title.extend(name.filter(|name| !name.is_empty()).map(|name| format!(" {name}")));
        }
        self.show_saving(task, title);
    }

    /// Plans a write on a fresh read, to be looked at.
    fn plan(&mut self, planned: Planned) {
        let change = planned.change.clone();
        let plan = Remote::Loading { previous: None };
        self.state.write.planned = Some(Planned { plan, applying: false, ..planned });
        let context = self.context();
        let failed = change.clone();
        let plan = async move {
            let end = match context {
                Ok(context) => context.deleted.prepare(&context.client, change.clone(), context.own).await,
                Err(error) => Err(error),
            };
            TaskOutput::Write(WriteOutput::Planned { change, end: end.map_err(|error| step::why(&error)) })
        };
        self.start(plan, move |error| {
            TaskOutput::Write(WriteOutput::Planned { change: failed, end: Err(error.to_string()) })
        });
    }

    pub(super) fn planned(&mut self, change: Change, end: Result<Preflight, Refusal>) {
        let id = change.asset().clone();
        let awaited = |planned: &Planned| planned.awaited && planned.awaits(&change);
        let ready = matches!(end, Ok(Preflight::Ready(_)));
        if !ready || !self.state.write.planned.as_ref().is_some_and(awaited) {
            self.end_writing(&id);
        }
        // Whoever put it away meanwhile does not want to see it.
        let Some(planned) = self.state.write.planned.as_mut().filter(|planned| planned.awaits(&change)) else { return };
        match end {
            Ok(Preflight::Ready(plan)) => planned.plan = Remote::Known(Arc::from(plan)),
            Ok(Preflight::NoOp(how)) => {
                self.state.write.planned = None;
                self.say(format!("Nothing to change: {how}"));
            }
            Ok(Preflight::Conflict(conflict)) => match self.state.write.planned.take().map(|planned| planned.answers) {
                None | Some(EntryRelation::None) => self.contest(*conflict),
                // What undoes a step is not argued about.
                Some(answers @ (EntryRelation::Undoes(_) | EntryRelation::Redoes(_))) => {
                    self.not_made(answers, &change, conflict_message(&change, &conflict.theirs));
                }
            },
            Err(refusal) => {
                planned.plan.answer(Err(refusal.clone()));
                self.refuse(&id, refusal);
            }
        }
    }

    /// Closes the plan that is looked at; nothing is sent. A form that waits for it keeps what was typed.
    pub(super) fn dismiss_plan(&mut self) {
        let Some(planned) = self.state.write.planned.take() else { return };
        if !planned.awaited || planned.applying {
            return;
        }
        let id = planned.change.asset();
        if !planned.plan.loading() {
            self.end_writing(id);
        }
        let said = "Cancelled".to_owned();
        if let Some(page) = self.state.pages.of.get_mut(id) {
            (page.refused, page.unsure, page.cancelled) = (Some(said.clone()), false, true);
        }
        self.say(said);
    }

    /// Sends the plan that is looked at, after one more look at the asset.
    pub(super) fn apply_plan(&mut self) {
        let Some(planned) = self.state.write.planned.as_ref().filter(|planned| !planned.applying) else { return };
        let Remote::Known(plan) = &planned.plan else { return };
        let (plan, awaited, answers, title) =
            (Arc::clone(plan), planned.awaited, planned.answers, planned.title.clone());
        if self.blocks_write(plan.change.feature(), "Could not make the change") {
            return;
        }
        if !awaited && !self.begin_writing(plan.change.asset()) {
            return;
        }
        if let Some(planned) = &mut self.state.write.planned {
            planned.applying = true;
        }
        let (context, left) = self.write_context_and_sent();
        let (meant, failed) = (plan.change.clone(), plan.change.clone());
        let write = async move {
            let end = match context {
                Ok(context) => step::apply(&context, &plan, answers, title).await,
                Err(error) => WriteResult::Unsent(step::why(&error)),
            };
            TaskOutput::Write(WriteOutput::Ended { meant, answers, end })
        };
        let asset = failed.asset().clone();
        let task = self.start(write, move |error| {
            TaskOutput::Write(WriteOutput::Ended { meant: failed, answers, end: left.ended(error) })
        });
        self.show_saving_at(&asset, task);
    }

    pub(super) fn end_writing(&mut self, id: &AssetId) {
        if let Some(page) = self.state.pages.of.get_mut(id) {
            (page.writing, page.saving) = (false, None);
        }
    }

    pub(super) fn refuse(&mut self, id: &AssetId, refusal: Refusal) {
        if let Some(page) = self.state.pages.of.get_mut(id) {
            (page.refused, page.unsure, page.cancelled) = (Some(refusal), false, false);
        }
    }
}

impl Planned {
    /// Whether this change's plan is awaited.
    fn awaits(&self, change: &Change) -> bool {
        self.change == *change && self.plan.loading()
    }
}
