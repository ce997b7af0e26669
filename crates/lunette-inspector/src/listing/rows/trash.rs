//! A deleted asset in the list of the Trash.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::filter::{Filterable, List, SharedText};
use crate::listing::rows::{AssetColumn, AssetRow, Shared};
use crate::listing::{Column, Row};
use lunette_client::model::View;
use lunette_client::model::asset::Asset;

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

/// A column of the Trash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the field of its name")]
pub enum TrashColumn {
    Name,
    Language,
    Size,
    Deleted,
    Expires,
}

impl TrashRow {
    /// Reads a record, with the texts that other rows have too; None when its id is no asset id.
    pub fn sharing(asset: View<'_, Asset>, shared: &mut Shared) -> Option<Self> {
        let expires = asset.tree().pointer("/expires/value").and_then(serde_json::Value::as_str);
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

impl Row for TrashRow {
    type Column = TrashColumn;

    fn compare(&self, other: &Self, column: TrashColumn) -> Ordering {
        match column {
            TrashColumn::Name => self.asset.compare(&other.asset, AssetColumn::Name),
            TrashColumn::Language => self.asset.compare(&other.asset, AssetColumn::Language),
            TrashColumn::Size => self.asset.size.cmp(&other.asset.size),
            TrashColumn::Deleted => self.deleted.cmp(&other.deleted),
            TrashColumn::Expires => self.expires.cmp(&other.expires),
        }
    }
}

impl Filterable for TrashRow {
    const LIST: List = List::Assets;

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

impl Column for TrashColumn {
    const ALL: &'static [Self] = &[Self::Name, Self::Language, Self::Size, Self::Deleted, Self::Expires];

    fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Language => "language",
            Self::Size => "size",
            Self::Deleted => "deleted",
            Self::Expires => "expires",
        }
    }
}
