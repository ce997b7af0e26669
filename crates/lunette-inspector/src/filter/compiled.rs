//! A filter made ready: which rows it leaves, seen from one moment.

use jiff::{Timestamp, ZonedDateTime};
use memchr::memmem::Finder;

use super::field::{Field, FieldKind};
use super::shared_text::{Memory, SharedText};
use super::version::{numbers, significant};
use super::{Comparison, Condition, Fields, Filter, Filterable, Op, Term, Value};

/// Tells which rows a filter leaves. Making one costs little; asking it does not allocate for bare words.
pub struct CompiledFilter {
    /// Texts that must occur.
    words: Vec<Word>,
    /// Texts that must not.
    without: Vec<Word>,
    fields: Vec<(bool, Field, Vec<Ready>)>,
}

/// A text that is looked for, in lower case.
struct Word {
    finder: Finder<'static>,
    /// Whether an id may hold it: most words need not be looked for there.
    in_ids: bool,
    /// In which of the texts that rows share it occurs.
    memory: Memory,
}

impl Word {
    fn new(text: &str) -> Self {
        let lower = text.to_lowercase();
        let in_ids = lower.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-'));
        Self { finder: Finder::new(lower.as_bytes()).into_owned(), in_ids, memory: Memory::new() }
    }

    fn occurs<R: Filterable + ?Sized>(&self, haystack: &str, row: &R) -> bool {
        let in_shared =
            |text: &SharedText| self.memory.recall(text, |text| self.finder.find(text.as_bytes()).is_some());
        self.finder.find(haystack.as_bytes()).is_some()
            || row.any_shared_text(in_shared)
            || self.in_ids && row.is_id(|id| self.finder.find(id.as_bytes()).is_some())
    }
}

/// One question to a field, made ready.
enum Ready {
    /// Lower-case, and whether it is all of the text.
    Text {
        lower: String,
        whole: bool,
    },
    /// Lower-case: the folder, or one that it is in.
    Folder(String),
    Number(Op, i64),
    Version(Op, Vec<u64>),
    Moment(Option<Timestamp>, Option<Timestamp>),
    Flag(super::Flag),
}

impl CompiledFilter {
    /// Makes a filter ready; ages are counted from `now`, days are those of its time zone.
    pub fn new(filter: &Filter, now: &ZonedDateTime) -> Self {
        let mut compiled = Self { words: Vec::new(), without: Vec::new(), fields: Vec::new() };
        for Term { negated, test } in &filter.terms {
            match test {
                Condition::Text(text) => {
                    let word = Word::new(text);
                    if *negated { compiled.without.push(word) } else { compiled.words.push(word) }
                }
                Condition::Field(field, any) => {
                    let any = any.iter().map(|ask| ready(*field, ask, now)).collect();
                    compiled.fields.push((*negated, *field, any));
                }
            }
        }
        compiled
    }

    /// Whether it leaves the row.
    pub fn takes<R: Filterable + Fields + ?Sized>(&self, row: &R) -> bool {
        let Self { words, without, fields } = self;
        if !words.is_empty() || !without.is_empty() {
            let haystack = row.haystack();
            let has = |word: &Word| word.occurs(&haystack, row);
            if !words.iter().all(has) || without.iter().any(has) {
                return false;
            }
        }
        fields.iter().all(|(negated, field, any)| {
            let known = !negated || any.iter().all(|ready| is_known(row, ready));
            known && any.iter().any(|ready| answers(row, *field, ready)) != *negated
        })
    }
}

fn ready(field: Field, ask: &Comparison, now: &ZonedDateTime) -> Ready {
    let op = ask.op;
    match &ask.value {
        Value::Text(text) => {
            if field.kind() == FieldKind::Folder && op == Op::Has {
                return Ready::Folder(text.trim_end_matches('/').to_lowercase());
            }
            let whole = op == Op::Is || field.kind() == FieldKind::Word;
            Ready::Text { lower: text.to_lowercase(), whole }
        }
        Value::Number(number) => Ready::Number(op, *number),
        Value::Bytes(number) | Value::Millis(number) => Ready::Number(op, i64::try_from(*number).unwrap_or(i64::MAX)),
        // As a beginning every number counts, and in a comparison 1.2 is 1.2.0.
        Value::Version(text) if op == Op::Has => Ready::Version(op, numbers(text)),
        Value::Version(text) => Ready::Version(op, significant(numbers(text))),
        Value::When(when) => {
            let (from, to) = when.bounds(op, now);
            Ready::Moment(from, to)
        }
        Value::Flag(flag) => Ready::Flag(*flag),
    }
}

/// Whether it is known if the row is as wanted.
fn is_known<R: Filterable + ?Sized>(row: &R, ready: &Ready) -> bool {
    match ready {
        Ready::Flag(flag) => row.knows(*flag),
        Ready::Text { .. } | Ready::Folder(_) | Ready::Number(..) | Ready::Version(..) | Ready::Moment(..) => true,
    }
}

fn answers<R: Filterable + Fields + ?Sized>(row: &R, field: Field, ready: &Ready) -> bool {
    match ready {
        Ready::Text { lower, whole } => row.any_text(field, &mut |text| match whole {
            true => is_folded(text, lower),
            false => holds_folded(text, lower),
        }),
        Ready::Folder(lower) => row.any_text(field, &mut |folder| is_in_folder(folder, lower)),
        Ready::Number(op, wanted) => row.number(field).is_some_and(|number| compares(&number, *op, wanted)),
        Ready::Version(op, wanted) => row.any_text(field, &mut |text| {
            let found_numbers = numbers(text);
            match op {
                _ if found_numbers.is_empty() => false,
                Op::Has => found_numbers.starts_with(wanted),
                op => compares(&significant(found_numbers), *op, wanted),
            }
        }),
        Ready::Moment(from, to) => row
            .moment(field)
            .is_some_and(|moment| from.is_none_or(|from| moment >= from) && to.is_none_or(|to| moment < to)),
        Ready::Flag(flag) => row.is(*flag),
    }
}

fn compares<T: Ord>(one: &T, op: Op, other: &T) -> bool {
    match op {
        Op::Has | Op::Is => one == other,
        Op::Less => one < other,
        Op::AtMost => one <= other,
        Op::More => one > other,
        Op::AtLeast => one >= other,
    }
}

/// Whether a text is this lower-case one, but for its case.
fn is_folded(text: &str, lower: &str) -> bool {
    if text.is_ascii() { text.eq_ignore_ascii_case(lower) } else { text.to_lowercase() == lower }
}

/// Whether a folder is this lower-case one or in it, but for the case.
fn is_in_folder(folder: &str, lower: &str) -> bool {
    if !folder.is_ascii() {
        let folder = folder.to_lowercase();
        return folder.strip_prefix(lower).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    }
    let (folder, lower) = (folder.as_bytes(), lower.as_bytes());
    folder.get(..lower.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(lower))
        && matches!(folder.get(lower.len()), None | Some(b'/'))
}

/// Whether a text holds this lower-case one, but for its case.
fn holds_folded(text: &str, lower: &str) -> bool {
    if !text.is_ascii() {
        return text.to_lowercase().contains(lower);
    }
    let (text, lower) = (text.as_bytes(), lower.as_bytes());
    lower.is_empty() || text.windows(lower.len()).any(|part| part.eq_ignore_ascii_case(lower))
}
