//! Saved settings: damaged, of earlier versions, and written by several windows.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

/// A data folder, and the settings file of an earlier version.
struct Fixture(TempDir);

impl Fixture {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn data(&self) -> PathBuf {
        self.0.path().join("deep")
    }

    fn legacy(&self) -> PathBuf {
        self.0.path().join("settings.json")
    }

    fn read(&self) -> (Settings, Option<String>) {
        let Loaded { settings, problem, .. } = Settings::read(&self.data(), &self.legacy());
        (settings, problem)
    }

    fn peek(&self) -> Settings {
        Settings::peek(&self.data(), &self.legacy())
    }

    /// Written by a window that found no settings.
    fn keep(&self, settings: &Settings) -> Settings {
        settings.keep(&Settings::default(), &self.data()).expect("written")
    }
}

#[test]
fn settings_round_trip() {
    let fixture = Fixture::new();
    assert!(Settings::read(&fixture.data(), &fixture.legacy()).first);
    let mut settings = Settings { zoom: 1.5, ..Settings::default() };
    settings.remember("embedded", Recent { id: "a".to_owned(), name: "A".to_owned() });
    fixture.keep(&settings);
    fixture.keep(&settings);
    assert_eq!((fixture.read(), fixture.peek()), ((settings.clone(), None), settings));
    assert!(!Settings::read(&fixture.data(), &fixture.legacy()).first);
}

/// A folder whose name is not Unicode.
#[cfg(unix)]
#[test]
fn settings_with_a_folder_of_any_name_are_saved_whole() {
    use std::os::unix::ffi::OsStringExt as _;

    let fixture = Fixture::new();
    let path: PathBuf = std::ffi::OsString::from_vec(b"/home/me/caf\xe9".to_vec()).into();
    let watched = WatchedFolder { path, connection: "embedded".to_owned(), how: OnChange::List, paused: false };
    let mut settings = Settings { zoom: 1.5, watched: vec![watched], ..Settings::default() };
    settings.write_policies.insert("embedded".to_owned(), WritePolicy::ReadOnly);
    assert_eq!(fixture.keep(&settings), settings);
    assert_eq!(fixture.read(), (settings, None));
}

#[test]
fn legacy_settings_are_imported_once_and_their_file_left_in_place() {
    let fixture = Fixture::new();
    let text = r#"{"addresses": ["http://127.0.0.1:1000", "http://[::1]:5323/base"], "zoom": 2.0}"#;
    fs::write(fixture.legacy(), text).expect("written");
    assert_eq!(fixture.peek().zoom, 2.0);
    let (settings, message) = fixture.read();
    assert_eq!((settings.zoom, message), (2.0, None));
    let names: Vec<&str> = settings.connections.iter().map(|named| named.name.as_str()).collect();
    assert_eq!(names, ["127.0.0.1:1000", "[::1]:5323/base"]);
    let mut ours = settings.clone();
    ours.connections.remove(0);
    ours.keep(&settings, &fixture.data()).expect("written");
    assert_eq!(fixture.read(), (ours, None));
    assert_eq!(fs::read_to_string(fixture.legacy()).expect("read"), text);
}

