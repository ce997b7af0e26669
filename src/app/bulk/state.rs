//! What the window shows of runs over many assets, and what carries them out.

use std::collections::BTreeMap;

use super::window::ActiveRun;
use super::{BulkDraft, RunId};

/// The run that is planned, and those of this connection.
#[derive(Default)]
pub struct Bulk {
    /// The run that is shown before it starts.
    pub draft: Option<BulkDraft>,
    /// What carries them out.
    pub(in crate::app) active: BTreeMap<RunId, ActiveRun>,
}
