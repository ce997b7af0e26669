//! How much is read of a library: bytes, entries and depth.

use std::sync::atomic::{AtomicBool, Ordering};

/// Limits on what is read. What lies beyond is left out with a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of one file.
    pub file_bytes: u64,
    /// The most bytes of all files of a library together.
    pub total_bytes: u64,
    /// The most files of a library, and the most candidates. An archive of 100,000 assets has twice as many files.
    pub entries: usize,
    /// How deep folders may be nested, and values in a document.
    pub depth: usize,
    /// How many times larger the content of an archive may be than the archive.
    pub ratio: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes: 64 << 20, total_bytes: 512 << 20, entries: 250_000, depth: 64, ratio: 500 }
    }
}

impl Limits {
    /// An archive with less content than this is no bomb, whatever its ratio.
    pub(crate) const SMALL: u64 = 8 << 20;

    /// The most bytes that so many packed bytes may become.
    pub(crate) fn unpacked(&self, packed: u64) -> u64 {
        packed.saturating_mul(self.ratio).max(Self::SMALL)
    }
}

/// Says whether the user has cancelled.
#[derive(Clone, Copy, Debug)]
pub struct Cancelled<'a>(pub Option<&'a AtomicBool>);

impl Cancelled<'_> {
    pub(crate) fn is_set(self) -> bool {
        self.0.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
