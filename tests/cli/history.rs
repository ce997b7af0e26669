//! `lunette history` and `lunette undo`: what the commands changed, in the journal of the window.

use serde_json::Value;

use crate::program::{run, run_with_input};
use crate::write::Home;

/// The titles and statuses of the steps, newest first.
pub fn titles(home: &Home) -> Vec<(String, String)> {
    let steps = home.done(&["history", "--json"]).json();
    let text = |step: &Value, field: &str| step[field].as_str().expect("a text").to_owned();
    steps.as_array().expect("a list").iter().map(|step| (text(step, "title"), text(step, "status"))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(title, status)| ((*title).to_owned(), (*status).to_owned())).collect()
}

#[test]
fn every_change_is_a_step_that_undo_undoes_last_first() {
    let home = Home::new();
    let id = home.asset("a", "1");
    home.done(&["edit", "a", "--name", "b"]);
    home.done(&["tag", "x", "b"]);
    home.done(&["delete", "b"]);
    let steps = [
        ("Deleted “b”", "done"),
        ("Created and linked tag “x”", "done"),
        ("Renamed to “b”", "done"),
        ("Created “a”", "done"),
    ];
    assert_eq!(titles(&home).len(), 4);
    let shown = home.done(&["history", "--limit", "1"]);
    assert_eq!(shown.out.lines().count(), 1);
    assert!(shown.out.contains("\tdone\tDeleted “b”\t"), "{shown:?}");

    let undone = home.done(&["undo"]);
    assert_eq!(undone.out, format!("{id}  done       b\n"), "{undone:?}");
    assert!(undone.err.contains("Undo: deleted “b”\n"), "{undone:?}");
    assert_eq!(home.shown(&id)["tags"], serde_json::json!(["x"]));
    home.done(&["undo"]);
    assert_eq!(home.shown(&id)["tags"], serde_json::json!([]));
    home.done(&["undo"]);
    assert_eq!(home.shown(&id)["name"], "a");
    let known = titles(&home);
    assert_eq!(known[0], ("Undo: renamed to “b”".to_owned(), "done".to_owned()));
    let undone: Vec<_> =
        steps.iter().map(|(title, _)| (*title, if *title == "Created “a”" { "done" } else { "undone" })).collect();
    assert_eq!(known[3..6], pairs(&undone)[..3], "{known:?}");
    home.done(&["undo"]);
    assert_eq!(home.count(), 0);
    let nothing = home.done(&["undo"]);
    assert_eq!(
        (nothing.out.as_str(), nothing.err.lines().last()),
        ("", Some("lunette: nothing to undo")),
        "{nothing:?}"
    );
}

#[test]
fn a_change_of_several_assets_is_one_step() {
    let home = Home::new();
    let (a, b) = (home.asset("a", "1"), home.asset("b", "2"));
    home.done(&["delete", &a, &b]);
    assert_eq!(titles(&home)[0], ("Deleted 2 assets".to_owned(), "done".to_owned()));
    let preview = home.done(&["undo", "--dry-run"]);
    assert_eq!(preview.out.matches("    would be restored\n").count(), 2, "{preview:?}");
    assert_eq!(home.count(), 0);
    let undone = home.done(&["undo", "--json"]).json();
    assert_eq!(
        (&undone["title"], &undone["counts"]["done"]),
        (&"Undo: deleted 2 assets".into(), &2.into()),
        "{undone}"
    );
    assert_eq!(home.count(), 2);
    assert_eq!(titles(&home)[1], ("Deleted 2 assets".to_owned(), "undone".to_owned()));
}

