//! The pages of opened assets: record, content, and further loaded data.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Remote;
use crate::assets::own_writes::OwnWrites;
use crate::background::Saving;
use lunette_client::model::activity::Activities;
use lunette_client::model::asset::{Asset, Formats};
use lunette_client::model::conversation::Conversations;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;

/// The assets that were opened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pages {
    /// The page of each asset. A late response is stored under its own id.
    pub of: BTreeMap<AssetId, AssetPage>,
    /// The asset that is open.
    pub open: Option<AssetId>,
    /// A change made elsewhere, in one sentence.
    pub news: Option<String>,
    /// The opened assets, the last one at the end.
    pub(crate) opened: Vec<AssetId>,
}

impl Pages {
    /// Returns the names of the assets whose records are loaded.
    pub fn names(&self) -> BTreeMap<&AssetId, &str> {
        self.of.iter().filter_map(|(id, page)| Some((id, page.record.value()?.view().name()?))).collect()
    }

    /// Closes the page of an asset, if one is open.
    pub(crate) fn close(&mut self) {
        self.open = None;
    }

    /// Removes an asset that was deleted, and closes its page.
    pub(crate) fn remove(&mut self, id: &AssetId) {
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
    /// The displayed content.
    pub content: Remote<Content>,
    /// Its formats, from their own operation.
    pub formats: Remote<Arc<Formats>>,
    /// Its activities.
    pub activities: Remote<Arc<Activities>>,
    /// The conversations about it.
    pub conversations: Remote<Arc<Conversations>>,
    /// Whether a write to it is in progress.
    pub writing: bool,
    /// The write whose response is awaited; it can be cancelled.
    pub saving: Option<Saving>,
    /// Why the last write to it failed.
    pub refused: Option<String>,
    /// Whether that write may have been applied nevertheless.
    pub unsure: bool,
    /// Whether the user cancelled it before anything was sent, which is not a failure.
    pub cancelled: bool,
    /// Whether it was deleted elsewhere; its loaded data is kept.
    pub gone: bool,
    /// What this window wrote to it.
    pub own_writes: OwnWrites,
}

/// The content of an asset.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Text.
    Text(Arc<str>),
    /// The beginning of a text that is too large to be shown at once, and the size of all of it in bytes.
    Part(Arc<str>, i64),
    /// Bytes: a picture, or a file to save.
    Bytes(Arc<[u8]>),
    /// Not loaded: too large to be loaded automatically; its size in bytes.
    Large(i64),
    /// The service has no content.
    None,
}
