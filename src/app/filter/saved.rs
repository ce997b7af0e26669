//! Filters that are kept under a name.

use serde::{Deserialize, Serialize};

/// More are not kept for a list.
const KEPT: usize = 50;

/// A filter under a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Saved {
    /// What the user calls it.
    pub name: String,
    /// The filter, as it was typed.
    pub filter: String,
}

/// Keeps a filter: in the place of the one of its name, else at the end; the oldest goes where there are too many.
pub fn save(list: &mut Vec<Saved>, saved: Saved) {
    match list.iter_mut().find(|known| known.name == saved.name) {
        Some(known) => *known = saved,
        None => list.push(saved),
    }
    list.drain(..list.len().saturating_sub(KEPT));
}
