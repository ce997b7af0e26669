//! The exit codes: those of the table in docs/command-line.md, over all commands.

use std::fs;

use crate::program::run;
use crate::write::Home;

/// Commands that list what there is.
pub const LISTS: &[&[&str]] = &[
    &["list"],
    &["list", "applications"],
    &["search", "x"],
    &["undelete"],
    &["history"],
    &["undo"],
    &["resume"],
    &["cancel"],
    &["links", "tags", "list"],
];

/// Commands that name something which is not there.
pub const NAMING: &[&[&str]] = &[
    &["show", "none"],
    &["cat", "none"],
    &["export", "none"],
    &["edit", "none", "--name", "x"],
    &["tag", "x", "none"],
    &["untag", "x", "none"],
    &["delete", "none"],
    &["undelete", "none"],
    &["links", "tags", "merge", "none", "--into", "x"],
    &["links", "tags", "rename", "none", "x"],
    &["links", "tags", "delete", "none"],
];

#[test]
fn a_folder_that_was_named_and_has_no_data_is_wrong_usage_for_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("none");
    let missing = missing.to_str().expect("UTF-8");
    for arguments in LISTS.iter().chain(NAMING).chain(&[&["backup"][..], &["export", "--to", "x.zip"]]) {
        let ended = run(&[arguments, &["--data", missing][..]].concat());
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{arguments:?}: {ended:?}");
        assert!(ended.err.contains("there is no data in"), "{arguments:?}: {ended:?}");
    }
    assert!(!std::path::Path::new(missing).exists());
}

#[test]
fn what_is_not_there_fails_with_1_and_an_empty_list_is_none() {
    let home = Home::new();
    for arguments in LISTS {
        let ended = home.run(arguments);
        assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
    }
    for arguments in NAMING {
        let ended = home.run(arguments);
        assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""), "{arguments:?}: {ended:?}");
    }
}

#[test]
fn a_file_that_exists_is_wrong_usage_for_every_command_that_writes_one() {
    let home = Home::new();
    home.asset("a", "1");
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| {
        let path = folder.path().join(name);
        fs::write(&path, "mine").expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    };
    let plan = folder.path().join("plan.json");
    fs::write(&plan, r#"{"version":1,"each":{"favourite":true},"assets":["5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159"]}"#)
        .expect("a plan");
    let plan = plan.to_str().expect("UTF-8");
    for arguments in [
        &["backup", &file("b.sqlite3")][..],
        &["export", "a", "-o", &file("a.txt")],
        &["export", "--to", &file("a.zip")],
        &["import", plan, "--receipt", &file("r.csv")],
        &["bulk", plan, "--report", &file("r.md")],
    ] {
        let ended = home.run(arguments);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{arguments:?}: {ended:?}");
        assert!(ended.err.contains("exists"), "{arguments:?}: {ended:?}");
    }
    let kept = fs::read_dir(folder.path())
        .expect("listed")
        .flatten()
        .filter(|entry| entry.path() != std::path::Path::new(plan));
    assert!(kept.into_iter().all(|entry| fs::read(entry.path()).expect("read") == b"mine"));
}

#[test]
fn no_service_at_an_address_is_wrong_usage_for_every_command() {
    for arguments in LISTS.iter().chain(NAMING).filter(|arguments| **arguments != ["history"]) {
        let ended = run(&[arguments, &["--url", "http://127.0.0.1:9"][..]].concat());
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{arguments:?}: {ended:?}");
    }
}

#[test]
fn wrong_arguments_are_wrong_usage_for_every_command() {
    for verb in [
        "open",
        "serve",
        "backup",
        "restore",
        "rescue",
        "import",
        "bulk",
        "list",
        "search",
        "show",
        "export",
        "new",
        "edit",
        "tag",
        "untag",
        "links",
        "delete",
        "undelete",
        "history",
        "undo",
        "resume",
        "cancel",
        "call",
        "services",
        "check",
        "operations",
        "openapi",
        "completions",
        "man",
        "ls",
        "cat",
        "rm",
        "log",
    ] {
        let ended = run(&[verb, "--no-such-option"]);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{verb}: {ended:?}");
        let help = run(&[verb, "--help"]);
        assert_eq!((help.code, help.err.as_str()), (Some(0), ""), "{verb}: {help:?}");
    }
}
