//! Rescues everything from a service: reads its records, keeps them as they were received, stores them in a service of
//! ours with the same ids, reads them back, and says what is there and what is missing.
//!
//! What must hold: nothing is written to the service that is read from; what was received is on the disk before it is
//! stored; storing again changes nothing, so that it can be interrupted anywhere; a record counts as equal only after
//! it was read back.

use std::io;
use std::path::Path;
use std::sync::Arc;

use lunette_storage::system::error_text;
use serde_json::Value;

use crate::CallError;
use crate::tasks::{CancelFlag, Ended};
use lunette_client::client::Client;
use lunette_client::model::id::AssetId;

mod compare;
mod kind;
mod ledger;
mod mapping;
mod read;
mod receipt;
mod store;
mod verify;
pub mod window;

pub use kind::Kind;
pub use ledger::{kept, rescued, write_kept};
pub use receipt::{KindReceipt, Missing, Receipt, StoredAs};

use ledger::Ledger;
pub(crate) use read::records;

use read::Reader;

/// What became of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredRecord {
    /// It is stored under its id, now or before.
    Here,
    /// One that is the same was stored before, under this id.
    As(String),
    /// It was not stored, and why.
    Refused(String),
}

/// A service of ours that stores records with their ids. The program implements this.
pub trait Destination: Send + Sync {
    /// Stores records of a kind; returns what became of each. Fails if the disk does. Blocks.
    fn store(&self, kind: Kind, records: &[Value]) -> Result<Vec<StoredRecord>, DestinationError>;

    /// Replaces what stored records of a kind say; returns for each why it was not done, if so. Fails if the disk does.
    /// Blocks.
    fn change(&self, kind: Kind, records: &[Value]) -> Result<Vec<Option<String>>, DestinationError>;

    /// Links what records of a kind name; returns for each link that was not made the id of the asset, that of the
    /// other end, and why. Fails if the disk does. Blocks.
    fn link(&self, kind: Kind, records: &[Value]) -> Result<Vec<(String, String, String)>, DestinationError>;

    /// A client of it, to read back. Fails if none can be built.
    fn client(&self) -> Result<Client, DestinationError>;
}

/// Why a service of ours did not store or link records, or cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum DestinationError {
    /// Its store failed, as it says.
    #[error("{0}")]
    Store(String),
    /// No client of it can be built.
    #[error(transparent)]
    Client(#[from] CallError),
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Records are received.
    Reading,
    /// They are stored in our service.
    Storing,
    /// They are linked there.
    Linking,
    /// They are read back and compared.
    Comparing,
}

/// How far it is with a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// The kind.
    pub kind: Kind,
    /// How many of its records that is done with.
    pub done: usize,
    /// How many there are.
    pub named: usize,
}

/// Why it ended early. All that was received is kept.
#[derive(Debug, thiserror::Error)]
pub enum RescueError {
    /// The service no longer responds.
    #[error("the service no longer responds: {0}; start again to go on")]
    Silent(Box<CallError>),
    /// It was cancelled.
    #[error("cancelled; start again to go on")]
    Cancelled,
    /// The files of what was received cannot be read or written.
    #[error("cannot read or write what was received: {}", error_text(.0))]
    Files(#[from] io::Error),
    /// The records cannot be stored.
    #[error("cannot store what was received: {0}")]
    Store(String),
    /// The service that stores them cannot be read.
    #[error("cannot read back what was stored: {0}")]
    Destination(#[from] DestinationError),
    /// What was stored cannot be read back.
    #[error("cannot read back what was stored: {0}")]
    ReadBack(Box<CallError>),
    /// A record was named and never received.
    #[error("it was not received")]
    NotReceived,
    /// No file was picked, and why.
    #[error("{0}")]
    NotPicked(String),
    /// A task panicked.
    #[error("internal error: {0}")]
    Broken(String),
}

impl From<Ended> for RescueError {
    fn from(ended: Ended) -> Self {
        Self::Broken(ended.to_string())
    }
}

/// What a service has and what of it is still to be asked for, once its lists were read.
pub struct Listed {
    ledger: Ledger,
    to_read: Vec<AssetId>,
}

/// How much a service has of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindCount {
    /// The kind.
    pub kind: Kind,
    /// How many records the service named.
    pub named: usize,
    /// How many of them are received.
    pub received: usize,
    /// Why the service has no such list.
    pub absent: Option<String>,
}

impl Listed {
    /// How much there is of each kind.
    pub fn counts(&self) -> Vec<KindCount> {
        let count = |kind: Kind| {
            let state = self.ledger.state.kinds.get(kind.name()).cloned().unwrap_or_default();
            KindCount { kind, named: state.named, received: self.ledger.count(kind), absent: state.absent }
        };
        Kind::ALL.into_iter().map(count).collect()
    }

    /// How many assets are still to be asked for.
    pub fn to_read(&self) -> usize {
        self.to_read.len()
    }

    /// The folder in which what was received is kept.
    pub fn folder(&self) -> &Path {
        self.ledger.folder()
    }
}

/// Reads the lists of a service, which says how much there is of each kind; what they have whole is received with them,
/// and kept below the data folder. `progress` is called after each list. Blocks its thread while it reads and writes
/// files.
pub async fn list(
    from: &Client,
    data: &Path,
    progress: &(dyn Fn(Progress) + Send + Sync),
    cancel: &CancelFlag,
) -> Result<Listed, RescueError> {
    let mut ledger = Ledger::open(data, &from.address().to_string())?;
    let source = read::source(from);
    let to_read = Reader { client: &source, ledger: &mut ledger, progress, cancel }.lists().await?;
    Ok(Listed { ledger, to_read })
}

/// Reads the rest, stores everything in a service of ours, and reads it back. `progress` is called after each asset and
/// each batch. Blocks its thread while it reads and writes files.
pub async fn rescue_listed(
    from: &Client,
    listed: Listed,
    destination: Arc<dyn Destination>,
    progress: &(dyn Fn(Progress) + Send + Sync),
    cancel: &CancelFlag,
) -> Result<Receipt, RescueError> {
    let Listed { mut ledger, to_read } = listed;
    let source = read::source(from);
    Reader { client: &source, ledger: &mut ledger, progress, cancel }.assets(to_read).await?;
    let stored = store::store(&ledger, destination.as_ref(), progress).await?;
    let verified = verify::verify(&ledger, &destination.client()?, &stored.mapping, progress).await?;
    let receipt = receipt::of(&mut ledger, &stored, verified);
    receipt.save(ledger.folder())?;
    ledger.save()?;
    Ok(receipt)
}

/// Rescues everything from the service of a client into a data folder and the service on it: [`list`] and
/// [`rescue_listed`].
pub async fn rescue(
    from: &Client,
    data: &Path,
    destination: Arc<dyn Destination>,
    progress: &(dyn Fn(Progress) + Send + Sync),
    cancel: &CancelFlag,
) -> Result<Receipt, RescueError> {
    let listed = list(from, data, progress, cancel).await?;
    rescue_listed(from, listed, destination, progress, cancel).await
}
