//! Characters, words and columns of a text.

use std::ops::Range;

use unicode_width::UnicodeWidthChar as _;

/// How many columns a tab takes.
pub const TAB: usize = 4;

/// What a character is to words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Break,
    Word,
    Other,
}

fn class(c: char) -> Class {
    match c {
        '\n' => Class::Break,
        c if c.is_whitespace() => Class::Space,
        c if c.is_alphanumeric() || c == '_' => Class::Word,
        _ => Class::Other,
    }
}

/// Returns whether a character is part of a word.
pub fn is_word(c: char) -> bool {
    class(c) == Class::Word
}

/// Returns whether a character is drawn with the one before it.
fn joins(c: char) -> bool {
    c != '\n' && c.width() == Some(0)
}

/// Returns the boundary after the character at a byte, with the marks that belong to it.
pub fn next(text: &str, byte: usize) -> usize {
    let mut rest = text[byte..].char_indices().skip(1).skip_while(|(_, c)| joins(*c));
    rest.next().map_or(text.len(), |(offset, _)| byte + offset)
}

/// Returns the boundary before the character that ends at a byte.
pub fn previous(text: &str, byte: usize) -> usize {
    text[..byte].char_indices().rev().find(|(_, c)| !joins(*c)).map_or(0, |(offset, _)| offset)
}

/// Returns the end of the word after a byte.
pub fn next_word(text: &str, byte: usize) -> usize {
    let mut rest = text[byte..].char_indices().peekable();
    if rest.next_if(|(_, c)| *c == '\n').is_none() {
        while rest.next_if(|(_, c)| class(*c) == Class::Space).is_some() {}
        if let Some((_, c)) = rest.next_if(|(_, c)| *c != '\n') {
            while rest.next_if(|(_, next)| class(*next) == class(c) || joins(*next)).is_some() {}
        }
    }
    rest.peek().map_or(text.len(), |(offset, _)| byte + offset)
}

/// Returns the start of the word before a byte.
pub fn previous_word(text: &str, byte: usize) -> usize {
    let mut at = byte;
    let mut before = text[..byte].char_indices().rev().peekable();
    let mut take = |wanted: &dyn Fn(char) -> bool, most: usize| {
        let mut count = 0;
        while count < most
            && let Some((offset, _)) = before.next_if(|(_, c)| wanted(*c))
        {
            at = offset;
            count += 1;
        }
        count
    };
    if take(&|c| c == '\n', 1) == 0 {
        take(&|c| class(c) == Class::Space, usize::MAX);
        let words = take(&is_word, usize::MAX);
        if words == 0 {
            take(&|c| class(c) == Class::Other, usize::MAX);
        }
    }
    at
}

/// Returns the word, space or sign around a byte, within its line.
pub fn word_at(text: &str, byte: usize) -> Range<usize> {
    let after = text[byte..].chars().next().filter(|c| *c != '\n');
    let before = text[..byte].chars().next_back().filter(|c| *c != '\n');
    let (Some(wanted), start) = (match (before, after) {
        (Some(before), Some(after)) if is_word(before) && !is_word(after) => (Some(class(before)), byte),
        (Some(before), None) => (Some(class(before)), byte),
        (_, after) => (after.map(class), byte),
    }) else {
        return byte..byte;
    };
    let same = |c: char| class(c) == wanted;
    let end = text[start..].char_indices().find(|(_, c)| !same(*c)).map_or(text.len(), |(offset, _)| start + offset);
    let length: usize = text[..start].chars().rev().take_while(|c| same(*c)).map(char::len_utf8).sum();
    start - length..end
}

/// Returns how many columns a character takes. A hidden one is drawn as a mark.
pub fn width(c: char) -> usize {
    match c {
        '\t' => TAB,
        ' '..='~' => 1,
        c => c.width().unwrap_or(1),
    }
}

/// Returns how many columns a text takes.
pub fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// Returns the byte of a line at a column; the nearest boundary before it, at most the end.
pub fn byte_at_column(line: &str, column: usize) -> usize {
    let mut used = 0;
    for (offset, c) in line.char_indices() {
        let width = width(c);
        if used + width > column {
            return offset;
        }
        used += width;
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_over_characters_with_their_marks() {
        let text = "e\u{301}日\n";
        assert_eq!((next(text, 0), next(text, 3), next(text, 6), next(text, 7)), (3, 6, 7, 7));
        assert_eq!((previous(text, 7), previous(text, 6), previous(text, 3), previous(text, 0)), (6, 3, 0, 0));
    }

    #[test]
    fn words_end_at_signs_and_at_the_end_of_a_line() {
        let text = "let a_b = f(x);\n  y";
        assert_eq!([0, 3, 7, 9, 11, 15].map(|byte| next_word(text, byte)), [3, 7, 9, 11, 12, 16]);
        assert_eq!([19, 18, 16, 15, 7, 0].map(|byte| previous_word(text, byte)), [18, 16, 15, 13, 4, 0]);
        assert_eq!([5, 4, 7, 15].map(|byte| word_at(text, byte)), [4..7, 4..7, 4..7, 13..15]);
        assert_eq!(word_at("", 0), 0..0);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!((columns("a\t日"), byte_at_column("a\t日b", 6), byte_at_column("a日b", 3)), (7, 2, 4));
        assert_eq!((byte_at_column("日本", 1), byte_at_column("ab", 9)), (0, 2));
    }
}
