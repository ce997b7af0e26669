//! What is kept from one run to the next: the connection, recent assets, how the window looks.
//!
//! What must hold: the file is written whole or not at all, the one before is kept beside it, and a file that cannot be
//! read is moved aside, never overwritten in silence. Several windows write one file: none undoes what another chose.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

mod keeping;
mod look;
mod merge;
mod view;

pub(in crate::app) use keeping::Written;
pub use look::{Accent, Density, Look, Motion};
pub use view::{ListView, Sorted, View, WindowSize, ZOOM};

use crate::app::WritePolicy;
use crate::app::filter::Saved;
use crate::app::state::{Panel, Recent, Target};
use lunette_client::model::display::beginning;
use lunette_client::model::origin::is_one_page;

/// How many recent assets are kept for a connection.
const RECENT_KEPT: usize = 20;

/// How much of an asset's name is kept, in characters.
const NAME_KEPT: usize = 200;

/// How many commands are kept that were used lately.
const COMMANDS_KEPT: usize = 8;

/// How many connections without a name of their own are kept; one that has a name is never dropped.
const UNNAMED_KEPT: usize = 10;

/// From this many views on, those of connections that are not kept are dropped.
const VIEWS_KEPT: usize = 40;

/// What is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The service last talked to.
    pub target: Target,
    /// Connections that are kept by name, newest first.
    pub connections: Vec<Named>,
    /// What `connections` was before they had names; read once, and never written again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub addresses: Vec<String>,
    /// Light, dark, or as the system has it.
    pub theme: Theme,
    /// How the window looks and answers beside that.
    pub look: Look,
    /// The panel that was in front.
    pub panel: Panel,
    /// Whether content is fetched with an asset.
    pub transferables: bool,
    /// Whether long lines of a text go on below.
    pub wrap_text: bool,
    /// Assets looked at lately, by connection, newest first.
    pub recent: BTreeMap<String, Vec<Recent>>,
    /// Commands that were chosen lately, by name, newest first.
    pub commands: Vec<String>,
    /// Which writes leave, by connection, where that is not what its address says by itself.
    #[serde(rename = "rails")]
    pub write_policies: BTreeMap<String, WritePolicy>,
    /// Services of this machine that the user agreed to use although they are not known to be the user's own: address,
    /// and the id of the data or the name that the service gave then.
    pub trusted: BTreeMap<String, String>,
    /// Web pages that may use the service inside, by exact origin.
    pub allowed_origins: Vec<String>,
    /// How much larger than usual everything is drawn, by the view that holds.
    pub zoom: f32,
    /// How lists were laid out before each connection had a view of its own: a connection without one begins so.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub layout: BTreeMap<String, serde_json::Value>,
    /// How the window is laid out, by connection.
    #[serde(deserialize_with = "view::read_views")]
    pub views: BTreeMap<String, View>,
    /// The filters that are saved, by the name of the list.
    pub filters: BTreeMap<String, Vec<Saved>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            target: Target::Embedded,
            connections: Vec::new(),
            addresses: Vec::new(),
            theme: Theme::System,
            look: Look::default(),
            panel: Panel::Assets,
            transferables: true,
            wrap_text: false,
            recent: BTreeMap::new(),
            commands: Vec::new(),
            write_policies: BTreeMap::new(),
            trusted: BTreeMap::new(),
            allowed_origins: Vec::new(),
            zoom: 1.0,
            layout: BTreeMap::new(),
            views: BTreeMap::new(),
            filters: BTreeMap::new(),
        }
    }
}

/// A connection that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// What the user calls it; its address where nobody named it.
    pub name: String,
    /// Its address.
    pub url: String,
}

impl Named {
    /// A connection that nobody named yet: it is called as its address.
    pub fn unnamed(url: &str) -> Self {
        Self { name: plain(url).to_owned(), url: url.to_owned() }
    }

    /// Whether the user gave it a name of its own.
    pub fn is_named(&self) -> bool {
        self.name != plain(&self.url)
    }
}

/// An address without its scheme.
fn plain(url: &str) -> &str {
    url.trim_start_matches("http://").trim_end_matches('/')
}

