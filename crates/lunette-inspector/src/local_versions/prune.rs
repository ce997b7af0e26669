//! Deletes versions that are too old, too many or take too much.
//!
//! What must hold: a version that a checkpoint names stays, and can be read without those after it; no transaction
//! deletes those of more than a few assets, so that writes of others need not wait.

use crate::db::versions::{RowResult, StoredAsset, StoredCheckpoint, StoredVersion, VersionRows};
use crate::db::{Database, DatabaseError};
use crate::settings::VersionBounds;
use lunette_versions::encode;

use super::read::{Version, chain};

/// How many assets one transaction prunes.
const AT_ONCE: i64 = 50;
/// How often the oldest versions are deleted until everything fits.
const MAX_ROUNDS: usize = 40;
/// The part of the versions that is deleted at once, as a divisor.
const TENTH: i64 = 10;
const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// Deletes the versions of an asset up to a number, but for those that a checkpoint names.
pub(super) fn prune_asset(
    rows: &VersionRows<'_>,
    stored: &StoredAsset,
    up_to: i64,
    checkpoints: &[StoredCheckpoint],
) -> RowResult<()> {
    let named: Vec<i64> = checkpoints
        .iter()
        .filter(|one| !one.is_automatic && names(one, &stored.asset))
        .map(|checkpoint| checkpoint.at)
        .collect();
    let mut kept = Vec::new();
    if !named.is_empty() {
        let versions = chain(rows, stored.clone())?;
        // The version that was there at a moment is the newest that was written until then.
        let at = |moment: &i64| versions.iter().find(|version| version.at <= *moment);
        let mut numbers: Vec<i64> = named.iter().filter_map(at).map(|version| version.number).collect();
        numbers.dedup();
        kept.extend(
            versions.into_iter().filter(|version| version.number <= up_to && numbers.contains(&version.number)),
        );
    }
    let past = if kept.is_empty() { Vec::new() } else { rows.past(stored.id)? };
    rows.delete_past(stored.id, up_to)?;
    for Version { number, state, content, .. } in kept {
        let Some(row) = past.iter().find(|row| row.number == number) else { continue };
        let record = state.map_or_else(|| row.record.clone(), |state| encode(&state.text(), None));
        let content = content.map_or_else(|| row.content.clone(), |content| encode(&content, None));
        rows.put_past(stored.id, &StoredVersion { record, content, ..row.clone() })?;
    }
    Ok(())
}

fn names(checkpoint: &StoredCheckpoint, asset: &str) -> bool {
    checkpoint.assets.is_empty() || checkpoint.assets.contains(&format!("\"{asset}\""))
}

/// Deletes what is older than the bounds allow, and the oldest while all take more than they may. Blocks.
pub(super) fn prune(
    database: &Database,
    connection: &str,
    bounds: VersionBounds,
    now: i64,
) -> Result<(), DatabaseError> {
    let oldest = now.saturating_sub(i64::from(bounds.days).saturating_mul(DAY));
    replaced_before(database, connection, oldest)?;
    database.change_versions(connection, |rows| {
        rows.delete_watches(oldest)?;
        rows.delete_automatic_checkpoints(oldest)
    })?;
    let (mut before, mut divisor) = (i64::MAX, TENTH);
    for _ in 0..MAX_ROUNDS {
        let bytes = database.read_versions(connection, |rows| rows.bytes())?;
        // What a checkpoint names stays, however much it takes; what is newer goes in its place.
        if bytes >= before {
            divisor /= 2;
        }
        if u64::try_from(bytes).is_ok_and(|bytes| bytes <= bounds.bytes) || divisor == 0 {
            break;
        }
        before = bytes;
        let time = database.read_versions(connection, |rows| rows.oldest(divisor))?;
        replaced_before(database, connection, time.map_or(i64::MAX, |time| time.saturating_add(1)))?;
    }
    Ok(())
}

/// Deletes the versions that were replaced before a time.
fn replaced_before(database: &Database, connection: &str, time: i64) -> Result<(), DatabaseError> {
    let (last, checkpoints) = database.read_versions(connection, |rows| Ok((rows.last_row()?, rows.checkpoints()?)))?;
    for after in (0..last).step_by(AT_ONCE as usize) {
        let due = database.read_versions(connection, |rows| rows.replaced_before(time, (after, after + AT_ONCE)))?;
        if due.is_empty() {
            continue;
        }
        database.change_versions(connection, |rows| {
            for (of, number) in &due {
                if let Some(stored) = rows.asset_of_row(*of)? {
                    prune_asset(rows, &stored, *number, &checkpoints)?;
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}
