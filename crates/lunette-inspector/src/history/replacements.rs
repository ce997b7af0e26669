//! Assets that were recreated with another id.

use std::sync::Arc;

use crate::change::{Replacements, replaced};
use crate::history::History;
use crate::journal::{Entry, EntryKind, Outcome};
use crate::run::Runs;

impl History {
    /// The assets that were recreated with another id, by the steps and by these runs.
    pub(crate) fn replacements(&self, runs: &Runs) -> Replacements {
        let of_step = |entry: &Arc<Entry>| match &entry.kind {
            EntryKind::Change(made) if entry.outcome == Outcome::Done => replaced(made),
            EntryKind::Change(_) | EntryKind::Batch { .. } | EntryKind::Call { .. } => None,
        };
        let of_rows = runs.values().flat_map(|run| run.rows.iter());
        let of_rows = of_rows.filter_map(|row| replaced(row.done.as_deref()?));
        Replacements(of_rows.chain(self.entries.iter().filter_map(of_step)).collect())
    }
}