#[test]
fn two_windows_importing_at_once_import_the_settings_once() {
    let fixture = Fixture::new();
    fs::write(fixture.legacy(), r#"{"connections": [{"name": "Work", "url": "http://127.0.0.1:1"}]}"#)
        .expect("written");
    std::thread::scope(|scope| {
        let both = [scope.spawn(|| fixture.read()), scope.spawn(|| fixture.read())];
        for (settings, message) in both.map(|one| one.join().expect("read")) {
            assert_eq!((settings.connections.len(), message), (1, None));
        }
    });
    assert_eq!(fixture.read().0.connections.len(), 1);
}

#[test]
fn a_named_connection_is_never_evicted_by_a_newer_one() {
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
fn a_damaged_legacy_settings_file_falls_back_to_older_settings() {
    let damages: [&[u8]; 7] =
        [b"{", b"", b"\0\0", b"[1]", b"{ not json", b"{\"zoom\": \"large\"}", b"\xff\xfe no text"];
    for damage in damages {
        let fixture = Fixture::new();
        let mut before = Settings::default();
        before.met("http://127.0.0.1:1000");
        fs::write(fixture.legacy(), damage).expect("damaged");
        assert!(fixture.read().1.is_some_and(|message| message.contains("was damaged")), "{damage:?}");

        let fixture = Fixture::new();
        fs::write(fixture.legacy(), damage).expect("damaged");
        fs::write(fixture.legacy().with_extension("bak.json"), before.fields().expect("fields").to_string())
            .expect("written");
        let (read, message) = fixture.read();
        assert_eq!(read, before, "{damage:?}");
        assert!(message.is_some_and(|message| message.contains("using the previous settings")));
        assert_eq!(fs::read(fixture.legacy()).expect("kept"), damage);
        assert_eq!(fixture.read(), (before, None));
    }
}

#[test]
fn an_unreadable_legacy_settings_file_is_imported_later_and_older_settings_are_used() {
    let fixture = Fixture::new();
    let settings = Settings { zoom: 2.0, ..Settings::default() };
    fs::write(fixture.legacy().with_extension("bak.json"), settings.fields().expect("fields").to_string())
        .expect("written");
    // Root can read every file, so a folder is used as a file that cannot be read.
    fs::create_dir(fixture.legacy()).expect("a folder");
    let (read, message) = fixture.read();
    assert_eq!(read, settings);
    assert!(message.is_some_and(
        |message| message.starts_with("Could not read the settings") && message.contains("the previous settings")
    ));
    fs::remove_dir(fixture.legacy()).expect("removed");
    fs::write(fixture.legacy(), r#"{"zoom": 1.5}"#).expect("written");
    assert_eq!((fixture.read().0.zoom, fixture.read().0.zoom), (1.5, 1.5));
}

#[test]
fn settings_of_two_windows_are_merged_in_one_database() {
    let fixture = Fixture::new();
    let (x, y) = ("http://localhost:1".to_owned(), "http://localhost:2".to_owned());
    let begun = Settings { allowed_origins: vec![x, y.clone()], ..Settings::default() };
    fixture.keep(&begun);
    let mut a = begun.clone();
    a.allowed_origins.remove(0);
    a.write_policies.insert("embedded".to_owned(), WritePolicy::ReadOnly);
    a.met("http://127.0.0.1:1000");
    a.keep(&begun, &fixture.data()).expect("written");
    let mut b = Settings { theme: Theme::Dark, ..begun.clone() };
    b.met("http://127.0.0.1:2000");
    b.remember("embedded", Recent { id: "a".to_owned(), name: "A".to_owned() });
    let written = b.keep(&begun, &fixture.data()).expect("written");
    let (read, message) = fixture.read();
    assert_eq!((&read, message), (&written, None));
    assert_eq!((read.allowed_origins, read.theme), (vec![y], Theme::Dark));
    assert_eq!(read.write_policies.get("embedded"), Some(&WritePolicy::ReadOnly));
    assert_eq!((read.connections.len(), read.recent["embedded"].len()), (2, 1));
}

#[test]
fn concurrent_writes_of_many_windows_lose_nothing() {
    let fixture = Fixture::new();
    std::thread::scope(|scope| {
        for window in 0..8 {
            let fixture = &fixture;
            scope.spawn(move || {
                let mut base = Settings::default();
                for number in 0..5 {
                    let mut ours = base.clone();
                    ours.write_policies.insert(format!("{window}-{number}"), WritePolicy::ReadOnly);
                    ours.keep(&base, &fixture.data()).expect("written");
                    base = ours;
                }
            });
        }
    });
    assert_eq!(fixture.peek().write_policies.len(), 40);
}

#[test]
fn a_connection_named_in_two_windows_is_saved_once() {
    let fixture = Fixture::new();
    let mut begun = Settings::default();
    begun.met("http://127.0.0.1:1000");
    fixture.keep(&begun);
    for name in ["Home", "Work"] {
        let mut ours = begun.clone();
        ours.connections[0].name = name.to_owned();
        ours.keep(&begun, &fixture.data()).expect("written");
    }
    let names: Vec<_> = fixture.peek().connections.into_iter().map(|named| named.name).collect();
    assert_eq!(names, ["Work"], "the last one decides");
}

#[test]
fn long_names_are_shortened() {
    let fixture = Fixture::new();
    let name = "é".repeat(500_000);
    let mut settings = Settings::default();
    settings.remember("embedded", Recent { id: "a".to_owned(), name: name.clone() });
    assert!(fixture.keep(&settings).recent["embedded"][0].name.chars().count() <= NAME_KEPT + 1);
    // The form of an earlier version.
    let fixture = Fixture::new();
    let long = serde_json::json!({ "recent": { "embedded": [{ "id": "b", "name": name }] } });
    fs::write(fixture.legacy(), long.to_string()).expect("written");
    assert!(fixture.read().0.recent["embedded"][0].name.chars().count() <= NAME_KEPT + 1);
}

#[test]
fn an_unreadable_legacy_file_is_imported_by_the_first_start_that_can_read_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let legacy = folder.path().join("settings.json");
    std::fs::create_dir(&legacy).expect("a folder in the place of the file");
    let loaded = Settings::read(folder.path(), &legacy);
    assert!(loaded.legacy_unreadable && !loaded.first);
    assert!(loaded.problem.is_some_and(|problem| problem.contains("Settings are not saved")));
    std::fs::remove_dir(&legacy).expect("removed");
    std::fs::write(&legacy, r#"{ "theme": "Dark" }"#).expect("written");
    let loaded = Settings::read(folder.path(), &legacy);
    assert_eq!((loaded.settings.theme, loaded.legacy_unreadable), (Theme::Dark, false));
}
