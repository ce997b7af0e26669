//! Reading sides: how far it is, and why it fails.

use std::io;

use crate::CallError;
use crate::tasks::Ended;

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
    /// What follows the @ is no day, no time and no checkpoint.
    #[error("{0:?} is no day such as 2026-01-31 or yesterday, no time such as 2026-01-31T18:00:00Z, and no checkpoint")]
    NoTime(String),
    /// The files cannot be read.
    #[error("cannot read {path}: {error}")]
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
    /// What the side has of an asset is no record.
    #[error("what is known of the asset {0} cannot be read")]
    NotReadable(String),
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The work panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}
