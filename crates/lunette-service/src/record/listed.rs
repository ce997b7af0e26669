//! What a list shows of an asset.

use std::ops::ControlFlow;

use super::list::List;
use super::writer::Writer;
use crate::store::records::asset::ListedAsset;
use crate::store::records::item::ItemKind;

impl List {
    /// Adds what a list shows of an asset. Fields without a value are omitted.
    pub(crate) fn add_listed_asset(&mut self, asset: &ListedAsset) -> ControlFlow<()> {
        let ListedAsset { id, name, specific, size, created, updated, favorited, score, .. } = asset;
        let out = self.next(id);
        out.raw("{\"id\":").text(id);
        for (field, text) in [("name", name), ("specific", specific)] {
            if let Some(text) = text {
                out.raw(",").field(field).text(text);
            }
        }
        if let Some(size) = size {
            out.raw(",\"size\":").number(*size);
        }
        out.raw(",\"score\":").number(score.total());
        out.raw(",\"created\":").moment(*created).raw(",\"updated\":").moment(*updated);
        if *favorited {
            out.raw(",\"favorited\":true");
        }
        items(out, asset, ItemKind::Tag, "tags");
        items(out, asset, ItemKind::Website, "websites");
        items(out, asset, ItemKind::Summary, "summaries");
        if let Some(application) = &asset.application {
            out.raw(",\"application\":{\"id\":")
                .text(&application.id)
                .raw(",\"name\":")
                .text(&application.name)
                .raw("}");
        }
        if let Some(path) = &asset.path {
            out.raw(",\"path\":").text(path);
        }
        out.raw("}");
        self.wanted()
    }
}

/// Writes the names of the items of a kind; those of websites with their addresses.
fn items(out: &mut Writer, asset: &ListedAsset, kind: ItemKind, field: &str) {
    let mut begin = true;
    for item in asset.items.iter().filter(|item| item.kind == kind) {
        match std::mem::take(&mut begin) {
            true => out.raw(",").field(field).raw("["),
            false => out.raw(","),
        };
        match (kind, &item.key) {
            (ItemKind::Website, key) => {
                let url = key.as_deref().unwrap_or_default();
                out.raw("{\"name\":").text(&item.name).raw(",\"url\":").text(url).raw("}")
            }
            (ItemKind::Tag | ItemKind::Summary, _) => out.text(&item.name),
        };
    }
    if !begin {
        out.raw("]");
    }
}
