//! The pages of opened assets: record, content, and further loaded data.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Remote;
use crate::assets::related::Related;
use crate::change::with_name;
use lunette_client::model::activity::Activities;
use lunette_client::model::asset::{Asset, Formats};
use lunette_client::model::conversation::Conversations;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;

mod places;

pub use places::{OtherPage, Place, ShownPages};

/// The assets that were opened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenAssets {
    /// The page of each asset. A late response is stored under its own id.
    pub of: BTreeMap<AssetId, AssetPage>,
    /// The asset of the active page: the one that commands act on, and in which assets are opened.
    pub open: Option<AssetId>,
    /// Where the active page is.
    pub place: Place,
    /// The other page, if two are open. There is none without an active one.
    pub other: Option<OtherPage>,
    /// A change made elsewhere, in one sentence.
    pub news: Option<String>,
    /// The asset that is looked at without being opened.
    pub peeked: Option<AssetId>,
    /// The assets in the tabs of the active page, in their order.
    pub tabs: Vec<AssetId>,
    /// The opened assets, the last one at the end.
    pub(crate) opened: Vec<AssetId>,
    /// The asset that the active page showed when it had the keyboard last: moving through the list replaces it.
    pub attended: Option<AssetId>,
}

/// The most tabs: another one takes the place of the first that is not open.
const TABS: usize = 24;

impl OpenAssets {
    /// Removes an asset that was deleted, and closes its page.
    pub(super) fn remove(&mut self, id: &AssetId) {
        self.of.remove(id);
        self.peeked.take_if(|peeked| peeked == id);
        self.attended.take_if(|attended| attended == id);
        self.remove_shown(id);
        self.tabs.retain(|tab| tab != id);
    }

    /// Adds a tab for an asset beside that of the open one, unless it has one.
    pub(super) fn add_tab(&mut self, id: &AssetId) {
        if self.tabs.contains(id) {
            return;
        }
        self.remove_tab_beside(id);
        let open = self.tabs.iter().position(|tab| Some(tab) == self.open.as_ref());
        self.tabs.insert(open.map_or(self.tabs.len(), |open| open + 1), id.clone());
        if self.tabs.len() > TABS
            && let Some(first) = self.tabs.iter().position(|tab| tab != id && Some(tab) != self.open.as_ref())
        {
            self.tabs.remove(first);
        }
    }

    /// Removes the tab of an asset; returns the asset whose tab takes its place, if there is one.
    pub(super) fn remove_tab(&mut self, id: &AssetId) -> Option<AssetId> {
        let index = self.tabs.iter().position(|tab| tab == id)?;
        self.tabs.remove(index);
        self.tabs.get(index).or_else(|| self.tabs.last()).cloned()
    }

    /// The names of the assets whose records are loaded.
    pub fn names(&self) -> BTreeMap<&AssetId, &str> {
        self.of.iter().filter_map(|(id, page)| Some((id, page.record.value()?.view().name()?))).collect()
    }

    /// A text with the names of opened assets in place of their ids.
    pub(crate) fn with_names(&self, text: String) -> String {
        self.names().into_iter().fold(text, |text, (id, name)| with_name(&text, id, name))
    }
}

/// An asset that was opened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssetPage {
    /// The record, without content.
    pub record: Remote<Arc<Asset>>,
    /// The displayed content.
    pub content: Remote<Content>,
    /// The first bytes of a file that is too large to be loaded unasked.
    pub head: Remote<Arc<[u8]>>,
    /// Its formats, from their own operation.
    pub formats: Remote<Arc<Formats>>,
    /// Its activities.
    pub activities: Remote<Arc<Activities>>,
    /// The conversations about it.
    pub conversations: Remote<Arc<Conversations>>,
    /// What is related to it.
    pub related: Remote<Arc<Related>>,
    /// Whether it was deleted elsewhere; its loaded data is kept.
    pub gone: bool,
    /// Whether the content is what was saved here after the record was read.
    pub content_saved: bool,
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
