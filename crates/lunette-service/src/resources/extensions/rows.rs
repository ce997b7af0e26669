//! The list of assets with only what a list shows, for clients that list very many.

use crate::http::spool::ResponseText;
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::operation::table::AssetsRowsSnapshot;

/// Lists what a list shows of assets, most recently updated first: at most `limit` that follow `after`, which is the
/// `next` of the page before.
pub(crate) fn rows(
    service: &Service,
    caller: &RequestContext,
    op: AssetsRowsSnapshot,
) -> Result<ResponseText, ServiceError> {
    let AssetsRowsSnapshot { after, limit } = op;
    let bad = |()| ServiceError::bad_request("`after` is not the `next` of a page of this list");
    let after = after.map(|after| after.parse().map_err(bad)).transpose()?;
    let mut list = record::List::plain(service, caller);
    let limit = limit.unwrap_or(u64::MAX);
    let next = service.store.each_listed_asset(after, limit, |asset| list.add_listed_asset(asset))?;
    list.finish_with(&next.map(|next| format!("\"next\":\"{next}\"")).unwrap_or_default())
}
