//! Tests of reading the rules and of where each is applied.

use proptest::prelude::*;

use super::*;

#[test]
fn classes_are_about_ascii_and_brackets_within_them_and_braces_without_a_count_are_letters() {
    let expected = r"(?-u:\b)[0-9][^\]a0-9A-Za-z_\[][[:alnum:]-]\\w\{\{a{2}";
    assert_eq!(in_ascii(r"\b\d[^]a\w[][[:alnum:]-]\\w{{a{2}"), expected);
}

/// Returns lines with keywords, names, operators and values in the order of source code.
fn lines() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "api_key",
        "token",
        "secret",
        "password",
        "adobe",
        "facebook",
        "discord",
        "key",
        "AUTH",
        "yandex",
        "sc_ab",
        " ",
        "  ",
        "\n",
        "\n    ",
        "=",
        ": ",
        "\"",
        "'",
        " => ",
        ":=",
        "`",
        ";",
        "ü",
        "name of the ",
        "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY",
        "0123456789abcdef0123456789abcdef",
        "q7Zk2Xv9Wp4Rj8Ht3Bf6",
    ]);
    prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn searching_the_lines_of_a_keyword_finds_the_same_as_searching_the_whole_text(text in lines()) {
        let Rules { config, .. } = RULES.as_ref().expect("the configuration is read");
        let lower = text.to_ascii_lowercase();
        let mut expected: Vec<(usize, String)> = Vec::new();
        for rule in config.rules.iter().filter(|rule| rule.path.is_none()) {
            if rule.keywords.iter().any(|word| lower.contains(&word.to_ascii_lowercase())) {
                let found = rule.find(&text, Where::Everywhere, &config.allowlist);
                expected.extend(found.into_iter().map(|found| (found.at, found.rule)));
            }
        }
        let found: Vec<_> = find(&text).into_iter().map(|found| (found.at, found.rule)).collect();
        prop_assert_eq!(found, expected);
    }
}

/// Rules that begin with a name, each with its full expression.
static WHOLE: LazyLock<Vec<(&Rule, Regex)>> = LazyLock::new(|| {
    let Rules { config, .. } = RULES.as_ref().expect("the configuration is read");
    let named = config.rules.iter().filter(|rule| rule.begins_with_name());
    let wanted = ["generic-api-key", "adobe-client-id", "facebook-secret", "yandex-api-key", "discord-client-id"];
    let wanted = named.filter(|rule| wanted.contains(&rule.id.as_str()));
    wanted.map(|rule| (rule, compile(rule.regex.as_deref().expect("one")).expect("it compiles"))).collect()
});

proptest! {
    #[test]
    fn an_expression_without_its_group_name_finds_the_same(text in lines()) {
        prop_assert!(WHOLE.len() >= 4);
        for (rule, whole) in WHOLE.iter() {
            let expected: Vec<_> = whole
                .captures_iter(&text)
                .filter_map(|captures| {
                    let start = captures.get(0)?.start();
                    let found = rule.matched(&text, &captures, start)?;
                    Some((found.at, found.whole.to_owned(), found.secret.to_owned(), found.line.to_owned()))
                })
                .collect();
            let without = compile(&rule.without_name().expect("an expression")).expect("it compiles");
            let found = rule.matches(&without, &text);
            let found: Vec<_> = found
                .map(|found| (found.at, found.whole.to_owned(), found.secret.to_owned(), found.line.to_owned()))
                .collect();
            prop_assert_eq!(found, expected, "{}", rule.id);
        }
    }
}

#[test]
fn a_secret_is_found_where_it_is_in_the_text_and_in_the_line_behind_its_name() {
    let value = "q7Zk2Xv9Wp4Rj8Ht3Bf6";
    let text = format!("one\ntwo ü\napi_key = \"{value}\"\n{}\nsecret:\n  \"{value}\"\n", "nothing\n".repeat(20));
    let found: Vec<_> = find(&text).into_iter().map(|found| (found.at, found.rule)).collect();
    let expected = text.match_indices(value).map(|(at, _)| (at, "generic-api-key".to_owned()));
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[test]
fn most_rules_look_at_the_lines_of_their_keywords_only() {
    let Rules { config, .. } = RULES.as_ref().expect("the configuration is read");
    let far: Vec<&str> = config
        .rules
        .iter()
        .filter(|rule| rule.path.is_none() && !rule.is_local())
        .map(|rule| rule.id.as_str())
        .collect();
    assert!(far.len() < 12, "{far:?}");
}

#[test]
fn every_rule_of_gitleaks_is_read_and_its_expressions_compile() {
    let Rules { config, .. } = RULES.as_ref().expect("the configuration is read");
    assert!(config.rules.len() > 200);
    for rule in config.rules.iter().filter(|rule| rule.path.is_none()) {
        let expression = rule.regex.as_deref().unwrap_or_else(|| panic!("{} has no expression", rule.id));
        assert!(compile(expression).is_some(), "{}", rule.id);
    }
    for list in config.rules.iter().flat_map(|rule| &rule.allowlists).chain([&config.allowlist]) {
        for expression in &list.regexes {
            assert!(compile(expression).is_some(), "{expression}");
        }
    }
}
