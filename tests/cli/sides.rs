//! `lunette compare` and `lunette copy`: two sides compared and evened out by the real program.

use std::fs;
use std::path::Path;

use serde_json::json;

#[cfg(unix)]
use crate::dying::Dying;
use crate::program::{Ended, Served, run};

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// A data folder with assets of these names and texts.
fn filled(assets: &[(&str, &str)]) -> tempfile::TempDir {
    let data = tempfile::tempdir().expect("a folder");
    let files = tempfile::tempdir().expect("a folder");
    let paths: Vec<String> = assets
        .iter()
        .map(|(name, content)| {
            let path = files.path().join(name);
            fs::write(&path, content).expect("a file");
            text(&path).to_owned()
        })
        .collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let ended = run(&[&["import", "--data", text(data.path())], &*paths].concat());
    assert_eq!(ended.code, Some(0), "{ended:?}");
    data
}

fn done(ended: &Ended) {
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

#[test]
fn two_data_folders_are_compared_evened_out_and_taken_back() {
    let left = filled(&[("a.txt", "a"), ("b.txt", "b")]);
    let right = filled(&[("b.txt", "b"), ("c.txt", "c")]);
    let (one, other) = (text(left.path()), text(right.path()));
    let compare = |more: &[&str]| run(&[&["compare", one, other], more].concat());
    done(&compare(&[]));
    let ended = compare(&["--exit-code", "--json"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let told = ended.json();
    assert_eq!((&told["counts"]["only_left"], &told["counts"]["only_right"]), (&json!(1), &json!(1)), "{told}");
    let ended = compare(&["--exit-code", "--filter", "state:different"]);
    assert_eq!(ended.code, Some(0), "no row of this state: {ended:?}");
    assert!(compare(&["--csv"]).out.starts_with("state,name,differs in,"), "{:?}", compare(&["--csv"]));
    assert!(compare(&["--markdown"]).out.contains("| only-left | a.txt |"), "{:?}", compare(&["--markdown"]));

    let dry = run(&["copy", "--from", one, "--to", other, "--dry-run"]);
    assert!(dry.out.contains("Copy a.txt") || dry.out.contains("Copy “a.txt”"), "{dry:?}");
    assert_eq!(compare(&["--exit-code"]).code, Some(1), "a dry run writes nothing");
    for (from, to) in [(one, other), (other, one)] {
        let ended = run(&["copy", "--from", from, "--to", to]);
        done(&ended);
        assert!(ended.err.contains("1 done, 0 unchanged, 0 failed"), "{ended:?}");
    }
    let ended = compare(&["--exit-code", "--json"]);
    assert_eq!((ended.code, &ended.json()["counts"]["same"]), (Some(0), &json!(3)), "{ended:?}");

    done(&run(&["undo", "--data", other]));
    let told = compare(&["--json"]).json();
    assert_eq!((&told["counts"]["only_left"], &told["counts"]["same"]), (&json!(1), &json!(2)), "{told}");
}

#[test]
fn a_backup_an_archive_and_a_day_are_sides_that_are_only_read() {
    let data = filled(&[("a.txt", "a")]);
    let around = tempfile::tempdir().expect("a folder");
    let (folder, backup, archive) =
        (text(data.path()), around.path().join("b.sqlite3"), around.path().join("archive.zip"));
    done(&run(&["backup", text(&backup), "--data", folder]));
    done(&run(&["export", "--to", text(&archive), "--data", folder]));
    for side in [text(&backup), text(&archive)] {
        let ended = run(&["compare", side, folder, "--exit-code", "--json"]);
        assert_eq!((ended.code, &ended.json()["counts"]["same"]), (Some(0), &json!(1)), "{side}: {ended:?}");
        let refused = run(&["copy", "--from", folder, "--to", side]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains("cannot be written to"), "{refused:?}");
    }
    assert!(fs::read_dir(data.path()).expect("the folder").flatten().all(|entry| entry.file_name() != "scratch"));
    let ended = run(&["compare", "@yesterday", "own", "--data", folder, "--json"]);
    assert_eq!(ended.json()["counts"]["only_right"], json!(1), "{ended:?}");
    let ended = run(&["compare", "@nothing", "own", "--data", folder]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("no day such as"), "{ended:?}");
    let ended = run(&["compare", "/nonexistent", folder]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
}

#[cfg(unix)]
#[test]
fn what_was_rescued_is_what_the_old_service_has() {
    let (old, data) = (Dying::start(2), tempfile::tempdir().expect("a folder"));
    done(&run(&["rescue", "--from", &old.url(), "--to", text(data.path())]));
    let ended = run(&["compare", &old.url(), text(data.path()), "--exit-code", "--json"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let told = ended.json();
    let assets = old.counts()["assets"];
    let counted =
        told["counts"]["same"].as_u64().unwrap_or_default() + told["counts"]["not_told"].as_u64().unwrap_or_default();
    assert_eq!(counted, assets as u64, "{}", told["counts"]);
    assert_eq!(old.writes(), 0, "nothing is written to the old service");
}

#[test]
fn a_conflict_is_left_unless_it_is_asked_for() {
    let left = filled(&[("a.txt", "one")]);
    let right = tempfile::tempdir().expect("a folder");
    let (one, other) = (text(left.path()), text(right.path()));
    let home = tempfile::tempdir().expect("a folder");
    let at = |arguments: &[&str]| {
        let mut command = crate::program::command(arguments);
        command.env("HOME", home.path()).env("XDG_DATA_HOME", home.path());
        let output = command.output().expect("it ends");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    };
    fs::create_dir_all(home.path().join("lunette")).expect("a folder of its own");
    done(&at(&["copy", "--from", one, "--to", other]));
    done(&at(&["compare", one, other, "--exit-code"]));
    for (folder, content) in [(one, "left"), (other, "right")] {
        let service = Served::start(Path::new(folder), &[]);
        done(&run(&["edit", "a.txt", "--name", &format!("{content}.txt"), "--url", &service.url]));
    }
    let told = at(&["compare", one, other, "--json"]).json();
    assert_eq!(told["counts"]["conflict"], json!(1), "{told}");
    let before = at(&["copy", "--from", one, "--to", other, "--dry-run"]);
    assert_eq!((before.code, before.out.as_str()), (Some(0), ""), "{before:?}");
    assert!(before.err.contains("--conflicts copies them too"), "{before:?}");
    done(&at(&["copy", "--from", one, "--to", other, "--conflicts"]));
    done(&at(&["compare", one, other, "--exit-code"]));
}
