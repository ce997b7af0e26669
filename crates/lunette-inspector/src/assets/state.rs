//! The state of the list of assets and of the opened ones, and of the work that loads them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::limits::PageWeight;
use super::list::ListRead;
use super::load::LeftOut;
use super::near_duplicates::NearDuplicates;
use super::page::OpenAssets;
use super::pictures::{TextPictures, Thumbnails};
use super::related::Relating;
use super::search::{LoadedRows, Search};
use super::selection::{Selected, Summing};
use super::values::Values;
use crate::Remote;
use crate::change::{Item, LinkKind};
use crate::listing::Listing;
use crate::listing::rows::AssetRow;
use crate::tasks::TaskId;
use crate::usage::Usage;
use lunette_client::model::id::AssetId;

/// The list of assets, its search, the opened assets, and the items that assets can be linked to.
#[derive(Default)]
pub struct Assets {
    /// The assets, or the recently opened ones if the service cannot list assets.
    pub list: Listing<AssetRow>,
    /// The opened assets.
    pub pages: OpenAssets,
    /// The search by the service, if there is one.
    pub found: Option<Search>,
    /// The search for the palette, if there is one.
    pub palette_found: Option<Search>,
    /// The values that occur in a long list.
    pub(super) counted: Values,
    /// Whether they are being counted.
    pub(super) counting: bool,
    /// The rows that are selected.
    pub selected: Selected,
    /// What they have in common.
    pub summing: Summing,
    /// The items that assets can be linked to, by kind.
    pub linkable: BTreeMap<LinkKind, Remote<Arc<Vec<Item>>>>,
    /// The near duplicates, once a filter asked for them.
    pub near_duplicates: Remote<Arc<NearDuplicates>>,
    /// How often assets were used.
    pub usage: Usage,
    /// The pictures of assets that texts show.
    pub pictures: TextPictures,
    /// The thumbnails of assets in a gallery.
    pub thumbnails: Thumbnails,
    /// The task that loads the list, or the last one that did.
    pub(super) reading: Option<TaskId>,
    /// The list while it is loaded.
    pub(super) list_read: Option<ListRead>,
    /// The assets that were reported as too large for the list.
    pub(super) left_out: Vec<LeftOut>,
    /// The last computed sizes of the pages of opened assets in memory.
    pub(super) weights: BTreeMap<AssetId, PageWeight>,
    /// The number of searches so far.
    pub(super) searches: u64,
    /// The task of the current search.
    pub(super) searching: Option<TaskId>,
    /// The assets whose related ones are looked for.
    pub(super) relating: Vec<Relating>,
    /// The task of the current search for the palette.
    pub(super) palette_searching: Option<TaskId>,
    /// The rows that were searched last for a service that does not go on by itself.
    pub(super) loaded_rows: Option<Arc<LoadedRows>>,
}

impl Assets {
    /// Resets the state; numbers of searches are not reused.
    pub(crate) fn leave(&mut self) {
        *self = Self { searches: self.searches, ..Self::default() };
    }

    /// The items of one kind that assets can be linked to; empty until loaded.
    pub fn items(&self, kind: LinkKind) -> &[Item] {
        self.linkable.get(&kind).and_then(Remote::value).map_or(&[], |items| items.as_slice())
    }

    /// The folder that an asset was imported from; `None` if the list does not have the asset or does not say it.
    pub fn folder_of(&self, id: &AssetId) -> Option<&str> {
        self.row(id)?.folder().map(|folder| &**folder)
    }

    /// The row of an asset; `None` if it is not in the list.
    pub fn row(&self, id: &AssetId) -> Option<&AssetRow> {
        self.list.rows.value()?.find(id).map(AsRef::as_ref)
    }

    /// The name of an asset in the list; `None` if it is not listed, or has none.
    pub(crate) fn name_in_list(&self, id: &AssetId) -> Option<String> {
        let name = self.list.rows.value()?.find(id)?.name();
        (!name.trim().is_empty()).then(|| name.to_owned())
    }
}
