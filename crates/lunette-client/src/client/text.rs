//! Prepares text from a service for an error message: shortened, on one line, without control or bidi characters.

use std::error::Error;
use std::io;

use crate::model::display::is_hidden;

/// The most characters of a service's sentence that are kept.
const SENTENCE: usize = 300;

/// The beginning of a body as one line of plain text. Bytes that are not UTF-8 become U+FFFD.
pub(super) fn sentence(body: &[u8]) -> String {
    // Enough for SENTENCE characters of any width; the rest can be skipped.
    let text = String::from_utf8_lossy(&body[..body.len().min(SENTENCE * 8)]);
    let mut line = String::new();
    let words = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    for (index, letter) in words.chars().enumerate() {
        if index == SENTENCE {
            line.push('…');
            break;
        }
        match is_hidden(letter) {
            true => line.push_str(&format!("<U+{:04X}>", u32::from(letter))),
            false => line.push(letter),
        }
    }
    line
}

/// What an error says, as one line of plain text, without the number that the operating system has for it.
pub(super) fn error_text(error: &(dyn Error + 'static)) -> String {
    let text = error.to_string();
    let number = error.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
    let suffix = number.map(|number| format!(" (os error {number})"));
    let plain = suffix.and_then(|suffix| text.strip_suffix(&suffix)).unwrap_or(&text);
    sentence(plain.as_bytes())
}

/// The title of a web page, if the body is one. Detected by content: services of this family also label plain responses
/// as `text/html` (records, section 1).
pub(super) fn web_page(body: &[u8]) -> Option<String> {
    // What begins as JSON is none, which is most responses.
    if matches!(body.trim_ascii_start().first(), None | Some(b'{' | b'[' | b'"')) {
        return None;
    }
    let head = String::from_utf8_lossy(&body[..body.len().min(4096)]);
    // Only ASCII letters change, so offsets agree.
    let lower = head.to_ascii_lowercase();
    let start = lower.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
    if !["<!doctype html", "<html", "<head", "<body", "<?xml", "<!--"].iter().any(|sign| start.starts_with(sign)) {
        return None;
    }
    let title = lower.find("<title>").and_then(|at| {
        let from = at + "<title>".len();
        let to = from + lower[from..].find("</title>")?;
        Some(sentence(&head.as_bytes()[from..to]))
    });
    Some(match title {
        Some(title) if !title.is_empty() => format!("a web page titled {title:?}"),
        _ => "a web page".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_one_short_line_without_hidden_characters() {
        assert_eq!(sentence(b"  no such\r\n asset\t!\n"), "no such asset !");
        assert_eq!(sentence("a\u{1b}[31m\u{202e}b".as_bytes()), "a<U+001B>[31m<U+202E>b");
        assert_eq!(sentence("\u{3164}\u{2800}\u{e000}".as_bytes()), "<U+3164><U+2800><U+E000>");
        assert_eq!(sentence(&[0xff, b'a']), "\u{fffd}a");
        assert_eq!(sentence("x".repeat(9000).as_bytes()).chars().count(), SENTENCE + 1);
    }

    #[test]
    fn an_error_is_told_without_the_number_of_the_operating_system() {
        let refused = io::Error::from_raw_os_error(111);
        assert!(refused.to_string().ends_with("(os error 111)"), "{refused}");
        let text = error_text(&refused);
        assert!(!text.is_empty() && !text.contains("os error") && !text.ends_with(' '), "{text:?}");
        assert_eq!(error_text(&io::Error::other("closed (os error 2)")), "closed (os error 2)");
    }

    #[test]
    fn a_web_page_is_detected_by_its_bytes() {
        assert_eq!(
            web_page(b" <!DOCTYPE html><Title>404 Not\nFound</title>"),
            Some("a web page titled \"404 Not Found\"".to_owned())
        );
        assert_eq!(web_page(b"<html>"), Some("a web page".to_owned()));
        assert_eq!(web_page(b"no such asset"), None);
        assert_eq!(web_page(b"{\"a\": \"<html>\"}"), None);
    }
}
