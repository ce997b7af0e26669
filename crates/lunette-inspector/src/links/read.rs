//! Reads the lists of tags, websites and workstream summaries, and the assets of an item.
//!
//! What must hold: assets in a list are counted without storing them, since an item may be linked to all assets.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::similar;
use crate::Vendor;
use crate::change::{Item, LinkKind, told_assets};
use crate::listing::rows::LinkRow;
use crate::{CallError, Transport, internal_error};
use lunette_client::model::id::AssetId;
use lunette_client::operation::{DecodeError, elements};
use lunette_json::budget;

/// Responses that name assets may be longer than others by this factor.
pub(super) const LONG_LIST: usize = 4;

/// Returns all items of a kind by name, with their number of assets, and marks similar ones. Our own service sends the number;
/// others send the assets, or neither.
pub async fn list<C: Transport>(client: &C, kind: LinkKind, vendor: Vendor) -> Result<Vec<Arc<LinkRow>>, CallError> {
    let call = kind.list_call(vendor.is_lunette().then_some(false), vendor.is_lunette().then_some(true));
    client.read(&call, move |body| read_rows(body, kind)).await
}

/// Sorts rows by name, and those of the same name by address; others keep the order of the service.
fn sort(rows: &mut [LinkRow]) {
    rows.sort_by_cached_key(|row| (row.item.name().to_lowercase(), row.item.url.clone()));
}

/// Returns the assets of an item. Fails if the service does not report them.
pub async fn assets_of<C: Transport>(client: &C, item: &Item, vendor: Vendor) -> Result<Vec<AssetId>, CallError> {
    assets_in_record(client, item, vendor).await?.ok_or_else(|| {
        internal_error(format!("the service does not say which assets the {} “{}” has", item.kind.one(), item.name()))
    })
}

/// Returns the assets of an item, or `None` if the service does not report them or has no such operation.
pub(super) async fn reported_assets<C: Transport>(
    client: &C,
    item: &Item,
    vendor: Vendor,
) -> Result<Option<Vec<AssetId>>, CallError> {
    match assets_in_record(client, item, vendor).await {
        Err(error) if error.missing() => Ok(None),
        read => read,
    }
}

async fn assets_in_record<C: Transport>(
    client: &C,
    item: &Item,
    vendor: Vendor,
) -> Result<Option<Vec<AssetId>>, CallError> {
    let call = item
        .id
        .read_call(vendor.is_lunette().then_some(true))
        .map_err(|problem| internal_error(problem.to_string()))?;
    let read = |body: &[u8]| match serde_json::from_slice::<WithAssets>(body) {
        Ok(item) => Ok(item.assets.and_then(AssetList::ids)),
        Err(_) => {
            let record: Value = budget::parse(body)?;
            Ok(told_assets(&record).map(|ids| ids.into_iter().map(str::to_owned).collect()))
        }
    };
    let Some(assets) = client.read(&call, read).await? else { return Ok(None) };
    let id = |id: String| id.parse().map_err(|problem| internal_error(format!("an asset has no usable id: {problem}")));
    assets.into_iter().map(id).collect::<Result<_, _>>().map(Some)
}

#[derive(Deserialize)]
struct WithAssets {
    assets: Option<AssetList>,
}

#[derive(Deserialize)]
struct AssetList {
    iterable: Option<Vec<Named>>,
    indices: Option<BTreeMap<String, IgnoredAny>>,
}

impl AssetList {
    fn ids(self) -> Option<Vec<String>> {
        let listed = self.iterable.map(|list| list.into_iter().map(|Named { id }| id).collect());
        listed.or_else(|| self.indices.map(|indices| indices.into_keys().collect()))
    }
}

#[derive(Deserialize)]
struct Named {
    id: String,
}

/// The fields of an item that are read from a list.
#[derive(Deserialize)]
struct Listed {
    id: String,
    #[serde(alias = "name")]
    text: String,
    url: Option<String>,
    assets: Option<Counted>,
    asset_count: Option<u64>,
    asset_updated: Option<Stamp>,
    created: Option<Stamp>,
    updated: Option<Stamp>,
}

#[derive(Deserialize)]
struct Stamp {
    value: Option<String>,
}

#[derive(Deserialize)]
struct Counted {
    iterable: Option<Length>,
    indices: Option<Length>,
}

