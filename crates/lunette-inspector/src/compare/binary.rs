//! How two contents differ that are not text.

use sha2::{Digest as _, Sha256};

use crate::files::hex;

/// How two byte sequences differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteDiff {
    /// Their sizes in bytes.
    pub sizes: [u64; 2],
    /// Their SHA-256, in hexadecimal digits.
    pub sha256: [String; 2],
    /// The offset of the first byte that differs or that one side alone has; `None` if they are equal.
    pub first: Option<u64>,
}

impl ByteDiff {
    /// Compares two byte sequences.
    pub fn of(left: &[u8], right: &[u8]) -> Self {
        let same = left.iter().zip(right).take_while(|(one, other)| one == other).count();
        let first = (same < left.len().max(right.len())).then_some(same as u64);
        let sha256 = [left, right].map(|bytes| hex(&Sha256::digest(bytes)));
        Self { sizes: [left.len() as u64, right.len() as u64], sha256, first }
    }
}
