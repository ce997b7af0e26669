//! A query as it was typed: its words, and which of them are in quotation marks and so looked for as they are.

use std::ops::Range;

use crate::parts::Typed;

/// A word of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedWord<'a> {
    /// The word, without quotation marks around it.
    pub text: &'a str,
    /// Whether it is in quotation marks: it is looked for as typed alone.
    pub as_typed: bool,
}

/// A part of a query between spaces, and where it is.
struct Token<'a> {
    text: &'a str,
    span: Range<usize>,
    as_typed: bool,
}

/// The words of a query.
pub fn words(query: &str) -> impl Iterator<Item = TypedWord<'_>> {
    let word = |Token { text, as_typed, .. }| TypedWord {
        text: if as_typed { text.trim_matches('"') } else { text },
        as_typed,
    };
    tokens(query).into_iter().map(word).filter(|word| !word.text.is_empty())
}

/// Whether any word of a query is in quotation marks.
pub fn any_as_typed(query: &str) -> bool {
    words(query).any(|word| word.as_typed)
}

/// The query without the quotation marks around words.
pub fn without_marks(query: &str) -> String {
    words(query).map(|word| word.text).collect::<Vec<_>>().join(" ")
}

/// The query with quotation marks around the words of which this is a part, so that they are looked for as typed; other
/// conditions of a filter, such as `tag:red`, stay as they are.
pub fn with_marks(query: &str, part: &str) -> String {
    let (mut marked, mut end) = (String::new(), 0);
    for token in tokens(query).into_iter().filter(|token| !token.as_typed) {
        if token.text.contains([':', '"']) || !Typed::of(token.text).parts.iter().any(|one| one == part) {
            continue;
        }
        marked.push_str(&query[end..token.span.start]);
        marked.push_str(&format!("\"{}\"", token.text));
        end = token.span.end;
    }
    marked + &query[end..]
}

fn tokens(query: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    // The first token of what is in quotation marks that are not closed yet.
    let mut opened = None;
    let mut at = 0;
    for text in query.split(char::is_whitespace) {
        let span = at..at + text.len();
        at = query[span.end..].chars().next().map_or(span.end, |space| span.end + space.len_utf8());
        if text.is_empty() {
            continue;
        }
        opened = opened.or(text.starts_with('"').then_some(tokens.len()));
        let closes = text.ends_with('"') && (text.len() > 1 || opened != Some(tokens.len()));
        tokens.push(Token { text, span, as_typed: false });
        if closes && let Some(first) = opened.take() {
            tokens[first..].iter_mut().for_each(|token| token.as_typed = true);
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn as_typed(query: &str) -> Vec<&str> {
        words(query).filter(|word| word.as_typed).map(|word| word.text).collect()
    }

    #[test]
    fn words_in_quotation_marks_are_as_typed() {
        assert_eq!(as_typed("\"debuonce\" input \"two words\" x"), ["debuonce", "two", "words"]);
        for none in ["debuonce", "\"open", "a\" b", "\"", "it\"s", "\"\"", " \" "] {
            assert_eq!(as_typed(none), [""; 0], "{none}");
        }
        assert_eq!(without_marks("\"debuonce\" input  \"two words\""), "debuonce input two words");
    }

    #[test]
    fn the_words_with_a_part_are_marked_and_nothing_else_is() {
        assert_eq!(with_marks("wait debuonce  input", "debuonce"), "wait \"debuonce\"  input");
        assert_eq!(with_marks("debuonceInput", "debuonce"), "\"debuonceInput\"");
        assert_eq!(with_marks("tag:debuonce Debuonce", "debuonce"), "tag:debuonce \"Debuonce\"");
        assert_eq!(with_marks("\"debuonce\" x", "debuonce"), "\"debuonce\" x");
    }

    proptest! {
        #[test]
        fn any_query_is_read_and_marked(query in "[a-zé \" :\u{3000}]{0,40}", part in "[a-z]{1,3}") {
            let marked = with_marks(&query, &part);
            prop_assert_eq!(marked.replace('"', ""), query.replace('"', ""));
            prop_assert!(words(&marked).all(|word| !word.text.is_empty()));
            prop_assert_eq!(with_marks(&marked, &part), marked);
        }
    }
}
