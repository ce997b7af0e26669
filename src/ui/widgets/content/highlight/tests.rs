//! What is highlighted, what stays plain, and that highlighting ends.

use super::*;
use lunette_client::model::language::{LANGUAGES, Language};
use lunette_syntax::CancelToken;

#[test]
fn words_of_rust_are_distinguished() {
    let code = highlight("// why\nfn main() { let x = \"é\"; }\r\n", "rs", &mut Budget::default());
    let classes: Vec<_> = (0..code.line_count()).flat_map(|line| code.runs(line).collect::<Vec<_>>()).collect();
    assert_eq!(classes[0], ("// why", TokenClass::Comment));
    assert!(classes.contains(&("fn", TokenClass::Keyword)), "{classes:?}");
    assert!(classes.contains(&("main", TokenClass::Function)), "{classes:?}");
    assert!(classes.contains(&("\"é\"", TokenClass::Literal)), "{classes:?}");
    assert_eq!(code.line_count(), 2);
    assert_eq!(code.line(1), "fn main() { let x = \"é\"; }");
}

#[test]
fn runs_cover_every_line_exactly() {
    for (text, language) in
        [("a = 'x'\n\n# é\r\nb", "py"), ("{\"a\": [1, null]}", "json"), ("<a b='c'>", "html"), ("", "rs")]
    {
        let code = highlight(text, language, &mut Budget::default());
        for line in 0..code.line_count() {
            let joined: String = code.runs(line).map(|(text, _)| text).collect();
            assert_eq!(joined, code.line(line), "{language}");
        }
    }
}

#[test]
fn wrapped_json_is_copied_as_one_line() {
    let text = "{\"name\":\"ü and more\"}\n\n[1]";
    let code = Highlighted::json(text, 7);
    let drawn: Vec<_> = (0..code.line_count()).map(|line| code.line(line)).collect();
    assert_eq!(drawn, ["{\"name\"", ":\"ü and", " more\"}", "", "[1]"]);
    let joined = |line| code.runs(line).map(|(text, _)| text).collect::<String>();
    assert!((0..code.line_count()).all(|line| joined(line) == code.line(line)));
    assert_eq!((code.slice(0..3), code.text()), ("{\"name\":\"ü and more\"}", text));
}

#[test]
fn a_language_not_known_is_plain() {
    let code = highlight("fn main() {}", "hljs-nosuchthing", &mut Budget::default());
    assert_eq!(code.runs(0).collect::<Vec<_>>(), [("fn main() {}", TokenClass::Plain)]);
}

#[test]
fn beyond_the_limits_text_is_whole_and_plain() {
    let text = "let x = 1;\n".repeat(MAX_LINES + 10);
    let code = highlight(text.clone(), "rs", &mut Budget::default());
    assert_eq!(code.line_count(), MAX_LINES + 10);
    assert_eq!(code.runs(MAX_LINES + 5).collect::<Vec<_>>(), [("let x = 1;", TokenClass::Plain)]);
    assert_eq!(code.text(), text);
}

#[test]
fn lines_are_sliced_with_the_breaks_between_them() {
    let code = Highlighted::plain("a\nb\r\nc");
    assert_eq!(code.slice(0..2), "a\nb");
    assert_eq!(code.slice(1..3), "b\r\nc");
    assert_eq!(code.slice(2..9), "");
}

#[test]
fn at_least_364_of_445_text_languages_have_a_grammar() {
    let texts: Vec<_> = LANGUAGES.iter().filter(|language| language.text).collect();
    let plain: Vec<&str> =
        texts.iter().filter(|language| syntax(language.specific).is_none()).map(|language| language.specific).collect();
    // Prose and addresses are plain on purpose.
    let none = |language: &&&Language| matches!(language.syntax, None | Some("txt"));
    let message: Vec<&str> = texts.iter().filter(none).map(|language| language.specific).collect();
    assert_eq!(plain, message, "the list of languages says which fall back to plain text");
    assert_eq!((texts.len(), texts.len() - plain.len()), (445, 364));
    for known in
        ["rs", "py", "js", "ts", "tsx", "go", "java", "c", "cpp", "cs", "rb", "php", "swift", "kt", "sql", "html"]
    {
        assert!(!plain.contains(&known), "{known} is plain");
    }
}

#[test]
fn text_that_is_not_highlighted_is_reported() {
    let note = |text: &str, work| highlight(text, "rs", &mut Budget::of_work(work)).note();
    let code = "let x = 1;\n";
    assert_eq!(note(&code.repeat(100), u64::MAX), None);
    let long = note(&code.repeat(MAX_LINES + 10), u64::MAX);
    assert_eq!(long.as_deref(), Some("Not highlighted from line 20,001 on: the text is too long."));
    let line = format!("{code}{}", "x".repeat(MAX_LINE + 1));
    assert_eq!(note(&line, u64::MAX).as_deref(), Some("Lines of more than 4,000 bytes are not highlighted."));
    assert_eq!(note(code, 0).as_deref(), Some("Not highlighted from line 1 on: it would take too long."));
    let unknown = highlight(code, "hljs-nosuchthing", &mut Budget::of_work(0));
    assert_eq!(unknown.note(), None, "there is nothing to highlight with");
}

#[test]
fn a_text_that_takes_too_much_work_is_highlighted_at_its_beginning_and_whole() {
    let text = "let a = [(1), \"b\"];\n".repeat(1_000);
    let mut budget = Budget::of_work(2_000_000);
    let code = highlight(text.clone(), "rs", &mut budget);
    let classes = |line| code.runs(line).map(|(_, class)| class).collect::<Vec<_>>();
    assert!(classes(0).contains(&TokenClass::Literal));
    assert_eq!(classes(999), [TokenClass::Plain]);
    assert_eq!((code.text(), code.line_count()), (text.as_str(), 1_000));
    let joined = |line| code.runs(line).map(|(text, _)| text).collect::<String>();
    assert!((0..1_000).all(|line| joined(line) == code.line(line)));
    assert!(code.note().is_some_and(|note| note.ends_with("it would take too long.")), "{:?}", code.note());
}

#[test]
fn one_line_of_5_mb_is_searched_by_no_grammar() {
    let text = "function(){[".repeat(5_000_000 / 12);
    let mut budget = Budget::of_work(1_000);
    let code = highlight(text.clone(), "js", &mut budget);
    assert_eq!((budget.work_left(), code.text().len()), (1_000, text.len()));
    assert_eq!(code.runs(0).count(), 1);
}

#[test]
fn abandoned_highlighting_is_cancelled() {
    let cancel = CancelToken::default();
    let mut budget = Budget::new(cancel.clone());
    let left = budget.work_left();
    cancel.cancel();
    let code = highlight("let x = 1;\n".repeat(1_000), "rs", &mut budget);
    assert_eq!((budget.work_left(), code.line_count()), (left, 1_000));
}

#[test]
fn any_number_of_lines_takes_little_memory() {
    let text = "\n".repeat(3_000_000);
    for code in [highlight(text.clone(), "rs", &mut Budget::default()), Highlighted::plain(text.clone())] {
        let Spans { starts, runs, run_ends, .. } = &*code.0;
        let bytes = 4 * (starts.capacity() + run_ends.capacity()) + size_of::<Run>() * runs.capacity();
        assert!(bytes < 8 * text.len(), "{bytes}");
        assert_eq!((code.line_count(), code.line(2_999_999), code.runs(2_999_999).count()), (3_000_000, "", 1));
        assert_eq!(code.runs(3_000_000).count(), 0);
    }
}
