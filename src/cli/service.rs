//! Verbs that concern a service: running one, finding, checking and calling it, its backups, and connecting to it.

pub(super) mod assistants_endpoint;
pub(super) mod backup;
pub mod call;
pub(super) mod check;
pub(super) mod connect;
pub(super) mod data_dir;
#[doc(hidden)]
pub mod embedded;
pub mod openapi;
pub mod operations;
pub(super) mod rescue;
pub(super) mod restore;
pub(super) mod scratch;
pub mod serve;
pub mod services;
pub(super) mod sides;
pub(super) mod target;
pub(super) mod turn;
