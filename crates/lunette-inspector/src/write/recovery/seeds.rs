//! Creates assets that another side has, from seeds that are kept on the disk until they are sent.
//!
//! What must hold: what is sent is what was kept when the plan was made; an asset that is there by now is not created again;
//! a seed is removed once its asset is created.

use std::sync::Arc;

use serde_json::Value;

use crate::change::Change;
use crate::change::fingerprint::Fingerprint;
use crate::tasks::blocking;
use crate::write::plan::{Applied, ApplyError, Plan, PlanError, Preflight, UndoKind, not_done, read};
use crate::write::recovery::copies::{Copies, CopyError};
use crate::{CallError, Transport, internal_error};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::Seed;
use lunette_client::operation::table::AssetsCreateNewAsset;

/// The folder of seeds, within that of the copies of deleted assets.
const FOLDER: &str = "carried";

impl Copies {
    fn seeds(&self) -> Self {
        self.within(FOLDER)
    }

    /// Keeps the seed of an asset of another side.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub async fn keep_seed(&self, asset: AssetId, seed: Value) -> Result<(), CopyError> {
        let seeds = self.seeds();
        blocking(move || seeds.write_unlimited(&asset, &seed)).await?
    }

    /// Removes the seed of a copy that was made; does nothing for other changes.
    pub(crate) async fn forget_seed(&self, change: &Change) {
        let Change::Copy { asset, .. } = change else { return };
        let (seeds, asset) = (self.seeds(), asset.clone());
        blocking(move || seeds.remove(&asset)).await.ok();
    }

    /// Plans the copy of an asset. Fails if there is no usable seed, or if the service has the asset.
    pub(crate) async fn plan_copy<C: Transport>(&self, caller: &C, change: Change) -> Result<Preflight, PlanError> {
        let asset = change.asset().clone();
        if matches!(change, Change::Copy { keeps_id: true, .. }) {
            match read(caller, &asset, false).await {
                Ok(_) => return Err(PlanError::Taken),
                Err(CallError::Status { status: 404 | 410, .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let seeds = self.seeds();
        let tree = blocking(move || seeds.read(&asset)).await.map_err(CopyError::from)??;
        let seed = Seed::from_tree(tree).map_err(CopyError::NoSeed)?;
        let call = AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(seed) };
        Ok(Preflight::Ready(Box::new(Plan {
            change,
            calls: vec![call.into()],
            before: None,
            fields: Vec::new(),
            undo: UndoKind::By("Undo deletes it again".to_owned()),
        })))
    }
}

/// The asset that was created. One that was there already was not created.
pub(crate) fn copied(wanted: AssetId, keeps_id: bool, made: Asset) -> Result<Applied, ApplyError> {
    if made.tree().get("existing").is_some_and(|existing| existing == true) {
        return Err(not_done(internal_error("the id of the asset is taken, perhaps by one in the Trash")));
    }
    let id: AssetId = made
        .view()
        .id()
        .parse()
        .map_err(|_| not_done(internal_error("the service created an asset and does not say its id")))?;
    let moved = !id.as_str().eq_ignore_ascii_case(wanted.as_str());
    let message = (moved && keeps_id).then(|| format!("its new id is {id}"));
    let name = made.view().name().unwrap_or_default().to_owned();
    let change =
        Change::Create { asset: id, name, made: Fingerprint::of(made.tree()), replaces: moved.then_some(wanted) };
    Ok(Applied { change, asset: Some(Arc::new(made)), message })
}
