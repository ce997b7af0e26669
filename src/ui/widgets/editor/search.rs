//! Finding and replacing in a text, on another thread.
//!
//! What must hold: the work is bounded and can be cancelled; matches are in order and do not overlap; a wrong expression
//! is explained, and an expression that takes too long says so.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fancy_regex::{Error, Expander, Regex, RegexBuilder, RuntimeError};
use lunette_syntax::CancelToken;

use super::super::code::Matches;
use super::words::is_word;

/// How often an expression may go back and try another way at one place.
const MAX_BACKTRACKS: usize = 200_000;
/// How long one search may take.
const MAX_TIME: Duration = Duration::from_secs(5);
/// The largest compiled expression, in bytes.
const MAX_COMPILED: usize = 4 * 1024 * 1024;

/// What is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The words, or the expression.
    pub words: String,
    /// Whether the words are a regular expression.
    pub expression: bool,
    /// Whether upper and lower case differ.
    pub case: bool,
    /// Whether a match may not be a part of a word.
    pub whole_word: bool,
}

/// A query that can be searched for.
#[derive(Debug)]
pub struct Compiled {
    regex: Regex,
    expression: bool,
    whole_word: bool,
}

/// Why a search has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchError {
    /// The expression is wrong: a sentence that says why.
    Wrong(String),
    /// The search took too long.
    Slow,
}

impl SearchError {
    /// Returns what to tell the user, as a sentence.
    pub fn message(&self) -> String {
        match self {
            Self::Wrong(why) => why.clone(),
            Self::Slow => "This expression takes too long on this text. Make it simpler.".to_owned(),
        }
    }
}

impl Query {
    /// Compiles the query. Fails with an explanation if the expression is wrong.
    pub fn compile(&self) -> Result<Compiled, SearchError> {
        let source = if self.expression { self.words.clone() } else { fancy_regex::escape(&self.words).into_owned() };
        let mut builder = RegexBuilder::new(&source);
        builder.case_insensitive(!self.case).multi_line(true).backtrack_limit(MAX_BACKTRACKS);
        builder.delegate_size_limit(MAX_COMPILED);
        let regex = builder.build().map_err(|error| SearchError::Wrong(explained(&error)))?;
        Ok(Compiled { regex, expression: self.expression, whole_word: self.whole_word })
    }
}

/// Says what is wrong with an expression.
fn explained(error: &Error) -> String {
    match error {
        Error::ParseError(at, kind) => {
            let reason = kind.to_string();
            let reason = reason.strip_prefix("General parsing error: ").unwrap_or(&reason);
            format!("Not a regular expression, at character {}: {reason}.", at + 1)
        }
        // The reason of the engine below follows the expression itself, on lines of their own.
        other => {
            let text = other.to_string();
            let reason = text.lines().rev().find_map(|line| line.trim().strip_prefix("error: ")).unwrap_or(&text);
            format!("Not a regular expression: {}.", reason.trim_end_matches('.'))
        }
    }
}

impl Compiled {
    /// Calls `found` for each match until it returns false. Fails if that takes too long.
    fn each(
        &self,
        text: &str,
        cancel: &CancelToken,
        mut found: impl FnMut(Range<usize>) -> bool,
    ) -> Result<(), SearchError> {
        let end = Instant::now() + MAX_TIME;
        let mut at = 0;
        while at <= text.len() && !cancel.is_cancelled() {
            let Some(whole) = self.regex.find_from_pos(text, at).map_err(|error| failure(&error))? else { break };
            let whole = whole.start()..whole.end();
            // An empty match is followed by the next character.
            at = if whole.is_empty() { next_character(text, whole.end) } else { whole.end };
            if (!self.whole_word || is_whole_word(text, &whole)) && !found(whole) {
                break;
            }
            if Instant::now() > end {
                return Err(SearchError::Slow);
            }
        }
        Ok(())
    }

    /// Finds all matches, up to a limit that [`Matches::more`] tells.
    pub fn matches(&self, text: &str, cancel: &CancelToken) -> Result<Matches, SearchError> {
        let mut matches = Matches::default();
        self.each(text, cancel, |range| matches.push(range.start, range.end))?;
        Ok(matches)
    }

    /// Returns all matches with what replaces each. In an expression, `$1` and `${name}` are its groups, `\n` and `\t`
    /// a line break and a tab.
    pub fn replaced(
        &self,
        text: &str,
        with: &str,
        cancel: &CancelToken,
    ) -> Result<Vec<(Range<usize>, String)>, SearchError> {
        let mut replaced = Vec::new();
        self.each(text, cancel, |range| {
            let with = self.replaced_at(text, range.clone(), with);
            replaced.extend(with.map(|with| (range, with)));
            true
        })?;
        Ok(replaced)
    }

    /// Returns what replaces the match at these bytes; `None` if there is none.
    pub fn replaced_at(&self, text: &str, at: Range<usize>, with: &str) -> Option<String> {
        if !self.expression {
            return Some(with.to_owned());
        }
        let captures = self.regex.captures_from_pos(text, at.start).ok().flatten()?;
        captures.get(0).filter(|whole| whole.start() == at.start && whole.end() == at.end)?;
        Some(Expander::default().expansion(&unescaped(with), &captures))
    }
}

/// Returns why a search ended without a result.
fn failure(error: &Error) -> SearchError {
    match error {
        Error::RuntimeError(RuntimeError::BacktrackLimitExceeded | RuntimeError::StackOverflow) => SearchError::Slow,
        error => SearchError::Wrong(explained(error)),
    }
}

