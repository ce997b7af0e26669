//! The inventory of a connection on disk: what an answer changes is written, and everything that is shown is read again.
//!
//! What must hold: an answer is compared with what is on disk, and not with what this window saw, so that another window
//! of the data folder keeps no change a second time.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Zoned;

use crate::app::db::inventory::{Records, Update};
use crate::app::db::{Database, DatabaseError};
use crate::app::inventory::observed::{self, Answer, Change, Known, Observed, Source};
use crate::app::inventory::usage_history::{self, UsageHistory};

/// Where the inventory of a connection is kept; a window without a data folder keeps none. Copies share it.
#[derive(Clone, Debug, Default)]
pub(in crate::app) struct InventoryStore(Option<(Arc<Database>, String)>);

/// What is kept of a connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Watched {
    /// The changes, oldest first.
    pub changes: Vec<Arc<Change>>,
    /// How much tracked applications were used.
    pub usage: UsageHistory,
}

/// What an answer brought.
#[derive(Debug, Default)]
pub(in crate::app) struct Noticed {
    /// The changes that nobody noticed before.
    pub new: Vec<Change>,
    /// Whether an application is missing that may come back.
    pub unsettled: bool,
    /// Everything that is kept now.
    pub watched: Watched,
}

impl InventoryStore {
    /// The inventory of a connection in a database.
    pub fn of(database: Arc<Database>, connection: &str) -> Self {
        Self(Some((database, connection.to_owned())))
    }

    /// Whether changes are kept.
    pub fn keeps(&self) -> bool {
        self.0.is_some()
    }

    /// Compares an answer with what is known of its list, and keeps what differs. What was missing for as long as
    /// `settled` is gone. Blocks.
    pub fn observe(
        &self,
        source: Source,
        answer: &Answer,
        now: &Zoned,
        settled: Duration,
    ) -> Result<Noticed, DatabaseError> {
        let mut noticed = self.keep(source, answer, now, settled)?;
        noticed.watched = self.read()?;
        Ok(noticed)
    }

    /// The same without reading what is kept.
    fn keep(&self, source: Source, answer: &Answer, now: &Zoned, settled: Duration) -> Result<Noticed, DatabaseError> {
        let mut noticed = Noticed::default();
        let Some((database, connection)) = &self.0 else { return Ok(noticed) };
        let compare = |records: Option<&Records>| {
            let known = records.map(|records| records.iter().filter_map(known).collect::<BTreeMap<_, _>>());
            let found = observed::compare(source, known.as_ref(), answer, now.timestamp(), settled);
            (noticed.new, noticed.unsettled) = (found.changes, found.unsettled);
            let texts = found.known.into_iter().map(|(key, known)| (key, known.map(|known| text(&known))));
            Update { records: texts.collect(), changes: noticed.new.iter().map(text).collect() }
        };
        let day = now.date().to_string();
        database.update_inventory(connection, source.name(), &day, compare, |update, numbers, counters| {
            let differs = |key: &String| update.records.contains_key(key);
            counted(answer.iter().filter(|(key, _)| differs(key)), numbers, counters)
        })?;
        Ok(noticed)
    }

    /// What is kept. Blocks.
    pub fn read(&self) -> Result<Watched, DatabaseError> {
        let Some((database, connection)) = &self.0 else { return Ok(Watched::default()) };
        let texts = database.inventory(connection, Source::Tracked.name())?;
        let changes = texts.changes.iter().filter_map(|change| serde_json::from_str(change).ok()).map(Arc::new);
        Ok(Watched { changes: changes.collect(), usage: UsageHistory::new(&texts.days, &texts.items) })
    }
}

fn known((key, (_, record)): (&String, &(i64, String))) -> Option<(String, Known)> {
    Some((key.clone(), serde_json::from_str(record).ok()?))
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The counters of today with those of the applications that are not as they were; None where nothing was counted.
fn counted<'a>(
    changed: impl Iterator<Item = (&'a String, &'a Observed)>,
    numbers: &BTreeMap<String, i64>,
    counters: &str,
) -> Option<String> {
    let mut day = usage_history::parsed(counters);
    day.extend(changed.filter_map(|(key, seen)| Some((*numbers.get(key)?, seen.usage?))));
    let now = usage_history::text(&day);
    (now != counters).then_some(now)
}

#[cfg(test)]
mod tests;
