//! What is known of bytes that are neither a text nor a picture, and their hexadecimal dump, line by line.

use sha2::{Digest as _, Sha256};

use crate::files::hex;

/// The bytes of a line of a dump.
pub const LINE_BYTES: usize = 16;

/// Facts of some bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BinaryFacts {
    /// Their media type by their first bytes, such as `application/pdf`; `None` if it is not known.
    pub media_type: Option<&'static str>,
    /// The version of a PDF document, such as `1.7`.
    pub pdf_version: Option<String>,
    /// Their SHA-256, in hexadecimal digits.
    pub sha256: String,
}

impl BinaryFacts {
    /// Computes the facts; takes some milliseconds for each MB.
    pub fn of(bytes: &[u8]) -> Self {
        let sha256 = hex(&Sha256::digest(bytes));
        Self { media_type: infer::get(bytes).map(|kind| kind.mime_type()), pdf_version: pdf_version(bytes), sha256 }
    }
}

/// Returns the version in the header of a PDF document, which may be anywhere in its first 1,024 bytes (ISO 32000-1,
/// annex H).
fn pdf_version(bytes: &[u8]) -> Option<String> {
    let start = bytes.get(..1_024.min(bytes.len()))?;
    let at = memchr::memmem::find(start, b"%PDF-")? + 5;
    let version: String =
        start[at..].iter().map(|byte| char::from(*byte)).take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    (version.len() <= 5 && version.contains('.')).then_some(version)
}

/// Returns how many lines the dump of so many bytes has.
pub fn line_count(bytes: usize) -> usize {
    bytes.div_ceil(LINE_BYTES)
}

/// A line of a hexadecimal dump.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HexLine {
    /// The offset of its first byte, with eight digits.
    pub offset: String,
    /// Its bytes, in two groups of eight.
    pub bytes: String,
    /// The printable ASCII characters among them, and dots for the others.
    pub text: String,
}

impl HexLine {
    /// Returns a line of the dump; empty beyond the last.
    pub fn of(bytes: &[u8], line: usize) -> Self {
        let start = line.saturating_mul(LINE_BYTES);
        let rest = bytes.get(start..).unwrap_or_default();
        let bytes = &rest[..rest.len().min(LINE_BYTES)];
        let mut hex = String::with_capacity(LINE_BYTES * 3 + 1);
        for (at, byte) in bytes.iter().enumerate() {
            hex.push_str(match at {
                0 => "",
                8 => "  ",
                _ => " ",
            });
            hex.push_str(&format!("{byte:02x}"));
        }
        let text = bytes.iter().map(|byte| match byte {
            b' '..=b'~' => char::from(*byte),
            _ => '.',
        });
        Self { offset: format!("{start:08x}"), bytes: hex, text: text.collect() }
    }
}

impl std::fmt::Display for HexLine {
    /// The line as `hexdump -C` writes it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { offset, bytes, text } = self;
        write!(f, "{offset}  {bytes:<width$}  |{text}|", width = LINE_BYTES * 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dump_has_offsets_bytes_and_their_characters() {
        let bytes: Vec<u8> = (0..40).map(|byte| byte * 5).collect();
        assert_eq!(line_count(bytes.len()), 3);
        let lines: Vec<String> = (0..4).map(|line| HexLine::of(&bytes, line).to_string()).collect();
        assert_eq!(lines[0], "00000000  00 05 0a 0f 14 19 1e 23  28 2d 32 37 3c 41 46 4b  |.......#(-27<AFK|");
        assert_eq!(lines[2], "00000020  a0 a5 aa af b4 b9 be c3                           |........|");
        assert_eq!(HexLine::of(&bytes, 3).text, "", "there is no line beyond the last");
        assert_eq!(HexLine::of(&bytes, usize::MAX).bytes, "");
        assert_eq!((line_count(0), line_count(16), line_count(17)), (0, 1, 2));
    }

    #[test]
    fn the_type_and_the_version_are_read_from_the_bytes() {
        let facts = BinaryFacts::of(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n");
        assert_eq!((facts.media_type, facts.pdf_version.as_deref()), (Some("application/pdf"), Some("1.7")));
        assert_eq!(BinaryFacts::of(b"junk %PDF-2.0").pdf_version.as_deref(), Some("2.0"));
        assert_eq!(BinaryFacts::of(b"%PDF-99999.99999").pdf_version, None);
        let empty = BinaryFacts::of(b"");
        assert_eq!(empty.sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!((empty.media_type, empty.pdf_version), (None, None));
    }
}
