//! Reads the items that assets can be linked to, for the user and in the background.

use crate::app::change::{Item, ItemId, LinkKind};
use crate::app::session::log::LoggedClient;
use crate::app::{CallError, Transport, broken};
use lunette_client::model::linked::{Tag, Tags, Website, Websites, WorkstreamSummaries, WorkstreamSummary};
use lunette_client::model::record::Record;
use lunette_client::operation::{DecodeError, elements};

/// Reads the items of one kind. Each item also names all its assets, which are not needed: our own service omits them,
/// and the responses of others may be longer than those of other calls.
pub(in crate::app) async fn items(client: &LoggedClient, kind: LinkKind, own: bool) -> Result<Vec<Item>, CallError> {
    list(&client.with_room(LISTED_ITEMS), kind, own).await
}

/// The same with any client.
pub async fn list<C: Transport>(client: &C, kind: LinkKind, own: bool) -> Result<Vec<Item>, CallError> {
    client.read(&kind.list_call(assets(own), None), move |body| read_items(body, kind)).await
}

/// Whether items should name their assets. This is sent only to our own service: others may reject an unknown input.
fn assets(own: bool) -> Option<bool> {
    own.then_some(false)
}

/// Reads one item.
pub(in crate::app) async fn item(
    client: &LoggedClient,
    kind: LinkKind,
    id: &str,
    own: bool,
) -> Result<Item, CallError> {
    let id = ItemId::parse(kind, id).map_err(|problem| broken(problem.to_string()))?;
    let call = id.read_call(assets(own));
    let read = move |body: &[u8]| match serde_json::from_slice(body) {
        Ok(Named { id, text, url }) => Ok(Item { kind, id, text, url }),
        Err(error) => Err(DecodeError::NotJson(error.to_string())),
    };
    client.with_room(LISTED_ITEMS).read(&call, read).await
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

/// Reads a list of items one by one; fails with the error of its record if one does not match the schema.
pub(in crate::app) fn read_items(body: &[u8], kind: LinkKind) -> Result<Vec<Item>, DecodeError> {
    match kind {
        LinkKind::Tag => read_list::<Tag>(body, Tags::NAME, kind),
        LinkKind::Website => read_list::<Website>(body, Websites::NAME, kind),
        LinkKind::Summary => read_list::<WorkstreamSummary>(body, WorkstreamSummaries::NAME, kind),
    }
}

fn read_list<R: Record>(body: &[u8], list: &str, kind: LinkKind) -> Result<Vec<Item>, DecodeError> {
    let mut items = Vec::new();
    elements::each(body, list, |element| {
        match serde_json::from_slice(element.text) {
            Ok(Named { id, text, url }) => items.push(Item { kind, id, text, url }),
            Err(error) => {
                element.record::<R>()?;
                return Err(DecodeError::NotJson(error.to_string()));
            }
        }
        Ok(())
    })?;
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read_without_their_assets() {
        let text = r#"{"iterable": [{"id": "1", "assets": {"iterable": [{"id": "a"}]}, "name": "x", "url": "u", "more": 1},
            {"url": null, "id": "2", "text": "y"}]}"#;
        let items = read_items(text.as_bytes(), LinkKind::Website).expect("items");
        let item = |id: &str, text: &str, url: Option<&str>| Item {
            kind: LinkKind::Website,
            id: id.to_owned(),
            text: text.to_owned(),
            url: url.map(str::to_owned),
        };
        assert_eq!(items, [item("1", "x", Some("u")), item("2", "y", None)]);
    }

    #[test]
    fn an_item_with_another_schema_is_refused_with_its_position() {
        let text = r#"{"iterable": [{"id": "1", "text": 7}]}"#;
        let refused = read_items(text.as_bytes(), LinkKind::Tag).expect_err("no tag");
        assert!(refused.to_string().contains("$.iterable[0].text"), "{refused}");
    }
}
