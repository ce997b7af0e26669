//! What the window shows, for the sync tasks: they read only what is in view.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::assets::search::Hits;
use crate::change::{Item, LinkKind};
use crate::listing::rows::{ApplicationRow, AssetRow};
use crate::listing::{Query, Row, RowList};
use crate::panel::Panel;
use lunette_client::model::application::Application;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;

/// The rows of the list of assets.
pub(super) type Rows = RowList<AssetRow>;

/// What is in view. A clone is cheap, because large parts are shared.
#[derive(Clone, Debug, Default)]
pub(crate) struct ViewSnapshot {
    /// The open panel.
    pub panel: Panel,
    /// Whether the service responds.
    pub up: bool,
    /// Whether the window is visible.
    pub attended: bool,
    /// Whether a bulk run is active; its changes are read when it ends.
    pub running: bool,
    /// The rows of the list of assets; `None` while they are loaded.
    pub rows: Option<Rows>,
    /// Whether the service can list its assets.
    pub lists_assets: bool,
    /// The filter and the order of the rows.
    pub query: Query,
    /// The results of a search.
    pub hits: Option<Arc<Hits>>,
    /// The shown assets: those of one page or of two.
    pub pages: Vec<PageSight>,
    /// The items that assets can be linked to, if loaded.
    pub linkable: BTreeMap<LinkKind, Arc<Vec<Item>>>,
    /// The tracked applications, if loaded.
    pub applications: Option<RowList<ApplicationRow>>,
    /// The open application and its loaded data.
    pub application: Option<(String, Option<Arc<Application>>)>,
}

/// The page of a shown asset.
#[derive(Clone, Debug)]
pub(crate) struct PageSight {
    pub id: AssetId,
    pub record: Option<Arc<Asset>>,
    /// Whether a write or a read of it is in progress.
    pub busy: bool,
    /// Whether its activities are shown.
    pub activities: bool,
    /// Whether its conversations are shown.
    pub conversations: bool,
}

impl ViewSnapshot {
    /// Whether both are equal; large parts are compared by identity.
    pub fn is(&self, other: &Self) -> bool {
        let Self { panel, up, attended, running, rows, lists_assets, query, hits, .. } = self;
        (panel, up, attended, running) == (&other.panel, &other.up, &other.attended, &other.running)
            && (lists_assets, query) == (&other.lists_assets, &other.query)
            && same(rows.as_ref(), other.rows.as_ref())
            && shared(hits.as_ref(), other.hits.as_ref())
            && same(self.applications.as_ref(), other.applications.as_ref())
            && self.linkable.len() == other.linkable.len()
            && self.linkable.iter().all(|(kind, items)| shared(Some(items), other.linkable.get(kind)))
            && self.pages.len() == other.pages.len()
            && self.pages.iter().zip(&other.pages).all(|(one, two)| one.is(two))
            && match (&self.application, &other.application) {
                (Some((one, record)), Some((two, other))) => one == two && shared(record.as_ref(), other.as_ref()),
                (one, two) => one.is_none() && two.is_none(),
            }
    }

    /// The shown assets.
    pub fn shown(&self) -> Vec<AssetId> {
        self.pages.iter().map(|page| page.id.clone()).collect()
    }
}

impl PageSight {
    fn is(&self, other: &Self) -> bool {
        let Self { id, record, busy, activities, conversations } = self;
        shared(record.as_ref(), other.record.as_ref())
            && (id, busy, activities, conversations)
                == (&other.id, &other.busy, &other.activities, &other.conversations)
    }
}

fn same<R: Row>(one: Option<&RowList<R>>, two: Option<&RowList<R>>) -> bool {
    match (one, two) {
        (Some(one), Some(two)) => one.same(two),
        (one, two) => one.is_none() && two.is_none(),
    }
}

/// Whether two values are the same in memory.
pub(super) fn shared<T: ?Sized>(one: Option<&Arc<T>>, two: Option<&Arc<T>>) -> bool {
    match (one, two) {
        (Some(one), Some(two)) => Arc::ptr_eq(one, two),
        (one, two) => one.is_none() && two.is_none(),
    }
}
