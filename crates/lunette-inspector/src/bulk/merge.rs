//! Merges near duplicates: what is linked to the others is linked to one asset of each group, and the others are deleted.
//!
//! What must hold: every asset is read before the plan is shown, and again before its write; an asset that is gone by then
//! is left out; nothing of a group is deleted unless another asset of it is there.

use crate::capability::Capability;
use crate::change::{Change, Item, LinkKind, Recovery, linked};
use crate::write::plan::UndoKind;
use crate::{CallError, Transport};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::model::size::grouped;
use lunette_client::operation::table::AssetSnapshot;

/// Groups of assets; the others of each are merged into the first.
pub type Groups = Vec<Vec<AssetId>>;

/// The most assets that are merged in one run.
pub const MERGED: usize = 2_000;

/// The changes that merge groups of near duplicates.
#[derive(Clone, Debug, PartialEq)]
pub struct MergePlan {
    /// What is linked to the assets that stay, then the deletion of the others; each with the name of its asset.
    pub changes: Vec<(Change, String)>,
    /// The groups, to be planned again.
    pub groups: Groups,
}

impl MergePlan {
    /// How many assets are deleted.
    pub fn deleted(&self) -> usize {
        self.changes.iter().filter(|(change, _)| change.deletes()).count()
    }

    /// What the service must offer.
    pub(crate) fn capabilities(&self) -> Vec<Capability> {
        let mut all: Vec<_> = self.changes.iter().map(|(change, _)| change.capability()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Its title.
    pub(crate) fn title(&self) -> String {
        let (groups, deleted) = (self.groups.len() as u64, self.deleted() as u64);
        match (groups, deleted) {
            (_, 1) => "Merge 1 near duplicate into the newest".to_owned(),
            (1, deleted) => format!("Merge {} near duplicates into the newest", grouped(deleted)),
            (groups, deleted) => {
                format!(
                    "Merge {} near duplicates of {} groups, each into the newest",
                    grouped(deleted),
                    grouped(groups)
                )
            }
        }
    }

    /// Whether it can be undone.
    pub(crate) fn undo(recovery: Recovery) -> UndoKind {
        let moved = "Tags, websites and summaries move to the newest asset of each group";
        match recovery {
            Recovery::Trash => UndoKind::By(format!("{moved}, and the others move to the Trash. Undo restores them")),
            Recovery::Copy => UndoKind::By(format!(
                "{moved}. This service has no Trash: Lunette keeps a copy of each deleted asset, and Undo creates new \
                 assets from the copies"
            )),
            Recovery::None => {
                UndoKind::Never("This service can neither restore a deleted asset nor create a new one".to_owned())
            }
        }
    }
}

/// What merges each group into its first asset.
pub(crate) async fn merge_plan<C: Transport>(client: &C, groups: Groups) -> Result<MergePlan, CallError> {
    let (mut links, mut deletions) = (Vec::new(), Vec::new());
    for group in &groups {
        let read = read(client, group).await?;
        let Some(((kept, record), others)) = read.split_first() else { continue };
        let mut known = items(record);
        for (asset, other) in others {
            for item in items(other) {
                if !known.iter().any(|known| known.kind == item.kind && known.id.eq_ignore_ascii_case(&item.id)) {
                    known.push(item.clone());
                    links.push((Change::Link { asset: kept.clone(), item }, name(record)));
                }
            }
            deletions.push((Change::Delete { asset: asset.clone(), name: name(other), made: None }, name(other)));
        }
    }
    // Links are written before the assets that had them are deleted.
    links.append(&mut deletions);
    Ok(MergePlan { changes: links, groups })
}

/// The records of the assets of a group that are there.
async fn read<C: Transport>(client: &C, group: &[AssetId]) -> Result<Vec<(AssetId, Asset)>, CallError> {
    let mut records = Vec::new();
    for asset in group {
        match client.call(AssetSnapshot { asset: asset.clone(), transferables: Some(false) }).await {
            Ok(record) => records.push((asset.clone(), record)),
            Err(CallError::Status { status: 404 | 410, .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(records)
}

fn items(record: &Asset) -> Vec<Item> {
    LinkKind::ALL.into_iter().flat_map(|kind| linked(record.view(), kind)).collect()
}

fn name(record: &Asset) -> String {
    record.view().name().unwrap_or_default().to_owned()
}
