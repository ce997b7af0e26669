//! Creates the seed of an asset from a file.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use lunette_sources::{FrontMatter, FrontMatterError};
use lunette_storage::system::error_text;
use serde_json::json;

use crate::Vendor;
use crate::assets::seed::application;
use lunette_client::model::import_path::PREFIX;
use lunette_client::model::record::{Record as _, SchemaError};
use lunette_client::model::seed::Seed;

use super::decode::decode;
use super::scan::not_a_file;
use super::{NewAsset, NewWebsite, Rejected};
use crate::assets::seed::file_of_seed;

/// The maximum size of a file, in bytes. Our choice: an asset is a record that is sent whole.
pub const MAX_FILE_SIZE: u64 = 64 * 1024 * 1024;
/// The maximum size of a binary file sent to other services, in bytes. They take bytes only as JSON numbers (records,
/// 2.2), which need four bytes or more each.
pub const MAX_FOREIGN_BINARY_SIZE: u64 = 4 * 1024 * 1024;

/// Why a content cannot become an asset, in lower case, with advice if there is any.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SeedError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// It is this instead of a file.
    #[error("{0}, not a file")]
    NotAFile(&'static str),
    /// It has this many bytes.
    #[error("{0} bytes: more than the limit of {MAX_FILE_SIZE} bytes for an asset")]
    TooLarge(u64),
    /// It has this many bytes that are not text, for a service that is not ours.
    #[error(
        "binary file of {0} bytes: this service accepts at most {MAX_FOREIGN_BINARY_SIZE} because it needs each byte as a \
         JSON number; the built-in service accepts it"
    )]
    TooLargeForService(u64),
    /// What an archive has beyond a seed is not JSON.
    #[error("{0}")]
    Archived(String),
    /// The seed would not match its schema.
    #[error("cannot be converted to a seed: {0}")]
    Schema(#[from] SchemaError),
}

/// Reads a file as a seed. Its name becomes the name of the asset, and `display_path` its description.
/// Bytes are encoded as base64 where the vendor supports it. Front matter of a Markdown file becomes tags, websites, dates
/// and description.
pub fn seed(path: &Path, display_path: &str, vendor: Vendor) -> Result<Seed, Rejected> {
    let rejected = |error: SeedError| Rejected::new(path, error);
    let bytes = read(path).map_err(rejected)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if let Some(front_matter) = front_matter(path, &bytes) {
        return note(name, bytes, front_matter, display_path).seed(vendor).map_err(rejected);
    }
    seed_of(&name, bytes, &format!("{PREFIX}{display_path}"), vendor).map_err(rejected)
}

/// Returns the front matter of a Markdown file; `None` for other files.
fn front_matter(path: &Path, bytes: &[u8]) -> Option<Result<FrontMatter, FrontMatterError>> {
    let extension = path.extension().and_then(OsStr::to_str).map(str::to_lowercase);
    matches!(extension.as_deref(), Some("md" | "markdown")).then_some(())?;
    FrontMatter::of_text(std::str::from_utf8(bytes).ok()?)
}

/// The maximum length of a tag in front matter, in characters.
const MAX_TAG_LENGTH: usize = 100;

