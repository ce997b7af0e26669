//! The digest of the content of a new asset: what the history keeps of content that is too large for it, and what a new
//! asset is known by.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::assets::page::Content;
use crate::files::hex;

/// The field of a shortened seed with the digest, in place of the content.
const DIGEST: &str = "sha256";

/// Returns the digest of content in one form.
type DigestOf = fn(&Value) -> Option<String>;

/// The fields that can have content, and how they write it.
const FIELDS: [(&str, DigestOf); 2] = [("raw", of_raw), ("base64", of_base64)];

/// A seed with the digest of its content in place of the content.
pub(crate) fn shortened(seed: &Value) -> Value {
    let Value::Object(fields) = seed else { return seed.clone() };
    let short = |(name, value): (&String, &Value)| {
        let digest = FIELDS.iter().find(|(field, _)| field == name).and_then(|(_, digest)| digest(value));
        match digest {
            Some(digest) => (DIGEST.to_owned(), digest.into()),
            None => (name.clone(), shortened(value)),
        }
    };
    Value::Object(fields.iter().map(short).collect())
}

/// The digest of the content of a seed, shortened or not; `None` if it has none.
pub(super) fn of_seed(seed: &Value) -> Option<String> {
    let format = &seed["asset"]["format"];
    let known = |place: &Value| {
        let digest = place[DIGEST].as_str().map(str::to_owned);
        digest.or_else(|| FIELDS.iter().find_map(|(field, digest)| digest(place.get(*field)?)))
    };
    let places = [("fragment", "string"), ("fragment", "bytes"), ("file", "string"), ("file", "bytes")];
    places.iter().find_map(|(kind, form)| known(&format[*kind][*form]))
}

/// The digest of the content of an asset; `None` if not all of it is known.
pub(super) fn of_content(content: &Content) -> Option<String> {
    match content {
        Content::Text(text) => Some(of(text.as_bytes())),
        Content::Bytes(bytes) => Some(of(bytes)),
        Content::Part(..) | Content::Large(_) | Content::None => None,
    }
}

/// Text, or bytes as an array of numbers.
fn of_raw(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(of(text.as_bytes())),
        Value::Array(numbers) => {
            let byte = |number: &Value| number.as_u64().and_then(|byte| u8::try_from(byte).ok());
            numbers.iter().map(byte).collect::<Option<Vec<u8>>>().map(|bytes| of(&bytes))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

fn of_base64(value: &Value) -> Option<String> {
    STANDARD.decode(value.as_str()?).ok().map(|bytes| of(&bytes))
}

fn of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_shortened_seed_has_the_digest_of_its_content_and_everything_else() {
        let seed = |content: Value| json!({ "asset": { "format": content, "metadata": { "name": "raw" } } });
        let contents = [
            json!({ "fragment": { "string": { "raw": "abc" } } }),
            json!({ "file": { "string": { "raw": "abc" } } }),
            json!({ "file": { "string": { "base64": "YWJj" } } }),
            json!({ "file": { "bytes": { "raw": [97, 98, 99] } } }),
        ];
        for content in contents {
            let (whole, short) = (seed(content.clone()), shortened(&seed(content)));
            assert_eq!(short["asset"]["metadata"]["name"], "raw");
            assert!(!short.to_string().contains("abc") && !short.to_string().contains("97"), "{short}");
            assert_eq!(of_seed(&whole), of_content(&Content::Text("abc".into())), "{whole}");
            assert_eq!(of_seed(&short), of_seed(&whole), "{short}");
        }
        assert_eq!(of_seed(&seed(json!({}))), None);
        assert_eq!(of_content(&Content::Large(3)), None);
    }
}
