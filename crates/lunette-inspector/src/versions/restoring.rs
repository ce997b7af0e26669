//! What makes an asset what a version of it was.

use super::Restore;
use super::{SourceError, VersionSource, restore};
use crate::assets::content;
use crate::assets::page::Content;
use crate::import::engine::NewAsset;
use crate::{CallError, Transport, Vendor};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;

/// What restores a version.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Restoring {
    /// Changes of the asset, and its name.
    Changes(Restore, String),
    /// The asset is gone: a new one.
    New(Box<NewAsset>),
}

/// Reads a version and what the asset is now; returns what restores it.
pub(crate) async fn read_restore(
    (caller, vendor): (&impl Transport, Vendor),
    source: &VersionSource,
    asset: AssetId,
    version: VersionNumber,
) -> Result<Restoring, SourceError> {
    let then = super::read(source, asset.clone(), version).await?;
    let now = match caller.call(AssetSnapshot { asset: asset.clone(), transferables: Some(false) }).await {
        Ok(now) => now,
        Err(error) if is_gone(&error) => return new_asset(&then).map(|new| Restoring::New(Box::new(new))),
        Err(error) => return Err(error.into()),
    };
    let content = content::whole(caller, asset, vendor).await?;
    Ok(restoring(&now, &content, &then))
}

/// What makes an asset what a version was.
fn restoring(now: &Asset, content: &Content, then: &super::Whole) -> Restoring {
    let now_text = match content {
        Content::Text(text) => Some(text.as_ref()),
        Content::Bytes(_) | Content::Large(_) | Content::Part(..) | Content::None => None,
    };
    let name = now.view().name().unwrap_or_default().to_owned();
    Restoring::Changes(restore(now.view(), now_text, then.record.view(), then.text()), name)
}

/// Whether an error says that there is no such asset.
fn is_gone(error: &CallError) -> bool {
    matches!(error, CallError::Status { status: 404 | 410, .. })
}

/// A new asset like a version of one that is gone.
///
/// # Errors
///
/// Fails if the content of the version is not known.
pub fn new_asset(then: &super::Whole) -> Result<NewAsset, SourceError> {
    let view = then.record.view();
    let content = then.content.clone().ok_or(SourceError::NoContent)?;
    let description = super::description(view).map(|text| NewAsset::description(text.to_owned()));
    Ok(NewAsset {
        name: view.name().map(str::to_owned),
        language: view.specific().map(str::to_owned),
        tags: view.tags().iter().filter_map(|tag| tag["text"].as_str()).map(str::to_owned).collect(),
        annotations: description.into_iter().collect(),
        favourite: view.favorited(),
        content,
        ..NewAsset::default()
    })
}
