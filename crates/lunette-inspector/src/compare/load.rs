//! Reads the sides of a comparison: assets and items of a service, and files.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use lunette_storage::system::error_text;

use super::fields::asset_links;
use super::side::{Body, MAX_BYTES, Side};
use super::{asset_record, item_record};
use crate::assets::content::{self, Portion};
use crate::change::Item;
use crate::{CallError, Vendor, internal_error};
use lunette_client::client::Client;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;

/// Reads an asset, which a part of the other side can be copied to. A content that is too large to be compared is
/// not read.
pub async fn asset_side(client: &Client, id: AssetId, vendor: Vendor) -> Result<Side, CallError> {
    let snapshot = AssetSnapshot { asset: id.clone(), transferables: Some(false) };
    let asset = client.call(snapshot).await?;
    let view = asset.view();
    let size = content::size(view);
    let text = content::is_text(view);
    let body = match usize::try_from(size) {
        Ok(bytes) if bytes > MAX_BYTES => Body::TooLarge(Some(bytes as u64)),
        _ => content::fetch(client, id.clone(), (text, vendor, size), Portion::Whole).await?.into(),
    };
    let name = view.name().filter(|name| !name.trim().is_empty());
    Ok(Side {
        title: name.map_or_else(|| id.to_string(), str::to_owned),
        kind: format!("asset · {id}"),
        record: Some(asset_record(view)),
        links: asset_links(view),
        body,
        target: Some(id),
    })
}

/// Reads a tag, a website or a workstream summary.
pub async fn item_side(client: &Client, item: &Item) -> Result<Side, CallError> {
    let call = item.id.read_call(Some(true)).map_err(|error| internal_error(error.to_string()))?;
    let record = client.exchange(&call).await.outcome?.to_tree();
    Ok(Side {
        title: item.name().to_owned(),
        kind: format!("{} · {}", item.kind.one(), &*item.id),
        record: Some(item_record(&record)),
        ..Side::default()
    })
}

/// Why a file cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("cannot read {path}: {}", error_text(.error))]
    Unreadable {
        /// The path.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// It is a folder or a device.
    #[error("{0} is not a file")]
    NoFile(String),
}

/// Reads a file. Blocks.
pub fn file_side(path: &Path) -> Result<Side, FileError> {
    let shown = path.display().to_string();
    let unreadable = |error| FileError::Unreadable { path: shown.clone(), error };
    let facts = fs::metadata(path).map_err(unreadable)?;
    if !facts.is_file() {
        return Err(FileError::NoFile(shown));
    }
    let mut bytes = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes)).map_err(unreadable)?;
    let body = if bytes.len() > MAX_BYTES { Body::TooLarge(Some(facts.len())) } else { Body::Bytes(bytes.into()) };
    let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    Ok(Side { title: name, kind: format!("file · {shown}"), body, ..Side::default() })
}
