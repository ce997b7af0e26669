//! Content prepared for drawing, on another thread.

use crate::ui::widgets::highlight::{Highlighted, highlight};
use crate::ui::widgets::markdown::Markdown;
use crate::ui::widgets::picture::{Picture, PictureError};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::language::language;
use lunette_client::model::record::View;
use lunette_inspector::assets::content;
use lunette_inspector::assets::page::Content;
use lunette_syntax::Budget;

/// The key of the work: equal contents of one asset in the same language look the same.
#[derive(Clone, PartialEq)]
pub(super) struct Key {
    pub id: AssetId,
    pub content: Content,
    pub specific: String,
}

/// Content ready to be drawn.
pub(super) enum Prepared {
    Text(Highlighted),
    /// A text, its rendered form, and what it is.
    Rendered(Highlighted, Markdown, Rendered),
    Bytes(Result<Picture, PictureError>),
}

/// What a text that can be rendered is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rendered {
    Markdown,
    /// Code: shown as source unless requested otherwise.
    Html,
}

impl Prepared {
    /// Does the work.
    pub(super) fn of(key: &Key, budget: &mut Budget) -> Self {
        match &key.content {
            Content::Bytes(bytes) => Self::Bytes(Picture::decode(bytes)),
            Content::Text(text) if is_markdown(&key.specific) => {
                let source = highlight(text.clone(), &key.specific, budget);
                Self::Rendered(source, Markdown::new(text, budget), Rendered::Markdown)
            }
            Content::Text(text) if is_html(&key.specific) => {
                let rendered = Markdown::of_html(text, budget);
                Self::Rendered(highlight(text.clone(), &key.specific, budget), rendered, Rendered::Html)
            }
            Content::Text(text) | Content::Part(text, _) => Self::Text(highlight(text.clone(), &key.specific, budget)),
            Content::Large(_) | Content::None => Self::Text(Highlighted::plain("")),
        }
    }

    /// Returns its text, if it has one.
    pub(super) fn text(&self) -> Option<&Highlighted> {
        match self {
            Self::Text(text) | Self::Rendered(text, ..) => Some(text),
            Self::Bytes(_) => None,
        }
    }
}

/// Returns the interface's value for the language of an asset.
pub(super) fn specific(asset: View<'_, Asset>) -> &str {
    content::original(asset).map(|format| format.classification().specific()).unwrap_or_default()
}

/// Returns the name of a language.
pub(super) fn named(specific: &str) -> &str {
    language(specific).map_or(specific, |language| language.name)
}

fn is_markdown(specific: &str) -> bool {
    matches!(specific, "md" | "markdown" | "mdown" | "mdwn" | "markdn" | "mkd")
}

fn is_html(specific: &str) -> bool {
    matches!(specific, "html" | "htm" | "xhtml" | "shtml" | "hljs-html")
}
