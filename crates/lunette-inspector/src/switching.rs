//! Transitions that concern several features: a connection that is started, reached, lost or closed, and reloading
//! lists.
//!
//! What must hold: data of one service is never shown together with that of another; input is kept.

use std::sync::Arc;

use crate::action::LinksAction;
use crate::change::LinkKind;
use crate::context::{of_feature, of_reader};
use crate::db::Database;
use crate::following::DatabaseWatch;
use crate::history::other_windows::OtherWindows;
use crate::journal::Journal;
use crate::local_versions::LocalVersions;
use crate::notifications::Topic;
use crate::panel::Panel;
use crate::session::Status;
use crate::settings::Target;
use crate::{App, Remote, Setup, Vendor};
use lunette_client::model::id::AssetId;

impl App {
    /// Connects to a service. Displayed data of another one is dropped; the log and the settings are kept.
    pub(crate) fn connect(&mut self, target: Target) {
        self.leave(&target);
        of_feature!(self, session.begin(target));
        self.apply_view();
        of_feature!(self, session.reach());
    }

    fn leave(&mut self, next: &Target) {
        self.runtime.generation += 1;
        self.runtime.client = None;
        self.runtime.leave_versions();
        self.runtime.reads.clear();
        self.runtime.journal = Journal::in_memory();
        self.runtime.database_watch = None;
        self.state.sync.stop();
        self.state.windows = OtherWindows::default();
        self.state.embedded.leave_store();
        let same = *next == self.state.connection.target;
        of_feature!(self, session.leave(same));
        of_feature!(self, assets.end_listing());
        of_feature!(self, drafts.leave_drafts(same));
        let runs = self.state.bulk.leave_runs();
        let going_on = [self.state.rescue.task(), self.state.scratch.task()];
        for work in std::mem::take(&mut self.state.work) {
            if going_on.contains(&Some(work.task)) {
                self.state.work.push(work);
                continue;
            }
            // A write that was sent is completed, and its step in the journal records the outcome.
            if !work.saves && !runs.contains(&work.task) {
                self.cancel(work.task);
            }
        }
        self.state.leave();
    }

    /// Looks from now on whether the database of a connection is written to.
    pub(crate) fn watch_database(&mut self, database: Option<&(Arc<Database>, String)>) {
        let Setup { runtime, pace, .. } = &self.runtime.setup;
        let watch = database.map(|(database, _)| DatabaseWatch::start(database, pace.journal, runtime));
        self.runtime.database_watch = watch;
    }

    /// Opens the versions of the assets of a connection, which only this program keeps.
    pub(crate) fn open_versions(&mut self, database: Option<&(Arc<Database>, String)>) {
        let database = database.filter(|_| self.state.connection.vendor == Vendor::Other);
        let bounds = self.state.preferences.settings.versions;
        self.runtime.local_versions =
            database.map(|(database, connection)| LocalVersions::new(Arc::clone(database), connection, bounds));
        self.keep_versions();
    }

    /// Begins or ends to keep versions, or goes on with other bounds, as the settings say.
    pub(crate) fn keep_versions(&mut self) {
        let settings = &self.state.preferences.settings;
        let keeps = !settings.unrecorded.contains(&self.state.connection.key());
        let bounds = settings.versions;
        self.runtime.local_versions = self.runtime.local_versions.take().map(|versions| versions.with_bounds(bounds));
        let store = self.runtime.local_versions.clone().filter(|_| keeps);
        let follows = self.state.sync.follows_assets();
        self.runtime.recorder.attach(store.map(|store| (store, self.runtime.setup.runtime.clone())));
        self.runtime.recorder.watch(follows);
    }

    /// Handles a service that responds, for the first time or again after it was lost.
    pub(crate) fn reached(&mut self, again: bool) {
        self.context().resolve(Topic::Connection);
        // Started before the lists are loaded, so that all later changes are reported.
        let view = self.view_snapshot();
        of_feature!(self, sync.start(view));
        if again {
            self.read_again();
        } else {
            self.read_all();
        }
        of_feature!(self, trash.ask_for_trash());
        if !again {
            of_reader!(self, bulk.find_runs());
            of_feature!(self, watch.start());
            of_feature!(self, windows.follow_windows());
        }
        of_feature!(self, proposals.settle());
        of_feature!(self, navigation.resume());
        of_feature!(self, shell.confirm_import());
    }

    /// Clears every list, so that each is drawn as not loaded, and reloads it.
    pub(crate) fn read_all(&mut self) {
        self.state.applications.list.clear();
        for kind in LinkKind::ALL {
            self.state.assets.linkable.insert(kind, Remote::NotRequested);
        }
        self.read_lists();
        if self.state.navigation.panel == Panel::Links {
            let kind = self.state.links.kind;
            of_feature!(self, links.load(kind));
        }
    }

    fn read_lists(&mut self) {
        of_feature!(self, applications.load_applications());
        of_feature!(self, applications.load_external());
        of_feature!(self, assets.load_assets());
        for kind in LinkKind::ALL {
            of_feature!(self, assets.load_linkable(kind));
        }
    }

    /// Reloads the displayed data; the previous data stays visible until then.
    fn read_again(&mut self) {
        self.read_lists();
        of_feature!(self, trash.trash_changed());
        of_feature!(self, links.reload());
        of_feature!(self, graph.reload());
        self.read_application_again();
        for id in self.state.assets.pages.shown_ids() {
            self.read_page_again(id);
        }
    }

    fn read_page_again(&mut self, id: AssetId) {
        of_feature!(self, assets.load_asset(&id));
        let Some(page) = self.state.assets.pages.of.get(&id) else { return };
        let (formats, activities, conversations) = (
            page.formats != Remote::NotRequested,
            page.activities != Remote::NotRequested,
            page.conversations != Remote::NotRequested,
        );
        if formats {
            of_feature!(self, assets.load_formats(id.clone()));
        }
        if activities {
            of_feature!(self, assets.load_activities(id.clone()));
        }
        if conversations {
            of_feature!(self, assets.load_conversations(id));
        }
    }

    fn read_application_again(&mut self) {
        if let Some(page) = &self.state.applications.open {
            let id = page.id.clone();
            of_feature!(self, applications.open_application(id));
        }
    }

    /// Reloads a panel's lists.
    pub(crate) fn refresh(&mut self, panel: Panel) {
        // Everything is reloaded as soon as the service is back.
        if matches!(self.state.connection.status, Status::Down(_)) {
            return of_feature!(self, session.try_now());
        }
        match panel {
            Panel::Applications => {
                of_feature!(self, applications.load_applications());
                self.read_application_again();
            }
            Panel::External => of_feature!(self, applications.load_external()),
            Panel::Assets => of_feature!(self, assets.load_assets()),
            Panel::Links => {
                let kind = self.state.links.kind;
                of_feature!(self, links.load(kind));
            }
            Panel::Graph => of_feature!(self, graph.reload()),
            Panel::Compare => of_feature!(self, compare.reload()),
            Panel::Proposals => self.state.proposals.reload(),
            _ => {}
        }
    }

    /// Reads again what a panel shows that is not kept up to date while it is hidden.
    pub(crate) fn shown(&mut self, panel: Panel) {
        match panel {
            Panel::Links => of_feature!(self, links.perform(LinksAction::Enter)),
            Panel::Graph => of_feature!(self, graph.changed()),
            // Its page says it.
            Panel::Rescue => self.context().resolve(Topic::Rescue),
            Panel::Sides => self.state.sides.prepare(&self.state.connection.target),
            _ => {}
        }
    }
}
