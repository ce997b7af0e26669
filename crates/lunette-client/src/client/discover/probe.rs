//! What a look at an address came to.

use std::time::Duration;

use crate::client::{Address, CallError};

use super::Owner;

/// One address that was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// The address.
    pub address: Address,
    /// The Server header of whatever answered.
    pub server: Option<String>,
    /// Whose program listens there. Looked up only where something answered.
    pub owner: Owner,
    /// How long the whole look took.
    pub elapsed: Duration,
    /// What is there, or why it is none of ours.
    pub result: Result<FoundService, CallError>,
}

/// A service that answered.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundService {
    /// Its version; None where it does not tell.
    pub version: Option<String>,
    /// What it says of its health; None where it has the interface's operations only.
    pub health: Option<String>,
    /// Its Server header; `lunette/…` is our own service.
    pub server: Option<String>,
    /// How long it took to answer.
    pub elapsed: Duration,
}

/// What is at an address, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeStatus {
    /// A service of our own kind, of the same user.
    Ours,
    /// Another service of this family, or one of another user that calls itself one of ours: a name proves nothing.
    Family,
    /// A service with the interface's operations and no more.
    Interface,
    /// A program that answers, and is no such service.
    Other,
    /// Something that takes connections, or keeps them waiting, and says nothing.
    Silent,
    /// Nothing that takes connections.
    Refused,
}

impl ProbeStatus {
    /// For programs.
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

    /// For people.
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
    /// Whether it says that it is a service of our own kind.
    pub fn own(&self) -> bool {
        self.server.as_deref().is_some_and(|server| server.starts_with("lunette/"))
    }

    /// The id of its data, which its health tells behind `ok:`; None where it tells none.
    pub fn folder(&self) -> Option<&str> {
        let id = self.health.as_deref()?.strip_prefix("ok:")?.trim();
        (!id.is_empty()).then_some(id)
    }

    /// What is there, in one word. A `Server` header counts only where the listener is the user's own.
    pub fn status(&self, owner: Owner) -> ProbeStatus {
        match &self.health {
            _ if self.own() && owner == Owner::SameUser => ProbeStatus::Ours,
            Some(_) => ProbeStatus::Family,
            None => ProbeStatus::Interface,
        }
    }
}

impl Probe {
    /// What is there, in one word.
    pub fn status(&self) -> ProbeStatus {
        match &self.result {
            Ok(found) => found.status(self.owner),
            Err(CallError::Refused { .. }) => ProbeStatus::Refused,
            Err(CallError::TimedOut { .. }) => ProbeStatus::Silent,
            Err(_) => ProbeStatus::Other,
        }
    }

    /// Why it is no service, without the address; None where it is one.
    pub fn problem(&self) -> Option<String> {
        self.result.as_ref().err().map(CallError::reason)
    }

    /// Whether both found one and the same service, each on its own loopback address.
    pub(super) fn same_service(&self, other: &Self) -> bool {
        let (Ok(one), Ok(two)) = (&self.result, &other.result) else { return false };
        if self.owner != other.owner {
            return false;
        }
        (&one.server, &one.health, &one.version) == (&two.server, &two.health, &two.version)
    }
}
