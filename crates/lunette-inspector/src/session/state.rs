//! The displayed and the internal state of the connection.

use crate::Vendor;
use crate::settings::Target;
use std::sync::Arc;
use std::time::Duration;

use super::calls::CallHealth;
use super::identity::{Identity, Retry};
use super::log::LogEntry;
use super::reconnect::ReconnectState;
use super::support::{Capabilities, Support};
use crate::journal::Entry;
use crate::listing::Listing;
use crate::{Probe, Refusal, Remote, WritePolicy};
use lunette_client::client::{Address, CallError, PaceView};
use lunette_client::operation::OperationInfo;

/// The log, and the state of the connection apart from what [`Connection`] shows.
pub struct Session {
    /// Every call of this connection and earlier ones, oldest first.
    pub log: Listing<LogEntry>,
    /// The state of a lost connection.
    pub(super) lost: ReconnectState,
    /// The first connection number of the current service, including retries: steps since then are in one journal.
    pub(super) same_since: u64,
    /// Steps that were reported while that journal was being read.
    pub(super) late: Vec<Arc<Entry>>,
    /// Whether the user named the connected service, in this window or on the command line.
    pub(super) chosen_by_user: bool,
}

impl Default for Session {
    fn default() -> Self {
        let (lost, same_since, late, chosen_by_user) = Default::default();
        Self { log: Listing::empty(), lost, same_since, late, chosen_by_user }
    }
}

impl Session {
    /// Whether this is the same service as that of the connection with this number.
    pub(crate) fn is_same_as(&self, generation: u64) -> bool {
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
    pub vendor: Vendor,
    /// Whether this window runs it.
    pub of_this_window: bool,
    /// Its version, if it reports one.
    pub version: Option<String>,
    /// How long the last call took.
    pub latency: Option<Duration>,
    /// The health of its calls.
    pub calls: CallHealth,
    /// How the calls of runs are paced at a service of others, once there was a run.
    pub pace: Option<PaceView>,
    /// The capabilities of the service.
    pub capabilities: Capabilities,
    /// The write policy.
    pub write_policy: WritePolicy,
    /// The refusal after which the service gets no writes: it accepts none.
    pub refusal: Option<Refusal>,
    /// The identity of the service.
    pub identity: Identity,
    /// When the service last responded, if it no longer does: the displayed data is from that time. `None` while it
    /// responds, and if it never did.
    pub stale_since: Option<jiff::Timestamp>,
    /// When it is retried.
    pub retry: Option<Retry>,
    /// The other service that now responds at its address.
    pub other: Option<Identity>,
    /// The services discovered on this machine; during the search, those found so far.
    pub probes: Remote<Arc<Vec<Probe>>, CallError>,
}

impl Connection {
    /// The key of this connection in the storage.
    pub fn key(&self) -> String {
        self.target.key().to_owned()
    }

    /// Whether the service runs on this machine; false while no address is known.
    pub fn is_loopback(&self) -> bool {
        let address = self.address.as_ref().and_then(|address| address.parse::<Address>().ok());
        address.is_some_and(|address| address.is_loopback())
    }

    /// Whether the service supports an operation, as far as is known.
    pub fn offers(&self, operation: &OperationInfo) -> bool {
        !matches!(self.capabilities.of(operation.name), Support::Unsupported(_))
    }
}

/// The status of a connection.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Status {
    /// Nothing was tried.
    #[default]
    Idle,
    /// The first response is awaited.
    Connecting,
    /// It responds.
    Up,
    /// It does not.
    Down(String),
}
