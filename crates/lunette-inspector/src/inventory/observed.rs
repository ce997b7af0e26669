//! What the inventory stores of an application, and how two responses of a service differ.
//!
//! What must hold: the first response of a list is the baseline and not a change. An application that is missing in one
//! response is gone only if it is still missing in a later one. Opening or closing an application is not a change, and
//! neither is an absence that ends before `SETTLED`. Names and numbers of changes are bounded, whatever a service
//! sends.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::applications::Source;
use crate::filter::compare_versions;
use crate::listing::rows::Usage;

mod timestamp;

/// How long an application must be missing before it counts as gone. Our choice: a restarting service is back by then.
pub const SETTLED: Duration = Duration::from_secs(30);

/// The maximum number of applications of one response that are compared.
pub(super) const MAX_APPLICATIONS: usize = 5_000;

/// The maximum number of changes from one response.
const MAX_CHANGES: usize = 1_000;

/// The maximum number of characters stored of a name, a version or a status.
const MAX_CHARACTERS: usize = 120;

/// An application in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// Its name.
    pub name: String,
    /// Its version; empty if the list has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Its status; empty if the list has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub status: String,
    /// How much it was used, if the list reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// The applications of a response, by key.
pub type AppList = BTreeMap<String, Observed>;

/// An application as it was last seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredApp {
    /// Its last state.
    pub last: Observed,
    /// When it was first missing.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "timestamp::optional")]
    pub missing: Option<Timestamp>,
}

/// What changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    /// It was added, in this version.
    Added(String),
    /// It was removed; it had this version.
    Removed(String),
    /// It has another version.
    Version {
        /// The version before.
        from: String,
        /// The version now.
        to: String,
    },
    /// It has another status.
    Status {
        /// The status before.
        from: String,
        /// The status now.
        to: String,
    },
}

/// A change of an application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// When it was detected.
    #[serde(with = "timestamp")]
    pub at: Timestamp,
    /// The list it was detected in.
    pub source: Source,
    /// The key of the application in that list.
    pub key: String,
    /// Its name.
    pub name: String,
    /// What changed.
    pub what: Difference,
}

impl Difference {
    /// Its stable name for programs.
    pub fn token(&self) -> &'static str {
        match self {
            Self::Added(_) => "added",
            Self::Removed(_) => "removed",
            Self::Version { from, to } if compare_versions(to, from).is_lt() => "downgraded",
            Self::Version { .. } => "upgraded",
            Self::Status { .. } => "status",
        }
    }

    /// Whether it is another status only because the application was used, or was not: earlier versions stored that one
    /// is idle.
    pub fn is_of_use(&self) -> bool {
        match self {
            Self::Status { from, to } => {
                let onboarded = |status: &str| matches!(status, "Idle" | "Onboarded");
                onboarded(from) && onboarded(to)
            }
            Self::Added(_) | Self::Removed(_) | Self::Version { .. } => false,
        }
    }

    /// The values before and after, empty if there is none.
    pub fn values(&self) -> (&str, &str) {
        match self {
            Self::Added(version) => ("", version),
            Self::Removed(version) => (version, ""),
            Self::Version { from, to } | Self::Status { from, to } => (from, to),
        }
    }
}

impl Change {
    /// A short description of the change.
    pub fn description(&self) -> String {
        let with = |description: &str, version: &str| match version {
            "" => description.to_owned(),
            version => format!("{description}, version {version}"),
        };
        match (&self.what, self.source) {
            (Difference::Added(version), Source::Tracked) => with("Now tracked", version),
            (Difference::Added(version), Source::Detected) => with("Installed", version),
            (Difference::Added(_), Source::Related) => "Integration added".to_owned(),
            (Difference::Removed(_), Source::Tracked) => "No longer tracked".to_owned(),
            (Difference::Removed(version), Source::Detected) => with("Removed", version),
            (Difference::Removed(_), Source::Related) => "Integration removed".to_owned(),
            (Difference::Version { from, to }, _) => {
                let word = if self.what.token() == "downgraded" { "Downgraded" } else { "Upgraded" };
                format!("{word}: {} → {}", or_none(from), or_none(to))
            }
            (Difference::Status { from, to }, _) => format!("{} → {}", or_none(from), or_none(to)),
        }
    }
}

fn or_none(value: &str) -> &str {
    if value.is_empty() { "none" } else { value }
}

/// The result of comparing a response.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// The changes, by name.
    pub changes: Vec<Change>,
    /// The new stored state of each application that changed; `None` deletes it.
    pub known: BTreeMap<String, Option<StoredApp>>,
    /// Whether a missing application may come back.
    pub unsettled: bool,
}

