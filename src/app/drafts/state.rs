//! What was typed and not applied, and its way to disk.

use std::collections::BTreeMap;

use super::{Draft, DraftKey, DraftSaver};

/// The drafts of a connection.
#[derive(Default)]
pub struct Drafts {
    /// What was typed, by what it belongs to.
    pub typed: BTreeMap<DraftKey, Draft>,
    /// Writes them.
    pub(super) saver: DraftSaver,
}
