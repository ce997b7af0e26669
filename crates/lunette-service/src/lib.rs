//! The local application and asset service as a library: every operation of the table, on a store in SQLite.
//!
//! [`start`] runs it in the background of a tokio runtime; [`Running`] says where it listens, and stops it.
//!
//! ```
//! use lunette_service::{Data, Ports, Settings, detect, start};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path().to_owned();
//! let running = start(Settings {
//!     data: Data::Folder(folder),
//!     ports: Ports::Any,
//!     announced_version: None,
//!     interface_only: false,
//!     allowed_origins: Vec::new(),
//!     detector: detect::of_this_machine(),
//! })
//! .await?;
//! println!("listening at {}", running.url());
//! running.stop().await;
//! # Ok(())
//! # }
//! ```
//!
//! Handlers are in one module per resource and know nothing of HTTP: each takes a validated operation and returns its
//! output or a [`ServiceError`]. They may block, and run on blocking threads; those that only queue a write must not.

#![cfg_attr(
    test,
    expect(
        clippy::too_many_lines,
        reason = "a test of a whole story, and a table of cases, are easier to read in one piece"
    )
)]

use std::sync::{Arc, Mutex};

use crate::store::{Store, StoreError};

mod activities;
pub mod address;
mod annotations;
mod applications;
mod assets;
mod bounds;
pub mod classify;
mod conversations;
pub mod detect;
mod error;
pub mod export;
mod extensions;
mod extra_fields;
mod formats;
mod http;
#[cfg(feature = "bench")]
mod in_process;
mod integrations;
mod items;
mod links;
mod local;
pub mod maintenance;
mod materials;
mod memory;
mod messages;
mod models;
mod normalize;
mod queued_write;
mod record;
mod related;
mod response_stream;
mod routes;
mod running;
mod search;
mod sessions;
mod settings;
mod spool;
pub mod store;
mod streams;
mod trash;
pub mod turn;
mod usage;
mod well_known;

pub use error::ServiceError;
pub use http::admits;
pub use running::{Running, start, start_unpublished, start_within};
pub use settings::{Blocked, Data, FAMILY_PORTS, FAMILY_VERSION, HttpLimits, Ports, Settings, StartError};

use detect::{Detect, DetectionCache};
use memory::{Memory, MemoryPermit};
use response_stream::ChunkSender;
use spool::Spool;

/// The state shared by all handlers.
pub struct Service {
    /// All stored data.
    pub(crate) store: Store,
    /// The cached detection of installed applications.
    pub(crate) detection: DetectionCache,
    /// The memory limits shared by all requests.
    pub(crate) memory: Memory,
    /// Where large responses are spooled.
    pub(crate) spool: Spool,
    /// The version it reports to clients.
    pub(crate) version: String,
}

impl Service {
    /// Creates a service on this store. It registers itself as a tracked application.
    pub fn new(store: Store, detector: Arc<dyn Detect>) -> Result<Self, StoreError> {
        store.register_own(applications::own(), applications::now())?;
        let memory = Memory::new(&HttpLimits::default());
        let version = format!("{FAMILY_VERSION}-lunette.{}", env!("CARGO_PKG_VERSION"));
        let (detection, spool) = (DetectionCache::new(detector), Spool::new(&std::env::temp_dir()));
        Ok(Self { store, detection, memory, spool, version })
    }
}

/// The context of a request: who sent it, and the memory of its body.
#[derive(Clone, Debug, Default)]
pub struct RequestContext {
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
    /// The memory reserved for the body.
    body: Arc<Mutex<MemoryPermit>>,
    /// The way to the client of a streamed response.
    stream: Arc<Mutex<Option<ChunkSender>>>,
}
