//! All near duplicates, as far as the filter of the list asks for them.
//!
//! What must hold: the service is asked once a filter asks for them, and again after the list was read anew; the answer
//! marks the rows of the list, which the filter then finds.

use std::collections::HashSet;
use std::sync::Arc;

use crate::assets::{Assets, Output};
use crate::context::Context;
use crate::filter::Flag;
use crate::request_versions::ResourceKey;
use crate::session::Connection;
use crate::{CallError, Remote};
use lunette_client::model::id::{AssetId, CompactId};
use lunette_client::model::record::Record as _;
use lunette_client::model::search_result::NearDuplicates as Answer;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsNearDuplicatesSnapshot;

/// The groups of assets that are near duplicates of one another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NearDuplicates {
    /// The assets of each group, that last updated first.
    pub groups: Vec<Vec<AssetId>>,
}

impl NearDuplicates {
    /// The groups that a service names.
    pub fn of(answer: &Answer) -> Self {
        let group = |ids: Vec<AssetId>| (ids.len() > 1).then_some(ids);
        let groups = answer
            .view()
            .iterable()
            .iter()
            .filter_map(|one| group(one.assets().iter().filter_map(|id| id.parse().ok()).collect()));
        Self { groups: groups.collect() }
    }

    /// How many assets there are.
    pub fn count(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// The assets of all groups.
    pub fn ids(&self) -> HashSet<CompactId> {
        self.groups.iter().flatten().map(CompactId::from).collect()
    }
}

impl Assets {
    /// Asks for the near duplicates if the filter does, unless they are known or asked for.
    pub(super) fn load_wanted_near_duplicates(&mut self, cx: &mut Context<'_>) {
        let known = self.near_duplicates != Remote::NotRequested;
        let read = matches!(self.list.rows, Remote::Known(_));
        if !known && read && self.list.query.filter.asks(Flag::NearDuplicate) && says_near_duplicates(cx.connection) {
            self.load_near_duplicates(cx);
        }
    }

    /// Asks for the near duplicates.
    pub(super) fn load_near_duplicates(&mut self, cx: &mut Context<'_>) {
        self.near_duplicates.start_loading();
        let of = |answer: Answer| Arc::new(NearDuplicates::of(&answer));
        cx.ask(ResourceKey::NearDuplicates, AssetsNearDuplicatesSnapshot {}, of, Output::NearDuplicates);
    }

    /// Forgets the near duplicates, which may be others by now.
    pub(super) fn forget_near_duplicates(&mut self, cx: &mut Context<'_>) {
        cx.begin_read(ResourceKey::NearDuplicates);
        self.near_duplicates = Remote::NotRequested;
    }

    /// Marks the rows that are near duplicates.
    pub(super) fn near_duplicates_read(
        &mut self,
        answer: Result<Arc<NearDuplicates>, CallError>,
        cx: &mut Context<'_>,
    ) {
        self.near_duplicates.resolve(answer);
        let Some(mut rows) = self.list.rows.value().cloned() else { return };
        let near = self.near_duplicates.value().map(|near| near.ids()).unwrap_or_default();
        let changed: Vec<usize> = rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.near_duplicate != near.contains(&row.compact_id()))
            .map(|(index, _)| index)
            .collect();
        for index in changed {
            let row = rows[index].as_near_duplicate(!rows[index].near_duplicate);
            rows.replace(index, Arc::new(row));
        }
        let rows = match &self.list.rows {
            Remote::Loading { .. } => Remote::Loading { previous: Some(rows) },
            Remote::Failed { error, .. } => Remote::Failed { error: error.clone(), previous: Some(rows) },
            Remote::NotRequested | Remote::Known(_) => Remote::Known(rows),
        };
        self.set_rows(rows, None, cx);
    }
}

/// Whether a service says which assets are near duplicates.
pub fn says_near_duplicates(connection: &Connection) -> bool {
    connection.vendor.is_lunette() && connection.offers(AssetsNearDuplicatesSnapshot::INFO)
}
