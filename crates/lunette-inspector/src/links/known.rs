//! The items of the opened assets, for services that do not list items.
//!
//! What must hold: the number of opened assets with an item is not its number of assets, which such a service does not
//! report.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::similar;
use crate::change::{LinkKind, linked};
use crate::listing::rows::LinkRow;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;

/// Returns the items of a kind that these assets are linked to, each with the number of these assets, ordered by name.
pub(super) fn rows<'a>(kind: LinkKind, assets: impl Iterator<Item = &'a Arc<Asset>>) -> Vec<Arc<LinkRow>> {
    let mut known: BTreeMap<String, LinkRow> = BTreeMap::new();
    for item in assets.flat_map(|asset| linked(asset.view(), kind)) {
        match known.entry(item.id.to_ascii_lowercase()) {
            Entry::Occupied(mut row) => row.get_mut().known_from = row.get().known_from.map(|count| count + 1),
            Entry::Vacant(vacant) => {
                let mut row = LinkRow::new(item, None, String::new(), String::new());
                row.known_from = Some(1);
                vacant.insert(row);
            }
        }
    }
    let mut rows: Vec<LinkRow> = known.into_values().collect();
    rows.sort_by_key(|row| row.item.name().to_lowercase());
    similar::mark_similar(&mut rows);
    rows.into_iter().map(Arc::new).collect()
}
