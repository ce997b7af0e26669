//! Saved settings: damaged, and written by several windows.

use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

/// A data folder.
struct Fixture(TempDir);

impl Fixture {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn data(&self) -> PathBuf {
        self.0.path().join("deep")
    }

    fn read(&self) -> (Settings, Option<String>) {
        let Loaded { settings, problem, .. } = Settings::read(&self.data());
        (settings, problem)
    }

    fn peek(&self) -> Settings {
        Settings::peek(&self.data())
    }

    /// Written by a window that found no settings.
    fn save(&self, settings: &Settings) -> Settings {
        settings.save(&Settings::default(), &self.data()).expect("written")
    }
}

#[test]
fn settings_round_trip() {
    let fixture = Fixture::new();
    assert!(Settings::read(&fixture.data()).first);
    let mut settings = Settings { zoom: 1.5, ..Settings::default() };
    settings.remember("embedded", "a", "A");
    fixture.save(&settings);
    fixture.save(&settings);
    assert_eq!((fixture.read(), fixture.peek()), ((settings.clone(), None), settings));
    assert!(!Settings::read(&fixture.data()).first);
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
    assert_eq!(fixture.save(&settings), settings);
    assert_eq!(fixture.read(), (settings, None));
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
fn settings_of_two_windows_are_merged_in_one_database() {
    let fixture = Fixture::new();
    let (x, y) = ("http://localhost:1".to_owned(), "http://localhost:2".to_owned());
    let begun = Settings { allowed_origins: vec![x, y.clone()], ..Settings::default() };
    fixture.save(&begun);
    let mut a = begun.clone();
    a.allowed_origins.remove(0);
    a.write_policies.insert("embedded".to_owned(), WritePolicy::ReadOnly);
    a.met("http://127.0.0.1:1000");
    a.save(&begun, &fixture.data()).expect("written");
    let mut b = Settings { theme: Theme::Dark, ..begun.clone() };
    b.met("http://127.0.0.1:2000");
    b.remember("embedded", "a", "A");
    let written = b.save(&begun, &fixture.data()).expect("written");
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
                    ours.save(&base, &fixture.data()).expect("written");
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
    fixture.save(&begun);
    for name in ["Home", "Work"] {
        let mut ours = begun.clone();
        ours.connections[0].name = name.to_owned();
        ours.save(&begun, &fixture.data()).expect("written");
    }
    let names: Vec<_> = fixture.peek().connections.into_iter().map(|named| named.name).collect();
    assert_eq!(names, ["Work"], "the last one decides");
}

#[test]
fn long_names_are_shortened() {
    let fixture = Fixture::new();
    let name = "é".repeat(500_000);
    let mut settings = Settings::default();
    settings.remember("embedded", "a", &name);
    assert!(fixture.save(&settings).recent["embedded"][0].name.chars().count() <= NAME_KEPT + 1);
}

#[test]
fn pinned_assets_stay_above_those_that_are_opened_later() {
    let mut settings = Settings::default();
    let pin = |id: &str, pinned| Recent { id: id.to_owned(), name: id.to_uppercase(), pinned };
    for id in ["a", "b", "c"] {
        settings.remember("embedded", id, id);
    }
    settings.pin("embedded", pin("a", true));
    settings.pin("embedded", pin("never opened", true));
    (0..RECENT_KEPT).for_each(|number| settings.remember("embedded", &format!("later {number}"), ""));
    settings.remember("embedded", "a", "A, renamed");
    let read = Settings::of_fields(&settings.fields().expect("JSON"));
    let list = &read.recent["embedded"];
    let names: Vec<&str> = list.iter().take(3).map(|recent| recent.id.as_str()).collect();
    assert_eq!((names, list.len()), (vec!["a", "never opened", "later 19"], RECENT_KEPT));
    assert_eq!((list[0].name.as_str(), list[0].pinned, list[2].pinned), ("A, renamed", true, false));
    settings.pin("embedded", pin("a", false));
    let ids: Vec<&str> = settings.recent["embedded"].iter().map(|recent| recent.id.as_str()).take(2).collect();
    assert_eq!(ids, ["never opened", "a"]);
    (0..RECENT_KEPT).for_each(|number| settings.pin("other", pin(&number.to_string(), true)));
    assert_eq!(settings.recent["other"].iter().filter(|recent| recent.pinned).count(), PINNED_KEPT);
}
