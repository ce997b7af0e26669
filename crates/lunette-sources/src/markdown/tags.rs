//! The tags in the text of a note: a hash sign and letters, digits, `_`, `-` or `/`, not digits alone.
//!
//! What must hold: code, formulas, HTML, addresses and links to other notes have no tags.

use pulldown_cmark::{Event, LinkType, Tag, TagEnd};

use super::{TooComplex, elements};

/// What code, a formula, HTML or a link to another note is replaced by: neither a part of a word nor a space.
const OBJECT: char = '\u{fffc}';

/// The tags of a text, in order.
pub(crate) fn hash_tags(text: &str) -> Result<Vec<String>, TooComplex> {
    let mut tags = Vec::new();
    tags_of(&plain(text)?, &mut tags);
    Ok(tags)
}

/// The text of a note as it is written, without marks and without what has no tags.
fn plain(text: &str) -> Result<String, TooComplex> {
    let mut plain = String::new();
    // Whether each element that is open has tags, and how many of them have none.
    let (mut open, mut hidden): (Vec<bool>, usize) = (Vec::new(), 0);
    let mut end = 0;
    for (event, range) in elements(text)? {
        match &event {
            Event::Start(tag) => {
                open.push(has_tags(tag));
                hidden += usize::from(!has_tags(tag));
                plain.push_str(match tag {
                    Tag::Emphasis | Tag::Strong | Tag::Strikethrough => "",
                    Tag::Link { .. } | Tag::Image { .. } => "[",
                    _ => "\n",
                });
            }
            Event::End(tag) => {
                hidden -= usize::from(open.pop() == Some(false));
                match tag {
                    TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => {}
                    TagEnd::Link | TagEnd::Image => plain.push(OBJECT),
                    _ => plain.push('\n'),
                }
            }
            Event::Text(_) if hidden == 0 => {
                // A hash sign after a backslash is only a hash sign.
                if text.get(end..range.start).is_some_and(|skipped| skipped.ends_with('\\')) {
                    plain.push(OBJECT);
                }
                plain.push_str(text.get(range.clone()).unwrap_or_default());
            }
            Event::SoftBreak | Event::HardBreak | Event::Rule | Event::TaskListMarker(_) => plain.push('\n'),
            _ => plain.push(OBJECT),
        }
        end = match event {
            Event::Start(_) => range.start,
            _ => range.end,
        };
    }
    Ok(plain)
}

/// Whether the text in an element may have tags.
fn has_tags(tag: &Tag<'_>) -> bool {
    match tag {
        Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::MetadataBlock(_) => false,
        Tag::Link { link_type, .. } | Tag::Image { link_type, .. } => {
            !matches!(link_type, LinkType::WikiLink { .. } | LinkType::Autolink | LinkType::Email)
        }
        _ => true,
    }
}

fn tags_of(text: &str, tags: &mut Vec<String>) {
    let is_part = |letter: char| letter.is_alphanumeric() || "_-/".contains(letter);
    for (at, _) in text.match_indices('#') {
        let mut before = text[..at].chars().rev();
        let starts = match before.next() {
            // An address with spaces, and a link to a note over several lines, are text.
            Some('(') => before.next() != Some(']'),
            Some('[') => before.next() != Some('['),
            Some(letter) => letter.is_whitespace() || letter == ',',
            None => true,
        };
        let rest = &text[at + 1..];
        let tag = &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())];
        if starts && tag.chars().any(|letter| !letter.is_numeric() && letter.is_alphanumeric()) {
            tags.push(tag.trim_end_matches('/').to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_tags_are_words_outside_of_code() {
        let text =
            "#one a#no #12 (#two/three) `#code`\n```\n#no\n```\n# heading #four\n- item\n\n    ```\n    #no\n    ```\n";
        assert_eq!(hash_tags(text).expect("parsed"), ["one", "two/three", "four"]);
    }

    #[test]
    fn addresses_links_to_notes_formulas_and_html_have_no_tags() {
        for text in [
            "[x](#a)",
            "[x](#a b)",
            "[x][y]\n\n[y]: #a",
            "![x](#a)",
            "<https://example.com/#a>",
            "[[#H]] ![[#H]] [[Note#H]] [[#H|see #a]]",
            "[[#H\nx]]",
            "<a href=\"#a\" title=' #a'>x</a>",
            "<!-- #a -->",
            "$x #a$",
            "\\#a \\\\\\#a",
            "a &num;a &#35;a",
            "    #a",
        ] {
            assert_eq!(hash_tags(text).expect("parsed"), [""; 0], "{text:?}");
        }
    }

    #[test]
    fn text_in_any_element_has_tags() {
        let text = "**#a** _x #b_c_ #d_e_\n\n| #f | x |\n|--|--|\n| #g | [x #h](y) |\n\n> - [ ] #i\n\n[^1]\n\n[^1]: #j\n\n~~#k~~\\\n#l";
        assert_eq!(hash_tags(text).expect("parsed"), ["a", "b_c", "d_e_", "f", "g", "h", "i", "j", "k", "l"]);
    }
}
