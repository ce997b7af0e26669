//! Earlier versions of a text or of bytes: the newest is at hand, and each earlier one is kept as its difference from the
//! next, so that the newest is read without any work and the oldest can be deleted without touching another.
//!
//! What must hold: what is read back is what was encoded, byte for byte, or an error; no bytes cost more than the
//! limit that the reader sets.
//!
//! ```
//! let (old, next) = (b"one two three".as_slice(), b"one two four".as_slice());
//! let difference = lunette_versions::encode(old, Some(next));
//! assert_eq!(lunette_versions::decode(&difference, Some(next), 1 << 20).as_deref(), Ok(old));
//! ```

mod chain;
mod chunks;
mod coder;
mod delta;
mod edits;
mod lines;
mod varint;

pub use chain::{Missing, WHOLE_EVERY, is_whole_due, walk_back};
pub use delta::{Damaged, decode, encode, encode_uncompressed, is_whole};
pub use lines::{LineChanges, line_changes};
