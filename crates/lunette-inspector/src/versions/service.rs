//! The versions that a service of this program keeps.

use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::version::{AssetVersions, PastAsset, PastAssetRow, PastAssets, PastContent};
use lunette_client::operation::elements;
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

/// What `each` makes of the assets that there were at a time, as RFC 3339 has it. They are read one by one, since the
/// list has no pages.
///
/// # Errors
///
/// Fails if the service keeps no versions.
pub async fn assets_then<T: Send + 'static>(
    caller: &impl Transport,
    at: String,
    mut each: impl FnMut(View<'_, PastAssetRow>) -> T + Send + 'static,
) -> Result<Vec<T>, CallError> {
    let read = move |body: &[u8]| {
        let mut rows = Vec::new();
        elements::each(body, PastAssets::NAME, |element| {
            rows.push(each(element.record::<PastAssetRow>()?.view()));
            Ok(())
        })?;
        Ok(rows)
    };
    caller.read(&AssetsThen { at }.into(), read).await
}
