//! What the tasks beside the window tell it, and what that changes on screen.
//!
//! What must hold: an answer that came too late, because the user reads or writes the thing, or the rows moved on, is
//! not shown but asked for again; taking one in costs the same however many changes it stands for.

use std::sync::Arc;

use crate::app::change::{Item, LinkKind};
use crate::app::listing::rows::ApplicationRow;
use crate::app::notifications::Grade;
use crate::app::request_versions::ResourceKey;
use crate::app::session::Status;
use crate::app::sync::SyncStatus;
use crate::app::sync::rows::NewRows;
use crate::app::{App, CallError, Remote};
use lunette_client::model::activity::Activities;
use lunette_client::model::application::Application;
use lunette_client::model::asset::Asset;
use lunette_client::model::conversation::Conversations;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::{Record as _, View};

/// Something that differs from what the window shows.
pub enum RemoteChange {
    /// How the window keeps up with the service.
    Standing(SyncStatus),
    /// The service no longer answers.
    Down,
    /// The service does not answer, or another one does, as it seems.
    Doubted,
    /// The asset looked at.
    Asset {
        /// Which.
        id: AssetId,
        /// Its record.
        record: Arc<Asset>,
        /// Whether more than what moves by itself differs from what is shown.
        edited: bool,
    },
    /// The asset looked at is there no more.
    Gone(AssetId),
    /// What happened to the asset looked at.
    Activities(AssetId, Arc<Activities>),
    /// Where the asset looked at was talked about.
    Conversations(AssetId, Arc<Conversations>),
    /// The rows of the list of assets.
    Rows(Box<NewRows>),
    /// What assets can be linked to.
    Linkable(LinkKind, Arc<Vec<Item>>),
    /// The tracked applications.
    Applications(Arc<Vec<Arc<ApplicationRow>>>),
    /// The application looked at, by the id of its row.
    Application(String, Arc<Application>),
    /// Nothing is kept up with any more; a fault of this program.
    Halted(CallError),
}

impl App {
    pub(in crate::app) fn take_news(&mut self, news: RemoteChange) {
        match news {
            RemoteChange::Standing(standing) => {
                let before = std::mem::replace(&mut self.state.connection.live, standing);
                let now = &self.state.connection.live;
                // A stream that ends is the first sign of a service that is gone, or is another one now.
                if SyncStatus::KINDS.into_iter().any(|kind| before.follows(kind) && !now.follows(kind)) {
                    self.check_liveness();
                }
            }
            RemoteChange::Doubted => self.check_liveness(),
            RemoteChange::Down => {
                if self.state.connection.status == Status::Up {
                    self.went_down("the service no longer responds".to_owned());
                }
            }
            RemoteChange::Asset { id, record, edited } => self.take_record(id, record, edited),
            RemoteChange::Gone(id) => self.take_gone(id),
            // What the user asked for before is older than what came now.
            RemoteChange::Activities(id, activities) => {
                self.begin_read(ResourceKey::Activities(id.clone()));
                if let Some(page) = self.state.pages.of.get_mut(&id) {
                    page.activities = Remote::Known(activities);
                }
            }
            RemoteChange::Conversations(id, conversations) => {
                self.begin_read(ResourceKey::Conversations(id.clone()));
                if let Some(page) = self.state.pages.of.get_mut(&id) {
                    page.conversations = Remote::Known(conversations);
                }
            }
            RemoteChange::Rows(new) => self.take_new_rows(*new),
            RemoteChange::Linkable(kind, items) => {
                if let Some(known) = self.state.assets.linkable.get_mut(&kind).filter(|known| !known.loading()) {
                    *known = Remote::Known(items);
                    self.state.assets.linkable_revision += 1;
                }
            }
            RemoteChange::Applications(rows) => {
                if !self.state.applications.list.rows.loading() {
                    self.state.applications.list.rows = Remote::Known(rows);
                    self.arrange_applications(self.state.applications.list.query.clone());
                }
            }
            RemoteChange::Application(id, record) => {
                if let Some(page) = self.state.applications.open.as_mut().filter(|page| page.id == id) {
                    self.runtime.reads.begin(ResourceKey::Application);
                    page.record = Remote::Known(record);
                }
            }
            RemoteChange::Halted(error) => {
                let said = "Live updates stopped; reconnect to resume them";
                self.notify(Grade::Failed, format!("{said}: {}", error.reason()));
            }
        }
    }

    fn take_record(&mut self, id: AssetId, record: Arc<Asset>, edited: bool) {
        let Some(page) = self.state.pages.of.get_mut(&id) else { return };
        if page.writing || page.record.loading() {
            return self.look_at_page_again();
        }
        let before = page.record.value().cloned();
        page.gone = false;
        page.record = Remote::Known(Arc::clone(&record));
        let content = |asset: View<'_, Asset>| content_of(asset).map(|(updated, size)| (updated.to_owned(), size));
        if before.is_some_and(|before| content(before.view()) != content(record.view())) {
            self.load_small_content(&id);
        }
        if edited {
            self.state.pages.news = Some("Updated elsewhere".to_owned());
        }
    }

    fn take_gone(&mut self, id: AssetId) {
        let Some(page) = self.state.pages.of.get_mut(&id) else { return };
        if page.writing || page.record.loading() {
            return self.look_at_page_again();
        }
        page.gone = true;
        self.forget_asset(&id);
    }

    /// The asset looked at is read again once nobody reads or writes it.
    fn look_at_page_again(&self) {
        if let Some(running) = &self.state.sync.running {
            running.context.page.put(|stale| stale.record = true);
        }
    }

    fn take_new_rows(&mut self, new: NewRows) {
        let NewRows { base, rows, query, hits, order, again } = new;
        let listing = &mut self.state.assets.list;
        let fits = matches!(&listing.rows, Remote::Known(known) if Arc::ptr_eq(known, &base));
        if !fits {
            if let Some(running) = &self.state.sync.running {
                running.context.rows.put(|stale| stale.add(again));
            }
            return;
        }
        // Assets came or went: some of them may have gone to the Trash, or come from it.
        let moved = rows.len() != base.len();
        listing.rows = Remote::Known(Arc::clone(&rows));
        // Of single changes only those are looked at, of a whole reading all of it.
        match again.whole {
            true => self.rename_recent(rows.iter()),
            false => self.rename_recent(again.read.iter()),
        }
        if moved {
            self.trash_changed();
        }
        if self.still_wanted(&query, hits.as_ref()) {
            self.state.assets.list.order = order;
        } else {
            self.arrange_assets(self.state.assets.list.query.clone());
        }
    }
}

/// What tells that the content of an asset is another one: when its original changed, and its size.
fn content_of(asset: View<'_, Asset>) -> Option<(&str, i64)> {
    let format = asset.original().reference()?;
    Some((format.updated().value(), format.bytes().value()))
}
