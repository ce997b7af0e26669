//! How much of the past of assets is kept.

use serde::{Deserialize, Serialize};

/// How many earlier versions are kept, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct VersionBounds {
    /// For how many days after another one replaced it.
    pub days: u32,
    /// How many of each asset.
    pub versions: u32,
    /// How many bytes those of all connections may take.
    pub bytes: u64,
}

impl Default for VersionBounds {
    fn default() -> Self {
        Self { days: 90, versions: 200, bytes: 1 << 30 }
    }
}
