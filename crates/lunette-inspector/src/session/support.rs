//! The operations that the connected service supports, learned from the results of calls and forgotten with the
//! connection.
//!
//! What must hold: an operation counts as unsupported only if that is certain, since its part of the window is removed
//! then; a missing item never makes an operation unsupported.

use lunette_client::client::Purpose;
use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;

use crate::capability::Capability;
use crate::change::LinkKind;
use crate::context::Context;
use crate::session::log::LogEntry;
use crate::session::{Connection, Output, Session, Status};
use crate::{CallError, Refusal};
use lunette_client::model::display::capitalized;
use lunette_client::operation::table::{
    AssetsCreateNewAsset, AssetsSnapshot, AssetsTrashDelete, AssetsTrashEmpty, AssetsTrashRestore, AssetsTrashSnapshot,
};
use lunette_client::operation::{InputLocation, OPERATIONS, Operation as _, OperationInfo};

/// Whether a service offers an operation or a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Support {
    /// It was not called, or its responses are ambiguous.
    #[default]
    Unknown,
    /// It has succeeded.
    Offered,
    /// The service does not support it.
    Unsupported(Unsupported),
}

/// The response that showed that something is unsupported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The status of the response.
    pub status: u16,
    /// When it was first received.
    pub at: Timestamp,
}

/// Why a call is not possible now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The write policy of the connection blocks it.
    #[error("this connection is read-only; choose Allow or Confirm under Connection to make changes")]
    ReadOnly,
    /// The service has refused a write, because it accepts none.
    #[error("read-only: {0}; choose Try again under Connection if it accepts changes again")]
    Refused(Refusal),
    /// The service does not support the operation.
    #[error("this service does not offer {operation} (status {status})")]
    Unsupported {
        /// Its name.
        operation: &'static str,
        /// The status of the response.
        status: u16,
    },
    /// There is no connection.
    #[error("not connected to a service; reconnect first")]
    NotConnected,
}

impl Reason {
    /// The reason as a complete sentence.
    pub fn sentence(&self) -> String {
        capitalized(&self.to_string())
    }
}

/// The capabilities of a service, by the names of its operations and streams.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capabilities {
    known: BTreeMap<&'static str, Support>,
    not_found_probe: NotFoundProbe,
    /// Responses that are classified once that is known.
    open: Vec<Open>,
}

/// The response of the service to an unknown path.
#[derive(Clone, Debug, Default, PartialEq)]
enum NotFoundProbe {
    #[default]
    NotRequested,
    Asked,
    /// A 404 with these words.
    Says(Vec<String>),
    /// Any other response: a 404 remains ambiguous.
    Useless,
}

/// A 404 that may mean an unsupported operation or a missing item.
#[derive(Clone, Debug, PartialEq)]
struct Open {
    operation: &'static str,
    at: Timestamp,
    words: Vec<String>,
    /// Whether every item it names is known to exist.
    named: bool,
}

impl Capabilities {
    /// Returns the capability for an operation or a stream.
    pub fn of(&self, name: &str) -> Support {
        self.known.get(name).copied().unwrap_or_default()
    }

    /// All unsupported operations, by name.
    pub fn unsupported(&self) -> impl Iterator<Item = (&'static str, Unsupported)> {
        self.known.iter().filter_map(|(name, capability)| match capability {
            Support::Unsupported(lack) => Some((*name, *lack)),
            Support::Unknown | Support::Offered => None,
        })
    }

    /// Records that an operation is unsupported if an otherwise ambiguous response shows it.
    pub(crate) fn not_offered(&mut self, name: &'static str, status: u16) {
        self.known.retain(|known, _| *known != name);
        self.lacks(name, status, Timestamp::now());
    }

    /// Forgets that something is unsupported, so that it can be tried again.
    pub(crate) fn forget(&mut self, name: &str) {
        self.known.retain(|known, _| *known != name);
    }

    /// Records that an operation has succeeded.
    pub(crate) fn offered(&mut self, name: &'static str) {
        self.known.insert(name, Support::Offered);
    }

    fn lacks(&mut self, name: &'static str, status: u16, at: Timestamp) {
        if !matches!(self.of(name), Support::Unsupported(_)) {
            self.known.insert(name, Support::Unsupported(Unsupported { status, at }));
        }
    }

