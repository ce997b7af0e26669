//! Shows changes of assets made elsewhere.

use std::sync::Arc;

use super::Assets;
use super::search::Hits;
use crate::Remote;
use crate::change::{Item, LinkKind};
use crate::context::Context;
use crate::listing::rows::AssetRow;
use crate::listing::{Arrangement, Query, RowList};
use crate::request_versions::ResourceKey;
use lunette_client::model::activity::Activities;
use lunette_client::model::asset::Asset;
use lunette_client::model::conversation::Conversations;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::{Record as _, View};

impl Assets {
    /// Shows the record of an asset that was changed elsewhere. `edited` says that more than volatile fields differ from
    /// the displayed record.
    pub(crate) fn apply_remote(&mut self, id: &AssetId, record: &Arc<Asset>, edited: bool, cx: &mut Context<'_>) {
        let Some(page) = self.pages.of.get_mut(id) else { return };
        let before = page.record.value().cloned();
        page.gone = false;
        page.record = Remote::Known(Arc::clone(record));
        if before.is_some_and(|before| has_other_content(&before, record)) {
            self.load_small_content(id, cx);
        }
        if edited {
            self.pages.news = Some("Updated elsewhere".to_owned());
        }
    }

    /// Marks an asset as deleted elsewhere.
    pub(crate) fn mark_deleted(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        let Some(page) = self.pages.of.get_mut(id) else { return };
        page.gone = true;
        self.forget_asset(id, cx);
    }

    /// Shows the activities of an asset: responses to earlier reads are older.
    pub(crate) fn apply_activities(&mut self, id: AssetId, activities: Arc<Activities>, cx: &mut Context<'_>) {
        if let Some(page) = self.pages.of.get_mut(&id) {
            page.activities = Remote::Known(activities);
        }
        cx.begin_read(ResourceKey::Activities(id));
    }

    /// Shows the conversations of an asset in the same way.
    pub(crate) fn apply_conversations(&mut self, id: AssetId, conversations: Arc<Conversations>, cx: &mut Context<'_>) {
        if let Some(page) = self.pages.of.get_mut(&id) {
            page.conversations = Remote::Known(conversations);
        }
        cx.begin_read(ResourceKey::Conversations(id));
    }

    /// Updates the items that assets can be linked to, unless they are being loaded.
    pub(crate) fn apply_linkable(&mut self, kind: LinkKind, items: Arc<Vec<Item>>) {
        if let Some(known) = self.linkable.get_mut(&kind).filter(|known| !known.loading()) {
            *known = Remote::Known(items);
        }
    }

    /// Whether these are the rows of the list.
    pub(crate) fn shows(&self, rows: &RowList<AssetRow>) -> bool {
        matches!(&self.list.rows, Remote::Known(known) if known.same(rows))
    }

    /// Sets the rows of the list after changes elsewhere, with which of them are shown for a query.
    pub(crate) fn apply_new_rows(
        &mut self,
        rows: RowList<AssetRow>,
        query: &Query,
        hits: Option<&Arc<Hits>>,
        shown: Arrangement,
        cx: &mut Context<'_>,
    ) {
        let shown = self.still_wanted(query, hits).then_some(shown);
        self.set_rows(Remote::Known(rows), shown, cx);
    }
}

/// Whether a record says that the content is another one than it was.
pub(super) fn has_other_content(before: &Asset, now: &Asset) -> bool {
    content_of(before.view()) != content_of(now.view())
}

/// What changes with the content of an asset: the time of its original's last change, and its size.
fn content_of(asset: View<'_, Asset>) -> Option<(&str, i64)> {
    let format = asset.original().reference()?;
    Some((format.updated().value(), format.bytes().value()))
}
