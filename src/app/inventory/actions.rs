//! What a user can ask of the inventory, and what other features tell it.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::icon::{self, Themes};
use super::join::{self, Answers, Scope};
use super::observed::Source;
use super::output::{Observed, Output};
use super::since::Since;
use super::state::{Inventory, Shown};
use super::store::{InventoryStore, Noticed};
use crate::app::CallError;
use crate::app::action::ApplicationsAction;
use crate::app::context::Context;
use crate::app::files::picture::Picture;
use crate::app::filter::List;
use crate::app::listing::rows::{ApplicationRow, ExternalRow, InventoryColumn};
use crate::app::listing::{Query, RowList};
use crate::app::output::TaskOutput;

/// The most icons that are kept, about 20 kB each.
const MOST_ICONS: usize = 1_000;

/// The icons that one task loads: a slow one holds up few others.
const ICONS_AT_ONCE: usize = 16;

/// One request about the inventory.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Shows applications in another way.
    Show(Shown),
    /// Shows those of all lists that changed.
    ShowChanged,
    /// Shows changes from another day on.
    Since(Since),
    /// Filters and sorts the applications.
    SetQuery(Query<InventoryColumn>),
    /// Looks at an application, by the key of its row.
    Open(String),
    /// Closes its page.
    Close,
    /// Takes other versions of an application for no news, or for news again; by its plain names.
    Quiet(BTreeSet<String>, bool),
    /// The changes were looked at.
    Seen,
    /// Looks for the icons of applications that were detected at these paths of this machine.
    LoadIcons(Vec<String>),
    /// Saves a picture that was made of the use of an application, under this name unless the user says another.
    SavePlot(String, Arc<Picture>),
    /// A list was read.
    Answered(Answered),
}

/// The answer of a list, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub enum Answered {
    /// The tracked applications.
    Tracked(Result<RowList<ApplicationRow>, CallError>),
    /// The external ones, unless none of their lists could be read, and those that could not. The rows have what such a
    /// list said last.
    External(Option<RowList<ExternalRow>>, Vec<(Source, CallError)>),
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Inventory(action)
    }
}

impl Inventory {
    /// Carries out a request.
    pub(in crate::app) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Show(shown) => {
                self.shown = shown;
                self.unseen = 0;
            }
            Action::ShowChanged => {
                (self.shown, self.unseen) = (Shown::All, 0);
                self.changed_asked += 1;
            }
            Action::Since(since) => {
                self.since = since;
                self.join(cx);
            }
            Action::SetQuery(query) => {
                cx.keep_sort(List::Inventory, &query);
                self.list.set_query(query);
            }
            Action::Open(key) => self.open(key, cx),
            Action::Close => {
                self.open = None;
                cx.request(ApplicationsAction::Close);
            }
            Action::Quiet(names, quiet) => {
                cx.set(|settings| settings.keep_quiet(names, quiet));
                self.join(cx);
            }
            Action::Seen => self.unseen = 0,
            Action::LoadIcons(entries) => self.load_icons(entries, cx),
            Action::SavePlot(name, picture) => {
                cx.save_made(&name, move || picture.png().map_err(|error| error.to_string()));
            }
            Action::Answered(answered) => self.answered(answered, cx),
        }
    }

    /// Takes up what is kept of the connection.
    pub(in crate::app) fn take_store(&mut self, store: InventoryStore) {
        self.store = store;
    }

    /// The page of a tracked application is the one of its record.
    fn open(&mut self, key: String, cx: &mut Context<'_>) {
        let row = self.list.iter().find(|row| row.key == key);
        match row.and_then(|row| row.tracked.as_ref()) {
            Some(tracked) => cx.request(ApplicationsAction::Open(tracked.id.clone())),
            None => cx.request(ApplicationsAction::Close),
        }
        self.open = Some(key);
    }

    fn answered(&mut self, answered: Answered, cx: &mut Context<'_>) {
        let mut sources = Vec::new();
        match answered {
            Answered::Tracked(Ok(rows)) => {
                self.answers.tracked = Some(rows);
                sources.push(Source::Tracked);
            }
            Answered::Tracked(Err(error)) => {
                self.failed.insert(Source::Tracked, error);
                return self.none_read();
            }
            Answered::External(None, failed) => {
                self.failed.extend(failed);
                return self.none_read();
            }
            Answered::External(Some(rows), failed) => {
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

    /// Says that there is nothing to show, once every list failed and none was read before.
    fn none_read(&mut self) {
        let nothing =
            self.answers == Answers::default() && Source::ALL.iter().all(|source| self.failed.contains_key(source));
        if let Some(error) = self.failed.values().next().filter(|_| nothing) {
            self.list.rows.answer(Err(error.clone()));
        }
    }

    /// Compares the answers of lists with what was known of them, and shows what differs.
    fn observe(&mut self, sources: Vec<Source>, cx: &mut Context<'_>) {
        self.version += 1;
        let (version, answers, store) = (self.version, self.answers.clone(), self.store.clone());
        let (scope, watched, settled) = (self.scope(cx), Arc::clone(&self.watched), cx.runtime.setup.pace.settled);
        let observe = move || {
            let now = jiff::Zoned::now();
            let mut observed = Observed { version, watched, ..Observed::default() };
            for source in sources {
                let Some(answer) = answers.of(source) else { continue };
                match store.observe(source, &answer, &now, settled) {
                    Ok(Noticed { new, unsettled, watched }) => {
                        observed.new.extend(new);
                        observed.watched = Arc::new(watched);
                        observed.unsettled.extend(unsettled.then_some(source));
                    }
                    Err(error) => observed.problem = Some(error.to_string()),
                }
            }
            observed.rows = join::rows(&answers, &observed.watched, &scope, &now).into();
            TaskOutput::Inventory(Output::Observed(Box::new(observed)))
        };
        cx.start_blocking(observe, |error| TaskOutput::Inventory(Output::Failed(error.reason().to_string())));
    }

    /// Looks for icons that were not looked for yet.
    fn load_icons(&mut self, mut entries: Vec<String>, cx: &mut Context<'_>) {
        entries.retain(|entry| !self.icons.contains_key(entry));
        // A service may give any number of paths.
        entries.truncate(MOST_ICONS.saturating_sub(self.icons.len()));
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
                TaskOutput::Inventory(Output::Icons(icons.collect()))
            };
            cx.start_blocking(load, |_| TaskOutput::Inventory(Output::Icons(Vec::new())));
        }
    }

    /// Joins the lists anew, away from the window.
    fn join(&mut self, cx: &mut Context<'_>) {
        self.observe(Vec::new(), cx);
    }

    pub(super) fn scope(&self, cx: &Context<'_>) -> Scope {
        Scope { since: self.since, quiet: cx.preferences.settings.quiet_updates.clone() }
    }
}
