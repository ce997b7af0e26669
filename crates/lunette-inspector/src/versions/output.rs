//! The results of background work on versions, and what they change.

use std::sync::Arc;

use super::content::{ContentUse, FoundIn};
use super::forgetting::Forgotten;
use super::restoring::Restoring;
use super::runs::RunStep;
use super::then::{PastRow, RestorePlan};
use super::{SourceError, Versions, Whole};
use crate::change::Change;
use crate::context::Context;
use crate::local_versions::VersionError;
use crate::output::{TaskOutput, TaskResult};
use crate::settings::VersionBounds;
use crate::write::journaled::Failed;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::version::{AssetVersions, Checkpoints};

/// The result of a task on versions.
pub(crate) enum Output {
    /// The versions of an asset.
    Listed(AssetId, Result<Arc<AssetVersions>, SourceError>),
    /// What restores a version.
    RestoreRead(AssetId, VersionNumber, Result<Restoring, SourceError>),
    /// The service forgot versions, or not.
    Forgotten(Forgotten, Result<(), Failed>),
    /// Versions were deleted from the inspector's database, or not.
    ForgottenHere(Forgotten, Result<(), SourceError>),
    /// A version was recreated as a new asset, or not.
    Recreated(String, Result<Option<AssetId>, Failed>),
    /// The content of a version.
    ContentRead(AssetId, VersionNumber, ContentUse, Result<Whole, SourceError>),
    /// In which versions a text is.
    Searched(Result<FoundIn, SourceError>),
    /// The list of assets as it was.
    ThenRead(Result<Arc<Vec<PastRow>>, SourceError>),
    /// What makes its assets what they were.
    RestorePlanned(Result<RestorePlan, SourceError>),
    /// The checkpoints.
    CheckpointsRead(Result<Arc<Checkpoints>, SourceError>),
    /// A checkpoint was made or deleted; what is said of it.
    CheckpointChanged(String, Result<(), SourceError>),
    /// How many versions the service keeps.
    BoundsRead(Result<VersionBounds, SourceError>),
    /// What runs changed of an asset.
    RunsRead(AssetId, Vec<(RunStep, Vec<Change>)>),
    /// It was set, or not.
    BoundsSet(Result<VersionBounds, SourceError>),
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
            Output::RestoreRead(asset, version, read) => self.restore_read(&asset, &version, read, cx),
            Output::Forgotten(forgotten, end) => {
                let words = ("Nothing was forgotten", "It is unknown whether that was forgotten");
                self.forgotten(&forgotten, end.err().map(|failed| failed.message(words.0, words.1)), cx);
            }
            Output::ForgottenHere(forgotten, end) => {
                let message = |error| match error {
                    SourceError::Local(VersionError::LogInUse) => VersionError::LogInUse.to_string(),
                    error => format!("Nothing was forgotten: {error}"),
                };
                self.forgotten(&forgotten, end.err().map(message), cx);
            }
            Output::Recreated(name, end) => self.recreated(&name, end, cx),
            Output::ContentRead(asset, version, purpose, read) => {
                self.content_read((asset, version), purpose, read, cx);
            }
            Output::Searched(found) => self.searched(found),
            Output::ThenRead(rows) => self.then_read(rows),
            Output::RestorePlanned(plan) => self.ask_to_restore_then(plan, cx),
            Output::CheckpointsRead(read) => self.checkpoints_read(read),
            Output::CheckpointChanged(done, end) => self.checkpoint_changed(done, end, cx),
            Output::BoundsRead(read) => self.bounds_read(read),
            Output::RunsRead(asset, read) => self.runs.insert(&asset, read),
            Output::BoundsSet(set) => self.bounds_set(set, cx),
        }
    }
}
