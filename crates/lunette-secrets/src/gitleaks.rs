//! The rules of Gitleaks, from its configuration: keywords, an expression, the minimum entropy of a match, and
//! allowlists.
//!
//! Rules about file names are skipped, since contents have none. An expression is compiled when one of its keywords is
//! first found, since most are never needed. Most expressions match only near their keyword and would be slow on the
//! whole text, so they are applied to the lines of the keyword.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::{Captures, Regex, RegexBuilder};
use serde::Deserialize;

use crate::Found;

const CONFIG: &str = include_str!("../rules/gitleaks.toml");

/// The maximum memory of a compiled expression.
const MOST_EXPRESSION: usize = 16 << 20;
/// The maximum number of matches of one rule examined in a text.
const MOST_FINDS: usize = 200;
/// The prefix of most expressions: letters of the name that contains the keyword. It would start fifty matches at each
/// letter of a text, so it is matched backwards from the keyword instead (`Rule::beginning_of`).
const NAME: &str = r"[\w.-]{0,50}?";
/// Its maximum length.
const LONGEST_NAME: usize = 50;
/// The maximum distance from a keyword to its secret, in bytes: a few letters of the name, spaces, quotes and an
/// operator.
const REACH: usize = 64;

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

/// What the expressions of an allowlist are matched against.
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

/// The rules, and the automaton that finds their keywords.
struct Rules {
    config: Config,
    keywords: AhoCorasick,
    /// The rules of each keyword.
    rules: Vec<Vec<usize>>,
    /// The rules without keywords.
    others: Vec<usize>,
}

/// Where a rule is applied.
enum Where {
    Everywhere,
    /// In these disjoint ranges of the text, in order.
    Within(Vec<Range<usize>>),
}

/// `None` if the configuration cannot be read, which a test excludes.
static RULES: LazyLock<Option<Rules>> = LazyLock::new(|| {
    let mut config: Config = toml::from_str(CONFIG).ok()?;
    let lists = config.rules.iter_mut().flat_map(|rule| &mut rule.allowlists).chain([&mut config.allowlist]);
    lists.flat_map(|list| &mut list.stopwords).for_each(|word| word.make_ascii_lowercase());
    let mut rules_of: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, rule) in config.rules.iter().enumerate().filter(|(_, rule)| rule.path.is_none()) {
        for word in &rule.keywords {
            rules_of.entry(word.to_ascii_lowercase()).or_default().push(index);
        }
    }
    // It reads the whole text, so it is the fastest kind, with a table of half a megabyte.
    let builder = &mut AhoCorasick::builder();
    let keywords = builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(rules_of.keys()).ok()?;
    let contents = config.rules.iter().enumerate().filter(|(_, rule)| rule.path.is_none());
    let others = contents.filter(|(_, rule)| rule.keywords.is_empty()).map(|(index, _)| index).collect();
    Some(Rules { config, keywords, rules: rules_of.into_values().collect(), others })
});

/// Returns the findings of the rules in a text.
pub(crate) fn find(text: &str) -> Vec<Found> {
    let Some(Rules { config, keywords, rules, others }) = &*RULES else { return Vec::new() };
    // Most texts are short and have no keyword.
    let mut ranges: BTreeMap<usize, Where> = others.iter().map(|rule| (*rule, Where::Everywhere)).collect();
    let mut known = Lines::new(text);
    for keyword in keywords.find_overlapping_iter(text) {
        let lines = LazyCell::new(|| known.of(keyword.range()));
        for rule in &rules[keyword.pattern().as_usize()] {
            match ranges.entry(*rule) {
                Entry::Occupied(mut range) => match range.get_mut() {
                    Where::Everywhere => (),
                    Where::Within(parts) => add(parts, &lines),
                },
                Entry::Vacant(range) if config.rules[*rule].is_local() => {
                    range.insert(Where::Within(vec![lines.clone()]));
                }
                Entry::Vacant(range) => _ = range.insert(Where::Everywhere),
            }
        }
    }
    let found = |(rule, range): (usize, Where)| config.rules[rule].find(text, range, &config.allowlist);
    ranges.into_iter().flat_map(found).collect()
}

/// The lines of keywords. A line with many keywords is searched for its ends only once, as it may be the whole text.
struct Lines<'a> {
    bytes: &'a [u8],
    /// The line in which the last keyword starts.
    first: Range<usize>,
    /// The line of the last position where its secret can begin.
    last: Range<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), first: 0..0, last: 0..0 }
    }

    /// Returns the lines from a keyword to the last position where its secret can begin.
    fn of(&mut self, keyword: Range<usize>) -> Range<usize> {
        let reach = (keyword.end + REACH).min(self.bytes.len());
        for (line, at) in [(&mut self.first, keyword.start), (&mut self.last, reach)] {
            // The end of the text belongs to its last line.
            let is_end = at == self.bytes.len() && at == line.end;
            if !line.contains(&at) && !is_end {
                *line = line_around(self.bytes, at);
            }
        }
        self.first.start..self.last.end
    }
}

/// Returns the line of a position, with its line break.
fn line_around(bytes: &[u8], at: usize) -> Range<usize> {
    let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
    start..memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |end| at + end + 1)
}

/// Adds a range that starts at or after the start of the last one.
fn add(parts: &mut Vec<Range<usize>>, part: &Range<usize>) {
    match parts.last_mut() {
        Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
        _ => parts.push(part.clone()),
    }
}

fn compile(expression: &str) -> Option<Regex> {
    RegexBuilder::new(&in_ascii(expression)).size_limit(MOST_EXPRESSION).build().ok()
}

