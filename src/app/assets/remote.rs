//! What others did to assets, as it is shown.

use std::sync::Arc;

use super::Assets;
use super::search::Hits;
use crate::app::Remote;
use crate::app::change::{Item, LinkKind};
use crate::app::context::Context;
use crate::app::listing::rows::{AssetColumn, AssetRow};
use crate::app::listing::{Query, RowList};
use crate::app::request_versions::ResourceKey;
use lunette_client::model::activity::Activities;
use lunette_client::model::asset::Asset;
use lunette_client::model::conversation::Conversations;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::{Record as _, View};

impl Assets {
    /// Takes the record of an asset as others left it; false where the user reads or writes it just now. `edited` says
    /// that more than what moves by itself differs from what is shown.
    pub(in crate::app) fn apply_remote(
        &mut self,
        id: &AssetId,
        record: &Arc<Asset>,
        edited: bool,
        cx: &mut Context<'_>,
    ) -> bool {
        let Some(page) = cx.pages.of.get_mut(id) else { return true };
        if page.writing || page.record.loading() {
            return false;
        }
        let before = page.record.value().cloned();
        page.gone = false;
        page.record = Remote::Known(Arc::clone(record));
        let content = |asset: View<'_, Asset>| content_of(asset).map(|(updated, size)| (updated.to_owned(), size));
        if before.is_some_and(|before| content(before.view()) != content(record.view())) {
            self.load_small_content(id, cx);
        }
        if edited {
            cx.pages.news = Some("Updated elsewhere".to_owned());
        }
        true
    }

    /// Notes that an asset was deleted elsewhere; false where the user reads or writes it just now.
    pub(in crate::app) fn mark_deleted(&mut self, id: &AssetId, cx: &mut Context<'_>) -> bool {
        let Some(page) = cx.pages.of.get_mut(id) else { return true };
        if page.writing || page.record.loading() {
            return false;
        }
        page.gone = true;
        self.forget_asset(id, cx);
        true
    }

    /// Takes the activities of an asset: what the user asked for before is older.
    pub(in crate::app) fn apply_activities(&mut self, id: AssetId, activities: Arc<Activities>, cx: &mut Context<'_>) {
        if let Some(page) = cx.pages.of.get_mut(&id) {
            page.activities = Remote::Known(activities);
        }
        cx.begin_read(ResourceKey::Activities(id));
    }

    /// Takes the conversations of an asset in the same way.
    pub(in crate::app) fn apply_conversations(
        &mut self,
        id: AssetId,
        conversations: Arc<Conversations>,
        cx: &mut Context<'_>,
    ) {
        if let Some(page) = cx.pages.of.get_mut(&id) {
            page.conversations = Remote::Known(conversations);
        }
        cx.begin_read(ResourceKey::Conversations(id));
    }

    /// Takes what assets can be linked to, unless it is being read.
    pub(in crate::app) fn apply_linkable(&mut self, kind: LinkKind, items: Arc<Vec<Item>>) {
        if let Some(known) = self.linkable.get_mut(&kind).filter(|known| !known.loading()) {
            *known = Remote::Known(items);
        }
    }

    /// Whether these are the rows of the list.
    pub(in crate::app) fn shows(&self, rows: &RowList<AssetRow>) -> bool {
        matches!(&self.list.rows, Remote::Known(known) if known.same(rows))
    }

    /// Takes the rows of the list as others left them, and their order for a query.
    pub(in crate::app) fn apply_new_rows(
        &mut self,
        rows: RowList<AssetRow>,
        query: &Query<AssetColumn>,
        hits: Option<&Arc<Hits>>,
        order: Arc<Vec<u32>>,
        cx: &mut Context<'_>,
    ) {
        let order = self.still_wanted(query, hits).then_some(order);
        self.set_rows(Remote::Known(rows), order, cx);
    }
}

/// What tells that the content of an asset is another one: when its original changed, and its size.
fn content_of(asset: View<'_, Asset>) -> Option<(&str, i64)> {
    let format = asset.original().reference()?;
    Some((format.updated().value(), format.bytes().value()))
}
