//! Drafts: unsaved input, kept on disk so that a restart loses none of it. Drafts are never sent.
//!
//! What must hold: at most one write is in progress and one is waiting, however fast the user types; it writes the
//! latest input.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::background::SaveState;
use crate::context::Context;
use crate::db::DatabaseError;
use crate::notifications::Severity;
use crate::output::{TaskOutput, TaskResult};
use crate::tasks::Ended;
use lunette_client::model::id::AssetId;

mod actions;
mod state;
mod store;
mod typed;

pub use actions::Action;
pub use state::Drafts;
pub use typed::Typed;

pub(crate) use store::DraftStore;
use store::sentence;

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

/// Unsaved input. Cheap to clone: one is stored at each keystroke.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// The record that the input is based on; null for a new asset.
    #[serde(with = "typed::shared")]
    pub base: Arc<Value>,
    /// The input: the text of the raw editor, or the fields of a form as an object.
    pub typed: Typed,
    /// When it last changed (RFC 3339).
    pub at: String,
}

/// The drafts of a connection on their way to disk.
#[derive(Default)]
pub(super) struct DraftSaver {
    pub store: DraftStore,
    saving: SaveState,
    /// The last problem, so that it is reported once.
    message: Option<NotWritten>,
}

/// Why drafts were not written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotWritten {
    /// The database cannot be written.
    #[error("{}", sentence("written", .0))]
    Database(#[from] DatabaseError),
    /// The work panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// Saves input that was made just before the window closes.
impl Drop for DraftSaver {
    fn drop(&mut self) {
        if let Err(problem) = self.store.write() {
            tracing::error!("{}", NotWritten::from(problem));
        }
    }
}

/// The drafts of a connection were written, or why they were not.
pub(crate) struct Output {
    /// The number of the connection.
    generation: u64,
    /// Messages about drafts that were written otherwise than asked for.
    messages: Result<Vec<String>, NotWritten>,
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Drafts(self)
    }

    /// Drafts are written at the latest when their connection is left.
    fn outlives_its_connection(&self) -> bool {
        true
    }
}

impl Drafts {
    /// Saves a draft in the background; `None` deletes it.
    pub(super) fn save_draft(&mut self, key: DraftKey, draft: Option<Draft>, cx: &mut Context<'_>) {
        if self.typed.get(&key) == draft.as_ref() {
            return;
        }
        match draft.clone() {
            Some(draft) => self.typed.insert(key.clone(), draft),
            None => self.typed.remove(&key),
        };
        self.saver.store.set(key, draft);
        self.save_drafts(cx);
    }

    /// Writes the drafts, one write at a time, each with all changes since the previous one.
    fn save_drafts(&mut self, cx: &mut Context<'_>) {
        if !self.saver.store.on_disk() {
            return;
        }
        if self.saver.saving != SaveState::No {
            self.saver.saving = SaveState::Again;
            return;
        }
        self.saver.saving = SaveState::Writing;
        let (store, generation) = (self.saver.store.clone(), cx.generation());
        cx.run_blocking(move || Ok(store.write()?), move |messages| Output { generation, messages });
    }

    /// Handles the end of a write.
    pub(super) fn apply(&mut self, Output { generation, messages }: Output, cx: &mut Context<'_>) {
        let message = match messages {
            Ok(message) => {
                self.saver.message = None;
                message
            }
            Err(error) if self.saver.message.as_ref() == Some(&error) => Vec::new(),
            Err(error) => {
                self.saver.message = Some(error.clone());
                vec![error.to_string()]
            }
        };
        message.into_iter().for_each(|message| cx.notify(Severity::Failed, message));
        if generation == cx.generation() && std::mem::replace(&mut self.saver.saving, SaveState::No) == SaveState::Again
        {
            self.save_drafts(cx);
        }
    }

    /// Closes the drafts of a connection. Input for a connection that is retried is kept.
    pub(super) fn leave_drafts(&mut self, stay: bool, cx: &mut Context<'_>) {
        let left = std::mem::take(&mut self.saver);
        if !stay {
            self.typed.clear();
        } else if !left.store.on_disk() {
            for (key, draft) in left.store.unwritten() {
                self.saver.store.set(key, draft);
            }
        }
        // Dropping it writes what is not on disk yet, which must not delay the window.
        cx.discard(left);
    }

    /// Adds the saved drafts of a connection; input typed meanwhile is newer.
    pub(super) fn add_drafts(&mut self, store: DraftStore, mut saved: BTreeMap<DraftKey, Draft>, cx: &mut Context<'_>) {
        let typed = std::mem::replace(&mut self.saver.store, store).unwritten();
        saved.retain(|key, _| !typed.contains_key(key));
        for (key, draft) in saved {
            self.typed.entry(key).or_insert(draft);
        }
        if typed.is_empty() {
            return;
        }
        for (key, draft) in typed {
            self.saver.store.set(key, draft);
        }
        self.save_drafts(cx);
    }
}
