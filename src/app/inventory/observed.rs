//! What the inventory keeps of an application, and how two answers of a service differ.
//!
//! What must hold: the first answer of a list is what later ones are compared with, and no change. An application that is
//! missing in one answer is not gone: it is once it is still missing in a later answer. What was open or
//! closed is no change, nor is what a later answer takes back before it was settled. Names and numbers of changes are
//! bounded, whatever a service answers.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::app::filter::compare_versions;
use crate::app::listing::rows::Usage;

mod moment;

/// How long an application must be missing before it is gone. Our choice: a service that restarts is back by then.
pub const SETTLED: Duration = Duration::from_secs(30);

/// The most applications of one answer that are compared.
pub(super) const MOST_APPLICATIONS: usize = 5_000;

/// The most changes that one answer brings.
const MOST_CHANGES: usize = 1_000;

/// The most characters that are kept of a name, a version or a status.
const MOST_CHARACTERS: usize = 120;

/// A list of the service that is compared with what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The tracked applications.
    Tracked,
    /// The applications detected on the machine.
    Detected,
    /// The applications that integrate with the service, or will.
    Related,
}

impl Source {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Tracked, Self::Detected, Self::Related];

    /// Its name in the database and for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tracked => "tracked",
            Self::Detected => "detected",
            Self::Related => "related",
        }
    }
}

/// An application as a list has it now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// Its name.
    pub name: String,
    /// Its version; empty where the list does not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Its status; empty where the list does not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub status: String,
    /// How much it was used, where the list says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
}

/// The applications of an answer, by what identifies each.
pub type Answer = BTreeMap<String, Observed>;

/// An application as it was last seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::app) struct Known {
    /// As it was.
    pub last: Observed,
    /// Since when it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "moment::optional")]
    pub missing: Option<Timestamp>,
}

/// What differed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    /// It is there now, in this version.
    Added(String),
    /// It is no longer there; it was, in this version.
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
    /// When it was noticed.
    #[serde(with = "moment")]
    pub at: Timestamp,
    /// In which list.
    pub source: Source,
    /// What identifies the application in that list.
    pub key: String,
    /// Its name.
    pub name: String,
    /// What differed.
    pub what: Difference,
}

impl Difference {
    /// Its word for programs, which does not change with the wording.
    pub fn token(&self) -> &'static str {
        match self {
            Self::Added(_) => "added",
            Self::Removed(_) => "removed",
            Self::Version { from, to } if compare_versions(to, from).is_lt() => "downgraded",
            Self::Version { .. } => "upgraded",
            Self::Status { .. } => "status",
        }
    }

    /// Before and after, empty where there is none.
    pub fn values(&self) -> (&str, &str) {
        match self {
            Self::Added(version) => ("", version),
            Self::Removed(version) => (version, ""),
            Self::Version { from, to } | Self::Status { from, to } => (from, to),
        }
    }
}

impl Change {
    /// The change in a few words.
    pub fn words(&self) -> String {
        let with = |words: &str, version: &str| match version {
            "" => words.to_owned(),
            version => format!("{words}, version {version}"),
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

/// What an answer brought.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::app) struct Comparison {
    /// The changes, by name.
    pub changes: Vec<Change>,
    /// What is to be kept of each application that is not as it was; None forgets it.
    pub known: BTreeMap<String, Option<Known>>,
    /// Whether an application is missing that may come back.
    pub unsettled: bool,
}

/// Compares an answer with what was known of its list; `known` is None for the first answer. An application is gone once
/// it was missing for as long as `settled`.
pub(in crate::app) fn compare(
    source: Source,
    known: Option<&BTreeMap<String, Known>>,
    answer: &Answer,
    now: Timestamp,
    settled: Duration,
) -> Comparison {
    let mut found = Comparison::default();
    let none = BTreeMap::new();
    let before = known.unwrap_or(&none);
    for (key, seen) in answer {
        let last = before.get(key);
        if last.is_none_or(|last| last.missing.is_some() || last.last != *seen) {
            found.known.insert(key.clone(), Some(Known { last: seen.clone(), missing: None }));
        }
        if known.is_some() {
            let change = |what| Change { at: now, source, key: key.clone(), name: seen.name.clone(), what };
            found.changes.extend(differences(last.map(|last| &last.last), seen).map(change));
        }
    }
    for (key, last) in before.iter().filter(|(key, _)| !answer.contains_key(*key)) {
        missing(&mut found, source, key, last, (now, settled));
    }
    found.changes.truncate(MOST_CHANGES);
    found
}

fn differences(before: Option<&Observed>, now: &Observed) -> impl Iterator<Item = Difference> {
    let pair = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let added = before.is_none().then(|| Difference::Added(now.version.clone()));
    let version = before.filter(|before| before.version != now.version).map(|before| {
        let (from, to) = pair(&before.version, &now.version);
        Difference::Version { from, to }
    });
    let status = before.filter(|before| before.status != now.status).map(|before| {
        let (from, to) = pair(&before.status, &now.status);
        Difference::Status { from, to }
    });
    added.into_iter().chain(version).chain(status)
}

/// Notes that an application is missing, or that it is gone.
fn missing(found: &mut Comparison, source: Source, key: &str, last: &Known, (now, settled): (Timestamp, Duration)) {
    let settled = SignedDuration::try_from(settled).unwrap_or(SignedDuration::MAX);
    match last.missing {
        // A clock that was set back begins the wait anew.
        Some(since) if since <= now && now.duration_since(since) >= settled => {
            let what = Difference::Removed(last.last.version.clone());
            let (key, name) = (key.to_owned(), last.last.name.clone());
            found.known.insert(key.clone(), None);
            found.changes.push(Change { at: since, source, key, name, what });
        }
        Some(since) if since <= now => found.unsettled = true,
        Some(_) | None => {
            found.unsettled = true;
            let known = Known { last: last.last.clone(), missing: Some(now) };
            found.known.insert(key.to_owned(), Some(known));
        }
    }
}

/// Collects the applications of an answer.
pub(in crate::app) fn answer(applications: impl IntoIterator<Item = (String, Observed)>) -> Answer {
    let applications: Vec<(String, Observed)> = applications.into_iter().collect();
    let keys = keys(applications.iter().map(|(key, seen)| (key.as_str(), seen.version.as_str())));
    let observed = applications.into_iter().map(|(_, Observed { name, version, status, usage })| Observed {
        name: short(&name),
        version: short(&version),
        status: short(&status),
        usage,
    });
    let all: Answer = keys.into_iter().zip(observed).collect();
    all.into_iter().take(MOST_APPLICATIONS).collect()
}

/// What identifies each application of an answer: its key, with a number where there are several of one key, in the
/// order of their versions. So neither hides the other.
pub(in crate::app) fn keys<'a>(applications: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let all: Vec<(String, &str)> = applications.map(|(key, version)| (short(key), version)).collect();
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|one, other| {
        let ((key, version), (other_key, other_version)) = (&all[*one], &all[*other]);
        key.cmp(other_key).then_with(|| compare_versions(version, other_version))
    });
    let mut keys = vec![String::new(); all.len()];
    let (mut last, mut count) = ("", 0);
    for place in order {
        let key = all[place].0.as_str();
        count = if key == last { count + 1 } else { 1 };
        last = key;
        keys[place] = if count == 1 { key.to_owned() } else { format!("{key}#{count}") };
    }
    keys
}

fn short(text: &str) -> String {
    text.chars().take(MOST_CHARACTERS).collect()
}

#[cfg(test)]
mod tests;
