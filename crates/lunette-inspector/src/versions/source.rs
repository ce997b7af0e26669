//! Where versions of assets are: at a service of this program, or in the inspector's database.

use lunette_client::client::Client;
use lunette_client::model::id::{AssetId, CheckpointId, VersionNumber};
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::version::{
    AssetVersions, Checkpoint, Checkpoints, PastAsset, PastAssetRow, PastContent, SeededCheckpoint,
};
use lunette_client::operation::table::{
    AssetVersionForget, AssetVersionsForget, CheckpointsCreate, CheckpointsDelete, CheckpointsSnapshot,
};
use serde_json::json;

use super::service;
use crate::local_versions::{LocalVersions, Recorder, VersionError};
use crate::tasks::{Ended, blocking};
use crate::transport::Transport;
use crate::{CallError, internal_error, not_connected};

/// Why versions cannot be read or changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SourceError {
    /// The service did not answer.
    #[error(transparent)]
    Call(#[from] CallError),
    /// Nothing can be made of a version whose content is not known.
    #[error("the content of this version is not known; choose an earlier one")]
    NoContent,
    /// There is nothing that a version can be compared with.
    #[error("the asset was deleted, so there are no parts to choose; restore the whole version")]
    Gone,
    /// They are kept by this program.
    #[error(transparent)]
    Local(#[from] VersionError),
}

impl From<Ended> for SourceError {
    fn from(ended: Ended) -> Self {
        Self::Local(ended.into())
    }
}

/// Where the versions of the assets of a connection are.
#[derive(Clone)]
pub enum VersionSource<C = Client> {
    /// At the service, or why it is not called now.
    Service(Result<C, CallError>),
    /// In the inspector's database, and what keeps them there.
    Local(LocalVersions, Recorder),
}

/// How many times as large as other responses the list of all assets at a time may be: it has no pages.
pub(crate) const LONG_LIST: usize = 16;

impl VersionSource {
    /// The same, for the list of all assets at a time.
    pub fn for_long_list(self) -> Self {
        match self {
            Self::Service(client) => Self::Service(client.map(|client| client.with_json_limit(LONG_LIST))),
            local @ Self::Local(..) => local,
        }
    }
}

impl<C: Transport> VersionSource<C> {
    /// Whether this program keeps them.
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Local(..))
    }

    /// The versions of an asset, the newest first; none if it was never seen.
    ///
    /// # Errors
    ///
    /// Fails if the service keeps no versions, or has no such asset.
    pub async fn list(&self, asset: AssetId) -> Result<AssetVersions, SourceError> {
        match self {
            Self::Service(client) => Ok(service::list(reached(client)?, asset).await?),
            Self::Local(..) => self.local(move |versions| versions.of_asset(&asset)).await,
        }
    }

    /// A version without its content.
    ///
    /// # Errors
    ///
    /// Fails if the version is not kept, was not recorded, or is damaged.
    pub async fn version(&self, asset: AssetId, version: VersionNumber) -> Result<PastAsset, SourceError> {
        match self {
            Self::Service(client) => Ok(service::version(reached(client)?, asset, version).await?),
            Self::Local(..) => self.local(move |versions| versions.version(&asset, &version)).await,
        }
    }

    /// The whole content of a version.
    ///
    /// # Errors
    ///
    /// Fails as [`Self::version`] does, if the content was not read then, and for a version of an asset that had been
    /// deleted for good.
    pub async fn content(&self, asset: AssetId, version: VersionNumber) -> Result<PastContent, SourceError> {
        match self {
            Self::Service(client) => Ok(service::content(reached(client)?, asset, version).await?),
            Self::Local(..) => self.local(move |versions| versions.content(&asset, &version)).await,
        }
    }

    /// Deletes the versions of an asset: at a service all but what it is now, here all that is kept of it.
    ///
    /// # Errors
    ///
    /// Fails if the service keeps no versions or has no such asset, and if bytes of them may be left.
    pub async fn forget(&self, asset: AssetId) -> Result<(), SourceError> {
        match self {
            Self::Service(client) => Ok(reached(client)?.call(AssetVersionsForget { asset }).await?),
            Self::Local(..) => self.local(move |versions| versions.forget(&asset).map(drop)).await,
        }
    }

    /// Deletes one version of an asset.
    ///
    /// # Errors
    ///
    /// Fails if it is not kept, or is what the asset is now, as far as that is known; and if bytes of it may be left.
    pub async fn forget_one(&self, asset: AssetId, version: VersionNumber) -> Result<(), SourceError> {
        match self {
            Self::Service(client) => Ok(reached(client)?.call(AssetVersionForget { asset, version }).await?),
            Self::Local(..) => self.local(move |versions| versions.forget_one(&asset, &version)).await,
        }
    }

    /// The assets that there were at a time.
    ///
    /// # Errors
    ///
    /// Fails if the service keeps no versions.
    pub async fn assets_then<T: Send + 'static>(
        &self,
        at: jiff::Timestamp,
        mut each: impl FnMut(View<'_, PastAssetRow>) -> T + Send + 'static,
    ) -> Result<Vec<T>, SourceError> {
        match self {
            Self::Service(client) => Ok(service::assets_then(reached(client)?, at.to_string(), each).await?),
            Self::Local(..) => {
                let then = self.local(move |versions| versions.assets_then(at.as_microsecond())).await?;
                Ok(then.view().iterable().iter().map(&mut each).collect())
            }
        }
    }

    /// The checkpoints, the newest first.
    ///
    /// # Errors
    ///
    /// Fails if the service keeps no versions.
    pub async fn checkpoints(&self) -> Result<Checkpoints, SourceError> {
        match self {
            Self::Service(client) => Ok(reached(client)?.call(CheckpointsSnapshot {}).await?),
            Self::Local(..) => self.local(LocalVersions::checkpoints).await,
        }
    }

    /// Gives this moment a name, for these assets, or for all (None).
    ///
    /// # Errors
    ///
    /// Fails if the service keeps no versions, or the name is too long.
    pub async fn add_checkpoint(&self, name: String, assets: Option<Vec<AssetId>>) -> Result<(), SourceError> {
        match self {
            Self::Service(client) => {
                let mut seed = json!({ "name": name });
                if let Some(assets) = assets {
                    seed["assets"] = assets.iter().map(AssetId::as_str).collect();
                }
                let seed = SeededCheckpoint::from_tree(seed).map_err(|error| internal_error(error.to_string()))?;
                let created: Checkpoint = reached(client)?.call(CheckpointsCreate { checkpoint: Some(seed) }).await?;
                drop(created);
                Ok(())
            }
            Self::Local(..) => self.local(move |versions| versions.add_checkpoint(&name, assets.as_deref())).await,
        }
    }

    /// Deletes a checkpoint.
    ///
    /// # Errors
    ///
    /// Fails if there is none with this id.
    pub async fn delete_checkpoint(&self, checkpoint: CheckpointId) -> Result<(), SourceError> {
        match self {
            Self::Service(client) => Ok(reached(client)?.call(CheckpointsDelete { checkpoint }).await?),
            Self::Local(..) => {
                self.local(move |versions| versions.delete_checkpoint(checkpoint.as_str()).map(drop)).await
            }
        }
    }

    /// Does work on the versions that this program keeps, once everything that was seen before is among them. Fails if
    /// it keeps none.
    pub(crate) async fn local<T: Send + 'static>(
        &self,
        work: impl FnOnce(&LocalVersions) -> Result<T, VersionError> + Send + 'static,
    ) -> Result<T, SourceError> {
        let Self::Local(versions, recorder) = self else { return Err(not_connected("no versions here").into()) };
        let versions = versions.clone();
        recorder.flush().await;
        Ok(blocking(move || work(&versions)).await??)
    }
}

