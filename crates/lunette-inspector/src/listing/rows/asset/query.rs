//! The columns of the list of assets, and how it is filtered.

use std::borrow::Cow;

use super::AssetRow;
use crate::filter::{Field, Filterable, Flag, List, SharedText};
use crate::item::LinkKind;
use crate::listing::{Column, Columns, GroupBy, Label, Row, Value};
use lunette_client::model::id::{AssetId, CompactId};

impl Columns for AssetRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::id(|row: &Self| Value::Text(row.id().to_string().into())).field(Field::Id),
        Column::text("name", "Name", |row: &Self| Value::text(row.name()))
            .sorted_by(|row: &Self| Value::Text(row.lower_name().into()))
            .wide(160.0)
            .growing(4.0)
            .field(Field::Name)
            .printed(),
        Column::text("folder", "Folder", |row: &Self| Value::text(row.folder().map_or("", |folder| folder)))
            .wide(140.0)
            .growing(2.0)
            .from(850.0)
            .grouped(GroupBy::Value, "Folder", "No folder")
            .field(Field::Folder),
        Column::text("language", "Language", |row: &Self| Value::text(row.language()))
            .wide(108.0)
            .up_to(150.0)
            .grouped(GroupBy::Value, "Language", "No language")
            .field(Field::Language)
            .printed(),
        Column::text("classification", "Classification", |row: &Self| Value::text(row.specific()))
            .field(Field::Language)
            .not_copied(),
        Column::text("tags", "Tags", |row: &Self| {
            told(row.reports(LinkKind::Tag), row.tags()).map_or(Value::NotTold, Value::Texts)
        })
        .wide(112.0)
        .growing(4.0)
        .from(560.0)
        .grouped(GroupBy::Each, "Tag", "No tag")
        .field(Field::Tag)
        .printed(),
        Column::text("websites", "Websites", |row: &Self| {
            told(row.reports(LinkKind::Website), row.websites()).map_or(Value::NotTold, Value::Websites)
        })
        .field(Field::Website)
        .not_copied(),
        Column::text("summaries", "Summaries", |row: &Self| {
            told(row.reports(LinkKind::Summary), row.summaries()).map_or(Value::NotTold, Value::Texts)
        })
        .field(Field::Summary)
        .not_copied(),
        Column::figures("score", "Score", |row: &Self| row.score().into())
            .wide(66.0)
            .from(660.0)
            .field(Field::Score)
            .printed(),
        Column::figures("used", "Used", |row: &Self| Value::count(Some(row.uses().into())))
            .wide(60.0)
            .hidden()
            .not_copied()
            .not_recorded(),
        Column::figures("size", "Size", |row: &Self| row.size().map_or(Value::NotTold, Value::Bytes))
            .wide(72.0)
            .field(Field::Size)
            .printed(),
        Column::figures("created", "Created", Self::created_value)
            .wide(92.0)
            .from(760.0)
            .grouped(GroupBy::Day, "Day created", "No day")
            .field(Field::Created),
        Column::figures("updated", "Updated", Self::updated_value)
            .wide(92.0)
            .grouped(GroupBy::Day, "Day updated", "No day")
            .field(Field::Updated)
            .printed(),
        Column::text("favourite", "Favourite", |row: &Self| Value::Flag(row.favorited)).not_copied(),
        Column::text("application", "Application", |row: &Self| {
            row.application().map_or(Value::NotTold, |made_by| Value::word(made_by))
        })
        .wide(110.0)
        .hidden()
        .grouped(GroupBy::Value, "Application", "No application")
        .field(Field::Application)
        .not_copied()
        .not_recorded(),
    ];
}

/// Links of a kind, if the service tells them: what it leaves out is not known to be none.
fn told(reported: bool, links: &[Label]) -> Option<&[Label]> {
    (reported || !links.is_empty()).then_some(links)
}

impl Row for AssetRow {
    type Key = AssetId;

    fn key(&self) -> AssetId {
        self.id()
    }

    fn has_key(&self, key: &AssetId) -> bool {
        self.is_of(key)
    }

    fn fingerprint(&self) -> u32 {
        self.id.fingerprint()
    }

    fn fingerprint_of(key: &AssetId) -> u32 {
        CompactId::from(key).fingerprint()
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

    fn is(&self, flag: Flag) -> bool {
        match flag {
            Flag::Favourite => self.favorited,
            Flag::Tagged => !self.tags().is_empty(),
            Flag::NearDuplicate => self.near_duplicate,
            Flag::Linked => !self.websites().is_empty() || !self.summaries().is_empty(),
            _ => false,
        }
    }

    fn knows(&self, flag: Flag) -> bool {
        match flag {
            Flag::Tagged => self.reports(LinkKind::Tag),
            Flag::Linked => self.is(Flag::Linked) || self.reports(LinkKind::Website) && self.reports(LinkKind::Summary),
            _ => true,
        }
    }
}
