//! Commands that are killed while they change many assets: each can be continued, cancelled and undone here.

use std::fs;
use std::io::{BufRead as _, BufReader};

use serde_json::{Value, json};

use crate::program::command;
use crate::write::Home;

const COUNT: usize = 400;

/// A home with many assets; returns their ids.
fn home() -> (Home, Vec<String>) {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    for number in 0..COUNT {
        fs::write(files.path().join(format!("{number}.txt")), format!("text {number}")).expect("a file");
    }
    let imported = home.done(&["import", files.path().to_str().expect("UTF-8"), "--json"]).json();
    let id = |item: &Value| item["asset"].as_str().expect("an id").to_owned();
    let ids: Vec<String> = imported["imported"].as_array().expect("a list").iter().map(id).collect();
    assert_eq!(ids.len(), COUNT);
    (home, ids)
}

/// Runs a command and kills it once this much is done.
fn killed_at(home: &Home, arguments: &[&str], done: usize) {
    let data = home.data.path().to_str().expect("UTF-8");
    let mut child = command(&[arguments, &["--data", data]].concat()).spawn().expect("the program starts");
    let mut err = BufReader::new(child.stderr.take().expect("a pipe"));
    let (mut line, wanted) = (String::new(), format!("{done} of {COUNT}"));
    while !line.starts_with(&wanted) {
        line.clear();
        assert_ne!(err.read_line(&mut line).expect("a line"), 0, "it ended before it was killed");
    }
    child.kill().expect("killed");
    assert_eq!(child.wait().expect("ended").code(), None);
}

fn newest(home: &Home) -> Value {
    home.done(&["history", "--limit", "1", "--json"]).json()[0].clone()
}

/// Names all assets to a command.
fn with<'a>(arguments: &[&'a str], ids: &'a [String]) -> Vec<&'a str> {
    arguments.iter().copied().chain(ids.iter().map(String::as_str)).collect()
}

fn tagged(home: &Home, tag: &str) -> usize {
    let filter = format!("tag:{tag}");
    home.done(&["list", "assets", "--filter", &filter, "--json"]).json().as_array().expect("a list").len()
}

#[test]
fn a_killed_undo_is_continued_by_undo() {
    let (home, ids) = home();
    home.done(&with(&["delete"], &ids));
    killed_at(&home, &["undo"], 80);
    let restored = home.count();
    assert!((80..COUNT).contains(&restored), "it was killed in the middle: {restored}");
    assert_eq!(newest(&home)["status"], "interrupted");

    let planned = home.done(&["undo", "--dry-run"]);
    assert!(planned.err.contains("would resume the interrupted Undo: deleted 400 assets"), "{planned:?}");
    let again = home.done(&["undo", "--json"]);
    assert!(again.err.contains("resuming the interrupted Undo: deleted 400 assets"), "{}", again.err);
    assert_eq!((&again.json()["counts"]["done"], home.count()), (&COUNT.into(), COUNT), "each once");
    assert_eq!(newest(&home)["status"], "done");
    // The deletion is undone, so the import is next.
    let next = home.done(&["undo", "--dry-run", "--json"]).json();
    assert!(next["title"].as_str().is_some_and(|title| title.starts_with("Undo: imported")), "{next}");
}

#[test]
fn a_killed_undo_that_is_cancelled_can_be_undone_to_the_end() {
    let (home, ids) = home();
    home.done(&with(&["delete"], &ids));
    killed_at(&home, &["undo"], 80);
    let cancelled = home.done(&["cancel"]);
    assert!(cancelled.err.contains("cancelled: ") && cancelled.err.contains(" not done"), "{cancelled:?}");
    let restored = home.count();
    assert!((80..COUNT).contains(&restored), "nothing more was restored: {restored}");
    let step = home.done(&["history", "--limit", "2", "--json"]).json()[1]["id"].clone();
    home.done(&["undo", step.as_str().expect("an id")]);
    assert_eq!(home.count(), COUNT);
}

#[test]
fn a_killed_merge_is_named_continued_cancelled_and_undone() {
    let (home, ids) = home();
    home.done(&with(&["tag", "goes"], &ids));
    home.done(&["tag", "stays", &ids[0]]);
    let merge = ["links", "tags", "merge", "goes", "--into", "stays"];
    killed_at(&home, &merge, 80);
    assert!((80..COUNT).contains(&tagged(&home, "stays")), "it was killed in the middle");

    let refused = home.run(&["undo"]);
    let step = newest(&home)["id"].as_str().expect("an id").to_owned();
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{refused:?}");
    for command in ["resume", "cancel"] {
        assert!(refused.err.contains(&format!("`lunette {command} {step}`")), "{refused:?}");
    }
    home.done(&["cancel", &step[step.len() - 8..]]);
    let undone = home.done(&["undo"]);
    assert!(undone.err.contains("0 failed, 0 unknown, 0 pending"), "{undone:?}");
    assert_eq!((tagged(&home, "goes"), tagged(&home, "stays")), (COUNT, 1), "as it was before");

    killed_at(&home, &merge, 80);
    let resumed = home.done(&["resume", "--json"]).json();
    assert_eq!(resumed["counts"]["failed"], json!(0), "{}", resumed["counts"]);
    assert_eq!((tagged(&home, "goes"), tagged(&home, "stays")), (0, COUNT));
    assert_eq!(newest(&home)["status"], "done");
    let nothing = home.done(&["resume"]);
    assert!(nothing.err.contains("nothing was interrupted"), "{nothing:?}");
    home.done(&["undo"]);
    assert_eq!((tagged(&home, "goes"), tagged(&home, "stays")), (COUNT, 1));
}

#[test]
fn what_a_killed_import_created_can_be_undone() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    for number in 0..COUNT {
        fs::write(files.path().join(format!("{number}.txt")), format!("text {number}").repeat(3_000)).expect("a file");
    }
    let folder = files.path().to_str().expect("UTF-8");
    let data = home.data.path().to_str().expect("UTF-8");
    let mut child = command(&["import", folder, "--data", data]).spawn().expect("the program starts");
    let mut err = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains(" of 400") {
        line.clear();
        assert_ne!(err.read_line(&mut line).expect("a line"), 0, "it ended before it was killed");
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert!(home.count() > 0);
    let undone = home.done(&["undo"]);
    assert!(undone.out.contains("  done  "), "{undone:?}");
}
