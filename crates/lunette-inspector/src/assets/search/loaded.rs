//! The rows that are loaded, searched as a service does that goes on by itself: for services that do not.
//!
//! Our choice: what the rows have is searched, which are names, tags, languages, websites, summaries, folders and
//! applications; descriptions and contents are not loaded with a list.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::{FoundBy, Hits, Steps};
use crate::listing::RowList;
use crate::listing::rows::AssetRow;
use lunette_words::index::{Fields, Texts};
use lunette_words::{ENOUGH, Index, Synonyms};

/// Loaded rows, and their index as soon as they are searched.
#[derive(Debug)]
pub struct LoadedRows {
    rows: RowList<AssetRow>,
    index: OnceLock<Index>,
}

impl LoadedRows {
    /// These rows.
    pub fn of(rows: RowList<AssetRow>) -> Self {
        Self { rows, index: OnceLock::new() }
    }

    /// Whether they are these rows.
    pub(in crate::assets) fn are(&self, rows: &RowList<AssetRow>) -> bool {
        self.rows.same(rows)
    }

    /// Hits of a search, and behind them the rows that have any of its words in any way, if the hits are few. The
    /// first search of these rows makes an index of them, in time in proportion to their number.
    pub fn go_on(&self, mut hits: Hits, text: &str, synonyms: &Synonyms) -> Hits {
        if hits.count() >= ENOUGH || hits.steps.is_some() {
            return hits;
        }
        let texts = RowTexts(&self.rows);
        let index = self.index.get_or_init(|| Index::of(&texts, self.rows.len()));
        let numbered = self.rows.iter().zip(0..);
        let except: HashSet<u32> =
            numbered.filter(|(row, _)| hits.rank(&row.id()).is_some()).map(|(_, number)| number).collect();
        let Some((steps, found)) = index.search(&texts, text, &except, synonyms) else { return hits };
        let found = found.into_iter().filter_map(|(number, by)| {
            let found_by = FoundBy { step: by.step.name().to_owned(), missing: by.missing };
            Some((self.rows.get(number as usize)?.id(), found_by))
        });
        hits.go_on(Steps::from(steps), found);
        hits
    }
}

/// The texts of rows.
struct RowTexts<'a>(&'a RowList<AssetRow>);

impl Texts for RowTexts<'_> {
    fn fields(&self, number: u32) -> Fields {
        let Some(row) = self.0.get(number as usize) else { return Fields::default() };
        let tags = row.tags().iter().map(|tag| &**tag).chain([row.language(), row.specific()]);
        // An application is its name and, on the last line, its id.
        let application = row.application().and_then(|application| application.split('\n').next());
        let others = row.summaries().iter().map(|summary| &**summary);
        let others = others.chain(row.folder().map(|folder| &**folder)).chain(application);
        let websites = row.websites().iter().map(|website| &**website);
        [row.name().to_owned(), joined(tags), joined(websites), joined(others)]
    }

    fn standing(&self, number: u32) -> (i64, i64) {
        let row = self.0.get(number as usize);
        row.map_or((0, 0), |row| {
            (row.uses().into(), row.updated_at().map_or(i64::MIN, |updated| updated.as_microsecond()))
        })
    }
}

fn joined<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    texts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn loaded_rows_come_behind_the_hits_of_the_service_and_say_what_they_lack() {
        let named = |index: usize, name: &str| Arc::new(AssetRow::sample(index).renamed(name));
        let rows: RowList<AssetRow> =
            [named(0, "debounce input"), named(1, "zebra"), named(2, "debounce")].into_iter().collect();
        let (first, second, third) = (rows[0].id(), rows[1].id(), rows[2].id());
        let loaded = LoadedRows::of(rows);
        let hits = loaded.go_on(Hits::exact([second.clone()]), "debuonce input", Synonyms::ours());
        assert_eq!(hits.ranked(), [second.clone(), first.clone(), third.clone()]);
        assert_eq!((hits.found_by(&second), hits.found_by(&third).map(|by| by.missing.len())), (None, Some(1)));
        let titles = [("Found by the service", 0), ("These have all of them, or something like them", 1)];
        assert_eq!(hits.titles(), [titles[0], titles[1], ("These have 1 of the 2 words", 2)]);
        assert_eq!(hits.steps.as_ref().map(|steps| steps.replaced.len()), Some(1));
        assert_eq!(loaded.go_on(hits.clone(), "debuonce input", Synonyms::ours()), hits, "once");
    }
}
