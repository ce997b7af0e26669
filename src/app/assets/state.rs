//! What the window shows of the list of assets, and what is under way to read it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::limits::PageWeight;
use super::list::ListRead;
use super::load::LeftOut;
use super::search::Search;
use super::selection::Selected;
use super::values::Values;
use crate::app::Remote;
use crate::app::change::{Item, LinkKind};
use crate::app::listing::Listing;
use crate::app::listing::rows::AssetRow;
use crate::app::tasks::TaskId;
use lunette_client::model::id::AssetId;

/// The list of assets, its search, and what assets can be linked to.
#[derive(Default)]
pub struct Assets {
    /// The assets; where the service cannot list them, those that were opened recently.
    pub list: Listing<AssetRow>,
    /// The search by the service; None while there is none.
    pub found: Option<Search>,
    /// The values that occur in a long list.
    pub(super) counted: Values,
    /// Whether they are being counted.
    pub(super) counting: bool,
    /// The rows that are selected.
    pub selected: Selected,
    /// What assets can be linked to, by kind.
    pub linkable: BTreeMap<LinkKind, Remote<Arc<Vec<Item>>>>,
    /// The task that reads the list; it has ended where it is not the newest.
    pub(super) reading: Option<TaskId>,
    /// The list while it is read.
    pub(super) list_read: Option<ListRead>,
    /// The assets that were reported to be too large for the list.
    pub(super) left_out: Vec<LeftOut>,
    /// How much memory the pages of opened assets take, as they were weighed last.
    pub(super) weights: BTreeMap<AssetId, PageWeight>,
    /// How many searches were asked for.
    pub(super) searches: u64,
    /// The task of the search under way.
    pub(super) searching: Option<TaskId>,
}

impl Assets {
    /// Forgets everything; a number of a search is never given twice all the same.
    pub(in crate::app) fn leave(&mut self) {
        *self = Self { searches: self.searches, ..Self::default() };
    }

    /// What assets can be linked to, of one kind; empty until asked for.
    pub fn items(&self, kind: LinkKind) -> &[Item] {
        self.linkable.get(&kind).and_then(Remote::value).map_or(&[], |items| items.as_slice())
    }
}
