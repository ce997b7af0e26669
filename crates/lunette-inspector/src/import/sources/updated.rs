//! The results of updates.

use std::collections::HashSet;

use super::Updates;
use crate::runs::{RowStatus, RunRow};
use lunette_client::model::id::AssetId;

/// An asset, its name, and why it was not updated.
pub type Reason = (AssetId, String, String);

/// The results of updates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Updated {
    /// Assets that were updated, with their names.
    pub updated: Vec<(AssetId, String)>,
    /// Assets that were up to date.
    pub up_to_date: Vec<AssetId>,
    /// Assets that were deliberately not updated.
    pub skipped: Vec<Reason>,
    /// Assets whose update failed.
    pub failed: Vec<Reason>,
}

impl Updated {
    /// Adds assets that need no change; returns those that are up to date.
    pub fn add_unchanged(&mut self, updates: &Updates) -> HashSet<AssetId> {
        self.skipped.extend(updates.skipped.iter().cloned());
        self.up_to_date.extend(updates.up_to_date.iter().cloned());
        updates.up_to_date.iter().cloned().collect()
    }

    /// Adds the results of the changes; returns the assets whose changes were all made.
    pub fn add_results<'a>(
        &mut self,
        updates: &Updates,
        rows: impl Iterator<Item = &'a RunRow> + Clone,
    ) -> Vec<AssetId> {
        let mut seen = HashSet::new();
        let mut completed = Vec::new();
        for (change, name) in &updates.changes {
            let asset = change.asset();
            if !seen.insert(asset) {
                continue;
            }
            let failed = rows.clone().filter(|row| row.asset == *asset).find_map(|row| match &row.status {
                RowStatus::Done | RowStatus::Unchanged(_) => None,
                RowStatus::Failed(why) => Some(why.clone()),
                RowStatus::Unknown(why) => Some(format!("it is unknown whether it was updated: {why}")),
                RowStatus::Pending | RowStatus::Sending => Some("the import ended before it was reached".to_owned()),
            });
            match failed {
                Some(why) => self.failed.push((asset.clone(), name.clone(), why)),
                None => {
                    self.updated.push((asset.clone(), name.clone()));
                    completed.push(asset.clone());
                }
            }
        }
        completed
    }
}
