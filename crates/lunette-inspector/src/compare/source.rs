//! Where a side comes from, and reading it.

use std::path::PathBuf;
use std::sync::Arc;

use super::side::Side;
use super::{FileError, asset_side, file_side, item_side};
use crate::change::Item;
use crate::tasks::{Ended, blocking};
use crate::{CallError, Vendor};
use lunette_client::client::Client;
use lunette_client::model::id::AssetId;

/// Where a side comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// An asset, with its name as it is known.
    Asset(AssetId, String),
    /// A tag, a website or a workstream summary.
    Item(Item),
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
    /// The file could not be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The work was cancelled, or panicked.
    #[error(transparent)]
    Ended(#[from] Ended),
}

impl Source {
    /// Its name, for titles.
    pub fn name(&self) -> String {
        match self {
            Self::Asset(id, name) if name.trim().is_empty() => id.to_string(),
            Self::Asset(_, name) => name.clone(),
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
        client: Result<Client, CallError>,
        vendor: Vendor,
    ) -> Result<Arc<Side>, SourceError> {
        let name = self.name();
        let of_call = |error| SourceError::Call { name: name.clone(), error };
        Ok(Arc::new(match self {
            Self::Asset(id, _) => asset_side(&client.map_err(of_call)?, id, vendor).await.map_err(of_call)?,
            Self::Item(item) => item_side(&client.map_err(of_call)?, &item).await.map_err(of_call)?,
            Self::File(path) => blocking(move || file_side(&path)).await??,
            Self::Ready(side) => return Ok(side),
        }))
    }
}
