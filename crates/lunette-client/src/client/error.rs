//! How a call can fail: one enum, with a variant for each way a user can react.
//!
//! What must hold: every error names the method and the address, in which phase it happened and why; text from a
//! service is shortened and has its control characters escaped, so that it can be shown and logged as is.

use std::fmt;
use std::time::Duration;

use super::Refusal;
use crate::operation::{Method, OperationInfo};
use lunette_json::budget::OverBudget;

/// The request: method and URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The method.
    pub method: Method,
    /// The whole URL, query included.
    pub url: String,
    /// Whether the call can change anything.
    pub writes: bool,
    /// Whether the response includes content that the request could have left out.
    pub content: bool,
}

/// The inputs that exclude content.
const CONTENT: [&str; 2] = ["transferables", "transferable"];

impl Target {
    pub(super) fn new(info: &OperationInfo, url: String) -> Self {
        let may_leave_out = info.inputs.iter().any(|input| CONTENT.contains(&input.name));
        let left_out = CONTENT.iter().any(|name| url.contains(&format!("{name}=false")));
        Self { method: info.method, url, writes: info.writes(), content: may_leave_out && !left_out }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.url)
    }
}

/// The phase in which a call timed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeoutPhase {
    /// Establishing a connection: nothing was sent yet.
    Connect,
    /// Waiting for the status line.
    Response,
    /// Reading the rest of the response.
    Body,
}

impl fmt::Display for TimeoutPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connect => "no connection",
            Self::Response => "no response",
            Self::Body => "incomplete response",
        })
    }
}

/// Why a call returned no usable response.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CallError {
    /// A malformed address; nothing was sent.
    #[error("{text:?} is not a service address: {problem}")]
    Address {
        /// The text.
        text: String,
        /// Why not.
        problem: String,
    },
    /// Not connected: the service is gone, or none was reached yet; nothing was sent.
    #[error("not connected: {problem}")]
    Disconnected {
        /// The reason.
        problem: String,
    },
    /// A write blocked by the connection's write policy, or because the service refuses writes; nothing was sent.
    #[error("{target}: {}", refusal.as_ref().map_or_else(
        || "this connection is read-only".to_owned(), |refusal| format!("read-only: {refusal}")))]
    ReadOnly {
        /// The request.
        target: Target,
        /// The refusal after which the service gets no writes; `None` if the write policy blocks them.
        refusal: Option<Refusal>,
    },
    /// The connection was refused; nothing was sent.
    #[error("{target}: no connection: {problem}")]
    Refused {
        /// The request.
        target: Target,
        /// The system's reason.
        problem: String,
    },
    /// The call timed out.
    #[error("{target}: {waiting} within {limit:?}")]
    TimedOut {
        /// The request.
        target: Target,
        /// The phase.
        waiting: TimeoutPhase,
        /// The limit that was reached.
        limit: Duration,
    },
    /// The connection was lost after the request was sent.
    #[error("{target}: connection lost: {problem}")]
    Reset {
        /// The request.
        target: Target,
        /// The system's reason.
        problem: String,
    },
    /// An error status, with the service's own text.
    #[error("{target}: status {status}: {sentence}")]
    Status {
        /// The request.
        target: Target,
        /// The status.
        status: u16,
        /// The response's text, shortened; for a redirect, where it leads.
        sentence: String,
    },
    /// Another program responded: a web page, or not HTTP at all.
    #[error("{target}: not a compatible service: {found}")]
    NotThisService {
        /// The request.
        target: Target,
        /// What came back instead.
        found: String,
        /// The status it came with; None where it was not HTTP.
        status: Option<u16>,
    },
    /// A success whose body is not JSON, or not text where text was expected.
    #[error("{target}: the response is not JSON: {problem}")]
    NotJson {
        /// The request.
        target: Target,
        /// What is wrong with it.
        problem: String,
    },
    /// A success whose JSON does not match the schema.
    #[error("{target}: unexpected response: {problem} at {path}")]
    SchemaError {
        /// The request.
        target: Target,
        /// The path, as `$.formats.iterable[0].id`.
        path: String,
        /// What is wrong there.
        problem: String,
    },
    /// A response larger than the limit; the rest was not read.
    #[error("{target}: the response is larger than {limit} bytes")]
    TooLarge {
        /// The request.
        target: Target,
        /// The limit, in bytes.
        limit: usize,
    },
    /// A success that should have no content but has some.
    #[error("{target}: unexpected body: {found}")]
    UnexpectedBody {
        /// The request.
        target: Target,
        /// The body, shortened.
        found: String,
    },
    /// A response with more JSON values than its memory budget allows; nothing of it was kept.
    #[error("{target}: the response is too large: {over}")]
    TooManyValues {
        /// The request.
        target: Target,
        /// How many values, and the limit.
        over: OverBudget,
    },
    /// A list larger than the limit, from a service that ignores pagination.
    #[error("{target}: the list is larger than {limit} bytes, and the service does not support paging")]
    Unpaged {
        /// The request.
        target: Target,
        /// The limit, in bytes.
        limit: usize,
    },
    /// The user cancelled the call.
    #[error("{target}: cancelled")]
    Cancelled {
        /// The request.
        target: Target,
    },
    /// An internal error: a panic in the task, or a client that could not be built.
    #[error("{}: internal error: {problem}", target.as_ref().map_or_else(|| "Lunette".to_owned(), Target::to_string))]
    Internal {
        /// The request; None if the failure came before one was made.
        target: Option<Target>,
        /// What happened.
        problem: String,
    },
}

