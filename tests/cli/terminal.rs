//! Output on a terminal: no text from a service and no file name controls it.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::program::Served;

/// Clears the screen, colours what follows, and reverses text.
const HOSTILE: &str = "a\u{1b}[2J\u{9b}31m\u{202e}.txt";

/// Returns what these arguments print on a terminal, without stderr.
fn printed(home: &Path, arguments: &[&str]) -> String {
    let quoted = arguments.iter().map(|argument| format!("'{argument}'"));
    let program = format!("'{}' {} 2>/dev/null", env!("CARGO_BIN_EXE_lunette"), quoted.collect::<Vec<_>>().join(" "));
    let mut script = Command::new("script");
    script.args(["-qec", &program, "/dev/null"]).env("SHELL", "/bin/sh").env("COLUMNS", "200");
    script.env("HOME", home).env("XDG_DATA_HOME", home).env("XDG_CONFIG_HOME", home).stdin(Stdio::null());
    let output = script.output().expect("`script` is installed (Debian: bsdutils)");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn hostile_names_are_escaped_on_a_terminal_by_every_verb() {
    let (home, data) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let service = Served::start(data.path(), &[]);
    let file = home.path().join(HOSTILE);
    std::fs::write(&file, "text").expect("a file");
    let plan = home.path().join("plan.json");
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let (file, plan_path) = (text(&file), text(&plan));
    let url = service.url.as_str();
    let shown = printed(home.path(), &["import", "--url", url, "--json", &file]);
    harmless(&shown);
    let id = service.call(&["assetsSnapshot"]).json()["iterable"][0]["id"].clone();
    let id = id.as_str().expect("an id");
    let plan_of = json!({ "version": 1, "each": { "favourite": true }, "assets": [{ "id": id, "name": HOSTILE }] });
    std::fs::write(&plan, plan_of.to_string()).expect("a plan");
    for arguments in [
        &["import", "--url", url, &file][..],
        &["list", "assets", "--url", url],
        &["list", "assets", "--url", url, "--json"],
        &["show", id, "--url", url],
        &["show", id, "--url", url, "--json"],
        &["search", "31m", "--url", url],
        &["edit", id, "--description", HOSTILE, "--url", url, "--dry-run"],
        &["edit", id, "--description", HOSTILE, "--url", url],
        &["tag", HOSTILE, id, "--url", url],
        &["untag", HOSTILE, id, "--url", url, "--json"],
        &["delete", id, "--url", url],
        &["undelete", "--url", url],
        &["history", "--url", url],
        &["history", "--url", url, "--json"],
        &["undo", "--url", url, "--dry-run"],
        &["undo", "--url", url],
        &["bulk", &plan_path, "--url", url, "--dry-run", "--json"],
        &["bulk", &plan_path, "--url", url, "--csv"],
        &["bulk", &plan_path, "--url", url, "--anew", "--json"],
        &["bulk", &plan_path, "--url", url, "--anew", "--markdown"],
        &["call", "assetsSnapshot", "--url", url],
    ] {
        let shown = printed(home.path(), arguments);
        assert!(shown.contains("31m") && shown.contains(".txt"), "{arguments:?}: {shown:?}");
        harmless(&shown);
    }
}

fn harmless(shown: &str) {
    let raw = shown.chars().find(|letter| (letter.is_control() && !"\r\n".contains(*letter)) || *letter == '\u{202e}');
    assert_eq!(raw, None, "{shown:?}");
}
