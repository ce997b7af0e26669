//! Content prepared for drawing, on another thread.

use std::sync::Arc;

use serde_json::Value;

use crate::ui::widgets::highlight::{Highlighted, highlight};
use crate::ui::widgets::markdown::Markdown;
use crate::ui::widgets::picture::{Picture, PictureError};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::View;
use lunette_inspector::assets::content;
use lunette_inspector::assets::page::Content;
use lunette_inspector::files::binary::BinaryFacts;
use lunette_inspector::files::delimited::Delimited;
use lunette_inspector::files::json_text;
use lunette_syntax::{Budget, CancelToken};

/// The key of the work: equal contents of one asset in the same language look the same.
#[derive(Clone, PartialEq)]
pub(super) struct Key {
    pub id: AssetId,
    pub content: Content,
    pub specific: String,
    /// What else than a text it is, by its language and its name.
    pub format: Format,
}

/// What a content may be shown as, beside its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Nothing else.
    Plain,
    Markdown,
    Html,
    Svg,
    Json,
    /// CSV and its like; with tabs, if they are preferred to commas.
    Table {
        tabs: bool,
    },
}

/// Content ready to be drawn.
pub(super) struct Prepared {
    /// Its text, if it has one.
    pub text: Option<Highlighted>,
    /// What it is, unless it is only a text.
    pub form: Option<Form>,
    /// What is missing in its form, or why it has none, in one sentence.
    pub note: Option<String>,
}

/// Content as what it is.
pub(super) enum Form {
    Markdown(Markdown),
    /// A web page.
    Html(Markdown),
    /// An SVG file.
    Drawing(Picture),
    Table(Arc<Delimited>),
    /// A JSON text.
    Tree(Arc<Value>),
    Picture(Picture),
    /// Anything else, and why it is not a picture.
    Bytes(Bytes),
}

/// Bytes that are neither a text nor a picture.
pub(super) struct Bytes {
    pub bytes: Arc<[u8]>,
    pub facts: BinaryFacts,
    pub problem: PictureError,
}

/// The forms of a text: each can be shown as the text too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TextForm {
    Markdown,
    /// Code: shown as text unless requested otherwise.
    Html,
    Drawing,
    Table,
    Tree,
}

impl TextForm {
    /// Returns the names of both views: as what it is, and as text.
    pub(super) fn names(self) -> [&'static str; 2] {
        match self {
            Self::Markdown | Self::Html => ["Rendered", "Source"],
            Self::Drawing => ["Drawn", "Text"],
            Self::Table => ["Table", "Text"],
            Self::Tree => ["Tree", "Text"],
        }
    }
}

impl Form {
    /// Returns the form of a text; `None` for what has no text.
    pub(super) fn of_text(&self) -> Option<TextForm> {
        match self {
            Self::Markdown(_) => Some(TextForm::Markdown),
            Self::Html(_) => Some(TextForm::Html),
            Self::Drawing(_) => Some(TextForm::Drawing),
            Self::Table(_) => Some(TextForm::Table),
            Self::Tree(_) => Some(TextForm::Tree),
            Self::Picture(_) | Self::Bytes(_) => None,
        }
    }
}

impl Format {
    /// Returns what an asset is, by its language and the end of its name.
    pub(super) fn of(specific: &str, name: &str) -> Self {
        let extension = name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase()).unwrap_or_default();
        match (specific, extension.as_str()) {
            ("md" | "markdown" | "mdown" | "mdwn" | "markdn" | "mkd", _) => Self::Markdown,
            ("html" | "htm" | "xhtml" | "shtml" | "hljs-html", _) => Self::Html,
            ("svg", _) | ("xml" | "txt", "svg") => Self::Svg,
            ("csv" | "txt", "tsv" | "tab") | ("tsv", _) => Self::Table { tabs: true },
            ("csv", _) | ("txt", "csv") => Self::Table { tabs: false },
            ("json" | "ipynb" | "gltf" | "jsonml" | "hljs-json", _) => Self::Json,
            _ => Self::Plain,
        }
    }
}

