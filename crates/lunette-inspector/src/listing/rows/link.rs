//! A tag, a website or a workstream summary in the list of what assets are linked to.

use std::borrow::Cow;
use std::cmp::Ordering;

use jiff::Timestamp;

use crate::change::Item;
use crate::filter::{Field, Filterable, Flag, List};
use crate::listing::{Column, Row};
use lunette_client::model::time::moment;

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

/// A column of the links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the field of its name")]
pub enum LinkColumn {
    Name,
    Address,
    Assets,
    LastUsed,
    Updated,
    Created,
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

impl Row for LinkRow {
    type Column = LinkColumn;

    fn compare(&self, other: &Self, column: LinkColumn) -> Ordering {
        match column {
            LinkColumn::Name => {
                let lower = |row: &Self| row.item.name().to_lowercase();
                lower(self).cmp(&lower(other))
            }
            LinkColumn::Address => self.item.url.cmp(&other.item.url),
            LinkColumn::Assets => (self.assets, self.known_from).cmp(&(other.assets, other.known_from)),
            LinkColumn::LastUsed => moment(&self.last_used).cmp(&moment(&other.last_used)),
            LinkColumn::Updated => moment(&self.updated).cmp(&moment(&other.updated)),
            LinkColumn::Created => moment(&self.created).cmp(&moment(&other.created)),
        }
    }
}

impl Filterable for LinkRow {
    const LIST: List = List::Links;

    fn haystack(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.haystack)
    }

    fn any_text(&self, field: Field, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        match field {
            Field::Name => wanted(self.item.name()),
            Field::Address => self.item.url.as_deref().is_some_and(wanted),
            Field::Id => wanted(&self.item.id),
            _ => false,
        }
    }

    fn number(&self, field: Field) -> Option<i64> {
        match field {
            Field::Assets => self.assets.and_then(|count| i64::try_from(count).ok()),
            _ => None,
        }
    }

    fn moment(&self, field: Field) -> Option<Timestamp> {
        match field {
            Field::Updated => moment(&self.updated),
            Field::Created => moment(&self.created),
            _ => None,
        }
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

impl Column for LinkColumn {
    const ALL: &'static [Self] =
        &[Self::Name, Self::Address, Self::Assets, Self::LastUsed, Self::Updated, Self::Created];

    fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Address => "address",
            Self::Assets => "assets",
            Self::LastUsed => "last used",
            Self::Updated => "updated",
            Self::Created => "created",
        }
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
        assert!(ordered.is_sorted_by(|one, other| one.compare(other, LinkColumn::Updated).is_lt()));
        assert!(ordered.is_sorted_by(|one, other| one.compare(other, LinkColumn::Created).is_lt()));
    }
}
