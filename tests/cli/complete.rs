//! Completion in a real shell: assets, tags, languages and steps.

use std::process::Command;

use crate::program::run;
use crate::write::Home;

/// Returns what bash offers for the last of these words.
fn offered(words: &[&str]) -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_lunette");
    let script = r#"source <("$1" completions bash) && COMP_WORDS=("$@") && COMP_CWORD=$(($# - 1))
        _lunette "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let mut bash = Command::new("bash");
    bash.args(["-c", script, "bash", program]).args(words).env("HOME", "/nonexistent/home");
    let output = bash.output().expect("bash is installed");
    assert!(output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn bash_completes_assets_tags_languages_and_steps() {
    let home = Home::new();
    let (id, other) = (home.asset("notes of May.md", "1"), home.asset("plan.md", "2"));
    home.done(&["tag", "to do", &id]);
    home.done(&["delete", &other]);
    let data = home.data.path().to_str().expect("UTF-8");
    let at = |words: &[&str], last: &str| offered(&[&words[..1], &["--data", data], &words[1..], &[last]].concat());
    assert_eq!(at(&["show"], "no"), ["notes\\ of\\ May.md"]);
    assert_eq!(at(&["show"], &id[..8]), [&*id]);
    assert_eq!(at(&["tag"], "t"), ["to\\ do"]);
    assert_eq!(at(&["untag", "x"], ""), ["notes\\ of\\ May.md"]);
    assert_eq!(at(&["undelete"], "p"), ["plan.md"]);
    assert!(at(&["edit", "x", "--language"], "r").contains(&"rs".to_owned()));
    assert_eq!(at(&["undo"], "").len(), 4);
    // Everything else is completed as before.
    assert!(offered(&["sh"]).contains(&"show".to_owned()));
    assert!(at(&["show"], "--js").contains(&"--json".to_owned()));
}

#[test]
fn nothing_is_offered_and_nothing_created_without_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("none");
    let missing = missing.to_str().expect("UTF-8");
    for words in [&["show"][..], &["tag"], &["undo"], &["show", "x", "y"]] {
        let ended =
            run(&[&["complete-values", "--", "lunette", words[0], "--data", missing], &words[1..], &[""]].concat());
        assert_eq!(ended.out, "", "{ended:?}");
    }
    assert!(!std::path::Path::new(missing).exists());
}
