//! Errors: a failure is a type that can be matched, whose sentence is written once, and never a bare text.

use crate::source::{Source, below};

/// The arguments of each `Result` in this code.
fn results(code: &str) -> Vec<&str> {
    code.match_indices("Result<").map(|(at, start)| arguments(&code[at + start.len()..])).collect()
}

/// What stands before the bracket that closes a list of arguments.
fn arguments(rest: &str) -> &str {
    let mut level = 0;
    let mut before = ' ';
    for (at, letter) in rest.char_indices() {
        match letter {
            '<' | '(' | '[' => level += 1,
            '>' if before == '-' => {}
            '>' if level == 0 => return &rest[..at],
            '>' | ')' | ']' => level -= 1,
            _ => {}
        }
        before = letter;
    }
    rest
}

/// The bare texts that this code has as errors.
fn texts(code: &str) -> usize {
    let is_text = |arguments: &str| {
        let error = arguments.trim_end().trim_end_matches(',').rsplit_once(',');
        error.is_some_and(|(_, error)| error.trim() == "String")
    };
    results(code).into_iter().filter(|arguments| is_text(arguments)).count() + code.matches("type Err = String").count()
}

#[test]
fn no_error_is_a_bare_text() {
    let of_tests = |source: &Source| source.path.contains("/tests/") || source.path.ends_with("tests.rs");
    let sources = below("src").into_iter().chain(below("crates")).filter(|source| !of_tests(source));
    let found: Vec<_> = sources.filter(|source| texts(&source.code) > 0).map(|source| source.path).collect();
    assert_eq!(found, [""; 0], "an error is an enum or a struct with its sentence");
}

#[test]
fn bare_texts_are_found_in_any_type() {
    assert_eq!(texts("fn a() -> Result<Vec<u8>, String> {}"), 1);
    assert_eq!(texts("fn a(b: impl Fn(u8) -> Result<u8, String>) -> Result<(), B>"), 1);
    assert_eq!(texts("Result<Result<u8, String>, String>"), 2);
    assert_eq!(texts("io::Result<String>; Result<(u8, String), B>; Result<String, String,\n>; type Err = String;"), 2);
    assert_eq!(texts("Result<Option<(A, String)>, B>; Result<BTreeMap<u8, String>, B>; Remote<A, String>"), 0);
}
