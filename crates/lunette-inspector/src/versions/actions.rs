//! The actions of versions.

use std::sync::Arc;

use super::Versions;
use super::content::ContentUse;
use super::forgetting::Forgotten;
use super::runs::RunStep;
use super::then::{Moment, Then};
use crate::confirm::Confirmed;
use crate::context::Context;
use crate::settings::VersionBounds;
use lunette_client::model::id::{AssetId, CheckpointId, VersionNumber};
use lunette_client::operation::Call;

/// An action of versions of assets.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Loads the versions of an asset.
    Load(AssetId),
    /// Reads what these runs changed of an asset.
    LoadRuns(AssetId, Vec<RunStep>),
    /// Restores a version, after a question that names what changes.
    Restore(AssetId, VersionNumber),
    /// Sends the call that creates an asset like a version of one that is gone; its name.
    RecreateConfirmed(String, Arc<Call>, Confirmed),
    /// Copies the content of a version, or saves it as a file.
    UseContent(AssetId, VersionNumber, ContentUse),
    /// Says in which versions of an asset a text is; empty for none.
    Search(AssetId, String),
    /// Forgets versions of an asset, after confirmation.
    Forget(Forgotten),
    /// Sends the call that forgets them.
    ForgetConfirmed(Forgotten, Arc<Call>, Confirmed),
    /// Deletes those that this program keeps.
    ForgetLocal(Forgotten, Confirmed),
    /// Shows the list of assets as it was.
    ShowThen(Moment),
    /// Loads it again.
    LoadThen,
    /// Shows the list as it is.
    ShowNow,
    /// Makes the changed assets of the list what they were then, after confirmation.
    RestoreThen,
    /// Loads the checkpoints.
    LoadCheckpoints,
    /// Gives this moment a name, for these assets, or for all (None).
    AddCheckpoint(String, Option<Vec<AssetId>>),
    /// Deletes a checkpoint, after confirmation.
    DeleteCheckpoint(CheckpointId),
    /// Deletes it.
    DeleteCheckpointConfirmed(CheckpointId, Confirmed),
    /// Reads how many versions the service keeps.
    LoadBounds,
    /// Sets how many it keeps, after confirmation if that deletes some.
    SetBounds(VersionBounds),
    /// Sends the call that does so.
    SetBoundsConfirmed(VersionBounds, Confirmed),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Versions(action)
    }
}

impl Versions {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Load(asset) => self.load(asset, cx),
            Action::LoadRuns(asset, runs) => self.load_runs(asset, runs, cx),
            Action::Restore(asset, version) => self.read_to_restore(asset, version, cx),
            Action::RecreateConfirmed(name, call, Confirmed { .. }) => self.recreate(name, Call::clone(&call), cx),
            Action::UseContent(asset, version, purpose) => self.read_content(asset, version, purpose, cx),
            Action::Search(asset, text) => self.search(asset, text, cx),
            Action::Forget(forgotten) => self.ask_to_forget(forgotten, cx),
            Action::ForgetConfirmed(forgotten, call, Confirmed { .. }) => {
                self.forget(forgotten, Call::clone(&call), cx);
            }
            Action::ForgetLocal(forgotten, Confirmed { .. }) => self.forget_local(forgotten, cx),
            Action::ShowThen(moment) => self.show_then(moment, cx),
            Action::LoadThen => self.load_then(cx),
            Action::ShowNow => self.then = Then::default(),
            Action::RestoreThen => self.plan_restore_then(cx),
            Action::LoadCheckpoints => self.load_checkpoints(cx),
            Action::AddCheckpoint(name, assets) => self.add_checkpoint(name, assets, cx),
            Action::DeleteCheckpoint(id) => self.ask_to_delete_checkpoint(id, cx),
            Action::DeleteCheckpointConfirmed(id, Confirmed { .. }) => self.delete_checkpoint(id, cx),
            Action::LoadBounds => self.load_bounds(cx),
            Action::SetBounds(bounds) => self.ask_to_set_bounds(bounds, cx),
            Action::SetBoundsConfirmed(bounds, Confirmed { .. }) => self.set_bounds(bounds, cx),
        }
    }
}
