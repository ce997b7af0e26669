//! Joins the lists of applications into one, by name, bundle and platform, with the changes since a day.
//!
//! What must hold: a tracked application has one row per platform, any other application has one row; an application
//! detected on one platform is not joined with one tracked on another. Only a list that was never read is left out. The
//! join loses no row.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use jiff::{Timestamp, ZonedDateTime};

use crate::applications::Source;
use crate::inventory::observed::{self, AppList, Change, Difference, Observed};
use crate::inventory::since::Since;
use crate::inventory::store::InventoryHistory;
use crate::listing::RowList;
use crate::listing::rows::{ApplicationRow, CHECK, ExternalRow, ExternalState, InventoryRow, RowChange, plain_name};

/// The maximum number of applications considered per name.
const SAME_NAME: usize = 8;

/// The latest response of each list.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct AppLists {
    /// The tracked applications.
    pub tracked: Option<RowList<ApplicationRow>>,
    /// The detected and related applications.
    pub external: Option<RowList<ExternalRow>>,
}

/// Which changes are shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Scope {
    pub since: Since,
    /// The plain names of applications whose version changes are not shown.
    pub muted: BTreeSet<String>,
}

impl Scope {
    /// Returns whether a change is shown. Earlier versions recorded what a conformance check or a restart of the service did.
    pub fn includes(&self, change: &Change) -> bool {
        let of_check = change.source == Source::Tracked && change.name == CHECK.1;
        let muted = matches!(change.what, Difference::Version { .. }) && self.muted.contains(&plain_name(&change.name));
        !of_check && !change.what.is_of_use() && !muted
    }
}

impl AppLists {
    /// Returns the applications of a list, or `None` if it was not read.
    pub fn of(&self, source: Source) -> Option<AppList> {
        match source {
            Source::Tracked => {
                // That of a conformance check comes and goes with it.
                let rows = self.tracked.as_ref()?.iter().filter(|row| row.id != CHECK.0);
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
    let status = row.lasting_status().to_owned();
    Observed { name: row.name.clone(), version: row.version.clone(), status, usage: row.usage }
}

/// For an integration, only its availability is compared: whether its application is installed is a matter of the other
/// list.
fn of_external(row: &ExternalRow, source: Source) -> Observed {
    let (version, status) = match source {
        Source::Related if row.state == ExternalState::Anticipated => (String::new(), "Integration planned"),
        Source::Related => (String::new(), "Integration available"),
        Source::Tracked | Source::Detected => (row.version.clone(), ""),
    };
    Observed { name: row.name.clone(), version, status: status.to_owned(), usage: None }
}

/// Joins the lists, with the changes in scope.
pub(super) fn rows(
    answers: &AppLists,
    history: &InventoryHistory,
    scope: &Scope,
    now: &ZonedDateTime,
) -> Vec<Arc<InventoryRow>> {
    let (start, day) = (scope.since.start(now), scope.since.day(now));
    let mut news = newest(&history.changes, scope, start);
    let mut rows = joined(answers);
    for (row, keys) in &mut rows {
        for change in keys.iter().filter_map(|key| news.remove(key)) {
            set_change(row, change);
        }
        let tracked = keys.iter().find(|(source, _)| *source == Source::Tracked);
        row.usage_key = tracked.map(|(_, key)| key.clone());
        row.used = tracked.and_then(|(_, key)| history.usage.since(key, day));
    }
    let mut rows: Vec<InventoryRow> = rows.into_iter().map(|(row, _)| row).collect();
    let read = |source| match source {
        Source::Tracked => answers.tracked.is_some(),
        Source::Detected | Source::Related => answers.external.is_some(),
    };
    let removed = |change: &&Change| read(change.source) && matches!(change.what, Difference::Removed(_));
    add_removed(&mut rows, news.into_values().filter(removed));
    add_history(&mut rows, &history.changes);
    rows.into_iter().map(Arc::new).collect()
}

/// Sets the change of a row, unless it has a newer one.
fn set_change(row: &mut InventoryRow, change: &Change) {
    if row.change.as_ref().is_none_or(|known| known.at <= change.at) {
        row.change = Some(RowChange { at: change.at, description: change.description() });
    }
}

/// Adds each removal to the row of the same application in another list, or to a row of its own.
fn add_removed<'a>(rows: &mut Vec<InventoryRow>, removed: impl Iterator<Item = &'a Change>) {
    let mut indices: HashMap<String, usize> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        for name in row.plain_names() {
            indices.entry(name).or_insert(index);
        }
    }
    for change in removed {
        let index = *indices.entry(plain_name(&change.name)).or_insert_with(|| {
            let (key, version) = (format!("gone|{}|{}", change.source.name(), change.key), change.what.values().0);
            rows.push(InventoryRow::removed(key, change.name.clone(), version.to_owned()));
            rows.len() - 1
        });
        set_change(&mut rows[index], change);
    }
}

/// The key that a change is found by.
type ChangeKey = (Source, String);

fn newest<'a>(changes: &'a [Arc<Change>], scope: &Scope, start: Timestamp) -> BTreeMap<ChangeKey, &'a Change> {
    let since = changes.iter().map(Arc::as_ref).filter(|change| change.at >= start && scope.includes(change));
    since.map(|change| ((change.source, change.key.clone()), change)).collect()
}

