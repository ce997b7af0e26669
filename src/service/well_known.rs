//! That the service is there, and which one it is.

use crate::operation::table::{GetWellKnownHealth, GetWellKnownVersion};

use super::{Caller, Service, ServiceError};

/// `ok:` and the id of the data folder; clients look for a text that begins with `ok` (records, section 3).
pub(super) fn health(service: &Service, _: &Caller, _: GetWellKnownHealth) -> Result<String, ServiceError> {
    Ok(format!("ok:{}", service.store.identity().folder))
}

/// Three numbers with dots; clients compare them.
pub(super) fn version(_: &Service, _: &Caller, _: GetWellKnownVersion) -> Result<String, ServiceError> {
    Ok(env!("CARGO_PKG_VERSION").to_owned())
}