/// Returns the asset of a Markdown file with front matter. Our choice: content and name are those of the file, so that
/// importing it again finds the asset; tags, addresses and dates become those of the asset, and the rest goes into the
/// description.
fn note(
    name: String,
    bytes: Vec<u8>,
    front_matter: Result<FrontMatter, FrontMatterError>,
    display_path: &str,
) -> NewAsset {
    let (known, problem) = match front_matter {
        Ok(known) => (known, None),
        Err(problem) => (FrontMatter::default(), Some(format!("Its front matter was not read: {problem}"))),
    };
    let FrontMatter { title, tags, aliases, description, urls, created, updated } = known;
    let aliases = (!aliases.is_empty()).then(|| format!("Aliases: {}", aliases.join(", ")));
    let origin = Some(format!("{PREFIX}{display_path}"));
    let parts = [title.map(|title| format!("Title: {title}")), description, aliases, problem, origin];
    let mut seen = HashSet::new();
    let is_tag = |tag: &String| !tag.trim().is_empty() && tag.chars().count() <= MAX_TAG_LENGTH;
    NewAsset {
        name: Some(name),
        tags: tags.into_iter().filter(is_tag).filter(|tag| seen.insert(tag.to_lowercase())).collect(),
        annotations: vec![NewAsset::description(parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n"))],
        websites: urls.into_iter().map(|url| NewWebsite { name: url.clone(), url }).collect(),
        created,
        updated,
        content: bytes,
        ..NewAsset::default()
    }
}

/// Returns a seed with this content; `origin` becomes the description of the asset.
pub fn seed_of(name: &str, bytes: Vec<u8>, origin: &str, vendor: Vendor) -> Result<Seed, SeedError> {
    let mut origin = origin.to_owned();
    let format = match decode(bytes) {
        Ok(decoded) => {
            if decoded.encoding != "UTF-8" {
                origin.push_str(&format!(" (was {})", decoded.encoding));
            }
            json!({ "fragment": { "string": { "raw": decoded.text } } })
        }
        Err(bytes) if !vendor.is_lunette() && bytes.len() as u64 > MAX_FOREIGN_BINARY_SIZE => {
            return Err(SeedError::TooLargeForService(bytes.len() as u64));
        }
        Err(bytes) => json!({ "file": file_of_seed(name, &bytes, vendor) }),
    };
    let tree = json!({
        "type": "SEEDED_ASSET",
        "asset": {
            "application": application(),
            "format": format,
            "metadata": {
                "name": name,
                "mechanism": "MANUAL",
                "annotations": [{ "type": "DESCRIPTION", "text": origin }],
            },
        },
    });
    Ok(Seed::from_tree(tree)?)
}

/// Returns the text of a file, or its bytes if it is not text, as in an asset of it. Blocks.
pub(crate) fn content_of(path: &Path) -> Result<Result<String, Vec<u8>>, SeedError> {
    Ok(decode(read(path)?).map(|decoded| decoded.text))
}

/// Reads the whole file. Fails if it is not a regular file, cannot be read, or is too large, even if it grows
/// meanwhile.
fn read(path: &Path) -> Result<Vec<u8>, SeedError> {
    let unreadable = |error: io::Error| SeedError::Unreadable(error_text(&error));
    // Check the type before opening: opening a named pipe would wait for its other end.
    let found = fs::metadata(path).map_err(unreadable)?;
    if let Some(what) = not_a_file(found.file_type()) {
        return Err(SeedError::NotAFile(what));
    }
    if found.len() > MAX_FILE_SIZE {
        return Err(SeedError::TooLarge(found.len()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(found.len()).unwrap_or_default());
    File::open(path).map_err(unreadable)?.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE_SIZE { Err(SeedError::TooLarge(bytes.len() as u64)) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeded(name: &str, text: &str) -> serde_json::Value {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        seed(&path, "notes/x", Vendor::Lunette).expect("a seed").into_tree()["asset"].take()
    }

    #[test]
    fn front_matter_of_a_markdown_file_becomes_metadata_and_remains_in_the_content() {
        let text = "---\ntitle: Sorting\ntags: [rust, \"to do\", Rust]\naliases: [order, rank]\ncreated: 2024-01-02\n\
                    url: https://a.example/\n---\n# Text\n";
        let asset = seeded("note.md", text);
        assert_eq!(asset["format"]["fragment"]["string"]["raw"], text);
        let metadata = &asset["metadata"];
        assert_eq!(metadata["name"], "note.md");
        assert_eq!(metadata["tags"], json!([{ "text": "rust" }, { "text": "to do" }]));
        assert_eq!(metadata["websites"][0]["url"], "https://a.example/");
        let described = "Title: Sorting\n\nAliases: order, rank\n\nImported from notes/x";
        assert_eq!(metadata["annotations"], json!([{ "type": "DESCRIPTION", "text": described }]));
        assert_eq!(asset["created"]["value"], "2024-01-02T00:00:00Z");
        let broken = seeded("note.md", "---\na: [\n---\nText");
        let text = broken["metadata"]["annotations"][0]["text"].as_str().unwrap_or_default();
        assert!(text.starts_with("Its front matter was not read: line "), "{text}");
        for (name, text) in [("note.md", "# Text"), ("note.md", "---\nno end"), ("note.txt", "---\ntags: [a]\n---\n")] {
            assert_eq!(seeded(name, text)["metadata"]["tags"], serde_json::Value::Null, "{name}: {text}");
        }
    }
}
