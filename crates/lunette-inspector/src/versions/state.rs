//! The versions of the shown assets, and what is done with them.

use std::sync::Arc;

use super::content::{Copied, PastSearch};
use super::runs::RunChanges;
use super::then::Then;
use super::{Output, SourceError, VersionSource};
use crate::Remote;
use crate::context::Context;
use crate::request_versions::ResourceKey;
use crate::settings::VersionBounds;
use lunette_client::model::id::AssetId;
use lunette_client::model::version::{AssetVersions, Checkpoints};

/// How many lists are kept: those of two pages, and of an asset that is to be compared.
const LISTS: usize = 3;

/// The versions that are shown.
#[derive(Debug, Default)]
pub struct Versions {
    /// The versions of some assets, each list from the newest on; the one that was asked for last at the end.
    lists: Vec<(AssetId, Remote<Arc<AssetVersions>, SourceError>)>,
    /// What runs changed of these assets, as far as it was read.
    pub runs: RunChanges,
    /// Whether this program keeps them, since the service is one of others.
    pub is_local: bool,
    /// In which of them a text is, if one was searched for.
    pub search: Option<PastSearch>,
    /// The text of a version that was asked for to be copied.
    pub copied: Option<Copied>,
    /// The list of assets as it was, if it is shown.
    pub then: Then,
    /// The checkpoints, newest first.
    pub checkpoints: Remote<Arc<Checkpoints>, SourceError>,
    /// How many versions the service keeps, if it is one of this program.
    pub bounds: Remote<VersionBounds, SourceError>,
}

impl Versions {
    /// The versions of an asset, as far as they are loaded.
    pub fn of_asset(&self, asset: &AssetId) -> Option<&Remote<Arc<AssetVersions>, SourceError>> {
        self.lists.iter().find(|(of, _)| of == asset).map(|(_, list)| list)
    }

    pub(super) fn load(&mut self, asset: AssetId, cx: &mut Context<'_>) {
        let known = self.lists.iter().position(|(of, _)| *of == asset).map(|index| self.lists.remove(index).1);
        let mut list = known.unwrap_or_default();
        list.start_loading();
        self.lists.push((asset.clone(), list));
        let surplus = self.lists.len().saturating_sub(LISTS);
        self.lists.drain(..surplus);
        let source: VersionSource = cx.version_source();
        self.is_local = source.is_local();
        let (of, key) = (asset.clone(), ResourceKey::Versions(asset.clone()));
        let list = async move { source.list(asset).await.map(Arc::new) };
        cx.read(key, list, move |versions| Output::Listed(of, versions));
    }

    pub(super) fn listed(&mut self, asset: &AssetId, versions: Result<Arc<AssetVersions>, SourceError>) {
        if let Some((_, list)) = self.lists.iter_mut().find(|(of, _)| of == asset) {
            list.resolve(versions);
        }
    }
}
