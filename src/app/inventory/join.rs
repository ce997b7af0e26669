//! What the lists of applications say, as one: rows joined by name, bundle and platform, with what changed since a day.
//!
//! What must hold: an application has one row for each platform on which it is tracked, and one where it is not; what was
//! found on one platform is not taken for what is tracked on another. A list that was never read is left out, and nothing
//! else is. No row is lost by the join.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use jiff::{Timestamp, Zoned};

use crate::app::inventory::observed::{self, Answer, Change, Difference, Observed, Source};
use crate::app::inventory::since::Since;
use crate::app::inventory::store::Watched;
use crate::app::listing::RowList;
use crate::app::listing::rows::{ApplicationRow, ExternalRow, ExternalState, InventoryRow, RowChange, plain_name};

/// The most applications of one name that are looked at.
const SAME_NAME: usize = 8;

/// The status of an application that is open now, which is no change of the application.
const OPEN: &str = "Open";

/// The newest answer of each list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answers {
    /// The tracked applications.
    pub tracked: Option<RowList<ApplicationRow>>,
    /// The detected and the related ones.
    pub external: Option<RowList<ExternalRow>>,
}

/// From when on changes count, and of which applications versions do not.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Scope {
    pub since: Since,
    /// The plain names of applications whose other versions are no news.
    pub quiet: BTreeSet<String>,
}

impl Scope {
    /// Whether a change is news.
    pub fn takes(&self, change: &Change) -> bool {
        !matches!(change.what, Difference::Version { .. }) || !self.quiet.contains(&plain_name(&change.name))
    }
}

impl Answers {
    /// What a list says now; None where it was not read.
    pub fn of(&self, source: Source) -> Option<Answer> {
        match source {
            Source::Tracked => {
                let rows = self.tracked.as_ref()?.iter();
                Some(observed::answer(rows.map(|row| (tracked_key(row), of_tracked(row)))))
            }
            Source::Detected | Source::Related => {
                let rows = self.external.as_ref()?.iter().filter(|row| has(row, source));
                Some(observed::answer(rows.map(|row| (external_key(row), of_external(row, source)))))
            }
        }
    }
}

fn has(row: &ExternalRow, source: Source) -> bool {
    match source {
        Source::Tracked => false,
        Source::Detected => row.detected,
        Source::Related => row.related,
    }
}

fn tracked_key(row: &ApplicationRow) -> String {
    format!("{}|{}", row.name, row.platform)
}

fn external_key(row: &ExternalRow) -> String {
    row.name.to_lowercase()
}

fn of_tracked(row: &ApplicationRow) -> Observed {
    let status = if row.status == OPEN { "Onboarded" } else { row.status.as_str() };
    Observed { name: row.name.clone(), version: row.version.clone(), status: status.to_owned(), usage: row.usage }
}

/// Of an integration it is told whether there is one: that its application was installed is the other list's news.
fn of_external(row: &ExternalRow, source: Source) -> Observed {
    let (version, status) = match source {
        Source::Related if row.state == ExternalState::Anticipated => (String::new(), "Integration planned"),
        Source::Related => (String::new(), "Integration available"),
        Source::Tracked | Source::Detected => (row.version.clone(), ""),
    };
    Observed { name: row.name.clone(), version, status: status.to_owned(), usage: None }
}

/// Joins what the lists say, with the changes since a moment.
pub(super) fn rows(answers: &Answers, watched: &Watched, scope: &Scope, now: &Zoned) -> Vec<Arc<InventoryRow>> {
    let (start, day) = (scope.since.start(now), scope.since.day(now));
    let mut news = newest(&watched.changes, scope, start);
    let mut rows = joined(answers);
    for (row, keys) in &mut rows {
        for change in keys.iter().filter_map(|key| news.remove(key)) {
            note(row, change);
        }
        let tracked = keys.iter().find(|(source, _)| *source == Source::Tracked);
        row.usage_key = tracked.map(|(_, key)| key.clone());
        row.used = tracked.and_then(|(_, key)| watched.usage.since(key, day));
    }
    let mut rows: Vec<InventoryRow> = rows.into_iter().map(|(row, _)| row).collect();
    let read = |source| match source {
        Source::Tracked => answers.tracked.is_some(),
        Source::Detected | Source::Related => answers.external.is_some(),
    };
    let removed = |change: &&Change| read(change.source) && matches!(change.what, Difference::Removed(_));
    add_removed(&mut rows, news.into_values().filter(removed));
    add_history(&mut rows, &watched.changes);
    rows.into_iter().map(Arc::new).collect()
}

/// Shows a change with a row, unless the row has a newer one.
fn note(row: &mut InventoryRow, change: &Change) {
    if row.change.as_ref().is_none_or(|known| known.at <= change.at) {
        row.change = Some(RowChange { at: change.at, words: change.words() });
    }
}

/// Shows what was removed with the row of the same application in another list, or with a row of its own.
fn add_removed<'a>(rows: &mut Vec<InventoryRow>, removed: impl Iterator<Item = &'a Change>) {
    let mut places: HashMap<String, usize> = HashMap::new();
    for (place, row) in rows.iter().enumerate() {
        for name in row.plain_names() {
            places.entry(name).or_insert(place);
        }
    }
    for change in removed {
        let place = *places.entry(plain_name(&change.name)).or_insert_with(|| {
            let (key, version) = (format!("gone|{}|{}", change.source.name(), change.key), change.what.values().0);
            rows.push(InventoryRow::gone(key, change.name.clone(), version.to_owned()));
            rows.len() - 1
        });
        note(&mut rows[place], change);
    }
}

