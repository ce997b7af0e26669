//! The verbs that change single assets: `new`, `edit`, `tag`, `untag`, `delete` and `undelete`.

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{Ended, Served, run, run_with_input};

/// A data folder, and the service that runs on it.
pub struct Home {
    pub data: TempDir,
    pub service: Served,
}

impl Home {
    pub fn new() -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let service = Served::start(data.path(), &[]);
        Self { data, service }
    }

    /// Runs a command on the data folder, which its service serves.
    pub fn run(&self, arguments: &[&str]) -> Ended {
        run(&[arguments, &["--data", self.folder()]].concat())
    }

    /// The same for a command that must succeed.
    pub fn done(&self, arguments: &[&str]) -> Ended {
        let ended = self.run(arguments);
        assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
        ended
    }

    /// Creates an asset from a text and returns its id.
    pub fn asset(&self, name: &str, text: &str) -> String {
        let made = run_with_input(&["new", "--name", name, "--data", self.folder()], text);
        assert_eq!(made.code, Some(0), "{made:?}");
        made.out.split(' ').next().expect("an id").to_owned()
    }

    pub fn shown(&self, asset: &str) -> Value {
        self.done(&["show", asset, "--json"]).json()
    }

    fn folder(&self) -> &str {
        self.data.path().to_str().expect("UTF-8")
    }

    /// The number of assets.
    pub fn count(&self) -> usize {
        self.done(&["list", "assets", "--json"]).json().as_array().expect("a list").len()
    }
}

#[test]
fn a_new_asset_has_the_given_name_language_and_tags() {
    let home = Home::new();
    let arguments =
        ["new", "--name", "a", "--language", "rust", "--tag", "x", "--tag", "to do", "--data", home.folder()];
    let made = run_with_input(&arguments, "fn main() {}\n");
    let id = made.out.split("  ").next().expect("an id").to_owned();
    assert_eq!((made.code, made.out.as_str()), (Some(0), &*format!("{id}  a\n")), "{made:?}");
    assert_eq!(made.err, format!("to {} (data folder {})\n", home.service.url, home.folder()));
    let shown = home.shown(&id);
    assert_eq!((&shown["language"], &shown["content"]), (&"Rust".into(), &"fn main() {}\n".into()), "{shown}");
    let mut tags: Vec<&str> = shown["tags"].as_array().expect("tags").iter().filter_map(Value::as_str).collect();
    tags.sort_unstable();
    assert_eq!(tags, ["to do", "x"]);
}

#[test]
fn a_new_asset_of_a_file_is_named_as_the_file() {
    let (home, files) = (Home::new(), tempfile::tempdir().expect("a folder"));
    let path = files.path().join("x.bin");
    std::fs::write(&path, b"\0\xff\0\xfe\x01").expect("a file");
    let made = home.done(&["new", path.to_str().expect("UTF-8"), "--json"]).json();
    assert_eq!((&made["name"], &made["size"]), (&"x.bin".into(), &5.into()), "{made}");
    let missing = home.run(&["new", "/nonexistent/file"]);
    assert_eq!((missing.code, missing.out.as_str()), (Some(2), ""), "{missing:?}");
    let empty = run_with_input(&["new", "--data", home.folder()], "");
    assert_eq!((empty.code, empty.out.as_str()), (Some(2), ""), "{empty:?}");
    assert_eq!(home.count(), 1);
}

