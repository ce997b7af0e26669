//! Saved filters.

use serde::{Deserialize, Serialize};

/// The maximum number of saved filters of a list.
const KEPT: usize = 50;

/// A saved filter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Saved {
    /// Its name.
    pub name: String,
    /// The text of the filter.
    pub filter: String,
}

/// Saves a filter: replaces the one with the same name, or adds it; the oldest is dropped if there are too many.
pub fn save(list: &mut Vec<Saved>, saved: Saved) {
    match list.iter_mut().find(|known| known.name == saved.name) {
        Some(known) => *known = saved,
        None => list.push(saved),
    }
    list.drain(..list.len().saturating_sub(KEPT));
}
