//! `lunette diff`: two assets, two files, or one with the other.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use crate::program::run;
use crate::write::Home;

/// A folder with these files; the path of each.
fn files<const N: usize>(contents: [(&str, &[u8]); N]) -> (TempDir, [String; N]) {
    let folder = tempfile::tempdir().expect("a folder");
    let paths = contents.map(|(name, content)| {
        let path = folder.path().join(name);
        fs::write(&path, content).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    });
    (folder, paths)
}

#[test]
fn two_files_are_compared_without_a_service_and_the_exit_code_tells_only_on_request() {
    let (_folder, [left, right]) = files([("a.txt", b"one\ntwo\nthree\n"), ("b.txt", b"one\n2\nthree\n")]);
    let ended = run(&["diff", &left, &right, "--data", "/nonexistent"]);
    let expected =
        format!("--- a.txt\tfile · {left}\n+++ b.txt\tfile · {right}\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n");
    assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (Some(0), expected.as_str(), ""), "{ended:?}");
    let ended = run(&["diff", &left, &right, "--exit-code"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(1), ""), "{ended:?}");
    let ended = run(&["diff", &left, &left, "--exit-code"]);
    assert_eq!((ended.code, ended.out.as_str(), ended.err.as_str()), (Some(0), "", ""), "{ended:?}");
}

#[test]
fn whitespace_is_ignored_on_request() {
    let (_folder, [left, right]) = files([("a.txt", b"a b\r\nc\n"), ("b.txt", b"a  b\nc")]);
    assert_eq!(run(&["diff", &left, &right, "--exit-code"]).code, Some(1));
    let ended = run(&["diff", &left, &right, "-w", "--exit-code"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), ""), "{ended:?}");
}

#[test]
fn bytes_are_told_as_git_tells_them_and_as_json_with_their_first_difference() {
    let (_folder, [left, right]) = files([("a.bin", b"\0ab"), ("b.bin", b"\0ac")]);
    let ended = run(&["diff", &left, &right]);
    assert_eq!(ended.out, "Binary files a.bin and b.bin differ\n", "{ended:?}");
    let told = run(&["diff", &left, &right, "--json"]).json();
    assert_eq!((&told["equal"], &told["content"]["kind"]), (&json!(false), &json!("binary")), "{told}");
    assert_eq!((&told["content"]["first_difference"], &told["content"]["sizes"]), (&json!(2), &json!([3, 3])));
}

#[test]
fn two_assets_differ_in_fields_links_and_lines() {
    let home = Home::new();
    let left = home.asset("a.txt", "one\ntwo\n");
    let right = home.asset("b.txt", "one\n2\n");
    home.done(&["tag", "new", "b.txt"]);
    let ended = home.done(&["diff", "a.txt", &right]);
    assert!(ended.out.contains("field name: \"a.txt\" becomes \"b.txt\"\n"), "{ended:?}");
    assert!(ended.out.contains("tag \"new\" only on the right\n"), "{ended:?}");
    assert!(ended.out.ends_with("@@ -1,2 +1,2 @@\n one\n-two\n+2\n"), "{ended:?}");
    let told = home.done(&["diff", &left, &right, "--json"]).json();
    let hunk = json!({ "left": { "line": 2, "lines": ["two\n"] }, "right": { "line": 2, "lines": ["2\n"] } });
    assert_eq!(told["content"]["hunks"], json!([hunk]), "{told}");
    assert_eq!((&told["left_out"], &told["links"][0]["on"]), (&json!([]), &json!("right")), "{told}");
}

#[test]
fn an_asset_is_compared_with_a_file_and_a_name_that_is_both_is_neither() {
    let home = Home::new();
    home.asset("notes.md", "one\n");
    let (folder, [path]) = files([("notes.md", b"one\ntwo\n")]);
    let ended = home.run(&["diff", "notes.md", &path, "--exit-code"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.out.ends_with("+two\n") && ended.err.contains("has no fields to compare"), "{ended:?}");
    let data = home.data.path().to_str().expect("UTF-8");
    let mut both = crate::program::command(&["diff", "notes.md", &path, "--data", data]);
    let ended = both.current_dir(folder.path()).output().expect("the program runs");
    assert_eq!(ended.status.code(), Some(2));
    let message = String::from_utf8(ended.stderr).expect("UTF-8");
    assert!(message.contains("is an asset and a file; write ./notes.md"), "{message}");
}

#[test]
fn every_failure_has_the_exit_code_2() {
    let home = Home::new();
    home.asset("a", "1");
    for arguments in
        [&["diff", "a", "none"][..], &["diff", "a", "/nonexistent/file"], &["diff", "a", "/tmp/"], &["diff", "a"]]
    {
        let ended = home.run(arguments);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{arguments:?}: {ended:?}");
    }
}
