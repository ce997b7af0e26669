//! `lunette backup` and `lunette restore`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::{Ended, Served, run};

/// A temporary folder for a data folder and its backups.
fn data() -> (tempfile::TempDir, PathBuf) {
    let around = tempfile::tempdir().expect("a folder");
    let data = around.path().join("data");
    (around, data)
}

fn with_data(verb: &[&str], data: &Path) -> Ended {
    run(&[verb, &["--data", data.to_str().expect("UTF-8")]].concat())
}

fn assets(served: &Served) -> usize {
    let snapshot = served.call(&["assetsSnapshot"]).json();
    snapshot["iterable"].as_array().map_or(0, Vec::len)
}

fn import(served: &Served, folder: &Path, name: &str) {
    fs::write(folder.join(name), format!("the text of {name}")).expect("written");
    let ended = run(&["import", folder.join(name).to_str().expect("UTF-8"), "--url", &served.url]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

#[test]
fn a_running_service_is_backed_up_and_its_data_restored_after_it_stops() {
    let (around, data) = data();
    let served = Served::start(&data, &[]);
    import(&served, around.path(), "first.txt");
    let kept = around.path().join("kept.sqlite3");
    let backup = with_data(&["backup", kept.to_str().expect("UTF-8")], &data);
    assert_eq!((backup.code, backup.out.trim_end()), (Some(0), kept.to_str().expect("UTF-8")), "{backup:?}");
    import(&served, around.path(), "second.txt");
    assert_eq!(assets(&served), 2);

    let refused = with_data(&["restore", kept.to_str().expect("UTF-8")], &data);
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    assert!(refused.err.contains("another instance of Lunette uses this folder"), "{refused:?}");
    drop(served);

    let restored = with_data(&["restore", kept.to_str().expect("UTF-8")], &data);
    assert_eq!(restored.code, Some(0), "{restored:?}");
    assert!(
        restored.err.contains("the previous database is now in") && restored.out.starts_with("restored "),
        "{restored:?}"
    );
    let served = Served::start(&data, &[]);
    assert_eq!(assets(&served), 1);
}

#[test]
fn unnamed_backups_are_stored_beside_the_data_and_listed() {
    let (around, data) = data();
    drop(Served::start(&data, &[]));
    let backup = with_data(&["backup"], &data);
    assert_eq!(backup.code, Some(0), "{backup:?}");
    assert!(
        Path::new(backup.out.trim_end())
            .starts_with(fs::canonicalize(around.path()).expect("it is there").join("data-backups"))
    );
    assert_eq!(with_data(&["restore"], &data).out, backup.out);
}

#[test]
fn an_invalid_backup_is_refused_in_one_line() {
    let (around, data) = data();
    drop(Served::start(&data, &[]));
    let kept = around.path().join("kept.sqlite3");
    let path = kept.to_str().expect("UTF-8");
    assert_eq!(with_data(&["backup", path], &data).code, Some(0));
    let again = with_data(&["backup", path], &data);
    assert_eq!((again.code, again.err.lines().count()), (Some(2), 1), "{again:?}");
    let mut bytes = fs::read(&kept).expect("bytes");
    bytes[5000] ^= 1;
    fs::write(&kept, bytes).expect("written");
    let refused = with_data(&["restore", path], &data);
    assert_eq!((refused.code, refused.err.lines().count()), (Some(1), 1), "{refused:?}");
    assert!(refused.err.contains("does not match its checksum") && refused.err.contains("kept.sqlite3"), "{refused:?}");
    let nowhere = around.path().join("nowhere");
    let nothing = with_data(&["backup"], &nowhere);
    assert_eq!((nothing.code, nowhere.exists()), (Some(2), false), "{nothing:?}");
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_no_backup_and_is_not_waited_for() {
    let (around, data) = data();
    drop(Served::start(&data, &[]));
    let (pipe, kept) = (around.path().join("pipe.sqlite3"), around.path().join("kept.sqlite3"));
    let text = |path: &std::path::Path| path.to_str().expect("UTF-8").to_owned();
    assert_eq!(with_data(&["backup", &text(&kept)], &data).code, Some(0));
    let sum = around.path().join("kept.sqlite3.sha256");
    fs::remove_file(&sum).expect("removed");
    for path in [&pipe, &sum] {
        assert!(std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
    }
    for backup in [&pipe, &kept] {
        let refused = with_data(&["restore", &text(backup)], &data);
        assert_eq!((refused.code, refused.err.lines().count()), (Some(1), 1), "{refused:?}");
        assert!(refused.err.contains("not a regular file"), "{refused:?}");
    }
}

#[test]
fn a_backup_with_a_foreign_trigger_is_refused_in_one_line_that_names_it_and_the_data_stays() {
    let (around, data) = data();
    let served = Served::start(&data, &[]);
    import(&served, around.path(), "first.txt");
    drop(served);
    let kept = around.path().join("kept.sqlite3");
    let path = kept.to_str().expect("UTF-8");
    assert_eq!(with_data(&["backup", path], &data).code, Some(0));
    fs::remove_file(around.path().join("kept.sqlite3.sha256")).expect("removed");
    let evil = "CREATE TRIGGER evil AFTER INSERT ON item BEGIN UPDATE asset SET name = 'OWNED'; END";
    rusqlite::Connection::open(&kept).and_then(|db| db.execute_batch(evil)).expect("changed");
    let refused = with_data(&["restore", path], &data);
    assert_eq!((refused.code, refused.err.lines().count()), (Some(1), 1), "{refused:?}");
    assert!(refused.err.contains("unknown trigger \"evil\"") && refused.err.contains("kept.sqlite3"), "{refused:?}");
    let served = Served::start(&data, &[]);
    assert_eq!(assets(&served), 1);
}
