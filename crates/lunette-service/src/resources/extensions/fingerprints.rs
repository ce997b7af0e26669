//! What tells assets apart, for clients that compare this service with another one.

use crate::http::spool::ResponseText;
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::operation::table::AssetsFingerprintsSnapshot;

/// Lists what tells assets apart, in the order of their creation: at most `limit` that follow `position`, which is the
/// `next` of the page before.
pub(crate) fn fingerprints(
    service: &Service,
    caller: &RequestContext,
    op: AssetsFingerprintsSnapshot,
) -> Result<ResponseText, ServiceError> {
    let AssetsFingerprintsSnapshot { position, limit } = op;
    let clip = |number: Option<u64>, other| number.map_or(other, |number| i64::try_from(number).unwrap_or(i64::MAX));
    let (after, limit) = (clip(position, 0), clip(limit, i64::MAX));
    let mut list = record::List::plain(service, caller);
    let next = service.store.each_fingerprint(after, limit, |asset| list.add_fingerprint(asset))?;
    list.finish_with(&next.map(|next| format!("\"next\":{next}")).unwrap_or_default())
}
