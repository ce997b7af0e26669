//! The routes: every operation of the table, and the handler that does it. Nothing else stands here.

use crate::operation::table::{GetWellKnownHealth, GetWellKnownVersion};

use super::http::Routes;
use super::well_known;

/// Mounts every operation.
pub(super) fn all(routes: Routes) -> Routes {
    routes.on::<GetWellKnownHealth>(well_known::health).on::<GetWellKnownVersion>(well_known::version)
}
