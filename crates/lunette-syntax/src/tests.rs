//! What the grammars find, and that no text keeps them busy.

use std::ops::Range;

use proptest::prelude::*;

use super::grammar::Action;
use super::*;

/// The tokens of a text, line by line, with a class for each of a few kinds of scope.
fn tokens(text: &str, token: &str) -> Vec<(String, &'static str)> {
    let classes = Classes::new(&[
        ("comment", "comment"),
        ("string", "string"),
        ("constant", "constant"),
        ("keyword", "keyword"),
        ("storage", "keyword"),
        ("entity.name.tag", "tag"),
        ("entity.name.function", "function"),
        ("support.type.property-name", "property"),
        ("markup.heading", "heading"),
        ("markup.bold", "bold"),
    ]);
    let syntax = Syntax::find(token).unwrap_or_else(|| panic!("{token} has a grammar"));
    let mut highlighter = Highlighter::new(syntax);
    let mut budget = Budget::of_work(u64::MAX);
    let mut found = Vec::new();
    for line in text.lines() {
        let tokens = highlighter.line(line, &classes, &mut budget).expect("there is work left");
        assert_covers(line, &tokens);
        found.extend(tokens.into_iter().map(|(range, class)| (line[range].trim().to_owned(), class)));
    }
    found
}

fn assert_covers<C>(line: &str, tokens: &[(Range<usize>, C)]) {
    let mut end = 0;
    for (range, _) in tokens {
        assert!(range.start == end && range.end > end && line.is_char_boundary(range.end), "{range:?} of {line:?}");
        end = range.end;
    }
    assert_eq!(end, line.len(), "{line:?}");
}

#[track_caller]
fn assert_found(text: &str, token: &str, expected: &[(&str, &str)]) {
    let found = tokens(text, token);
    for (word, class) in expected {
        assert!(found.iter().any(|(text, of)| text == word && of == class), "{word} as {class}: {found:?}");
    }
}

#[test]
fn every_grammar_loads_and_all_its_context_references_resolve() {
    let ids = LIBRARY.ids();
    assert!(ids.len() > 10_000, "{}", ids.len());
    for number in 0.. {
        let Some((name, start)) = LIBRARY.entry(number) else { break };
        assert!(LIBRARY.context(start).is_some(), "{name} starts");
    }
    for context in ids.iter().filter_map(|id| LIBRARY.context(*id)) {
        assert!(context.prototype.is_none_or(|id| LIBRARY.context(id).is_some()));
        for rule in context.rules() {
            let pushed = match &rule.action {
                Action::Push(ids) | Action::Set(ids) => ids.as_slice(),
                Action::None | Action::Pop => &[],
            };
            assert!(pushed.iter().chain(&rule.with).all(|id| LIBRARY.context(*id).is_some()), "{rule:?}");
        }
    }
}

#[test]
fn a_grammar_is_found_by_extension_or_name_in_any_case() {
    assert_eq!(Syntax::find("rs").map(Syntax::name), Some("Rust"));
    assert_eq!(Syntax::find("PY").map(Syntax::name), Some("Python"));
    assert_eq!(Syntax::find("typescript").map(Syntax::name), Some("TypeScript"));
    assert_eq!(Syntax::find("Dockerfile").map(Syntax::name), Some("Dockerfile"));
    assert_eq!((Syntax::find("txt"), Syntax::find("nosuchlanguage"), Syntax::find("")), (None, None, None));
}

#[test]
fn comments_strings_and_keywords_are_distinguished() {
    let rust = "/* a\n b */ fn main() { let x = \"é\\n\"; } // end";
    assert_found(rust, "rs", &[("/* a", "comment"), ("b */", "comment"), ("fn", "keyword"), ("main", "function")]);
    assert_found(rust, "rs", &[("// end", "comment"), ("\"é", "string"), ("\\n", "constant")]);
    assert_found("x = 'a' # c", "py", &[("'a'", "string"), ("# c", "comment")]);
    assert_found("key: \"v\" # c", "yaml", &[("\"v\"", "string"), ("# c", "comment")]);
    assert_found("# Title\n\n**bold** text", "md", &[("# Title", "heading"), ("**bold**", "bold")]);
}

#[test]
fn embedded_languages_use_their_own_grammar_and_end() {
    let html = "<script>let a = 'b'; // c\n</script><style>p { color: red }</style><p>d</p>";
    assert_found(html, "html", &[("script", "tag"), ("'b'", "string"), ("// c", "comment"), ("color", "property")]);
    assert_found(html, "html", &[("p", "tag"), ("let", "keyword")]);
    let markdown = "```rust\nfn f() {}\n```\n# Title";
    assert_found(markdown, "md", &[("fn", "keyword"), ("f", "function"), ("# Title", "heading")]);
    assert_found("<p><?php echo 'a'; ?></p>", "php", &[("'a'", "string"), ("p", "tag")]);
}