#[test]
fn an_edit_of_several_fields_is_undone_as_one_step() {
    let home = Home::new();
    let id = home.asset("a", "one\n");
    let before = home.shown(&id);
    let folder = home.data.path().to_str().expect("UTF-8");
    let edit = ["edit", "a", "--content", "-", "--language", "py", "--name", "b", "--data", folder];
    let edited = run_with_input(&edit, "print(1)\n");
    assert_eq!(edited.code, Some(0), "{edited:?}");
    assert_eq!(titles(&home)[0], ("Edited “a”".to_owned(), "done".to_owned()));
    home.done(&["undo"]);
    let after = home.shown(&id);
    for field in ["name", "language", "content"] {
        assert_eq!(after[field], before[field], "{field}");
    }
}

#[test]
fn a_step_that_was_overwritten_since_is_not_undone_and_any_step_can_be_named() {
    let home = Home::new();
    let (a, b) = (home.asset("a", "1"), home.asset("b", "2"));
    home.done(&["edit", &a, "--name", "c"]);
    home.done(&["edit", &b, "--name", "d"]);
    let steps = home.done(&["history", "--json"]).json();
    let step = steps[1]["id"].as_str().expect("an id");
    assert_eq!(steps[1]["asset"], a.as_str());
    let undone = home.done(&["undo", &step[..8]]);
    assert_eq!(undone.out, format!("{a}  done       c\n"), "{undone:?}");
    let again = home.run(&["undo", step]);
    assert_eq!((again.code, again.out.as_str()), (Some(1), ""), "{again:?}");
    assert!(again.err.contains("“Renamed to “c”” cannot be undone: already undone"), "{again:?}");
    // Another program renames the other asset.
    let record = home.done(&["call", "assetSnapshot", &format!("asset={b}")]).out.replace("\"d\"", "\"e\"");
    let folder = home.data.path().to_str().expect("UTF-8");
    let renamed = run_with_input(&["call", "assetUpdate", "--body", "-", "--data", folder], &record);
    assert_eq!(renamed.code, Some(0), "{renamed:?}");
    let refused = home.run(&["undo", steps[0]["id"].as_str().expect("an id")]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("the name changed to “e” in the meantime"), "{refused:?}");
    assert_eq!(home.shown(&b)["name"], "e");
    let unknown = home.run(&["undo", "ffff"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
}

#[test]
fn an_import_is_one_step_and_undo_deletes_the_created_assets() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    for name in ["a.txt", "b.txt", "c.txt"] {
        std::fs::write(files.path().join(name), name).expect("a file");
    }
    let folder = files.path().to_str().expect("UTF-8");
    let first = files.path().join("a.txt");
    home.done(&["import", first.to_str().expect("UTF-8")]);
    home.done(&["import", folder]);
    let name = files.path().file_name().and_then(|name| name.to_str()).expect("UTF-8");
    assert_eq!(titles(&home), pairs(&[(&format!("Imported {name}"), "done"), ("Imported a.txt", "done")]));
    let undone = home.done(&["undo"]);
    assert_eq!((undone.out.matches("  done  ").count(), home.count()), (2, 1), "{undone:?}");
    home.done(&["undo"]);
    assert_eq!(home.count(), 0);
}

#[test]
fn an_undo_that_deletes_many_assets_makes_a_backup_first() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    for name in 0..6 {
        std::fs::write(files.path().join(format!("{name}.txt")), name.to_string()).expect("a file");
    }
    home.done(&["import", files.path().to_str().expect("UTF-8")]);
    let preview = home.done(&["undo", "--dry-run"]);
    assert!(!preview.err.contains("backup"), "{preview:?}");
    let undone = home.done(&["undo"]);
    let line = undone.err.lines().find_map(|line| line.strip_prefix("lunette: made a backup first: "));
    let backup = std::path::Path::new(line.expect("the path"));
    assert!(backup.metadata().is_ok_and(|backup| backup.len() > 0), "{undone:?}");
    assert_eq!(home.count(), 0);
    std::fs::remove_dir_all(backup.parent().expect("a folder")).expect("the backups are removed");
}

