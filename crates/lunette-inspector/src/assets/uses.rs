//! Counts how often assets are used, and keeps the rows of the list up to date with it.

use std::sync::Arc;

use super::{Assets, Output};
use crate::context::Context;
use crate::listing::rows::AssetRow;
use crate::usage::Usage;
use lunette_client::model::id::AssetId;

impl Assets {
    /// Sets how often the assets of the connection were used, which is known before they are listed.
    pub(crate) fn set_usage(&mut self, usage: Usage) {
        self.usage = usage;
    }

    /// Counts a use of an asset. Its row stays where it is until the list is sorted again.
    pub(super) fn count_use(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        let write = self.usage.add(id);
        cx.run_blocking(write, Output::UseCounted);
        let Some(rows) = self.list.rows.value() else { return };
        let Some(index) = rows.index_of(id) else { return };
        let used = Arc::new(rows[index].with_uses(self.usage.of(id.into())));
        self.list.replace_row(index, used);
    }

    /// Says how often these assets were used.
    pub(super) fn set_uses(&self, rows: &mut [Arc<AssetRow>]) {
        for row in rows {
            let uses = self.usage.of(row.compact_id());
            if uses != row.uses() {
                *row = Arc::new(row.with_uses(uses));
            }
        }
    }
}
