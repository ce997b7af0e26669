//! The result of probing an address.

use std::time::Duration;

use crate::client::Vendor;
use crate::client::{Address, CallError};

use super::Owner;

/// The result of probing one address.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// The address.
    pub address: Address,
    /// The Server header of whatever responded.
    pub server: Option<String>,
    /// The owner of the listener. Looked up only if something responded.
    pub owner: Owner,
    /// How long the probe took.
    pub elapsed: Duration,
    /// The service, or why there is none.
    pub result: Result<FoundService, CallError>,
}

/// A service that responded.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundService {
    /// Its version, if it reports one.
    pub version: Option<String>,
    /// Its health text; None if it has only the interface's operations.
    pub health: Option<String>,
    /// Its Server header; `lunette/…` is our own service.
    pub server: Option<String>,
    /// How long it took to respond.
    pub elapsed: Duration,
}

/// What is at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeStatus {
    /// A service of our own kind, of the same user.
    Ours,
    /// Another service of this family, or one of another user that calls itself one of ours: a name proves nothing.
    Family,
    /// A service with only the interface's operations.
    Interface,
    /// Another program that responds.
    Other,
    /// Something that accepts connections, or lets them wait, and never responds.
    Silent,
    /// Nothing accepts connections.
    Refused,
}

impl ProbeStatus {
    /// Identifier for scripts.
    pub fn id(self) -> &'static str {
        match self {
            Self::Ours => "lunette",
            Self::Family => "family",
            Self::Interface => "interface",
            Self::Other => "other",
            Self::Silent => "silent",
            Self::Refused => "refused",
        }
    }

    /// Display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ours => "Lunette",
            Self::Family => "Compatible service",
            Self::Interface => "Partly compatible service",
            Self::Other => "Another program",
            Self::Silent => "No response",
            Self::Refused => "Nothing running",
        }
    }
}

impl FoundService {
    /// Whose service it claims to be.
    pub fn vendor(&self) -> Vendor {
        Vendor::of_server(self.server.as_deref())
    }

    /// The id of its data folder, which its health text has after `ok:`, if any.
    pub fn folder(&self) -> Option<&str> {
        let id = self.health.as_deref()?.strip_prefix("ok:")?.trim();
        (!id.is_empty()).then_some(id)
    }

    /// Classifies the service. A `Server` header counts only if the listener belongs to this user.
    pub fn status(&self, owner: Owner) -> ProbeStatus {
        match &self.health {
            _ if self.vendor().is_lunette() && owner == Owner::SameUser => ProbeStatus::Ours,
            Some(_) => ProbeStatus::Family,
            None => ProbeStatus::Interface,
        }
    }
}

impl Probe {
    /// Classifies the result.
    pub fn status(&self) -> ProbeStatus {
        match &self.result {
            Ok(found) => found.status(self.owner),
            Err(CallError::Refused { .. }) => ProbeStatus::Refused,
            Err(CallError::TimedOut { .. }) => ProbeStatus::Silent,
            Err(_) => ProbeStatus::Other,
        }
    }

    /// Why it is not a service, without the address; None if it is one.
    pub fn problem(&self) -> Option<String> {
        self.result.as_ref().err().map(CallError::reason)
    }

    /// Whether both found the same service, each on its own loopback address.
    pub(super) fn same_service(&self, other: &Self) -> bool {
        let (Ok(one), Ok(two)) = (&self.result, &other.result) else { return false };
        if self.owner != other.owner {
            return false;
        }
        (&one.server, &one.health, &one.version) == (&two.server, &two.health, &two.version)
    }
}
