//! What is kept from one run to the next: the connection, recent assets, how the window looks.
//!
//! What must hold: the file is written whole or not at all (temporary file, sync, rename), the one before is kept beside
//! it, and a file that cannot be read is moved aside, never overwritten in silence.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::app::state::{Panel, Recent, Target};

/// How many recent assets are kept for a connection.
const RECENT_KEPT: usize = 20;

/// What is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The service last talked to.
    pub target: Target,
    /// Addresses typed before, newest first.
    pub addresses: Vec<String>,
    /// Light, dark, or as the system has it.
    pub theme: Theme,
    /// The panel that was in front.
    pub panel: Panel,
    /// Whether content is fetched with an asset.
    pub transferables: bool,
    /// Assets looked at lately, by connection, newest first.
    pub recent: BTreeMap<String, Vec<Recent>>,
    /// How much larger than usual everything is drawn.
    pub zoom: f32,
    /// How lists are laid out, by the name of the list: what the window keeps there is its own.
    pub layout: BTreeMap<String, serde_json::Value>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            target: Target::Embedded,
            addresses: Vec::new(),
            theme: Theme::System,
            panel: Panel::Assets,
            transferables: true,
            recent: BTreeMap::new(),
            zoom: 1.0,
            layout: BTreeMap::new(),
        }
    }
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
    /// Reads the settings of a file. A missing one gives the defaults; one that cannot be read is moved aside and
    /// said, beside the defaults.
    pub fn read(path: &Path) -> (Self, Option<String>) {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return (Self::default(), None),
            Err(error) => {
                return (Self::default(), Some(format!("settings could not be read: {error}: {}", path.display())));
            }
        };
        match serde_json::from_str::<Self>(&text) {
            Ok(settings) => (settings.corrected(), None),
            Err(error) => {
                let aside = path.with_extension("broken.json");
                let kept = match fs::rename(path, &aside) {
                    Ok(()) => format!("kept as {}", aside.display()),
                    Err(error) => format!("could not be moved aside: {error}"),
                };
                (Self::default(), Some(format!("settings were damaged ({error}); {kept}")))
            }
        }
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
            fs::rename(path, path.with_extension("bak.json"))?;
        }
        fs::rename(&temporary, path)
    }

    /// Notes an asset as looked at.
    pub fn remember(&mut self, connection: &str, recent: Recent) {
        let list = self.recent.entry(connection.to_owned()).or_default();
        list.retain(|known| known.id != recent.id);
        list.insert(0, recent);
        list.truncate(RECENT_KEPT);
    }

    /// Forgets an asset that is gone.
    pub fn forget(&mut self, connection: &str, id: &str) {
        if let Some(list) = self.recent.get_mut(connection) {
            list.retain(|known| known.id != id);
        }
    }

    fn corrected(mut self) -> Self {
        if !(0.5..=3.0).contains(&self.zoom) {
            self.zoom = 1.0;
        }
        self
    }
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
    fn a_damaged_file_is_moved_aside_and_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.json");
        fs::write(&path, "{ not json").expect("written");
        let (settings, said) = Settings::read(&path);
        assert_eq!(settings, Settings::default());
        assert!(said.is_some_and(|text| text.contains("kept as")));
        assert_eq!(fs::read_to_string(path.with_extension("broken.json")).expect("kept"), "{ not json");
    }
}
