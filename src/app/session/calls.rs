//! Whether the service answers its calls, and answers them well: what the connection chip says.
//!
//! What must hold: a call that has waited for longer than [`SLOW`] is known until it ends, however it ends; a bad answer
//! is known until a good one comes. A good health check alone does not hide that everything else fails.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::app::CallError;
use crate::app::session::log::LogEntry;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{GetWellKnownHealth, GetWellKnownVersion};

/// How long a call may go without an answer before the window says that it is waiting.
pub(in crate::app) const SLOW: Duration = Duration::from_secs(2);

/// A call that has had no answer for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingCall {
    /// Its operation.
    pub operation: &'static str,
    /// When it was sent.
    pub since: Timestamp,
}

/// The last answer, where it was not a good one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFault {
    /// The operation that was called.
    pub operation: &'static str,
    /// What was wrong, in a sentence.
    pub reason: String,
    /// Whether no answer came in time.
    pub timed_out: bool,
    /// When the call ended.
    pub at: Timestamp,
}

/// How the calls of a connection go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallHealth {
    pending: Vec<Arc<PendingCall>>,
    fault: Option<Arc<CallFault>>,
}

impl CallHealth {
    /// The call that has waited longest for its answer; None while every call is answered soon.
    pub fn waiting(&self) -> Option<&PendingCall> {
        self.pending.iter().min_by_key(|call| call.since).map(|call| &**call)
    }

    /// What was wrong with the last answer; None where it was good.
    pub fn fault(&self) -> Option<&CallFault> {
        self.fault.as_deref()
    }

    pub(in crate::app) fn begin_waiting(&mut self, call: Arc<PendingCall>) {
        self.pending.push(call);
    }

    pub(in crate::app) fn end_waiting(&mut self, call: &Arc<PendingCall>) {
        self.pending.retain(|pending| !Arc::ptr_eq(pending, call));
    }

    /// Notes how a call ended.
    pub(in crate::app) fn record(&mut self, line: &LogEntry) {
        match &line.error {
            Some(error) if is_fault(error) => {
                self.fault = Some(Arc::new(CallFault {
                    operation: line.info.name,
                    reason: error.reason(),
                    timed_out: matches!(error, CallError::TimedOut { .. }),
                    at: Timestamp::now(),
                }));
            }
            // A refusal is a good answer: the service understood what was asked.
            Some(CallError::Status { .. }) | None if self.is_answered_by(line) => self.fault = None,
            _ => {}
        }
    }

    /// Whether a good answer to this call says that the fault is over.
    fn is_answered_by(&self, line: &LogEntry) -> bool {
        let same = self.fault.as_ref().is_some_and(|fault| fault.operation == line.info.name);
        let greets = [GetWellKnownHealth::INFO.name, GetWellKnownVersion::INFO.name].contains(&line.info.name);
        same || !greets
    }
}

/// Whether an error says that the service does not work as it should: its own faults, and answers that cannot be read.
/// What it refuses, or does not offer, is no fault.
fn is_fault(error: &CallError) -> bool {
    match error {
        // A full disk (507) has a bar of its own.
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
