//! What the window shows of the inventory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::icon::AppIcon;
use super::join::Answers;
use super::observed::Source;
use super::since::Since;
use super::store::{InventoryStore, Watched};
use crate::app::CallError;
use crate::app::listing::Listing;
use crate::app::listing::rows::{InventoryRow, Usage};
use jiff::civil::Date;

/// How applications are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shown {
    /// The tracked ones, as a table.
    #[default]
    Tracked,
    /// All of them, as a table.
    All,
    /// All of them, as cards.
    Board,
}

/// The applications of all lists as one, and what changed.
#[derive(Clone, Debug, Default)]
pub struct Inventory {
    /// How they are shown.
    pub shown: Shown,
    /// From when on changes are shown.
    pub since: Since,
    /// All applications.
    pub list: Listing<InventoryRow>,
    /// The application that is open, by the key of its row.
    pub open: Option<String>,
    /// What is kept of earlier answers.
    pub watched: Arc<Watched>,
    /// Lists that could not be read, and why.
    pub failed: BTreeMap<Source, CallError>,
    /// How often the applications that changed were asked for; the panel then filters by them.
    pub changed_asked: u64,
    /// Changes that were noticed and not looked at yet.
    pub unseen: usize,
    /// The icons of installed applications, by the paths where these were detected; `None` where there is none, or not
    /// yet. Kept for the first that were asked for.
    pub icons: BTreeMap<String, Option<Arc<AppIcon>>>,
    /// Why changes are not kept, where that failed.
    pub problem: Option<String>,
    pub(super) store: InventoryStore,
    pub(super) answers: Answers,
    /// Lists that will be read again, since an application is missing that may come back.
    pub(super) looking_again: BTreeSet<Source>,
    /// Counts the answers; a join of earlier ones is outdated.
    pub(super) version: u64,
}

impl Inventory {
    /// Whether changes are kept at all: a window without a data folder keeps none.
    pub fn keeps(&self) -> bool {
        self.store.keeps()
    }

    /// The row of the application that is open.
    pub fn open_row(&self) -> Option<&Arc<InventoryRow>> {
        let key = self.open.as_ref()?;
        self.list.iter().find(|row| row.key == *key)
    }

    /// How much the tracked application of a row was used on each day from the first on which that was noticed until
    /// today, the last 60 of them; empty where none was noticed.
    pub fn usage_of(&self, row: &InventoryRow, today: Date) -> Vec<(Date, Usage)> {
        let Some(key) = &row.usage_key else { return Vec::new() };
        every_day(self.watched.usage.days(key), today)
    }

    /// Forgets what belongs to a connection; how applications are shown stays.
    pub(in crate::app) fn leave(&mut self) {
        let list = Listing { query: self.list.query.clone(), ..Listing::default() };
        let changed_asked = self.changed_asked;
        *self = Self {
            shown: self.shown,
            since: self.since,
            list,
            changed_asked,
            version: self.version + 1,
            ..Self::default()
        };
    }
}

/// The most days that are shown.
const DAYS: usize = 60;

/// Each day from the first that is not without use until today or the last one, the last ones of them.
fn every_day(noticed: Vec<(Date, Usage)>, today: Date) -> Vec<(Date, Usage)> {
    let noticed: BTreeMap<Date, Usage> = noticed.into_iter().filter(|(_, usage)| *usage != Usage::default()).collect();
    let (Some((first, _)), Some((last, _))) = (noticed.first_key_value(), noticed.last_key_value()) else {
        return Vec::new();
    };
    let last = today.max(*last);
    let earliest = last.saturating_sub(jiff::Span::new().days(DAYS as i64 - 1)).max(*first);
    let days = earliest.series(jiff::Span::new().days(1)).take_while(|day| *day <= last);
    days.map(|day| (day, noticed.get(&day).copied().unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> Date {
        text.parse().expect("a date")
    }

    #[test]
    fn days_without_use_are_days_too_up_to_today_and_at_most_sixty() {
        let once = Usage { sessions: 2, ..Usage::default() };
        let noticed =
            vec![(date("2026-11-01"), Usage::default()), (date("2026-11-03"), once), (date("2026-11-06"), once)];
        let days = every_day(noticed.clone(), date("2026-11-08"));
        let counts: Vec<u64> = days.iter().map(|(_, usage)| usage.sessions).collect();
        assert_eq!((days[0].0, counts), (date("2026-11-03"), vec![2, 0, 0, 2, 0, 0]));
        let later = every_day(noticed, date("2027-01-15"));
        assert_eq!((later.len(), later[59].0), (60, date("2027-01-15")));
        assert!(every_day(vec![(date("2026-11-01"), Usage::default())], date("2026-11-08")).is_empty());
    }
}
