//! The content of a format.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::Value;

/// Base64 with or without padding.
const fn engine(alphabet: &alphabet::Alphabet) -> GeneralPurpose {
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(alphabet, config)
}

const STANDARD: GeneralPurpose = engine(&alphabet::STANDARD);
const URL_SAFE: GeneralPurpose = engine(&alphabet::URL_SAFE);

/// What the export tool writes instead of a text that it withholds.
const WITHHELD: [&str; 3] = ["[WITHHELD:DATA_URL]", "[WITHHELD:ENCODED_SECRET]", "[WITHHELD:ENCODED_CONTENT]"];

/// The content of a format.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Text, as bytes.
    Text(Vec<u8>),
    /// The bytes of a file.
    File(Vec<u8>),
    /// The export kept it back.
    Withheld,
    /// The record has none.
    Missing,
}

/// Returns the content of a format: of a fragment of text, or of a file.
pub(super) fn content(format: &Value) -> Content {
    let mut found = Content::Missing;
    for (field, text) in [("fragment", true), ("file", false)] {
        let Some(part) = format.get(field).filter(|part| part.is_object()) else { continue };
        match bytes(part) {
            Ok(Some(bytes)) if text && std::str::from_utf8(&bytes).is_ok() => return Content::Text(bytes),
            Ok(Some(bytes)) => return Content::File(bytes),
            Ok(None) => {}
            Err(Withheld) => found = Content::Withheld,
        }
    }
    found
}

struct Withheld;

fn bytes(part: &Value) -> Result<Option<Vec<u8>>, Withheld> {
    let string = part.get("string").unwrap_or(&Value::Null);
    let text = |field: &str| string.get(field).and_then(Value::as_str);
    if ["raw", "base64", "base64_url"].iter().filter_map(|field| text(field)).any(|text| WITHHELD.contains(&text)) {
        return Err(Withheld);
    }
    if let Some(raw) = text("raw") {
        return Ok(Some(raw.as_bytes().to_vec()));
    }
    let decoded = |field: &str, engine: &GeneralPurpose| engine.decode(text(field)?).ok();
    if let Some(bytes) = decoded("base64", &STANDARD).or_else(|| decoded("base64_url", &URL_SAFE)) {
        return Ok(Some(bytes));
    }
    let Some(bytes) = part.get("bytes") else { return Ok(None) };
    if bytes.get("export_status").is_some() {
        return Err(Withheld);
    }
    let byte = |number: &Value| number.as_u64().and_then(|number| u8::try_from(number).ok());
    Ok(bytes.get("raw").and_then(Value::as_array).and_then(|raw| raw.iter().map(byte).collect()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn content_is_read_in_each_form() {
        let text = |bytes: &[u8]| Content::Text(bytes.to_vec());
        let file = |bytes: &[u8]| Content::File(bytes.to_vec());
        for (format, expected) in [
            (json!({ "fragment": { "string": { "raw": "ä" } } }), text("ä".as_bytes())),
            (json!({ "fragment": { "string": { "base64": "w6Q=" } } }), text("ä".as_bytes())),
            (json!({ "fragment": { "bytes": { "raw": [195, 164] } } }), text("ä".as_bytes())),
            (json!({ "fragment": { "bytes": { "raw": [255] } } }), file(&[255])),
            (json!({ "file": { "bytes": { "raw": [0, 255] } } }), file(&[0, 255])),
            (json!({ "file": { "string": { "base64_url": "_-8" } } }), file(&[0xff, 0xef])),
            (json!({ "file": { "string": { "raw": "" } }, "fragment": null }), file(b"")),
            (json!({ "file": { "bytes": { "export_status": "withheld_binary" } } }), Content::Withheld),
            (json!({ "fragment": { "string": { "base64": "[WITHHELD:ENCODED_CONTENT]" } } }), Content::Withheld),
            (json!({ "file": { "bytes": { "raw": [256] } } }), Content::Missing),
            (json!({ "fragment": { "string": { "base64": "*" } } }), Content::Missing),
            (json!([]), Content::Missing),
        ] {
            assert_eq!(content(&format), expected, "{format}");
        }
    }
}
