//! Counts rows of assets in one pass.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use jiff::civil::Date;
use jiff::{ToSpan as _, ZonedDateTime};

use crate::filter::{CompiledFilter, Field, Fields as _, Filterable as _, Flag, List, Saved, parse};
use crate::listing::rows::AssetRow;
use lunette_client::model::id::AssetId;

/// How many days are counted, up to today.
pub const DAYS: i32 = 30;

/// How many assets are named of each list.
const NAMED: usize = 6;
/// How many languages and tags are named.
const GROUPS: usize = 1_000;
/// How many folders are in the tree: those with most assets.
const FOLDERS: usize = 5_000;
/// How many levels the tree has.
const DEPTH: usize = 16;

/// What is here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// How many assets there are.
    pub assets: usize,
    /// How many of them have no tag; those of which the service does not say so are left out.
    pub untagged: usize,
    /// How many are favourites.
    pub favourites: usize,
    /// The languages of the assets.
    pub languages: Groups,
    /// The tags of the assets.
    pub tags: Groups,
    /// The folders that assets were imported from.
    pub folders: Folders,
    /// How many assets were created on each of the last days, oldest first.
    pub days: Vec<(Date, u64)>,
    /// The assets that were created last, newest first.
    pub newest: Vec<Glance>,
    /// The assets that were used most in the window, the most used first; those that were not used are left out.
    pub most_used: Vec<Glance>,
    /// How many assets each saved filter shows, by its name; one that is not valid is left out.
    pub filters: BTreeMap<String, usize>,
}

/// Assets by one of their fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// The values that most assets have, by the word that a filter takes, each with how many have it; most first.
    pub most: Vec<(String, usize)>,
    /// How many other values there are.
    pub others: usize,
    /// How often assets have one of these.
    pub of_others: usize,
}

impl Groups {
    fn of(counts: HashMap<&str, usize>) -> Self {
        let mut most: Vec<(&str, usize)> = counts.into_iter().collect();
        most.sort_by(|(name, count), (other, more)| more.cmp(count).then_with(|| name.cmp(other)));
        let rest = most.split_off(most.len().min(GROUPS));
        let most = most.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        Self { most, others: rest.len(), of_others: rest.iter().map(|(_, count)| count).sum() }
    }
}

/// The folders that assets were imported from, as a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folders {
    /// The outermost ones, those with most assets first.
    pub outermost: Vec<Folder>,
    /// How many folders with fewer assets the tree does not have.
    pub others: usize,
}

/// A folder that assets were imported from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folder {
    /// Its path, which is the value that the filter takes.
    pub path: String,
    /// How many assets are in it and below it.
    pub assets: usize,
    /// The folders in it, those with most assets first.
    pub below: Vec<Folder>,
}

impl Folders {
    /// Returns the tree of folders, each given with how many assets are in it and not below it.
    fn of(counts: HashMap<&str, usize>) -> Self {
        let mut all = HashMap::<&str, usize>::new();
        for (path, count) in counts {
            let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
            for end in ends.filter(|end| *end > 0).take(DEPTH) {
                *all.entry(&path[..end]).or_default() += count;
            }
        }
        let mut most: Vec<(&str, usize)> = all.into_iter().collect();
        // A folder has at least as many assets as those in it, and its path comes first.
        most.sort_by(|(path, count), (other, more)| more.cmp(count).then_with(|| path.cmp(other)));
        let others = most.split_off(most.len().min(FOLDERS)).len();
        let mut below = HashMap::<&str, Vec<(&str, usize)>>::new();
        for (path, assets) in most {
            below.entry(outer(path)).or_default().push((path, assets));
        }
        Self { outermost: level("", &mut below), others }
    }
}

/// Returns the path of the folder that one with this path is in; empty for an outermost one.
fn outer(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(outer, _)| outer)
}

/// Takes the folders out that are in the one with this path.
fn level(path: &str, below: &mut HashMap<&str, Vec<(&str, usize)>>) -> Vec<Folder> {
    let folders = below.remove(path).unwrap_or_default();
    let folder = |(path, assets): (&str, usize)| Folder { path: path.to_owned(), assets, below: level(path, below) };
    folders.into_iter().map(folder).collect()
}

/// An asset at a glance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// Its id.
    pub id: AssetId,
    /// What people know it by.
    pub title: String,
    /// When it was created, as the service has it.
    pub created: String,
    /// How often it was used: opened, copied or exported.
    pub uses: u16,
}

