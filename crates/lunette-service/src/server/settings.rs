//! Settings of a service, and the errors of starting it.

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lunette_storage::system::error_text;

use crate::store::{PastBounds, StoreError};

use crate::detect::Detect;
use crate::http::Endpoint;

/// The ports that clients of this family look at (records, section 4).
pub const FAMILY_PORTS: RangeInclusive<u16> = 39300..=39333;

/// The version of the family that the service reports to clients: the public command line 1.20, the editors' plugins and
/// the wrappers of the SDKs work with 12.0.0 up to 13.0.0 and refuse any other. What follows a hyphen they ignore.
pub const FAMILY_VERSION: &str = "12.4.1";

/// The settings of a service.
#[derive(Clone)]
pub struct Settings {
    /// Where it stores its data.
    pub data: Data,
    /// The port it takes.
    pub ports: Ports,
    /// The version it reports to clients. None: [`FAMILY_VERSION`] with this program's own version.
    pub announced_version: Option<String>,
    /// Whether it offers the interface's 27 operations and no extensions.
    pub interface_only: bool,
    /// Web pages that may use it, by exact origin such as `http://localhost:8888`.
    pub allowed_origins: Vec<String>,
    /// How many earlier versions of assets it keeps. None: as was set in its data folder.
    pub past: Option<PastBounds>,
    /// What finds the applications of this machine.
    pub detector: Arc<dyn Detect>,
    /// What else the program answers, if all operations are offered.
    pub endpoint: Option<Endpoint>,
}

impl Settings {
    /// Returns the settings of a service that offers all of its operations, and that no web page may use.
    pub fn new(data: Data, ports: Ports, detector: Arc<dyn Detect>) -> Self {
        let (announced_version, allowed_origins) = (None, Vec::new());
        let (interface_only, past, endpoint) = (false, None, None);
        Self { data, ports, announced_version, interface_only, allowed_origins, past, detector, endpoint }
    }
}

/// Where a service keeps its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// In this folder, which is created if missing.
    Folder(PathBuf),
    /// In memory: gone when the service stops.
    Memory,
}

/// The port a service takes; always the same one on 127.0.0.1 and ::1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ports {
    /// Any free one.
    Any,
    /// This port, or fail.
    Exactly(u16),
    /// The first free one.
    FirstOf(RangeInclusive<u16>),
}

/// Limits on what clients may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpLimits {
    /// Time from the first byte of a request head, or of a connection, to the end of the head.
    pub head: Duration,
    /// Time from the end of the head to the end of the body.
    pub body: Duration,
    /// Idle time between two requests of a connection.
    pub idle: Duration,
    /// Time without the client reading a byte of a response.
    pub write: Duration,
    /// Time for running requests when the service stops.
    pub drain: Duration,
    /// The most bytes of a body.
    pub body_bytes: usize,
    /// The most bytes of a body that may hold the content of an asset.
    pub content_bytes: usize,
    /// The most memory that large requests take together.
    pub memory_bytes: usize,
    /// How long a request waits for memory.
    pub wait: Duration,
    /// The most connections at a time; half of them at most are streams.
    pub connections: usize,
    /// Between two pings of a stream. A client that has sent nothing by the time of the next ping is gone.
    pub ping: Duration,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            write: Duration::from_secs(30),
            drain: Duration::from_secs(1),
            body_bytes: 16 * 1024 * 1024,
            content_bytes: 88 * 1024 * 1024,
            memory_bytes: 177 * 1024 * 1024,
            wait: Duration::from_secs(10),
            connections: 256,
            ping: Duration::from_secs(30),
        }
    }
}

/// What the browser guard blocked so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocked {
    /// How many requests.
    pub requests: u64,
    /// The Origin of the last one, if any: the page that sent it. For display.
    pub last_origin: Option<String>,
    /// The Host of the last one, where it had one.
    pub last_host: Option<String>,
}

impl StartError {
    /// Whether another running service owns the data folder.
    pub fn folder_in_use(&self) -> bool {
        matches!(self, Self::Store(StoreError::Locked { .. }))
    }

    /// Whether the database is damaged or missing: a backup can be restored, or it can be quarantined
    /// ([`super::maintenance`]).
    pub fn damaged(&self) -> bool {
        matches!(self, Self::Store(StoreError::Corrupt { .. }))
    }
}

/// Why a service did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another program listens there.
    #[error("{address} is in use by another program: choose another port, or end that program")]
    AddressInUse {
        /// The address.
        address: SocketAddr,
    },
    /// Every port of the range is taken.
    #[error("all ports from {} to {} are in use: choose another one with --port, or any free one with --port 0", .0.start(), .0.end())]
    AllTaken(RangeInclusive<u16>),
    /// The system does not let this program listen there.
    #[error("cannot listen on {address}: {}", error_text(.problem))]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's reason.
        problem: std::io::Error,
    },
    /// An invalid origin.
    #[error("{0:?} is not the origin of a web page: use the form http://localhost:8888")]
    Origin(String),
    /// The clock is beyond what the header `Date` can express.
    #[error("the clock of this machine is set before 1970 or after 9999: correct it and start again")]
    Clock,
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A fault of this program.
    #[error("could not start the service: {0}")]
    Broken(String),
}
