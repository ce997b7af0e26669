//! What was typed and not applied, kept on disk so that a restart loses none of it. Nothing here is ever sent.
//!
//! What must hold: however fast somebody types, one write is under way and at most one waits; it writes what was typed
//! last.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::app::App;
use crate::app::background::SaveState;
use crate::app::notifications::Grade;
use crate::app::output::TaskOutput;
use lunette_client::model::id::AssetId;

mod state;
mod store;

pub use state::Drafts;

pub(in crate::app) use store::DraftStore;

/// What a draft belongs to, within a connection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DraftKey {
    /// The raw record of an asset.
    Record(AssetId),
    /// The fields of an asset.
    Fields(AssetId),
    /// The text of an asset.
    Text(AssetId),
    /// A new asset from text.
    NewText,
}

/// What was typed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// The record the user began with; null for a new asset.
    pub base: Value,
    /// What was typed: the text of the raw editor, or the fields of a form as an object.
    pub typed: Value,
    /// When it was typed last (RFC 3339).
    pub at: String,
}

/// The drafts of a connection on their way to disk.
#[derive(Default)]
pub(super) struct DraftSaver {
    pub store: DraftStore,
    keeping: SaveState,
    /// What was wrong last, so that it is told once.
    said: Option<String>,
}

/// What is typed just before the window closes is on disk when it is closed.
impl Drop for DraftSaver {
    fn drop(&mut self) {
        if let Err(problem) = self.store.write() {
            tracing::error!("{problem}");
        }
    }
}

impl App {
    /// Keeps what was typed, in the background; None forgets it.
    pub(super) fn keep_draft(&mut self, key: DraftKey, draft: Option<Draft>) {
        if self.state.drafts.typed.get(&key) == draft.as_ref() {
            return;
        }
        match draft.clone() {
            Some(draft) => self.state.drafts.typed.insert(key.clone(), draft),
            None => self.state.drafts.typed.remove(&key),
        };
        self.state.drafts.saver.store.note(key, draft);
        self.keep_drafts();
    }

    /// Writes the drafts; one write at a time, which takes all that was typed since the one before.
    fn keep_drafts(&mut self) {
        if !self.state.drafts.saver.store.on_disk() {
            return;
        }
        if self.state.drafts.saver.keeping != SaveState::No {
            self.state.drafts.saver.keeping = SaveState::Again;
            return;
        }
        self.state.drafts.saver.keeping = SaveState::Writing;
        let (store, generation) = (self.state.drafts.saver.store.clone(), self.runtime.generation);
        self.start_blocking(
            move || TaskOutput::DraftsSaved(generation, store.write()),
            move |error| TaskOutput::DraftsSaved(generation, Err(error.to_string())),
        );
    }

    pub(super) fn drafts_kept(&mut self, generation: u64, end: Result<Vec<String>, String>) {
        let said = match end {
            Ok(said) => {
                self.state.drafts.saver.said = None;
                said
            }
            Err(problem) if self.state.drafts.saver.said.as_ref() == Some(&problem) => Vec::new(),
            Err(problem) => {
                self.state.drafts.saver.said = Some(problem.clone());
                vec![problem]
            }
        };
        said.into_iter().for_each(|said| self.notify(Grade::Failed, said));
        if generation == self.runtime.generation
            && std::mem::replace(&mut self.state.drafts.saver.keeping, SaveState::No) == SaveState::Again
        {
            self.keep_drafts();
        }
    }

    /// Leaves the drafts of a connection. What is typed for one that is tried again stays.
    pub(super) fn leave_drafts(&mut self, stay: bool) {
        let left = std::mem::take(&mut self.state.drafts.saver);
        if !stay {
            self.state.drafts.typed.clear();
        } else if !left.store.on_disk() {
            for (key, draft) in left.store.unwritten() {
                self.state.drafts.saver.store.note(key, draft);
            }
        }
        // What is left to write is written in the background.
        self.runtime.setup.runtime.spawn_blocking(move || drop(left));
    }

    /// Takes in the drafts of a connection; what was typed meanwhile is newer.
    pub(super) fn take_drafts(&mut self, store: DraftStore, mut kept: BTreeMap<DraftKey, Draft>) {
        let typed = std::mem::replace(&mut self.state.drafts.saver.store, store).unwritten();
        kept.retain(|key, _| !typed.contains_key(key));
        for (key, draft) in kept {
            self.state.drafts.typed.entry(key).or_insert(draft);
        }
        if typed.is_empty() {
            return;
        }
        for (key, draft) in typed {
            self.state.drafts.saver.store.note(key, draft);
        }
        self.keep_drafts();
    }
}
