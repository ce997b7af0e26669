//! The state of writes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::conflict::Conflict;
use super::own_writes::{Before, OwnWrites, RowWrite};
use super::plan::Planned;
use crate::assets::page::OpenAssets;
use crate::background::Saving;
use crate::session::log::LogEntry;
use lunette_client::model::id::AssetId;

/// The plan and the conflict that are open, the writes to assets, and the console.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Writes {
    /// The write whose plan is shown before it is sent.
    pub planned: Option<Planned>,
    /// The conflict of a write with an asset that was changed meanwhile.
    pub conflict: Option<Conflict>,
    /// The operations console.
    pub console: Console,
    /// The writes to assets.
    pub(super) assets: BTreeMap<AssetId, AssetWrite>,
    /// Whether Undo was asked for while a write was under way: it is taken back once it has ended.
    pub(super) undo_next: bool,
}

/// The last write to an asset, and what this window wrote to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssetWrite {
    /// Whether it is in progress.
    pub writing: bool,
    /// The write whose response is awaited; it can be cancelled.
    pub saving: Option<Saving>,
    /// Why it failed.
    pub refused: Option<String>,
    /// Whether it may have been applied nevertheless.
    pub unsure: bool,
    /// Whether the user cancelled it before anything was sent, which is not a failure.
    pub cancelled: bool,
    /// What this window wrote to the asset.
    pub own_writes: OwnWrites,
}

/// The write to an asset that was not written.
static NO_WRITE: AssetWrite = AssetWrite {
    writing: false,
    saving: None,
    refused: None,
    unsure: false,
    cancelled: false,
    own_writes: OwnWrites::NONE,
};

impl Writes {
    /// The last write to an asset.
    pub fn of(&self, id: &AssetId) -> &AssetWrite {
        self.assets.get(id).unwrap_or(&NO_WRITE)
    }

    /// Whether a write to any asset is in progress.
    pub fn is_writing(&self) -> bool {
        self.assets.values().any(|write| write.writing)
    }

    /// Records the writes of a run to opened assets.
    pub(crate) fn record_rows(&mut self, writes: impl IntoIterator<Item = RowWrite>, pages: &OpenAssets) {
        for RowWrite { before, change, after } in writes {
            let asset = change.asset();
            if pages.of.contains_key(asset) {
                let write = self.assets.entry(asset.clone()).or_default();
                write.own_writes.record(Before::Record(before), &change, after.as_ref());
            }
        }
    }

    /// Forgets the writes to assets that are no longer opened.
    pub(crate) fn forget(&mut self, ids: &[AssetId]) {
        self.assets.retain(|id, _| !ids.contains(id));
    }
}

/// The operations console.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Console {
    /// Whether a response is awaited.
    pub waiting: bool,
    /// The last request that was sent, and its response.
    pub answer: Option<Arc<ConsoleAnswer>>,
    /// Why the last request was not sent, or was cancelled.
    pub refused: Option<String>,
}

/// A response in the console: the log has the beginning of a body, the console the whole body.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsoleAnswer {
    /// The request and its result.
    pub line: Arc<LogEntry>,
    /// The body as text; invalid bytes are replaced.
    pub text: Arc<str>,
    /// The body as JSON, if it is valid.
    pub tree: Option<Arc<serde_json::Value>>,
}
