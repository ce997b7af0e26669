//! What people who use git, gh, fd and jq expect: short ids, aliases, ids from standard input, an editor.

use std::fs;

use crate::program::{run, run_with_input};
use crate::write::Home;

/// Runs a command on the folder with this text as its standard input.
fn piped(home: &Home, arguments: &[&str], input: &str) -> crate::program::Ended {
    let data = home.data.path().to_str().expect("UTF-8");
    run_with_input(&[arguments, &["--data", data]].concat(), input)
}

/// Returns what a command prints on a terminal of this width.
#[cfg(target_os = "linux")]
fn on_a_terminal(home: &Home, width: usize, editor: &str, arguments: &[&str]) -> String {
    let data = home.data.path().to_str().expect("UTF-8");
    let words = [arguments, &["--data", data]].concat();
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &format!("'{}' {}", env!("CARGO_BIN_EXE_lunette"), quoted.join(" ")), "/dev/null"]);
    script.env("SHELL", "/bin/sh").env("COLUMNS", width.to_string()).env_remove("VISUAL").env("EDITOR", editor);
    let output = script.env("HOME", home.data.path()).output().expect("`script` is installed (Debian: bsdutils)");
    String::from_utf8(output.stdout).expect("UTF-8").replace('\r', "")
}

#[test]
fn assets_of_one_moment_are_named_by_the_short_ids_of_the_list() {
    let home = Home::new();
    let ids: Vec<String> = (0..4).map(|number| home.asset("same", &number.to_string())).collect();
    for id in &ids {
        assert_eq!(home.shown(&id[id.len() - 6..])["id"], id.as_str());
        assert_eq!(home.shown(&id.to_uppercase())["id"], id.as_str());
    }
    // They begin alike, so the candidates are listed.
    let ambiguous = home.run(&["show", &ids[0][..8]]);
    assert_eq!(ambiguous.code, Some(2), "{ambiguous:?}");
    assert!(ids.iter().all(|id| ambiguous.err.contains(id)), "{ambiguous:?}");
    let piped = home.done(&["list", "assets"]).out;
    assert!(ids.iter().all(|id| piped.contains(id)), "other programs get whole ids: {piped}");
    home.done(&["tag", "x", &ids[0]]);
    let tag = home.done(&["links", "tags", "list", "--json"]).json()[0]["id"].as_str().expect("an id").to_owned();
    home.done(&["links", "tags", "rename", &tag[tag.len() - 6..], "y"]);
    assert_eq!(home.shown(&ids[0])["tags"][0], "y");
    let step = home.done(&["history", "--json"]).json()[0]["id"].as_str().expect("an id").to_owned();
    home.done(&["undo", &step[step.len() - 6..]]);
    assert_eq!(home.shown(&ids[0])["tags"][0], "x");
}

#[cfg(target_os = "linux")]
#[test]
fn a_list_fits_a_terminal_of_any_width_and_prints_ids_that_can_be_used() {
    let home = Home::new();
    for number in 0..3 {
        home.asset(&format!("a name that is quite long, number {number}"), "text");
    }
    for width in [40, 60, 80, 120] {
        for list in [&["list", "assets"][..], &["list", "applications"], &["list", "external"], &["history"], &["ls"]] {
            let printed = on_a_terminal(&home, width, "vi", list);
            let wide = printed.lines().find(|line| line.chars().count() > width);
            assert_eq!(wide, None, "{list:?} at {width}:\n{printed}");
        }
    }
    let printed = on_a_terminal(&home, 80, "vi", &["list", "assets"]);
    let short = printed.lines().nth(1).and_then(|line| line.split_whitespace().last()).expect("an id").to_owned();
    assert_eq!(short.len(), 6, "{printed}");
    home.done(&["show", &short]);
}