fn next_character(text: &str, at: usize) -> usize {
    text[at..].chars().next().map_or(text.len() + 1, |c| at + c.len_utf8())
}

fn is_whole_word(text: &str, at: &Range<usize>) -> bool {
    let before = text[..at.start].chars().next_back().is_some_and(is_word);
    let after = text[at.end..].chars().next().is_some_and(is_word);
    !before && !after
}

/// Returns the text with `\n`, `\t` and `\\` as the characters that they stand for.
fn unescaped(with: &str) -> String {
    let (mut text, mut characters) = (String::with_capacity(with.len()), with.chars().peekable());
    while let Some(c) = characters.next() {
        let meant = match characters.peek().filter(|_| c == '\\') {
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('\\') => Some('\\'),
            _ => None,
        };
        text.push(meant.unwrap_or(c));
        if meant.is_some() {
            characters.next();
        }
    }
    text
}

/// A search of a text: the key of the work in the background.
#[derive(Clone, Debug)]
pub struct Search {
    /// The text.
    pub text: Arc<str>,
    /// The number of the text: another one after each change.
    pub revision: u64,
    /// What is looked for.
    pub query: Query,
    /// What replaces it, if it is replaced everywhere.
    pub with: Option<String>,
}

impl PartialEq for Search {
    fn eq(&self, other: &Self) -> bool {
        self.revision == other.revision && self.query == other.query && self.with == other.with
    }
}

/// What a search found.
#[derive(Debug)]
pub enum Found {
    /// The matches.
    Matches(Matches),
    /// What replaces each match.
    Replaced(Vec<(Range<usize>, String)>),
    /// Why there is no result.
    Failed(SearchError),
}

impl Search {
    /// Searches; takes a while for a long text.
    pub fn run(&self, cancel: &CancelToken) -> Found {
        if self.query.words.is_empty() {
            return Found::Matches(Matches::default());
        }
        let found = self.query.compile().and_then(|compiled| match &self.with {
            Some(with) => compiled.replaced(&self.text, with, cancel).map(Found::Replaced),
            None => compiled.matches(&self.text, cancel).map(Found::Matches),
        });
        found.unwrap_or_else(Found::Failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn query(words: &str, expression: bool) -> Query {
        Query { words: words.to_owned(), expression, ..Query::default() }
    }

    fn found(text: &str, query: &Query) -> Vec<String> {
        let matches = query.compile().expect("valid").matches(text, &CancelToken::default()).expect("found");
        (0..matches.len()).filter_map(|index| matches.get(index)).map(|range| text[range].to_owned()).collect()
    }

    #[test]
    fn words_are_taken_literally_and_expressions_are_not() {
        assert_eq!(found("a.b axb A.B", &query("a.b", false)), ["a.b", "A.B"]);
        assert_eq!(found("a.b axb A.B", &query("a.b", true)), ["a.b", "axb", "A.B"]);
        assert_eq!(found("a.b A.B", &Query { case: true, ..query("a.b", false) }), ["a.b"]);
        assert_eq!(found("cat cats concat", &Query { whole_word: true, ..query("cat", false) }), ["cat"]);
        assert_eq!(found("one\ntwo", &query(r"^\w+$", true)), ["one", "two"]);
        assert_eq!(found("fn a() fn b()", &query(r"(?<=fn )\w", true)), ["a", "b"]);
        assert_eq!(found("aé", &query("", true)).len(), 3);
    }

    #[test]
    fn groups_are_put_into_the_replacement() {
        let replaced = |text: &str, query: &Query, with: &str| {
            let replaced = query.compile().expect("valid").replaced(text, with, &CancelToken::default());
            let texts = replaced.expect("replaced").into_iter();
            texts.map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(replaced("a=1 b=2", &query(r"(\w)=(\d)", true), r"$2\n${1}x"), ["1\nax", "2\nbx"]);
        assert_eq!(replaced("cost", &query("cost", false), r"$1\n"), [r"$1\n"]);
        let compiled = query(r"(\w)=", true).compile().expect("valid");
        assert_eq!(compiled.replaced_at("a=b=", 2..4, "<$1>").as_deref(), Some("<b>"));
        assert_eq!(compiled.replaced_at("a=b=", 1..4, "<$1>"), None);
    }

    #[test]
    fn a_wrong_expression_is_explained() {
        for (words, reason) in [("(a", "paren"), ("a[", "class"), ("*", "at character 1"), (r"\k<x>", "reference")] {
            let Err(SearchError::Wrong(message)) = query(words, true).compile() else { panic!("{words} is wrong") };
            let said =
                message.to_lowercase().contains(reason) && message.ends_with('.') && message.lines().count() == 1;
            assert!(said, "{words}: {message}");
        }
        assert!(query("(a", false).compile().is_ok());
    }

    #[test]
    fn an_expression_that_takes_too_long_ends() {
        let compiled = query(r"(a+)+\1c", true).compile().expect("valid");
        let text = "a".repeat(2_000);
        let searched = compiled.matches(&text, &CancelToken::default());
        assert_eq!(searched, Err(SearchError::Slow));
    }

    proptest! {
        #[test]
        fn replacing_all_is_what_the_text_is_with_each_match_replaced(text in "[ab ]{0,40}", words in "[ab]{1,2}") {
            let replaced = query(&words, false).compile().expect("valid");
            let replaced = replaced.replaced(&text, "X", &CancelToken::default()).expect("replaced");
            let mut made = text.clone();
            for (range, with) in replaced.into_iter().rev() {
                made.replace_range(range, &with);
            }
            prop_assert_eq!(made, text.replace(&words, "X"));
        }
    }
}
