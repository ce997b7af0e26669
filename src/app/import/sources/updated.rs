//! What became of assets whose items have changed.

use std::collections::HashSet;

use super::Updates;
use crate::app::bulk::{Row, RowStatus};
use lunette_client::model::id::AssetId;

/// An asset, its name, and why it stays as it is, or was not updated.
pub type Reason = (AssetId, String, String);

/// What became of assets whose items have changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Updated {
    /// Assets that were updated, with their names.
    pub updated: Vec<(AssetId, String)>,
    /// Assets that had all that their items have.
    pub settled: Vec<AssetId>,
    /// Assets that stay as they are.
    pub kept: Vec<Reason>,
    /// Assets that were not updated.
    pub failed: Vec<Reason>,
}

impl Updated {
    /// Takes what needed no change; returns the assets that have all that their items have.
    pub fn take_unchanged(&mut self, updates: &Updates) -> HashSet<AssetId> {
        self.kept.extend(updates.kept.iter().cloned());
        self.settled.extend(updates.settled.iter().cloned());
        updates.settled.iter().cloned().collect()
    }

    /// Takes what became of the changes; returns the assets of which all were made.
    pub fn take<'a>(&mut self, updates: &Updates, rows: impl Iterator<Item = &'a Row> + Clone) -> Vec<AssetId> {
        let mut seen = HashSet::new();
        let mut whole = Vec::new();
        for (change, name) in &updates.changes {
            let asset = change.asset();
            if !seen.insert(asset) {
                continue;
            }
            let failed = rows.clone().filter(|row| row.asset == *asset).find_map(|row| match &row.status {
                RowStatus::Done | RowStatus::Unchanged(_) => None,
                RowStatus::Failed(why) => Some(why.clone()),
                RowStatus::Unknown(why) => Some(format!("it is unknown whether it was updated: {why}")),
                RowStatus::Pending | RowStatus::Sending => Some("it was not reached".to_owned()),
            });
            match failed {
                Some(why) => self.failed.push((asset.clone(), name.clone(), why)),
                None => {
                    self.updated.push((asset.clone(), name.clone()));
                    whole.push(asset.clone());
                }
            }
        }
        whole
    }
}
