//! Assets that were recreated with another id.

use std::collections::BTreeMap;

use super::Change;
use lunette_client::model::id::AssetId;

/// The ids of recreated assets, by their previous ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replacements(pub(crate) BTreeMap<AssetId, AssetId>);

impl Replacements {
    /// Each previous id with the one that is current, in lower case.
    pub fn current(&self) -> impl Iterator<Item = (String, String)> {
        let lower = |id: &AssetId| id.as_str().to_lowercase();
        self.0.keys().map(move |from| (lower(from), lower(self.now(from))))
    }

    /// The current id of an asset.
    pub fn now<'a>(&'a self, mut asset: &'a AssetId) -> &'a AssetId {
        // Each was created after the one it replaces, so this ends; the bound is for manipulated journals.
        for _ in 0..self.0.len() {
            let Some(next) = self.0.get(asset) else { break };
            asset = next;
        }
        asset
    }

    /// The change, applied to the current id of its asset.
    pub fn apply(&self, change: Change) -> Change {
        let asset = self.now(change.asset()).clone();
        change.moved_to(&asset)
    }
}

/// The previous and the new id of the asset that a change recreated.
pub(crate) fn replaced(made: &Change) -> Option<(AssetId, AssetId)> {
    match made {
        Change::Create { asset, replaces: Some(replaced), .. } => Some((replaced.clone(), asset.clone())),
        _ => None,
    }
}
