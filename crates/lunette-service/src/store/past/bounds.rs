//! How much of the past is kept.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use lunette_storage::atomic;
use rusqlite::Transaction;
use serde::{Deserialize, Serialize};

use super::stopped::keep;
use crate::store::{Store, StoreError};

/// The file of the data folder with the bounds that were set, if they were.
const FILE: &str = "versions.json";

/// How many earlier versions are kept, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PastBounds {
    /// For how many days after the change that replaced it.
    pub days: u32,
    /// How many of each asset. 0 keeps none.
    pub versions: u32,
    /// How many bytes all of them together may take.
    pub bytes: u64,
}

impl Default for PastBounds {
    fn default() -> Self {
        Self { days: 90, versions: 200, bytes: 1 << 30 }
    }
}

impl PastBounds {
    /// Keeps no versions, and records nothing.
    pub const NONE: Self = Self { days: 0, versions: 0, bytes: 0 };

    /// The bounds that were set in a data folder; None if none were, or they cannot be read.
    pub fn set_in(data: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(data.join(FILE)).ok()?;
        serde_json::from_str(&text).inspect_err(|error| tracing::warn!(%error, "{FILE} is not read")).ok()
    }

    /// Whether versions are kept.
    pub fn keeps(self) -> bool {
        self.versions > 0
    }
}

/// The bounds that hold now.
#[derive(Debug)]
pub(in crate::store) struct CurrentBounds {
    bounds: Mutex<PastBounds>,
    /// Held while they are changed.
    changing: Mutex<()>,
    /// Where they are stored; None in memory.
    file: Option<PathBuf>,
}

impl CurrentBounds {
    /// Those that are given, else those that were set in this data folder, else the usual ones.
    pub(in crate::store) fn of(data: Option<&Path>, given: Option<PastBounds>) -> Self {
        let bounds = given.or_else(|| PastBounds::set_in(data?)).unwrap_or_default();
        Self { bounds: Mutex::new(bounds), changing: Mutex::default(), file: data.map(|data| data.join(FILE)) }
    }

    pub(in crate::store) fn get(&self) -> PastBounds {
        *self.bounds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set(&self, bounds: PastBounds) -> Result<(), StoreError> {
        if let Some(file) = &self.file {
            let text = serde_json::to_vec(&bounds).map_err(|error| StoreError::Broken(error.to_string()))?;
            atomic::write(file, &text).map_err(|problem| StoreError::unusable("write", file, problem))?;
        }
        *self.bounds.lock().unwrap_or_else(PoisonError::into_inner) = bounds;
        Ok(())
    }

    /// Sets the bounds and makes a change that goes with them. If that fails, they are as they were.
    fn set_with(&self, bounds: PastBounds, change: impl FnOnce() -> Result<(), StoreError>) -> Result<(), StoreError> {
        let _one_at_a_time = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let before = self.get();
        self.set(bounds)?;
        change().inspect_err(|_| {
            if let Err(error) = self.set(before) {
                tracing::error!(%error, "could not set the bounds of versions back");
            }
        })
    }
}

/// Keeps versions or none from this change on, and looks for those beyond the bounds soon.
fn change(db: &Transaction, keeps: bool) -> Result<(), StoreError> {
    db.execute("UPDATE past_status SET pruned = 0", [])?;
    keep(db, keeps)
}

impl Store {
    /// How much of the past is kept.
    pub(crate) fn past_bounds(&self) -> PastBounds {
        self.bounds.get()
    }

    /// Sets how much of the past is kept, from now on and after the next start. What is beyond it is deleted within ten
    /// minutes, unless it is within the bounds again before.
    pub(crate) fn set_past_bounds(&self, bounds: PastBounds) -> Result<(), StoreError> {
        self.bounds.set_with(bounds, || self.write_freeing(move |db| change(db, bounds.keeps())))
    }
}
