//! Snippets of editors: VS Code and the IDEs of JetBrains.

use lunette_sources::{Files, Limits, Source, read};

use crate::{codes, languages, library, names, texts};

#[test]
fn snippets_of_vs_code_keep_prefixes_scopes_and_groups() {
    let library = library("vscode");
    assert_eq!(names(&library), ["Test", "Log", "Hook"]);
    let [test, log, hook] = library.candidates.as_slice() else { panic!("three snippets") };
    assert_eq!((texts(test), languages(test)), (vec!["#[test]\nfn ${1:name}() {}"], vec![Some("rust")]));
    assert_eq!(test.description.as_deref(), Some("A\ntest"));
    assert_eq!((log.triggers.join(" "), languages(log)), ("log cl".to_owned(), vec![Some("javascript")]));
    assert_eq!(log.description.as_deref(), Some("Logs, // no comment"));
    assert_eq!(log.warnings[0].code, "vscode.scope");
    assert_eq!(
        (hook.folder.as_slice(), hook.source_id.as_str()),
        (&["React".to_owned()][..], "team.code-snippets#React/Hook")
    );
}

#[test]
fn line_breaks_of_live_templates_survive() {
    let library = library("jetbrains");
    let [fori, x] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((texts(fori), languages(fori)), (vec!["for (int $I$ = 0;) {\n  $END$\n}"], vec![Some("java")]));
    assert_eq!((fori.description.as_deref(), fori.folder.join("/")), (Some("Loop & more"), "Mine".to_owned()));
    assert_eq!((texts(x), x.source_id.as_str()), (vec!["<a>"], "Mine/x"));
}

#[test]
fn a_snippet_of_vs_code_whose_name_is_there_again_is_named() {
    let text =
        r#"{"a": {"prefix": "a", "body": "1"}, "b": {"prefix": "b", "body": "2"}, "a": {"prefix": "c", "body": "3"},}"#;
    let files = Files::of_memory("s", [("a.code-snippets", text.as_bytes().to_vec())], Limits::default());
    let library = read(&files, Source::VS_CODE);
    assert_eq!((names(&library), codes(&library)), (vec!["a", "b"], vec!["json.twice"]));
    assert_eq!(library.warnings[0].location, "s/a.code-snippets:a");
}
