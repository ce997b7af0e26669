//! Makes text from outside safe to display.
//!
//! What must hold: every invisible character becomes visible and no character changes the direction of its
//! surroundings, so that two names that look alike are alike (reliability, row 31; the attack:
//! <https://trojansource.codes>). Copying always copies the original text.

use std::borrow::Cow;
use std::fmt::Write as _;

/// What becomes of newlines and tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaks {
    /// They stay: the text is shown on many lines.
    Kept,
    /// Each becomes a space: the text is a label of one line.
    Spaced,
    /// They are shown as `<U+000A>`, since they would disguise a name.
    Escaped,
}

/// The text with every hidden character written out as `<U+202E>`; borrowed when there is none.
///
/// Emoji sequences stay whole: a joiner or variation selector next to a character that takes one is not hidden there.
pub fn display_text(text: &str, breaks: Breaks) -> Cow<'_, str> {
    let kept = |byte| (0x20..0x7f).contains(&byte) || breaks == Breaks::Kept && matches!(byte, b'\n' | b'\t');
    if text.bytes().all(kept) || !text.chars().any(|c| needs_change(c, breaks)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' | '\t' if breaks == Breaks::Kept => shown.push(c),
            '\r' if breaks == Breaks::Kept && rest.peek() == Some(&'\n') => {}
            '\n' | '\t' | '\r' if breaks == Breaks::Spaced => shown.push(' '),
            '\u{200d}' | '\u{200c}' if joins(before, rest.peek().copied()) => shown.push(c),
            '\u{fe0e}' | '\u{fe0f}' if before.is_some_and(takes_variation) => shown.push(c),
            c if is_hidden(c) => push_escape(&mut shown, c),
            c => shown.push(c),
        }
        before = Some(c);
    }
    Cow::Owned(shown)
}

/// Truncates a text to a number of characters and adds `…`; borrowed if it fits.
pub fn beginning(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// A text with a capital first letter.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Whether a character has no glyph of its own, or changes how its neighbours are laid out: controls (C0, C1), format
/// characters (Cf), line and paragraph separators, fillers, variation selectors, private use and noncharacters.
pub fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    matches!(c,
        '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
        | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
        | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}')
        || (c as u32) & 0xfffe == 0xfffe
}

fn needs_change(c: char, breaks: Breaks) -> bool {
    match c {
        '\n' | '\t' => breaks != Breaks::Kept,
        c => is_hidden(c),
    }
}

fn push_escape(shown: &mut String, c: char) {
    // Writing to a String cannot fail.
    write!(shown, "<U+{:04X}>", c as u32).ok();
}

/// Whether a joiner between these two shapes what is seen: an emoji sequence, or a script that writes with joiners.
fn joins(before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    let emoji = |c| is_pictograph(c) || c == '\u{fe0f}' || ('\u{1f3fb}'..='\u{1f3ff}').contains(&c);
    let shaped = |c| matches!(c, '\u{620}'..='\u{6d3}' | '\u{750}'..='\u{77f}' | '\u{900}'..='\u{dff}');
    (emoji(before) && is_pictograph(after)) || (shaped(before) && shaped(after))
}

fn takes_variation(c: char) -> bool {
    is_pictograph(c) || c.is_ascii_digit() || matches!(c, '#' | '*' | '©' | '®')
}

fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}'
        | '\u{24c2}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}' | '\u{3030}'
        | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_of_any_script_is_borrowed() {
        for text in [
            "",
            "main.rs",
            "Grüße, 日本語, العربية, עברית",
            "é\u{301}",
            "👩\u{200d}💻 ❤\u{fe0f} 1\u{fe0f}\u{20e3}",
            "میخواهم",
        ] {
            assert_eq!(display_text(text, Breaks::Escaped), text);
        }
        assert!(matches!(display_text("日本語", Breaks::Kept), Cow::Borrowed(_)));
    }

    #[test]
    fn bidi_controls_and_zero_width_characters_are_escaped() {
        assert_eq!(display_text("evil\u{202e}gpj.exe", Breaks::Escaped), "evil<U+202E>gpj.exe");
        assert_eq!(display_text("a\u{200b}b\u{feff}\u{2066}", Breaks::Spaced), "a<U+200B>b<U+FEFF><U+2066>");
        assert_eq!(display_text("a\u{200d}b", Breaks::Spaced), "a<U+200D>b");
        assert_eq!(display_text("tag \u{e0041}", Breaks::Kept), "tag <U+E0041>");
    }

    #[test]
    fn controls_never_reach_a_terminal_or_label() {
        assert_eq!(display_text("\u{1b}[31mred\u{7}\0\u{9b}", Breaks::Kept), "<U+001B>[31mred<U+0007><U+0000><U+009B>");
    }

    #[test]
    fn newlines_and_tabs_follow_the_setting() {
        assert_eq!(display_text("a\r\n\tb\rc", Breaks::Kept), "a\n\tb<U+000D>c");
        assert_eq!(display_text("a\n\tb", Breaks::Spaced), "a  b");
        assert_eq!(display_text("a\n\tb", Breaks::Escaped), "a<U+000A><U+0009>b");
    }

    #[test]
    fn invisible_characters_are_always_escaped() {
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32).filter(|c| is_hidden(*c)) {
            let shown = display_text(&format!("x{c}y"), Breaks::Escaped).into_owned();
            assert_eq!(shown, format!("x<U+{:04X}>y", c as u32));
        }
    }
}