#[cfg(target_os = "linux")]
#[test]
fn edit_opens_the_editor_on_a_terminal_and_saves_what_it_leaves() {
    let home = Home::new();
    let id = home.asset("notes.md", "before\n");
    let printed = on_a_terminal(&home, 100, "sed -i s/before/after/", &["edit", "notes.md"]);
    assert!(printed.contains("  done       notes.md"), "{printed}");
    assert_eq!(home.shown(&id)["content"], "after\n");
    let printed = on_a_terminal(&home, 100, "true", &["edit", "notes.md"]);
    assert!(printed.contains("the text was not changed"), "{printed}");
    let printed = on_a_terminal(&home, 100, "false", &["edit", "notes.md"]);
    assert!(printed.contains("ended with an error; nothing was changed"), "{printed}");
    home.done(&["undo"]);
    assert_eq!(home.shown(&id)["content"], "before\n");
}

#[test]
fn ids_are_read_from_standard_input_and_chosen_by_a_filter() {
    let home = Home::new();
    let ids: Vec<String> = ["a.rs", "b.rs", "c.md"].iter().map(|name| home.asset(name, "x")).collect();
    let tagged = piped(&home, &["tag", "x", "-"], &format!("{}\n\n{}\n", ids[0], "c.md"));
    assert_eq!((tagged.code, tagged.out.lines().count()), (Some(0), 2), "{tagged:?}");
    let untagged = home.done(&["untag", "x", "--filter", "tag:x"]);
    assert_eq!(untagged.out.matches("  done  ").count(), 2, "{untagged:?}");
    let edited = home.done(&["edit", "--filter", "name:rs", "--description", "both"]);
    assert_eq!(edited.out.matches("  done  ").count(), 2, "{edited:?}");
    let renamed = piped(&home, &["edit", "-", "--favourite", "yes"], &format!("{}\n", ids[2]));
    assert_eq!(renamed.out.matches("  done  ").count(), 1, "{renamed:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let to = folder.path().to_str().expect("UTF-8");
    let exported = piped(&home, &["export", "-", "-o", to], &ids.join("\n"));
    assert_eq!((exported.code, fs::read_dir(to).expect("listed").count()), (Some(0), 3), "{exported:?}");
    let none = home.done(&["delete", "--filter", "name:nothing"]);
    assert_eq!((none.out.as_str(), none.err.contains("there are no such assets")), ("", true), "{none:?}");
    let all = home.run(&["delete", "--filter", ""]);
    assert_eq!((all.code, home.count()), (Some(2), 3), "{all:?}");
    home.done(&["rm", "--filter", "name:rs"]);
    assert_eq!(home.count(), 1);
    let back = piped(&home, &["undelete", "-"], &format!("{}\n{}\n", ids[0], ids[1]));
    assert_eq!((back.code, home.count()), (Some(0), 3), "{back:?}");
    let plan = serde_json::json!({ "version": 1, "each": { "favourite": true }, "assets": [ids[0]] }).to_string();
    let bulk = piped(&home, &["bulk", "-"], &plan);
    assert_eq!((bulk.code, bulk.out.matches("  done  ").count()), (Some(0), 1), "{bulk:?}");
}

#[test]
fn aliases_and_short_options_do_what_they_do_elsewhere() {
    let home = Home::new();
    home.asset("a.txt", "the text\n");
    home.asset("b.txt", "other\n");
    assert_eq!(home.done(&["cat", "a.txt"]).out, "the text\n");
    assert_eq!(home.done(&["ls"]).out, home.done(&["list", "assets"]).out);
    assert_eq!(home.done(&["ls", "-n", "1"]).out.lines().count(), 1);
    assert_eq!(home.done(&["log", "-n", "1"]).out, home.done(&["history", "--limit", "1"]).out);
    assert_eq!(home.done(&["search", "text", "-n", "1"]).out.lines().count(), 1);
    let quiet = home.done(&["tag", "x", "a.txt", "-q"]);
    assert_eq!((quiet.err.as_str(), quiet.out.contains("  done  ")), ("", true), "{quiet:?}");
    let failed = home.run(&["tag", "x", "none", "-q"]);
    assert!(failed.err.contains("no asset has the id or the name"), "{failed:?}");
    home.done(&["rm", "b.txt"]);
    assert_eq!(home.count(), 1);
}

#[test]
fn words_of_other_programs_lead_to_the_right_command() {
    for (word, meant) in
        [("create", "`lunette new`"), ("version", "`lunette --version`"), ("remove", "`lunette delete`")]
    {
        let ended = run(&[word]);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains(meant) && !ended.err.contains("restore"), "{ended:?}");
    }
}