/// What a change is found by.
type ChangeKey = (Source, String);

fn newest<'a>(changes: &'a [Arc<Change>], scope: &Scope, start: Timestamp) -> BTreeMap<ChangeKey, &'a Change> {
    let since = changes.iter().map(Arc::as_ref).filter(|change| change.at >= start && scope.takes(change));
    since.map(|change| ((change.source, change.key.clone()), change)).collect()
}

/// The rows, each with what its changes are found by.
fn joined(answers: &Answers) -> Vec<(InventoryRow, Vec<ChangeKey>)> {
    let tracked: Vec<_> = answers.tracked.iter().flat_map(RowList::iter).collect();
    let external: Vec<_> = answers.external.iter().flat_map(RowList::iter).collect();
    let external_keys = external_keys(&external);
    let by_name = by_name(&external);
    let mut used = vec![false; external.len()];
    let names: Vec<String> = tracked.iter().map(|row| tracked_key(row)).collect();
    let tracked_keys =
        observed::keys(names.iter().zip(&tracked).map(|(key, row)| (key.as_str(), row.version.as_str())));
    let mut rows = Vec::with_capacity(tracked.len() + external.len());
    for (row, key) in tracked.into_iter().zip(tracked_keys) {
        let places = by_name.get(&plain_name(&row.name)).map(Vec::as_slice).unwrap_or_default();
        let place = places.iter().copied().find(|place| same_platform(row, external[*place]));
        let mut keys = vec![(Source::Tracked, key.clone())];
        if let Some(place) = place {
            used[place] = true;
            keys.extend(external_keys[place].clone());
        }
        let joined = InventoryRow::new(
            format!("tracked|{key}"),
            Some(Arc::clone(row)),
            place.map(|place| Arc::clone(external[place])),
        );
        rows.push((joined, keys));
    }
    for (place, row) in external.iter().enumerate().filter(|(place, _)| !used[*place]) {
        let keys = external_keys[place].clone();
        rows.push((InventoryRow::new(format!("external|{place}|{}", row.name), None, Some(Arc::clone(row))), keys));
    }
    rows
}

/// The places of the external applications by their plain names: those of this name first, then those whose bundle has
/// it.
fn by_name(external: &[&Arc<ExternalRow>]) -> HashMap<String, Vec<usize>> {
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    let mut add = |name: &str, place: usize| {
        let places = by_name.entry(plain_name(name)).or_default();
        // Any number may have one name; few of them are on different platforms.
        if places.len() < SAME_NAME && !places.contains(&place) {
            places.push(place);
        }
    };
    for (place, row) in external.iter().enumerate() {
        row.identifier.iter().chain([&row.name]).for_each(|name| add(name, place));
    }
    for (place, row) in external.iter().enumerate() {
        row.bundle().into_iter().for_each(|name| add(name, place));
    }
    by_name
}

/// Whether what was found may be what is tracked. Our choice: where either does not say its platform, or it is none of a
/// desktop (`WEB`), the name alone decides, so an application that is tracked on several belongs to each of its rows.
fn same_platform(tracked: &ApplicationRow, external: &ExternalRow) -> bool {
    let of_desktops = ["LINUX", "MACOS", "WINDOWS"].contains(&tracked.platform.as_str());
    external.platform().is_none_or(|platform| !of_desktops || platform == tracked.platform)
}

/// What the changes of each external application are found by, in either list: what is no longer in one of them may
/// still be in the other.
fn external_keys(external: &[&Arc<ExternalRow>]) -> Vec<Vec<ChangeKey>> {
    let mut all: Vec<Vec<ChangeKey>> = vec![Vec::new(); external.len()];
    for source in [Source::Detected, Source::Related] {
        for (place, row) in external.iter().enumerate().filter(|(_, row)| !has(row, source)) {
            all[place].push((source, external_key(row)));
        }
        let places: Vec<usize> = (0..external.len()).filter(|place| has(external[*place], source)).collect();
        let observed: Vec<(String, Observed)> = places
            .iter()
            .map(|place| (external_key(external[*place]), of_external(external[*place], source)))
            .collect();
        let keys = observed::keys(observed.iter().map(|(key, seen)| (key.as_str(), seen.version.as_str())));
        for (place, key) in places.into_iter().zip(keys) {
            all[place].push((source, key));
        }
    }
    all
}

/// Gives every row all changes of its application, newest first, whichever list they were noticed in.
fn add_history(rows: &mut [InventoryRow], changes: &[Arc<Change>]) {
    let mut by_name: HashMap<String, Vec<&Change>> = HashMap::new();
    for change in changes.iter().rev() {
        by_name.entry(plain_name(&change.name)).or_default().push(change);
    }
    for row in rows {
        let names = row.plain_names();
        let mut found: Vec<&Change> = names.iter().filter_map(|name| by_name.get(name)).flatten().copied().collect();
        found.sort_by_key(|change| Reverse(change.at));
        row.history = found.into_iter().map(|change| RowChange { at: change.at, words: change.words() }).collect();
    }
}

#[cfg(test)]
mod tests;
