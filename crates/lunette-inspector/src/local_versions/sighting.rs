//! What an exchange shows of assets: states that were read, states that were written, deletions.
//!
//! What must hold: only a response that was read whole and says so shows anything; of a write only what its success
//! means.

use std::sync::Arc;

use lunette_client::client::Exchange;
use lunette_client::model::asset::{Asset, Assets};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetAssociateWebsite, AssetAssociateWorkstreamSummary, AssetDisassociateTag,
    AssetDisassociateWebsite, AssetDisassociateWorkstreamSummary, AssetReclassify, AssetSnapshot, AssetUpdate,
    AssetsCreateNewAsset, AssetsDeleteAsset, AssetsSnapshot, AssetsSpecificAssetSnapshot, TagsCreateNewTag,
    TagsSnapshot, WebsitesCreateNewWebsite, WebsitesSnapshot, WorkstreamSummariesSnapshot,
};
use lunette_client::operation::{Operation as _, OperationInfo, elements};
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::state::{Extent, State};
use crate::assets::content::told_content;
use crate::assets::page::Content;
use crate::change::{Item, LinkKind};

/// The content that was read or written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SeenContent {
    pub bytes: Arc<[u8]>,
    pub is_text: bool,
}

/// What was seen of an asset.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Seen {
    /// Its record, as far as it was told, and its content where that was read.
    Record { told: State, extent: Extent, content: Option<SeenContent> },
    /// This program linked it to an item, or removed the link.
    Linked(Item, bool),
    /// It is gone.
    Deleted,
}

/// Something that an exchange shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sighting {
    /// Of an asset.
    Asset { asset: String, seen: Seen },
    /// The name of an item.
    Item(Item),
    /// This program wrote to an asset, or to what is linked to any (None).
    Wrote(Option<String>),
    /// This program created an asset, whose record follows.
    Created(String),
}

/// What is kept of an exchange until it is looked at.
#[derive(Debug)]
pub(super) struct Shown {
    info: &'static OperationInfo,
    path: Vec<String>,
    request: Vec<u8>,
    response: Vec<u8>,
    is_gone: bool,
}

/// The operations that link an item or remove a link.
const LINKS: [(&OperationInfo, LinkKind, bool); 6] = [
    (AssetAssociateTag::INFO, LinkKind::Tag, true),
    (AssetDisassociateTag::INFO, LinkKind::Tag, false),
    (AssetAssociateWebsite::INFO, LinkKind::Website, true),
    (AssetDisassociateWebsite::INFO, LinkKind::Website, false),
    (AssetAssociateWorkstreamSummary::INFO, LinkKind::Summary, true),
    (AssetDisassociateWorkstreamSummary::INFO, LinkKind::Summary, false),
];

/// The reads that show assets, and those that show the names of items.
const READS: [&OperationInfo; 3] = [AssetSnapshot::INFO, AssetsSpecificAssetSnapshot::INFO, AssetsSnapshot::INFO];
const ITEMS: [(&OperationInfo, LinkKind); 5] = [
    (TagsSnapshot::INFO, LinkKind::Tag),
    (WebsitesSnapshot::INFO, LinkKind::Website),
    (WorkstreamSummariesSnapshot::INFO, LinkKind::Summary),
    (TagsCreateNewTag::INFO, LinkKind::Tag),
    (WebsitesCreateNewWebsite::INFO, LinkKind::Website),
];

impl Shown {
    /// What is kept of an exchange; None if it can show nothing.
    pub fn of<T>(exchange: &Exchange<T>) -> Option<Self> {
        let info = exchange.info;
        let is_read = READS.contains(&info) || ITEMS.iter().any(|(row, _)| *row == info);
        let is_gone = matches!(exchange.status, Some(404 | 410)) && info == AssetSnapshot::INFO;
        if exchange.outcome.is_err() && !is_gone || !is_read && !info.writes() {
            return None;
        }
        let path = exchange.url.split(['?', '#']).next().unwrap_or_default();
        let path = path.split('/').skip(3).map(str::to_owned).collect();
        let request = exchange.request_body.clone().unwrap_or_default();
        Some(Self { info, path, request, response: exchange.response_body.clone(), is_gone })
    }

    /// How many bytes it takes.
    pub fn size(&self) -> usize {
        self.request.len() + self.response.len() + size_of::<Self>()
    }

