//! The parts of a request: path segments, query, body; and how they become a request target and come from one.
//!
//! What must hold: parts written into a target and read back are the same parts, whatever the text. A target is split
//! into segments before any is decoded, so that `/` in an id stays data (records, section 0, surprise 16).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::{InputLocation, InvalidInput, OperationInfo};

/// The characters a segment keeps: the unreserved ones of RFC 3986, 2.3.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What text in a target must be.
const PERCENT_ENCODED: &str = "percent-encoded UTF-8";

/// The inputs of one request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestParts {
    /// Path inputs by name, decoded.
    pub path: Vec<(String, String)>,
    /// Query inputs by name, decoded, in the order sent.
    pub query: Vec<(String, String)>,
    /// The body's bytes; None when there is none. Never empty: no bytes means no body.
    pub body: Option<Vec<u8>>,
}

impl RequestParts {
    /// The text of a path or query input. A query name is found by its camel case too (`exportType` for
    /// `export_type`), since the interface document writes it so.
    pub fn text(&self, location: InputLocation, name: &str) -> Option<&str> {
        let inputs = match location {
            InputLocation::Path => &self.path,
            InputLocation::Query => &self.query,
            InputLocation::Body => return None,
        };
        let found = inputs.iter().find(|(given, _)| given == name);
        found.or_else(|| inputs.iter().find(|(given, _)| *given == camel_case(name))).map(|(_, text)| text.as_str())
    }

    /// The request target below the base address: path, and query if there is one.
    pub fn target(&self, info: &OperationInfo) -> String {
        let mut target = String::new();
        for segment in info.path.split('/').skip(1) {
            target.push('/');
            match input_name(segment) {
                Some(name) => target
                    .extend(utf8_percent_encode(self.text(InputLocation::Path, name).unwrap_or_default(), ENCODED)),
                None => target.push_str(segment),
            }
        }
        for (index, (name, text)) in self.query.iter().enumerate() {
            target.push(if index == 0 { '?' } else { '&' });
            target.extend(utf8_percent_encode(name, ENCODED));
            target.push('=');
            target.extend(utf8_percent_encode(text, ENCODED));
        }
        target
    }

    /// Reads the parts of a request to this operation from its raw path and query. The path must be one that the
    /// operation's template matches; a segment that is not UTF-8 after decoding is malformed.
    pub fn from_target(
        info: &'static OperationInfo,
        path: &str,
        query: Option<&str>,
        body: Vec<u8>,
    ) -> Result<Self, InvalidInput> {
        let mut parts = Self { body: (!body.is_empty()).then_some(body), ..Self::default() };
        for (template, segment) in info.path.split('/').zip(path.split('/')) {
            if let Some(name) = input_name(template) {
                let text = percent_decode_str(segment).decode_utf8().map_err(|_| InvalidInput::Value {
                    location: InputLocation::Path,
                    name,
                    found: segment.to_owned(),
                    wanted: PERCENT_ENCODED,
                })?;
                parts.path.push((name.to_owned(), text.into_owned()));
            }
        }
        let query = query.unwrap_or_default();
        if let Some((name, found)) = not_utf8(info, query) {
            let wanted = PERCENT_ENCODED;
            return Err(InvalidInput::Value { location: InputLocation::Query, name, found, wanted });
        }
        let pairs = url::form_urlencoded::parse(query.as_bytes());
        parts.query.extend(pairs.map(|(name, text)| (name.into_owned(), text.into_owned())));
        Ok(parts)
    }
}

/// The first input of the query whose text is in another encoding, and that text.
fn not_utf8(info: &'static OperationInfo, query: &str) -> Option<(&'static str, String)> {
    query.split('&').find_map(|pair| {
        let (name, text) = pair.split_once('=')?;
        percent_decode_str(text).decode_utf8().err()?;
        let input = info.inputs.iter().find(|input| input.name == name || camel_case(input.name) == name)?;
        Some((input.name, text.to_owned()))
    })
}

/// The name in a template's segment: `asset` in `{asset}`.
fn input_name(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::id::{AssetId, TagId};
    use crate::operation::Operation;
    use crate::operation::table::{AssetAssociateTag, AssetSpecificAssetExport};

    #[test]
    fn unusual_text_round_trips_in_a_path() {
        for text in ["a b", "\"'", "a/b", "100%", "%2F", "ü", "😀", "שלום", "a?b#c", "+", "..."] {
            let call = AssetAssociateTag { asset: AssetId::random(), tag: text.parse::<TagId>().expect("an id") };
            let target = call.write().target(AssetAssociateTag::INFO);
            assert!(target.is_ascii());
            let parts = RequestParts::from_target(AssetAssociateTag::INFO, &target, None, Vec::new()).expect("parts");
            assert_eq!(AssetAssociateTag::read(&parts), Ok(call), "{target}");
        }
    }

    #[test]
    fn the_documented_spelling_of_a_query_name_is_accepted() {
        let path = format!("/asset/{}/export", AssetId::random());
        for query in ["export_type=MD", "exportType=MD"] {
            let parts = RequestParts::from_target(AssetSpecificAssetExport::INFO, &path, Some(query), Vec::new())
                .expect("parts");
            assert_eq!(
                AssetSpecificAssetExport::read(&parts).map(|call| call.export_type.to_string()),
                Ok("MD".to_owned())
            );
        }
    }
}
