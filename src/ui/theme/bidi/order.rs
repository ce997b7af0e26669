//! The visual order of the glyphs of one row.

use std::ops::Range;

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};

/// A position in the row, from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    /// The glyph at this position.
    pub glyph: usize,
    /// The glyph it is drawn as: itself, or its mirror image for a bracket within right-to-left text.
    pub looks: usize,
}

/// Characters that are mirrored within right-to-left text; rare ones are omitted.
const MIRRORED: [(char, char); 6] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('«', '»'), ('‹', '›')];

/// Returns whether the text contains a right-to-left letter.
pub(super) fn contains_rtl(text: &str) -> bool {
    !text.is_ascii() && text.chars().any(is_rtl)
}

/// Returns whether a paragraph is right-to-left, which its first letter decides (UAX #9, P2 and P3).
pub(super) fn is_rtl_paragraph(paragraph: &str) -> bool {
    let strong = |c: char| matches!(bidi_class(c), BidiClass::L | BidiClass::R | BidiClass::AL);
    paragraph.chars().find(|c| strong(*c)).is_some_and(is_rtl)
}

/// Returns the glyphs of a row in visual order; `None` if they are in that order already.
///
/// `glyphs` are as the toolkit places them: in logical order, but each run of one right-to-left script reversed.
pub(super) fn visual_order(glyphs: &[char], rtl: bool) -> Option<Vec<Slot>> {
    let logical_order = logical_order(glyphs);
    let text: String = logical_order.iter().map(|&glyph| glyphs[glyph]).collect();
    if !contains_rtl(&text) {
        return None;
    }
    let levels = levels(&text, rtl);
    let order = BidiInfo::reorder_visual(&levels);
    let mirrors = Mirrors::of(glyphs);
    let slot = |index: usize| {
        let glyph = logical_order[index];
        let looks = if levels[index].is_rtl() { mirrors.of_glyph(glyphs[glyph]) } else { None };
        Slot { glyph, looks: looks.unwrap_or(glyph) }
    };
    let slots: Vec<Slot> = order.into_iter().map(slot).collect();
    let same = slots.iter().enumerate().all(|(index, slot)| slot.glyph == index && slot.looks == index);
    (!same).then_some(slots)
}

/// A character of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Where it is drawn: how many characters are to the left of it.
    pub slot: usize,
    /// Whether it is read from the right.
    pub rtl: bool,
}

/// Returns the place of each character of a row; `None` if all of them are read from the left.
pub(super) fn places(text: &str) -> Option<Vec<Place>> {
    if !contains_rtl(text) {
        return None;
    }
    let levels = levels(text, is_rtl_paragraph(text));
    let mut places: Vec<Place> = levels.iter().map(|level| Place { slot: 0, rtl: level.is_rtl() }).collect();
    for (slot, index) in BidiInfo::reorder_visual(&levels).into_iter().enumerate() {
        places[index].slot = slot;
    }
    Some(places)
}

/// Returns the width of each character of a row, from the glyphs that the toolkit made of it; `None` if they are not those of
/// the row.
///
/// The toolkit has one glyph for each character, but for a word from the right: its glyphs are in reverse, a ligature is one,
/// and behind them are some without a width.
pub(super) fn widths(text: &str, glyphs: &[(char, f32)]) -> Option<Vec<f32>> {
    let chars: Vec<char> = text.chars().collect();
    let (of_text, of_glyphs) = (scripts(chars.iter().copied()), scripts(glyphs.iter().map(|(chr, _)| *chr)));
    let (mut widths, mut rest) = (Vec::with_capacity(chars.len()), 0);
    for run in of_text.chunk_by(|one, other| one == other) {
        let letters = &chars[widths.len()..widths.len() + run.len()];
        let count = of_glyphs[rest..].iter().take_while(|script| **script == run[0]).count();
        let drawn = &glyphs[rest..rest + count];
        rest += count;
        if letters.iter().copied().any(is_rtl) {
            let mut wide = drawn.iter().rev().filter(|(_, width)| *width > 0.0).peekable();
            let width = |letter: &char| wide.next_if(|(chr, _)| chr == letter).map_or(0.0, |(_, width)| *width);
            widths.extend(letters.iter().map(width));
        } else {
            widths.extend(drawn.iter().map(|(_, width)| *width));
            if drawn.len() != letters.len() {
                return None;
            }
        }
    }
    (rest == glyphs.len()).then_some(widths)
}

/// Returns for each character whether it is of a right-to-left script; a mark is of that before it.
fn scripts(chars: impl Iterator<Item = char>) -> Vec<bool> {
    let script = |before: &mut bool, c: char| {
        *before = if bidi_class(c) == BidiClass::NSM { *before } else { is_of_rtl_script(c) };
        Some(*before)
    };
    chars.scan(false, script).collect()
}

/// Returns the level of each character of a paragraph.
fn levels(text: &str, rtl: bool) -> Vec<Level> {
    let base = if rtl { Level::rtl() } else { Level::ltr() };
    let info = BidiInfo::new(text, Some(base));
    text.char_indices().map(|(byte, _)| info.levels[byte]).collect()
}