/// Compares a response with the stored state of its list; `known` is `None` for the first response. An application is
/// gone once it has been missing for `settled`.
pub(crate) fn compare(
    source: Source,
    known: Option<&BTreeMap<String, StoredApp>>,
    answer: &AppList,
    now: Timestamp,
    settled: Duration,
) -> Comparison {
    let mut found = Comparison::default();
    let none = BTreeMap::new();
    let before = known.unwrap_or(&none);
    for (key, seen) in answer {
        let last = before.get(key);
        if last.is_none_or(|last| last.missing.is_some() || last.last != *seen) {
            found.known.insert(key.clone(), Some(StoredApp { last: seen.clone(), missing: None }));
        }
        if known.is_some() {
            let change = |what| Change { at: now, source, key: key.clone(), name: seen.name.clone(), what };
            found.changes.extend(differences(last.map(|last| &last.last), seen).map(change));
        }
    }
    for (key, last) in before.iter().filter(|(key, _)| !answer.contains_key(*key)) {
        missing(&mut found, source, key, last, now, settled);
    }
    found.changes.truncate(MAX_CHANGES);
    found
}

fn differences(before: Option<&Observed>, now: &Observed) -> impl Iterator<Item = Difference> {
    let pair = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let added = before.is_none().then(|| Difference::Added(now.version.clone()));
    // A value that one of the two does not have is not told: that is not a change.
    let differ = |from: &str, to: &str| from != to && !from.is_empty() && !to.is_empty();
    let version = before.filter(|before| differ(&before.version, &now.version)).map(|before| {
        let (from, to) = pair(&before.version, &now.version);
        Difference::Version { from, to }
    });
    let status = before.filter(|before| differ(&before.status, &now.status)).map(|before| {
        let (from, to) = pair(&before.status, &now.status);
        Difference::Status { from, to }
    });
    let status = status.filter(|status| !status.is_of_use());
    added.into_iter().chain(version).chain(status)
}

/// Records that an application is missing, or that it is gone.
fn missing(found: &mut Comparison, source: Source, key: &str, last: &StoredApp, now: Timestamp, settled: Duration) {
    let settled = SignedDuration::try_from(settled).unwrap_or(SignedDuration::MAX);
    match last.missing {
        // If the clock was set back, the wait starts again.
        Some(since) if since <= now && now.duration_since(since) >= settled => {
            let what = Difference::Removed(last.last.version.clone());
            let (key, name) = (key.to_owned(), last.last.name.clone());
            found.known.insert(key.clone(), None);
            found.changes.push(Change { at: since, source, key, name, what });
        }
        Some(since) if since <= now => found.unsettled = true,
        Some(_) | None => {
            found.unsettled = true;
            let known = StoredApp { last: last.last.clone(), missing: Some(now) };
            found.known.insert(key.to_owned(), Some(known));
        }
    }
}

/// Collects the applications of a response.
pub(crate) fn answer(applications: impl IntoIterator<Item = (String, Observed)>) -> AppList {
    let applications: Vec<(String, Observed)> = applications.into_iter().collect();
    let keys = keys(applications.iter().map(|(key, seen)| (key.as_str(), seen.version.as_str())));
    let observed = applications.into_iter().map(|(_, Observed { name, version, status, usage })| Observed {
        name: short(&name),
        version: short(&version),
        status: short(&status),
        usage,
    });
    let all: AppList = keys.into_iter().zip(observed).collect();
    all.into_iter().take(MAX_APPLICATIONS).collect()
}

/// Returns a unique key for each application of a response: its key, with a number if several have the same one, in the
/// order of their versions. So none hides another.
pub(crate) fn keys<'a>(applications: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let all: Vec<(String, &str)> = applications.map(|(key, version)| (short(key), version)).collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|one, other| {
        let ((key, version), (other_key, other_version)) = (&all[*one], &all[*other]);
        key.cmp(other_key).then_with(|| compare_versions(version, other_version))
    });
    let mut keys = vec![String::new(); all.len()];
    let (mut last, mut count) = ("", 0);
    for index in order {
        let key = all[index].0.as_str();
        count = if key == last { count + 1 } else { 1 };
        last = key;
        keys[index] = if count == 1 { key.to_owned() } else { format!("{key}#{count}") };
    }
    keys
}

fn short(text: &str) -> String {
    text.chars().take(MAX_CHARACTERS).collect()
}

#[cfg(test)]
mod tests;
