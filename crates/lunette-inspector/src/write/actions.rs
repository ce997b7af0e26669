//! The actions of writes: changes, their plans and conflicts, and the console.

use super::Writes;
use super::tracking::Tracking;
use crate::change::Change;
use crate::confirm::Confirmed;
use crate::context::WideContext;
use crate::write::conflict::Choice;
use lunette_client::model::id::AssetId;
use lunette_client::operation::Call;
use std::sync::Arc;

/// An action of writes: changes, their plans and conflicts, and the console.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Writes a change: at once, or after its plan was reviewed if the table of kinds says so.
    Change(Change),
    /// Writes a change that was confirmed in a dialog.
    ChangeConfirmed(Change),
    /// Sends the shown plan.
    ApplyPlan,
    /// Closes the shown plan.
    DismissPlan,
    /// Chooses the version of a field of the conflict.
    Decide(usize, Choice),
    /// Plans the merged change on the current version of the service.
    MergeConflict,
    /// Closes the conflict; nothing is sent.
    DismissConflict,
    /// Dismisses the error of a write to an asset.
    DismissRefusal(AssetId),
    /// Asks for confirmation to register an external application, and shows the call.
    Track {
        /// Its name.
        name: String,
        /// Its version, if known.
        version: String,
        /// Its name in the interface, if it has one.
        identifier: Option<String>,
    },
    /// Sends the call that registers or deletes an application.
    TrackConfirmed(Tracking, Arc<Call>, Confirmed),
    /// Sends a confirmed call of the console.
    SendConfirmed(Arc<Call>, Confirmed),
    /// Sends any operation.
    Send(Box<Call>),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Write(action)
    }
}

impl Writes {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut WideContext<'_>) {
        match action {
            Action::Change(change) => self.submit(change, cx),
            Action::ChangeConfirmed(change) => self.submit_confirmed(change, cx),
            Action::ApplyPlan => self.apply_plan(cx),
            Action::DismissPlan => self.dismiss_plan(cx),
            Action::Decide(index, choice) => self.decide(index, choice),
            Action::MergeConflict => self.merge_conflict(cx),
            Action::DismissConflict => self.dismiss_conflict(cx),
            Action::DismissRefusal(id) => self.dismiss_refusal(&id),
            Action::Track { name, version, identifier } => self.track(name, version, identifier, cx),
            Action::TrackConfirmed(tracking, call, Confirmed { .. }) => {
                self.track_now(tracking, Call::clone(&call), cx)
            }
            Action::SendConfirmed(call, Confirmed { .. }) => self.send_now(Call::clone(&call), cx),
            Action::Send(call) => self.send(*call, cx),
        }
    }
}
