//! Reads content directly from the text of a response.
//!
//! Foreign services send bytes as numbers: a tree of them takes fifty times their memory. So only the fields with
//! content are read, and the rest of the response is skipped. What must hold: a response without these fields is read
//! as a record, within the memory limits of every other response.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::{of_file, of_record};
use crate::app::assets::page::Content;
use lunette_client::model::asset::{Asset, ExportedAsset};
use lunette_client::model::record::Record as _;
use lunette_client::operation::{DecodeError, ResponseBody as _};

#[derive(Deserialize)]
struct AssetText {
    preview: Preview,
    original: Reference,
}

#[derive(Deserialize)]
struct Preview {
    base: Reference,
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
    let Ok(AssetText { preview, original }) = serde_json::from_slice(body) else {
        return Ok(of_record(Asset::read(body)?.view()));
    };
    let mut formats = [preview.base.reference, original.reference].into_iter().flatten();
    Ok(formats.find_map(Format::content).unwrap_or(Content::None))
}

/// The name and the content of an export.
pub(in crate::app) fn export(body: &[u8]) -> Result<(String, Content), DecodeError> {
    let (name, content) = match serde_json::from_slice(body) {
        Ok(ExportText { name, raw }) => (name, raw.content()),
        Err(_) => {
            let exported = ExportedAsset::read(body)?;
            (exported.view().name().to_owned(), of_file(exported.view().raw()))
        }
    };
    Ok((name, content.unwrap_or(Content::None)))
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
        let other = export(br#"{"name": 7}"#);
        assert!(matches!(other, Err(DecodeError::Schema(_))), "{other:?}");
        assert!(matches!(asset(b"{"), Err(DecodeError::NotJson(_))));
        let text = br#"{"name": "a.md", "description": "", "raw": {"string": {"raw": "text"}}}"#;
        assert_eq!(export(text), Ok(("a.md".to_owned(), Content::Text("text".into()))));
    }
}
