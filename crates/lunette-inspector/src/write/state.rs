//! The state of writes.

use std::sync::Arc;

use super::conflict::Conflict;
use super::plan::Planned;
use crate::session::log::LogEntry;

/// The plan and the conflict that are open, and the console.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Writes {
    /// The write whose plan is shown before it is sent.
    pub planned: Option<Planned>,
    /// The conflict of a write with an asset that was changed meanwhile.
    pub conflict: Option<Conflict>,
    /// The operations console.
    pub console: Console,
}

/// The operations console.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Console {
    /// Whether a response is awaited.
    pub waiting: bool,
    /// The last request that was sent, and its response.
    pub answer: Option<Arc<ConsoleAnswer>>,
    /// Why the last request was not sent, or was cancelled.
    pub refused: Option<String>,
}

/// A response in the console: the log has the beginning of a body, the console the whole body.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsoleAnswer {
    /// The request and its result.
    pub line: Arc<LogEntry>,
    /// The body as text; invalid bytes are replaced.
    pub text: Arc<str>,
    /// The body as JSON, if it is valid.
    pub tree: Option<Arc<serde_json::Value>>,
}
