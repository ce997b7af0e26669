//! Changes of all assets of an item: several items are merged, the assets of an item are moved to another item, or an
//! item is removed from its assets.
//!
//! What must hold: the plan is shown before anything is sent; items without assets remain until they are deleted, so
//! that undoing the run restores every asset.

use super::{Links, MergeDraft, Output, read};
use crate::CallError;
use crate::capability::Capability;
use crate::change::Item;
use crate::context::Context;
use crate::event::RunEvent;
use crate::notifications::Severity;
use crate::request_versions::ResourceKey;
use crate::runs::BulkOperation;
use lunette_client::model::id::AssetId;

/// What the assets of items were read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AssetsPurpose {
    /// The merge whose dialog is open.
    Merge,
    /// Moving them to another item, or removing the item from them.
    Page,
}

impl Links {
    /// Asks which of these items to keep: the most used one, unless the user chooses another.
    pub(super) fn merge(&mut self, mut items: Vec<Item>) {
        let assets = |item: &Item| self.row(item).and_then(|row| row.assets);
        items.sort_by_key(|item| std::cmp::Reverse(assets(item)));
        if items.len() > 1 {
            self.merging = Some(MergeDraft { items, target: 0, reading: false, failed: None });
        }
    }

    pub(super) fn merge_into(&mut self, index: usize) {
        if let Some(draft) = self.merging.as_mut().filter(|draft| index < draft.items.len() && !draft.reading) {
            draft.target = index;
        }
    }

    /// Reads the assets of the items to be merged, and then plans the run.
    pub(super) fn plan_merge(&mut self, cx: &mut Context<'_>) {
        let Some(draft) = self.merging.as_mut().filter(|draft| !draft.reading) else { return };
        let mut unlink = draft.items.clone();
        let link = unlink.remove(draft.target);
        if cx.blocks_write(Capability::Relink(link.kind), "Cannot merge these") {
            return;
        }
        (draft.reading, draft.failed) = (true, None);
        read_assets(BulkOperation::Relink { link, unlink: unlink.clone() }, unlink, AssetsPurpose::Merge, cx);
    }

    /// Reads the assets of an item, and then plans a run that removes it from them.
    pub(super) fn plan_removal(&mut self, item: Item, cx: &mut Context<'_>) {
        if !cx.blocks_write(Capability::Unlink(item.kind), "Cannot remove it") {
            read_assets(BulkOperation::Unlink(item.clone()), vec![item], AssetsPurpose::Page, cx);
        }
    }

    /// Reads the assets of an item, and then plans a run that links them to another one instead.
    pub(super) fn plan_move(&mut self, from: Item, to: Item, cx: &mut Context<'_>) {
        let itself = from.id.eq_ignore_ascii_case(&to.id) || from.kind != to.kind;
        if !itself && !cx.blocks_write(Capability::Relink(from.kind), "Cannot move its assets") {
            let operation = BulkOperation::Relink { link: to, unlink: vec![from.clone()] };
            read_assets(operation, vec![from], AssetsPurpose::Page, cx);
        }
    }

    pub(super) fn assets_read(
        &mut self,
        operation: BulkOperation,
        purpose: AssetsPurpose,
        assets: Result<Vec<AssetId>, CallError>,
        cx: &mut Context<'_>,
    ) {
        let merging = purpose == AssetsPurpose::Merge;
        let refused = match assets {
            Ok(assets) if assets.is_empty() => "No asset uses these items; delete them under Links".to_owned(),
            Ok(assets) => {
                self.merging = self.merging.take().filter(|_| !merging);
                return cx.emit(RunEvent::Wanted(operation, assets));
            }
            Err(error) => error.reason(),
        };
        match self.merging.as_mut().filter(|_| merging) {
            Some(draft) => (draft.reading, draft.failed) = (false, Some(refused)),
            // The dialog was closed meanwhile.
            None if merging => {}
            None => cx.notify(Severity::Failed, format!("Could not make the plan: {refused}")),
        }
    }
}

/// Reads the assets that are linked to any of these items, each once.
fn read_assets(operation: BulkOperation, items: Vec<Item>, purpose: AssetsPurpose, cx: &mut Context<'_>) {
    let of = operation.clone();
    let (client, vendor) = (cx.client(), cx.connection.vendor);
    let read = async move {
        let client = client?.for_run().with_json_limit(read::LONG_LIST);
        let (mut assets, mut seen) = (Vec::new(), std::collections::HashSet::new());
        for item in &items {
            let linked = read::assets_of(&client, item, vendor).await?;
            assets.extend(linked.into_iter().filter(|asset| seen.insert(asset.clone())));
        }
        Ok(assets)
    };
    cx.read(ResourceKey::LinkedAssets, read, move |assets| Output::Assets(of, purpose, assets));
}
