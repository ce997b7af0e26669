//! Limits on reading a library: bytes, entries and depth.

use std::sync::atomic::{AtomicBool, Ordering};

/// Limits on reading. Data beyond them is skipped with a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum size of one file, in bytes.
    pub file_bytes: u64,
    /// The maximum total size of all files of a library, in bytes.
    pub total_bytes: u64,
    /// The maximum total size of what is unpacked of an archive, in bytes. Each reading of a file in a zip archive counts.
    pub unpacked_bytes: u64,
    /// The maximum number of files and of candidates of a library. An archive of 100,000 assets has twice as many
    /// files.
    pub entries: usize,
    /// The maximum depth of nested folders, and of values in a document.
    pub depth: usize,
    /// The maximum compression ratio of an archive.
    pub ratio: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 64 << 20,
            total_bytes: 512 << 20,
            unpacked_bytes: 4 << 30,
            entries: 250_000,
            depth: 64,
            ratio: 500,
        }
    }
}

impl Limits {
    /// An archive with less content than this is not a bomb, whatever its ratio.
    pub(crate) const SMALL: u64 = 8 << 20;

    /// Returns the maximum unpacked size for a packed size.
    pub(crate) fn unpacked(&self, packed: u64) -> u64 {
        packed.saturating_mul(self.ratio).max(Self::SMALL)
    }
}

/// Returns whether the user cancelled.
#[derive(Clone, Copy, Debug)]
pub struct Cancelled<'a>(pub Option<&'a AtomicBool>);

impl Cancelled<'_> {
    pub(crate) fn is_set(self) -> bool {
        self.0.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
