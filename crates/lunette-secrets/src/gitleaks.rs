//! The rules of Gitleaks, as its configuration has them: keywords, an expression, the entropy of what it finds, and lists of
//! what is no secret.
//!
//! Rules about names of files are left out: a content has none. An expression is compiled when one of its keywords is found
//! for the first time, since most are never needed.

use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use fancy_regex::{Captures, Regex, RegexBuilder};
use serde::Deserialize;

use crate::Found;

const CONFIG: &str = include_str!("../rules/gitleaks.toml");

/// The most memory of a compiled expression.
const MOST_EXPRESSION: usize = 16 << 20;
/// The most finds of one rule that are looked at in a text.
const MOST_FINDS: usize = 200;

#[derive(Deserialize)]
struct Config {
    allowlist: AllowList,
    rules: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    description: String,
    regex: Option<String>,
    #[serde(default)]
    entropy: f64,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    secret_group: usize,
    path: Option<String>,
    #[serde(default)]
    allowlists: Vec<AllowList>,
    #[serde(skip)]
    compiled: OnceLock<Option<Regex>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AllowList {
    #[serde(default)]
    regexes: Vec<String>,
    #[serde(default)]
    stopwords: Vec<String>,
    #[serde(default)]
    regex_target: Target,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    condition: Condition,
    #[serde(skip)]
    compiled: OnceLock<Vec<Regex>>,
}

/// What the expressions of a list are held against.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Target {
    #[default]
    Secret,
    Match,
    Line,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
enum Condition {
    #[default]
    #[serde(rename = "OR")]
    Any,
    #[serde(rename = "AND")]
    All,
}

/// The rules, and what finds their keywords.
struct Rules {
    config: Config,
    keywords: AhoCorasick,
    /// The rule of each keyword.
    rules: Vec<usize>,
}

/// None where the configuration cannot be read, which a test excludes.
static RULES: LazyLock<Option<Rules>> = LazyLock::new(|| {
    let config: Config = toml::from_str(CONFIG).ok()?;
    let keywords =
        config.rules.iter().enumerate().flat_map(|(place, rule)| rule.keywords.iter().map(move |word| (word, place)));
    let (words, rules): (Vec<&String>, Vec<usize>) = keywords.unzip();
    let keywords = AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()?;
    Some(Rules { config, keywords, rules })
});

/// What the rules find in a text.
pub(crate) fn find(text: &str) -> Vec<Found> {
    let Some(Rules { config, keywords, rules }) = &*RULES else { return Vec::new() };
    let mut wanted: Vec<bool> = config.rules.iter().map(|rule| rule.keywords.is_empty()).collect();
    for keyword in keywords.find_overlapping_iter(text) {
        wanted[rules[keyword.pattern().as_usize()]] = true;
    }
    let rules = config.rules.iter().zip(wanted).filter(|(rule, wanted)| *wanted && rule.path.is_none());
    rules.flat_map(|(rule, _)| rule.find(text, &config.allowlist)).collect()
}

fn compile(expression: &str) -> Option<Regex> {
    RegexBuilder::new(&in_ascii(expression)).delegate_size_limit(MOST_EXPRESSION).build().ok()
}

/// The expression with the classes as Gitleaks means them: `\\w` and `\\d` are about ASCII, and a bracket within a
/// class is a letter of it. Classes of Unicode would need hundreds of times the memory.
fn in_ascii(expression: &str) -> String {
    let mut ascii = String::with_capacity(expression.len() * 2);
    let mut letters = expression.chars().peekable();
    let mut in_class = false;
    while let Some(letter) = letters.next() {
        match (letter, in_class) {
            ('\\', _) => push_escaped(&mut ascii, letters.next(), in_class),
            ('[', true) if letters.peek() == Some(&':') => {
                ascii.push('[');
                for letter in letters.by_ref() {
                    ascii.push(letter);
                    if letter == ']' {
                        break;
                    }
                }
            }
            ('[', true) => ascii.push_str(r"\["),
            ('[', false) => {
                in_class = true;
                ascii.push('[');
                ascii.extend(letters.next_if_eq(&'^'));
                // A bracket at the beginning of a class does not end it.
                if letters.next_if_eq(&']').is_some() {
                    ascii.push_str(r"\]");
                }
            }
            (']', true) => {
                in_class = false;
                ascii.push(']');
            }
            (letter, _) => ascii.push(letter),
        }
    }
    ascii
}

/// Adds what a backslash begins.
fn push_escaped(ascii: &mut String, letter: Option<char>, in_class: bool) {
    match (letter, in_class) {
        (Some('w'), true) => ascii.push_str("0-9A-Za-z_"),
        (Some('w'), false) => ascii.push_str("[0-9A-Za-z_]"),
        (Some('d'), true) => ascii.push_str("0-9"),
        (Some('d'), false) => ascii.push_str("[0-9]"),
        (escaped, _) => {
            ascii.push('\\');
            ascii.extend(escaped);
        }
    }
}

/// A find: the whole of it, and the secret within.
struct Match<'a> {
    at: usize,
    whole: &'a str,
    secret: &'a str,
    line: &'a str,
}

