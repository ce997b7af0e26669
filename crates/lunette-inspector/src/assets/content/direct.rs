//! Reads content directly from the text of a response.
//!
//! Foreign services send bytes as numbers: a tree of them takes fifty times their memory. So only the fields with
//! content are read, and the rest of the response is skipped. What must hold: a response without these fields is read
//! as a record, within the memory limits of every other response.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::{of_file, of_record, original};
use crate::assets::page::Content;
use lunette_client::model::asset::{Asset, ExportedAsset};
use lunette_client::model::record::Record as _;
use lunette_client::operation::{DecodeError, ResponseBody as _};

#[derive(Deserialize)]
struct AssetText {
    preview: Option<Preview>,
    original: Option<Reference>,
}

#[derive(Deserialize)]
struct Preview {
    base: Option<Reference>,
}

#[derive(Deserialize)]
struct Reference {
    reference: Option<Format>,
}

#[derive(Deserialize)]
struct Format {
    fragment: Option<Fragment>,
    file: Option<File>,
}

#[derive(Deserialize)]
struct Fragment {
    string: Option<Text>,
}

#[derive(Deserialize)]
struct File {
    string: Option<Text>,
    bytes: Option<Bytes>,
}

#[derive(Deserialize)]
struct Text {
    raw: Option<String>,
    base64: Option<String>,
}

#[derive(Deserialize)]
struct Bytes {
    raw: Option<Vec<u8>>,
}

#[derive(Deserialize)]
struct ExportText {
    name: String,
    raw: File,
}

impl File {
    fn content(self) -> Option<Content> {
        match self.string {
            Some(Text { raw: Some(text), .. }) => Some(Content::Text(text.into())),
            Some(Text { base64, .. }) => Some(Content::Bytes(STANDARD.decode(base64?).ok()?.into())),
            None => Some(Content::Bytes(self.bytes?.raw?.into())),
        }
    }
}

impl Format {
    fn content(self) -> Option<Content> {
        let text = self.fragment.and_then(|fragment| fragment.string?.raw);
        text.map(|text| Content::Text(text.into())).or_else(|| self.file?.content())
    }
}

/// The content of an asset that was read with transferables, as [`of_record`] returns it.
pub(super) fn asset(body: &[u8]) -> Result<Content, DecodeError> {
    Ok(told_asset(body)?.unwrap_or(Content::None))
}

/// Reads the content from the response of a record; `None` if the record has no format that tells it.
pub(super) fn told_asset(body: &[u8]) -> Result<Option<Content>, DecodeError> {
    let Ok(AssetText { preview, original: format }) = serde_json::from_slice(body) else {
        let record = Asset::read(body)?;
        return Ok(original(record.view()).map(|_| of_record(record.view())));
    };
    let references = [preview.and_then(|preview| preview.base), format];
    let formats: Vec<_> = references.into_iter().flatten().filter_map(|reference| reference.reference).collect();
    let told = !formats.is_empty();
    let content = formats.into_iter().find_map(Format::content);
    Ok(told.then(|| content.unwrap_or(Content::None)))
}

/// The name and the content of an export; no content if the response does not tell it.
pub(crate) fn export(body: &[u8]) -> Result<(String, Option<Content>), DecodeError> {
    if let Ok(ExportText { name, raw }) = serde_json::from_slice(body) {
        return Ok((name, Some(raw.content().unwrap_or(Content::None))));
    }
    let exported = ExportedAsset::read(body)?;
    let view = exported.view();
    let content = view.tells("raw").then(|| of_file(view.raw()).unwrap_or(Content::None));
    Ok((view.name().to_owned(), content))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fields: &str) -> Content {
        let id = "00000000-0000-4000-8000-000000000001";
        let time = r#"{"value": "2026-11-20T12:00:00Z"}"#;
        let text = format!(
            r#"{{"id": "{id}", "creator": "{id}", "created": {time}, "updated": {time}, "mechanism": "MANUAL",
            "formats": {{"iterable": []}}, "preview": {{"base": {{"id": "{id}", "reference": null}}}},
            "original": {{"id": "{id}", {fields}}}}}"#
        );
        asset(text.as_bytes()).expect("an asset")
    }

    #[test]
    fn content_is_read_only_from_the_content_fields() {
        let format = |field: &str| read(&format!(r#""reference": {{{field}}}"#));
        assert_eq!(format(r#""fragment": {"string": {"raw": "a"}}"#), Content::Text("a".into()));
        assert_eq!(format(r#""file": {"string": {"raw": "b"}}"#), Content::Text("b".into()));
        assert_eq!(format(r#""file": {"string": {"base64": "AQI="}}"#), Content::Bytes([1, 2].into()));
        assert_eq!(format(r#""file": {"bytes": {"raw": [0, 255]}}, "more": [{}]"#), Content::Bytes([0, 255].into()));
        assert_eq!((format(r#""file": {}"#), read(r#""more": 1"#)), (Content::None, Content::None));
    }

    #[test]
    fn unexpected_json_falls_back_to_the_record_decoder() {
        assert_eq!(export(br#"{"name": 7}"#), Ok((String::new(), None)));
        assert_eq!(export(br#"{"name": 7, "raw": {}}"#), Ok((String::new(), Some(Content::None))));
        assert!(matches!(export(b"[]"), Err(DecodeError::Schema(_))));
        assert_eq!(told_asset(br#"{"id": "a", "original": "f", "preview": 5}"#), Ok(None));
        assert_eq!(told_asset(br#"{"original": {"reference": {"file": {}}}}"#), Ok(Some(Content::None)));
        assert!(matches!(asset(b"{"), Err(DecodeError::NotJson(_))));
        let text = br#"{"name": "a.md", "description": "", "raw": {"string": {"raw": "text"}}}"#;
        assert_eq!(export(text), Ok(("a.md".to_owned(), Some(Content::Text("text".into())))));
    }
}
