//! Detects whether bytes are text, and their encoding.
//!
//! Our choice: a byte order mark decides; then valid UTF-8; then the guess of `chardetng`, as in browsers. Bytes with a
//! NUL that is not UTF-16, a known magic number, or many control characters are not text.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

/// Text with its original encoding.
#[derive(Debug, PartialEq)]
pub(super) struct Decoded {
    pub(super) text: String,
    /// The name of the encoding (WHATWG Encoding).
    pub(super) encoding: &'static str,
}

/// Decodes text, or returns the bytes if they are not text.
pub(super) fn decode(bytes: Vec<u8>) -> Result<Decoded, Vec<u8>> {
    if let Some((encoding, _)) = Encoding::for_bom(&bytes) {
        return with(encoding, bytes);
    }
    match String::from_utf8(bytes) {
        Ok(text) if text.starts_with("%PDF-") => Err(text.into_bytes()),
        Ok(text) if text.contains("\x1b$") => with(ISO_2022_JP, text.into_bytes()).or_else(utf8),
        Ok(text) if !text.contains('\0') => Ok(Decoded { text, encoding: UTF_8.name() }),
        Ok(text) => utf16(text.into_bytes()),
        Err(error) => other(error.into_bytes()),
    }
}

fn utf8(bytes: Vec<u8>) -> Result<Decoded, Vec<u8>> {
    String::from_utf8(bytes).map(|text| Decoded { text, encoding: UTF_8.name() }).map_err(|error| error.into_bytes())
}

fn other(bytes: Vec<u8>) -> Result<Decoded, Vec<u8>> {
    if bytes.contains(&0) {
        return utf16(bytes);
    }
    if infer::get(&bytes).is_some_and(|kind| kind.matcher_type() != infer::MatcherType::Text) {
        return Err(bytes);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes, true);
    let encoding = detector.guess(None, Utf8Detection::Deny);
    with(encoding, bytes)
}

/// Decodes UTF-16 without a byte order mark: in Latin text, every other byte is zero.
fn utf16(bytes: Vec<u8>) -> Result<Decoded, Vec<u8>> {
    if !bytes.len().is_multiple_of(2) {
        return Err(bytes);
    }
    let zeros = |side: usize| bytes.iter().skip(side).step_by(2).filter(|byte| **byte == 0).count();
    let (first, second, half) = (zeros(0), zeros(1), bytes.len() / 2);
    if first == 0 && second * 2 > half {
        with(UTF_16LE, bytes)
    } else if second == 0 && first * 2 > half {
        with(UTF_16BE, bytes)
    } else {
        Err(bytes)
    }
}

fn with(encoding: &'static Encoding, bytes: Vec<u8>) -> Result<Decoded, Vec<u8>> {
    let (text, malformed) = encoding.decode_with_bom_removal(&bytes);
    let controls = text.chars().filter(|letter| letter.is_control() && !"\t\n\r\u{8}\u{c}\u{1b}".contains(*letter));
    if malformed || text.contains('\0') || controls.count() * 100 > text.chars().count() {
        return Err(bytes);
    }
    Ok(Decoded { text: text.into_owned(), encoding: encoding.name() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(bytes: &[u8]) -> Option<(String, &'static str)> {
        decode(bytes.to_vec()).ok().map(|decoded| (decoded.text, decoded.encoding))
    }

    #[test]
    fn a_byte_order_mark_determines_the_encoding_and_is_dropped() {
        assert_eq!(text_of(b"\xef\xbb\xbfa"), Some(("a".to_owned(), "UTF-8")));
        assert_eq!(text_of(b"\xff\xfea\0\xfc\0"), Some(("aü".to_owned(), "UTF-16LE")));
        assert_eq!(text_of(b"\xfe\xff\0a\0\xfc"), Some(("aü".to_owned(), "UTF-16BE")));
    }

    #[test]
    fn utf16_is_detected_without_a_byte_order_mark() {
        let wide: Vec<u8> = "fn main() { ü }\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(text_of(&wide), Some(("fn main() { ü }\n".to_owned(), "UTF-16LE")));
    }

    #[test]
    fn legacy_encodings_are_read() {
        let japanese = "これは日本語の文章です。漢字とかなが混ざっています。";
        for (encoding, text) in [
            (encoding_rs::SHIFT_JIS, japanese),
            (encoding_rs::EUC_JP, japanese),
            (ISO_2022_JP, japanese),
            (encoding_rs::WINDOWS_1252, "Über die Brücke nach Füssen: “schön”, naïve café – 5 €"),
            (encoding_rs::WINDOWS_1251, "Съешь же ещё этих мягких французских булок, да выпей чаю"),
        ] {
            let (bytes, _, unmappable) = encoding.encode(text);
            assert!(!unmappable);
            assert_eq!(text_of(&bytes), Some((text.to_owned(), encoding.name())));
        }
    }

    #[test]
    fn binary_content_is_unchanged() {
        for bytes in [
            &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..],
            b"\x1f\x8b\x08\x08\xff\xfe\xfd",
            b"a\0b",
            b"%PDF-1.7\n%%EOF",
            b"\xff\xd8\xff\xe0\x10JFIF",
            b"\x01\x02\x03\x04\xff\x05\x06\x07",
        ] {
            assert_eq!(decode(bytes.to_vec()), Err(bytes.to_vec()));
        }
    }

    #[test]
    fn text_that_starts_like_an_image_is_text() {
        assert_eq!(text_of(b"BM is short").map(|(text, _)| text), Some("BM is short".to_owned()));
    }

    #[test]
    fn every_terminal_escape_sequence_is_text() {
        assert_eq!(text_of(b"\x1b[31mred\x1b[0m $ \x1b$x"), Some(("\x1b[31mred\x1b[0m $ \x1b$x".to_owned(), "UTF-8")));
    }
}
