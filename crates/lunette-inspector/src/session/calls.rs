//! The health of the calls of a connection, which the connection chip shows.
//!
//! What must hold: a call without a response for longer than [`lunette_client::client::SLOW`] is shown until it ends, however it ends; a
//! failure is shown until a call succeeds. A successful health check alone does not hide the failures of other calls.

use std::sync::Arc;

use jiff::Timestamp;

use crate::CallError;
use crate::session::log::LogEntry;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{GetWellKnownHealth, GetWellKnownVersion};

/// A call that has had no response for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingCall {
    /// Its operation.
    pub operation: &'static str,
    /// When it was sent.
    pub since: Timestamp,
}

/// The last response, if it was a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFault {
    /// The operation that was called.
    pub operation: &'static str,
    /// The failure, in a sentence.
    pub reason: String,
    /// What kind of failure it was.
    pub kind: FaultKind,
    /// When the call ended.
    pub at: Timestamp,
}

/// How a call failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// There was no response in time.
    TimedOut,
    /// There was a response that is not the one of the operation.
    Unexpected,
    /// The service reported an error, or closed the connection.
    Reported,
}

impl FaultKind {
    fn of(error: &CallError) -> Self {
        match error {
            CallError::TimedOut { .. } => Self::TimedOut,
            CallError::NotThisService { .. }
            | CallError::NotJson { .. }
            | CallError::SchemaError { .. }
            | CallError::UnexpectedBody { .. } => Self::Unexpected,
            _ => Self::Reported,
        }
    }
}

/// The health of the calls of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallHealth {
    pending: Vec<Arc<PendingCall>>,
    fault: Option<Arc<CallFault>>,
}

impl CallHealth {
    /// The call that has waited longest for its response; `None` while no call is slow.
    pub fn waiting(&self) -> Option<&PendingCall> {
        self.pending.iter().min_by_key(|call| call.since).map(|call| &**call)
    }

    /// The failure of the last call, if it failed.
    pub fn fault(&self) -> Option<&CallFault> {
        self.fault.as_deref()
    }

    pub(crate) fn begin_waiting(&mut self, call: Arc<PendingCall>) {
        self.pending.push(call);
    }

    pub(crate) fn end_waiting(&mut self, call: &Arc<PendingCall>) {
        self.pending.retain(|pending| !Arc::ptr_eq(pending, call));
    }

    /// Records the result of a call.
    pub(crate) fn record(&mut self, line: &LogEntry) {
        match &line.error {
            Some(error) if is_fault(error) => {
                self.fault = Some(Arc::new(CallFault {
                    operation: line.info.name,
                    reason: error.reason(),
                    kind: FaultKind::of(error),
                    at: Timestamp::now(),
                }));
            }
            // A rejection counts as success: the service understood the request.
            Some(CallError::Status { .. }) | None if self.is_answered_by(line) => self.fault = None,
            _ => {}
        }
    }

    /// Whether the success of this call means that the failure is over.
    fn is_answered_by(&self, line: &LogEntry) -> bool {
        let same = self.fault.as_ref().is_some_and(|fault| fault.operation == line.info.name);
        let greets = [GetWellKnownHealth::INFO.name, GetWellKnownVersion::INFO.name].contains(&line.info.name);
        same || !greets
    }
}

/// Whether an error is a failure of the service: an internal error, or a response that cannot be read. Rejections and
/// unsupported operations are not failures.
fn is_fault(error: &CallError) -> bool {
    match error {
        // A full disk (507) has its own banner.
        CallError::Status { status, .. } => *status >= 500 && *status != 507 && !error.missing(),
        CallError::NotThisService { .. }
        | CallError::NotJson { .. }
        | CallError::SchemaError { .. }
        | CallError::UnexpectedBody { .. }
        | CallError::Reset { .. }
        | CallError::TimedOut { .. } => true,
        _ => false,
    }
}
