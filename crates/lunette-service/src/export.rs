//! Documents made of assets: a web page, Markdown, plain text.
//!
//! What must hold, whatever an asset contains: a document is one file that asks nothing of the network; no text of the
//! asset ever becomes markup; nothing in it can run; links lead to `http`, `https` and `mailto` only; and hidden or
//! direction-changing characters are seen. The page forbids itself the rest by a policy of its own, so that a mistake
//! here would still run nothing.

use serde_json::Value;

use crate::classify::Content;
use lunette_client::model::language::{language, language_name};
use lunette_client::model::size::size;
use lunette_client::model::time::exact;

mod highlight;
mod html;
mod link;
mod markdown;

#[cfg(test)]
mod tests;

/// What a document is made of.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The asset's name; may be empty.
    pub name: &'a str,
    /// Its description; may be empty.
    pub description: &'a str,
    /// Its language on the wire, as `rs`.
    pub language: &'a str,
    /// The kind of thing it is, as `CODE`.
    pub generic: &'a str,
    /// What it holds.
    pub content: Content<'a>,
    /// The texts of its tags.
    pub tags: Vec<&'a str>,
    /// Its websites: name and address.
    pub websites: Vec<(&'a str, &'a str)>,
    /// The names of its workstream summaries.
    pub summaries: Vec<&'a str>,
    /// When it was made, RFC 3339.
    pub created: &'a str,
    /// When it was last changed, RFC 3339.
    pub updated: &'a str,
    /// The whole record; its `id` is named at the foot.
    pub tree: &'a Value,
}

/// The asset as a self-contained web page.
pub fn html(document: &Document<'_>) -> String {
    html::page(document)
}

/// The asset as Markdown (CommonMark).
pub fn markdown(document: &Document<'_>) -> String {
    markdown::document(document)
}

/// The text of the asset, unchanged; None when it holds bytes.
pub fn text(document: &Document<'_>) -> Option<String> {
    match document.content {
        Content::Text(text) => Some(text.to_owned()),
        Content::Bytes(_) => None,
    }
}

impl Document<'_> {
    fn title(&self) -> &str {
        if self.name.trim().is_empty() { "Unnamed asset" } else { self.name }
    }

    fn language_name(&self) -> &str {
        language_name(self.language)
    }

    /// The facts of the asset besides its content: name and value, in the order shown.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let zone = jiff::tz::TimeZone::UTC;
        let length = match self.content {
            Content::Text(text) => text.len(),
            Content::Bytes(bytes) => bytes.len(),
        };
        vec![
            ("Language", self.language_name().to_owned()),
            ("Size", size(i64::try_from(length).unwrap_or(i64::MAX))),
            ("Created", exact(self.created, &zone)),
            ("Updated", exact(self.updated, &zone)),
        ]
    }

    fn id(&self) -> &str {
        self.tree.get("id").and_then(Value::as_str).unwrap_or_default()
    }
}

/// The word by which readers of a document find the colours of its code; empty for text.
fn token(specific: &str) -> &'static str {
    language(specific).and_then(|language| language.syntax).filter(|token| *token != "txt").unwrap_or_default()
}

/// The media type of a picture that may stand in a document, by its own first bytes and not by what it is said to be.
/// Never SVG, which is a document with scripts of its own.
fn picture_type(bytes: &[u8]) -> Option<&'static str> {
    let kind = infer::get(&bytes[..bytes.len().min(64)])?;
    ["image/png", "image/jpeg", "image/gif", "image/webp"].into_iter().find(|known| *known == kind.mime_type())
}

/// The picture as a `data:` address.
fn data_url(media_type: &str, bytes: &[u8]) -> String {
    use base64::Engine as _;
    let mut url = format!("data:{media_type};base64,");
    base64::prelude::BASE64_STANDARD.encode_string(bytes, &mut url);
    url
}

/// The first bytes as a table of hexadecimal and ASCII, sixteen a line.
fn hex(bytes: &[u8]) -> String {
    let mut table = String::new();
    for (row, chunk) in bytes.chunks(16).take(16).enumerate() {
        let digits: Vec<_> = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
        let shown: String =
            chunk.iter().map(|byte| if (0x20..0x7f).contains(byte) { char::from(*byte) } else { '.' }).collect();
        table.push_str(&format!("{:08x}  {:<47}  {shown}\n", row * 16, digits.join(" ")));
    }
    table
}