impl Rule {
    fn find<'a>(&'a self, text: &'a str, everywhere: &'a AllowList) -> impl Iterator<Item = Found> + 'a {
        let expression = self.compiled.get_or_init(|| compile(self.regex.as_deref()?));
        let matches = expression.iter().flat_map(move |expression| expression.captures_iter(text).take(MOST_FINDS));
        // An expression that gives up finds nothing.
        let found = matches.map_while(Result::ok).filter_map(move |captures| self.matched(text, &captures));
        let counts = move |found: &Match<'_>| {
            entropy(found.secret) >= self.entropy
                && !everywhere.allows(found)
                && !self.allowlists.iter().any(|list| list.allows(found))
        };
        found.filter(counts).map(|found| Found { at: found.at, rule: self.id.clone(), what: self.description.clone() })
    }

    /// The secret is the group that the rule names, or the first one that is not empty, or all of it.
    fn matched<'a>(&self, text: &'a str, captures: &Captures<'a>) -> Option<Match<'a>> {
        let whole = captures.get(0)?;
        let first = || captures.iter().skip(1).flatten().find(|group| !group.as_str().is_empty());
        let group = if self.secret_group > 0 { captures.get(self.secret_group) } else { first() };
        let start = text[..whole.start()].rfind('\n').map_or(0, |end| end + 1);
        let end = text[whole.end()..].find('\n').map_or(text.len(), |end| whole.end() + end);
        let secret = group.unwrap_or(whole);
        Some(Match { at: secret.start(), whole: whole.as_str(), secret: secret.as_str(), line: &text[start..end] })
    }
}

impl AllowList {
    /// Whether a find is no secret.
    fn allows(&self, found: &Match<'_>) -> bool {
        // A condition on the name of a file is never met.
        if self.condition == Condition::All && !self.paths.is_empty() {
            return false;
        }
        let held = match self.regex_target {
            Target::Secret => found.secret,
            Target::Match => found.whole,
            Target::Line => found.line,
        };
        let expressions = self.compiled.get_or_init(|| self.regexes.iter().filter_map(|text| compile(text)).collect());
        let by_expression = expressions.iter().any(|expression| expression.is_match(held).unwrap_or_default());
        let lower = found.secret.to_lowercase();
        let by_word = self.stopwords.iter().any(|word| lower.contains(&word.to_lowercase()));
        match self.condition {
            Condition::Any => by_expression || by_word,
            Condition::All => (self.regexes.is_empty() || by_expression) && (self.stopwords.is_empty() || by_word),
        }
    }
}

/// The entropy of a text in bits for each letter (Shannon).
fn entropy(text: &str) -> f64 {
    let mut counts = std::collections::HashMap::new();
    let mut all = 0_u32;
    for letter in text.chars() {
        *counts.entry(letter).or_insert(0_u32) += 1;
        all += 1;
    }
    let share = |count: &u32| f64::from(*count) / f64::from(all);
    counts.values().map(share).map(|share| -share * share.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_about_ascii_and_brackets_within_them_are_letters() {
        let expected = r"\b[0-9][^\]a0-9A-Za-z_\[][[:alnum:]-]\\w";
        assert_eq!(in_ascii(r"\b\d[^]a\w[][[:alnum:]-]\\w"), expected);
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
}
