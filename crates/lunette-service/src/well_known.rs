//! That the service is there, which one it is, and what it does.

use lunette_client::model::local::OpenApi;
use lunette_client::model::record::Record as _;
use lunette_client::operation::openapi::{ApiSurface, Publication, document};
use lunette_client::operation::table::{GetWellKnownHealth, GetWellKnownVersion, Openapi};

use super::{RequestContext, Service, ServiceError};

/// The health of the service.
pub(super) fn health(service: &Service, _: &RequestContext, _: GetWellKnownHealth) -> Result<String, ServiceError> {
    Ok(health_text(service))
}

/// `ok:` and the id of the data folder; clients look for a text that begins with `ok` (records, section 3).
pub(super) fn health_text(service: &Service) -> String {
    format!("ok:{}", service.store.identity().folder)
}

/// Three numbers with dots, which clients compare, and what follows a hyphen.
///
/// Our choice: a version of the family, with our own behind it. The header `Server` says which program this is.
pub(super) fn version(service: &Service, _: &RequestContext, _: GetWellKnownVersion) -> Result<String, ServiceError> {
    Ok(service.version.clone())
}

/// The description of everything: where it is offered, all of the table is.
pub(super) fn openapi(_: &Service, _: &RequestContext, _: Openapi) -> Result<OpenApi, ServiceError> {
    Ok(OpenApi::from_tree(document(ApiSurface::Everything, Publication::Served))?)
}
