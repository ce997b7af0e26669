//! A deleted asset in the list of the Trash.

use std::borrow::Cow;

use serde_json::Value as Json;

use crate::filter::{Field, Filterable, List, SharedText};
use crate::listing::rows::{AssetRow, Shared};
use crate::listing::{Column, Columns, Row, Value};
use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;

/// A deleted asset.
#[derive(Clone, Debug, PartialEq)]
pub struct TrashRow {
    /// What the list of assets shows of it.
    pub asset: AssetRow,
    /// When it was deleted (RFC 3339); empty where the service does not say.
    pub deleted: String,
    /// When it will be deleted permanently (RFC 3339); empty where the service does not say.
    pub expires: String,
}

impl TrashRow {
    /// Reads a record, with the texts that other rows have too; None when its id is not an asset id.
    pub fn sharing(asset: View<'_, Asset>, shared: &mut Shared) -> Option<Self> {
        let expires = asset.tree().pointer("/expires/value").and_then(Json::as_str);
        Some(Self {
            deleted: asset.deleted().map(|at| at.value().to_owned()).unwrap_or_default(),
            expires: expires.unwrap_or_default().to_owned(),
            asset: AssetRow::sharing(asset, shared)?,
        })
    }

    /// What people know it by: its name, or its id where it has none.
    pub fn name(&self) -> Cow<'_, str> {
        self.asset.title()
    }
}

impl Columns for TrashRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("name", "Name", |row: &Self| Value::text(row.asset.name()))
            .sorted_by(|row: &Self| Value::Text(row.asset.lower_name().into()))
            .wide(240.0)
            .growing(1.0)
            .field(Field::Name)
            .printed(),
        Column::text("language", "Language", |row: &Self| Value::text(row.asset.language()))
            .wide(120.0)
            .field(Field::Language)
            .printed(),
        Column::figures("size", "Size", |row: &Self| row.asset.size().map_or(Value::NotTold, Value::Bytes))
            .wide(80.0)
            .field(Field::Size),
        Column::figures("deleted", "Deleted", |row: &Self| Value::moment(&row.deleted)).wide(110.0).printed(),
        Column::figures("expires", "Permanently deleted on", |row: &Self| Value::moment(&row.expires))
            .named("expires")
            .wide(180.0)
            .printed(),
        Column::id(|row: &Self| Value::text(row.asset.id().to_string())).field(Field::Id),
    ];

    fn record(&self) -> Json {
        let mut asset = self.asset.record();
        asset["deleted"] = Value::moment(&self.deleted).json();
        asset["expires"] = Value::moment(&self.expires).json();
        asset
    }
}

impl Row for TrashRow {
    type Key = AssetId;

    fn key(&self) -> AssetId {
        self.asset.id()
    }
}

impl Filterable for TrashRow {
    const LIST: List = List::Trash;

    fn haystack(&self) -> Cow<'_, str> {
        self.asset.haystack()
    }

    fn any_shared_text(&self, is_wanted: impl Fn(&SharedText) -> bool) -> bool {
        self.asset.any_shared_text(is_wanted)
    }

    fn is_id(&self, is_wanted: impl FnOnce(&str) -> bool) -> bool {
        self.asset.is_id(is_wanted)
    }
}
