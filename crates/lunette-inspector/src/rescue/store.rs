//! Stores what was received in a service of ours, and links it.
//!
//! What must hold: a record that is stored is replaced only where its service changed it and nobody here did; a tag or
//! a website that is here under another id is linked in its place, and never stored twice.

use std::collections::HashMap;
use std::io;

use serde_json::Value;

use crate::rescue::compare::differences;
use crate::rescue::ledger::{Kept, Ledger};
use crate::rescue::mapping::Mapping;
use crate::rescue::verify::read_back;
use crate::rescue::{Destination, Kind, Phase, Progress, RescueError, StoredRecord};

/// How many records are stored at once.
const BATCH: usize = 100;

/// What became of the records that were stored.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// Why records differ that were not stored, or not changed.
    pub reasons: HashMap<(Kind, String), String>,
    /// The ids under which records were here before, by those that they were received with.
    pub mapping: Mapping,
}

/// Stores what was received and is not stored, replaces what changed, and then links it.
pub(super) async fn store(
    ledger: &Ledger,
    destination: &dyn Destination,
    progress: &(dyn Fn(Progress) + Send + Sync),
) -> Result<Outcome, RescueError> {
    let mut outcome = Outcome::default();
    for kind in stored_kinds() {
        outcome.store(kind, ledger, destination, progress)?;
        outcome.change(kind, ledger, destination).await?;
    }
    for kind in stored_kinds() {
        let mut done = 0;
        // A link that was not made shows when its ends are read back.
        let link = |batch: Vec<Kept>| {
            let records: Vec<Value> =
                parsed(&batch).into_iter().map(|record| outcome.mapping.applied(record)).collect();
            destination.link(kind, &records).map_err(io::Error::other)?;
            done += batch.len();
            progress(Progress { phase: Phase::Linking, kind, done, named: ledger.count(kind) });
            Ok(())
        };
        ledger.each(kind, BATCH, link).map_err(|error| RescueError::Store(error.to_string()))?;
    }
    Ok(outcome)
}

impl Outcome {
    fn store(
        &mut self,
        kind: Kind,
        ledger: &Ledger,
        destination: &dyn Destination,
        progress: &(dyn Fn(Progress) + Send + Sync),
    ) -> Result<(), RescueError> {
        let mut done = 0;
        // All of them, since what one needs may have come since it was refused.
        let each = |batch: Vec<Kept>| {
            let outcomes = destination.store(kind, &parsed(&batch)).map_err(io::Error::other)?;
            done += batch.len();
            for (kept, stored) in batch.into_iter().zip(outcomes) {
                match stored {
                    StoredRecord::Here => {}
                    StoredRecord::As(id) => self.mapping.insert(kept.id, id),
                    StoredRecord::Refused(why) => {
                        self.reasons.insert((kind, kept.id), format!("it was not stored: {why}"));
                    }
                }
            }
            progress(Progress { phase: Phase::Storing, kind, done, named: ledger.count(kind) });
            Ok(())
        };
        ledger.each(kind, BATCH, each).map_err(|error| RescueError::Store(error.to_string()))
    }

    /// Replaces the records of a kind that were stored as they were received earlier, and have changed since.
    async fn change(&mut self, kind: Kind, ledger: &Ledger, destination: &dyn Destination) -> Result<(), RescueError> {
        let earlier = ledger.earlier(kind)?;
        if earlier.is_empty() {
            return Ok(());
        }
        let here = read_back(&destination.client()?, kind).await?;
        let each = |batch: Vec<Kept>| {
            let (mut ids, mut records) = (Vec::new(), Vec::new());
            for kept in batch {
                let (Some(forms), Some(here)) = (earlier.get(&kept.id), here.get(&kept.id.to_lowercase())) else {
                    continue;
                };
                let newest: Value = serde_json::from_str(&kept.raw).unwrap_or_default();
                if differences(kind, &newest, here).is_empty() {
                    continue;
                }
                if forms.iter().any(|form| differences(kind, form, here).is_empty()) {
                    ids.push(kept.id);
                    records.push(newest);
                } else {
                    let why = "it was changed there and here, and is left as it is here";
                    self.reasons.insert((kind, kept.id), why.to_owned());
                }
            }
            let outcomes = destination.change(kind, &records).map_err(io::Error::other)?;
            let refused = ids.into_iter().zip(outcomes).filter_map(|(id, why)| Some((id, why?)));
            self.reasons.extend(refused.map(|(id, why)| ((kind, id), format!("its change was not stored: {why}"))));
            Ok(())
        };
        ledger.each(kind, BATCH, each).map_err(|error| RescueError::Store(error.to_string()))
    }
}

fn stored_kinds() -> impl Iterator<Item = Kind> {
    Kind::ALL.into_iter().filter(|kind| kind.is_stored())
}

/// The records as trees.
fn parsed(batch: &[Kept]) -> Vec<Value> {
    batch.iter().map(|kept| serde_json::from_str(&kept.raw).unwrap_or_default()).collect()
}
