//! How a deleted asset is restored: from the Trash of the service, or as a new asset from a saved copy.
//!
//! What must hold: what a plan says about Undo is true for the current connection; if Undo needs a copy, it is on disk
//! before the asset is deleted.

use crate::Transport;
use crate::Vendor;
use crate::change::{Change, Recovery};
use crate::write::plan::{Plan, Preflight, UndoKind};
use lunette_client::model::asset::Asset;
use lunette_client::operation::table::AssetSnapshot;

mod copies;
mod recreate;
mod seeds;

pub use copies::{Copies, CopyError};
pub(crate) use recreate::recreated;
pub use recreate::unreported_message;
pub(crate) use seeds::copied;

/// How the deleted assets of a connection are restored, and the copies that this needs.
#[derive(Clone, Debug, Default)]
pub struct DeletedAssets {
    /// How they are restored.
    pub recovery: Recovery,
    /// The copies of deleted assets.
    pub copies: Copies,
}

impl Recovery {
    /// Whether and how a deletion can be undone, for a plan.
    pub fn of_deletion(self) -> UndoKind {
        match self {
            Self::Trash => UndoKind::By("The asset moves to the Trash. Undo restores it".to_owned()),
            Self::Copy => UndoKind::By(
                "This service has no Trash. Lunette keeps a copy, and Undo creates a new asset from it, with a new id \
                 and without score, activity and conversations"
                    .to_owned(),
            ),
            Self::None => {
                UndoKind::Never("this service can neither restore a deleted asset nor create a new one".to_owned())
            }
        }
    }
}

impl DeletedAssets {
    /// Plans the recreation of a deleted asset from its copy. Fails if there is no usable copy.
    pub(crate) async fn plan_recreate(&self, change: Change, vendor: Vendor) -> Result<Preflight, CopyError> {
        let copy = self.copies.load(change.asset().clone()).await?;
        let name = change.name().unwrap_or_default().to_owned();
        let plan = recreate::plan_recreate(change.asset().clone(), name, copy, vendor)?;
        Ok(Preflight::Ready(Box::new(plan)))
    }

    /// Whether and how the deletion of an asset, as read before, can be undone.
    pub(crate) fn undo_of_deletion(&self, asset: Option<&Asset>) -> UndoKind {
        let unreported = asset.and_then(|asset| unreported_message(&recreate::unreported(asset)));
        match (self.recovery.of_deletion(), unreported) {
            (UndoKind::By(how), Some(lost)) if self.recovery == Recovery::Copy => {
                UndoKind::By(format!("{how}; {lost}"))
            }
            (undo, _) => undo,
        }
    }

    /// Saves a copy of the asset that a plan deletes, if its Undo needs one. If this fails, with the reason, the asset
    /// must not be deleted.
    pub(crate) async fn keep_copy<C: Transport>(&self, caller: &C, plan: &Plan) -> Result<(), CopyError> {
        let Change::Delete { asset, .. } = &plan.change else { return Ok(()) };
        if self.recovery != Recovery::Copy || matches!(plan.undo, UndoKind::Never(_)) {
            return Ok(());
        }
        let read = caller.call(AssetSnapshot { asset: asset.clone(), transferables: Some(true) }).await;
        let record = read.map_err(CopyError::NotRead)?;
        recreate::has_content(&record)?;
        self.copies.keep(asset.clone(), record).await
    }
}
