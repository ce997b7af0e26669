//! Reads what a change needs, and plans it.

use std::sync::Arc;

use crate::Vendor;
use crate::change::{Change, Reads};
use crate::write::plan::record::plan_record;
use crate::write::plan::text::plan_text;
use crate::write::plan::trash::plan_in_trash;
use crate::write::plan::{PlanError, Preflight, ambiguous, plan_on, read};
use crate::write::recovery::DeletedAssets;
use crate::{CallError, Transport};

/// Reads the asset and plans the change on it; `own` says whether the service is one of ours. The plan of a deletion
/// says whether the connection can undo it.
///
/// If the whole record is sent back to a foreign service it is read with its content: such a service may replace the
/// record by what it is sent, while ours merges (records, section 0, surprise 7).
pub async fn prepare<C: Transport>(
    caller: &C,
    deleted: &DeletedAssets,
    change: Change,
    vendor: Vendor,
) -> Result<Preflight, PlanError> {
    let reads = change.info().reads;
    if reads == Reads::Copy {
        return Ok(deleted.plan_recreate(change, vendor).await?);
    }
    if reads == Reads::Seed {
        return deleted.copies.plan_copy(caller, change).await;
    }
    let content = reads == Reads::Content || reads == Reads::RecordToSend && !vendor.is_lunette();
    let asset = match read(caller, change.asset(), content).await {
        Ok(asset) => Some(Arc::new(asset)),
        Err(CallError::Status { status: 404 | 410, .. }) if reads == Reads::Trash => None,
        Err(error) => return Err(error.into()),
    };
    let mut planned = match (change, asset) {
        (change, asset) if reads == Reads::Trash => plan_in_trash(change, asset.as_ref()),
        (Change::Text { asset: id, from, to }, Some(asset)) => plan_text(id, from, to, &asset, vendor),
        // The base record has no content, so the compared record must have none either.
        (Change::Record { asset: id, from, to }, Some(asset)) if content => {
            let seen = Arc::new(read(caller, &id, false).await?);
            match ambiguous(&asset).or_else(|| ambiguous(&seen)) {
                Some(error) => Err(error),
                None => plan_record(id, from, to, &seen, &asset),
            }
        }
        (change, asset) => plan_on(change, asset.as_ref()),
    }?;
    if let Preflight::Ready(plan) = &mut planned
        && plan.change.deletes()
    {
        plan.undo = deleted.undo_of_deletion(plan.before.as_deref());
    }
    Ok(planned)
}
