//! What the window shows of watched folders.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::follow::Follower;
use crate::import::detect::{Changes, FoundFile};

/// The folders that are followed.
#[derive(Debug, Default)]
pub struct Watch {
    /// Each by its path; one that is paused is not among them.
    pub folders: BTreeMap<PathBuf, FolderState>,
}

/// How a folder stands.
#[derive(Debug, Default)]
pub struct FolderState {
    /// What is under way.
    pub status: FolderStatus,
    /// The files that are new or have changed, and were not imported.
    pub found: Arc<Vec<FoundFile>>,
    /// What has changed since it was looked at.
    pub(super) waiting: Option<Changes>,
    pub(super) follower: Option<Follower>,
}

/// What is under way for a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FolderStatus {
    /// It is not watched yet.
    #[default]
    Starting,
    /// It is looked at what has changed.
    Looking,
    /// Files are imported.
    Importing,
    /// Changes are awaited.
    InStep,
    /// Watching it has stopped, with the reason.
    Ended(String),
}

impl FolderStatus {
    pub(super) fn is_busy(&self) -> bool {
        matches!(self, Self::Looking | Self::Importing)
    }
}

impl FolderState {
    /// Takes in what was found anew of the paths that changed, in place of what was known of them.
    pub(super) fn add(&mut self, changes: &Changes, found: Vec<FoundFile>) {
        let kept = self.found.iter().filter(|known| !changes.affect(&known.file.path)).cloned();
        let mut all: Vec<_> = kept.chain(found).collect();
        all.sort_by(|one, other| one.item.cmp(&other.item));
        self.found = Arc::new(all);
    }
}