    /// Learns from the result of a call; returns true if an unknown path must be probed. `named` is whether every item
    /// that the call names is known to exist.
    fn learn(&mut self, line: &LogEntry, named: bool) -> bool {
        let name = line.info.name;
        let status = match &line.error {
            None => 200,
            Some(CallError::NotJson { .. } | CallError::SchemaError { .. } | CallError::UnexpectedBody { .. }) => 200,
            Some(error) if error.too_large() => 200,
            Some(CallError::Status { status, .. }) => *status,
            Some(_) => return false,
        };
        match status {
            // The service understood the request and rejected it.
            200 | 400 | 409 | 410 | 413 | 415 | 422 => self.offered(name),
            405 | 501 => self.lacks(name, status, line.at),
            404 if names_nothing(line.info) => self.lacks(name, status, line.at),
            // It succeeded before, so this time the item is missing.
            404 if self.of(name) != Support::Unknown => {}
            404 => {
                self.open.push(Open { operation: name, at: line.at, words: words(line), named });
                if self.not_found_probe == NotFoundProbe::NotRequested {
                    self.not_found_probe = NotFoundProbe::Asked;
                    return true;
                }
                self.resolve_not_found();
            }
            _ => {}
        }
        false
    }

    /// Records the response to an unknown path; `None` if there was none.
    fn not_found_probed(&mut self, line: Option<&LogEntry>) {
        self.not_found_probe = match line.map(|line| (line.status, line)) {
            Some((Some(404), line)) => NotFoundProbe::Says(words(line)),
            Some((Some(_), _)) => NotFoundProbe::Useless,
            Some((None, _)) | None => {
                self.open.clear();
                NotFoundProbe::NotRequested
            }
        };
        self.resolve_not_found();
    }

    /// Decides what the open 404 responses mean.
    ///
    /// Our choice, since a service returns 404 both for unsupported operations and for missing items: a response that
    /// differs from the one to an unknown path means that the operation is supported; one with the same words means
    /// that it is unsupported, if every item that the call names is known to exist. In doubt the operation stays
    /// available.
    fn resolve_not_found(&mut self) {
        let not_found_probe = match &self.not_found_probe {
            NotFoundProbe::NotRequested | NotFoundProbe::Asked => return,
            NotFoundProbe::Useless => None,
            NotFoundProbe::Says(words) => Some(words.clone()),
        };
        for Open { operation, at, words, named } in std::mem::take(&mut self.open) {
            match not_found_probe.as_ref().map(|not_found_probe| *not_found_probe == words) {
                Some(true) if named => self.lacks(operation, 404, at),
                Some(true) | None => {}
                Some(false) => self.offered(operation),
            }
        }
    }
}

/// Whether a request of this row names no item that could be missing.
fn names_nothing(info: &OperationInfo) -> bool {
    info.inputs.iter().all(|input| match input.location {
        InputLocation::Path | InputLocation::Body => false,
        InputLocation::Query => true,
    })
}

/// The words of a rejection without those that repeat the request: two rejections are of the same kind if these are
/// equal.
fn words(line: &LogEntry) -> Vec<String> {
    let asked = line.url.to_lowercase();
    let kind = line.content_type.as_deref().unwrap_or_default();
    let text = format!("{kind} {}", line.response_body).to_lowercase();
    let words = text.split(|letter: char| !letter.is_alphabetic()).filter(|word| word.chars().count() > 2);
    words.filter(|word| !asked.contains(word) && !["get", "post"].contains(word)).map(str::to_owned).collect()
}

/// Returns the ids in the path and body of a request; `None` if they cannot be determined.
pub(crate) fn ids(line: &LogEntry) -> Option<Vec<String>> {
    let path = line.url.split(['?', '#']).next().unwrap_or_default();
    let (template, path) = (line.info.path.rsplit('/'), path.rsplit('/'));
    let filled = template.zip(path).filter(|(part, _)| part.starts_with('{'));
    let mut ids: Vec<String> = filled.map(|(_, id)| id.to_owned()).collect();
    let Some(body) = line.request_body.as_deref().filter(|body| !body.is_empty()) else { return Some(ids) };
    // A new item has no id yet; the log has only the beginning of a long body.
    let seed = line.info.inputs.iter().any(|input| input.location == InputLocation::Body && input.kind == "Seed");
    let body: Value = match serde_json::from_str(body) {
        Ok(body) => body,
        Err(_) if seed => return Some(ids),
        Err(_) => return None,
    };
    let ids_named = [body.as_str(), body["id"].as_str(), body["asset"].as_str(), body["asset"]["id"].as_str()];
    ids.extend(ids_named.into_iter().flatten().map(str::to_owned));
    Some(ids)
}

