//! Whether the window has seen what a call names.

use super::State;
use crate::CallError;
use crate::change::{LinkKind, linked};
use crate::session::log::LogEntry;
use crate::session::support::ids;
use lunette_client::model::record::Record as _;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsSnapshot;

impl State {
    /// Whether every item that an unanswered call names is known to exist.
    pub(crate) fn knows_what_is_named(&self, line: &LogEntry) -> bool {
        let missing = matches!(line.error, Some(CallError::Status { status: 404, .. }));
        missing && ids(line).is_some_and(|ids| ids.iter().all(|id| self.knows(id)))
    }

    /// Whether the window has seen an item with this id at this service.
    fn knows(&self, id: &str) -> bool {
        let same = |known: &str| known.eq_ignore_ascii_case(id);
        let read = || self.assets.pages.of.iter().filter_map(|(key, page)| Some((key, page.record.value()?)));
        // If the service cannot list assets, the rows are recently opened ones that may be gone.
        let listed = self.connection.offers(AssetsSnapshot::INFO);
        let rows = self.assets.list.rows.value().filter(|_| listed);
        let is_row = |id: &str| rows.zip(id.parse().ok()).is_some_and(|(rows, id)| rows.find(&id).is_some());
        is_row(id)
            || is_row(&id.to_ascii_lowercase())
            || read().any(|(key, _)| same(key.as_str()))
            || LinkKind::ALL.into_iter().any(|kind| {
                let of_assets = || read().flat_map(|(_, asset)| linked(asset.view(), kind));
                self.assets.items(kind).iter().any(|item| same(&item.id)) || of_assets().any(|item| same(&item.id))
            })
            || self.applications.list.rows.value().is_some_and(|rows| rows.iter().any(|row| same(&row.id)))
    }
}
