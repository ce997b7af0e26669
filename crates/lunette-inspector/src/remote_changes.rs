//! Handles the events of the sync tasks.
//!
//! What must hold: an outdated event (the user is reading or writing the record, or the rows changed) is dropped and
//! read again. Handling an event takes constant time, however many changes it contains.

use crate::App;
use crate::assets::page::AssetPage;
use crate::change::LinkKind;
use crate::context::of_feature;
use crate::notifications::Topic;
use crate::panel::Panel;
use crate::session::Status;
use crate::sync::{NewRows, RemoteChange, SyncStatus, ViewSnapshot};
use lunette_client::model::id::AssetId;

impl App {
    /// Applies a difference from the displayed state.
    pub(crate) fn apply_remote_change(&mut self, changes: RemoteChange) {
        match changes {
            RemoteChange::Status(status) => self.apply_sync_status(status),
            RemoteChange::Doubted => of_feature!(self, session.check_liveness()),
            RemoteChange::Down => {
                if self.state.connection.status == Status::Up {
                    of_feature!(self, session.went_down("the service no longer responds".to_owned()));
                }
            }
            RemoteChange::Asset { id, record, edited } => match self.is_busy(&id) {
                true => self.state.sync.read_page_again(),
                false => of_feature!(self, assets.apply_remote(&id, &record, edited)),
            },
            RemoteChange::Gone(id) => match self.is_busy(&id) {
                true => self.state.sync.read_page_again(),
                false => of_feature!(self, assets.mark_deleted(&id)),
            },
            RemoteChange::Activities(id, activities) => of_feature!(self, assets.apply_activities(id, activities)),
            RemoteChange::Conversations(id, conversations) => {
                of_feature!(self, assets.apply_conversations(id, conversations))
            }
            RemoteChange::Rows(new) => self.apply_new_rows(*new),
            RemoteChange::Linkable(kind, items) => {
                self.state.assets.apply_linkable(kind, items);
                self.links_changed([kind]);
            }
            RemoteChange::Applications(rows) => of_feature!(self, applications.apply_rows(rows)),
            RemoteChange::Application(id, record) => of_feature!(self, applications.apply_remote(&id, record)),
            RemoteChange::Halted(error) => {
                let message = "Live updates stopped; reconnect to resume them";
                let text = format!("{message}: {}", error.reason());
                self.context().notify_failed(Topic::Connection, text, Vec::new());
            }
        }
    }

    /// Whether a read or a write of an opened asset is in progress.
    fn is_busy(&self, id: &AssetId) -> bool {
        let busy = |page: &AssetPage| page.record.loading() || self.state.write.of(id).writing;
        self.state.assets.pages.of.get(id).is_some_and(busy)
    }

    fn apply_sync_status(&mut self, status: SyncStatus) {
        let before = std::mem::replace(&mut self.state.sync.status, status);
        let now = &self.state.sync.status;
        // A stream that ends is the first sign of a service that is gone, or is another one now.
        if SyncStatus::KINDS.into_iter().any(|kind| before.follows(kind) && !now.follows(kind)) {
            of_feature!(self, session.check_liveness());
        }
    }

    fn apply_new_rows(&mut self, new: NewRows) {
        let NewRows { base, rows, query, hits, shown, again, linked } = new;
        if !self.state.assets.shows(&base) {
            return self.state.sync.read_rows_again(again);
        }
        // Assets came or went: some of them may have gone to the Trash, or come from it.
        let moved = rows.len() != base.len();
        // Single changes affect only their rows; a full reload affects all.
        let renamed = if again.whole { rows.clone() } else { again.read.into() };
        of_feature!(self, assets.rename_recent(&renamed));
        of_feature!(self, assets.apply_new_rows(rows, &query, hits.as_ref(), shown));
        if moved {
            of_feature!(self, trash.trash_changed());
        }
        if linked {
            self.links_changed(LinkKind::ALL);
        }
        if self.state.navigation.panel == Panel::Graph {
            of_feature!(self, graph.changed());
        }
        for asset in self.state.compare.assets_among(&renamed) {
            of_feature!(self, compare.written(&asset));
        }
    }

    /// Has lists of items read again, where they are in sight.
    fn links_changed(&mut self, kinds: impl IntoIterator<Item = LinkKind>) {
        self.state.links.mark_outdated(kinds);
        if self.state.navigation.panel == Panel::Links {
            of_feature!(self, links.catch_up());
        }
    }

    /// Publishes what is in view to the sync tasks.
    pub(crate) fn publish_view(&self) {
        if self.state.sync.is_running() {
            self.state.sync.publish(self.view_snapshot());
        }
    }

    /// What is in view.
    pub(crate) fn view_snapshot(&self) -> ViewSnapshot {
        self.state.in_view()
    }

    /// Reports whether the window is visible: one that is hidden for a while does not poll.
    pub fn attend(&mut self, attended: bool) {
        self.state.sync.attend(attended);
    }
}
