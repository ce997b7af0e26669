//! A version with its content.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::Record as _;
use lunette_client::model::version::PastAsset;

use super::source::{SourceError, VersionSource};
use crate::local_versions::VersionError;
use crate::transport::Transport;

/// A version with its content.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    /// What it was.
    pub record: PastAsset,
    /// Its content; None where it has none, or it was not read.
    pub content: Option<Vec<u8>>,
    /// Whether the content was not read while the asset was so.
    pub unread: bool,
}

/// The text of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PastText<'a> {
    /// Its content is text.
    Text(&'a str),
    /// Its content is none, or there is none.
    None,
    /// Its content was not read while the asset was so.
    NotRead,
}

impl Whole {
    /// Its text.
    pub fn text(&self) -> PastText<'_> {
        match (&self.content, self.unread) {
            (_, true) => PastText::NotRead,
            (Some(bytes), false) => std::str::from_utf8(bytes).map_or(PastText::None, PastText::Text),
            (None, false) => PastText::None,
        }
    }
}

/// Reads a version with its content.
///
/// # Errors
///
/// Fails if the version is not kept, was not recorded, or is damaged.
pub async fn read<C: Transport>(
    source: &VersionSource<C>,
    asset: AssetId,
    version: VersionNumber,
) -> Result<Whole, SourceError> {
    let record = source.version(asset.clone(), version.clone()).await?;
    if !source.is_local() && record.view().specific().is_none() {
        return Ok(Whole { record, content: None, unread: false });
    }
    let content = match source.content(asset, version).await {
        Ok(content) => content,
        Err(SourceError::Local(VersionError::NotRead(_))) => return Ok(Whole { record, content: None, unread: true }),
        Err(error) => return Err(error),
    };
    let content = match (content.view().text(), content.view().base64()) {
        (Some(text), _) => Some(text.as_bytes().to_vec()),
        (None, bytes) => STANDARD.decode(bytes.unwrap_or_default()).ok(),
    };
    Ok(Whole { record, content, unread: false })
}
