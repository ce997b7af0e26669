//! What tells an asset apart, as a record.

use std::ops::ControlFlow;

use lunette_client::model::fingerprint::{hex, set_hash, text_hash};

use super::list::List;
use crate::store::records::asset::AssetMarks;
use crate::store::records::item::ItemKind;

impl List {
    /// Adds what tells an asset apart. What is empty is omitted.
    pub(crate) fn add_fingerprint(&mut self, asset: &AssetMarks) -> ControlFlow<()> {
        let texts = [
            ("name", asset.name.clone().filter(|name| !name.is_empty())),
            ("specific", asset.specific.clone()),
            ("content", asset.content.as_deref().map(hex)),
            ("description", asset.description.as_deref().filter(|text| !text.is_empty()).map(text_hash)),
            ("websites", set_hash(asset.keys(ItemKind::Website))),
            ("summaries", set_hash(asset.keys(ItemKind::Summary))),
        ];
        let out = self.next(&asset.id);
        out.raw("{\"id\":").text(&asset.id);
        for (field, text) in &texts {
            if let Some(text) = text {
                out.raw(",").field(field).text(text);
            }
        }
        if asset.favorited {
            out.raw(",\"favorited\":true");
        }
        out.raw(",\"updated\":").moment(asset.updated);
        if let Some(size) = asset.size {
            out.raw(",\"size\":").number(size);
        }
        let mut tags: Vec<&str> = asset.keys(ItemKind::Tag).collect();
        tags.sort_unstable();
        for (index, tag) in tags.iter().enumerate() {
            out.raw(if index == 0 { ",\"tags\":[" } else { "," }).text(tag);
        }
        out.raw(if tags.is_empty() { "}" } else { "]}" });
        self.wanted()
    }
}
