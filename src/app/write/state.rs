//! What the window shows of writes.

use std::sync::Arc;

use super::conflict::Conflict;
use super::plan::Planned;
use crate::app::session::log::LogEntry;

/// The plan and the conflict that are open, and the console.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Writes {
    /// The write whose plan is shown before it is sent.
    pub planned: Option<Planned>,
    /// The write that met an asset which had moved on.
    pub conflict: Option<Conflict>,
    /// The last answer of the operations console.
    pub console: Console,
}

/// The operations console.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Console {
    /// Whether an answer is awaited.
    pub waiting: bool,
    /// The last request that went out, and its answer.
    pub answer: Option<Arc<ConsoleAnswer>>,
    /// Why the last request did not go out, or was given up.
    pub refused: Option<String>,
}

/// An answer in the console: the log keeps the beginning of a body, the console all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsoleAnswer {
    /// The request and how it went.
    pub line: Arc<LogEntry>,
    /// The body as text; bytes that are none are replaced.
    pub text: Arc<str>,
    /// The body as JSON, where it is.
    pub tree: Option<Arc<serde_json::Value>>,
}
