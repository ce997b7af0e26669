//! What the file of settings holds, whatever becomes of it, and however many windows write it.

use std::fs;

use super::*;

/// Written by a window that found none.
fn kept(settings: &Settings, path: &Path) -> io::Result<Settings> {
    settings.keep(&Settings::default(), path)
}

#[test]
fn settings_come_back_as_they_were_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("deep/settings.json");
    let mut settings = Settings { zoom: 1.5, ..Settings::default() };
    settings.remember("embedded", Recent { id: "a".to_owned(), name: "A".to_owned() });
    kept(&settings, &path).expect("written");
    kept(&settings, &path).expect("written again");
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
    kept(&settings, &path).expect("written");
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
    assert!(said.is_some_and(|text| text.contains("the damaged file is now")));
    assert_eq!(fs::read_to_string(path.with_extension("broken-1.json")).expect("kept"), "{ not json");
}

#[test]
fn after_damage_the_settings_kept_before_are_used_and_every_damaged_file_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("settings.json");
    let mut settings = Settings::default();
    settings.met("http://127.0.0.1:1000");
    kept(&settings, &path).expect("written");
    kept(&settings, &path).expect("written again");
    let damages: [&[u8]; 6] = [b"{", b"", b"\0\0", b"[1]", b"{\"zoom\": \"large\"}", b"\xff\xfe no text"];
    for (number, damage) in damages.into_iter().enumerate() {
        fs::write(&path, damage).expect("damaged");
        let (read, said) = Settings::read(&path);
        assert_eq!(read.connections, settings.connections, "{damage:?}");
        assert!(said.is_some_and(|said| said.contains("using the previous settings")));
        let aside = path.with_extension(format!("broken-{}.json", number + 1));
        assert_eq!(fs::read(aside).expect("kept"), damage);
        // It may end before it writes any.
        let (read, said) = Settings::read(&path);
        assert_eq!((&read, &Settings::peek(&path)), (&settings, &settings));
        assert!(said.is_some_and(|said| said.contains("is missing; using the previous settings")));
    }
}

#[test]
fn what_cannot_be_read_is_left_alone_and_the_settings_kept_before_are_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("settings.json");
    let settings = Settings { zoom: 2.0, ..Settings::default() };
    kept(&settings, &path).expect("written");
    fs::rename(&path, path.with_extension("bak.json")).expect("renamed");
    // As root reads every file, a folder stands for one that cannot be read.
    fs::create_dir(&path).expect("a folder");
    let (read, said) = Settings::read(&path);
    assert_eq!(read, settings);
    assert!(
        said.is_some_and(
            |said| said.starts_with("Could not read the settings") && said.ends_with("the previous settings")
        )
    );
    assert!(kept(&read, &path).is_err());
    assert!(path.is_dir());
}

#[test]
fn what_two_windows_chose_stands_in_one_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("settings.json");
    let (x, y) = ("http://localhost:1".to_owned(), "http://localhost:2".to_owned());
    let begun = Settings { allowed_origins: vec![x, y.clone()], ..Settings::default() };
    kept(&begun, &path).expect("written");
    let mut a = begun.clone();
    a.allowed_origins.remove(0);
    a.write_policies.insert("embedded".to_owned(), WritePolicy::ReadOnly);
    a.met("http://127.0.0.1:1000");
    a.keep(&begun, &path).expect("written");
    let mut b = Settings { theme: Theme::Dark, ..begun.clone() };
    b.met("http://127.0.0.1:2000");
    b.remember("embedded", Recent { id: "a".to_owned(), name: "A".to_owned() });
    let written = b.keep(&begun, &path).expect("written");
    let (read, said) = Settings::read(&path);
    assert_eq!((&read, said), (&written, None));
    assert_eq!((read.allowed_origins, read.theme), (vec![y], Theme::Dark));
    assert_eq!(read.write_policies.get("embedded"), Some(&WritePolicy::ReadOnly));
    assert_eq!((read.connections.len(), read.recent["embedded"].len()), (2, 1));
}

#[test]
fn many_windows_that_write_at_once_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("settings.json");
    std::thread::scope(|scope| {
        for window in 0..8 {
            let path = &path;
            scope.spawn(move || {
                let mut base = Settings::default();
                for number in 0..5 {
                    let mut ours = base.clone();
                    ours.write_policies.insert(format!("{window}-{number}"), WritePolicy::ReadOnly);
                    ours.keep(&base, path).expect("written");
                    base = ours;
                }
            });
        }
    });
    assert_eq!(Settings::peek(&path).write_policies.len(), 40);
}

#[test]
fn a_connection_that_two_windows_named_is_there_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("settings.json");
    let mut begun = Settings::default();
    begun.met("http://127.0.0.1:1000");
    kept(&begun, &path).expect("written");
    for name in ["Home", "Work"] {
        let mut ours = begun.clone();
        ours.connections[0].name = name.to_owned();
        ours.keep(&begun, &path).expect("written");
    }
    let names: Vec<_> = Settings::peek(&path).connections.into_iter().map(|named| named.name).collect();
    assert_eq!(names, ["Work"], "the last one decides");
}

#[test]
fn a_name_of_any_length_leaves_the_file_small() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("settings.json");
    let mut settings = Settings::default();
    let name = "é".repeat(500_000);
    settings.remember("embedded", Recent { id: "a".to_owned(), name: name.clone() });
    kept(&settings, &path).expect("written");
    assert!(fs::metadata(&path).expect("there").len() < 10_000);
    // As an earlier version kept it.
    let long = serde_json::json!({ "recent": { "embedded": [{ "id": "b", "name": name }] } });
    fs::write(&path, long.to_string()).expect("written");
    let (read, _) = Settings::read(&path);
    assert!(read.recent["embedded"][0].name.chars().count() <= NAME_KEPT + 1);
    kept(&read, &path).expect("written");
    assert!(fs::metadata(&path).expect("there").len() < 10_000);
}

#[cfg(unix)]
#[test]
fn the_settings_and_those_before_are_the_users_alone_also_where_an_earlier_version_made_them() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("deep/settings.json");
    kept(&Settings::default(), &path).expect("written");
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&folder.path().join("deep")), 0o700);
    for name in ["settings.json", "settings.bak.json"] {
        let earlier = path.with_file_name(name);
        fs::write(&earlier, "{}").expect("written");
        fs::set_permissions(&earlier, fs::Permissions::from_mode(0o644)).expect("changed");
    }
    kept(&Settings::default(), &path).expect("written");
    for name in ["settings.json", "settings.bak.json", "settings.lock"] {
        assert_eq!(mode(&path.with_file_name(name)), 0o600, "{name}");
    }
}
