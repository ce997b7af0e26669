//! The words that differ between two lines.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Of two lines of which one has more bytes than this, all between the common beginning and end has changed.
pub const MAX_WORDS_BYTES: usize = 4_000;

/// Returns the bytes that differ in each of two lines, in order; adjacent ones are one range.
pub fn changed_words(left: &str, right: &str) -> [Vec<Range<usize>>; 2] {
    if left.len().max(right.len()) > MAX_WORDS_BYTES {
        return between_common_ends(left, right);
    }
    let [one, other] = [left, right].map(words);
    let texts = |line: &'_ str, words: &[Range<usize>]| -> Vec<String> {
        words.iter().map(|word| line[word.clone()].to_owned()).collect()
    };
    let ops = capture_diff_slices(Algorithm::Myers, &texts(left, &one), &texts(right, &other));
    let mut changed = [Vec::new(), Vec::new()];
    for op in ops.into_iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
        add(&mut changed[0], &one, op.old_range());
        add(&mut changed[1], &other, op.new_range());
    }
    changed
}

/// Adds the bytes of some words to the changed ones.
fn add(changed: &mut Vec<Range<usize>>, words: &[Range<usize>], of: Range<usize>) {
    let Some([first, .., last] | [first @ last]) = words.get(of).filter(|words| !words.is_empty()) else { return };
    match changed.last_mut() {
        Some(before) if before.end == first.start => before.end = last.end,
        _ => changed.push(first.start..last.end),
    }
}

/// Splits a line: a word is letters, digits and underscores, or whitespace, or one other character.
fn words(line: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut before = Class::Other;
    for (start, letter) in line.char_indices() {
        let class = Class::of(letter);
        let end = start + letter.len_utf8();
        match words.last_mut() {
            Some(word) if class == before && class != Class::Other => word.end = end,
            _ => words.push(start..end),
        }
        before = class;
    }
    words
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Other,
}

impl Class {
    fn of(letter: char) -> Self {
        match letter {
            _ if letter.is_alphanumeric() || letter == '_' => Self::Word,
            _ if letter.is_whitespace() => Self::Space,
            _ => Self::Other,
        }
    }
}

fn between_common_ends(left: &str, right: &str) -> [Vec<Range<usize>>; 2] {
    let start = same_bytes(left.chars().zip(right.chars()));
    let (one, other) = (&left[start..], &right[start..]);
    let ends = same_bytes(one.chars().rev().zip(other.chars().rev()));
    [left, right].map(|line| {
        let changed = start..line.len() - ends;
        Some(changed).filter(|changed| !changed.is_empty()).into_iter().collect()
    })
}

/// Returns how many bytes the characters have that are equal at the beginning.
fn same_bytes(pairs: impl Iterator<Item = (char, char)>) -> usize {
    pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}
