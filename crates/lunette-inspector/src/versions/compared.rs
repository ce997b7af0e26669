//! A version with its content, and comparing it.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Output, Versions};
use crate::CallError;
use crate::action::CompareAction;
use crate::compare::{Side, Source};
use crate::context::Context;
use crate::notifications::Topic;
use crate::request_versions::ResourceKey;
use crate::transport::Transport;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::Record as _;
use lunette_client::model::version::PastAsset;

/// A version with its content.
#[derive(Clone, Debug)]
pub struct WholeVersion {
    /// The version.
    pub record: PastAsset,
    /// Its content; `None` if it has none, or none that can be read.
    pub content: Option<Vec<u8>>,
}

impl WholeVersion {
    /// Reads a version with its content.
    ///
    /// # Errors
    ///
    /// Fails as [`super::version`] and [`super::content`] do.
    pub async fn read(caller: &impl Transport, asset: AssetId, version: VersionNumber) -> Result<Self, CallError> {
        let record = super::version(caller, asset.clone(), version.clone()).await?;
        let content = match record.view().specific() {
            None => None,
            Some(_) => {
                let read = super::content(caller, asset, version).await?;
                match (read.view().text(), read.view().base64()) {
                    (Some(text), _) => Some(text.as_bytes().to_vec()),
                    (None, bytes) => STANDARD.decode(bytes.unwrap_or_default()).ok(),
                }
            }
        };
        Ok(Self { record, content })
    }

    /// Returns it as one side of a comparison.
    pub fn into_side(self) -> Side {
        super::side(self.record.view(), self.content)
    }
}

impl Versions {
    /// Reads a version that is to be compared with something.
    pub(super) fn read_to_compare(asset: AssetId, version: VersionNumber, with: Source, cx: &mut Context<'_>) {
        cx.request(CompareAction::CancelChoice);
        let client = cx.client();
        let (of, number) = (asset.clone(), version.clone());
        let read =
            async move { WholeVersion::read(&client?, asset, version).await.map(|read| Arc::new(read.into_side())) };
        cx.read(ResourceKey::VersionToCompare, read, move |side| Output::SideRead(of, number, with, side));
    }

    /// Compares a version that was read: it is the left side, which is the older one.
    pub(super) fn compare_read(
        asset: AssetId,
        version: &VersionNumber,
        with: Source,
        side: Result<Arc<Side>, CallError>,
        cx: &mut Context<'_>,
    ) {
        match side {
            Ok(side) => cx.request(CompareAction::Open([Source::Ready(side), with])),
            Err(error) => {
                let text = format!("Version {version} could not be read to be compared: {error}");
                cx.notify_failed(Topic::Asset(asset), text, Vec::new());
            }
        }
    }
}
