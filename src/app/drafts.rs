//! What was typed and not applied, kept on disk so that a restart loses none of it. Nothing here is ever sent.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::app::App;
use crate::model::id::AssetId;

/// What a draft belongs to, within a connection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DraftKey {
    /// The raw record of an asset.
    Record(AssetId),
    /// The fields of an asset.
    Fields(AssetId),
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

impl App {
    pub(super) fn keep_draft(&mut self, key: DraftKey, draft: Option<Draft>) {
        match draft {
            Some(draft) => self.state.drafts.insert(key, draft),
            None => self.state.drafts.remove(&key),
        };
    }
}