impl CallError {
    /// The request, if one was made.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Self::Address { .. } | Self::Disconnected { .. } => None,
            Self::Internal { target, .. } => target.as_ref(),
            Self::ReadOnly { target, .. }
            | Self::Refused { target, .. }
            | Self::TimedOut { target, .. }
            | Self::Reset { target, .. }
            | Self::Status { target, .. }
            | Self::NotThisService { target, .. }
            | Self::NotJson { target, .. }
            | Self::SchemaError { target, .. }
            | Self::TooLarge { target, .. }
            | Self::UnexpectedBody { target, .. }
            | Self::TooManyValues { target, .. }
            | Self::Unpaged { target, .. }
            | Self::Cancelled { target } => Some(target),
        }
    }

    /// A short name of the failure.
    pub fn phase(&self) -> &'static str {
        match self {
            Self::Address { .. } => "address",
            Self::Disconnected { .. } => "not connected",
            Self::ReadOnly { .. } => "read-only",
            Self::Refused { .. } => "refused",
            Self::TimedOut { .. } => "timed out",
            Self::Reset { .. } => "reset",
            Self::Status { .. } => "status",
            Self::NotThisService { .. } => "not this service",
            Self::NotJson { .. } => "not JSON",
            Self::SchemaError { .. } => "wrong shape",
            Self::UnexpectedBody { .. } => "unexpected body",
            Self::TooLarge { .. } | Self::TooManyValues { .. } | Self::Unpaged { .. } => "too large",
            Self::Cancelled { .. } => "cancelled",
            Self::Internal { .. } => "broken",
        }
    }

    /// Why, without method and address: the part that differs between two failures of the same call.
    pub fn reason(&self) -> String {
        let whole = self.to_string();
        let shown = self.target().map(|target| format!("{target}: ")).unwrap_or_default();
        whole.strip_prefix(&shown).map(str::to_owned).unwrap_or(whole)
    }

    /// Whether the operation is unsupported or the record not found (404, 405, 501).
    pub fn missing(&self) -> bool {
        matches!(self, Self::Status { status: 404 | 405 | 501, .. })
    }

    /// Whether the response exceeds a limit on bytes or values, so that a smaller request may succeed.
    pub fn too_large(&self) -> bool {
        matches!(self, Self::TooLarge { .. } | Self::TooManyValues { .. })
    }

    /// Whether the outcome of a write is unknown: it was sent, and no response says that it failed. Never retry it
    /// automatically.
    pub fn outcome_unknown(&self) -> bool {
        let unknown = match self {
            Self::TimedOut { waiting, .. } => *waiting != TimeoutPhase::Connect,
            Self::Status { status, .. } => !rejects_write(*status),
            Self::NotThisService { status, .. } => !status.is_some_and(rejects_write),
            // A success that cannot be decoded was most likely applied.
            Self::NotJson { .. } | Self::SchemaError { .. } | Self::UnexpectedBody { .. } => true,
            Self::TooLarge { .. } | Self::TooManyValues { .. } | Self::Unpaged { .. } => true,
            Self::Reset { .. } | Self::Cancelled { .. } | Self::Internal { .. } => true,
            Self::Address { .. } | Self::Disconnected { .. } | Self::ReadOnly { .. } | Self::Refused { .. } => false,
        };
        unknown && self.target().is_some_and(|target| target.writes)
    }

    /// Advice: one sentence on what the user can do.
    pub fn advice(&self) -> String {
        if self.outcome_unknown() {
            return "It is unknown whether the change was made. Reload the item and check before trying again."
                .to_owned();
        }
        match self {
            Self::Address { .. } => "Use the form localhost:39300 or http://127.0.0.1:39300.",
            Self::Disconnected { .. } => {
                "Lunette reconnects automatically. Try again then, or choose another service under Connection."
            }
            Self::ReadOnly { refusal: None, .. } => "Choose Allow or Confirm under Connection to make changes.",
            Self::ReadOnly { refusal: Some(_), .. } => {
                "The service only reads. If it accepts changes again, choose Try again under Connection."
            }
            Self::Refused { .. } => "Start the service, or choose another one under Connection.",
            Self::TimedOut { waiting: TimeoutPhase::Connect, .. } => {
                "Check the address: the machine does not respond. A service on this machine responds immediately."
            }
            Self::TimedOut { .. } => "The service is busy or stuck. Try again, or restart it.",
            Self::Reset { .. } => "The service may be restarting. Try again in a moment.",
            Self::Status { status, .. } => status_advice(*status),
            Self::NotThisService { .. } => {
                "Another program uses this address. Choose another service under Connection."
            }
            Self::NotJson { .. } | Self::SchemaError { .. } | Self::UnexpectedBody { .. } => {
                "Check the raw response in the Log. The service may be a different version or a different program."
            }
            Self::TooLarge { target, .. } | Self::TooManyValues { target, .. } if target.content => {
                "Request it without content (transferables off), or export it."
            }
            Self::TooLarge { .. } | Self::TooManyValues { .. } => "Request less data if the service supports it.",
            Self::Unpaged { .. } => "Search for assets, or open one by its id.",
            Self::Cancelled { .. } => "Send it again if you still need it.",
            Self::Internal { .. } => "This is a bug in Lunette. Try again, or restart the program.",
        }
        .to_owned()
    }
}

/// Whether a status means that a write was not applied: redirects and client errors, 501 (not implemented) and 507
/// (insufficient storage).
///
/// Our choice: no other 5xx does. A proxy may have lost the response to a write that was applied, and a service may
/// fail after storing it.
fn rejects_write(status: u16) -> bool {
    matches!(status, 300..=499 | 501 | 507)
}

fn status_advice(status: u16) -> &'static str {
    match status {
        300..=399 => "Redirects are not followed. If you trust the new address, enter it under Connection.",
        401 => "The service requires you to sign in. Sign in there, then try again.",
        403 => "The service refuses this program or its address. Connect to localhost or 127.0.0.1.",
        404 => "Check the id. The item does not exist, or the service does not support this operation.",
        405 | 501 => "This service does not support the operation. Everything else still works.",
        410 => "It was deleted or never existed. Refresh the list.",
        413 => "Send less at once; the service limits the size.",
        429 | 503 => "The service is busy. Wait a moment, then try again.",
        500..=599 => "The service failed; see its log. Try again, or restart it.",
        _ => "The service rejected the request. Correct it as the message says, then send it again.",
    }
}
