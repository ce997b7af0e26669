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
    /// Changes that were noticed and not looked at yet.
    pub unseen: usize,
    /// The icons of installed applications, by the paths of their desktop entries; `None` where there is none, or not
    /// yet. Kept for the newest that were asked for.
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

    /// How much the tracked application of a row was used on each day on which that was noticed, the last 60 of them.
    pub fn usage_of(&self, row: &InventoryRow) -> Vec<(Date, Usage)> {
        let Some(key) = &row.usage_key else { return Vec::new() };
        let mut days = self.watched.usage.days(key);
        days.retain(|(_, usage)| *usage != Usage::default());
        days.split_off(days.len().saturating_sub(60))
    }

    /// Forgets what belongs to a connection; how applications are shown stays.
    pub(in crate::app) fn leave(&mut self) {
        let list = Listing { query: self.list.query.clone(), ..Listing::default() };
        *self = Self { shown: self.shown, since: self.since, list, version: self.version + 1, ..Self::default() };
    }
}