/// The client of the service.
fn reached<C>(client: &Result<C, CallError>) -> Result<&C, CallError> {
    client.as_ref().map_err(CallError::clone)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpListener;

    use lunette_client::client::Limits;

    use super::*;

    /// A service that answers every request with a list of this many assets.
    fn answering(assets: usize) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let row = |number: usize| json!({ "id": number.to_string(), "version": 1, "recorded": true, "tags": [] });
        let list = json!({ "iterable": (0..assets).map(row).collect::<Vec<_>>() }).to_string();
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", list.len());
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                let mut connection = connection.expect("a connection");
                let request = BufReader::new(connection.try_clone().expect("a handle"));
                if request.lines().map_while(Result::ok).any(|line| line.is_empty()) {
                    connection.write_all(format!("{head}{list}").as_bytes()).ok(); // A client that gave up has gone.
                }
            }
        });
        address
    }

    #[tokio::test]
    async fn the_list_of_many_assets_at_a_time_is_read_although_it_is_larger_than_other_responses() {
        // More values than a response that is held as a whole may have.
        let limits = Limits { json_bytes: 1 << 20, ..Limits::default() };
        let client = Client::new(answering(150_000).parse().expect("an address"), limits).expect("a client");
        let source = VersionSource::Service(Ok(client));
        let now = jiff::Timestamp::now();
        let refused = source.assets_then(now, |row| row.version()).await.expect_err("a limit");
        assert!(matches!(refused, SourceError::Call(CallError::TooLarge { .. })), "{refused}");
        let versions = source.for_long_list().assets_then(now, |row| row.version()).await.expect("a list");
        assert_eq!(versions, [1; 150_000]);
    }
}
