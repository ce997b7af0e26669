//! Assistants: the clients of the Model Context Protocol that used the service through this program, what they called,
//! and what the user decided about them.
//!
//! What must hold: an assistant can neither read nor change what is recorded here; a call of one that was turned off
//! does nothing.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::db::{Database, DatabaseError};

mod token;
pub mod window;

pub use token::{Token, TokenError, TokenFile, TokenVerifier};

/// What is known of an assistant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Assistant {
    /// Whether the user turned it off.
    pub off: bool,
    /// Whether it is shown what looks like a secret.
    pub shown_secrets: bool,
    /// Whether a small change that it proposes is applied at once, where the write policy allows changes.
    pub applies_small: bool,
    /// When it first called (RFC 3339); empty if it never did.
    pub first: String,
    /// When it last called (RFC 3339); empty if it never did.
    pub last: String,
    /// How many tools it called.
    pub calls: u64,
    /// How many bytes it was given.
    pub bytes: u64,
    /// How many requests were sent for it.
    pub requests: u64,
}

/// A call of an assistant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// When (RFC 3339).
    pub at: String,
    /// The name of the assistant.
    pub client: String,
    /// The name of the tool.
    pub tool: String,
    /// How many bytes it was given.
    pub bytes: u64,
    /// How many requests were sent to the service for it.
    pub requests: u64,
    /// Why it failed; `None` if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// What is recorded of assistants.
#[derive(Clone, Debug)]
pub struct Assistants {
    database: Arc<Database>,
}

impl Assistants {
    /// Opens the records of a data folder. Blocks.
    pub fn open(folder: &Path) -> Result<Self, DatabaseError> {
        Ok(Self { database: Database::open(folder)?.database })
    }

    /// The records in an open database.
    pub(crate) fn of(database: Arc<Database>) -> Self {
        Self { database }
    }

    /// The open database.
    pub fn database(&self) -> Arc<Database> {
        Arc::clone(&self.database)
    }

    /// A value that changes with everything that is written to the database, by this program or another. Blocks.
    pub fn version(&self) -> Result<(i64, u64), DatabaseError> {
        self.database.change_counts()
    }

    /// All assistants by name. Blocks.
    pub fn list(&self) -> Result<Vec<(String, Assistant)>, DatabaseError> {
        let mut known: Vec<_> =
            self.database.assistants()?.into_iter().map(|(name, text)| (name, read(Some(&text)))).collect();
        known.sort_by_cached_key(|(name, _)| (name.to_lowercase(), name.clone()));
        Ok(known)
    }

    /// What is known of one assistant. Blocks.
    pub fn get(&self, client: &str) -> Result<Assistant, DatabaseError> {
        Ok(read(self.database.assistant(client)?.as_deref()))
    }

    /// Changes what the user decided about an assistant. Blocks.
    pub fn decide(&self, client: &str, decision: impl FnOnce(&mut Assistant)) -> Result<(), DatabaseError> {
        let change = |known: Option<&str>| {
            let mut assistant = read(known);
            decision(&mut assistant);
            text(&assistant)
        };
        self.database.change_assistant(client, change, None)
    }

    /// Records a call. Blocks.
    pub fn record(&self, connection: &str, call: &ToolCall) -> Result<(), DatabaseError> {
        let counted = |known: Option<&str>| {
            let mut assistant = read(known);
            assistant.calls += 1;
            assistant.bytes += call.bytes;
            assistant.requests += call.requests;
            assistant.last.clone_from(&call.at);
            if assistant.first.is_empty() {
                assistant.first.clone_from(&call.at);
            }
            text(&assistant)
        };
        self.database.change_assistant(&call.client, counted, Some((connection, &text(call))))
    }

    /// The calls at a connection, oldest first. Blocks.
    pub fn calls(&self, connection: &str) -> Result<Vec<ToolCall>, DatabaseError> {
        let texts = self.database.assistant_calls(connection)?;
        Ok(texts.iter().filter_map(|text| serde_json::from_str(text).ok()).collect())
    }
}

impl ToolCall {
    /// A call that begins now.
    pub fn begun(client: &str, tool: &str) -> Self {
        Self { at: Timestamp::now().to_string(), client: client.to_owned(), tool: tool.to_owned(), ..Self::default() }
    }
}

fn read(text: Option<&str>) -> Assistant {
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn calls_are_counted_and_a_decision_of_the_user_stays() {
        let folder = TempDir::new().expect("a folder");
        let assistants = Assistants::open(folder.path()).expect("opened");
        assistants.decide("a", |assistant| assistant.off = true).expect("decided");
        for bytes in [3, 4] {
            let call = ToolCall { bytes, requests: 1, ..ToolCall::begun("a", "find") };
            assistants.record("embedded", &call).expect("recorded");
        }
        let known = assistants.get("a").expect("read");
        assert_eq!((known.calls, known.bytes, known.requests, known.off), (2, 7, 2, true));
        assert_eq!(assistants.calls("embedded").expect("read").len(), 2);
        assert_eq!(assistants.calls("other").expect("read").len(), 0);
    }
}