/// Returns the rows, each with the keys of its changes.
fn joined(answers: &AppLists) -> Vec<(InventoryRow, Vec<ChangeKey>)> {
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
        let indices = by_name.get(&plain_name(&row.name)).map(Vec::as_slice).unwrap_or_default();
        let index = indices.iter().copied().find(|index| same_platform(row, external[*index]));
        let mut keys = vec![(Source::Tracked, key.clone())];
        if let Some(index) = index {
            used[index] = true;
            keys.extend(external_keys[index].clone());
        }
        let joined = InventoryRow::new(
            format!("tracked|{key}"),
            Some(Arc::clone(row)),
            index.map(|index| Arc::clone(external[index])),
        );
        rows.push((joined, keys));
    }
    for (index, row) in external.iter().enumerate().filter(|(index, _)| !used[*index]) {
        let keys = external_keys[index].clone();
        rows.push((InventoryRow::new(format!("external|{index}|{}", row.name), None, Some(Arc::clone(row))), keys));
    }
    rows
}

/// Returns the indices of the external applications by plain name: those with this name first, then those whose bundle
/// has it.
fn by_name(external: &[&Arc<ExternalRow>]) -> HashMap<String, Vec<usize>> {
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    let mut add = |name: &str, index: usize| {
        let indices = by_name.entry(plain_name(name)).or_default();
        // Any number of applications may share a name, but few of them are on different platforms.
        if indices.len() < SAME_NAME && !indices.contains(&index) {
            indices.push(index);
        }
    };
    for (index, row) in external.iter().enumerate() {
        row.identifier.iter().chain([&row.name]).for_each(|name| add(name, index));
    }
    for (index, row) in external.iter().enumerate() {
        row.bundle().into_iter().for_each(|name| add(name, index));
    }
    by_name
}

/// Returns whether a detected application may be a tracked one. Our choice: if either has no platform, or none of a
/// desktop (`WEB`), the name alone decides, so an application that is tracked on several platforms belongs to each of
/// its rows.
fn same_platform(tracked: &ApplicationRow, external: &ExternalRow) -> bool {
    let of_desktops = ["LINUX", "MACOS", "WINDOWS"].contains(&tracked.platform.as_str());
    external.platform().is_none_or(|platform| !of_desktops || platform == tracked.platform)
}

/// Returns the keys of the changes of each external application, in both lists: an application that is gone from one
/// may still be in the other.
fn external_keys(external: &[&Arc<ExternalRow>]) -> Vec<Vec<ChangeKey>> {
    let mut all: Vec<Vec<ChangeKey>> = vec![Vec::new(); external.len()];
    for source in [Source::Detected, Source::Related] {
        for (index, row) in external.iter().enumerate().filter(|(_, row)| !has(row, source)) {
            all[index].push((source, external_key(row)));
        }
        let indices: Vec<usize> = (0..external.len()).filter(|index| has(external[*index], source)).collect();
        let observed: Vec<(String, Observed)> = indices
            .iter()
            .map(|index| (external_key(external[*index]), of_external(external[*index], source)))
            .collect();
        let keys = observed::keys(observed.iter().map(|(key, seen)| (key.as_str(), seen.version.as_str())));
        for (index, key) in indices.into_iter().zip(keys) {
            all[index].push((source, key));
        }
    }
    all
}

/// Adds to each row all changes of its application, newest first, from all lists.
fn add_history(rows: &mut [InventoryRow], changes: &[Arc<Change>]) {
    let mut by_name: HashMap<String, Vec<&Change>> = HashMap::new();
    for change in changes.iter().rev().filter(|change| !change.what.is_of_use()) {
        by_name.entry(plain_name(&change.name)).or_default().push(change);
    }
    // Rows of the same names share one history: a service may list an application thousands of times.
    let mut known: HashMap<BTreeSet<String>, Arc<[RowChange]>> = HashMap::new();
    for row in rows {
        let history = |names: &BTreeSet<String>| {
            let mut found: Vec<&Change> =
                names.iter().filter_map(|name| by_name.get(name)).flatten().copied().collect();
            found.sort_by_key(|change| Reverse(change.at));
            found.into_iter().map(|change| RowChange { at: change.at, description: change.description() }).collect()
        };
        row.history = Arc::clone(known.entry(row.plain_names()).or_insert_with_key(history));
    }
}

#[cfg(test)]
mod tests;
