//! What makes the links of an asset those of another side.

use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;

use crate::change::{Change, Item, LinkKind, linked, reports_links};
use crate::sides::facts::key;
use crate::sides::items::Items;

/// The changes that make the links of a kind what they are on the other side; none if either does not tell them.
/// `items` are those of the side that is written to.
pub(super) fn changes(kind: LinkKind, now: View<'_, Asset>, then: View<'_, Asset>, items: &Items) -> Vec<Change> {
    let (present, wanted) = (linked(now, kind), linked(then, kind));
    let told = reports_links(now, kind) && reports_links(then, kind);
    let named = present.iter().chain(&wanted).all(|item| !key(item).is_empty());
    let Some(asset) = now.id().parse::<AssetId>().ok().filter(|_| told && named) else { return Vec::new() };
    let missing = wanted.iter().filter(|item| !present.iter().any(|known| key(known) == key(item)));
    let mut changes: Vec<Change> = missing.map(|item| link(&asset, item, items)).collect();
    let surplus = present.iter().filter(|item| !wanted.iter().any(|known| key(known) == key(item)));
    changes.extend(surplus.map(|item| Change::Unlink { asset: asset.clone(), item: item.clone() }));
    changes
}

/// The change that links an item of another side: the one of the side that is written to, or else a new one.
pub(super) fn link(asset: &AssetId, item: &Item, items: &Items) -> Change {
    let asset = asset.clone();
    match items.same(item) {
        Some(item) => Change::Link { asset, item: item.clone() },
        None => {
            let (kind, text, url) = (item.kind, item.name().to_owned(), item.url.clone());
            Change::LinkNew { asset, kind, text, url, unlink: Vec::new() }
        }
    }
}
