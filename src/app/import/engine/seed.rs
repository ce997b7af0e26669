//! One file as the seed of an asset.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use serde_json::json;

use crate::app::assets::seed::application;
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::Seed;

use super::Refused;
use super::decode::decode;
use super::scan::not_a_file;
use crate::app::assets::seed::file_of_seed;

/// The largest file taken, in bytes. Our choice: an asset is a record that is sent whole.
pub const LARGEST_FILE: u64 = 64 * 1024 * 1024;
/// The largest file without text that is sent to a service other than our own, in bytes. Such a service takes bytes as
/// JSON numbers only (records, 2.2), which makes four bytes and more of each.
pub const LARGEST_FOREIGN_BINARY: u64 = 4 * 1024 * 1024;

/// Reads a file as a seed. Its name becomes the asset's name, and its description says where it came from: `shown_as`.
/// `own_service` sends bytes in base64, which our own service takes.
pub fn seed(path: &Path, shown_as: &str, own_service: bool) -> Result<Seed, Refused> {
    let refused = |reason: String| Refused::new(path, reason);
    let bytes = read(path).map_err(refused)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    seed_of(&name, bytes, &format!("Imported from {shown_as}"), own_service).map_err(refused)
}

/// The content of a file as a seed; `origin` becomes the asset's description. Fails with the reason.
pub fn seed_of(name: &str, bytes: Vec<u8>, origin: &str, own_service: bool) -> Result<Seed, String> {
    let mut origin = origin.to_owned();
    let format = match decode(bytes) {
        Ok(decoded) => {
            if decoded.encoding != "UTF-8" {
                origin.push_str(&format!(" (was {})", decoded.encoding));
            }
            json!({ "fragment": { "string": { "raw": decoded.text } } })
        }
        Err(bytes) if !own_service && bytes.len() as u64 > LARGEST_FOREIGN_BINARY => {
            return Err(format!(
                "binary file of {} bytes: this service accepts at most {LARGEST_FOREIGN_BINARY} because it needs \
                 each byte as a JSON number; the built-in service accepts it",
                bytes.len()
            ));
        }
        Err(bytes) => json!({ "file": file_of_seed(name, &bytes, own_service) }),
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
    Seed::from_tree(tree).map_err(|wrong| format!("cannot be made into a seed: {wrong}"))
}

/// The whole content. Fails on what is no file, cannot be read, or is too large, also where it grows while it is read.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| format!("cannot be read: {error}");
    // Looked at before it is opened: opening a named pipe would wait for its other end.
    let found = fs::metadata(path).map_err(unreadable)?;
    if let Some(what) = not_a_file(found.file_type()) {
        return Err(format!("{what}, not a file"));
    }
    let too_large = |size: u64| format!("{size} bytes: more than the limit of {LARGEST_FILE} bytes for an asset");
    if found.len() > LARGEST_FILE {
        return Err(too_large(found.len()));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(found.len()).unwrap_or_default());
    File::open(path).map_err(unreadable)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST_FILE { Err(too_large(bytes.len() as u64)) } else { Ok(bytes) }
}