impl Summary {
    /// Counts rows, and what each filter takes of them.
    pub fn of<'a>(rows: impl Iterator<Item = &'a AssetRow>, filters: &[Saved], now: &ZonedDateTime) -> Self {
        let compiled = compiled(filters, now);
        let first = now.date().saturating_sub((DAYS - 1).days());
        let mut counted = Self::default();
        let mut taken = vec![0_usize; compiled.len()];
        let mut values = Values::default();
        let mut days: BTreeMap<Date, u64> = BTreeMap::new();
        let (mut newest, mut most_used) = (Highest::default(), Highest::default());
        for row in rows {
            counted.assets += 1;
            counted.untagged += usize::from(row.knows(Flag::Tagged) && !row.is(Flag::Tagged));
            counted.favourites += usize::from(row.favorited);
            values.add(row);
            for ((_, filter), taken) in compiled.iter().zip(&mut taken) {
                *taken += usize::from(filter.takes(row));
            }
            if let Some(at) = row.moment(Field::Created) {
                newest.offer(at, row);
                let day = at.to_zoned_datetime(now.time_zone().clone()).date();
                if day >= first {
                    *days.entry(day).or_default() += 1;
                }
            }
            if row.uses() > 0 {
                most_used.offer(row.uses(), row);
            }
        }
        counted.filters = compiled.iter().map(|(name, _)| (*name).to_owned()).zip(taken).collect();
        counted.days = (0..DAYS)
            .rev()
            .map(|back| now.date().saturating_sub(back.days()))
            .map(|day| (day, days.get(&day).copied().unwrap_or_default()))
            .collect();
        (counted.newest, counted.most_used) = (newest.into_glances(), most_used.into_glances());
        let Values { languages, tags, folders } = values;
        (counted.languages, counted.tags) = (Groups::of(languages), Groups::of(tags));
        counted.folders = Folders::of(folders);
        counted
    }
}

/// How many assets have each language, tag and folder.
#[derive(Default)]
struct Values<'a> {
    languages: HashMap<&'a str, usize>,
    tags: HashMap<&'a str, usize>,
    folders: HashMap<&'a str, usize>,
}

impl<'a> Values<'a> {
    fn add(&mut self, row: &'a AssetRow) {
        *self.languages.entry(row.language()).or_default() += 1;
        for tag in row.tags() {
            *self.tags.entry(tag).or_default() += 1;
        }
        if let Some(folder) = row.folder() {
            *self.folders.entry(folder).or_default() += 1;
        }
    }
}

/// The valid ones of saved filters, each with its name.
fn compiled<'a>(filters: &'a [Saved], now: &ZonedDateTime) -> Vec<(&'a str, CompiledFilter)> {
    let compiled = |saved: &'a Saved| {
        let filter = parse(&saved.filter, List::Assets).ok()?;
        Some((saved.name.as_str(), CompiledFilter::new(&filter, now)))
    };
    filters.iter().filter_map(compiled).collect()
}

/// The rows of the highest values; of equal ones the first.
struct Highest<'a, T>(BinaryHeap<Reverse<Ranked<'a, T>>>);

impl<T: Ord> Default for Highest<'_, T> {
    fn default() -> Self {
        Self(BinaryHeap::with_capacity(NAMED + 1))
    }
}

/// A row with its value, ordered by it.
struct Ranked<'a, T> {
    value: T,
    /// Counts down, so that the first of equal ones is the highest.
    turn: Reverse<usize>,
    row: &'a AssetRow,
}

impl<'a, T: Ord> Highest<'a, T> {
    fn offer(&mut self, value: T, row: &'a AssetRow) {
        if self.0.len() == NAMED && self.0.peek().is_some_and(|Reverse(lowest)| lowest.value >= value) {
            return;
        }
        let turn = Reverse(self.0.iter().map(|Reverse(offer)| offer.turn.0 + 1).max().unwrap_or_default());
        self.0.push(Reverse(Ranked { value, turn, row }));
        if self.0.len() > NAMED {
            self.0.pop();
        }
    }

    fn into_glances(self) -> Vec<Glance> {
        // The order of `Reverse` ascending is that of the values descending.
        let glance = |Reverse(Ranked { row, .. })| Glance {
            id: row.id(),
            title: row.title().into_owned(),
            created: row.created().into_owned(),
            uses: row.uses(),
        };
        self.0.into_sorted_vec().into_iter().map(glance).collect()
    }
}

impl<T: Ord> Ord for Ranked<'_, T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.value.cmp(&other.value).then_with(|| self.turn.cmp(&other.turn))
    }
}