#[test]
fn an_edit_changes_the_named_fields_and_no_other() {
    let home = Home::new();
    let id = home.asset("old", "one\n");
    let edited = home.done(&["edit", "old", "--name", "new", "--favourite", "yes"]);
    assert_eq!(edited.out, format!("{id}  done       old\n"), "{edited:?}");
    assert!(edited.err.ends_with("1 done, 0 unchanged, 0 failed, 0 unknown, 0 pending\n"), "{edited:?}");
    let shown = home.shown(&id);
    assert_eq!(
        (&shown["name"], &shown["favourite"], &shown["content"]),
        (&"new".into(), &true.into(), &"one\n".into())
    );

    let all =
        ["edit", &id, "--content", "-", "--language", "py", "--description", "what it is", "--data", home.folder()];
    let edited = run_with_input(&all, "print(1)\n");
    assert_eq!((edited.code, edited.out.lines().count()), (Some(0), 3), "{edited:?}");
    let shown = home.shown(&id);
    assert_eq!((&shown["content"], &shown["language"]), (&"print(1)\n".into(), &"Python".into()), "{shown}");
    assert_eq!((&shown["description"], &shown["name"]), (&"what it is".into(), &"new".into()));

    let again = home.done(&["edit", &id, "--name", "new"]);
    assert!(again.out.contains("  unchanged  "), "{again:?}");
    for (arguments, message) in [
        (&["edit", &*id][..], "--name"),
        (&["edit", &id, "--language", "pyton"], "did you mean Python (py)"),
        (&["edit", &id, "--favourite", "maybe"], "maybe"),
    ] {
        let ended = home.run(arguments);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
        assert!(ended.err.contains(message), "{ended:?}");
    }
}

#[test]
fn a_tag_is_created_once_linked_to_all_assets_and_removed_again() {
    let home = Home::new();
    let (a, b) = (home.asset("a", "1"), home.asset("b", "2"));
    let tagged = home.done(&["tag", "to do", "a", &b]);
    assert_eq!(tagged.out, format!("{a}  done       a\n{b}  done       b\n"), "{tagged:?}");
    let again = home.done(&["tag", "To Do", &a]);
    assert!(again.out.contains("  unchanged  "), "the case of a tag does not matter: {again:?}");
    assert_eq!(home.done(&["call", "tagsSnapshot"]).json()["iterable"].as_array().map(Vec::len), Some(1));
    assert_eq!(home.shown(&b)["tags"], serde_json::json!(["to do"]));
    home.done(&["untag", "to do", &b]);
    assert_eq!(
        (&home.shown(&b)["tags"], &home.shown(&a)["tags"]),
        (&Value::Array(vec![]), &serde_json::json!(["to do"]))
    );
    let unknown = home.run(&["untag", "none", &a]);
    assert_eq!((unknown.code, unknown.out.as_str()), (Some(1), ""), "{unknown:?}");
    assert!(unknown.err.contains("there is no tag \"none\""), "{unknown:?}");
}

#[test]
fn a_deleted_asset_is_listed_and_restored_by_undelete() {
    let home = Home::new();
    let (a, b) = (home.asset("a", "1"), home.asset("b", "2"));
    let deleted = home.done(&["delete", &a, "b"]);
    assert_eq!((deleted.out.matches("  done  ").count(), home.count()), (2, 0), "{deleted:?}");
    let trash = home.done(&["undelete", "--json"]).json();
    let mut ids: Vec<&str> = trash.as_array().expect("a list").iter().filter_map(|row| row["id"].as_str()).collect();
    ids.sort_unstable();
    let mut expected = [a.as_str(), b.as_str()];
    expected.sort_unstable();
    assert_eq!(ids, expected);
    assert!(trash[0]["deleted"].is_string(), "{trash}");
    let preview = home.done(&["undelete", "b", "--dry-run"]);
    assert!(preview.out.ends_with(&format!("{b}  b\n    would be restored\n")), "{preview:?}");
    let restored = home.done(&["undelete", "b", &a]);
    assert_eq!((restored.out.matches("  done  ").count(), home.count()), (2, 2), "{restored:?}");
    assert_eq!(home.shown(&b)["content"], "2");
    let none = home.run(&["undelete", "b"]);
    assert_eq!(none.code, Some(1), "{none:?}");
}

