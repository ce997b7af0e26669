//! Commands that run at the same time on a data folder that no service serves.

use std::fs;
use std::process::{Child, Stdio};

use crate::program::{command, run, run_with_input};

/// A folder with an asset of each of these names.
fn folder(names: &[&str]) -> tempfile::TempDir {
    let data = tempfile::tempdir().expect("a folder");
    for name in names {
        let folder = data.path().to_str().expect("UTF-8");
        let made = run_with_input(&["new", "--name", name, "--data", folder], name);
        assert_eq!(made.code, Some(0), "{made:?}");
    }
    data
}

fn started(arguments: &[&str]) -> Child {
    command(arguments).spawn().expect("the program starts")
}

fn count(data: &str) -> usize {
    run(&["list", "assets", "--json", "--data", data]).json().as_array().expect("a list").len()
}

#[test]
fn sixty_commands_of_all_kinds_at_once_all_succeed() {
    let folder = folder(&["a", "b"]);
    let data = folder.path().to_str().expect("UTF-8");
    let files = tempfile::tempdir().expect("a folder");
    let path = |name: &str| files.path().join(name).to_str().expect("UTF-8").to_owned();
    let file = path("new.txt");
    fs::write(&file, "new").expect("a file");
    let mut begun = Vec::new();
    for number in 0..6 {
        let (name, tag) = (format!("new {number}"), format!("tag {number}"));
        for arguments in [
            &["new", &file, "--name", &name][..],
            &["tag", &tag, "a"],
            &["list", "assets"],
            &["search", "new"],
            &["show", "a"],
            &["edit", "b", "--description", &tag],
            &["history"],
            &["export", "a", "--as", "raw"],
            &["call", "assetsSnapshot"],
            &["backup", &path(&format!("{number}.sqlite3"))],
        ] {
            let arguments = [arguments, &["--data", data]].concat();
            begun.push((arguments.join(" "), started(&arguments)));
        }
    }
    assert_eq!(begun.len(), 60);
    for (arguments, child) in begun {
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(0), "{arguments}: {output:?}");
    }
    assert_eq!(count(data), 8, "each was created once");
    let shown = run(&["show", "a", "--json", "--data", data]).json();
    assert_eq!(shown["tags"].as_array().map(Vec::len), Some(6), "{shown}");
}

#[test]
fn a_command_that_lasts_is_used_by_others_and_outlives_them() {
    let folder = folder(&["a"]);
    let data = folder.path().to_str().expect("UTF-8");
    let files = tempfile::tempdir().expect("a folder");
    for number in 0..3_000 {
        fs::write(files.path().join(format!("{number}.txt")), format!("text {number}")).expect("a file");
    }
    let import = started(&["import", files.path().to_str().expect("UTF-8"), "--data", data]);
    let begun: Vec<_> = (0..6).map(|number| started(&["tag", &format!("tag {number}"), "a", "--data", data])).collect();
    for child in begun.into_iter().chain([import]) {
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    assert_eq!(count(data), 3_001);
    assert!(!folder.path().join("lunette.address").exists());
}

#[test]
fn a_killed_command_does_not_block_the_others() {
    let folder = folder(&["a"]);
    let data = folder.path().to_str().expect("UTF-8");
    for _ in 0..3 {
        let mut killed = command(&["check", "--samples", "50", "--data", data])
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let waiting: Vec<_> = (0..3).map(|_| started(&["list", "assets", "--data", data])).collect();
        killed.kill().expect("killed");
        killed.wait().expect("ended");
        for child in waiting {
            let output = child.wait_with_output().expect("the program ends");
            assert_eq!(output.status.code(), Some(0), "{output:?}");
        }
    }
    assert!(count(data) >= 1);
}

#[test]
fn a_search_right_after_an_import_finds_everything() {
    let (data, files) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let data = data.path().to_str().expect("UTF-8");
    for file in 0..40 {
        let words: String = (0..2_000).map(|word| format!("w{file}x{word} ")).collect();
        fs::write(files.path().join(format!("{file}.txt")), format!("{words} everywhere")).expect("a file");
    }
    let imported = run(&["import", files.path().to_str().expect("UTF-8"), "--data", data]);
    assert_eq!(imported.code, Some(0), "{imported:?}");
    let found = run(&["search", "everywhere", "--json", "--data", data]);
    assert_eq!((found.code, found.json().as_array().map(Vec::len)), (Some(0), Some(40)), "{}", found.err);
    let called = run(&["call", "searchAssets", "query=everywhere", "transferables=false", "--data", data]);
    let called = called.json();
    assert_eq!(
        (called["iterable"].as_array().map(Vec::len), &called["unindexed"]),
        (Some(40), &serde_json::Value::Null)
    );
}
