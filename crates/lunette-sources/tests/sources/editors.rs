//! Snippets of editors: VS Code and the IDEs of JetBrains.

use crate::{languages, library, names, texts};

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
