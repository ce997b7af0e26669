//! The service that is used: finding, reaching, losing and leaving it, what it offers, which writes it gets, and the log
//! of what it was sent.
//!
//! What must hold: nothing is sent to a service that the user did not agree to; while a connection is lost nothing is
//! sent at all until the same service is back.

mod actions;
mod calls;
pub mod capability;
mod connect;
pub mod feature;
mod identity;
pub mod log;
mod log_limits;
mod output;
mod reconnect;
mod saved;
mod state;
mod storage;
pub mod transport;
mod trust;
pub mod write_policy;

pub use actions::Action;
pub(in crate::app) use output::Output;

pub(in crate::app) use calls::SLOW;
pub use calls::{CallFault, CallHealth, PendingCall};
pub use identity::{Identity, Retry};
pub(in crate::app) use reconnect::ReconnectState;
pub use state::{Connection, Session, Status};
pub(in crate::app) use storage::ConnectionStorage;
pub(in crate::app) use trust::FirstChoice;
