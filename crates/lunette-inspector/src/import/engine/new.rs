//! A new asset with given content and metadata.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::Vendor;
use crate::assets::seed::{application, file_of_seed};
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::Seed;

use super::decode::decode;
use super::{MAX_FILE_SIZE, MAX_FOREIGN_BINARY_SIZE, SeedError};

/// The kind of content of a new asset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContentKind {
    /// Detected from the bytes: text in any encoding, or binary.
    #[default]
    Detected,
    /// Text, unchanged.
    Text,
    /// A file, unchanged, even if it contains text.
    File,
}

/// What to do where the id of an asset from an archive of Lunette is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TakenIds {
    /// Give the new asset another id.
    #[default]
    NewId,
    /// Create nothing: the existing asset stays as it is, and counts as what the item became.
    Keep,
    /// Leave the item out.
    Skip,
}

impl TakenIds {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::NewId, Self::Keep, Self::Skip];

    /// Its name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NewId => "new",
            Self::Keep => "keep",
            Self::Skip => "skip",
        }
    }

    /// Its name in a seed.
    fn in_seed(self) -> &'static str {
        match self {
            Self::NewId => "keep",
            // One whose id was taken since the plan was made is not created either.
            Self::Keep | Self::Skip => "skip",
        }
    }
}

/// A website of a new asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewWebsite {
    /// Its address.
    pub url: String,
    /// Its name.
    pub name: String,
}

/// An asset to create. The service chooses what is not set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewAsset {
    /// Its name.
    pub name: Option<String>,
    /// Its language, as an enum value of the interface.
    pub language: Option<String>,
    /// The texts of its tags.
    pub tags: Vec<String>,
    /// Its annotations: the type and the text of each.
    pub annotations: Vec<(String, String)>,
    /// Its websites.
    pub websites: Vec<NewWebsite>,
    /// Whether it is a favourite.
    pub favourite: bool,
    /// When it was created, for services that support it.
    pub created: Option<Timestamp>,
    /// When it was last changed, for services that support it.
    pub updated: Option<Timestamp>,
    /// Its content.
    pub content: Vec<u8>,
    /// The kind of the content.
    pub kind: ContentKind,
    /// The archived data that only our own service can restore, as JSON; see `Native::archived`.
    pub archived: Option<String>,
    /// Whether it keeps its archived id where that is free, which only our own service supports, and what to do where it
    /// is taken; None for a new id.
    pub ids: Option<TakenIds>,
    /// Whether to create it even if an asset with the same name and content exists.
    pub duplicate: bool,
}

/// The tag for favourites on services whose new assets cannot be favourites.
pub(crate) const FAVOURITE_TAG: &str = "favourite";

impl NewAsset {
    /// Returns an annotation that describes an asset.
    pub fn description(text: String) -> (String, String) {
        ("DESCRIPTION".to_owned(), text)
    }

    /// Returns the content as text, or `None` if it is not text.
    pub fn text(&self) -> Option<String> {
        let content = self.content.clone();
        match self.kind {
            ContentKind::Detected => decode(content).ok().map(|decoded| decoded.text),
            ContentKind::Text => String::from_utf8(content).ok(),
            ContentKind::File => None,
        }
    }

    /// Returns its seed; bytes are encoded as base64 where the vendor supports it.
    pub fn seed(mut self, vendor: Vendor) -> Result<Seed, SeedError> {
        let content = std::mem::take(&mut self.content);
        let format = self.format(content, vendor)?;
        let mut asset = json!({ "application": application(), "format": format, "metadata": Value::Null });
        // Our choice: a seed may mark its asset as a favourite. The interface has no such field, so other services get
        // a tag.
        if self.favourite && vendor.is_lunette() {
            asset["favorited"] = true.into();
        } else if self.favourite && !self.tags.iter().any(|tag| tag == FAVOURITE_TAG) {
            self.tags.push(FAVOURITE_TAG.to_owned());
        }
        // The interface has no fields for dates either.
        for (field, date) in [("created", self.created), ("updated", self.updated)] {
            if let Some(date) = date.filter(|_| vendor.is_lunette()) {
                asset[field] = json!({ "value": date.to_string() });
            }
        }
        // Our choice: nor a field for what an archive has beyond a seed.
        if let Some(archived) = self.archived.take_if(|_| vendor.is_lunette()) {
            asset["archived"] =
                serde_json::from_str(&archived).map_err(|wrong| SeedError::Archived(wrong.to_string()))?;
            if let Some(taken) = self.ids {
                asset["archived"]["ids"] = taken.in_seed().into();
            }
        }
        asset["metadata"] = self.metadata(&asset["archived"]["record"]);
        Ok(Seed::from_tree(json!({ "type": "SEEDED_ASSET", "asset": asset }))?)
    }

    fn format(&self, content: Vec<u8>, vendor: Vendor) -> Result<Value, SeedError> {
        let size = content.len() as u64;
        if size > MAX_FILE_SIZE {
            return Err(SeedError::TooLarge(size));
        }
        let decoded = match self.kind {
            ContentKind::Detected => decode(content).map(|decoded| decoded.text),
            ContentKind::Text => {
                String::from_utf8(content).or_else(|wrong| decode(wrong.into_bytes()).map(|decoded| decoded.text))
            }
            ContentKind::File => Err(content),
        };
        let (mut format, key) = match decoded {
            Ok(text) => (json!({ "fragment": { "string": { "raw": text } } }), "fragment"),
            Err(_) if !vendor.is_lunette() && size > MAX_FOREIGN_BINARY_SIZE => {
                return Err(SeedError::TooLargeForService(size));
            }
            Err(bytes) => {
                let name = self.name.as_deref().unwrap_or_default();
                (json!({ "file": file_of_seed(name, &bytes, vendor) }), "file")
            }
        };
        if let Some(language) = &self.language {
            format["classification"] = json!({ "specific": language });
            format[key]["metadata"]["ext"] = language.as_str().into();
        }
        Ok(format)
    }

    /// The metadata of its seed; `record` is what an archive has of it.
    fn metadata(self, record: &Value) -> Value {
        let Self { name, tags, annotations, websites, .. } = self;
        let mut metadata = json!({ "mechanism": record["mechanism"].as_str().unwrap_or("MANUAL") });
        if let Some(name) = name {
            metadata["name"] = name.into();
        }
        if !tags.is_empty() {
            metadata["tags"] = tags.iter().map(|text| tag(text, record)).collect::<Value>();
        }
        if !annotations.is_empty() {
            let annotation = |(kind, text)| json!({ "type": kind, "text": text });
            metadata["annotations"] = annotations.into_iter().map(annotation).collect::<Value>();
        }
        if !websites.is_empty() {
            let website = |NewWebsite { url, name }| json!({ "url": url, "name": name });
            metadata["websites"] = websites.into_iter().map(website).collect::<Value>();
        }
        metadata
    }
}

/// The seed of a tag, with the category that it has in the record of an archive.
fn tag(text: &str, record: &Value) -> Value {
    let tags = record["tags"]["iterable"].as_array().into_iter().flatten();
    let category = tags.filter(|tag| tag["text"] == text).find_map(|tag| tag["category"].as_str());
    match category {
        Some(category) => json!({ "text": text, "category": category }),
        None => json!({ "text": text }),
    }
}
