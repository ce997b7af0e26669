//! The results of background work on versions, and what they change.

use std::sync::Arc;

use super::{Restore, Versions};
use crate::CallError;
use crate::compare::{Side, Source};
use crate::context::Context;
use crate::output::{TaskOutput, TaskResult};
use crate::write::journaled::Failed;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::version::AssetVersions;

/// The result of a task on versions.
pub(crate) enum Output {
    /// The versions of an asset.
    Listed(AssetId, Result<Arc<AssetVersions>, CallError>),
    /// A version that is to be compared with this.
    SideRead(AssetId, VersionNumber, Source, Result<Arc<Side>, CallError>),
    /// What restores a version, and the name of the asset.
    RestoreRead(AssetId, VersionNumber, Result<(Restore, String), CallError>),
    /// The versions of an asset were forgotten, or not.
    Forgotten(AssetId, Result<(), Failed>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Versions(self)
    }
}

impl Versions {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Listed(asset, versions) => self.listed(&asset, versions),
            Output::SideRead(asset, version, with, side) => Self::compare_read(asset, &version, with, side, cx),
            Output::RestoreRead(asset, version, read) => self.ask_to_restore(&asset, &version, read, cx),
            Output::Forgotten(asset, end) => self.forgotten(asset, end, cx),
        }
    }
}