#[test]
fn changes_without_a_running_service_are_undone_without_one() {
    let data = tempfile::tempdir().expect("a folder");
    let folder = data.path().to_str().expect("UTF-8");
    let done = |arguments: &[&str]| {
        let ended = run(&[arguments, &["--data", folder]].concat());
        assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
        ended
    };
    let made = run_with_input(&["new", "--name", "a", "--data", folder], "text");
    assert_eq!(made.code, Some(0), "{made:?}");
    done(&["tag", "x", "a"]);
    done(&["delete", "a"]);
    done(&["undo"]);
    let shown = done(&["show", "a", "--json"]).json();
    assert_eq!((&shown["tags"], &shown["content"]), (&serde_json::json!(["x"]), &"text".into()));
    done(&["undo"]);
    assert_eq!(done(&["show", "a", "--json"]).json()["tags"], serde_json::json!([]));
}

#[test]
fn a_call_that_writes_is_a_step_and_is_not_undone() {
    let home = Home::new();
    let id = home.asset("a", "1");
    let asset = format!("asset={id}");
    home.done(&["call", "assetScoresIncrement", &asset, "increment={\"asset\":{\"reuse\":true}}"]);
    home.done(&["call", "assetSnapshot", &asset]);
    let steps = [("Sent assetScoresIncrement", "done"), ("Created “a”", "done")];
    assert_eq!(titles(&home), pairs(&steps));
    let undo = home.run(&["undo"]);
    assert_eq!((undo.code, undo.out.as_str()), (Some(1), ""), "{undo:?}");
    assert!(undo.err.contains("cannot be undone: ") && undo.err.contains("`lunette undo STEP`"), "{undo:?}");
    assert_eq!(home.count(), 1);
}

#[test]
fn a_large_new_asset_is_a_step_without_its_content() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let path = files.path().join("large.bin");
    std::fs::write(&path, vec![0xff; 3 * 1024 * 1024]).expect("a file");
    home.done(&["new", path.to_str().expect("UTF-8")]);
    assert_eq!(titles(&home), pairs(&[("Created “large.bin”", "done")]));
    let database = std::fs::metadata(home.data.path().join("inspector.sqlite3")).expect("the history");
    assert!(database.len() < 1024 * 1024, "{} bytes", database.len());
    home.done(&["undo"]);
    assert_eq!(home.count(), 0);
}

#[test]
fn a_folder_without_data_has_no_history_and_nothing_is_created() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("none");
    let missing = missing.to_str().expect("UTF-8");
    for json in [&[][..], &["--json"]] {
        let ended = run(&[&["history", "--data", missing], json].concat());
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
    }
    assert!(!std::path::Path::new(missing).exists());
}

/// Changes the text of an asset.
pub fn edit(home: &Home, id: &str, text: &str) {
    let folder = home.data.path().to_str().expect("UTF-8");
    let edited = run_with_input(&["edit", id, "--content", "-", "--data", folder], text);
    assert_eq!(edited.code, Some(0), "{edited:?}");
}

/// The versions of an asset, newest first.
pub fn versions(home: &Home, id: &str) -> Vec<Value> {
    home.done(&["history", id, "--json"]).json().as_array().expect("a list").clone()
}

