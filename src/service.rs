//! The service inside: every operation of the table, done for real on the store.
//!
//! Handlers stand in one module a resource and know nothing of HTTP: each takes a checked operation and gives back its
//! answer or a [`ServiceError`]. They may block, and are called on threads where that is right.

use crate::store::Store;

mod error;

pub use error::ServiceError;

/// What every handler works on.
pub struct Service {
    /// Everything that is kept.
    pub(crate) store: Store,
}

/// Who sent a request, as far as it says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
}
