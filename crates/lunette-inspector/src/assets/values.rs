//! The values that occur in the list of assets, and how many assets have each.
//!
//! What must hold: a long list is counted in the background after a change; until then the counts are those of the
//! previous list.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Assets, Output};
use crate::Remote;
use crate::context::Context;
use crate::filter::Field;
use crate::listing::APPLIED_AT_ONCE;
use crate::listing::RowList;
use crate::listing::rows::AssetRow;
use crate::tasks::blocking;

/// How many assets have each value of a field.
type Counts = HashMap<Box<str>, usize>;

/// The values of the assets of a list.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// The list that was counted.
    rows: RowList<AssetRow>,
    languages: Counts,
    specifics: Counts,
    tags: Counts,
    websites: Counts,
    summaries: Counts,
    applications: Counts,
    folders: Counts,
}

impl Values {
    /// Counts the values of a list.
    fn of(rows: RowList<AssetRow>) -> Self {
        let mut values = Self::default();
        for row in rows.iter() {
            add(&mut values.languages, row.language());
            add(&mut values.specifics, row.specific());
            row.tags().iter().for_each(|tag| add(&mut values.tags, tag));
            let address = |site: &str| site.rsplit('\n').next().unwrap_or_default().to_owned();
            row.websites().iter().for_each(|site| add(&mut values.websites, &address(site)));
            row.summaries().iter().for_each(|name| add(&mut values.summaries, name));
            let made_by = row.application().and_then(|made_by| made_by.split('\n').next());
            made_by.into_iter().for_each(|name| add(&mut values.applications, name));
            row.folder().into_iter().for_each(|folder| add(&mut values.folders, folder));
        }
        Self { rows, ..values }
    }

    /// Whether these are the values of a list.
    fn are_of(&self, rows: &RowList<AssetRow>) -> bool {
        self.rows.same(rows)
    }

    /// The values of a field, in any order; empty if the field is not counted.
    pub fn in_field(&self, field: Field) -> impl Iterator<Item = (&str, usize)> {
        let counts = match field {
            Field::Language => Some(&self.languages),
            Field::Tag => Some(&self.tags),
            Field::Website => Some(&self.websites),
            Field::Summary => Some(&self.summaries),
            Field::Application => Some(&self.applications),
            Field::Folder => Some(&self.folders),
            _ => None,
        };
        counts.into_iter().flatten().map(|(text, count)| (&**text, *count))
    }

    /// The languages by their names in the interface.
    pub fn specifics(&self) -> impl Iterator<Item = (&str, usize)> {
        self.specifics.iter().map(|(text, count)| (&**text, *count))
    }
}

fn add(counts: &mut Counts, text: &str) {
    match counts.get_mut(text) {
        Some(count) => *count += 1,
        None => drop(counts.insert(text.into(), 1)),
    }
}

impl Assets {
    /// The values that occur in the list. Those of a short list are counted at once.
    pub fn values(&self) -> Cow<'_, Values> {
        match self.list.rows.value() {
            Some(rows) if rows.len() <= APPLIED_AT_ONCE => Cow::Owned(Values::of(rows.clone())),
            _ => Cow::Borrowed(&self.counted),
        }
    }

    /// Counts the values of a long list that is complete and was not counted yet.
    pub(crate) fn count_values(&mut self, cx: &mut Context<'_>) {
        let Remote::Known(rows) = &self.list.rows else { return };
        if self.counting || rows.len() <= APPLIED_AT_ONCE || self.counted.are_of(rows) {
            return;
        }
        self.counting = true;
        let rows = rows.clone();
        let count = blocking(move || Values::of(rows));
        cx.run_reporting("Could not count the values of the list", count, |values| {
            Output::Counted(values.ok().map(Box::new))
        });
    }

    /// Sets the values of the list. The previous values are dropped in the background: they may own many rows.
    pub(crate) fn values_counted(&mut self, values: Option<Box<Values>>, cx: &mut Context<'_>) {
        self.counting = false;
        let Some(values) = values else { return };
        cx.discard(std::mem::replace(&mut self.counted, *values));
        self.count_values(cx);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn assets(count: usize) -> Assets {
        let mut assets = Assets::default();
        let rows: RowList<AssetRow> = (0..count).map(AssetRow::sample).map(Arc::new).collect();
        assets.list.rows = Remote::Known(rows);
        assets
    }

    #[test]
    fn a_short_list_is_counted_at_once() {
        let assets = assets(7);
        let values = assets.values();
        assert_eq!(values.in_field(Field::Language).collect::<Vec<_>>(), [("Rust", 7)]);
        assert_eq!(values.in_field(Field::Tag).collect::<Vec<_>>(), [("http", 7)]);
        assert_eq!(values.specifics().collect::<Vec<_>>(), [("rs", 7)]);
        assert_eq!(values.in_field(Field::Website).count() + values.in_field(Field::Score).count(), 0);
    }

    #[test]
    fn a_long_list_is_not_counted_while_it_is_drawn() {
        let mut assets = assets(APPLIED_AT_ONCE + 1);
        assert_eq!(assets.values().in_field(Field::Language).count(), 0);
        let rows = assets.list.rows.value().cloned().expect("rows");
        assets.counted = Values::of(rows.clone());
        assert!(assets.counted.are_of(&rows));
        assert_eq!(assets.values().in_field(Field::Tag).collect::<Vec<_>>(), [("http", APPLIED_AT_ONCE + 1)]);
    }
}