/// The number of entries of a list or an object. The entries are not stored.
struct Length(u64);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Entries)
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = Length;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Length, A::Error> {
        let mut count = 0;
        while list.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(Length(count))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Length, A::Error> {
        let mut count = 0;
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(Length(count))
    }
}

impl Listed {
    fn row(self, kind: LinkKind) -> LinkRow {
        let named = |assets: Counted| assets.iterable.or(assets.indices).map(|Length(count)| count);
        let assets = self.asset_count.or(self.assets.and_then(named));
        let stamp = |stamp: Option<Stamp>| stamp.and_then(|stamp| stamp.value).unwrap_or_default();
        let item = Item::new(kind, &self.id, self.text, self.url);
        let mut row = LinkRow::new(item, assets, stamp(self.created), stamp(self.updated));
        row.last_used = stamp(self.asset_updated);
        row
    }
}

fn read_rows(body: &[u8], kind: LinkKind) -> Result<Vec<Arc<LinkRow>>, DecodeError> {
    let mut rows = read_list(body, kind)?;
    similar::mark_similar(&mut rows);
    sort(&mut rows);
    Ok(rows.into_iter().map(Arc::new).collect())
}

/// Reads the rows one by one. Of an item of another shape what it tells is read; one without an id is skipped, since
/// nothing can be done with it.
fn read_list(body: &[u8], kind: LinkKind) -> Result<Vec<LinkRow>, DecodeError> {
    let mut rows = Vec::new();
    elements::each(body, kind.list().answer, |element| {
        match serde_json::from_slice::<Listed>(element.text) {
            Ok(listed) if !listed.id.is_empty() => rows.push(listed.row(kind)),
            Ok(_) | Err(_) => {
                let record: Value = budget::parse(element.text)?;
                rows.extend(Item::of_record(kind, &record).map(|item| row_of_any(item, &record)));
            }
        }
        Ok(())
    })?;
    Ok(rows)
}

/// The row of an item whose record has fields of other types: they are not told.
fn row_of_any(item: Item, record: &Value) -> LinkRow {
    let moment = |name: &str| record[name]["value"].as_str().unwrap_or_default().to_owned();
    let assets = record["asset_count"].as_u64().or_else(|| told_assets(record).map(|assets| assets.len() as u64));
    let mut row = LinkRow::new(item, assets, moment("created"), moment("updated"));
    row.last_used = moment("asset_updated");
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(text: &str) -> Vec<Option<u64>> {
        read_rows(text.as_bytes(), LinkKind::Tag).expect("rows").iter().map(|row| row.assets).collect()
    }

    #[test]
    fn assets_are_counted_in_every_form_that_services_send() {
        let text = r#"{"iterable": [
            {"id": "1", "text": "a", "assets": {"iterable": [{"id": "x"}, {"id": "y"}], "indices": {"x": 0, "y": 1}}},
            {"id": "2", "text": "b", "assets": {"indices": {"x": 0}}},
            {"id": "3", "text": "c", "assets": {"iterable": []}, "asset_count": 70000}]}"#;
        assert_eq!(counts(text), [Some(2), Some(1), Some(70_000)]);
    }

    #[test]
    fn unreported_assets_are_unknown_and_not_zero() {
        assert_eq!(
            counts(r#"{"iterable": [{"id": "1", "text": "a"}, {"id": "2", "text": "b", "assets": null}]}"#),
            [None, None]
        );
    }

    #[test]
    fn of_items_of_any_shape_those_with_an_id_are_rows_and_what_is_not_told_is_unknown() {
        let text = r#"{"iterable": [{"id": "1", "text": 7, "assets": {"indices": {"a": 0}}}, {"id": "2"}, {"id": 3},
            {"id": "4", "assets": 5, "created": [], "asset_count": "many"}, {"text": "d"}, 6,
            {"id": "7", "text": "g", "assets": {"iterable": [{"id": "a"}, {}]}, "url": 1}]}"#;
        let rows = read_rows(text.as_bytes(), LinkKind::Tag).expect("rows");
        let read: Vec<_> = rows.iter().map(|row| (row.item.id.as_str(), row.assets)).collect();
        assert_eq!(read, [("1", Some(1)), ("2", None), ("4", None), ("7", None)]);
    }
}
