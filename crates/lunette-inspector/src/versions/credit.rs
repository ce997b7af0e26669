//! Which step of the history wrote which version.
//!
//! What must hold: a version is credited to the step that wrote it, and to none where another client may have written it.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use lunette_client::model::id::AssetId;

use super::VersionRow;
use crate::change::Change;
use crate::journal::{Entry, EntryKind, Outcome};

/// How long after a step its versions are seen at most, where this program keeps them: the asset is read again after it.
const SEEN_WITHIN: SignedDuration = SignedDuration::from_secs(5);
/// How long a step takes at most whose end is not recorded: a call may take half a minute.
const LONGEST_STEP: SignedDuration = SignedDuration::from_secs(60);

/// The steps that wrote versions of an asset, by the number of the version. `entries` are the steps of the connection, oldest
/// first; `is_local` is whether this program keeps the versions, and dates them when it sees them.
///
/// A version is credited to a step if it was written while the step ran, by a client of this program, and has only changes
/// that the step makes. If more versions than it writes are so, none is credited to it.
pub fn writers<'e>(
    rows: &[VersionRow],
    asset: &AssetId,
    is_local: bool,
    entries: impl Iterator<Item = &'e Entry>,
) -> HashMap<i64, &'e Entry> {
    let mut steps: Vec<(&Entry, &Change)> =
        entries.filter_map(|entry| Some((entry, change_of(entry, asset)?))).collect();
    if steps.is_empty() {
        return HashMap::new();
    }
    steps.sort_by_key(|(entry, _)| entry.at);
    let times: Vec<Option<Timestamp>> = rows.iter().map(|row| row.at.parse().ok()).collect();
    let mut writers: HashMap<i64, &Entry> = HashMap::new();
    for (index, (entry, change)) in steps.iter().enumerate() {
        let next = steps.get(index + 1).map(|(next, _)| next.at);
        let until = end_of(entry, is_local, next);
        let found: Vec<i64> = rows
            .iter()
            .zip(&times)
            .filter(|(row, at)| {
                let in_time = at.is_some_and(|at| entry.at <= at && at <= until);
                in_time && row.who.starts_with("lunette") && makes(change, row) && !writers.contains_key(&row.number)
            })
            .map(|(row, _)| row.number)
            .collect();
        if found.len() <= change.most_versions() {
            writers.extend(found.into_iter().map(|number| (number, *entry)));
        }
    }
    writers
}

/// The change that a step made of an asset; `None` if it made none, or it is not known whether it did.
fn change_of<'e>(entry: &'e Entry, asset: &AssetId) -> Option<&'e Change> {
    match (&entry.kind, &entry.outcome) {
        (EntryKind::Change(change), Outcome::Done) if change.asset() == asset => Some(change),
        _ => None,
    }
}

/// Until when what a step wrote is dated; `next` is when the next step of the asset began.
fn end_of(entry: &Entry, is_local: bool, next: Option<Timestamp>) -> Timestamp {
    let later = |at: Timestamp, by| at.saturating_add(by).unwrap_or(Timestamp::MAX);
    let before_next = |until: Timestamp| next.map_or(until, |next| until.min(next));
    match (entry.ended, is_local) {
        (Some(ended), false) => ended,
        (Some(ended), true) => before_next(later(ended, SEEN_WITHIN)).max(ended),
        (None, _) => before_next(later(entry.at, LONGEST_STEP)),
    }
}

/// Whether a version has changes that a step makes, and no others.
fn makes(change: &Change, row: &VersionRow) -> bool {
    let Some(made) = change.version_words() else { return row.changed_words().next().is_some() };
    let is_length = match change {
        Change::Text { to, .. } => row.bytes().is_none_or(|bytes| bytes == to.len() as u64),
        _ => true,
    };
    // A service may change other fields along with what was asked for, such as when it last changed.
    let only_these = row.changed_words().all(|word| made.contains(&word) || word == "fields");
    is_length && only_these && row.changed_words().any(|word| made.contains(&word))
}

#[cfg(test)]
mod tests;
