//! A page of a list of assets, which is asked for, received and decoded.
//!
//! What must hold: it is known how many assets a page has once it was received, so that the next one can be asked for
//! while it is decoded; dropping it ends the request.

use std::sync::Arc;

use lunette_client::client::Client;
use lunette_client::model::asset::{Asset, Assets};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetsSnapshot;
use lunette_client::operation::{DecodeError, elements};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::facts::Facts;
use super::items::Items;
use super::read::{SideError, patiently};
use crate::change::LinkKind;
use crate::tasks::Ended;

/// A page of assets with their content.
#[derive(Debug)]
pub(super) struct Page {
    pub offset: u64,
    pub limit: u64,
    /// Whether it was received and has as many assets as were asked for.
    pub full: bool,
    /// How many assets it has, once it was received.
    received: mpsc::UnboundedReceiver<u64>,
    task: JoinSet<Result<Vec<Facts>, SideError>>,
}

impl Page {
    /// Asks for a page.
    pub fn request(client: &Client, items: &Arc<Items>, offset: u64, limit: u64) -> Self {
        let call = AssetsSnapshot {
            transferables: Some(true),
            suggested: None,
            pseudo: Some(true),
            offset: Some(offset),
            limit: Some(limit),
        };
        let (told, received) = mpsc::unbounded_channel();
        let (client, items) = (client.clone(), Arc::clone(items));
        let read = move |body: &[u8]| {
            told.send(elements::count(body) as u64).ok(); // Nobody waits for a page that was dropped.
            assets(body, &items)
        };
        let mut task = JoinSet::new();
        task.spawn(async move { Ok(patiently(&client, &call.into(), read).await?) });
        Self { offset, limit, full: false, received, task }
    }

    /// Waits until the page is received, or cannot be; gives whether it is full.
    pub async fn received(&mut self) -> bool {
        self.full = self.received.recv().await == Some(self.limit);
        self.full
    }

    /// Waits until the page is decoded.
    ///
    /// # Errors
    ///
    /// Fails if the service does not respond or sends no such page.
    pub async fn decoded(mut self) -> Result<Vec<Facts>, SideError> {
        match self.task.join_next().await {
            Some(Ok(decoded)) => decoded,
            Some(Err(error)) => Err(SideError::Ended(Ended::Panicked(error.to_string()))),
            None => Err(SideError::Cancelled),
        }
    }
}

/// The fields of an asset from which its facts are made. Most of a record is in others: `formats` repeats the content.
const FIELDS: [&str; 10] = [
    "id",
    "name",
    "annotations",
    "favorited",
    "original",
    "preview",
    "updated",
    LinkKind::Tag.collection(),
    LinkKind::Website.collection(),
    LinkKind::Summary.collection(),
];

/// Reads the assets of a list, one by one, so that one record is in memory at a time.
pub(super) fn assets(body: &[u8], items: &Items) -> Result<Vec<Facts>, DecodeError> {
    let mut found = Vec::new();
    elements::each(body, Assets::NAME, |element| {
        let asset = items.named_in(element.record_of::<Asset>(&FIELDS)?);
        found.extend(Some(Facts::of_foreign(asset.view())).filter(|facts| !facts.id.is_empty()));
        Ok(())
    })?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_facts_of_an_asset_are_those_of_its_whole_record() {
        let format = json!({ "id": "F", "classification": { "generic": "CODE", "specific": "rs" }, "bytes": { "value": 2 },
            "fragment": { "string": { "raw": "fn" } } });
        let record = json!({ "id": "A", "name": "a", "creator": "b", "created": { "value": "2026-01-01T00:00:00Z" },
            "updated": { "value": "2026-01-02T00:00:00Z" }, "mechanism": "MANUAL", "favorited": true,
            "formats": { "iterable": [format] }, "preview": { "base": { "id": "F", "reference": format } },
            "original": { "id": "F", "reference": format },
            "annotations": { "iterable": [{ "id": "D", "type": "DESCRIPTION", "text": "words" }] },
            "tags": { "iterable": [{ "id": "T", "text": "tag" }] }, "summaries": { "iterable": [] },
            "websites": { "iterable": [{ "id": "W", "name": "site", "url": "https://example.com" }] } });
        let fields: Vec<&String> = record.as_object().expect("an object").keys().collect();
        // Each field may be absent, or of another type.
        let without = fields.iter().map(|field| {
            let mut record = record.clone();
            record.as_object_mut().expect("an object").shift_remove(field.as_str());
            record
        });
        let wrong = fields.iter().map(|field| {
            let mut record = record.clone();
            record[field.as_str()] = json!(7);
            record
        });
        let records: Vec<Value> = std::iter::once(record.clone()).chain(without).chain(wrong).collect();
        let whole = |record: &Value| Facts::of_foreign(Asset::from_any(record.clone()).expect("an object").view());
        let expected: Vec<Facts> = records.iter().map(whole).filter(|facts| !facts.id.is_empty()).collect();
        let read = assets(json!({ "iterable": records }).to_string().as_bytes(), &Items::default());
        assert_eq!(read.expect("a list"), expected);
    }
}
