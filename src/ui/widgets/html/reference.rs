//! Character references: `&lt;`, `&eacute;`, `&#8364;`, `&#x20AC;`.

use std::borrow::Cow;

use pulldown_cmark::{Event, Parser};

/// Maximum length of a character name.
const MAX_NAME: usize = 32;

/// The meaning of 0x80 to 0x9F in HTML, for pages that took them from Windows-1252.
const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// Returns the text with its character references decoded. Anything else is unchanged.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find('&') else { return Cow::Borrowed(text) };
    let mut decoded = String::with_capacity(text.len());
    decoded.push_str(&text[..first]);
    let mut rest = &text[first..];
    while let Some(after) = rest.strip_prefix('&') {
        let length = match after.strip_prefix('#') {
            Some(digits) => number(digits, &mut decoded).map(|length| length + 1),
            None => named(after, &mut decoded),
        };
        if length.is_none() {
            decoded.push('&');
        }
        let after = &after[length.unwrap_or_default()..];
        let next = after.find('&').unwrap_or(after.len());
        decoded.push_str(&after[..next]);
        rest = &after[next..];
    }
    Cow::Owned(decoded)
}

/// Decodes what follows `&#`; returns its length.
fn number(digits: &str, to: &mut String) -> Option<usize> {
    let hex = digits.strip_prefix(['x', 'X']);
    let (radix, start) = if hex.is_some() { (16, 1) } else { (10, 0) };
    let digits = &digits[start..];
    let length = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    if length == 0 {
        return None;
    }
    let code = u32::from_str_radix(&digits[..length], radix).unwrap_or(u32::MAX);
    to.push(match code {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9f => WINDOWS.chars().nth(code as usize - 0x80).unwrap_or(char::REPLACEMENT_CHARACTER),
        code => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    });
    Some(start + length + usize::from(digits[length..].starts_with(';')))
}

/// Decodes what follows `&`; returns its length.
fn named(after: &str, to: &mut String) -> Option<usize> {
    let near = &after[..after.floor_char_boundary(MAX_NAME + 1)];
    let length = near.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(near.len());
    let (name, closed) = (&after[..length], after[length..].starts_with(';'));
    match name {
        "amp" | "AMP" => to.push('&'),
        "lt" | "LT" => to.push('<'),
        "gt" | "GT" => to.push('>'),
        "quot" | "QUOT" => to.push('"'),
        "nbsp" => to.push('\u{a0}'),
        "copy" | "COPY" => to.push('©'),
        "reg" | "REG" => to.push('®'),
        // The others need their semicolon. Markdown uses the names of HTML, so its parser knows them all.
        name if closed && !name.is_empty() => {
            let reference = format!("&{name};");
            let text = Parser::new(&reference).find_map(|event| match event {
                Event::Text(text) => Some(text.into_string()),
                _ => None,
            });
            to.push_str(&text.filter(|text| !text.starts_with('&'))?);
        }
        _ => return None,
    }
    Some(length + usize::from(closed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_become_their_characters() {
        assert_eq!(decode("a &lt;b&gt; &amp;amp; &quot;&apos;"), "a <b> &amp; \"'");
        assert_eq!(decode("&eacute;&hellip;&rarr;&NotEqualTilde;"), "é…→≂\u{338}");
        assert_eq!(decode("&#8364;&#x20aC;&#X41&#65b"), "€€AAb");
        assert_eq!(decode("&copy 2026 &amp x"), "© 2026 & x");
        assert!(matches!(decode("plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn numbers_without_a_character_are_replaced() {
        assert_eq!(decode("&#0;&#xD800;&#x110000;&#99999999999999999999;"), "\u{fffd}".repeat(4));
        assert_eq!(decode("&#150;&#x80;&#x81;"), "–€\u{81}");
    }

    #[test]
    fn text_that_is_not_a_reference_is_unchanged() {
        for text in ["&", "&&", "& ", "&;", "&#;", "&#x;", "&#xg", "&nosuch;", "&eacute", "a&b=c", "&é;"] {
            assert_eq!(decode(text), text);
        }
        let long = format!("&{};", "a".repeat(100_000));
        assert_eq!(decode(&long), long);
    }
}
