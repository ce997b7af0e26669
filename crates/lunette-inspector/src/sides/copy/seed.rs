//! The seed of an asset of another side.

use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::seed::Seed;
use serde_json::{Value, json};

use crate::Vendor;
use crate::assets::content::{of_original, original};
use crate::assets::page::Content;
use crate::change::{LinkKind, linked};
use crate::import::engine::{ContentKind, NewAsset, NewWebsite, SeedError, TakenIds};

/// Why an asset cannot be created at another side.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoSeed {
    /// The side did not send its content.
    #[error("its content is not told")]
    NoContent,
    /// It cannot be written as a seed.
    #[error(transparent)]
    Seed(#[from] SeedError),
}

/// The seed of an asset. A service of this program restores from it what the interface has no fields for.
pub(super) fn seed(record: View<'_, Asset>, vendor: Vendor, keeps_id: bool) -> Result<Seed, NoSeed> {
    let is_file = original(record).is_some_and(|format| format.file().is_some());
    let (content, kind) = match of_original(record) {
        Content::Text(text) => (text.as_bytes().to_vec(), if is_file { ContentKind::File } else { ContentKind::Text }),
        Content::Bytes(bytes) => (bytes.to_vec(), ContentKind::File),
        Content::None | Content::Large(_) | Content::Part(..) => return Err(NoSeed::NoContent),
    };
    let of_kind = |kind| linked(record, kind);
    let annotations = record
        .annotations()
        .map(|all| all.iterable().iter().map(|one| (one.kind().to_owned(), one.text().to_owned())).collect::<Vec<_>>());
    let time = |field: &str| record.tree()[field]["value"].as_str().and_then(|text| text.parse().ok());
    let new = NewAsset {
        name: record.name().map(str::to_owned),
        language: original(record)
            .map(|format| format.classification().specific().to_owned())
            .filter(|word| !word.is_empty()),
        tags: of_kind(LinkKind::Tag).into_iter().map(|tag| tag.text).collect(),
        annotations: annotations.unwrap_or_default(),
        websites: of_kind(LinkKind::Website)
            .into_iter()
            .filter_map(|site| Some(NewWebsite { url: site.url?, name: site.text }))
            .collect(),
        // A service that is not ours would get a tag in its place, which the other side does not have.
        favourite: vendor.is_lunette() && record.favorited() == Some(true),
        created: time("created"),
        updated: time("updated"),
        content,
        kind,
        archived: keeps_id.then(|| json!({ "record": without_content(record.tree()) }).to_string()),
        ids: keeps_id.then_some(TakenIds::Skip),
        duplicate: true,
    };
    Ok(new.seed(vendor)?)
}

/// The record without the bytes of its formats, which the seed has.
fn without_content(record: &Value) -> Value {
    let mut record = record.clone();
    if let Some(fields) = record.as_object_mut() {
        for field in ["formats", "preview", "original"] {
            fields.shift_remove(field);
        }
    }
    record
}