impl Connection {
    /// Whether an operation can be called now: the write policy allows it, the service is not known to lack it, and it
    /// is connected. Controls and commands use only this.
    pub fn can(&self, operation: &OperationInfo) -> Result<(), Reason> {
        self.permits(operation)?;
        match self.status {
            Status::Idle | Status::Up => Ok(()),
            Status::Connecting | Status::Down(_) => Err(Reason::NotConnected),
        }
    }

    /// Whether a capability is available: every operation that it needs is permitted.
    pub fn can_do(&self, capability: Capability) -> Result<(), Reason> {
        capability.operations().into_iter().try_for_each(|operation| self.can(operation))
    }

    /// Whether an operation is permitted regardless of the connection status, so that an attempt can find a service that
    /// has returned.
    pub fn permits(&self, operation: &OperationInfo) -> Result<(), Reason> {
        if operation.writes() {
            self.allows_writes()?;
        }
        match self.capabilities.of(operation.name) {
            Support::Unsupported(Unsupported { status, .. }) => {
                Err(Reason::Unsupported { operation: name_of(operation), status })
            }
            Support::Unknown => match self.has_no_lists().filter(|_| of_extended_services(operation)) {
                Some(status) => Err(Reason::Unsupported { operation: name_of(operation), status }),
                None => Ok(()),
            },
            Support::Offered => Ok(()),
        }
    }

    /// The status with which the service rejected the list of assets, if it has none of the lists that services offer
    /// beside the interface.
    fn has_no_lists(&self) -> Option<u16> {
        let lists = LinkKind::ALL.map(LinkKind::list).into_iter().chain([AssetsSnapshot::INFO]);
        let rejected = lists.map(|list| match self.capabilities.of(list.name) {
            Support::Unsupported(Unsupported { status, .. }) => Some(status),
            Support::Unknown | Support::Offered => None,
        });
        rejected.collect::<Option<Vec<_>>>()?.pop()
    }

    /// Whether any write can be sent.
    pub fn allows_writes(&self) -> Result<(), Reason> {
        match &self.refusal {
            _ if !self.write_policy.allows_writes() => Err(Reason::ReadOnly),
            Some(refusal) => Err(Reason::Refused(refusal.clone())),
            None => Ok(()),
        }
    }
}

/// Whether only services offer it that offer lists too.
///
/// Our choice: a service that has no list of assets, tags, websites or summaries has only the operations of the interface,
/// so that neither an import nor the Trash is offered there, although finding out would take a write. One that succeeds
/// from the console is offered from then on.
fn of_extended_services(operation: &OperationInfo) -> bool {
    [
        AssetsCreateNewAsset::INFO,
        AssetsTrashSnapshot::INFO,
        AssetsTrashRestore::INFO,
        AssetsTrashDelete::INFO,
        AssetsTrashEmpty::INFO,
    ]
    .contains(&operation)
}

fn name_of(operation: &OperationInfo) -> &'static str {
    OPERATIONS.iter().find(|info| **info == operation).map_or("it", |info| info.name)
}

/// Whether this is an operation, and not the probe of an unknown path.
fn is_operation(info: &OperationInfo) -> bool {
    OPERATIONS.contains(&info)
}

impl Session {
    /// Updates the capabilities from the result of a call.
    pub(crate) fn learn(&mut self, line: &LogEntry, named: bool, cx: &mut Context<'_>) {
        if !is_operation(line.info) {
            return;
        }
        if cx.connection.capabilities.learn(line, named) {
            let client = cx.known_client().cloned();
            let ask = async move {
                Ok(match client {
                    Some(client) => {
                        let exchange = client.probe_unknown_path().await;
                        Some(Arc::new(LogEntry::of(exchange.number, &exchange, Purpose::Request)))
                    }
                    None => None,
                })
            };
            let failure = "could not find out what this service supports";
            cx.run_reporting(failure, ask, |line| Output::NotFoundProbe(line.unwrap_or_default()));
        }
    }

    pub(crate) fn not_found_probed(&mut self, line: Option<Arc<LogEntry>>, cx: &mut Context<'_>) {
        cx.connection.capabilities.not_found_probed(line.as_deref());
    }
}
