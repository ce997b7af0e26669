//! Versions one behind the other, from the newest back to the oldest.

use crate::delta::{decode, is_whole};

/// After so many differences a version is stored whole, so that reading any of them takes a bounded number of steps, and
/// what is damaged takes no more of them with it.
pub const WHOLE_EVERY: usize = 32;

/// A version that cannot be read, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("version {number} is missing: it is damaged, or the version that it is a difference from is")]
pub struct Missing {
    /// The number of the version.
    pub number: u64,
}

/// Whether a version should be stored whole: `steps` differences of `bytes` together lead to it from the last that is, and
/// it is `size` bytes long.
pub fn is_whole_due(steps: usize, bytes: usize, size: usize) -> bool {
    steps + 1 >= WHOLE_EVERY || bytes > size.max(4096)
}

/// Calls `each` with every version from the newest stored one back, until it has enough (returns false). `newest` is the
/// version that follows the first, or None if it cannot be read. A version that is missing is given as an error, and so
/// are all before it up to one that is stored whole.
pub fn walk_back<S: AsRef<[u8]>>(
    newest: Option<Vec<u8>>,
    stored: impl IntoIterator<Item = (u64, S)>,
    limit: usize,
    mut each: impl FnMut(u64, Result<&[u8], Missing>) -> bool,
) {
    let mut next = newest;
    for (number, stored) in stored {
        let stored = stored.as_ref();
        next = match (&next, is_whole(stored)) {
            (None, false) => None,
            (next, _) => decode(stored, next.as_deref(), limit).ok(),
        };
        if !each(number, next.as_deref().ok_or(Missing { number })) {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
