//! The versions that a service of this program keeps.

use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::version::{AssetVersions, PastAsset, PastAssets, PastContent};
use lunette_client::operation::table::{AssetVersionContent, AssetVersionSnapshot, AssetVersionsSnapshot, AssetsThen};

use crate::CallError;
use crate::transport::Transport;

/// The versions of an asset, the newest first.
///
/// # Errors
///
/// Fails if the service keeps no versions, or has no such asset.
pub async fn list(caller: &impl Transport, asset: AssetId) -> Result<AssetVersions, CallError> {
    caller.call(AssetVersionsSnapshot { asset }).await
}

/// A version without its content.
///
/// # Errors
///
/// Fails if the version is not kept, was not recorded, or is damaged.
pub async fn version(caller: &impl Transport, asset: AssetId, version: VersionNumber) -> Result<PastAsset, CallError> {
    caller.call(AssetVersionSnapshot { asset, version }).await
}

/// The whole content of a version.
///
/// # Errors
///
/// Fails as [`version`] does, and for a version of an asset that had been deleted for good.
pub async fn content(
    caller: &impl Transport,
    asset: AssetId,
    version: VersionNumber,
) -> Result<PastContent, CallError> {
    caller.call(AssetVersionContent { asset, version, offset: None, limit: None }).await
}

/// The assets that there were at a time, as RFC 3339 has it.
///
/// # Errors
///
/// Fails if the service keeps no versions.
pub async fn assets_then(caller: &impl Transport, at: String) -> Result<PastAssets, CallError> {
    caller.call(AssetsThen { at }).await
}
