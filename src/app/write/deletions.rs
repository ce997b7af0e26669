//! How a deleted asset comes back at the connection at hand, and which assets have come back with another id.

use std::sync::Arc;

use crate::app::change::Recovery;
use crate::app::history::History;
use crate::app::journal::{Entry, EntryKind, Outcome};
use crate::app::session::Connection;
use crate::app::session::capability::Capability;
use crate::app::write::Writes;
use crate::app::write::recovery::{Replacements, replaced};
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{AssetsCreateNewAsset, AssetsTrashRestore, AssetsTrashSnapshot};

impl History {
    /// The assets that were made again with another id, as far as is known here.
    pub(in crate::app) fn replacements(&self) -> Replacements {
        let of_step = |entry: &Arc<Entry>| match &entry.deed {
            EntryKind::Change(made) if entry.outcome == Outcome::Done => replaced(made),
            EntryKind::Change(_) | EntryKind::Batch { .. } | EntryKind::Call { .. } => None,
        };
        let of_rows = self.runs.values().flat_map(|run| run.rows.iter());
        let of_rows = of_rows.filter_map(|row| replaced(row.done.as_deref()?));
        Replacements(of_rows.chain(self.entries.iter().filter_map(of_step)).collect())
    }
}

impl Connection {
    /// How a deleted asset comes back at this connection. A Trash is counted on once the service has shown it.
    pub fn recovery(&self) -> Recovery {
        let capabilities = &self.capabilities;
        let shown = capabilities.of(AssetsTrashSnapshot::INFO.name) == Capability::Offered;
        if shown && self.offers(AssetsTrashRestore::INFO.name) {
            return Recovery::Trash;
        }
        match self.offers(AssetsCreateNewAsset::INFO.name) {
            true => Recovery::Copy,
            false => Recovery::None,
        }
    }
}

impl Writes {}
