//! What a text costs when it is drawn: some short texts would take seconds in every frame.

use pulldown_cmark::{Event, Parser, Tag};

/// A text with elements nested deeper than this is not rendered: the cost grows with the square of the depth.
const MAX_DEPTH: usize = 64;
/// A text with more cells of tables is not rendered: each is laid out in every frame, and short rows are filled up.
const MAX_CELLS: usize = 4_096;
/// A text with more parts in the first line of a quote is not rendered: in every frame the toolkit removes those of the
/// title of a note one by one.
const MAX_TITLE_PARTS: usize = 64;

/// The longest text that may be the title of a note, such as `[!IMPORTANT]`, in bytes. Others are not looked at.
const LONGEST_TITLE: usize = 16;

/// Returns whether a text would take too long to be drawn: nested too deeply, or with too many cells.
pub(super) fn is_too_high(text: &str) -> bool {
    let (mut depth, mut cells): (usize, usize) = (0, 0);
    // Within the first line of a quote: its parts so far, and the length of the text in them.
    let mut title: Option<(usize, usize)> = None;
    Parser::new_ext(text, super::options()).any(|event| {
        title = match &event {
            Event::Start(Tag::BlockQuote(_)) => Some((0, 0)),
            Event::End(_) | Event::SoftBreak | Event::HardBreak => None,
            Event::Text(text) => title.map(|(parts, length)| (parts + 1, length + text.len())),
            _ => title.map(|(parts, length)| (parts + 1, length)),
        }
        .filter(|(_, length)| *length <= LONGEST_TITLE);
        match event {
            Event::Start(tag) => {
                depth += 1;
                cells += usize::from(matches!(tag, Tag::TableCell));
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
        depth > MAX_DEPTH || cells > MAX_CELLS || title.is_some_and(|(parts, _)| parts > MAX_TITLE_PARTS)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_would_take_too_long_to_draw_is_recognised() {
        let table = format!("{}\n{}\n{}", "|a".repeat(512), "|-".repeat(512), "|a\n".repeat(512));
        let emphasis = format!("> {}[!NOTE]{}", "*".repeat(32_000), "*".repeat(32_000));
        let title = format!("> [!NOTE]{}", "<b>".repeat(10_000));
        let quotes = format!("{} deep", ">".repeat(1_000));
        for source in [table, emphasis, title, quotes] {
            assert!(is_too_high(&source), "{}", &source[..40]);
        }
        let usual = "> [!NOTE]\n> a `b` *c*\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
        let long = format!("{usual}{}", "| 1 | 2 |\n".repeat(1_000));
        let references = format!("> A sentence.{}", "[12] Another *one*. ".repeat(200));
        let coded = format!("> {}", "`a` ".repeat(200));
        for source in [usual, &long, &references, &coded] {
            assert!(!is_too_high(source), "{source}");
        }
    }
}
