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
//! Handlers stand in one module a resource and know nothing of HTTP: each takes a checked operation and gives back its
//! answer or a [`ServiceError`]. They may block, and are called on threads where that is right.

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
mod in_process;
mod integrations;
mod items;
mod links;
mod local;
pub mod maintenance;
mod memory;
mod normalize;
mod record;
mod related;
mod routes;
mod running;
mod search;
mod sessions;
mod settings;
mod spool;
pub mod store;
mod streams;
mod trash;
mod usage;
mod well_known;

pub use error::ServiceError;
pub use http::admits;
pub use running::{Running, start, start_within};
pub use settings::{Blocked, Data, FAMILY_PORTS, HttpLimits, Ports, Settings, StartError};

use detect::{Detect, DetectionCache};
use memory::{Memory, MemoryPermit};
use spool::Spool;

/// What every handler works on.
pub struct Service {
    /// Everything that is kept.
    pub(crate) store: Store,
    /// The last look at the applications installed on this machine.
    pub(crate) detection: DetectionCache,
    /// What all requests share.
    pub(crate) memory: Memory,
    /// Where large answers are made.
    pub(crate) spool: Spool,
}

impl Service {
    /// A service on this store, on the machine that the detector looks at. It tracks itself from the first time on.
    pub fn new(store: Store, detector: Arc<dyn Detect>) -> Result<Self, StoreError> {
        store.register_own(applications::own(), applications::now())?;
        let memory = Memory::new(&HttpLimits::default());
        Ok(Self { store, detection: DetectionCache::new(detector), memory, spool: Spool::new(&std::env::temp_dir()) })
    }
}

/// Who sent a request, as far as it says so.
#[derive(Clone, Debug, Default)]
pub struct RequestContext {
    /// The `User-Agent` header.
    pub user_agent: Option<String>,
    /// The memory that the body of the request takes.
    body: Arc<Mutex<MemoryPermit>>,
}