impl<T: Ord> PartialOrd for Ranked<'_, T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> PartialEq for Ranked<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T: Ord> Eq for Ranked<'_, T> {}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use lunette_client::model::asset::Asset;
    use lunette_client::model::record::Record as _;

    fn row(number: u32, created: &str, uses: u16, tagged: bool) -> AssetRow {
        let id = format!("00000000-0000-4000-8000-{number:012}");
        let time = json!({ "value": created });
        let tags: Vec<Value> = tagged.then(|| json!({ "id": id, "text": "to do", "created": time, "updated": time, "category": "UNKNOWN", "mechanisms": {} })).into_iter().collect();
        let tree = json!({
            "id": id, "name": format!("asset {number}"), "creator": id, "created": time, "updated": time,
            "mechanism": "MANUAL", "formats": { "iterable": [] }, "original": { "id": id }, "preview": { "base": { "id": id } },
            "tags": { "iterable": tags }, "score": { "manual": 100 - i64::from(uses), "automatic": 0 },
        });
        AssetRow::of(Asset::from_tree(tree).expect("an asset").view()).expect("a row").with_uses(uses)
    }

    fn now() -> ZonedDateTime {
        "2026-11-24T12:00:00+00:00[UTC]".parse().expect("a moment")
    }

    #[test]
    fn assets_are_counted_in_one_pass() {
        let rows = [
            row(1, "2026-11-24T08:00:00Z", 0, true),
            row(2, "2026-11-20T08:00:00Z", 5, false),
            row(3, "2025-01-01T08:00:00Z", 9, false),
        ];
        let filters = [("tagged", "is:tagged"), ("broken", "nothing:here"), ("high", "score:<96")];
        let filters = filters.map(|(name, filter)| Saved { name: name.to_owned(), filter: filter.to_owned() });
        let summary = Summary::of(rows.iter(), &filters, &now());
        assert_eq!((summary.assets, summary.untagged, summary.favourites), (3, 2, 0));
        let titles = |glances: &[Glance]| glances.iter().map(|glance| glance.title.clone()).collect::<Vec<_>>();
        assert_eq!(titles(&summary.newest), ["asset 1", "asset 2", "asset 3"]);
        assert_eq!(titles(&summary.most_used), ["asset 3", "asset 2"]);
        assert_eq!(summary.days.len(), 30);
        assert_eq!(
            summary.days.iter().map(|(_, count)| count).sum::<u64>(),
            2,
            "an older one is on none of these days"
        );
        assert_eq!(summary.filters, [("high".to_owned(), 2), ("tagged".to_owned(), 1)].into());
        assert_eq!(summary.languages.most.iter().map(|(_, count)| count).sum::<usize>(), 3);
        assert_eq!(summary.tags.most, [("to do".to_owned(), 1)]);
    }

    #[test]
    fn of_many_values_those_that_most_assets_have_are_named_and_the_others_counted() {
        let names: Vec<String> = (0..GROUPS + 10).map(|number| format!("{number:04}")).collect();
        let counts = names.iter().zip(1..).map(|(name, count)| (name.as_str(), count)).collect();
        let groups = Groups::of(counts);
        assert_eq!((groups.most.len(), &groups.most[0]), (GROUPS, &(format!("{:04}", GROUPS + 9), GROUPS + 10)));
        assert_eq!((groups.others, groups.of_others), (10, (1..=10).sum()));
    }

    #[test]
    fn a_folder_counts_what_is_below_it_and_the_tree_has_those_with_most_assets() {
        let folder = |path: &str, assets, below| Folder { path: path.to_owned(), assets, below };
        let tree = Folders::of([("a/b", 1), ("a/b/c", 2), ("a-b", 1), ("z", 9), ("a", 3)].into()).outermost;
        let expected = folder("a", 6, vec![folder("a/b", 3, vec![folder("a/b/c", 2, Vec::new())])]);
        assert_eq!(tree, [folder("z", 9, Vec::new()), expected, folder("a-b", 1, Vec::new())]);
        let names: Vec<String> = (0..FOLDERS + 7).map(|number| format!("top/{number:04}")).collect();
        let many = Folders::of(names.iter().map(|name| (name.as_str(), 1)).collect());
        assert_eq!((many.outermost.len(), many.others), (1, 8));
        assert_eq!((many.outermost[0].assets, many.outermost[0].below.len()), (FOLDERS + 7, FOLDERS - 1));
        let deep = ["d"; 60_000].join("/");
        let mut level = Folders::of([(deep.as_str(), 1)].into()).outermost;
        let depth = std::iter::from_fn(|| level.pop().map(|folder| level = folder.below)).count();
        assert_eq!(depth, DEPTH);
    }

    #[test]
    fn an_asset_with_unreported_tags_does_not_count_as_untagged() {
        let reported = row(1, "2026-11-24T08:00:00Z", 0, false);
        let unreported = AssetRow::recent("00000000-0000-4000-8000-000000000002", "b").expect("a row");
        let filters = ["is:tagged", "-is:tagged"];
        let filters = filters.map(|filter| Saved { name: filter.to_owned(), filter: filter.to_owned() });
        let summary = Summary::of([reported, unreported].iter(), &filters, &now());
        assert_eq!((summary.assets, summary.untagged), (2, 1));
        assert_eq!(summary.filters, [("-is:tagged".to_owned(), 1), ("is:tagged".to_owned(), 0)].into());
    }

    #[test]
    fn the_most_used_of_many_assets_are_listed_in_order_with_ties_in_list_order() {
        let rows: Vec<AssetRow> =
            (0..100).map(|number| row(number, "2026-11-24T08:00:00Z", (number % 10) as u16, false)).collect();
        let summary = Summary::of(rows.iter(), &[], &now());
        let uses: Vec<u16> = summary.most_used.iter().map(|glance| glance.uses).collect();
        assert_eq!(uses, [9; NAMED]);
        assert_eq!(summary.most_used[0].title, "asset 9");
        assert_eq!(summary.newest[0].title, "asset 0");
    }
}
