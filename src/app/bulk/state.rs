//! What the window shows of runs over many assets, and what carries them out.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::window::ActiveRun;
use super::{BulkDraft, RunId};
use crate::app::change::Change;
use crate::app::journal::EntryRelation;

/// The run that is planned, and those of this connection.
#[derive(Default)]
pub struct Bulk {
    /// The run that is shown before it starts.
    pub draft: Option<BulkDraft>,
    /// What carries them out.
    pub(super) active: BTreeMap<RunId, ActiveRun>,
}

/// A run of changes that needs no plan of its own: what was asked says all there is to see.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// What it is, for people.
    pub title: String,
    /// The changes, each with the name of its asset.
    pub changes: Arc<Vec<(Change, String)>>,
    /// How many are sent at once.
    pub in_flight: usize,
    /// What it undoes or redoes.
    pub answers: EntryRelation,
}
