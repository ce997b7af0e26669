//! The state of the inventory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::icon::AppIcon;
use super::join::AppLists;
use super::since::Since;
use super::store::{InventoryHistory, InventoryStore};
use crate::CallError;
use crate::applications::Source;
use crate::listing::Listing;
use crate::listing::rows::{InventoryRow, Usage};
use jiff::Timestamp;
use jiff::civil::Date;

/// How applications are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// Tracked applications, as a table.
    #[default]
    Tracked,
    /// All applications, as a table.
    All,
    /// All applications, as cards.
    Board,
}

/// The applications of all lists as one, and their changes.
#[derive(Clone, Debug, Default)]
pub struct Inventory {
    /// How they are shown.
    pub shown: Shown,
    /// The start of the shown changes.
    pub since: Since,
    /// All applications.
    pub list: Listing<InventoryRow>,
    /// The key of the row of the open application.
    pub open: Option<String>,
    /// The stored history.
    pub history: Arc<InventoryHistory>,
    /// The lists that could not be read, with their errors.
    pub failed: BTreeMap<Source, CallError>,
    /// How often the changed applications were requested; the panel then filters by them.
    pub changed_requests: u64,
    /// The number of changes that the user has not seen yet.
    pub unseen: usize,
    /// Each of them: the plain name of its application, and when it was detected.
    pub(super) unseen_changes: Vec<(String, Timestamp)>,
    /// The icons of installed applications, by the path where the application was detected; `None` if there is none, or
    /// none yet. The number of icons is limited.
    pub icons: BTreeMap<String, Option<Arc<AppIcon>>>,
    /// Why changes could not be stored.
    pub problem: Option<String>,
    pub(super) store: InventoryStore,
    pub(super) answers: AppLists,
    /// The lists for which a read is scheduled, since a missing application may come back.
    pub(super) scheduled_reloads: BTreeSet<Source>,
    /// Counts the comparisons; the result of an earlier one is outdated.
    pub(super) version: u64,
}

impl Inventory {
    /// Returns whether changes are stored. A window without a data folder stores none.
    pub fn is_persistent(&self) -> bool {
        self.store.is_persistent()
    }

    /// Whether the change that a row shows is one that the user has not seen yet.
    pub fn is_unseen(&self, row: &InventoryRow) -> bool {
        let Some(change) = row.change.as_ref().filter(|_| self.unseen > 0) else { return false };
        let names = row.plain_names();
        self.unseen_changes.iter().any(|(name, at)| *at <= change.at && names.contains(name))
    }

    /// Records changes that the user has not seen yet.
    pub(super) fn add_unseen(&mut self, changes: impl Iterator<Item = (String, Timestamp)>) {
        self.unseen_changes.extend(changes);
        self.unseen = self.unseen_changes.len();
    }

    /// Forgets those that no row shows, such as those of an application whose updates were muted since.
    pub(super) fn forget_unshown(&mut self) {
        let shown: Vec<_> = self.list.iter().filter(|row| self.is_unseen(row)).map(Arc::clone).collect();
        let names: BTreeSet<String> = shown.iter().flat_map(|row| row.plain_names()).collect();
        self.unseen_changes.retain(|(name, _)| names.contains(name));
        self.unseen = self.unseen_changes.len();
    }

    /// Records that the user saw the changes of the rows with these keys, up to those that the rows show.
    pub(super) fn mark_seen(&mut self, keys: &BTreeSet<String>) {
        let rows: Vec<_> = self.list.iter().filter(|row| keys.contains(&row.key)).collect();
        let shown = rows.iter().filter_map(|row| Some((row.plain_names(), row.change.as_ref()?.at)));
        let shown: Vec<_> = shown.collect();
        self.unseen_changes.retain(|(name, at)| !shown.iter().any(|(names, last)| at <= last && names.contains(name)));
        self.unseen = self.unseen_changes.len();
    }

    /// Returns the row of the open application.
    pub fn open_row(&self) -> Option<&Arc<InventoryRow>> {
        let key = self.open.as_ref()?;
        self.list.iter().find(|row| row.key == *key)
    }

    /// Returns the usage of the tracked application of a row for each day from the first recorded one until today, at
    /// most 60 days; empty if none was recorded.
    pub fn daily_usage(&self, row: &InventoryRow, today: Date) -> Vec<(Date, Usage)> {
        let Some(key) = &row.usage_key else { return Vec::new() };
        every_day(self.history.usage.days(key), today)
    }

    /// Clears the data of a connection; how applications are shown remains.
    pub(crate) fn leave(&mut self) {
        let changed_requests = self.changed_requests;
        *self = Self {
            shown: self.shown,
            since: self.since,
            changed_requests,
            version: self.version + 1,
            ..Self::default()
        };
    }
}

/// The maximum number of shown days.
const DAYS: usize = 60;

/// Returns each day from the first with usage until today or the last recorded day, limited to the last ones.
fn every_day(recorded: Vec<(Date, Usage)>, today: Date) -> Vec<(Date, Usage)> {
    let recorded: BTreeMap<Date, Usage> =
        recorded.into_iter().filter(|(_, usage)| *usage != Usage::default()).collect();
    let (Some((first, _)), Some((last, _))) = (recorded.first_key_value(), recorded.last_key_value()) else {
        return Vec::new();
    };
    let last = today.max(*last);
    let earliest = last.saturating_sub(jiff::Span::new().days(DAYS as i64 - 1)).max(*first);
    let days = earliest.series(jiff::Span::new().days(1)).take_while(|day| *day <= last);
    days.map(|day| (day, recorded.get(&day).copied().unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    #[test]
    fn days_without_usage_are_included_up_to_today_and_at_most_sixty() {
        let once = Usage { sessions: 2, ..Usage::default() };
        let recorded =
            vec![(date("2026-11-01"), Usage::default()), (date("2026-11-03"), once), (date("2026-11-06"), once)];
        let days = every_day(recorded.clone(), date("2026-11-08"));
        let counts: Vec<u64> = days.iter().map(|(_, usage)| usage.sessions).collect();
        assert_eq!((days[0].0, counts), (date("2026-11-03"), vec![2, 0, 0, 2, 0, 0]));
        let later = every_day(recorded, date("2027-01-15"));
        assert_eq!((later.len(), later[59].0), (60, date("2027-01-15")));
        assert!(every_day(vec![(date("2026-11-01"), Usage::default())], date("2026-11-08")).is_empty());
    }
}