#[test]
fn one_command_is_one_step_of_the_history() {
    let home = Home::new();
    let id = home.asset("a", "1");
    for tag in ["x", "y", "z"] {
        home.done(&["tag", tag, &id]);
        home.done(&["untag", tag, &id]);
    }
    let before = home.done(&["history"]).out.lines().count();
    home.done(&["links", "tags", "delete", "x", "y", "z"]);
    let steps = home.done(&["history", "--json"]).json();
    assert_eq!(steps.as_array().map(Vec::len), Some(before + 1), "{steps}");
    assert_eq!(steps[0]["title"], "Deleted tag “z” and 2 more");
    assert_eq!(home.done(&["history", "-n", "2"]).out.lines().count(), 2);
    home.done(&["undo"]);
    let names = home.done(&["links", "tags", "list", "--json"]).json();
    assert_eq!(names.as_array().map(Vec::len), Some(3), "{names}");
}

#[test]
fn an_export_replaces_a_file_only_by_force() {
    let home = Home::new();
    home.asset("a.txt", "1");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("all.zip");
    fs::write(&file, "old").expect("a file");
    let to = file.to_str().expect("UTF-8");
    let refused = home.run(&["export", "--to", to]);
    assert_eq!((refused.code, fs::read(&file).expect("read")), (Some(2), b"old".to_vec()), "{refused:?}");
    let replaced = home.done(&["export", "--to", to, "--force"]);
    assert_eq!(replaced.out, format!("{to}\n"));
    assert!(fs::read(&file).expect("read").starts_with(b"PK"));
    assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 1, "nothing is left beside it");
    let other = home.run(&["export", "--to", folder.path().to_str().expect("UTF-8"), "--force"]);
    assert_eq!(other.code, Some(2), "{other:?}");
}

#[test]
fn imports_name_what_they_import_and_files_of_secrets() {
    let home = Home::new();
    let folder = tempfile::tempdir().expect("a folder");
    let env = folder.path().join(".env");
    fs::write(&env, "PASSWORD=abc\n").expect("a file");
    for more in [&["--dry-run"][..], &[]] {
        let imported = home.done(&[&["import", env.to_str().expect("UTF-8")], more].concat());
        assert!(imported.err.contains("looks like a secret: ") && imported.err.contains(".env"), "{imported:?}");
    }
    home.asset("a name", "1");
    let archive = folder.path().join("all.zip");
    let archive = archive.to_str().expect("UTF-8");
    home.done(&["export", "--to", archive]);
    let other = Home::new();
    let imported = other.done(&["import", archive]);
    assert!(imported.out.lines().any(|line| line.ends_with("  a name")), "{imported:?}");
    assert!(!imported.out.contains('#'), "{imported:?}");
}

#[test]
fn a_name_of_any_length_is_cut_in_every_row() {
    let home = Home::new();
    let name = "n".repeat(100_000);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("library.json");
    let library = serde_json::json!([{ "name": "x".repeat(5_000_000), "text": "text", "keyword": "k" }]);
    fs::write(&file, library.to_string()).expect("a file");
    let id = home.asset(&name[..500], "text");
    for arguments in [
        &["import", file.to_str().expect("UTF-8"), "--dry-run"][..],
        &["import", file.to_str().expect("UTF-8")],
        &["edit", &id, "--name", &name[..900], "--dry-run"],
        &["edit", &id, "--name", &name[..900]],
        &["tag", "x", &id],
        &["undo", "--dry-run"],
        &["undo"],
        &["delete", &id],
        &["undelete", &id],
    ] {
        let ended = home.run(arguments);
        let long = ended.out.lines().chain(ended.err.lines()).find(|line| line.chars().count() > 1_100);
        assert_eq!(long.map(str::len), None, "{:?}", &arguments[..1]);
    }
}
