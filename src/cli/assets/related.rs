//! `lunette show --related`: the assets that are related to one, and why.
//!
//! What must hold: of a service that does not say what is related, its list is compared, as in the window.

use serde_json::{Value as Json, json};

use lunette_client::client::CallError;
use lunette_client::model::id::AssetId;
use lunette_client::model::language::language_name;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetSnapshot, AssetsSpecificAssetRelatedSnapshot};
use lunette_inspector::assets::load::PagedList;
use lunette_inspector::assets::related::{Related, RelatedAsset};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::listing::{Column, Columns, RowList, Value};

use crate::cli::connect::{self, Service};
use crate::cli::target::ReadTarget;
use crate::cli::{Failure, asset_id, list};

/// Prints what is related to an asset.
pub fn run(asset: &str, target: &ReadTarget, as_json: bool) -> Result<(), Failure> {
    let read = async |service: &Service| {
        let (id, _) = asset_id::find(service, asset).await?;
        related(service, id).await.map_err(connect::failure)
    };
    let related = connect::run(target.wanted().with(read))?;
    if related.by_window {
        crate::cli::print_message(
            "this service does not say what is related, so only tags, websites, summaries, folders, names and languages \
             in its list are compared",
        );
    }
    if related.unindexed > 0 {
        crate::cli::print_message(&format!("{} new contents are not compared yet", related.unindexed));
    }
    let rows: Vec<Row> = related.assets.into_iter().map(Row::new).collect();
    list::print(&rows.iter().collect::<Vec<_>>(), as_json, list::Extent::Part)
}

async fn related(service: &Service, asset: AssetId) -> Result<Related, CallError> {
    if service.vendor.is_lunette() {
        let call = AssetsSpecificAssetRelatedSnapshot { asset: asset.clone(), limit: None };
        return Ok(Related::of(&service.client.call(call).await?));
    }
    let record = service.client.call(AssetSnapshot { asset, transferables: Some(false) }).await?;
    let Some(row) = AssetRow::of(record.view()) else { return Ok(Related::default()) };
    let mut pages = PagedList::new(service.client.clone()).of_vendor(service.vendor);
    let mut rows = Vec::new();
    while let Some(page) = pages.next().await {
        rows.extend(page?);
    }
    Ok(Related::among(&row, &RowList::from(rows)))
}

/// An asset as it is printed.
struct Row {
    asset: RelatedAsset,
    why: String,
    id: String,
}

impl Row {
    fn new(asset: RelatedAsset) -> Self {
        Self { why: asset.why(), id: asset.id.to_string(), asset }
    }

    /// The language for people.
    fn language(&self) -> &str {
        language_name(&self.asset.specific)
    }
}

impl Columns for Row {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("name", "Name", |row: &Self| Value::text(&row.asset.name)).printed(),
        Column::text("why", "Why", |row: &Self| Value::text(&row.why)).printed(),
        Column::text("folder", "Folder", |row: &Self| Value::text(&row.asset.folder)).printed(),
        Column::text("language", "Language", |row: &Self| Value::text(row.language())).printed(),
        Column::id(|row: &Self| Value::text(&row.id)),
    ];

    fn record(&self) -> Json {
        let RelatedAsset { id, name, specific, folder, near_duplicate, shared } = &self.asset;
        json!({
            "id": id.as_str(), "name": name, "language": specific, "folder": folder, "near_duplicate": near_duplicate,
            "why": self.why, "words": shared.words, "tags": shared.tags, "websites": shared.websites,
            "summaries": shared.summaries, "persons": shared.persons, "anchors": shared.anchors,
            "conversations": shared.conversations, "same_folder": shared.folder, "similar_name": shared.name,
        })
    }
}
