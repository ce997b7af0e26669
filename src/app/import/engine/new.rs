//! A new asset of given content, with what its maker says of it.

use serde_json::{Value, json};

use crate::app::assets::seed::{application, file_of_seed};
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::Seed;

use super::decode::decode;
use super::{LARGEST_FILE, LARGEST_FOREIGN_BINARY};

/// An asset that is to be made. What is not said is left to the service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewAsset {
    /// Its name.
    pub name: Option<String>,
    /// Its language, as the interface names it.
    pub language: Option<String>,
    /// The texts of its tags.
    pub tags: Vec<String>,
    /// Its description.
    pub description: Option<String>,
    /// The addresses of its websites.
    pub websites: Vec<String>,
    /// Its content: text in any encoding, or anything else.
    pub content: Vec<u8>,
}

impl NewAsset {
    /// Returns its seed; `own_service` sends bytes in base64, which our own service takes. Fails with the reason.
    pub fn seed(self, own_service: bool) -> Result<Seed, String> {
        let Self { name, language, tags, description, websites, content } = self;
        let size = content.len() as u64;
        if size > LARGEST_FILE {
            return Err(format!("{size} bytes: more than the limit of {LARGEST_FILE} bytes for an asset"));
        }
        let mut format = match decode(content) {
            Ok(decoded) => json!({ "fragment": { "string": { "raw": decoded.text } } }),
            Err(_) if !own_service && size > LARGEST_FOREIGN_BINARY => {
                return Err(format!(
                    "{size} bytes without text: this service accepts at most {LARGEST_FOREIGN_BINARY} because it needs \
                     each byte as a JSON number; the built-in service accepts it"
                ));
            }
            Err(bytes) => json!({ "file": file_of_seed(name.as_deref().unwrap_or_default(), &bytes, own_service) }),
        };
        if let Some(language) = language {
            format["classification"] = json!({ "specific": language });
        }
        let mut metadata = json!({ "mechanism": "MANUAL" });
        if let Some(name) = name {
            metadata["name"] = name.into();
        }
        if !tags.is_empty() {
            metadata["tags"] = tags.into_iter().map(|text| json!({ "text": text })).collect::<Value>();
        }
        if let Some(text) = description {
            metadata["annotations"] = json!([{ "type": "DESCRIPTION", "text": text }]);
        }
        if !websites.is_empty() {
            metadata["websites"] =
                websites.into_iter().map(|url| json!({ "url": url, "name": url })).collect::<Value>();
        }
        let asset = json!({ "application": application(), "format": format, "metadata": metadata });
        Seed::from_tree(json!({ "type": "SEEDED_ASSET", "asset": asset })).map_err(|wrong| wrong.to_string())
    }
}
