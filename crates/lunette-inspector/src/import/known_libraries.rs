//! Finds the libraries of other programs on this machine, in their usual places.
//!
//! What must hold: only file names are checked; nothing is opened before the user asks for it.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

pub use lunette_sources::System;
use lunette_sources::{Base, Place, Source};
use serde_json::Value;

/// The folders of a user on a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The system.
    pub system: System,
    /// The home folder.
    pub home: PathBuf,
    /// The folder for settings of programs.
    pub config: PathBuf,
}

impl Machine {
    /// Returns this machine, or `None` if the home folder is unknown.
    pub fn here() -> Option<Self> {
        let home = std::env::home_dir()?;
        let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let (system, config) = match std::env::consts::OS {
            "macos" => (System::Mac, home.join("Library/Application Support")),
            "windows" => (System::Windows, named("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming"))),
            _ => (System::Linux, named("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"))),
        };
        Some(Self { system, home, config })
    }
}

/// A library in a known place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownLibrary {
    /// The display name of its program.
    pub program: String,
    /// Its path.
    pub path: PathBuf,
}

/// The path of Obsidian's list of vaults.
const OBSIDIAN: &str = "obsidian/obsidian.json";
/// The maximum number of libraries per place, and of names checked in a folder.
const MAX_ENTRIES: usize = 200;

/// Returns the libraries in the known places of a machine, in the order of the sources. Blocks.
pub fn find(machine: &Machine) -> Vec<KnownLibrary> {
    let here = |(_, place): &(Source, &Place)| place.systems.is_empty() || place.systems.contains(&machine.system);
    let places = Source::all().flat_map(|source| source.places().iter().map(move |place| (source, place)));
    let mut found: Vec<KnownLibrary> = Vec::new();
    for (source, place) in places.filter(here) {
        let base = match place.base {
            Base::Home => &machine.home,
            Base::Config => &machine.config,
        };
        for path in matching(base, place.path).into_iter().filter(|path| has_marker(path, place.markers)) {
            if found.iter().all(|known| known.path != path) {
                let program = place.program.map_or_else(|| source.title(), |program| format!("{program} snippets"));
                found.push(KnownLibrary { program, path });
            }
        }
    }
    found
}

/// Returns the paths below a folder that match a pattern, ordered by name.
fn matching(base: &Path, pattern: &str) -> Vec<PathBuf> {
    pattern.split('/').fold(vec![base.to_owned()], |found, part| {
        let next = found.iter().flat_map(|folder| match part {
            "*" => names(folder).into_iter().map(|name| folder.join(name)).collect(),
            part => Some(folder.join(part)).filter(|path| path.exists()).into_iter().collect::<Vec<_>>(),
        });
        next.take(MAX_ENTRIES).collect()
    })
}

/// Returns the sorted names in a folder, without hidden ones.
fn names(folder: &Path) -> Vec<std::ffi::OsString> {
    let hidden = |name: &OsStr| name.as_encoded_bytes().first() == Some(&b'.');
    let entries = fs::read_dir(folder).into_iter().flatten().take(MAX_ENTRIES).filter_map(Result::ok);
    let mut names: Vec<_> = entries.map(|entry| entry.file_name()).filter(|name| !hidden(name)).collect();
    names.sort();
    names
}

fn has_marker(path: &Path, markers: &[&str]) -> bool {
    let is_there = |sign: &&str| match *sign {
        "*" => !names(path).is_empty(),
        sign => path.join(sign).exists(),
    };
    markers.is_empty() || markers.iter().any(is_there)
}

/// The maximum size of a list of vaults, in bytes.
const LIST_BYTES: u64 = 1 << 20;