/// Translates an expression to the semantics of Gitleaks: `\\w`, `\\d` and `\\b` are ASCII-only, a bracket within a
/// class is literal, and so is a brace that is not a repetition. Unicode classes would need hundreds of times the
/// memory.
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
            ('{', false) if !letters.peek().is_some_and(char::is_ascii_digit) => ascii.push_str(r"\{"),
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
        (Some('b'), false) => ascii.push_str(r"(?-u:\b)"),
        (escaped, _) => {
            ascii.push('\\');
            ascii.extend(escaped);
        }
    }
}

/// A match: its range, and that of the secret.
struct Match<'a> {
    at: usize,
    whole: &'a str,
    secret: &'a str,
    line: &'a str,
}

impl Rule {
    /// Whether a match is within the lines of a keyword (`lines_of`). An expression that may span any number of lines
    /// is applied to the whole text.
    fn is_local(&self) -> bool {
        let far = [r"\s\S", r"\n", r"\r", "(?s", r"\s*", r"\s+"];
        self.regex.as_deref().is_some_and(|expression| {
            // The end of a secret in most rules: a line break written as `\\n`, which is on the same line.
            let expression = expression.replace(r"\\[nr]", "");
            !far.iter().any(|part| expression.contains(part))
        })
    }

    fn find(&self, text: &str, range: Where, everywhere: &AllowList) -> Vec<Found> {
        let whole = 0..text.len();
        let parts = match range {
            Where::Everywhere => vec![whole],
            Where::Within(parts) => parts,
        };
        let compiled = self.compiled.get_or_init(|| compile(&self.without_name()?));
        let Some(expression) = compiled else { return Vec::new() };
        let found = parts.into_iter().flat_map(|part| {
            let start = part.start;
            self.matches(expression, &text[part]).map(move |found| (start, found))
        });
        let counts = |found: &Match<'_>| {
            entropy(found.secret) >= self.entropy
                && !everywhere.allows(found)
                && !self.allowlists.iter().any(|list| list.allows(found))
        };
        let found = found.take(MOST_FINDS).filter(|(_, found)| counts(found));
        found
            .map(|(start, found)| {
                let at = start + found.at;
                let end = at + found.secret.len();
                Found { at, end, rule: self.id.clone(), what: self.description.clone() }
            })
            .collect()
    }

    /// Returns the matches of the expression without the name.
    fn matches<'a>(&'a self, expression: &'a Regex, text: &'a str) -> impl Iterator<Item = Match<'a>> {
        let mut end = 0;
        expression.captures_iter(text).filter_map(move |captures| {
            let whole = captures.get(0)?;
            let begin = end + self.beginning_of(&text[end..whole.start()]);
            end = whole.end();
            self.matched(text, &captures, begin)
        })
    }

    /// The expression without the name in front of the keyword.
    fn without_name(&self) -> Option<String> {
        let expression = self.regex.as_deref()?;
        Some(if self.begins_with_name() { expression.replacen(NAME, "", 1) } else { expression.to_owned() })
    }

    fn begins_with_name(&self) -> bool {
        let expression = self.regex.as_deref().unwrap_or_default();
        expression.strip_prefix("(?i)").unwrap_or(expression).starts_with(NAME)
    }

    /// Returns the start of a match including the letters of the name, given the text between the previous match and
    /// the keyword. The full expression would match there too, since the first matching keyword has the first name.
    fn beginning_of(&self, before: &str) -> usize {
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
        match self.begins_with_name() {
            true => before.len() - before.bytes().rev().take(LONGEST_NAME).take_while(|byte| is_name(&byte)).count(),
            false => before.len(),
        }
    }

    /// Returns the match at this position. The secret is the group that the rule names, or the first non-empty one, or
    /// the whole match.
    fn matched<'a>(&self, text: &'a str, captures: &Captures<'a>, begin: usize) -> Option<Match<'a>> {
        let whole = captures.get(0)?;
        let first = || captures.iter().skip(1).flatten().find(|group| !group.as_str().is_empty());
        let group = if self.secret_group > 0 { captures.get(self.secret_group) } else { first() };
        let start = text[..whole.start()].rfind('\n').map_or(0, |end| end + 1);
        let end = text[whole.end()..].find('\n').map_or(text.len(), |end| whole.end() + end);
        let secret = group.unwrap_or(whole);
        let whole = &text[begin..whole.end()];
        Some(Match { at: secret.start(), whole, secret: secret.as_str(), line: &text[start..end] })
    }
}

impl AllowList {
    /// Returns whether a match is allowlisted.
    fn allows(&self, found: &Match<'_>) -> bool {
        // A condition on a file name is never met.
        if self.condition == Condition::All && !self.paths.is_empty() {
            return false;
        }
        let held = match self.regex_target {
            Target::Secret => found.secret,
            Target::Match => found.whole,
            Target::Line => found.line,
        };
        let expressions = self.compiled.get_or_init(|| self.regexes.iter().filter_map(|text| compile(text)).collect());
        let by_expression = expressions.iter().any(|expression| expression.is_match(held));
        let lower = found.secret.to_ascii_lowercase();
        let by_word = self.stopwords.iter().any(|word| lower.contains(word.as_str()));
        match self.condition {
            Condition::Any => by_expression || by_word,
            Condition::All => (self.regexes.is_empty() || by_expression) && (self.stopwords.is_empty() || by_word),
        }
    }
}

/// Returns the Shannon entropy of a text in bits per character.
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
mod tests;
