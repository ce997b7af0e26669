//! The assets that are related to an opened one, and what they have in common.
//!
//! What must hold: they are asked for when somebody looks at them, and the request is cancelled when another asset is opened;
//! of a service that does not say what is related, nothing is asked: what the window has loaded is compared.

use std::sync::Arc;

use crate::CallError;
use crate::assets::{Assets, Output};
use crate::context::Context;
use crate::listing::RowList;
use crate::listing::rows::AssetRow;
use crate::request_versions::ResourceKey;
use crate::tasks::{TaskId, blocking};
use lunette_client::model::id::AssetId;
use lunette_client::model::import_path;
use lunette_client::model::record::Record as _;
use lunette_client::model::search_result::RelatedAssets;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsSpecificAssetRelatedSnapshot;

mod among;
mod traits;

pub use traits::SharedTraits;

/// The assets that are related to one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Related {
    /// The closest first.
    pub assets: Vec<RelatedAsset>,
    /// How many contents the service did not look through because they are not indexed yet, as after a large import.
    pub unindexed: u64,
    /// Whether the window compared the assets that it has loaded, since the service does not say what is related.
    pub by_window: bool,
}

/// An asset that is related to another.
#[derive(Clone, Debug, PartialEq)]
pub struct RelatedAsset {
    /// Its id.
    pub id: AssetId,
    /// Its name; empty if it has none.
    pub name: String,
    /// Its language, as the interface's word; empty if that is not told.
    pub specific: String,
    /// The folder that it was imported from; empty if that is not known.
    pub folder: String,
    /// How much of its text is the same, from 0.5 to 1, if it is a near duplicate.
    pub near_duplicate: Option<f64>,
    /// What they have in common.
    pub shared: SharedTraits,
}

/// The task that looks for what is related to an asset.
pub(super) type Relating = (AssetId, TaskId);

impl Related {
    /// The assets that a service names.
    pub fn of(related: &RelatedAssets) -> Self {
        let view = related.view();
        let assets = view.iterable().iter().filter_map(|asset| {
            Some(RelatedAsset {
                id: asset.id().parse().ok()?,
                name: asset.name().unwrap_or_default().to_owned(),
                specific: asset.specific().unwrap_or_default().to_owned(),
                folder: asset.path().and_then(import_path::folder).unwrap_or_default().to_owned(),
                near_duplicate: asset.near_duplicate(),
                shared: SharedTraits::of(asset.why()),
            })
        });
        let unindexed = view.unindexed().and_then(|count| u64::try_from(count).ok()).unwrap_or_default();
        Self { assets: assets.collect(), unindexed, by_window: false }
    }

    /// What has something in common with an asset among rows that are loaded.
    pub fn among(asset: &AssetRow, rows: &RowList<AssetRow>) -> Self {
        among::related(asset, rows)
    }
}

impl RelatedAsset {
    /// What people know it by: its name, or its id where it has none.
    pub fn title(&self) -> &str {
        if self.name.trim().is_empty() { self.id.as_str() } else { &self.name }
    }

    /// What they have in common, as a sentence without a full stop.
    pub fn why(&self) -> String {
        let near = self.near_duplicate.map(|near| format!("near duplicate ({:.0} %)", near * 100.0));
        near.into_iter().chain(self.shared.phrases()).collect::<Vec<_>>().join("; ")
    }
}

impl Assets {
    /// Looks for what is related to an asset.
    pub(super) fn load_related(&mut self, id: AssetId, cx: &mut Context<'_>) {
        self.cancel_related(cx, |of| *of != id);
        self.pages.of.entry(id.clone()).or_default().related.start_loading();
        if !cx.connection.vendor.is_lunette() || !cx.connection.offers(AssetsSpecificAssetRelatedSnapshot::INFO) {
            return self.relate_loaded(id, cx);
        }
        let call = AssetsSpecificAssetRelatedSnapshot { asset: id.clone(), limit: None };
        let (key, of) = (ResourceKey::Related(id.clone()), id.clone());
        let task =
            cx.ask(key, call, |related| Arc::new(Related::of(&related)), move |related| Output::Related(of, related));
        self.relating.push((id, task));
    }

    /// Compares the assets that are loaded.
    fn relate_loaded(&mut self, id: AssetId, cx: &mut Context<'_>) {
        let Some(page) = self.pages.of.get_mut(&id) else { return };
        let Some(asset) = page.record.value().and_then(|record| AssetRow::of(record.view())) else {
            page.related = Default::default();
            return;
        };
        let rows: RowList<AssetRow> = self.list.rows.value().cloned().unwrap_or_default();
        let (key, of) = (ResourceKey::Related(id.clone()), id.clone());
        let compare =
            async move { Ok::<_, CallError>(Arc::new(blocking(move || Related::among(&asset, &rows)).await?)) };
        let task = cx.read(key, compare, move |related| Output::Related(of, related));
        self.relating.push((id, task));
    }

    /// Takes what is related to an asset.
    pub(super) fn related_read(&mut self, id: AssetId, related: Result<Arc<Related>, CallError>) {
        self.relating.retain(|(of, _)| *of != id);
        self.pages.of.entry(id).or_default().related.resolve(related);
    }

    /// Cancels looking for what is related, if that is under way, but not to the assets that `goes_on` accepts; it is looked
    /// for again when it is seen again.
    pub(super) fn cancel_related(&mut self, cx: &mut Context<'_>, goes_on: impl Fn(&AssetId) -> bool) {
        let relating = std::mem::take(&mut self.relating);
        let (kept, cancelled): (Vec<Relating>, Vec<Relating>) = relating.into_iter().partition(|(of, _)| goes_on(of));
        self.relating = kept;
        for (id, task) in cancelled {
            cx.cancel(task);
            // What the task still reports is outdated.
            cx.begin_read(ResourceKey::Related(id.clone()));
            if let Some(page) = self.pages.of.get_mut(&id) {
                page.related = Default::default();
            }
        }
    }
}
