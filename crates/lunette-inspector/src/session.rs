//! The connection: finding, connecting, losing and leaving a service, its capabilities, the write policy, and the log
//! of calls.
//!
//! What must hold: nothing is sent to a service without the consent of the user. While the connection is lost, nothing
//! is sent until the same service is back.

mod actions;
mod calls;
mod connect;
mod identity;
pub mod log;
mod log_limits;
mod output;
mod pace;
mod reconnect;
pub(crate) mod reporter;
mod saved;
mod state;
mod storage;
pub mod support;
mod trust;
pub mod write_policy;

pub use actions::Action;
pub(crate) use output::Output;

pub use calls::{CallFault, CallHealth, FaultKind, PendingCall};
pub use identity::{Identity, Retry};
pub use lunette_client::client::{MAX_CONCURRENCY, PaceView};
pub use pace::{limiter_words, pace_words};
pub(crate) use reconnect::ReconnectState;
pub use state::{Connection, Session, Status};
pub(crate) use storage::ConnectionStorage;
pub(crate) use trust::FirstChoice;
