//! What the window shows of tags, websites and workstream summaries.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

use super::{ItemActivity, ItemAssets};
use crate::Remote;
use crate::change::{Item, LinkKind};
use crate::listing::rows::LinkRow;
use crate::listing::{AnyList, Listing};
use crate::tasks::TaskId;

/// The lists, and what is open.
#[derive(Clone, Debug, PartialEq)]
pub struct Links {
    /// Which list is shown.
    pub kind: LinkKind,
    pub(super) lists: BTreeMap<LinkKind, Listing<LinkRow>>,
    /// The item that is open.
    pub open: Option<LinkPage>,
    /// Its assets.
    pub assets: ItemAssets,
    /// The items to merge.
    pub merging: Option<MergeDraft>,
    /// The lists that have changed since they were read.
    pub(super) outdated: BTreeSet<LinkKind>,
    /// When a list was last read.
    pub(super) read_at: Option<Instant>,
    /// Whether another read of the shown list is scheduled.
    pub(super) due: bool,
    /// The task that reads the activity of the open item, or the last finished one.
    pub(super) reading_activity: Option<TaskId>,
    /// Whether something changed since that task began.
    pub(super) activity_outdated: bool,
}

/// The page of one item.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkPage {
    /// The item, as in the list.
    pub item: Item,
    /// Its record, fresh from the service.
    pub record: Remote<Arc<Value>>,
    /// What happened to its assets, once requested.
    pub activity: Remote<Arc<ItemActivity>>,
    /// Whether it is being renamed or deleted.
    pub writing: bool,
}

/// Items to merge into one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeDraft {
    /// The items, the most used first; at least two, of one kind.
    pub items: Vec<Item>,
    /// The index of the one to keep.
    pub target: usize,
    /// Whether their assets are being read.
    pub reading: bool,
    /// Why reading them failed, in a sentence.
    pub failed: Option<String>,
}

impl Default for Links {
    fn default() -> Self {
        let lists = LinkKind::ALL.into_iter().map(|kind| (kind, Listing::default())).collect();
        Self {
            kind: LinkKind::Tag,
            lists,
            open: None,
            assets: ItemAssets::default(),
            merging: None,
            outdated: BTreeSet::new(),
            read_at: None,
            due: false,
            reading_activity: None,
            activity_outdated: false,
        }
    }
}

impl Links {
    /// The list of a kind.
    pub fn list(&self, kind: LinkKind) -> &Listing<LinkRow> {
        &self.lists[&kind]
    }

    /// Whether the shown list is up to date, and no read of it is scheduled or running.
    pub fn up_to_date(&self) -> bool {
        !self.due && !self.outdated.contains(&self.kind) && !self.shown().rows.loading()
    }

    /// The list that is shown.
    pub fn shown(&self) -> &Listing<LinkRow> {
        self.list(self.kind)
    }

    /// The lists of all kinds, and that of the assets of the open item.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &dyn AnyList> {
        self.lists.values().map(|list| list as &dyn AnyList).chain([&self.assets.list as &dyn AnyList])
    }

    /// Returns the same lists, to be changed.
    pub(crate) fn lists_mut(&mut self) -> impl Iterator<Item = &mut dyn AnyList> {
        let assets = &mut self.assets.list as &mut dyn AnyList;
        self.lists.values_mut().map(|list| list as &mut dyn AnyList).chain([assets])
    }

    pub(super) fn list_mut(&mut self, kind: LinkKind) -> &mut Listing<LinkRow> {
        self.lists.entry(kind).or_default()
    }

    /// The row of an item, if the list has one.
    pub fn row(&self, item: &Item) -> Option<&Arc<LinkRow>> {
        self.list(item.kind).iter().find(|row| row.item.id == item.id)
    }

    /// Clears the data of a connection besides the lists; which list is shown remains.
    pub(crate) fn leave(&mut self) {
        (self.open, self.merging, self.read_at) = (None, None, None);
        self.assets.clear();
        (self.reading_activity, self.activity_outdated) = (None, false);
        self.outdated.clear();
    }
}