/// Returns the positions of a word that was cut off: of a right-to-left word the toolkit omits the beginning, so that
/// the rest is meaningless. `next` is the next character of the text. `None` if the cut is between words, or if the row
/// would be empty without the word.
pub(super) fn cut_word(glyphs: &[char], next: char) -> Option<Range<usize>> {
    let end = glyphs.len().checked_sub(1)?;
    let word = glyphs[..end].iter().rev().take_while(|chr| is_of_rtl_script(**chr)).count();
    (is_of_rtl_script(next) && word > 0 && word < end).then(|| end - word..end)
}

/// Returns the positions of the glyphs in logical order: runs shaped from the right are reversed.
fn logical_order(glyphs: &[char]) -> Vec<usize> {
    let mut logical_order: Vec<usize> = (0..glyphs.len()).collect();
    let mut rest = 0;
    for run in glyphs.chunk_by(|one, other| is_of_rtl_script(*one) == is_of_rtl_script(*other)) {
        let range = rest..rest + run.len();
        rest = range.end;
        if run.iter().copied().any(is_rtl) {
            logical_order[range].reverse();
        }
    }
    logical_order
}

/// For each pair of [`MIRRORED`] the first glyphs of the row that look like its characters. They are found once: a row may
/// have a hundred thousand brackets.
struct Mirrors([(Option<usize>, Option<usize>); MIRRORED.len()]);

impl Mirrors {
    fn of(glyphs: &[char]) -> Self {
        let first = |chr: char| glyphs.iter().position(|glyph| *glyph == chr);
        Self(MIRRORED.map(|(open, close)| (first(open), first(close))))
    }

    /// Returns a glyph of the row that looks like the mirror image of a bracket.
    fn of_glyph(&self, chr: char) -> Option<usize> {
        MIRRORED.iter().zip(self.0).find_map(|(&(open, close), (first_open, first_close))| match chr {
            chr if chr == open => Some(first_close),
            chr if chr == close => Some(first_open),
            _ => None,
        })?
    }
}

fn is_rtl(c: char) -> bool {
    matches!(bidi_class(c), BidiClass::R | BidiClass::AL)
}

/// Returns whether a character is shaped in one run with right-to-left letters: those of their blocks, and their marks.
fn is_of_rtl_script(c: char) -> bool {
    let block = matches!(u32::from(c), 0x590..=0x8ff | 0xfb1d..=0xfdff | 0xfe70..=0xfefe | 0x1_0800..=0x1_0fff
        | 0x1_e800..=0x1_efff);
    block || bidi_class(c) == BidiClass::NSM
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A row as the toolkit places it, and in visual order, from left to right.
    fn read(set: &str, rtl: bool) -> String {
        let glyphs: Vec<char> = set.chars().collect();
        match visual_order(&glyphs, rtl) {
            None => set.to_owned(),
            Some(slots) => slots.iter().map(|slot| glyphs[slot.looks]).collect(),
        }
    }

    #[test]
    fn numbers_and_latin_words_keep_their_own_order() {
        // "אב 12 גד", with its words placed from the left.
        assert_eq!(read("בא 12 דג", true), "דג 12 בא");
        assert_eq!(read("בא file.rs דג", true), "דג file.rs בא");
        assert_eq!(read("a בא, דג b", false), "a דג ,בא b");
    }

    #[test]
    fn brackets_turn_around() {
        assert_eq!(read("(בא) דג", true), "דג (בא)");
    }

    #[test]
    fn a_long_row_of_brackets_is_ordered_in_time() {
        let glyphs: Vec<char> = std::iter::once('א').chain(std::iter::repeat_n('(', 500_000)).collect();
        // With a search for each bracket this takes hours.
        assert_eq!(visual_order(&glyphs, true).map(|slots| slots.len()), Some(glyphs.len()));
    }

    #[test]
    fn arabic_digits_beside_letters_are_not_turned() {
        // "س٣٤" is shaped from the right as a whole.
        assert_eq!(read("٤٣س", true), "٣٤س");
    }

    #[test]
    fn a_row_in_visual_order_is_unchanged() {
        assert_eq!(visual_order(&"abc דג".chars().collect::<Vec<_>>(), false), None);
        assert!(!is_rtl_paragraph("12 abc אב") && is_rtl_paragraph("12 אב abc"));
    }

    proptest! {
        #[test]
        fn every_sign_is_drawn_once(set in "[ a-c0-9()אבגدرسً٣،\u{301}]{0,40}", rtl: bool) {
            let glyphs: Vec<char> = set.chars().collect();
            if let Some(slots) = visual_order(&glyphs, rtl) {
                let mut indices: Vec<usize> = slots.iter().map(|slot| slot.glyph).collect();
                indices.sort_unstable();
                prop_assert_eq!(indices, (0..glyphs.len()).collect::<Vec<_>>());
                prop_assert!(slots.iter().all(|slot| slot.looks < glyphs.len()));
            }
        }
    }
}
