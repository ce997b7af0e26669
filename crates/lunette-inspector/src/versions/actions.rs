//! The actions of versions.

use std::sync::Arc;

use super::Versions;
use crate::compare::Source;
use crate::confirm::Confirmed;
use crate::context::Context;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::operation::Call;

/// An action of versions of assets.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Loads the versions of an asset.
    Load(AssetId),
    /// Restores a version, after a question that names what changes.
    Restore(AssetId, VersionNumber),
    /// Compares a version of an asset with something.
    Compare(AssetId, VersionNumber, Source),
    /// Forgets the versions of an asset, after confirmation.
    Forget(AssetId),
    /// Sends the call that forgets them.
    ForgetConfirmed(AssetId, Arc<Call>, Confirmed),
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
            Action::Restore(asset, version) => self.read_to_restore(asset, version, cx),
            Action::Compare(asset, version, with) => Self::read_to_compare(asset, version, with, cx),
            Action::Forget(asset) => self.ask_to_forget(asset, cx),
            Action::ForgetConfirmed(asset, call, Confirmed { .. }) => self.forget(asset, Call::clone(&call), cx),
        }
    }
}
