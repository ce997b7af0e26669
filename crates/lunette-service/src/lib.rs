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
//! let settings = Settings::new(Data::Folder(folder), Ports::Any, detect::of_this_machine());
//! let running = start(settings).await?;
//! println!("listening at {}", running.url());
//! running.stop().await;
//! # Ok(())
//! # }
//! ```
//!
//! Handlers are in `resources`, in one module per resource, and know nothing of HTTP: each takes a validated operation
//! and returns its output or a [`ServiceError`]. They may block, and run on blocking threads; those that only queue a
//! write must not.

#![cfg_attr(
    test,
    expect(
        clippy::too_many_lines,
        reason = "a test of a whole story, and a table of cases, are easier to read in one piece"
    )
)]

use std::sync::{Arc, Mutex};

use crate::store::interrupt::InterruptToken;
use crate::store::{Store, StoreError};

pub mod classify;
pub mod detect;
mod error;
pub mod export;
mod http;
#[cfg(feature = "bench")]
mod in_process;
mod input;
mod record;
mod resources;
mod routes;
mod server;
pub mod store;

/// Records of another service, stored with their ids; see [`Running::restore`].
pub mod restored {
    pub use crate::resources::restored::RestoredKind;
    pub use crate::store::records::restored::Outcome;
}

pub use error::ServiceError;
pub use http::{Endpoint, admits};
pub use server::running::{Running, start, start_unpublished, start_within};
pub use server::settings::{Blocked, Data, FAMILY_PORTS, FAMILY_VERSION, HttpLimits, Ports, Settings, StartError};
pub use server::{address, maintenance, turn};
pub use store::PastBounds;

use detect::{Detect, DetectionCache};
use http::memory::{Memory, MemoryPermit};
use http::response_stream::ChunkSender;
use http::spool::Spool;
use resources::applications;

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
    /// Interrupts a search whose client is gone.
    interrupt: Arc<InterruptToken>,
}