#[test]
fn the_versions_of_an_asset_are_listed_and_each_is_shown_as_it_was() {
    let home = Home::new();
    let id = home.asset("a", "one\ntwo\n");
    edit(&home, &id, "one\nthree\nfour\n");
    home.done(&["edit", &id, "--name", "b"]);
    let listed = versions(&home, &id);
    let numbers: Vec<_> = listed.iter().map(|version| version["version"].as_i64()).collect();
    assert_eq!(numbers, [Some(3), Some(2), Some(1)]);
    let printed = home.done(&["history", "b"]).out;
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines[0].contains("\tname\t") && lines[0].starts_with('3'), "{printed}");
    assert!(lines[1].contains("\t+2 −1\tcontent\tthree") && lines[1].contains("lunette/"), "{printed}");
    assert!(lines[2].contains("\tcreated\t"), "{printed}");

    assert_eq!(home.done(&["show", &format!("{id}@1"), "--content"]).out, "one\ntwo\n");
    let old = home.done(&["show", &id, "--version", "2", "--json"]).json();
    assert_eq!(
        (&old["name"], &old["content"], &old["version"]),
        (&"a".into(), &"one\nthree\nfour\n".into(), &2.into())
    );
    let shown = home.done(&["show", "b@1"]).out;
    assert!(shown.contains("version      1\n") && shown.ends_with("\none\ntwo\n"), "{shown}");
    let compared = home.done(&["diff", &format!("{id}@1"), &format!("{id}@2")]).out;
    assert!(compared.ends_with("@@ -1,2 +1,3 @@\n one\n-two\n+three\n+four\n"), "{compared}");
    let same = home.run(&["diff", &format!("{id}@3"), &id, "--exit-code"]);
    assert_eq!((same.code, same.out.as_str()), (Some(0), ""), "{same:?}");
    let missing = home.run(&["show", &format!("{id}@7")]);
    assert_eq!(missing.code, Some(1), "{missing:?}");
    assert!(missing.err.contains("no version 7"), "{missing:?}");
}

#[test]
fn a_version_is_restored_as_one_step_and_its_undo_gives_what_was_before() {
    let home = Home::new();
    let id = home.asset("a", "one\n");
    home.done(&["tag", "first", &id]);
    let wanted = home.shown(&id);
    let number = versions(&home, &id)[0]["version"].as_i64().expect("a number").to_string();
    edit(&home, &id, "two\n");
    home.done(&["untag", "first", &id]);
    home.done(&["tag", "second", &id]);
    home.done(&["edit", &id, "--name", "b", "--language", "py", "--favourite", "yes"]);
    let before = home.shown(&id);

    let preview = home.done(&["history", "restore", &id, &number, "--dry-run"]);
    assert_eq!(home.shown(&id), before, "{preview:?}");
    let restored = home.done(&["history", "restore", &id, &number]);
    assert_eq!(titles(&home)[0], (format!("Restored version {number} of “b”"), "done".to_owned()), "{restored:?}");
    let after = home.shown(&id);
    for field in ["name", "content", "tags", "language", "favorited"] {
        assert_eq!(after[field], wanted[field], "{field}");
    }
    let again = home.done(&["history", "restore", &id, &number]);
    assert!(again.err.contains("nothing was done"), "{again:?}");
    home.done(&["undo"]);
    let undone = home.shown(&id);
    for field in ["name", "content", "tags", "language", "favorited"] {
        assert_eq!(undone[field], before[field], "{field}");
    }
}

#[test]
fn a_version_that_differs_in_one_field_is_restored_as_a_step_of_that_name_after_a_checkpoint() {
    let home = Home::new();
    let id = home.asset("a", "one\n");
    home.done(&["edit", &id, "--name", "b"]);
    home.done(&["history", "restore", &id, "1"]);
    assert_eq!(titles(&home)[0], ("Restored version 1 of “b”".to_owned(), "done".to_owned()));
    assert_eq!(home.shown(&id)["name"], "a");
    let checkpoints = home.done(&["call", "checkpointsSnapshot"]).json();
    assert_eq!(checkpoints["iterable"][0]["name"], "Before: Restored version 1 of “b”");
    let undone = home.done(&["undo"]);
    assert!(undone.err.contains("restored version 1 of “b”"), "{undone:?}");
    assert_eq!(home.shown(&id)["name"], "b");
}

