//! Pieces: the archives that its public export tool writes, and the cache of its clients. Both keep records of the
//! interface, one by one, which `asset` makes candidates of.
//!
//! What must hold: records are read exactly, and what was left out or replaced in them is said. An id is only looked up,
//! never used as a path. However the records refer to each other, the work and the memory are bounded.

mod archive;
mod asset;
mod cache;
mod content;
mod links;
mod material;
mod state;

use std::rc::Rc;

use serde_json::Value;

use crate::Warning;
use material::Material;

/// How many times the limit on a library is read of its records at most: a record may be linked to many assets.
const MOST_READ: u64 = 8;
/// What is said where that is not enough.
const TOO_MANY_REFERENCES: &str =
    "its records refer to each other so often that the limit on reading was reached: some were left out";

/// Records by their ids.
trait Records {
    /// Returns the record with this id, or `None` if it is not there or cannot be read. Adds a warning for a record that
    /// cannot be read, or not as it was written.
    fn get(&self, material: Material, id: &str, warnings: &mut Vec<Warning>) -> Option<Rc<Value>>;
}
