//! Settings kept between starts: the connection, recent assets, the appearance of the window.
//!
//! What must hold: a write is atomic, and damage loses only the damaged entry. Several windows write the settings of
//! one data folder without reverting each other's changes.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

mod actions;
mod connections;
mod graph;
mod layout;
mod look;
mod merge;
mod save;
mod searches;
mod state;
mod synonyms;
mod tag_color;
mod version_bounds;
mod view;
mod watched;

pub use actions::Action;
pub(crate) use connections::COPY;
pub use connections::{CopyTarget, Named, Origin, Recent, Target};

pub use graph::{GraphFilter, GraphSettings};
pub use look::{Accent, Density, Look, Motion, OpenedAssets};
pub(crate) use save::Output;
pub use searches::RecentSearch;
pub use state::Preferences;
pub use synonyms::read_synonyms;
pub use tag_color::{TagColor, TagColors};
pub use version_bounds::VersionBounds;
pub use view::{View, WindowSize, ZOOM};
pub use watched::{OnChange, WatchedFolder};

use crate::WritePolicy;
use crate::db::Database;
use crate::filter::Saved;
use crate::panel::Panel;
use lunette_client::client::{DEFAULT_CONCURRENCY, MAX_CONCURRENCY};
use lunette_client::model::display::beginning;
use lunette_client::model::origin::is_valid_origin;
pub use lunette_words::{Synonyms, synonyms::SynonymsError};

/// How many recent assets of a connection are saved.
const RECENT_KEPT: usize = 20;

/// How many of them may be pinned.
const PINNED_KEPT: usize = 12;

/// The maximum length of a saved asset name, in characters.
const NAME_KEPT: usize = 200;

/// How many recently used commands are saved.
const COMMANDS_KEPT: usize = 8;

/// How many unnamed connections are saved; a named one is never dropped.
const UNNAMED_KEPT: usize = 10;

/// From this many views on, those of connections that are not saved are dropped.
const VIEWS_KEPT: usize = 40;

/// The saved settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The last used service.
    pub target: Target,
    /// Saved connections, newest first.
    pub connections: Vec<Named>,
    /// Light, dark, or the theme of the system.
    pub theme: Theme,
    /// The appearance of the window apart from the theme.
    pub look: Look,
    /// The last open panel.
    pub panel: Panel,
    /// Whether content is fetched with an asset.
    pub transferables: bool,
    /// Whether long lines of a text are wrapped.
    pub wrap_text: bool,
    /// Whether plans show their details: the requests, and how many are sent in parallel.
    pub plan_details: bool,
    /// Recently viewed assets by connection: the pinned ones, then the others, newest first.
    pub recent: BTreeMap<String, Vec<Recent>>,
    /// Recent searches and filters of the list of assets by connection, newest first.
    pub searches: BTreeMap<String, Vec<RecentSearch>>,
    /// Recently used commands, by name, newest first.
    pub commands: Vec<String>,
    /// Write policies by connection, if they are not the default for the address.
    pub write_policies: BTreeMap<String, WritePolicy>,
    /// Trusted services of this machine that are not known to be the user's own: address, and the id of the data or the
    /// name that the service had then.
    pub trusted: BTreeMap<String, String>,
    /// Web pages that may use the embedded service, by exact origin.
    pub allowed_origins: Vec<String>,
    /// The zoom of the current view.
    pub zoom: f32,
    /// The views by connection.
    #[serde(deserialize_with = "view::read_views")]
    pub views: BTreeMap<String, View>,
    /// Applications whose updates are not reported, by their plain names.
    pub quiet_updates: BTreeSet<String>,
    /// The filters that are saved, by the name of the list.
    pub filters: BTreeMap<String, Vec<Saved>>,
    /// Folders that are kept in step with a service.
    pub watched: Vec<WatchedFolder>,
    /// How many calls of runs are on their way to a service of others at once, at most.
    pub in_flight: usize,
    /// Whether several rows of a list were ever selected, so that how to do it is known.
    pub selected_several: bool,
    /// How many versions of assets are kept, and for how long.
    pub versions: VersionBounds,
    /// The connections of whose assets no versions are kept.
    pub unrecorded: BTreeSet<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            target: Target::Embedded,
            connections: Vec::new(),
            theme: Theme::System,
            look: Look::default(),
            panel: Panel::Assets,
            transferables: true,
            wrap_text: false,
            plan_details: false,
            recent: BTreeMap::new(),
            searches: BTreeMap::new(),
            commands: Vec::new(),
            write_policies: BTreeMap::new(),
            trusted: BTreeMap::new(),
            allowed_origins: Vec::new(),
            zoom: 1.0,
            views: BTreeMap::new(),
            quiet_updates: BTreeSet::new(),
            filters: BTreeMap::new(),
            watched: Vec::new(),
            in_flight: DEFAULT_CONCURRENCY,
            selected_several: false,
            versions: VersionBounds::default(),
            unrecorded: BTreeSet::new(),
        }
    }
}