#[test]
fn an_asset_that_was_deleted_for_good_comes_back_from_its_versions_as_a_new_one() {
    let home = Home::new();
    let id = home.asset("a", "one\n");
    home.done(&["delete", &id]);
    let trashed = home.run(&["history", "restore", &id, "1"]);
    assert_eq!(trashed.code, Some(1), "{trashed:?}");
    assert!(trashed.err.contains("lunette undelete"), "{trashed:?}");
    home.done(&["call", "assetsTrashEmpty"]);
    let back = home.done(&["history", "restore", &id, "1", "--json"]).json();
    assert_ne!(back["id"], Value::from(id.as_str()));
    let new = home.shown(back["id"].as_str().expect("an id"));
    assert_eq!((&new["name"], &new["content"]), (&"a".into(), &"one\n".into()));
}

#[test]
fn versions_are_forgotten_and_the_list_says_so() {
    let home = Home::new();
    let id = home.asset("a", "one\n");
    edit(&home, &id, "two\n");
    let preview = home.done(&["history", "forget", &id, "--dry-run"]);
    assert_eq!((preview.out.as_str(), versions(&home, &id).len()), ("1 earlier version would be forgotten\n", 2));
    let forgotten = home.done(&["history", "forget", &id]);
    assert!(forgotten.out.starts_with("1 earlier version forgotten"), "{forgotten:?}");
    let left = home.done(&["history", &id]);
    assert_eq!(left.out.lines().count(), 1, "{left:?}");
    assert!(left.err.contains("versions up to 1 are no longer kept"), "{left:?}");
}

#[test]
fn a_version_that_may_hold_a_secret_is_marked_and_can_be_forgotten_alone() {
    let home = Home::new();
    let id = home.asset("a", "one\n");
    // Made up, in the form of a token.
    let token = ["gh", "p_16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    edit(&home, &id, &format!("token = \"{token}\"\n"));
    edit(&home, &id, "three\n");
    let listed = home.done(&["history", &id]).out;
    let marked: Vec<bool> = listed.lines().map(|line| line.contains("may hold a secret: ")).collect();
    assert_eq!(marked, [false, true, false], "{listed}");
    assert!(
        !listed.contains(&token[..12]) || listed.contains("token = "),
        "only the first changed line has it: {listed}"
    );

    let preview = home.done(&["history", "forget", &format!("{id}@2"), "--dry-run"]);
    assert_eq!((preview.out.as_str(), versions(&home, &id).len()), ("1 earlier version would be forgotten\n", 3));
    home.done(&["history", "forget", &format!("{id}@2")]);
    let missing = home.run(&["show", &format!("{id}@2")]);
    assert!(missing.code == Some(1) && missing.err.contains("it was forgotten"), "{missing:?}");
    assert_eq!(home.done(&["show", &format!("{id}@1"), "--content"]).out, "one\n");
    assert!(!home.done(&["history", &id]).out.contains("secret"));
    let now = home.run(&["history", "forget", &format!("{id}@3")]);
    assert!(now.code == Some(1) && now.err.contains("what the asset is now"), "{now:?}");
}

#[test]
fn a_restore_and_an_import_begin_with_a_checkpoint_and_a_small_change_does_not() {
    let home = Home::new();
    let id = home.asset("a", "one\n");
    let checkpoints = || home.done(&["call", "checkpointsSnapshot"]).json()["iterable"].clone();
    edit(&home, &id, "two\n");
    home.done(&["edit", &id, "--name", "b"]);
    home.done(&["history", "restore", &id, "1", "--dry-run"]);
    assert_eq!(checkpoints(), serde_json::json!([]));
    home.done(&["history", "restore", &id, "1"]);
    let files = tempfile::tempdir().expect("a folder");
    std::fs::write(files.path().join("a.txt"), "a").expect("a file");
    home.done(&["import", files.path().join("a.txt").to_str().expect("UTF-8")]);
    let made = checkpoints();
    let told =
        |index: usize| (made[index]["name"].clone(), made[index]["automatic"].clone(), made[index]["assets"].clone());
    assert_eq!(told(0), ("Before: Imported a.txt".into(), true.into(), Value::Null));
    assert_eq!(told(1), ("Before: Restored version 1 of “b”".into(), true.into(), serde_json::json!([id])));
    assert_eq!(made.as_array().map(Vec::len), Some(2));
}

