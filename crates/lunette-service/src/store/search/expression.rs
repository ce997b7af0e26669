//! Builds FTS5 expressions from terms. What must hold: no character of a term is interpreted as FTS5 syntax.

use rusqlite::{Connection, params};

use crate::store::StoreError;

/// The length of an index term (trigram), in characters.
const TERM: usize = 3;
/// The most index terms that a shorter query term expands to: the most frequent ones.
const TERMS: i64 = 300;

/// An index of parts.
#[derive(Clone, Copy)]
pub(super) enum Index {
    Part,
    Script,
}

/// An expression of FTS5.
pub(super) struct Expression {
    pub(super) text: String,
    /// Whether a word is shorter than a term.
    pub(super) short: bool,
}

/// Whether a word is shorter than an index term.
pub(super) fn is_short(word: &str) -> bool {
    word.chars().nth(TERM - 1).is_none()
}

/// That every word is a part of the text; None where one is not anywhere.
pub(super) fn expression<'a>(
    db: &Connection,
    index: Index,
    words: impl Iterator<Item = &'a str>,
) -> Result<Option<Expression>, StoreError> {
    let mut short = false;
    let mut parts = Vec::new();
    for word in words {
        if !is_short(word) {
            parts.push(fts_string(word));
            continue;
        }
        short = true;
        let terms = terms(db, index, word)?;
        if terms.is_empty() {
            return Ok(None);
        }
        parts.push(format!("({})", terms.iter().map(|term| fts_string(term)).collect::<Vec<_>>().join(" OR ")));
    }
    Ok((!parts.is_empty()).then(|| Expression { text: parts.join(" AND "), short }))
}

/// That every word with a letter or a digit begins a word of the text; None without one.
pub(super) fn words_expression<'a>(words: impl Iterator<Item = &'a str>) -> Option<String> {
    let lettered = |word: &&str| word.chars().any(|letter| letter.is_alphanumeric() || letter == '_');
    let words: Vec<String> = words.filter(lettered).map(|word| format!("{} *", fts_string(word))).collect();
    (!words.is_empty()).then(|| words.join(" AND "))
}

/// The terms that begin with a word, those that most have first.
fn terms(db: &Connection, index: Index, word: &str) -> Result<Vec<String>, StoreError> {
    let statement = match index {
        Index::Part => "SELECT term FROM search_part_term WHERE term >= ?1 AND term <= ?2 ORDER BY doc DESC LIMIT ?3",
        Index::Script => {
            "SELECT term FROM search_script_term WHERE term >= ?1 AND term <= ?2 ORDER BY doc DESC LIMIT ?3"
        }
    };
    let mut statement = db.prepare_cached(statement)?;
    let terms = statement.query_map(params![word, format!("{word}\u{10FFFF}"), TERMS], |row| row.get(0))?;
    Ok(terms.collect::<Result<_, _>>()?)
}

/// A text as a string of an expression of FTS5.
fn fts_string(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
