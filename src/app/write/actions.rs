//! What a user can ask of changes, their plans and conflicts, drafts, and the console.

use crate::app::App;
use crate::app::change::Change;
use crate::app::drafts::Draft;
use crate::app::drafts::DraftKey;
use crate::app::write::conflict::Choice;
use lunette_client::model::id::AssetId;
use lunette_client::operation::Call;

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
    /// Keeps what was typed and not applied; None forgets it.
    KeepDraft(DraftKey, Option<Draft>),
    /// Sends any operation.
    Send(Box<Call>),
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Write(action)
    }
}

impl App {
    /// Carries out a request.
    pub(in crate::app) fn perform_write(&mut self, action: Action) {
        match action {
            Action::Change(change) => self.change(change),
            Action::ChangeConfirmed(change) => self.change_confirmed(change),
            Action::ApplyPlan => self.apply_plan(),
            Action::DismissPlan => self.dismiss_plan(),
            Action::Decide(place, choice) => self.decide(place, choice),
            Action::MergeConflict => self.merge_conflict(),
            Action::DismissConflict => self.dismiss_conflict(),
            Action::DismissRefusal(id) => self.dismiss_refusal(&id),
            Action::KeepDraft(key, draft) => self.keep_draft(key, draft),
            Action::Send(call) => self.send(*call),
        }
    }
}
