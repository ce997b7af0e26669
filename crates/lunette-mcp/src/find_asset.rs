//! The asset that an argument names.

use lunette_client::model::asset::Asset;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::navigation::link::{Link, is_meant};
use lunette_inspector::versions::{self, Whole};

use crate::backend::Session;
use crate::tools::ToolError;

/// The asset that a text names: its id, or a link to it.
pub(crate) fn asset_id(text: &str) -> Result<AssetId, ToolError> {
    if is_meant(text) {
        return match text.parse::<Link>() {
            Ok(Link::Asset(id)) => Ok(id),
            Ok(_) => Err(ToolError::new(format!("{text:?} is not a link to an asset"))),
            Err(error) => Err(ToolError::of(error)),
        };
    }
    text.parse().map_err(|_| ToolError::new(format!("{text:?} is not the id of an asset; `find` returns the ids")))
}

/// The asset and the version that a text such as `ID@3` names.
pub(crate) fn asset_version(text: &str) -> Result<(AssetId, Option<VersionNumber>), ToolError> {
    match text.rsplit_once('@') {
        Some((asset, version)) => {
            let version =
                version.parse().map_err(|_| ToolError::new(format!("{version:?} is not a version number")))?;
            Ok((asset_id(asset)?, Some(version)))
        }
        None => Ok((asset_id(text)?, None)),
    }
}

/// Reads the record of an asset, without content.
pub(crate) async fn record(session: &Session, asset: &AssetId) -> Result<Asset, ToolError> {
    Ok(session.client.call(AssetSnapshot { asset: asset.clone(), transferables: Some(false) }).await?)
}

/// Reads a version with its content. The content is left out where it cannot be read.
pub(crate) async fn read_version(
    session: &Session,
    asset: AssetId,
    version: VersionNumber,
) -> Result<Whole, ToolError> {
    let source = session.versions();
    match versions::read(&source, asset.clone(), version.clone()).await {
        Ok(whole) => Ok(whole),
        // What it was but for its content may be there.
        Err(_) => Ok(Whole { record: source.version(asset, version).await?, content: None, unread: false }),
    }
}
