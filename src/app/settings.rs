//! What is kept from one run to the next: the connection, recent assets, how the window looks.
//!
//! What must hold: the file is written whole or not at all (temporary file, sync, rename), the one before is kept beside
//! it, and a file that cannot be read is moved aside, never overwritten in silence.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

mod look;
mod view;

pub use look::{Accent, Density, Look, Motion};
pub use view::{ListView, Sorted, View, WindowSize, ZOOM};

use crate::app::Rail;
use crate::app::filter::Saved;
use crate::app::state::{Panel, Recent, Target};
use crate::model::origin::is_one_page;

/// How many recent assets are kept for a connection.
const RECENT_KEPT: usize = 20;

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
    /// Assets looked at lately, by connection, newest first.
    pub recent: BTreeMap<String, Vec<Recent>>,
    /// Commands that were chosen lately, by name, newest first.
    pub commands: Vec<String>,
    /// Which writes leave, by connection, where that is not what its address says by itself.
    pub rails: BTreeMap<String, Rail>,
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
            recent: BTreeMap::new(),
            commands: Vec::new(),
            rails: BTreeMap::new(),
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
                return (settings, said.map(|said| format!("settings were not there; {said}: {}", path.display())));
            }
            Err(error) => {
                let (settings, said) = Self::before(path);
                let said = said.map_or_else(String::new, |said| format!("; {said}"));
                return (settings, Some(format!("settings could not be read: {error}: {}{said}", path.display())));
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
            Ok(()) => format!("kept as {}", aside.display()),
            Err(error) => format!("could not be moved aside: {error}"),
        };
        let (settings, said) = Self::before(path);
        let said = said.map_or_else(String::new, |said| format!("; {said}"));
        (settings, Some(format!("settings were damaged ({error}); {kept}{said}")))
    }

    /// The settings kept before and that they are used, where they can be read; else the defaults.
    fn before(path: &Path) -> (Self, Option<&'static str>) {
        match whole(&path.with_extension("bak.json")) {
            Some(before) => (before.corrected(), Some("those kept before are used")),
            None => (Self::default(), None),
        }
    }

    /// Reads the settings of a file and leaves the file alone; those kept before, else the defaults, where that fails.
    pub fn peek(path: &Path) -> Self {
        whole(path).map_or_else(|| Self::before(path).0, Self::corrected)
    }

    /// Writes the settings, whole or not at all; the file before is kept beside it.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let temporary = path.with_extension("new.json");
        let mut file = File::create(&temporary)?;
        file.write_all(serde_json::to_string_pretty(self)?.as_bytes())?;
        file.sync_all()?;
        if path.exists() {
            // A copy: there is no moment at which somebody who reads finds no settings.
            fs::copy(path, path.with_extension("bak.json"))?;
        }
        fs::rename(&temporary, path)?;
        // So that the name outlives a power cut too; where a folder cannot be synced there is nothing to do about it.
        path.parent().and_then(|folder| File::open(folder).ok()?.sync_all().ok()).unwrap_or_default();
        Ok(())
    }

    /// Notes an asset as looked at.
    pub fn remember(&mut self, connection: &str, recent: Recent) {
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
        self.allowed_origins.retain(|origin| is_one_page(origin));
        if !ZOOM.contains(&self.zoom) {
            self.zoom = 1.0;
        }
        self
    }
}

/// The settings of a file; None where it cannot be read.
fn whole(path: &Path) -> Option<Settings> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_as_they_were_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep/settings.json");
        let mut settings = Settings { zoom: 1.5, ..Settings::default() };
        settings.remember("embedded", Recent { id: "a".to_owned(), name: "A".to_owned() });
        settings.write(&path).expect("written");
        settings.write(&path).expect("written again");
        assert_eq!(Settings::read(&path), (settings, None));
        assert!(path.with_extension("bak.json").exists());
    }

    #[test]
    fn addresses_of_before_become_connections() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        fs::write(&path, r#"{"addresses": ["http://127.0.0.1:1000", "http://[::1]:5323/base"]}"#).expect("written");
        let (settings, said) = Settings::read(&path);
        assert_eq!(said, None);
        let names: Vec<&str> = settings.connections.iter().map(|named| named.name.as_str()).collect();
        assert_eq!(names, ["127.0.0.1:1000", "[::1]:5323/base"]);
        settings.write(&path).expect("written");
        assert!(!fs::read_to_string(&path).expect("read").contains("addresses"));
        assert_eq!(Settings::read(&path), (settings, None));
    }

    #[test]
    fn a_named_connection_is_never_dropped_for_a_newer_one() {
        let mut settings = Settings::default();
        let url = |number: usize| format!("http://127.0.0.1:{number}");
        settings.connections.push(Named { name: "Work".to_owned(), url: url(1) });
        (2..30).for_each(|number| settings.met(&url(number)));
        assert_eq!(settings.connections.len(), UNNAMED_KEPT + 1);
        assert_eq!(settings.name_of(&url(1)), Some("Work"));
        settings.met(&url(1));
        assert_eq!(settings.connections[0].name, "Work");
        assert_eq!(settings.name_of(&url(29)), None);
    }

    #[test]
    fn a_damaged_file_is_moved_aside_and_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        fs::write(&path, "{ not json").expect("written");
        let (settings, said) = Settings::read(&path);
        assert_eq!(settings, Settings::default());
        assert!(said.is_some_and(|text| text.contains("kept as")));
        assert_eq!(fs::read_to_string(path.with_extension("broken-1.json")).expect("kept"), "{ not json");
    }

    #[test]
    fn after_damage_the_settings_kept_before_are_used_and_every_damaged_file_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        let mut settings = Settings::default();
        settings.met("http://127.0.0.1:1000");
        settings.write(&path).expect("written");
        settings.write(&path).expect("written again");
        let damages: [&[u8]; 6] = [b"{", b"", b"\0\0", b"[1]", b"{\"zoom\": \"large\"}", b"\xff\xfe no text"];
        for (number, damage) in damages.into_iter().enumerate() {
            fs::write(&path, damage).expect("damaged");
            let (read, said) = Settings::read(&path);
            assert_eq!(read.connections, settings.connections, "{damage:?}");
            assert!(said.is_some_and(|said| said.contains("those kept before are used")));
            let aside = path.with_extension(format!("broken-{}.json", number + 1));
            assert_eq!(fs::read(aside).expect("kept"), damage);
            // It may end before it writes any.
            let (read, said) = Settings::read(&path);
            assert_eq!((&read, &Settings::peek(&path)), (&settings, &settings));
            assert!(said.is_some_and(|said| said.contains("were not there; those kept before are used")));
        }
    }

    #[test]
    fn what_cannot_be_read_is_left_alone_and_the_settings_kept_before_are_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        let settings = Settings { zoom: 2.0, ..Settings::default() };
        settings.write(&path).expect("written");
        fs::rename(&path, path.with_extension("bak.json")).expect("renamed");
        // As root reads every file, a folder stands for one that cannot be read.
        fs::create_dir(&path).expect("a folder");
        let (read, said) = Settings::read(&path);
        assert_eq!(read, settings);
        assert!(said.is_some_and(|said| said.contains("could not be read") && said.ends_with("before are used")));
        assert!(read.write(&path).is_err());
        assert!(path.is_dir());
    }
}