#[test]
fn a_run_over_more_than_a_hundred_assets_begins_with_a_checkpoint() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    for name in 0..101 {
        std::fs::write(files.path().join(format!("{name}.txt")), name.to_string()).expect("a file");
    }
    home.done(&["import", files.path().to_str().expect("UTF-8")]);
    let assets = home.done(&["list", "assets", "--json"]).json();
    let ids: Vec<&Value> = assets.as_array().expect("a list").iter().map(|asset| &asset["id"]).collect();
    let plan = serde_json::json!({ "version": 1, "in_flight": 8, "each": { "increment": "reuse" }, "assets": ids });
    let path = files.path().join("plan.json");
    std::fs::write(&path, plan.to_string()).expect("written");
    home.done(&["bulk", path.to_str().expect("UTF-8")]);
    let made = home.done(&["call", "checkpointsSnapshot"]).json()["iterable"].clone();
    assert_eq!(made[0]["assets"].as_array().map(Vec::len), Some(101), "{made}");
    assert_eq!(made.as_array().map(Vec::len), Some(2), "{made}");
}

#[test]
fn an_archive_leaves_versions_out_and_says_so() {
    let (home, other, files) = (Home::new(), Home::new(), tempfile::tempdir().expect("a folder"));
    let id = home.asset("a", "one\n");
    edit(&home, &id, "two\n");
    let archive = files.path().join("archive");
    home.done(&["export", "--to", archive.to_str().expect("UTF-8")]);
    let manifest = std::fs::read_to_string(archive.join("manifest.json")).expect("a manifest");
    assert!(manifest.contains("earlier versions of assets are not in it"), "{manifest}");
    other.done(&["import", archive.to_str().expect("UTF-8")]);
    let listed = versions(&other, &id);
    assert_eq!((listed.len(), &listed[0]["changed"]), (1, &serde_json::json!(["created"])));
}

#[test]
fn assets_are_listed_as_they_were_at_a_time() {
    let home = Home::new();
    let id = home.asset("a", "one\n");
    let at = versions(&home, &id)[0]["at"]["value"].as_str().expect("a time").to_owned();
    home.done(&["edit", &id, "--name", "b"]);
    home.asset("c", "two\n");
    let then = home.done(&["list", "--at", &at, "--json"]).json();
    let then = then.as_array().expect("a list");
    assert_eq!((then.len(), &then[0]["name"], &then[0]["version"]), (1, &"a".into(), &1.into()));
    assert_eq!(home.done(&["list", "--at", "2001-01-01", "--json"]).json(), serde_json::json!([]));
    assert_eq!(home.run(&["list", "--at", "someday"]).code, Some(2));
}

#[test]
fn a_text_is_searched_for_in_the_past_and_the_versions_where_it_came_and_went_are_listed() {
    let home = Home::new();
    let id = home.asset("a", "one\n");
    for text in ["one\nneedle\n", "two\nneedle\n", "three\n", "needle again\n"] {
        edit(&home, &id, text);
    }
    let found = home.done(&["history", &id, "--find", "needle", "--json"]).json();
    let changes: Vec<_> =
        found.as_array().expect("a list").iter().map(|row| (row["version"].as_i64(), row["text"].as_str())).collect();
    assert_eq!(changes, [(Some(5), Some("came")), (Some(4), Some("went")), (Some(2), Some("came"))]);
    let printed = home.done(&["history", &id, "--find", "needle"]).out;
    assert!(printed.contains("the text was removed") && printed.lines().count() == 3, "{printed}");
    let none = home.done(&["history", &id, "--find", "haystack"]);
    assert!(none.out.is_empty() && none.err.contains("the text is in no version"), "{none:?}");
    assert_eq!(home.run(&["history", "--find", "needle"]).code, Some(2));
}
