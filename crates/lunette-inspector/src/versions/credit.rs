//! Which step of the history wrote which version.
//!
//! What must hold: a version is credited to the step that wrote it, and to none where another client may have written
//! it.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use lunette_client::model::id::AssetId;

use super::{RunChanges, VersionRow};
use crate::change::Change;
use crate::journal::{Entry, EntryKind, Outcome};

/// How long after a step its versions are seen at most, where this program keeps them: the asset is read again after
/// it.
const SEEN_WITHIN: SignedDuration = SignedDuration::from_secs(5);
/// How long a step takes at most whose end is not recorded: a call may take half a minute.
const LONGEST_STEP: SignedDuration = SignedDuration::from_secs(60);

/// The steps that wrote versions of an asset, by the number of the version. `entries` are the steps of the connection,
/// oldest first; `runs` has what the runs among them changed; `is_local` is whether this program keeps the versions,
/// and dates them when it sees them.
///
/// A version is credited to a step if it was written while the step ran, by a client of this program, and has only
/// changes that the step makes. If more versions than it writes are so, none is credited to it. What an asset was
/// created as is credited to the step that created the asset with this id.
pub fn writers<'e>(
    rows: &[VersionRow],
    asset: &AssetId,
    is_local: bool,
    entries: impl Iterator<Item = &'e Entry>,
    runs: &'e RunChanges,
) -> HashMap<i64, &'e Entry> {
    let steps = steps(asset, is_local, entries, runs);
    if steps.is_empty() {
        return HashMap::new();
    }
    let times: Vec<Option<Timestamp>> = rows.iter().map(|row| row.at.parse().ok()).collect();
    let mut writers: HashMap<i64, &Entry> = HashMap::new();
    for Step { entry, changes, until } in steps {
        let found: Vec<i64> = rows
            .iter()
            .zip(&times)
            .filter(|(row, at)| {
                let in_time = at.is_some_and(|at| entry.at <= at && at <= until);
                let is_made = in_time && row.is_by_lunette() && changes.iter().any(|change| makes(change, row));
                (is_made || changes.iter().any(|change| creates(change, row))) && !writers.contains_key(&row.number)
            })
            .map(|(row, _)| row.number)
            .collect();
        if found.len() <= changes.iter().map(|change| change.most_versions()).sum::<usize>() {
            writers.extend(found.into_iter().map(|number| (number, entry)));
        }
    }
    writers
}

/// What a step did to an asset: changes that make the same different.
struct Step<'e> {
    entry: &'e Entry,
    changes: Vec<&'e Change>,
    /// Until when what it wrote is dated.
    until: Timestamp,
}

/// What the steps did to an asset. A step that took no longer than another comes before it: of two that ran at the same
/// time, fewer versions can be of the shorter one.
fn steps<'e>(
    asset: &AssetId,
    is_local: bool,
    entries: impl Iterator<Item = &'e Entry>,
    runs: &'e RunChanges,
) -> Vec<Step<'e>> {
    let mut found: Vec<(&Entry, Vec<&Change>)> = Vec::new();
    for entry in entries {
        match (&entry.kind, &entry.outcome) {
            (EntryKind::Change(change), Outcome::Done) if change.asset() == asset => found.push((entry, vec![change])),
            (EntryKind::Batch { .. }, _) => {
                found.extend(alike(runs.of_step(asset, entry)).into_iter().map(|changes| (entry, changes)));
            }
            _ => {}
        }
    }
    found.sort_by_key(|(entry, _)| entry.at);
    let mut steps: Vec<Step<'_>> = Vec::with_capacity(found.len());
    for (index, (entry, changes)) in found.iter().enumerate() {
        let next = found[index..].iter().find(|(next, _)| next.id != entry.id).map(|(next, _)| next.at);
        steps.push(Step { entry, changes: changes.clone(), until: end_of(entry, is_local, next) });
    }
    steps.sort_by_key(|step| step.until.duration_since(step.entry.at));
    steps
}

/// Changes in groups, each of those that make the same different.
fn alike<'e>(changes: impl Iterator<Item = &'e Change>) -> Vec<Vec<&'e Change>> {
    let mut groups: Vec<Vec<&Change>> = Vec::new();
    for change in changes {
        match groups.iter_mut().find(|group| group[0].version_words() == change.version_words()) {
            Some(group) => group.push(change),
            None => groups.push(vec![change]),
        }
    }
    groups
}

/// Whether a version is what a change created the asset as. No other step creates an asset with the same id.
fn creates(change: &Change, row: &VersionRow) -> bool {
    matches!(change, Change::Create { .. }) && row.changed_words().eq(["created"])
}

/// Until when what a step wrote is dated; `next` is when the next step of the asset began.
pub(super) fn end_of(entry: &Entry, is_local: bool, next: Option<Timestamp>) -> Timestamp {
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