#[test]
fn a_dry_run_of_every_command_shows_the_changes_and_makes_none() {
    let home = Home::new();
    let id = home.asset("a", "1");
    let before = home.done(&["call", "assetsSnapshot"]).out;
    for (arguments, change) in [
        (&["edit", "a", "--name", "b"][..], "    name: \"a\" → \"b\"\n"),
        (&["tag", "x", "a"], "    tag: (nothing) → \"x\"\n"),
        (&["edit", "a", "--language", "Rust"], "    language: \"txt\" → \"rs\"\n"),
        (&["delete", "a"], "    would be deleted (1 B)\n"),
        (&["new", "/dev/null"], "would be created\n"),
    ] {
        let ended = home.done(&[arguments, &["--dry-run"]].concat());
        assert!(ended.out.contains(change) && ended.err.is_empty(), "{arguments:?}: {ended:?}");
        home.done(&[arguments, &["--dry-run", "--json"]].concat()).json();
    }
    assert_eq!(home.done(&["call", "assetsSnapshot"]).out, before);
    let steps = home.done(&["history", "--json"]).json();
    assert_eq!(steps.as_array().map(Vec::len), Some(1), "only what made the asset {id}: {steps}");
}

#[test]
fn one_failed_asset_of_several_exits_with_1_and_the_others_are_changed() {
    let home = Home::new();
    let id = home.asset("a", "1");
    let gone = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";
    let tagged = home.run(&["tag", "x", &id, gone]);
    assert_eq!(tagged.code, Some(1), "{tagged:?}");
    assert_eq!(tagged.out, format!("{id}  done       a\n{gone}  failed\n"), "{tagged:?}");
    assert!(tagged.err.contains(&format!("lunette: failed: {gone}: asset not found")), "{tagged:?}");
    let unknown = home.run(&["delete", &id, "no such name"]);
    assert_eq!((unknown.code, unknown.out.as_str(), home.count()), (Some(1), "", 1), "{unknown:?}");
}

#[test]
fn a_service_of_the_bare_interface_is_changed_by_id() {
    let data = tempfile::tempdir().expect("a folder");
    let folder = data.path().to_str().expect("UTF-8");
    let made = run_with_input(&["new", "--name", "a", "--tag", "x", "--data", folder], "text");
    let id = made.out.split(' ').next().expect("an id").to_owned();
    let service = Served::start(data.path(), &["--interface-only"]);
    let at = |arguments: &[&str]| run(&[arguments, &["--url", &service.url]].concat());
    for arguments in
        [&["untag", "x", &*id][..], &["edit", &id, "--name", "b", "--language", "rs"], &["undo"], &["undo"]]
    {
        let ended = at(arguments);
        assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
    }
    let shown = at(&["show", &id, "--json"]).json();
    assert_eq!((&shown["name"], &shown["tags"]), (&"a".into(), &serde_json::json!(["x"])), "{shown}");
    assert_eq!(at(&["show", &id, "--content"]).out, "text");
    let new_tag = at(&["tag", "y", &id]);
    assert_eq!(new_tag.code, Some(1), "the bare interface creates no tags: {new_tag:?}");
    let by_name = at(&["show", "a"]);
    assert_eq!(by_name.code, Some(1), "{by_name:?}");
    assert!(by_name.err.contains("does not list its assets; give the complete id"), "{by_name:?}");
    let trash = at(&["undelete"]);
    assert!(trash.err.contains("this service has no Trash"), "{trash:?}");
}

#[test]
fn the_content_of_an_asset_without_text_is_not_replaced() {
    let home = Home::new();
    let files = tempfile::tempdir().expect("a folder");
    let path = files.path().join("x.bin");
    std::fs::write(&path, b"\0\xff\0\xfe\x01").expect("a file");
    home.done(&["new", path.to_str().expect("UTF-8")]);
    let arguments = ["edit", "x.bin", "--content", "-", "--data", home.folder()];
    let ended = run_with_input(&arguments, "text");
    assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""), "{ended:?}");
    assert!(ended.err.contains("has no text that could be replaced"), "{ended:?}");
}
