//! The encoding of a request's body: JSON is UTF-8 (RFC 8259, 8.1), and a body in any other encoding is refused by its
//! name, since its text would only be called invalid JSON.

use crate::ServiceError;

/// What some programs put before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A body in UTF-8, without a byte order mark, which the specification lets a receiver ignore. Fails with 400 on any
/// other encoding.
pub(super) fn utf8(mut body: Vec<u8>) -> Result<Vec<u8>, ServiceError> {
    if body.starts_with(BYTE_ORDER_MARK) {
        body.drain(..BYTE_ORDER_MARK.len());
    }
    if let Some(name) = wide_encoding(&body) {
        return Err(not_utf8(&format!("it is {name}")));
    }
    match std::str::from_utf8(&body) {
        Ok(_) => Ok(body),
        Err(error) => {
            let offset = error.valid_up_to();
            let byte = body.get(offset).copied().unwrap_or_default();
            Err(not_utf8(&format!("the byte 0x{byte:02x} at offset {offset} is not part of a character")))
        }
    }
}

fn not_utf8(why: &str) -> ServiceError {
    ServiceError::bad_request(format!("the body is not UTF-8 ({why}): send JSON as UTF-8"))
}

/// The encoding of a text with more than a byte for each character: by its byte order mark, or by the zero bytes beside
/// the first character, which is ASCII in every JSON text.
fn wide_encoding(body: &[u8]) -> Option<&'static str> {
    match body {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] | [0, 0, 0, _, ..] | [_, 0, 0, 0, ..] => Some("UTF-32"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, _, ..] | [_, 0, ..] => Some("UTF-16"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(body: &[u8]) -> String {
        let error = utf8(body.to_vec()).expect_err("it is not UTF-8");
        assert_eq!(error.status(), 400);
        error.sentence().to_owned()
    }

    #[test]
    fn a_byte_order_mark_is_ignored() {
        assert_eq!(utf8(b"\xef\xbb\xbf{}".to_vec()), Ok(b"{}".to_vec()));
        assert_eq!(utf8("{\"\u{feff}\": \"ü😀\"}".into()), Ok("{\"\u{feff}\": \"ü😀\"}".into()));
        assert_eq!(utf8(Vec::new()), Ok(Vec::new()));
    }

    #[test]
    fn a_text_in_another_encoding_is_refused_by_its_name() {
        let text = "{\"name\": \"ü\"}";
        for mark in ["", "\u{feff}"] {
            let units: Vec<u16> = format!("{mark}{text}").encode_utf16().collect();
            let letters: Vec<u32> = format!("{mark}{text}").chars().map(u32::from).collect();
            for (name, bytes) in [
                ("UTF-16", units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<u8>>()),
                ("UTF-16", units.iter().flat_map(|unit| unit.to_be_bytes()).collect()),
                ("UTF-32", letters.iter().flat_map(|letter| letter.to_le_bytes()).collect()),
                ("UTF-32", letters.iter().flat_map(|letter| letter.to_be_bytes()).collect()),
            ] {
                assert!(refusal(&bytes).contains(name), "{name}: {}", refusal(&bytes));
            }
        }
        assert!(refusal(b"{\"name\": \"\xfc\"}").contains("0xfc at offset 10"), "{}", refusal(b"{\"name\": \"\xfc\"}"));
    }
}