/// The chosen theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// The theme of the system.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Settings {
    /// Reads the settings of a data folder. Blocks.
    pub fn read(data: &Path) -> Loaded {
        let synonyms = Arc::new(read_synonyms(data));
        let opened = Database::open(data);
        let found = opened.and_then(|opened| Ok((opened.database.settings()?, opened.problem)));
        match found {
            Ok((found, recovered)) => {
                let damaged = found.damaged;
                let damaged = (damaged > 0).then(|| format!("{damaged} damaged settings are back to their defaults"));
                let problem = recovered.into_iter().chain(damaged).reduce(|all, one| format!("{all}. {one}"));
                Loaded { settings: Self::of_fields(&found.fields), problem, first: found.first, synonyms }
            }
            Err(error) => {
                let problem = Some(format!("Could not read the settings: {error}"));
                Loaded { problem, synonyms, ..Loaded::default() }
            }
        }
    }

    /// Reads the settings of a data folder without creating anything; returns the defaults if there are none, or if
    /// that fails. Blocks.
    pub fn peek(data: &Path) -> Self {
        match Database::exists(data) {
            true => Self::read(data).settings,
            false => Self::default(),
        }
    }

    /// The last size of the window on a connection, or on the last used one.
    pub fn window_size(&self, target: Option<&Target>) -> Option<WindowSize> {
        self.view_of(target.unwrap_or(&self.target).key()).window
    }

    /// The settings with these fields; invalid fields are skipped.
    fn of_fields(fields: &Value) -> Self {
        let settings = Self::deserialize(fields).unwrap_or_else(|_| {
            let one =
                |name: &String, value: &Value| Value::Object([(name.clone(), value.clone())].into_iter().collect());
            let fits = |(name, value): &(&String, &Value)| Self::deserialize(&one(name, value)).is_ok();
            let fitting = fields.as_object().into_iter().flatten().filter(fits);
            let fitting = fitting.map(|(name, value)| (name.clone(), value.clone())).collect();
            serde_json::from_value(Value::Object(fitting)).unwrap_or_default()
        });
        settings.corrected()
    }

    /// What is saved: nothing of a copy. Fails if a field is not valid JSON; what is stored must not be replaced then.
    fn fields(&self) -> serde_json::Result<Value> {
        let mut saved = self.clone();
        saved.forget_connection(COPY);
        serde_json::to_value(saved)
    }

    /// Forgets what is kept of a connection.
    pub(crate) fn forget_connection(&mut self, key: &str) {
        self.recent.remove(key);
        self.searches.remove(key);
        self.write_policies.remove(key);
        self.views.remove(key);
        self.unrecorded.remove(key);
        self.watched.retain(|folder| folder.connection != key);
    }

    /// Records an asset as recently viewed. A pinned one stays where it is.
    pub fn remember(&mut self, connection: &str, id: &str, name: &str) {
        let list = self.recent.entry(connection.to_owned()).or_default();
        let mut recent = Recent { id: id.to_owned(), name: name.to_owned(), pinned: false };
        cut(&mut recent.name);
        if let Some(known) = list.iter_mut().find(|known| known.id == id && known.pinned) {
            known.name = recent.name;
            return;
        }
        list.retain(|known| known.id != id);
        list.insert(0, recent);
        correct_recent(list);
    }

    /// Pins an asset above those that are viewed later, or no longer. The one that was pinned last is the lowest of them.
    pub fn pin(&mut self, connection: &str, mut recent: Recent) {
        cut(&mut recent.name);
        let list = self.recent.entry(connection.to_owned()).or_default();
        list.retain(|known| known.id != recent.id);
        list.insert(list.iter().take_while(|known| known.pinned).count(), recent);
        correct_recent(list);
    }

    /// Records a command as used.
    pub fn used(&mut self, command: &str) {
        self.commands.retain(|known| known != command);
        self.commands.insert(0, command.to_owned());
        self.commands.truncate(COMMANDS_KEPT);
    }

    /// Updates the name of a recent asset; returns whether it differed.
    pub fn rename_recent(&mut self, connection: &str, id: &str, name: &str) -> bool {
        let list = self.recent.get_mut(connection).into_iter().flatten();
        let mut name = name.to_owned();
        cut(&mut name);
        let mut renamed = false;
        for recent in list.filter(|recent| recent.id == id && recent.name != name) {
            recent.name.clone_from(&name);
            renamed = true;
        }
        renamed
    }

    /// Removes a deleted asset.
    pub fn forget(&mut self, connection: &str, id: &str) {
        if let Some(list) = self.recent.get_mut(connection) {
            list.retain(|known| known.id != id);
        }
    }

    /// Saves the connection to an address as the most recent one.
    pub fn met(&mut self, url: &str) {
        let known = self.connections.iter().position(|named| named.url == url);
        let named = known.map_or_else(|| Named::unnamed(url), |index| self.connections.remove(index));
        self.connections.insert(0, named);
        let mut unnamed = 0;
        self.connections.retain(|named| {
            unnamed += usize::from(!named.is_named());
            named.is_named() || unnamed <= UNNAMED_KEPT
        });
    }

    /// Sets whether updates of an application are reported.
    pub fn save_quiet(&mut self, names: BTreeSet<String>, quiet: bool) {
        match quiet {
            true => self.quiet_updates.extend(names),
            false => self.quiet_updates.retain(|name| !names.contains(name)),
        }
    }

    /// The user's name for the service at an address, if it has one.
    pub fn name_of(&self, url: &str) -> Option<&str> {
        let named = self.connections.iter().find(|named| named.url == url && named.is_named())?;
        Some(&named.name)
    }

    /// Returns the layout for a connection; a connection without one starts with the layout used last.
    pub fn view_of(&self, connection: &str) -> View {
        let begin = || View { panel: self.panel, zoom: self.zoom, ..View::default() };
        self.views.get(connection).cloned().unwrap_or_else(begin)
    }

    /// Saves the layout of the window for a connection. If there are too many, those of connections that are not saved
    /// are dropped.
    pub fn save_view(&mut self, connection: String, view: View) {
        if self.views.len() >= VIEWS_KEPT && !self.views.contains_key(&connection) {
            let Self { views, connections, .. } = self;
            views.retain(|key, _| key == "embedded" || connections.iter().any(|named| named.url == *key));
        }
        self.views.insert(connection, view);
    }

    fn corrected(mut self) -> Self {
        // Two windows may have saved the same connection or viewed the same asset.
        let mut met = BTreeSet::new();
        self.connections.retain(|named| met.insert(named.url.clone()));
        for list in self.recent.values_mut() {
            let mut seen = BTreeSet::new();
            list.retain(|recent| seen.insert(recent.id.clone()));
            correct_recent(list);
            list.iter_mut().for_each(|recent| cut(&mut recent.name));
        }
        self.searches.values_mut().for_each(searches::correct);
        self.in_flight = self.in_flight.clamp(1, MAX_CONCURRENCY);
        self.allowed_origins.retain(|origin| is_valid_origin(origin));
        if !ZOOM.contains(&self.zoom) {
            self.zoom = 1.0;
        }
        self
    }
}

/// Puts the pinned assets first, and drops the oldest of too many; too many pinned ones count as others.
fn correct_recent(list: &mut Vec<Recent>) {
    let mut pinned = 0;
    for recent in list.iter_mut().filter(|recent| recent.pinned) {
        pinned += 1;
        recent.pinned = pinned <= PINNED_KEPT;
    }
    list.sort_by_key(|recent| !recent.pinned);
    list.truncate(RECENT_KEPT);
}

/// Truncates a name to the length that lists show: a service may send names of any length.
fn cut(name: &mut String) {
    if let Cow::Owned(beginning) = beginning(name, NAME_KEPT) {
        *name = beginning;
    }
}

/// Settings that were read.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The settings.
    pub settings: Settings,
    /// A message if they were damaged.
    pub problem: Option<String>,
    /// Whether there were none before.
    pub first: bool,
    /// The words that mean the same in searches.
    pub synonyms: Arc<Synonyms>,
}

#[cfg(test)]
mod tests;