    /// Calls `each` with what it shows.
    pub fn each(&self, each: &mut impl FnMut(Sighting)) {
        let ids: Vec<String> = self.path.iter().filter(|part| part.parse::<AssetId>().is_ok()).cloned().collect();
        let seen = |asset: &str, seen| Sighting::Asset { asset: asset.to_owned(), seen };
        if self.is_gone {
            return ids.iter().for_each(|id| each(seen(id, Seen::Deleted)));
        }
        if let Some((_, kind)) = ITEMS.iter().find(|(row, _)| *row == self.info) {
            self.items(*kind, each);
        }
        if let Some((_, kind, on)) = LINKS.iter().find(|(row, ..)| *row == self.info) {
            let [_, asset, _, _, item] = self.path.as_slice() else { return };
            let item = percent_decode_str(item).decode_utf8_lossy();
            each(Sighting::Wrote(Some(asset.clone())));
            return each(seen(asset, Seen::Linked(Item::new(*kind, &item, "", None), *on)));
        }
        if self.info == AssetsDeleteAsset::INFO {
            each(Sighting::Wrote(ids.first().cloned()));
            return ids.iter().for_each(|id| each(seen(id, Seen::Deleted)));
        }
        if self.info == AssetsSnapshot::INFO {
            return self.listed(each);
        }
        self.record(&ids, each);
    }

    fn items(&self, kind: LinkKind, each: &mut impl FnMut(Sighting)) {
        let Ok(tree) = serde_json::from_slice::<Value>(&self.response) else { return };
        let listed = tree.get("iterable").and_then(Value::as_array).map(Vec::as_slice);
        for record in listed.unwrap_or(std::slice::from_ref(&tree)) {
            Item::of_record(kind, record).into_iter().for_each(|item| each(Sighting::Item(item)));
        }
    }

    fn listed(&self, each: &mut impl FnMut(Sighting)) {
        let read = elements::each(&self.response, Assets::NAME, |element| {
            // A record that is too large to be listed is left out of the list too.
            if let Ok(asset) = element.record::<Asset>() {
                let told = State::of_record(asset.view(), Extent::List);
                let seen = Seen::Record { told, extent: Extent::List, content: None };
                each(Sighting::Asset { asset: asset.view().id().to_owned(), seen });
            }
            Ok(())
        });
        // A response that is not a list shows nothing.
        read.ok();
    }

    /// The record that a read or a write of one asset returned.
    fn record(&self, ids: &[String], each: &mut impl FnMut(Sighting)) {
        let returns_asset = READS.contains(&self.info)
            || [AssetUpdate::INFO, AssetReclassify::INFO, AssetsCreateNewAsset::INFO].contains(&self.info);
        let asset = serde_json::from_slice::<Value>(&self.response).ok().filter(|_| returns_asset);
        let asset = asset.and_then(|tree| Asset::from_any(tree).ok()).filter(|asset| asset.view().tells("id"));
        if self.info.writes() {
            let written = asset.as_ref().map(|asset| asset.view().id().to_owned()).or(ids.first().cloned());
            each(Sighting::Wrote(written.filter(|id| id.parse::<AssetId>().is_ok())));
        }
        let Some(asset) = asset else { return };
        let id = asset.view().id().to_owned();
        if self.info == AssetsCreateNewAsset::INFO {
            each(Sighting::Created(id.clone()));
        }
        let sent = || (self.info == AssetUpdate::INFO).then(|| content(&self.request)).flatten();
        let content = content(&self.response).or_else(sent).or_else(|| self.seeded());
        let told = State::of_record(asset.view(), Extent::Record);
        each(Sighting::Asset { asset: id, seen: Seen::Record { told, extent: Extent::Record, content } });
    }

    /// The content that an asset was created with.
    fn seeded(&self) -> Option<SeenContent> {
        if self.info != AssetsCreateNewAsset::INFO {
            return None;
        }
        let seed: Value = serde_json::from_slice(&self.request).ok()?;
        let text = seed.pointer("/asset/format/fragment/string/raw")?.as_str()?;
        Some(SeenContent { bytes: Arc::from(text.as_bytes()), is_text: true })
    }
}

/// The content in the text of a record; None if it tells none.
fn content(record: &[u8]) -> Option<SeenContent> {
    match told_content(record)? {
        Content::Text(text) => Some(SeenContent { bytes: Arc::from(text.as_bytes()), is_text: true }),
        Content::Bytes(bytes) => Some(SeenContent { bytes, is_text: false }),
        Content::Part(..) | Content::Large(_) | Content::None => None,
    }
}
