//! Where a side comes from, and reading it.

use std::path::PathBuf;
use std::sync::Arc;

use super::side::Side;
use super::{FileError, asset_side, file_side, item_side, version_side};
use crate::change::Item;
use crate::tasks::{Ended, blocking};
use crate::versions::{self, VersionSource};
use crate::{CallError, Vendor};
use lunette_client::client::Client;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::Record as _;

/// Where a side comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// An asset, with its name as it is known.
    Asset(AssetId, String),
    /// A tag, a website or a workstream summary.
    Item(Item),
    /// A version of an asset, with the asset's name as it is known.
    Version(AssetId, VersionNumber, String),
    /// A file.
    File(PathBuf),
    /// It was read already, such as a call of the log.
    Ready(Arc<Side>),
}

/// Why a side could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The service did not send it.
    #[error("“{name}” could not be read: {error}")]
    Call {
        /// What was read.
        name: String,
        /// Why.
        error: CallError,
    },
    /// The version could not be read.
    #[error("“{name}” could not be read: {error}")]
    Version {
        /// What was read.
        name: String,
        /// Why.
        error: versions::SourceError,
    },
    /// The file could not be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The work was cancelled, or panicked.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// What sides are read through.
pub(super) struct Reader {
    /// The service, or why it is not called.
    pub client: Result<Client, CallError>,
    /// Whose service it is.
    pub vendor: Vendor,
    /// Where the versions of its assets are.
    pub versions: VersionSource,
}

impl Source {
    /// Its name, for titles.
    pub fn name(&self) -> String {
        match self {
            Self::Asset(id, name) if name.trim().is_empty() => id.to_string(),
            Self::Asset(_, name) => name.clone(),
            Self::Version(id, version, name) if name.trim().is_empty() => format!("{id}, version {version}"),
            Self::Version(_, version, name) => format!("{name}, version {version}"),
            Self::Item(item) => item.name().to_owned(),
            Self::File(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            Self::Ready(side) => side.title.clone(),
        }
    }

    /// Whether it is this asset.
    pub fn is_asset(&self, asset: &AssetId) -> bool {
        matches!(self, Self::Asset(id, _) if id == asset)
    }

    /// Reads it.
    pub(super) async fn read(
        self,
        Reader { client, vendor, versions: source }: Reader,
    ) -> Result<Arc<Side>, SourceError> {
        let name = self.name();
        let of_call = |error| SourceError::Call { name: name.clone(), error };
        Ok(Arc::new(match self {
            Self::Asset(id, _) => asset_side(&client.map_err(of_call)?, id, vendor).await.map_err(of_call)?,
            Self::Item(item) => item_side(&client.map_err(of_call)?, &item).await.map_err(of_call)?,
            Self::Version(id, version, _) => {
                let read = versions::read(&source, id, version).await;
                let whole = read.map_err(|error| SourceError::Version { name: name.clone(), error })?;
                version_side(whole.record.view(), whole.content)
            }
            Self::File(path) => blocking(move || file_side(&path)).await??,
            Self::Ready(side) => return Ok(side),
        }))
    }
}
