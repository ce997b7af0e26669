//! What background work about tags, websites and workstream summaries returns, and what it changes.

use std::sync::Arc;

use serde_json::Value;

use super::assets::Chosen;
use super::many::ManyResult;
use super::merge::AssetsPurpose;
use super::write::{Prepared, Written};
use super::{ItemActivity, Links, known};
use crate::CallError;
use crate::assets::page::OpenAssets;
use crate::change::{Item, LinkKind};
use crate::context::Context;
use crate::history::ItemWrite;
use crate::journal::EntryRelation;
use crate::listing::RowList;
use crate::listing::rows::LinkRow;
use crate::output::{TaskOutput, TaskResult};
use crate::runs::BulkOperation;
use crate::tasks::Ended;
use crate::write::journaled::Failed;
use lunette_client::model::id::AssetId;

/// The result of a background task of this feature.
pub(crate) enum Output {
    Listed(LinkKind, Result<Vec<Arc<LinkRow>>, CallError>),
    Read(Result<Arc<Value>, CallError>),
    /// The assets that the record of the open item names.
    AssetsOfItem(Result<Option<Vec<AssetId>>, CallError>),
    /// Their rows.
    AssetsChosen(Item, Result<Box<Chosen>, Ended>),
    /// What happened to the assets of an item.
    Activity(Item, Result<Arc<ItemActivity>, CallError>),
    /// The shown list may be read again.
    Due,
    /// The assets that an operation changes.
    Assets(BulkOperation, AssetsPurpose, Result<Vec<AssetId>, CallError>),
    Prepared(ItemWrite, EntryRelation, Result<Prepared, Failed>),
    /// Several items were deleted or recreated, or some of them.
    ManyWritten(Result<ManyResult, Failed>),
    Written(ItemWrite, EntryRelation, Result<Written, Failed>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Links(self)
    }
}

impl Links {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, pages: &OpenAssets, cx: &mut Context<'_>) {
        match output {
            Output::Listed(kind, rows) => {
                let opened = pages.of.values().filter_map(|page| page.record.value());
                let rows = match rows {
                    // The service has no such list; only the items of the opened assets are known.
                    Err(error) if error.missing() => match known::rows(kind, opened) {
                        rows if rows.is_empty() => Err(error),
                        rows => Ok(rows),
                    },
                    rows => rows,
                };
                self.list_mut(kind).resolve(rows.map(RowList::from));
                self.update_open_item();
                self.catch_up(cx);
            }
            Output::Due => {
                self.due = false;
                self.catch_up(cx);
            }
            Output::Read(record) => {
                if let Some(page) = &mut self.open {
                    page.record.resolve(record);
                }
            }
            Output::AssetsOfItem(ids) => self.assets_of_item_read(ids),
            Output::AssetsChosen(item, chosen) => self.assets_chosen(&item, chosen, cx),
            Output::Activity(item, read) => self.activity_read(&item, read, cx),
            Output::Assets(operation, purpose, assets) => self.assets_read(operation, purpose, assets, cx),
            Output::Prepared(write, answers, prepared) => self.prepared(write, answers, prepared, cx),
            Output::ManyWritten(end) => self.many_written(end, cx),
            Output::Written(write, answers, end) => self.written(write, answers, end, cx),
        }
    }

    /// Updates the open item from its row.
    fn update_open_item(&mut self) {
        let Some(item) = self.open.as_ref().map(|page| page.item.clone()) else { return };
        let row = self.row(&item).map(|row| row.item.clone());
        if let (Some(page), Some(item)) = (&mut self.open, row) {
            page.item = item;
        }
    }
}
