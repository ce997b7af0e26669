//! Assets that were recreated with another id.

use std::sync::Arc;

use crate::app::history::History;
use crate::app::journal::{Entry, EntryKind, Outcome};
use crate::app::write::recovery::{Replacements, replaced};

impl History {
    /// The known assets that were recreated with another id.
    pub(in crate::app) fn replacements(&self) -> Replacements {
        let of_step = |entry: &Arc<Entry>| match &entry.kind {
            EntryKind::Change(made) if entry.outcome == Outcome::Done => replaced(made),
            EntryKind::Change(_) | EntryKind::Batch { .. } | EntryKind::Call { .. } => None,
        };
        let of_rows = self.runs.values().flat_map(|run| run.rows.iter());
        let of_rows = of_rows.filter_map(|row| replaced(row.done.as_deref()?));
        Replacements(of_rows.chain(self.entries.iter().filter_map(of_step)).collect())
    }
}
