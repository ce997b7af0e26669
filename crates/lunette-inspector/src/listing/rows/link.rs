//! A tag, a website or a workstream summary in the list of what assets are linked to.

use std::borrow::Cow;

use crate::change::Item;
use crate::filter::{Field, Filterable, Flag, List};
use crate::listing::{Column, Columns, Row, Value};

/// A tag, a website or a workstream summary in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkRow {
    /// What it is.
    pub item: Item,
    /// How many assets are linked to it; None where the service does not tell, which is not none.
    pub assets: Option<u64>,
    /// When it was created (RFC 3339); empty where the service does not say.
    pub created: String,
    /// When it was updated (RFC 3339); empty where the service does not say.
    pub updated: String,
    /// When an asset that has it was last updated (RFC 3339); empty where the service does not say.
    pub last_used: String,
    /// How many of the assets that were opened have it, where the service lists no items; None where it does.
    pub known_from: Option<u64>,
    /// Another item of the list that is probably meant to be the same.
    pub similar: Option<Item>,
    haystack: String,
}

impl LinkRow {
    /// A row of an item without another that is similar.
    pub fn new(item: Item, assets: Option<u64>, created: String, updated: String) -> Self {
        let words = [item.text.as_str(), item.url.as_deref().unwrap_or_default(), item.id.as_str()];
        let haystack = words.map(str::to_lowercase).join("\n");
        let (last_used, known_from, similar) = (String::new(), None, None);
        Self { item, assets, created, updated, last_used, known_from, similar, haystack }
    }

    /// Whether no asset is linked to it, as far as the service tells.
    pub fn unused(&self) -> bool {
        self.assets == Some(0)
    }
}

impl Columns for LinkRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::id(|row: &Self| Value::text(&*row.item.id)).field(Field::Id),
        Column::text("name", "Name", |row: &Self| Value::text(&row.item.text))
            .sorted_by(|row: &Self| Value::Text(row.item.name().to_lowercase().into()))
            .wide(170.0)
            .growing(1.0)
            .field(Field::Name)
            .printed(),
        Column::text("address", "Address", |row: &Self| row.item.url.as_deref().map_or(Value::NotTold, Value::text))
            .wide(220.0)
            .from(520.0)
            .field(Field::Address)
            .printed(),
        Column::figures("assets", "Assets", |row: &Self| Value::count(row.assets))
            .sorted_by(|row: &Self| Value::count(row.assets.or(row.known_from)))
            .wide(74.0)
            .field(Field::Assets)
            .printed(),
        Column::text("similar", "Similar to", |row: &Self| {
            row.similar.as_ref().map_or(Value::NotTold, |similar| Value::text(similar.name()))
        })
        .printed()
        .not_copied()
        .not_recorded(),
        Column::figures("last used", "Last used", |row: &Self| Value::moment(&row.last_used)).wide(96.0).from(380.0),
        Column::figures("updated", "Updated", |row: &Self| Value::moment(&row.updated))
            .wide(96.0)
            .from(480.0)
            .field(Field::Updated)
            .printed(),
        Column::figures("created", "Created", |row: &Self| Value::moment(&row.created))
            .wide(96.0)
            .from(560.0)
            .field(Field::Created),
        Column::text("similar id", "Similar to", |row: &Self| {
            row.similar.as_ref().map_or(Value::NotTold, |similar| Value::text(&*similar.id))
        })
        .not_copied(),
    ];
}

impl Row for LinkRow {
    type Key = String;

    fn key(&self) -> String {
        self.item.id.to_string()
    }
}

impl Filterable for LinkRow {
    const LIST: List = List::Links;

    fn haystack(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.haystack)
    }

    fn is(&self, flag: Flag) -> bool {
        match flag {
            Flag::Unused => self.unused(),
            Flag::Once => self.assets == Some(1),
            Flag::Similar => self.similar.is_some(),
            _ => false,
        }
    }

    fn knows(&self, flag: Flag) -> bool {
        self.assets.is_some() || !matches!(flag, Flag::Unused | Flag::Once)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::LinkKind;

    #[test]
    fn rows_are_sorted_by_moments_and_not_by_their_texts() {
        let row = |updated: &str| {
            let item = Item::new(LinkKind::Tag, "", "", None);
            LinkRow::new(item, None, updated.to_owned(), updated.to_owned())
        };
        let ordered = ["", "2024-05-01T11:00:00+02:00", "2024-05-01T10:00:00.12Z", "2024-05-01T10:00:00.125Z"].map(row);
        for key in ["updated", "created"] {
            let column = LinkRow::column(key).expect("a column");
            assert!(ordered.is_sorted_by(|one, other| column.compare(one, other).is_lt()), "{key}");
        }
    }
}
