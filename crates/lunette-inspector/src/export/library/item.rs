//! An asset to write: its record, its content, and the parts of the record that formats use.

use std::sync::Arc;

use serde_json::{Value, json};

use super::history::History;
use crate::assets::content::original;
use crate::assets::page::Content;
use crate::change::description;
use crate::listing::rows::AssetRow;
use lunette_client::model::asset::Asset;
use lunette_client::model::file_name::suggested_name;
use lunette_client::model::record::{Record as _, View};

/// An asset to write.
#[derive(Clone, Debug)]
pub struct ExportItem {
    /// Its row in the list.
    pub row: Arc<AssetRow>,
    /// Its record and content; `None` for formats without them.
    pub whole: Option<(Asset, Content)>,
    /// What an archive has beyond that.
    pub history: History,
}

/// The address and the name of a website.
pub(super) type Website<'a> = (&'a str, &'a str);

impl ExportItem {
    fn view(&self) -> Option<View<'_, Asset>> {
        self.whole.as_ref().map(|(asset, _)| asset.view())
    }

    /// Its id.
    pub fn id(&self) -> String {
        self.row.id().to_string()
    }

    /// Its name; empty if it has none.
    pub fn name(&self) -> &str {
        self.view().and_then(|asset| asset.name()).unwrap_or_else(|| self.row.name())
    }

    /// Returns its name, or its id if it has none.
    pub(super) fn title(&self) -> String {
        if self.name().trim().is_empty() { self.id() } else { self.name().to_owned() }
    }

    /// The bytes of its content.
    pub fn bytes(&self) -> &[u8] {
        match self.whole.as_ref().map(|(_, content)| content) {
            Some(Content::Text(text)) => text.as_bytes(),
            Some(Content::Bytes(bytes)) => bytes,
            Some(Content::Part(..) | Content::Large(_) | Content::None) | None => &[],
        }
    }

    /// Returns its text, or `None` if its content is not text.
    pub fn text(&self) -> Option<&str> {
        match self.whole.as_ref().map(|(_, content)| content) {
            Some(Content::Text(text)) => Some(text),
            Some(Content::Bytes(bytes)) if self.is_text() => std::str::from_utf8(bytes).ok(),
            Some(Content::None) => Some(""),
            Some(Content::Bytes(_) | Content::Part(..) | Content::Large(_)) | None => None,
        }
    }

    /// Returns whether the service stores its content as text rather than as a file.
    pub(super) fn is_text(&self) -> bool {
        let format = self.view().and_then(original);
        format.is_none_or(|format| format.file().is_none())
    }

    /// Its language, as an enum value of the interface.
    pub(super) fn specific(&self) -> String {
        let format = self.view().and_then(original);
        format.map_or(self.row.specific(), |format| format.classification().specific()).to_owned()
    }

    /// The texts of its tags.
    pub(super) fn tags(&self) -> Vec<&str> {
        let tags = self.view().and_then(|asset| asset.tags());
        tags.map(|tags| tags.iterable().iter().map(|tag| tag.text()).collect()).unwrap_or_default()
    }

    pub(super) fn websites(&self) -> Vec<Website<'_>> {
        let sites = self.view().and_then(|asset| asset.websites());
        sites.map(|sites| sites.iterable().iter().map(|site| (site.url(), site.name())).collect()).unwrap_or_default()
    }

    /// The type and the text of its annotations.
    pub(super) fn annotations(&self) -> Vec<(&str, &str)> {
        let annotations = self.view().and_then(|asset| asset.annotations());
        let annotations = annotations.map(|all| all.iterable().iter().map(|one| (one.kind(), one.text())).collect());
        annotations.unwrap_or_default()
    }

    /// Returns its description.
    pub(super) fn description(&self) -> Option<&str> {
        self.view().and_then(description).filter(|text| !text.trim().is_empty())
    }

    /// Whether it is a favourite.
    pub(super) fn favourite(&self) -> bool {
        self.view().and_then(|asset| asset.favorited()).unwrap_or(self.row.favorited)
    }

    /// Returns when it was created, as the service sends it.
    pub(super) fn created(&self) -> &str {
        self.view().map_or("", |asset| asset.created().value())
    }

    /// Returns when it was last changed, as the service sends it.
    pub(super) fn updated(&self) -> &str {
        self.view().map_or("", |asset| asset.updated().value())
    }

    /// Returns a name for a file with its content.
    pub(super) fn file_name(&self) -> String {
        let specific = self.specific();
        let usable = !specific.is_empty() && specific.chars().all(|letter| letter.is_ascii_alphanumeric());
        let extension = match (usable, self.is_text()) {
            (true, _) => specific.as_str(),
            (false, true) => "txt",
            (false, false) => "bin",
        };
        suggested_name(self.name(), &self.id(), extension)
    }

    /// Returns all its data as JSON; its content is in this file.
    pub(super) fn record(&self, file: &str) -> Value {
        let sites = self.websites().into_iter().map(|(url, name)| json!({ "url": url, "name": name }));
        let annotations = self.annotations().into_iter().map(|(kind, text)| json!({ "type": kind, "text": text }));
        json!({
            "id": self.id(),
            "name": self.name(),
            "file": file,
            "content": if self.is_text() { "text" } else { "file" },
            "language": self.specific(),
            "created": self.created(),
            "updated": self.updated(),
            "favourite": self.favourite(),
            "tags": self.tags(),
            "websites": sites.collect::<Value>(),
            "annotations": annotations.collect::<Value>(),
            "record": self.whole.as_ref().map(|(asset, _)| asset.tree().clone()),
            "conversations": self.history.conversations,
            "activities": self.history.activities,
        })
    }
}
