//! How the list of assets is filtered and sorted.

use std::borrow::Cow;
use std::cmp::Ordering;

use jiff::Timestamp;

use super::{AssetColumn, AssetRow};
use crate::filter::{Field, Filterable, Flag, List, SharedText};
use crate::listing::{Column, Row};
use lunette_client::model::id::CompactId;

impl Row for AssetRow {
    type Column = AssetColumn;

    fn fingerprint(&self) -> u32 {
        self.id.fingerprint()
    }

    fn compare(&self, other: &Self, column: AssetColumn) -> Ordering {
        match column {
            AssetColumn::Name => self.lower_name().cmp(other.lower_name()),
            AssetColumn::Language => self.language().cmp(other.language()),
            AssetColumn::Tags => self.tags().cmp(other.tags()),
            AssetColumn::Score => self.score.cmp(&other.score),
            AssetColumn::Size => self.size.cmp(&other.size),
            AssetColumn::Created => self.created_at().cmp(&other.created_at()),
            AssetColumn::Updated => self.updated_at().cmp(&other.updated_at()),
        }
    }

    fn sort_number(&self, column: AssetColumn) -> Option<i128> {
        // No moment is as early.
        let moment = |at: Option<Timestamp>| at.map_or(i128::MIN, Timestamp::as_nanosecond);
        match column {
            AssetColumn::Name | AssetColumn::Language | AssetColumn::Tags => None,
            AssetColumn::Score => Some(self.score.into()),
            AssetColumn::Size => Some(self.size.into()),
            AssetColumn::Created => Some(moment(self.created_at())),
            AssetColumn::Updated => Some(moment(self.updated_at())),
        }
    }
}

impl Filterable for AssetRow {
    const LIST: List = List::Assets;

    fn haystack(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.lower_name())
    }

    fn any_shared_text(&self, is_wanted: impl Fn(&SharedText) -> bool) -> bool {
        is_wanted(&self.language.searched) || self.tags().iter().any(|tag| is_wanted(tag.searched()))
    }

    fn is_id(&self, is_wanted: impl FnOnce(&str) -> bool) -> bool {
        is_wanted(self.id.lower_case(&mut [0; CompactId::TEXT_BYTES]))
    }

    fn any_text(&self, field: Field, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        let mut text = |text: &str| !text.is_empty() && wanted(text);
        match field {
            Field::Name => text(self.name()),
            Field::Id => text(self.id().as_str()),
            Field::Language => text(self.language()) || text(self.specific()),
            Field::Tag => self.tags().iter().any(|tag| text(tag)),
            Field::Website => self.websites().iter().any(|site| site.split('\n').any(&mut text)),
            Field::Summary => self.summaries().iter().any(|name| text(name)),
            Field::Application => self
                .application()
                .is_some_and(|made_by| made_by.split('\n').any(|part| text(part) || text(&part.replace('_', " ")))),
            _ => false,
        }
    }

    fn number(&self, field: Field) -> Option<i64> {
        match field {
            Field::Score => self.scored.then_some(self.score),
            Field::Size => self.sized.then_some(self.size),
            _ => None,
        }
    }

    fn moment(&self, field: Field) -> Option<Timestamp> {
        match field {
            Field::Created => self.created_at(),
            Field::Updated => self.updated_at(),
            _ => None,
        }
    }

    fn is(&self, flag: Flag) -> bool {
        match flag {
            Flag::Favourite => self.favorited,
            Flag::Tagged => !self.tags().is_empty(),
            Flag::Linked => !self.websites().is_empty() || !self.summaries().is_empty(),
            _ => false,
        }
    }

    fn knows(&self, flag: Flag) -> bool {
        match flag {
            Flag::Tagged => self.reported.tags,
            Flag::Linked => self.is(Flag::Linked) || (self.reported.websites && self.reported.summaries),
            _ => true,
        }
    }
}

impl Column for AssetColumn {
    const ALL: &'static [Self] =
        &[Self::Name, Self::Language, Self::Tags, Self::Score, Self::Size, Self::Created, Self::Updated];

    fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Language => "language",
            Self::Tags => "tags",
            Self::Score => "score",
            Self::Size => "size",
            Self::Created => "created",
            Self::Updated => "updated",
        }
    }
}