#[test]
fn a_here_document_ends_at_its_delimiter() {
    let shell = "cat <<ONE\nin $x\nTWO\nONE\necho 'after'";
    assert_found(shell, "sh", &[("TWO", "string"), ("'after'", "string")]);
    let found = tokens(shell, "sh");
    assert!(!found.contains(&("echo 'after'".to_owned(), "string")), "{found:?}");
    assert_found("a = <<~X\n Y\nX\nb = 'c'", "rb", &[("Y", "string"), ("'c'", "string")]);
    assert_found("local a = [==[ ]] \n ]=] ]==] -- c", "lua", &[("-- c", "comment")]);
}

#[test]
fn cyclic_grammar_contexts_terminate() {
    let text = "import QtQuick 2.0\nPage {\n    // properties\n    property bool a: true\n    id: page\n}\n";
    assert_found(text, "qml", &[("// properties", "comment"), ("true", "constant")]);
}

#[test]
fn work_ends_with_its_budget() {
    let classes = Classes::new(&[("string", 1)]);
    let line = "let a = [b, (c), { d: 'e' }];".repeat(100);
    let highlight = |work: u64| {
        let mut highlighter = Highlighter::new(Syntax::find("js").expect("a grammar"));
        let mut budget = Budget::of_work(work);
        let mut lines = (0..100).take_while(|_| highlighter.line(&line, &classes, &mut budget).is_ok());
        let lines = lines.by_ref().count();
        (lines, work - budget.work_left())
    };
    let (lines, work) = highlight(20_000_000);
    assert!(lines < 100 && work <= 20_000_000, "{lines} lines, {work}");
    assert_eq!(highlight(20_000_000), (lines, work), "the same text takes the same work");
    assert_eq!(highlight(0), (0, 0));
}

#[test]
fn cancelled_work_ends_at_once() {
    let classes = Classes::new(&[("string", 1)]);
    let cancel = CancelToken::default();
    let mut budget = Budget::new(cancel.clone());
    let mut highlighter = Highlighter::new(Syntax::find("js").expect("a grammar"));
    assert!(highlighter.line("let a = 'b';", &classes, &mut budget).is_ok());
    let left = budget.work_left();
    cancel.cancel();
    assert_eq!(highlighter.line("let a = 'b';", &classes, &mut budget), Err(Stopped::Cancelled));
    assert_eq!(budget.work_left(), left, "nothing was searched any more");
}

/// Texts that keep a highlighter busy: deep nesting, what never ends, what an expression can take in many ways.
fn hostile() -> Vec<(&'static str, String)> {
    vec![
        ("json", "[".repeat(4_000)),
        ("js", "({[".repeat(1_300)),
        ("js", "`${".repeat(1_300)),
        ("md", "*a _b ".repeat(600)),
        ("md", "[![".repeat(1_300)),
        ("md", "> - ".repeat(1_000)),
        ("md", format!("|{}", "-|".repeat(1_900))),
        ("tex", "\\begin{a}{$".repeat(360)),
        ("tex", format!("\\section[{}", "{[".repeat(1_900))),
        ("html", "<a b='".repeat(600)),
        ("cpp", format!("template<{}", "a<b::".repeat(700))),
        ("rb", "%q(#{".repeat(700)),
        ("yaml", "- ? : &a !b ".repeat(300)),
        ("rs", "r#\"'a \\u{".repeat(400)),
        ("sh", "$(\"${a:-".repeat(400)),
        ("hs", "a".repeat(4_000)),
        ("pl", "s/(/{[".repeat(600)),
    ]
}

#[test]
fn hostile_lines_take_bounded_work() {
    let classes = Classes::new(&[("string", 1)]);
    for (token, line) in hostile() {
        let mut highlighter = Highlighter::new(Syntax::find(token).expect("a grammar"));
        let work = 60_000_000;
        let mut budget = Budget::of_work(work);
        for _ in 0..3 {
            match highlighter.line(&line, &classes, &mut budget) {
                Ok(tokens) => assert_covers(&line, &tokens),
                Err(stopped) => assert_eq!(stopped, Stopped::Budget),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_is_covered_by_its_tokens(
        lines in proptest::collection::vec("([ -~é]|[<>{}()\\[\\]'\"#$%`/\\\\*_]|\u{1F600}|\t){0,30}", 1..4),
        token in proptest::sample::select(vec!["rs", "js", "md", "html", "php", "sh", "py", "tex", "yaml", "rb", "c", "xml"]),
    ) {
        tokens(&lines.join("\n"), token);
    }
}
