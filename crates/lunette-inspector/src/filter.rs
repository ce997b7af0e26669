//! The filter: one small grammar for every list of the window and for the command line.
//!
//! `language:rust tag:"to do" score:>3 updated:<7d -draft` needs all of its terms to match: words and phrases anywhere
//! in a row, fields by value or comparison, any of several values separated by commas, and exclusions with a minus.
//! What must hold: [`Filter`]'s `Display` round-trips through [`parse`]. A row without a field does not match a
//! condition on it. A filter of plain words scans the text of a row once per word.

use std::borrow::Cow;
use std::fmt;

use jiff::Timestamp;

mod compiled;
mod complete;
mod date;
mod display;
mod error;
mod field;
mod parse;
mod saved;
mod shared_text;
#[cfg(test)]
mod tests;
mod value;
mod version;

pub use compiled::CompiledFilter;
pub use complete::{Choice, Completion, KnownValue, complete};
pub use date::{Age, When};
pub use error::ParseError;
pub use field::{Field, FieldKind, Flag, List};
pub use parse::parse;
pub use saved::{Saved, save};
pub use shared_text::SharedText;
pub(super) use version::compare_versions;

/// What a row must be to be shown: all of the terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// All must hold; none leaves every row.
    pub terms: Vec<Term>,
}

/// One condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Whether it must not hold.
    pub negated: bool,
    /// What is looked for.
    pub test: Condition,
}

/// What is looked for in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A text, somewhere in the row.
    Text(String),
    /// A field that answers any of these.
    Field(Field, Vec<Comparison>),
}

/// What a field is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How it is compared.
    pub op: Op,
    /// With what.
    pub value: Value,
}

/// How a field is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the comparison of its name")]
pub enum Op {
    /// As its kind has it: texts hold it, words and numbers are it, moments lie in it, versions begin with it.
    Has,
    /// Exactly: texts and versions only, for the others it is the same as `Has`.
    Is,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// What a field is compared with; its variant is that of the field's kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text or a word, as it was typed.
    Text(String),
    /// A number.
    Number(i64),
    /// A size in bytes.
    Bytes(u64),
    /// A length of time in milliseconds.
    Millis(u64),
    /// A version, as it was typed.
    Version(String),
    /// A moment, or how long ago one is.
    When(When),
    /// Something a row is or is not.
    Flag(Flag),
}

impl Filter {
    /// A filter that matches each word of a text anywhere in a row, without interpreting the grammar.
    pub fn words(text: &str) -> Self {
        let term = |word: &str| Term { negated: false, test: Condition::Text(word.to_owned()) };
        Self { terms: text.split_whitespace().map(term).collect() }
    }

    /// A filter of a field that is all of a text, for a field of texts, words or folders.
    pub fn of(field: Field, text: &str) -> Self {
        let op = if field.kind() == FieldKind::Text { Op::Is } else { Op::Has };
        let any = vec![Comparison { op, value: Value::Text(text.to_owned()) }];
        Self { terms: vec![Term { negated: false, test: Condition::Field(field, any) }] }
    }

    /// A filter for rows that are so.
    pub fn flag(flag: Flag) -> Self {
        let any = vec![Comparison { op: Op::Has, value: Value::Flag(flag) }];
        Self { terms: vec![Term { negated: false, test: Condition::Field(Field::Is, any) }] }
    }

    /// Whether every row is wanted.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether it asks for rows that are so.
    pub fn asks(&self, flag: Flag) -> bool {
        let asks = |test: &Condition| matches!(test, Condition::Field(_, any) if any.iter().any(|ask| ask.value == Value::Flag(flag)));
        self.terms.iter().any(|term| !term.negated && asks(&term.test))
    }

    /// The words and phrases that must occur, and nothing else.
    pub fn words_alone(&self) -> Self {
        Self { terms: self.terms.iter().filter(|term| term.is_word()).cloned().collect() }
    }

    /// Everything but the words and phrases that must occur.
    pub fn without_words(&self) -> Self {
        Self { terms: self.terms.iter().filter(|term| !term.is_word()).cloned().collect() }
    }
}

impl Term {
    fn is_word(&self) -> bool {
        !self.negated && matches!(self.test, Condition::Text(_))
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        display::filter(self, f)
    }
}

/// A row that can be filtered.
pub trait Filterable {
    /// The filtered list, which determines the fields.
    const LIST: List;

    /// The lower-case text that bare words are looked for in.
    fn haystack(&self) -> Cow<'_, str>;

    /// Whether any text that it shares with other rows, and that bare words are looked for in too, is as wanted.
    fn any_shared_text(&self, is_wanted: impl Fn(&SharedText) -> bool) -> bool {
        let _ = is_wanted;
        false
    }

    /// Whether the id in lower case is as wanted, where bare words are looked for in it too; false where they are not, or
    /// where `haystack` has it.
    fn is_id(&self, is_wanted: impl FnOnce(&str) -> bool) -> bool {
        let _ = is_wanted;
        false
    }

    /// Whether the row is so.
    fn is(&self, flag: Flag) -> bool {
        let _ = flag;
        false
    }

    /// Whether it is known if the row is so. Where it is not, neither the flag nor its negation takes the row.
    fn knows(&self, flag: Flag) -> bool {
        let _ = flag;
        true
    }
}

/// What conditions of a filter compare.
pub trait Fields {
    /// Whether any text the row has in a field is as wanted; false where it has none.
    fn any_text(&self, field: Field, wanted: &mut dyn FnMut(&str) -> bool) -> bool;

    /// The number of a field: a count, bytes or milliseconds.
    fn number(&self, field: Field) -> Option<i64>;

    /// The moment of a field.
    fn moment(&self, field: Field) -> Option<Timestamp>;
}
