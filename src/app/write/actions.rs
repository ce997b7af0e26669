//! What a user can ask of changes, their plans and conflicts, drafts, and the console.

use super::Writes;
use super::tracking::Tracking;
use crate::app::change::Change;
use crate::app::confirm::Confirmed;
use crate::app::context::Context;
use crate::app::write::conflict::Choice;
use lunette_client::model::id::AssetId;
use lunette_client::operation::Call;
use std::sync::Arc;

/// One request of the user about changes, their plans and conflicts, drafts, and the console.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Writes: at once where it is small and can be taken back, else after its plan was looked at.
    Change(Change),
    /// Writes what was confirmed in a dialog that says what it changes.
    ChangeConfirmed(Change),
    /// Sends the plan that is looked at.
    ApplyPlan,
    /// Puts the plan that is looked at away.
    DismissPlan,
    /// Says whose version shall stand at a place of the conflict.
    Decide(usize, Choice),
    /// Plans the conflict's change anew, on what the service holds now, as decided.
    MergeConflict,
    /// Puts the conflict away; nothing is sent.
    DismissConflict,
    /// Forgets why a write to an asset failed.
    DismissRefusal(AssetId),
    /// Asks whether an external application is to be registered, and shows the call.
    Track {
        /// Its name.
        name: String,
        /// Its version, if known.
        version: String,
        /// The interface's word for it, if there is one.
        identifier: Option<String>,
    },
    /// Sends the call that registers or deletes an application.
    TrackConfirmed(Tracking, Arc<Call>, Confirmed),
    /// Sends the call that was confirmed, from the console.
    SendConfirmed(Arc<Call>, Confirmed),
    /// Sends any operation.
    Send(Box<Call>),
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Write(action)
    }
}

impl Writes {
    /// Carries out a request.
    pub(in crate::app) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Change(change) => self.change(change, cx),
            Action::ChangeConfirmed(change) => self.change_confirmed(change, cx),
            Action::ApplyPlan => self.apply_plan(cx),
            Action::DismissPlan => self.dismiss_plan(cx),
            Action::Decide(place, choice) => self.decide(place, choice),
            Action::MergeConflict => self.merge_conflict(cx),
            Action::DismissConflict => self.dismiss_conflict(cx),
            Action::DismissRefusal(id) => self.dismiss_refusal(&id, cx),
            Action::Track { name, version, identifier } => self.track(name, version, identifier, cx),
            Action::TrackConfirmed(tracking, call, Confirmed { .. }) => {
                self.track_now(tracking, Call::clone(&call), cx)
            }
            Action::SendConfirmed(call, Confirmed { .. }) => self.send_now(Call::clone(&call), cx),
            Action::Send(call) => self.send(*call, cx),
        }
    }
}
