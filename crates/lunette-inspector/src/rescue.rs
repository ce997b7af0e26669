//! Takes everything along from a service: reads its records, keeps them as they were received, stores them in a service of
//! ours with the same ids, reads them back, and says what is there and what is missing.
//!
//! What must hold: nothing is written to the service that is read from; what was received is on the disk before it is
//! stored; storing again changes nothing, so that it can be interrupted anywhere; a record counts as equal only after it
//! was read back.

use std::io;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::CallError;
use crate::tasks::{CancelFlag, Ended};
use lunette_client::client::Client;

mod compare;
mod kind;
mod ledger;
mod read;
mod receipt;
mod verify;

pub use kind::Kind;
pub use ledger::{kept, rescued};
pub use receipt::{KindReceipt, Missing, Receipt};

use ledger::{Kept, Ledger};
use read::Reader;

/// How many records are stored at once.
const BATCH: usize = 100;

/// A service of ours that stores records with their ids. The command line implements this.
pub trait Destination: Send + Sync {
    /// Stores records of a kind; returns for each why it was not stored, if so. Fails if the disk does. Blocks.
    fn store(&self, kind: Kind, records: &[Value]) -> Result<Vec<Option<String>>, DestinationError>;

    /// Links what records of a kind name; returns for each link that was not made the id of the asset, that of the other
    /// end, and why. Fails if the disk does. Blocks.
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

/// How far the reading of a kind is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The kind.
    pub kind: Kind,
    /// How many of its records were received.
    pub done: usize,
    /// How many records the service named.
    pub named: usize,
}

/// Why it ended early. All that was received is kept.
#[derive(Debug, thiserror::Error)]
pub enum RescueError {
    /// The service no longer responds.
    #[error("the service no longer responds: {0}; run the command again to go on")]
    Silent(Box<CallError>),
    /// It was cancelled.
    #[error("cancelled; run the command again to go on")]
    Cancelled,
    /// The files of what was received cannot be read or written.
    #[error("cannot read or write what was received: {0}")]
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
    /// A task panicked.
    #[error("internal error: {0}")]
    Broken(String),
}

impl From<Ended> for RescueError {
    fn from(ended: Ended) -> Self {
        Self::Broken(ended.to_string())
    }
}

/// Takes everything along from the service of a client into a data folder and the service on it. `progress` is called
/// after each list and each asset. Blocks its thread while it reads and writes files.
pub async fn rescue(
    from: &Client,
    data: &Path,
    destination: Arc<dyn Destination>,
    progress: &(dyn Fn(Progress) + Send + Sync),
    cancel: &CancelFlag,
) -> Result<Receipt, RescueError> {
    let mut ledger = Ledger::open(data, &from.address().to_string())?;
    let source = read::source(from);
    let mut reader = Reader { client: &source, ledger: &mut ledger, progress, cancel };
    let ids = reader.lists().await?;
    reader.assets(ids).await?;
    let unstored = store(&ledger, destination.as_ref())?;
    let verified = verify::verify(&ledger, &destination.client()?).await?;
    let receipt = receipt::of(&mut ledger, unstored, verified);
    receipt.save(ledger.folder())?;
    ledger.state.ended = true;
    ledger.save()?;
    Ok(receipt)
}

/// Stores what was received and not stored, and then links it. Returns the records that were not stored, and why.
fn store(ledger: &Ledger, destination: &dyn Destination) -> Result<Vec<(Kind, String, String)>, RescueError> {
    let mut unstored = Vec::new();
    let kinds = || Kind::ALL.into_iter().filter(|kind| kind.is_stored());
    for kind in kinds() {
        // All of them, since what one needs may have come since it was refused.
        let each = |batch: Vec<Kept>| {
            let records = parsed(&batch);
            let outcomes = destination.store(kind, &records).map_err(io::Error::other)?;
            let refused = batch.into_iter().zip(outcomes);
            unstored.extend(refused.filter_map(|(kept, why)| Some((kind, kept.id, why?))));
            Ok(())
        };
        ledger.each(kind, BATCH, each).map_err(|error| RescueError::Store(error.to_string()))?;
    }
    for kind in kinds() {
        // A link that was not made shows when its ends are read back.
        let link = |batch: Vec<Kept>| destination.link(kind, &parsed(&batch)).map(drop).map_err(io::Error::other);
        ledger.each(kind, BATCH, link).map_err(|error| RescueError::Store(error.to_string()))?;
    }
    Ok(unstored)
}

/// The records as trees.
fn parsed(batch: &[Kept]) -> Vec<Value> {
    batch.iter().map(|kept| serde_json::from_str(&kept.raw).unwrap_or_default()).collect()
}
