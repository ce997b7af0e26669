//! The Trash: listing, restoring, and deleting permanently.
//!
//! Our choice: deleted assets are kept in a Trash for 30 days. Every other operation sees them as deleted.

use lunette_client::operation::table::{AssetsTrashDelete, AssetsTrashEmpty, AssetsTrashRestore, AssetsTrashSnapshot};

use super::assets::{changed, transfer};
use super::spool::ResponseText;
use super::{RequestContext, Service, ServiceError, record};

/// Lists the assets in the Trash, deleted last first: a page, or all of them. Each tells when it was `deleted`, and in
/// the extra field `expires` when it will be deleted permanently.
pub(super) fn snapshot(
    service: &Service,
    _: &RequestContext,
    op: AssetsTrashSnapshot,
) -> Result<ResponseText, ServiceError> {
    let AssetsTrashSnapshot { offset, limit } = op;
    let page = service.store.trash(offset.unwrap_or_default(), limit.unwrap_or(u64::MAX))?;
    record::trash_text(service, &page)
}

/// Restores an asset and gives its record. One that is not deleted is given as it is.
pub(super) fn restore(
    service: &Service,
    _: &RequestContext,
    op: AssetsTrashRestore,
) -> Result<ResponseText, ServiceError> {
    service.store.restore_asset(op.asset.as_str())?;
    changed(service, op.asset.as_str(), transfer(op.transferables), "")
}

/// Deletes an asset of the Trash permanently.
pub(super) fn delete(service: &Service, _: &RequestContext, op: AssetsTrashDelete) -> Result<(), ServiceError> {
    Ok(service.store.purge_asset(op.asset.as_str())?)
}

/// Deletes everything in the Trash permanently. Our choice: with a `count`, nothing where it holds another number of
/// assets, so that nobody deletes what was moved there since they looked.
pub(super) fn empty(service: &Service, _: &RequestContext, op: AssetsTrashEmpty) -> Result<(), ServiceError> {
    Ok(service.store.empty_trash(op.count)?)
}
