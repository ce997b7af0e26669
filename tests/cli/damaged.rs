//! A data folder whose database is damaged, missing or of a later version: nothing is replaced silently.

use std::fs;

use crate::program::{Served, run};

#[test]
fn a_damaged_database_fails_with_one_line_and_is_quarantined_on_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    fs::create_dir(&data).expect("made");
    let database = data.join("lunette.sqlite3");
    fs::write(&database, "no database").expect("written");
    let path = data.to_str().expect("UTF-8");
    let refused = run(&["serve", "--port", "0", "--data", path]);
    assert_eq!((refused.code, refused.out.as_str(), refused.err.lines().count()), (Some(2), "", 1), "{refused:?}");
    assert!(refused.err.contains("lunette restore") && refused.err.contains("--set-aside"), "{refused:?}");
    assert_eq!(fs::read_to_string(&database).expect("as it was"), "no database");

    let served = Served::start(&data, &["--set-aside"]);
    assert_eq!(served.call(&["getWellKnownVersion"]).code, Some(0));
    let aside = fs::read_dir(&data).expect("the folder").flatten().map(|entry| entry.path());
    let aside = aside.into_iter().find(|path| path.to_string_lossy().contains("corrupt-")).expect("a folder of it");
    assert_eq!(fs::read_to_string(aside.join("lunette.sqlite3")).expect("kept"), "no database");
}

#[test]
fn an_intact_database_is_served_unchanged_even_if_quarantine_is_requested() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(Served::start(folder.path(), &[]));
    let _served = Served::start(folder.path(), &["--set-aside"]);
    let entries = fs::read_dir(folder.path()).expect("the folder").flatten();
    assert!(!entries.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with("corrupt")));
}

#[test]
fn a_missing_database_is_not_silently_recreated() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(Served::start(folder.path(), &[]));
    for left in ["lunette.sqlite3", "lunette.sqlite3-wal", "lunette.sqlite3-shm"] {
        fs::remove_file(folder.path().join(left)).ok(); // A service that was ended by force leaves its log.
    }
    let refused = run(&["serve", "--port", "0", "--data", folder.path().to_str().expect("UTF-8")]);
    assert_eq!((refused.code, refused.err.lines().count()), (Some(2), 1), "{refused:?}");
    assert!(refused.err.contains("it is missing, although this folder had one"), "{refused:?}");
}
