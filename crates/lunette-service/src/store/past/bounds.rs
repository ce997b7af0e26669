//! How much of the past is kept.

/// How many earlier versions are kept, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastBounds {
    /// For how many days after the change that replaced it.
    pub days: u32,
    /// How many of each asset. 0 keeps none.
    pub versions: u32,
    /// How many bytes all of them together may take.
    pub bytes: u64,
}

impl Default for PastBounds {
    fn default() -> Self {
        Self { days: 90, versions: 200, bytes: 1 << 30 }
    }
}

impl PastBounds {
    /// Keeps no versions, and records nothing.
    pub const NONE: Self = Self { days: 0, versions: 0, bytes: 0 };

    /// Whether versions are kept.
    pub fn keeps(self) -> bool {
        self.versions > 0
    }
}
