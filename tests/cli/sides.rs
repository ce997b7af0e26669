//! `lunette compare` and `lunette copy`: two sides compared and evened out by the real program.

use std::fs;
use std::path::Path;

use serde_json::json;

#[cfg(unix)]
use crate::dying::Dying;
use crate::mutating_proxy::{MutatingProxy, ProxyAction};
use crate::program::{Ended, Served, run, run_with_input};

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
    assert!(ended.err.contains("is not a day such as"), "{ended:?}");
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

/// What the service of a data folder says to a command.
fn changed(data: &Path, arguments: &[&str]) {
    done(&run(&[arguments, &["--data", text(data)]].concat()));
}

#[test]
fn a_checkpoint_and_a_day_are_sides_and_changes_since_a_checkpoint_are_told_apart() {
    let data = filled(&[("a.txt", "a"), ("b.txt", "b"), ("c.txt", "c")]);
    let around = tempfile::tempdir().expect("a folder");
    let (own, other) = (text(data.path()), around.path().join("other"));
    done(&run(&["copy", "--from", own, "--to", text(&other), "--data", own]));
    let made = run_with_input(
        &["call", "checkpointsCreate", "--body", "-", "--data", own],
        "{ \"name\": \"before the move\" }",
    );
    done(&made);
    changed(data.path(), &["edit", "a.txt", "--name", "left.txt"]);
    changed(data.path(), &["edit", "b.txt", "--description", "on the left alone"]);
    changed(&other, &["edit", "a.txt", "--name", "right.txt"]);
    let counts = |arguments: &[&str]| {
        let ended = run(&[&["compare"], arguments, &["--data", own, "--json"]].concat());
        done(&ended);
        let counts = ended.json()["counts"].clone();
        ["same", "different", "conflict", "only_left"].map(|state| counts[state].as_u64().unwrap_or_default())
    };
    assert_eq!(counts(&["@before the move", "own"]), [1, 2, 0, 0]);
    assert_eq!(counts(&[&format!("@{}", jiff::ZonedDateTime::now().date()), "own"]), [3, 0, 0, 0], "today ends now");
    assert_eq!(counts(&["own", "@yesterday"]), [0, 0, 0, 3]);
    for since in ["before the move", "@before the move"] {
        assert_eq!(counts(&["own", text(&other), "--since", since]), [1, 1, 1, 0]);
        assert_eq!(counts(&[text(&other), "own", "--since", since]), [1, 1, 1, 0], "whichever is named first");
    }
    let ended = run(&["compare", "own", text(&other), "--since", "no such one", "--data", own]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
}

#[test]
fn a_conflict_is_one_in_whichever_order_the_sides_are_named() {
    let left = filled(&[("a.txt", "a")]);
    let (memory, around) = (filled(&[("m.txt", "m")]), tempfile::tempdir().expect("a folder"));
    let (one, other) = (text(left.path()), around.path().join("other"));
    let (other, memory) = (text(&other), text(memory.path()));
    done(&run(&["copy", "--from", one, "--to", other, "--data", memory]));
    done(&run(&["compare", one, other, "--exit-code", "--data", memory]));
    changed(Path::new(one), &["edit", "a.txt", "--name", "left.txt"]);
    changed(Path::new(other), &["edit", "a.txt", "--name", "right.txt"]);
    for [first, second] in [[one, other], [other, one]] {
        let told = run(&["compare", first, second, "--data", memory, "--json"]).json();
        assert_eq!(told["counts"]["conflict"], json!(1), "{told}");
        let copied = run(&["copy", "--from", first, "--to", second, "--data", memory, "--dry-run"]);
        assert!(copied.err.contains("1 assets changed on both sides"), "{copied:?}");
    }
}

#[test]
fn a_dry_run_to_a_folder_that_is_not_there_says_what_would_come_and_makes_nothing() {
    let data = filled(&[("a.txt", "a"), ("b.txt", "b")]);
    let around = tempfile::tempdir().expect("a folder");
    let missing = around.path().join("missing");
    for to in [&missing, &around.path().to_owned()] {
        let ended = run(&["copy", "--from", text(data.path()), "--to", text(to), "--dry-run", "--json"]);
        done(&ended);
        assert_eq!(ended.json().as_array().map(Vec::len), Some(2), "{ended:?}");
        assert_eq!(fs::read_dir(around.path()).expect("the folder").count(), 0, "nothing is made");
    }
}

#[test]
fn ids_that_another_service_gives_are_printed_and_known_by_the_next_comparison() {
    let (data, far) = (filled(&[("a.txt", "a"), ("b.txt", "b")]), tempfile::tempdir().expect("a folder"));
    let own = text(data.path());
    let served = Served::start(far.path(), &[]);
    let port = served.url.rsplit(':').next().and_then(|port| port.trim_matches('/').parse().ok()).expect("a port");
    let proxy = MutatingProxy::named("other/1.0", port, |_| ProxyAction::Pass);
    let url = proxy.url();
    let ended = run(&["copy", "--from", "own", "--to", &url, "--data", own, "--json"]);
    done(&ended);
    let copied = ended.json()["copied_as"].as_array().cloned().expect("a list");
    assert_eq!(copied.len(), 2, "{ended:?}");
    assert!(
        copied.iter().all(|pair| pair["id"].is_string() && pair["there"].is_string() && pair["id"] != pair["there"])
    );
    let files = tempfile::tempdir().expect("a folder");
    let content = files.path().join("new");
    fs::write(&content, "another text altogether").expect("a file");
    changed(data.path(), &["edit", "a.txt", "--name", "renamed.txt", "--content", text(&content)]);
    let told = run(&["compare", "own", &url, "--data", own, "--json"]).json();
    assert_eq!((&told["counts"]["different"], &told["counts"]["same"]), (&json!(1), &json!(1)), "{told}");
    let told = run(&["compare", &url, "own", "--data", own, "--json"]).json();
    assert_eq!((&told["counts"]["different"], &told["counts"]["same"]), (&json!(1), &json!(1)), "{told}");
}

#[cfg(unix)]
#[test]
fn a_comparison_that_was_cut_off_goes_on_where_it_was() {
    let (old, data) = (Dying::start(2), filled(&[("a.txt", "a")]));
    let (url, own) = (old.url(), text(data.path()));
    // Its list withholds the contents, so that each asset is read by itself.
    old.list_assets();
    let compare = || run(&["compare", &url, "own", "--data", own, "--json"]);
    old.lose(Some(40..10_000));
    let ended = compare();
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("what was read is kept; run it again to go on"), "{ended:?}");
    old.lose(None);
    let read = old.asset_reads();
    assert!(read > 0);
    // Killed, too.
    let mut child = crate::program::command(&["compare", &url, "own", "--data", own]).spawn().expect("it starts");
    old.until_asked(old.requests() + 30);
    child.kill().expect("killed");
    child.wait().expect("ended");
    let ended = compare();
    done(&ended);
    assert!(ended.err.contains("assets were read before"), "{ended:?}");
    let (reads, assets) = (old.asset_reads(), old.counts()["assets"]);
    assert_eq!(ended.json()["counts"]["only_left"], json!(assets), "{ended:?}");
    // Those that were in flight when it was killed are asked for again.
    assert!(reads <= assets + 8, "{reads} reads of {assets} assets");
    assert_eq!(old.writes(), 0);
}
