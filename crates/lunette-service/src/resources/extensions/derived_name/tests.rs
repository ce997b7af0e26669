//! What texts are called.

use proptest::prelude::*;

use super::*;
use crate::classify::{Content, classify};

fn name(text: &str) -> Option<String> {
    derived_name(classify(None, None, Content::Text(text)).specific, text)
}

#[test]
fn a_text_is_called_by_its_heading_its_first_definition_or_its_first_line() {
    let expected = [
        ("# Title\n\nSome *text*", "Title"),
        ("Intro with [a link](https://example.org).\n\n## How *it* `works` ##\n\n- one", "How it works"),
        ("Title\n=====\n\n**Some** text and **more** of it.\n\n- [x] a\n- [ ] b", "Title"),
        ("```\n# no heading\n```\n\n# A heading\n\ntext [x](https://example.org)", "A heading"),
        ("---\ntitle: Other\ntags: [a]\n---\n\n# Heading\n\nSee [x](https://example.org).", "Heading"),
        ("fn main() {}", "main"),
        ("use std::fs;\n\n/// Reads.\npub(crate) async fn read(path: &str) -> String {\n    todo!()\n}", "read"),
        ("import os\n\ndef add(a, b):\n    return a + b", "add"),
        ("class User:\n    pass", "User"),
        ("export default class App extends Component {\n  render() { return null; }\n}", "App"),
        ("function add(a, b) {\n  return a + b;\n}", "add"),
        ("const add = (a, b) => a + b;\nconsole.log(add(1, 2));", "add"),
        ("func (s *Server) Close() error {\n\treturn s.listener.Close()\n}", "Close"),
        ("type User struct {\n\tID int `json:\"id\"`\n}", "User"),
        ("static int compare(const void *a, const void *b)\n{\n    return *(const int *)a;\n}", "compare"),
        ("#include <stdio.h>\nint main(void) { puts(\"hi\"); return 0; }", "main"),
        ("create table if not exists shop.orders (\n  id integer primary key\n);", "shop.orders"),
        ("-- who\nCREATE TABLE \"users\" (id int);", "users"),
        ("square <- function(x) {\n  x^2\n}", "square"),
        ("greet() {\n  local name=\"$1\"\n  echo \"hi $name\"\n}", "greet"),
        ("(defn greet [name]\n  (println \"Hello\" name))", "greet"),
        ("function Get-Size {\n    param([string]$Path)\n}", "Get-Size"),
        ("console.log('hi');", "console.log('hi')"),
        ("#!/bin/bash\n# Makes the build.\nmake all", "Makes the build."),
        ("select 1", "select 1"),
        ("{\n  \"name\": \"lens\"\n}", "\"name\": \"lens\""),
        ("[]", "[]"),
        ("<!DOCTYPE html>\n<html><head><title>Hi <b>you</b></title></head></html>", "Hi you"),
        ("\n\n  Buy milk\tand   bread.\nAnd eggs.", "Buy milk and bread."),
        ("- [ ] write the tests\n- [x] fix", "write the tests"),
        ("if (a === b) {\n  return true;\n}", "if (a === b)"),
        (
            "class closes at nine, and the function of it is to teach",
            "class closes at nine, and the function of it is to teach",
        ),
        ("日本語のメモです。", "日本語のメモです。"),
        ("---", "---"),
    ];
    for (text, expected) in expected {
        assert_eq!(name(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn a_definition_may_follow_a_character_of_several_bytes() {
    for before in ["￼", "→", "日 ", "é "] {
        assert!(
            name(&format!("{before}compare(a, b) {{\n  return a;\n}}")).is_some_and(|name| name.contains("compare"))
        );
    }
    assert_eq!(definition::first("→add(a) {"), None, "no type stands before the name");
    assert_eq!(definition::first("größe länge(a) {").as_deref(), Some("länge"));
    assert_eq!(definition::first("a￼(:A{"), None);
}

#[test]
fn a_long_name_is_cut_between_words() {
    let words = "This is a long line of words that goes on and on, and has more than sixty characters.";
    assert_eq!(name(words).as_deref(), Some("This is a long line of words that goes on and on, and has"));
    assert_eq!(name(&"x".repeat(100)), Some("x".repeat(60)));
    assert_eq!(name(&"é".repeat(100)), Some("é".repeat(60)));
    assert_eq!(name(&format!(": {}", "x".repeat(100))), Some(format!(": {}", "x".repeat(58))));
    assert_eq!(name(&":".repeat(100)), Some(":".repeat(60)));
    let exact = format!("{} {}", "a".repeat(29), "b".repeat(30));
    assert_eq!(name(&format!("{exact} c")), Some(exact));
}

#[test]
fn a_text_that_shows_nothing_has_no_name() {
    for text in ["", "  \n\t\n", "\u{200b}\u{feff}", "\u{1}\u{2}"] {
        assert_eq!(name(text), None, "{text:?}");
    }
}

#[test]
fn a_name_has_no_hidden_character() {
    assert_eq!(name("a\u{202e}b\u{7}c\u{1b}[0m d").as_deref(), Some("abc[0m d"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_line_of_code_has_a_name_or_none(line in "([a-zé日→\u{fffc}$.* ]|fn |class |func |const | = | => |create table |\"){0,12}[(: ][a-zé→), =]{0,6}[{}]?") {
        if let Some(name) = definition::first(&line) {
            prop_assert!(!name.trim().is_empty() && line.contains(&name), "{}", name);
        }
    }

    #[test]
    fn any_text_has_a_short_visible_name_and_always_the_same(text in "\\PC{0,200}|([<>{}\\[\\]():;=#*|\"'`\n\t -]|fn |class |select |[a-zé日\u{202e}\u{0}]){0,120}") {
        let named = name(&text);
        prop_assert_eq!(&named, &name(&text));
        if let Some(named) = named {
            prop_assert!((1..=MAX_CHARACTERS).contains(&named.chars().count()), "{}", named);
            prop_assert!(named.trim() == named && !named.chars().any(|c| is_hidden(c) || c.is_control()));
        } else {
            prop_assert!(text.chars().all(|c| c.is_whitespace() || is_hidden(c)), "{}", text);
        }
    }
}
