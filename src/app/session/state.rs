//! The displayed and the internal state of the connection.

use crate::app::settings::Target;
use std::sync::Arc;
use std::time::Duration;

use super::calls::CallHealth;
use super::capability::{Capabilities, Capability};
use super::identity::{Identity, Retry};
use super::log::LogEntry;
use super::reconnect::ReconnectState;
use crate::app::journal::Entry;
use crate::app::{Probe, Remote, WritePolicy};
use lunette_client::client::{Address, CallError, PaceView};

/// The log, and the state of the connection apart from what [`Connection`] shows.
#[derive(Default)]
pub struct Session {
    /// Every call of this connection and the ones before, oldest first.
    pub log: Vec<Arc<LogEntry>>,
    /// The state of a lost connection.
    pub(super) lost: ReconnectState,
    /// Since when the same service was meant, whenever it was tried anew: steps since then stand in one journal.
    pub(super) same_since: u64,
    /// Steps that were reported while that journal was being read.
    pub(super) late: Vec<Arc<Entry>>,
    /// Whether the user named the service that is connected to, in this window or on the command line.
    pub(super) chosen_by_user: bool,
}

impl Session {
    /// Whether this is the same service as that of the connection with this number.
    pub(in crate::app) fn is_same_as(&self, generation: u64) -> bool {
        generation >= self.same_since
    }
}

/// The connected service and its status.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Connection {
    /// The requested service.
    pub target: Target,
    /// Its base address, once known.
    pub address: Option<String>,
    /// The status.
    pub status: Status,
    /// Whether it is a service of our own kind, by its `Server` header.
    pub own: bool,
    /// Whether this window runs it.
    pub of_this_window: bool,
    /// Its version, if it reports one.
    pub version: Option<String>,
    /// How long the last answer took.
    pub latency: Option<Duration>,
    /// How its calls go.
    pub calls: CallHealth,
    /// How the calls of runs are paced at a service of others, once there was a run.
    pub pace: Option<PaceView>,
    /// The capabilities of the service.
    pub capabilities: Capabilities,
    /// Which writes leave for it.
    pub write_policy: WritePolicy,
    /// Which service it is.
    pub identity: Identity,
    /// When the service answered last, where it no longer does: what is shown is as old as that. None while it answers,
    /// and where it never did.
    pub stale_since: Option<jiff::Timestamp>,
    /// When it is tried again.
    pub retry: Option<Retry>,
    /// The other service that answers at its address now.
    pub other: Option<Identity>,
    /// The services found on this machine; during the search those found so far.
    pub probes: Remote<Arc<Vec<Probe>>, CallError>,
}

impl Connection {
    /// The name under which things of this connection are kept.
    pub fn key(&self) -> String {
        match &self.target {
            Target::Embedded => "embedded".to_owned(),
            Target::Url(url) => url.clone(),
        }
    }

    /// Whether the service runs on this machine; false while no address is known.
    pub fn is_loopback(&self) -> bool {
        let address = self.address.as_ref().and_then(|address| address.parse::<Address>().ok());
        address.is_some_and(|address| address.is_loopback())
    }

    /// Whether the service supports an operation, as far as is known.
    pub fn offers(&self, operation: &str) -> bool {
        !matches!(self.capabilities.of(operation), Capability::Unsupported(_))
    }
}

/// The status of a connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Status {
    /// Nothing was tried.
    #[default]
    Idle,
    /// The first answer is awaited.
    Connecting,
    /// It answers.
    Up,
    /// It does not.
    Down(String),
}
