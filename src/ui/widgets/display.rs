//! Text as it is put on screen.

use lunette_client::model::display::{Breaks, display_text};
use std::borrow::Cow;

/// The text with control, invisible and direction characters as visible escapes, on one line.
pub fn shown(text: &str) -> Cow<'_, str> {
    display_text(text, Breaks::Escaped)
}

/// [`shown`] of at most `limit` characters of the text, with an ellipsis where it was cut.
pub fn shown_short(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => shown(text),
        Some((end, _)) => {
            let mut cut = shown(&text[..end]).into_owned();
            cut.push('…');
            Cow::Owned(cut)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_eq!(shown_short("日本語メモ", 3), "日本語…");
        assert_eq!(shown_short("abc", 3), "abc");
    }
}