impl Prepared {
    /// Does the work.
    pub(super) fn of(key: &Key, cancel: &CancelToken) -> Self {
        match &key.content {
            Content::Text(text) => Self::of_text(text, true, key, cancel),
            Content::Part(text, _) => Self::of_text(text, false, key, cancel),
            Content::Bytes(bytes) => match text_of(bytes, key.format) {
                Some(text) => Self::of_text(&text, true, key, cancel),
                None => Self::of_bytes(bytes),
            },
            Content::Large(_) | Content::None => Self::only(Highlighted::plain("")),
        }
    }

    /// A text without another form.
    fn only(text: Highlighted) -> Self {
        Self { text: Some(text), form: None, note: None }
    }

    /// Prepares a text; `whole` says whether all of it is there.
    fn of_text(text: &Arc<str>, whole: bool, key: &Key, cancel: &CancelToken) -> Self {
        let budget = &mut Budget::new(cancel.clone());
        let source = highlight(text.clone(), &key.specific, budget);
        let (form, note) = match key.format {
            Format::Markdown if whole => (Some(Form::Markdown(Markdown::new(text, budget))), None),
            Format::Html if whole => (Some(Form::Html(Markdown::of_html(text, budget))), None),
            Format::Table { tabs } if !text.trim().is_empty() => {
                (Some(Form::Table(Arc::new(Delimited::read(text.clone(), tabs, cancel)))), None)
            }
            Format::Svg | Format::Json if !whole => {
                (None, Some("Only the beginning of this text is loaded, so it is shown as text.".to_owned()))
            }
            Format::Svg => drawn(text),
            Format::Json => tree(text),
            Format::Plain | Format::Markdown | Format::Html | Format::Table { .. } => (None, None),
        };
        Self { text: Some(source), form, note }
    }

    fn of_bytes(bytes: &Arc<[u8]>) -> Self {
        let form = match Picture::decode(bytes) {
            Ok(picture) => Form::Picture(picture),
            Err(problem) => Form::Bytes(Bytes { bytes: Arc::clone(bytes), facts: BinaryFacts::of(bytes), problem }),
        };
        Self { text: None, form: Some(form), note: None }
    }
}

/// Draws an SVG file, or says why it is not drawn.
fn drawn(text: &str) -> (Option<Form>, Option<String>) {
    match Picture::draw(text) {
        Ok((picture, is_partial)) => {
            let note = is_partial.then(|| "Words and pictures in it are not drawn.".to_owned());
            (Some(Form::Drawing(picture)), note)
        }
        Err(error) => (None, Some(format!("This SVG is not drawn: {error}."))),
    }
}

/// Parses a JSON text, or says why it has no tree. A single value needs none.
fn tree(text: &str) -> (Option<Form>, Option<String>) {
    match json_text::tree(text) {
        Ok(tree @ (Value::Array(_) | Value::Object(_))) => (Some(Form::Tree(Arc::new(tree))), None),
        Ok(_) => (None, None),
        Err(error) => (None, Some(format!("This JSON is shown as text: {error}."))),
    }
}

/// Returns the text of a file that is kept as bytes although its format is one of text; what is not Unicode is replaced.
fn text_of(bytes: &[u8], format: Format) -> Option<Arc<str>> {
    let is_text = matches!(format, Format::Svg | Format::Json | Format::Table { .. });
    is_text.then(|| String::from_utf8_lossy(bytes).into())
}

/// Returns the interface's value for the language of an asset.
pub(super) fn specific(asset: View<'_, Asset>) -> &str {
    content::original(asset).map(|format| format.classification().specific()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_told_by_the_language_and_else_by_the_name() {
        assert_eq!(Format::of("md", "a"), Format::Markdown);
        assert_eq!(Format::of("svg", "a"), Format::Svg);
        assert_eq!(Format::of("csv", "a.TSV"), Format::Table { tabs: true });
        assert_eq!(Format::of("txt", "a.b.csv"), Format::Table { tabs: false });
        assert_eq!(Format::of("rs", "a.csv"), Format::Plain, "what the user said goes first");
    }
}
