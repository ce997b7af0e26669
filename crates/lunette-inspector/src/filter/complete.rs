//! Completion: names of fields, and known values.

use std::ops::Range;

use super::display::value_text;
use super::field::{Field, List};
use lunette_client::model::size::grouped;

/// The maximum number of choices.
const OFFERED: usize = 8;

/// The choices for a part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The bytes of the text that a choice replaces.
    pub span: Range<usize>,
    /// The choices, the best first.
    pub choices: Vec<Choice>,
}

/// A known value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownValue {
    /// The value.
    pub text: String,
    /// How many rows have it, if it occurs.
    pub count: Option<usize>,
}

impl From<String> for KnownValue {
    fn from(text: String) -> Self {
        Self { text, count: None }
    }
}

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The inserted text.
    pub text: String,
    /// A short description.
    pub about: String,
}

/// The choices at the cursor, whose position is given in bytes; `None` if there are none. Names are offered from their
/// first letter on, values once their field is complete and until the value is; `known` returns those of a field, in
/// any order.
pub fn complete(text: &str, cursor: usize, list: List, known: &dyn Fn(Field) -> Vec<KnownValue>) -> Option<Completion> {
    let before = text.get(..cursor)?;
    let start = word_start(before)?;
    let word = &before[start..];
    let (word, start) = match word.strip_prefix('-') {
        Some(rest) => (rest, start + 1),
        None => (word, start),
    };
    let (start, choices) = match word.split_once(':') {
        None if word.is_empty() || !word.chars().all(|c| c.is_ascii_alphabetic()) => return None,
        None => (start, names(word, list)),
        Some((name, rest)) => {
            let field = list.field(name)?;
            let typed = rest.rsplit(',').next().unwrap_or(rest);
            let typed = typed.strip_prefix('=').unwrap_or(typed);
            (before.len() - typed.len(), values(typed.trim_start_matches('"'), field, list, known))
        }
    };
    let after = &text[cursor..];
    let end = cursor + after.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(after.len());
    let current = text.get(start..end).unwrap_or_default();
    // The text at the cursor is not a choice itself.
    let choices: Vec<Choice> = choices.into_iter().filter(|choice| choice.text != current).take(OFFERED).collect();
    (!choices.is_empty()).then_some(Completion { span: start..end, choices })
}

/// The start of the word at the end of a text; `None` within quotes that do not belong to a field.
fn word_start(before: &str) -> Option<usize> {
    let (mut start, mut quoted, mut escaped) = (0, false, false);
    for (offset, c) in before.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => start = offset + c.len_utf8(),
            _ => {}
        }
    }
    let word = &before[start..];
    (!word.starts_with('"') && !word.starts_with("-\"")).then_some(start)
}

fn names(word: &str, list: List) -> Vec<Choice> {
    let word = word.to_ascii_lowercase();
    let fields = list.fields().iter().filter(|field| field.name().starts_with(&word));
    fields.map(|field| Choice { text: format!("{}:", field.name()), about: field.example().to_owned() }).collect()
}

fn values(typed: &str, field: Field, list: List, known: &dyn Fn(Field) -> Vec<KnownValue>) -> Vec<Choice> {
    let typed = typed.trim_end_matches('"').to_lowercase();
    if field == Field::Is {
        let words = list.flags().iter().map(|flag| flag.word()).filter(|word| word.starts_with(&typed));
        return words.map(|word| Choice { text: word.to_owned(), about: String::new() }).collect();
    }
    let mut values: Vec<(bool, KnownValue)> = known(field)
        .into_iter()
        .filter_map(|value| {
            let offset = value.text.to_lowercase().find(&typed)?;
            (!value.text.is_empty()).then_some((offset > 0, value))
        })
        .collect();
    if values.iter().any(|(_, value)| value.text.to_lowercase() == typed) {
        return Vec::new();
    }
    // Values with this prefix come first, ordered by frequency and then alphabetically.
    values.sort_unstable_by(|(inside, one), (other_inside, other)| {
        (inside, std::cmp::Reverse(one.count), &one.text).cmp(&(
            other_inside,
            std::cmp::Reverse(other.count),
            &other.text,
        ))
    });
    values.dedup_by(|(_, one), (_, other)| one.text == other.text);
    let about = |count: Option<usize>| count.map(|count| grouped(count as u64)).unwrap_or_default();
    let choice = |(_, value): (bool, KnownValue)| Choice { text: value_text(&value.text), about: about(value.count) };
    values.into_iter().take(OFFERED + 1).map(choice).collect()
}
