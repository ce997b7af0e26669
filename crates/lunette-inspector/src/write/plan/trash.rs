//! Plans for assets in the Trash, which have no snapshot.

use std::sync::Arc;

use crate::change::Change;
use crate::write::plan::{Plan, PlanError, Preflight, UndoKind};
use lunette_client::model::asset::Asset;
use lunette_client::operation::table::{AssetsTrashDelete, AssetsTrashRestore};

/// Plans a change of an asset in the Trash; `present` is the asset if it is not deleted.
pub(super) fn plan_in_trash(change: Change, present: Option<&Arc<Asset>>) -> Result<Preflight, PlanError> {
    let (call, undo) = match (&change, present) {
        (Change::Restore { .. }, Some(_)) => {
            return Ok(Preflight::NoOp("the asset is not deleted".to_owned()));
        }
        (_, Some(_)) => return Err(PlanError::NotInTrash),
        (Change::Restore { asset, .. }, None) => {
            let call = AssetsTrashRestore { asset: asset.clone(), transferables: Some(false) };
            (call.into(), UndoKind::By("Undo moves it back to the Trash".to_owned()))
        }
        (change, None) => {
            let call = AssetsTrashDelete { asset: change.asset().clone() };
            (call.into(), UndoKind::Never("the asset and its content are deleted permanently".to_owned()))
        }
    };
    Ok(Preflight::Ready(Box::new(Plan { change, calls: vec![call], before: None, fields: Vec::new(), undo })))
}
