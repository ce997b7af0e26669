//! Reads the items that assets can be linked to, for the user and in the background.

use crate::Vendor;
use crate::change::{Item, ItemId, LinkKind};
use crate::{CallError, Transport, internal_error};
use lunette_client::client::Client;
use lunette_client::operation::{DecodeError, elements};
use lunette_json::budget;

/// Reads the items of one kind. Each item also names all its assets, which are not needed: our own service omits them,
/// and the responses of others may be longer than those of other calls.
pub(crate) async fn items(client: &Client, kind: LinkKind, vendor: Vendor) -> Result<Vec<Item>, CallError> {
    list(&client.with_json_limit(LISTED_ITEMS), kind, vendor).await
}

/// Reads the items of a kind with any client.
pub async fn list<C: Transport>(client: &C, kind: LinkKind, vendor: Vendor) -> Result<Vec<Item>, CallError> {
    client.read(&kind.list_call(assets(vendor), None), move |body| read_items(body, kind)).await
}

/// Whether items should name their assets. This is sent only to our own service: others may reject an unknown input.
fn assets(vendor: Vendor) -> Option<bool> {
    vendor.is_lunette().then_some(false)
}

/// Reads one item.
pub(crate) async fn item(client: &Client, kind: LinkKind, id: &str, vendor: Vendor) -> Result<Item, CallError> {
    let call =
        ItemId::parse(kind, id).read_call(assets(vendor)).map_err(|problem| internal_error(problem.to_string()))?;
    let asked = id.to_owned();
    // One that does not tell its id is the one that was asked for.
    let read = move |body: &[u8]| {
        let read = read_item(body, kind)?;
        Ok(read.unwrap_or_else(|| Item::new(kind, &asked, "", None)))
    };
    client.with_json_limit(LISTED_ITEMS).read(&call, read).await
}

/// How many times longer than others a response with items may be.
const LISTED_ITEMS: usize = 4;

/// The needed fields of an item; the others are skipped.
#[derive(serde::Deserialize)]
struct Named {
    id: String,
    #[serde(alias = "name")]
    text: String,
    url: Option<String>,
}

/// Reads a list of items one by one. Of an item of another shape what it tells is read; one without an id cannot be
/// linked, and is skipped.
pub(crate) fn read_items(body: &[u8], kind: LinkKind) -> Result<Vec<Item>, DecodeError> {
    let mut items = Vec::new();
    elements::each(body, kind.list().answer, |element| {
        items.extend(read_item(element.text, kind)?);
        Ok(())
    })?;
    Ok(items)
}

/// Reads an item without its assets if it has the usual shape, and otherwise as far as it goes; None without an id.
fn read_item(text: &[u8], kind: LinkKind) -> Result<Option<Item>, DecodeError> {
    match serde_json::from_slice(text) {
        Ok(Named { id, text, url }) if !id.is_empty() => Ok(Some(Item::new(kind, &id, text, url))),
        Ok(_) | Err(_) => Ok(Item::of_record(kind, &budget::parse(text)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read_without_their_assets() {
        let text = r#"{"iterable": [{"id": "1", "assets": {"iterable": [{"id": "a"}]}, "name": "x", "url": "u", "more": 1},
            {"url": null, "id": "2", "text": "y"}]}"#;
        let items = read_items(text.as_bytes(), LinkKind::Website).expect("items");
        let item =
            |id: &str, text: &str, url: Option<&str>| Item::new(LinkKind::Website, id, text, url.map(str::to_owned));
        assert_eq!(items, [item("1", "x", Some("u")), item("2", "y", None)]);
    }

    #[test]
    fn of_items_of_any_shape_those_with_an_id_are_read() {
        let text = r#"{"iterable": [{"id": "1", "text": 7}, {"id": "2"}, {"id": 3, "text": "c"}, {"text": "d"}, 5, null,
            {"id": "6", "text": "f", "url": {}}]}"#;
        let items = read_items(text.as_bytes(), LinkKind::Tag).expect("items");
        let read: Vec<_> = items.iter().map(|item| (item.id.as_str(), item.text.as_str())).collect();
        assert_eq!(read, [("1", ""), ("2", ""), ("6", "f")]);
    }
}
