//! The inventory of a connection on disk: changes are written, and the history is read again.
//!
//! What must hold: a response is compared with the state on disk, not with that of this window, so that another window
//! of the data folder does not record a change twice.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::ZonedDateTime;

use crate::applications::Source;
use crate::db::inventory::{Records, Update};
use crate::db::{Database, DatabaseError};
use crate::inventory::observed::{self, AppList, Change, Observed, StoredApp};
use crate::inventory::usage_history::{self, UsageHistory};

/// The store of the inventory of a connection; empty in a window without a data folder. Copies share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct InventoryStore(Option<(Arc<Database>, String)>);

/// The stored history of a connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InventoryHistory {
    /// The changes, oldest first.
    pub changes: Vec<Arc<Change>>,
    /// The usage of tracked applications.
    pub usage: UsageHistory,
}

/// The result of comparing a response.
#[derive(Debug, Default)]
pub(crate) struct ObserveResult {
    /// The changes that were not recorded before.
    pub new: Vec<Change>,
    /// Whether a missing application may come back.
    pub unsettled: bool,
    /// The stored history after the update.
    pub history: InventoryHistory,
}

impl InventoryStore {
    /// Returns the store of a connection in a database.
    pub fn of(database: Arc<Database>, connection: String) -> Self {
        Self(Some((database, connection)))
    }

    /// Returns whether changes are stored.
    pub fn is_persistent(&self) -> bool {
        self.0.is_some()
    }

    /// Compares a response with the stored state of its list, and stores the differences. An application is gone once
    /// it has been missing for `settled`. Blocks.
    pub fn observe(
        &self,
        source: Source,
        answer: &AppList,
        now: &ZonedDateTime,
        settled: Duration,
    ) -> Result<ObserveResult, DatabaseError> {
        let mut result = self.keep(source, answer, now, settled)?;
        result.history = self.read()?;
        Ok(result)
    }

    /// Does the same without reading the history.
    fn keep(
        &self,
        source: Source,
        answer: &AppList,
        now: &ZonedDateTime,
        settled: Duration,
    ) -> Result<ObserveResult, DatabaseError> {
        let mut result = ObserveResult::default();
        let Some((database, connection)) = &self.0 else { return Ok(result) };
        let compare = |records: Option<&Records>| {
            let known = records.map(|records| records.iter().filter_map(known).collect::<BTreeMap<_, _>>());
            let found = observed::compare(source, known.as_ref(), answer, now.timestamp(), settled);
            (result.new, result.unsettled) = (found.changes, found.unsettled);
            let texts = found.known.into_iter().map(|(key, known)| (key, known.map(|known| text(&known))));
            Update { records: texts.collect(), changes: result.new.iter().map(text).collect() }
        };
        let day = now.date().to_string();
        database.update_inventory(connection, source.name(), &day, compare, |update, numbers, counters| {
            let differs = |key: &String| update.records.contains_key(key);
            counted(answer.iter().filter(|(key, _)| differs(key)), numbers, counters)
        })?;
        Ok(result)
    }

    /// The stored history. Blocks.
    pub fn read(&self) -> Result<InventoryHistory, DatabaseError> {
        let Some((database, connection)) = &self.0 else { return Ok(InventoryHistory::default()) };
        let texts = database.inventory(connection, Source::Tracked.name())?;
        let changes = texts.changes.iter().filter_map(|change| serde_json::from_str(change).ok()).map(Arc::new);
        Ok(InventoryHistory { changes: changes.collect(), usage: UsageHistory::new(&texts.days, &texts.items) })
    }
}

fn known((key, (_, record)): (&String, &(i64, String))) -> Option<(String, StoredApp)> {
    Some((key.clone(), serde_json::from_str(record).ok()?))
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Returns today's counters updated with those of the changed applications, or `None` if they are unchanged.
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