/// Which theme is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Settings {
    /// Reads the settings of a file. A missing one gives those kept before, else the defaults; one that cannot be opened
    /// is left alone, and one that is damaged is moved aside. All but a first start is said.
    pub fn read(path: &Path) -> (Self, Option<String>) {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // A damaged one was moved aside, and that start ended before it wrote; or somebody moved it away.
                let (settings, said) = Self::before(path);
                return (
                    settings,
                    said.map(|said| format!("The settings file is missing; {said}: {}", path.display())),
                );
            }
            Err(error) => {
                let (settings, said) = Self::before(path);
                let said = said.map_or_else(String::new, |said| format!("; {said}"));
                return (settings, Some(format!("Could not read the settings: {error}: {}{said}", path.display())));
            }
        };
        match serde_json::from_slice::<Self>(&bytes) {
            Ok(settings) => (settings.corrected(), None),
            Err(error) => Self::salvaged(path, &error),
        }
    }

    /// What there is instead of a damaged file: the settings kept before, where they can be read, else the defaults.
    fn salvaged(path: &Path, error: &serde_json::Error) -> (Self, Option<String>) {
        let mut names = (1..1_000).map(|number| path.with_extension(format!("broken-{number}.json")));
        let aside = names.find(|aside| !aside.exists()).unwrap_or_else(|| path.with_extension("broken.json"));
        let kept = match fs::rename(path, &aside) {
            Ok(()) => format!("the damaged file is now {}", aside.display()),
            Err(error) => format!("could not move the damaged file: {error}"),
        };
        let (settings, said) = Self::before(path);
        let said = said.map_or_else(String::new, |said| format!("; {said}"));
        (settings, Some(format!("The settings file was damaged ({error}); {kept}{said}")))
    }

    /// The settings kept before and that they are used, where they can be read; else the defaults.
    fn before(path: &Path) -> (Self, Option<&'static str>) {
        match whole(&path.with_extension("bak.json")) {
            Some(before) => (before.corrected(), Some("using the previous settings")),
            None => (Self::default(), None),
        }
    }

    /// Reads the settings of a file and leaves the file alone; those kept before, else the defaults, where that fails.
    pub fn peek(path: &Path) -> Self {
        whole(path).map_or_else(|| Self::before(path).0, Self::corrected)
    }

    /// Notes an asset as looked at.
    pub fn remember(&mut self, connection: &str, mut recent: Recent) {
        cut(&mut recent.name);
        let list = self.recent.entry(connection.to_owned()).or_default();
        list.retain(|known| known.id != recent.id);
        list.insert(0, recent);
        list.truncate(RECENT_KEPT);
    }

    /// Notes a command as used.
    pub fn used(&mut self, command: &str) {
        self.commands.retain(|known| known != command);
        self.commands.insert(0, command.to_owned());
        self.commands.truncate(COMMANDS_KEPT);
    }

    /// Gives an asset that was opened lately the name it has now; true where it had another.
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

    /// Forgets an asset that is gone.
    pub fn forget(&mut self, connection: &str, id: &str) {
        if let Some(list) = self.recent.get_mut(connection) {
            list.retain(|known| known.id != id);
        }
    }

    /// Notes that a service was reached at an address: it is kept, and stands first.
    pub fn met(&mut self, url: &str) {
        let known = self.connections.iter().position(|named| named.url == url);
        let named = known.map_or_else(|| Named::unnamed(url), |place| self.connections.remove(place));
        self.connections.insert(0, named);
        let mut unnamed = 0;
        self.connections.retain(|named| {
            unnamed += usize::from(!named.is_named());
            named.is_named() || unnamed <= UNNAMED_KEPT
        });
    }

    /// What the user calls the service at an address; None where it has no name of its own.
    pub fn name_of(&self, url: &str) -> Option<&str> {
        let named = self.connections.iter().find(|named| named.url == url && named.is_named())?;
        Some(&named.name)
    }

    /// How the window is laid out for a connection; one without a view begins with what was used last.
    pub fn view_of(&self, connection: &str) -> View {
        let begin = || View {
            panel: self.panel,
            zoom: self.zoom,
            lists: view::lists(serde_json::to_value(&self.layout).ok().as_ref()),
            ..View::default()
        };
        self.views.get(connection).cloned().unwrap_or_else(begin)
    }

    /// Keeps how the window is laid out for a connection. Where there are too many, those go whose connection is kept no
    /// more.
    pub fn keep_view(&mut self, connection: String, view: View) {
        if self.views.len() >= VIEWS_KEPT && !self.views.contains_key(&connection) {
            let Self { views, connections, .. } = self;
            views.retain(|key, _| key == "embedded" || connections.iter().any(|named| named.url == *key));
        }
        self.views.insert(connection, view);
    }

    fn corrected(mut self) -> Self {
        for url in std::mem::take(&mut self.addresses) {
            if !self.connections.iter().any(|named| named.url == url) {
                self.connections.push(Named::unnamed(&url));
            }
        }
        // Two windows may have named one connection, or looked at one asset.
        let mut met = BTreeSet::new();
        self.connections.retain(|named| met.insert(named.url.clone()));
        for list in self.recent.values_mut() {
            let mut seen = BTreeSet::new();
            list.retain(|recent| seen.insert(recent.id.clone()));
            list.truncate(RECENT_KEPT);
            list.iter_mut().for_each(|recent| cut(&mut recent.name));
        }
        self.allowed_origins.retain(|origin| is_one_page(origin));
        if !ZOOM.contains(&self.zoom) {
            self.zoom = 1.0;
        }
        self
    }
}

/// Cuts a name off where it is longer than any list shows: a service says how long it is.
fn cut(name: &mut String) {
    if let Cow::Owned(beginning) = beginning(name, NAME_KEPT) {
        *name = beginning;
    }
}

/// The settings of a file; None where it cannot be read.
fn whole(path: &Path) -> Option<Settings> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

#[cfg(test)]
mod tests;
