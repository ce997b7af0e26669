//! Reading sides: how far it is, why it fails, and how a service that does not respond is asked again.

use std::io;
use std::time::Duration;

use lunette_client::client::Client;
use lunette_client::operation::{Call, DecodeError};
use lunette_storage::system::error_text;

use super::location::LocationError;
use crate::CallError;
use crate::runs::silent;
use crate::tasks::Ended;
use crate::versions::SourceError;

/// How often a call without a response is made before the reading stops.
const TRIES: u32 = 4;
/// The delay before the second; it doubles each time.
const FIRST_DELAY: Duration = Duration::from_millis(200);

/// Why it is not known what a service of others was.
pub const NOTHING_KEPT: &str = "this service keeps no earlier versions, and nothing was watched yet: the window and the \
                                commands that change assets keep what they see";

/// How far the reading of a side is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How many assets were read.
    pub done: usize,
    /// How many there are, if that is known.
    pub total: Option<usize>,
}

/// Why a side cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SideError {
    /// The service did not respond, or did not send what was asked for. What was read before is kept by its reader.
    #[error("{0}")]
    Call(#[from] CallError),
    /// The service has no list of its assets.
    #[error("the service lists no assets: {}", .0.reason())]
    NoList(CallError),
    /// The service keeps no versions, so that it is not known what it was.
    #[error("the service keeps no versions: {}", .0.reason())]
    NoPast(CallError),
    /// The versions that this program keeps cannot be read.
    #[error(transparent)]
    Versions(#[from] SourceError),
    /// The service keeps no versions, and this program has seen nothing of it.
    #[error("{}", NOTHING_KEPT)]
    NothingKept,
    /// What follows the @ is not a day, a time or a checkpoint.
    #[error("{0:?} is not a day such as 2026-01-31 or yesterday, a time such as 2026-01-31T18:00:00Z, or a checkpoint")]
    NoTime(String),
    /// The files cannot be read.
    #[error("cannot read {path}: {}", error_text(.error))]
    Files {
        /// The path.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// The archive or library cannot be read.
    #[error("{0}")]
    Library(#[from] lunette_sources::OpenError),
    /// The side has no such asset.
    #[error("there is no asset {0}")]
    NoAsset(String),
    /// What the side has of an asset is not a record.
    #[error("what is known of the asset {0} cannot be read")]
    NotReadable(String),
    /// The text names no side.
    #[error("{0}")]
    Location(#[from] LocationError),
    /// No service can be started for it.
    #[error("{0}")]
    NotServed(String),
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The work panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// Repeats a read while the service does not respond, with growing delays.
pub(super) async fn patiently<T: Send + 'static>(
    client: &Client,
    call: &Call,
    read: impl FnOnce(&[u8]) -> Result<T, DecodeError> + Clone + Send + 'static,
) -> Result<T, CallError> {
    let mut tries = 1;
    loop {
        match client.exchange_reading(call, read.clone()).await.outcome {
            Err(error) if silent(&error) && tries < TRIES => {
                tokio::time::sleep(FIRST_DELAY * 2_u32.pow(tries - 1)).await;
                tries += 1;
            }
            read => return read,
        }
    }
}

/// Whether a service has no such list, rather than no answer.
pub(super) fn is_absent(error: &CallError) -> bool {
    error.missing() || matches!(error, CallError::Status { status: 400..=499, .. } | CallError::NotJson { .. })
}
