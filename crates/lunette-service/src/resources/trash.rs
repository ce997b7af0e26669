//! The Trash: listing, restoring, and deleting permanently.
//!
//! Our choice: deleted assets are kept in a Trash for 30 days. Every other operation sees them as deleted.

use lunette_client::operation::table::{AssetsTrashDelete, AssetsTrashEmpty, AssetsTrashRestore, AssetsTrashSnapshot};

use super::assets::{changed, transfer};
use crate::http::spool::ResponseText;
use crate::{RequestContext, Service, ServiceError, record};

/// Lists the assets in the Trash, most recently deleted first: a page (pagination by offset and limit), or all of them.
/// Each has `deleted`, and in the extra field `expires` when it will be deleted permanently.
pub(crate) fn snapshot(
    service: &Service,
    caller: &RequestContext,
    op: AssetsTrashSnapshot,
) -> Result<ResponseText, ServiceError> {
    let (mut list, identity) = (record::List::indexed(service, caller), service.store.identity());
    let page = (op.offset.unwrap_or_default(), op.limit.unwrap_or(u64::MAX));
    service.store.each_trashed(page, |trashed| list.add(&record::trashed_asset(identity, &trashed)))?;
    list.finish()
}

/// Restores an asset and gives its record. One that is not deleted is given as it is.
pub(crate) fn restore(
    service: &Service,
    _: &RequestContext,
    op: AssetsTrashRestore,
) -> Result<ResponseText, ServiceError> {
    service.store.restore_asset(op.asset.as_str())?;
    changed(service, op.asset.as_str(), transfer(op.transferables), "")
}

/// Deletes an asset of the Trash permanently.
pub(crate) fn delete(service: &Service, _: &RequestContext, op: AssetsTrashDelete) -> Result<(), ServiceError> {
    Ok(service.store.purge_asset(op.asset.as_str())?)
}

/// Deletes everything in the Trash permanently. Our choice: with a `count`, nothing where it holds another number of
/// assets, so that assets moved there meanwhile are not deleted.
pub(crate) fn empty(service: &Service, _: &RequestContext, op: AssetsTrashEmpty) -> Result<(), ServiceError> {
    Ok(service.store.empty_trash(op.count)?)
}