/// Returns the libraries of a path: the vaults in Obsidian's list, or the path itself. Blocks.
pub fn libraries_of(path: &Path) -> Vec<PathBuf> {
    let is_list = path.ends_with(OBSIDIAN) && path.is_file();
    let vaults = || {
        let mut bytes = Vec::new();
        File::open(path).ok()?.take(LIST_BYTES).read_to_end(&mut bytes).ok()?;
        let list: Value = serde_json::from_slice(&bytes).ok()?;
        let vaults = list.get("vaults")?.as_object()?.values();
        let mut paths: Vec<_> = vaults.filter_map(|vault| vault.get("path")?.as_str()).map(PathBuf::from).collect();
        paths.sort();
        paths.dedup();
        Some(paths).filter(|paths| !paths.is_empty())
    };
    is_list.then(vaults).flatten().unwrap_or_else(|| vec![path.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(below: &Path, path: &str, text: &str) {
        let path = below.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(path, text).expect("written");
    }

    fn machine(system: System, home: &Path, config: &str) -> Machine {
        Machine { system, home: home.to_owned(), config: home.join(config) }
    }

    fn found(machine: &Machine) -> Vec<(String, String)> {
        let below = |path: &Path| path.strip_prefix(&machine.home).expect("below").to_string_lossy().replace('\\', "/");
        find(machine).into_iter().map(|known| (below(&known.path), known.program)).collect()
    }

    #[test]
    fn libraries_in_a_linux_home_are_found_by_name() {
        let home = tempfile::tempdir().expect("a folder");
        for path in [
            "massCode/db.json",
            ".config/Code/User/snippets/rust.json",
            ".config/Code/User/profiles/1f/snippets/all.code-snippets",
            ".config/VSCodium/User/snippets/go.json",
            ".config/JetBrains/IntelliJIdea2025.1/templates/Own.xml",
            ".config/espanso/match/base.yml",
            ".config/pet/snippet.toml",
            ".config/obsidian/obsidian.json",
            // Places of other systems, and one without a library.
            "Library/Application Support/Dash/library.dash",
            "Boostnote/notes/a.cson",
        ] {
            file(home.path(), path, "not read");
        }
        fs::create_dir_all(home.path().join(".config/Cursor/User/snippets")).expect("created");
        let found = found(&machine(System::Linux, home.path(), ".config"));
        let paths: Vec<_> = found.iter().map(|(path, _)| path.as_str()).collect();
        assert_eq!(
            paths,
            [
                "massCode",
                ".config/Code/User/snippets",
                ".config/Code/User/profiles/1f/snippets",
                ".config/VSCodium/User/snippets",
                ".config/JetBrains/IntelliJIdea2025.1/templates",
                ".config/obsidian/obsidian.json",
                ".config/espanso",
                ".config/pet/snippet.toml",
            ]
        );
        assert_eq!((found[0].1.as_str(), found[3].1.as_str()), ("massCode", "VSCodium snippets"));
    }

    #[test]
    fn macos_and_windows_have_other_places() {
        let home = tempfile::tempdir().expect("a folder");
        for path in [
            "Library/Application Support/Dash/library.dash",
            "Library/Application Support/Alfred/Alfred.alfredpreferences/snippets/Own/a.json",
            "Library/Preferences/espanso/default.yml",
            "Library/Mobile Documents/iCloud~com~renfei~SnippetsLab/main.snippetslablibrary/Database/folders.data",
            "AppData/Roaming/Code/User/snippets/rust.json",
        ] {
            file(home.path(), path, "not read");
        }
        let mac = found(&machine(System::Mac, home.path(), "Library/Application Support"));
        let expected = [
            "Library/Mobile Documents/iCloud~com~renfei~SnippetsLab/main.snippetslablibrary",
            "Library/Preferences/espanso",
            "Library/Application Support/Alfred/Alfred.alfredpreferences/snippets",
            "Library/Application Support/Dash/library.dash",
        ];
        assert_eq!(mac.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), expected);
        let windows = found(&machine(System::Windows, home.path(), "AppData/Roaming"));
        assert_eq!(
            windows.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(),
            ["AppData/Roaming/Code/User/snippets"]
        );
    }

    #[test]
    fn a_list_of_vaults_is_replaced_by_its_vaults_and_a_broken_one_is_kept() {
        let home = tempfile::tempdir().expect("a folder");
        let list = home.path().join(OBSIDIAN);
        file(
            home.path(),
            OBSIDIAN,
            r#"{"vaults": {"b": {"path": "/two"}, "a": {"path": "/one"}, "c": {"path": "/two"}}}"#,
        );
        assert_eq!(libraries_of(&list), [PathBuf::from("/one"), PathBuf::from("/two")]);
        file(home.path(), OBSIDIAN, "{");
        assert_eq!(libraries_of(&list), std::slice::from_ref(&list));
        assert_eq!(libraries_of(home.path()), [home.path().to_owned()]);
    }
}
