//! What is known of each asset that was opened: its record, its content, and what was asked for beside them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::Remote;
use crate::app::background::Saving;
use lunette_client::model::activity::Activities;
use lunette_client::model::asset::{Asset, Formats};
use lunette_client::model::conversation::Conversations;
use lunette_client::model::id::AssetId;

/// The assets that were opened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pages {
    /// What is known of each. A late answer arrives here under its own id.
    pub of: BTreeMap<AssetId, AssetPage>,
    /// The asset that is open.
    pub open: Option<AssetId>,
    /// What others did to it, in one sentence.
    pub news: Option<String>,
    /// The assets that were opened, the last one at the end.
    pub(in crate::app) opened: Vec<AssetId>,
}

impl Pages {
    /// Closes the page of an asset, if one is open.
    pub(in crate::app) fn close(&mut self) {
        self.open = None;
    }

    /// Removes an asset that was deleted, and closes its page.
    pub(in crate::app) fn remove(&mut self, id: &AssetId) {
        self.of.remove(id);
        if self.open.as_ref() == Some(id) {
            self.close();
        }
    }
}

/// An asset that was opened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssetPage {
    /// The record, without content.
    pub record: Remote<Arc<Asset>>,
    /// What is shown of its content.
    pub content: Remote<Content>,
    /// Its formats, as their own operation gives them.
    pub formats: Remote<Arc<Formats>>,
    /// What happened to it.
    pub activities: Remote<Arc<Activities>>,
    /// Where it was talked about.
    pub conversations: Remote<Arc<Conversations>>,
    /// Whether a write to it is under way.
    pub writing: bool,
    /// The write that was sent and awaits its answer; it can be cancelled.
    pub saving: Option<Saving>,
    /// Why the last write to it failed.
    pub refused: Option<String>,
    /// Whether that one may have been made all the same.
    pub unsure: bool,
    /// Whether the user cancelled it before anything was sent, which is no failure.
    pub cancelled: bool,
    /// Whether it was deleted elsewhere; what is known of it stays.
    pub gone: bool,
}

/// What an asset holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Text.
    Text(Arc<str>),
    /// The beginning of a text that is too large to be shown at once, and the size of all of it in bytes.
    Part(Arc<str>, i64),
    /// Bytes: a picture, or a file to save.
    Bytes(Arc<[u8]>),
    /// Not asked for: larger than is shown without being asked, in bytes.
    Large(i64),
    /// The service gave none.
    None,
}
