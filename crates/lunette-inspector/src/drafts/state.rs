//! Unsaved input, and what saves it.

use std::collections::BTreeMap;

use super::{Draft, DraftKey, DraftSaver};

/// The drafts of a connection.
#[derive(Default)]
pub struct Drafts {
    /// Unsaved input, by what it belongs to.
    pub typed: BTreeMap<DraftKey, Draft>,
    /// Saves it.
    pub(super) saver: DraftSaver,
}
