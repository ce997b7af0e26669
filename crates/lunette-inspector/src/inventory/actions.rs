//! The requests of the user, and of other features, to the inventory.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::icon::{self, Themes};
use super::join::{self, AppLists, Scope};
use super::output::{ObservationResult, Output};
use super::since::Since;
use super::state::{Inventory, Shown};
use super::store::{InventoryStore, ObserveResult};
use crate::action::ApplicationsAction;
use crate::applications::{ListResult, Source};
use crate::context::Context;
use crate::db::Database;
use crate::export::NotMade;
use crate::files::picture::Picture;

use crate::tasks::Ended;

/// The maximum number of icons in memory, about 20 kB each.
const MAX_ICONS: usize = 1_000;

/// The number of icons per task, so that a slow one delays few others.
const ICONS_AT_ONCE: usize = 16;

/// A request to the inventory.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Changes how applications are shown.
    Show(Shown),
    /// Shows the changed applications of all lists.
    ShowChanged,
    /// Changes the start of the shown changes.
    Since(Since),
    /// Opens the page of an application, by the key of its row.
    Open(String),
    /// Closes its page.
    Close,
    /// Mutes version changes of an application, or unmutes them; by its plain names.
    Quiet(BTreeSet<String>, bool),
    /// Marks the changes as seen that the rows with these keys show.
    MarkSeen(BTreeSet<String>),
    /// Loads the icons of applications that were detected at these paths on this machine.
    LoadIcons(Vec<String>),
    /// Saves a picture of the usage of an application; the user may change this file name.
    SavePlot(String, Arc<Picture>),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Inventory(action)
    }
}

impl Inventory {
    /// Carries out a request.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Show(shown) => self.shown = shown,
            Action::ShowChanged => {
                self.shown = Shown::All;
                self.changed_requests += 1;
            }
            Action::Since(since) => {
                self.since = since;
                self.join(cx);
            }
            Action::Open(key) => self.open(key, cx),
            Action::Close => {
                self.open = None;
                cx.request(ApplicationsAction::Close);
            }
            Action::Quiet(names, quiet) => {
                cx.set(|settings| settings.save_quiet(names, quiet));
                self.join(cx);
            }
            Action::MarkSeen(keys) => self.mark_seen(&keys),
            Action::LoadIcons(entries) => self.load_icons(entries, cx),
            Action::SavePlot(name, picture) => {
                cx.save_made(&name, move || picture.png().map_err(NotMade::of_picture));
            }
        }
    }

    /// Sets the database of the connection, and the name of the connection in it.
    pub(crate) fn set_store(&mut self, database: Option<(Arc<Database>, String)>) {
        self.store =
            database.map(|(database, connection)| InventoryStore::of(database, connection)).unwrap_or_default();
    }

    /// Opens a page; that of a tracked application shows its record.
    fn open(&mut self, key: String, cx: &mut Context<'_>) {
        let row = self.list.iter().find(|row| row.key == key);
        match row.and_then(|row| row.tracked.as_ref()) {
            Some(tracked) => cx.request(ApplicationsAction::Open(tracked.id.clone())),
            None => cx.request(ApplicationsAction::Close),
        }
        self.open = Some(key);
    }

    /// Compares a list that was read with the stored state.
    pub(crate) fn list_read(&mut self, result: ListResult, cx: &mut Context<'_>) {
        let mut sources = Vec::new();
        match result {
            ListResult::Tracked(Ok(rows)) => {
                self.answers.tracked = Some(rows);
                sources.push(Source::Tracked);
            }
            ListResult::Tracked(Err(error)) => {
                self.failed.insert(Source::Tracked, error);
                return self.report_if_none_read();
            }
            ListResult::External(None, failed) => {
                self.failed.extend(failed);
                return self.report_if_none_read();
            }
            ListResult::External(Some(rows), failed) => {
                self.answers.external = Some(rows);
                let failed_now = |source: &Source| failed.iter().any(|(other, _)| other == source);
                sources.extend([Source::Detected, Source::Related].into_iter().filter(|source| !failed_now(source)));
                self.failed.extend(failed);
            }
        }
        for source in &sources {
            self.failed.remove(source);
        }
        self.observe(sources, cx);
    }

    /// Reports an error once every list failed and none was read before.
    fn report_if_none_read(&mut self) {
        let nothing =
            self.answers == AppLists::default() && Source::ALL.iter().all(|source| self.failed.contains_key(source));
        if let Some(error) = self.failed.values().next().filter(|_| nothing) {
            self.list.rows.resolve(Err(error.clone()));
        }
    }

    /// Compares these lists with the stored state, and updates the rows.
    fn observe(&mut self, sources: Vec<Source>, cx: &mut Context<'_>) {
        self.version += 1;
        let (version, answers, store) = (self.version, self.answers.clone(), self.store.clone());
        let (scope, history, settled) = (self.scope(cx), Arc::clone(&self.history), cx.setup().pace.settled);
        let observe = move || {
            let now = jiff::ZonedDateTime::now();
            let mut observed = ObservationResult { version, history, ..ObservationResult::default() };
            for source in sources {
                let Some(answer) = answers.of(source) else { continue };
                match store.observe(source, &answer, &now, settled) {
                    Ok(ObserveResult { new, unsettled, history }) => {
                        observed.new.extend(new);
                        observed.history = Arc::new(history);
                        observed.unsettled.extend(unsettled.then_some(source));
                    }
                    Err(error) => observed.problem = Some(error.to_string()),
                }
            }
            observed.rows = join::rows(&answers, &observed.history, &scope, &now).into();
            Ok(Box::new(observed))
        };
        cx.run_blocking(observe, Output::ObservationResult);
    }

    /// Loads the icons that were not requested yet.
    fn load_icons(&mut self, mut entries: Vec<String>, cx: &mut Context<'_>) {
        entries.retain(|entry| !self.icons.contains_key(entry));
        // A service may send any number of paths.
        entries.truncate(MAX_ICONS.saturating_sub(self.icons.len()));
        if entries.is_empty() {
            return;
        }
        self.icons.extend(entries.iter().map(|entry| (entry.clone(), None)));
        for part in entries.chunks(ICONS_AT_ONCE).map(<[String]>::to_vec) {
            let load = move || {
                let mut themes = Themes::of_this_user();
                let icons = part.into_iter().map(|path| {
                    let icon = icon::of_path(Path::new(&path), &mut themes).map(Arc::new);
                    (path, icon)
                });
                Ok::<_, Ended>(icons.collect())
            };
            cx.run_blocking(load, |icons| Output::Icons(icons.unwrap_or_default()));
        }
    }

    /// Joins the lists again, in the background.
    fn join(&mut self, cx: &mut Context<'_>) {
        self.observe(Vec::new(), cx);
    }

    pub(super) fn scope(&self, cx: &Context<'_>) -> Scope {
        Scope { since: self.since, muted: cx.preferences.settings.quiet_updates.clone() }
    }
}
