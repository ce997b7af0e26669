//! What a user can do with tags, websites and workstream summaries.

use std::sync::Arc;

use super::{LinkPage, Links, ManyWrites, Source};
use crate::Remote;
use crate::change::{Item, LinkKind};
use crate::confirm::Confirmed;
use crate::context::Context;
use crate::history::ItemWrite;
use crate::journal::EntryRelation;
use lunette_client::operation::Call;

/// A request of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Reads the shown list again, since its counts may have changed while it was hidden.
    Enter,
    /// Shows the list of a kind.
    Show(LinkKind),
    /// Reads the list of a kind.
    Load(LinkKind),
    /// Reads the lists again that were read before, since something changed.
    Reload,
    /// Opens the page of an item.
    Open(Item),
    /// Reads what happened to the assets of the open item.
    LoadActivity,
    /// Chooses the assets of the open item from the list of assets.
    ListAssets(Source),
    /// Closes the page of the item.
    Close,
    /// Asks which of these items to keep.
    Merge(Vec<Item>),
    /// Chooses the item to keep, by its index.
    MergeInto(usize),
    /// Plans the merge.
    PlanMerge,
    /// Closes the question.
    CancelMerge,
    /// Plans to link all assets of the first item to the second one instead.
    MoveAll(Item, Item),
    /// Plans the removal of an item from all its assets.
    RemoveEverywhere(Item),
    /// Asks whether to delete the unused ones of these items.
    Delete(Vec<Item>),
    /// Deletes them, or recreates those that were deleted together.
    WriteMany(ManyWrites, Confirmed),
    /// Renames or deletes an item.
    Write(ItemWrite),
    /// Sends a call that was shown.
    WriteConfirmed(Box<ItemWrite>, Arc<Call>, Box<serde_json::Value>, EntryRelation, Confirmed),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Links(action)
    }
}

impl Links {
    /// Carries out a request.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Enter if self.shown().rows.loading() => {}
            Action::Enter => self.load(self.kind, cx),
            Action::Show(kind) => self.show(kind, cx),
            Action::Load(kind) => self.load(kind, cx),
            Action::Reload => self.reload(cx),
            Action::Open(item) => self.open(item, cx),
            Action::LoadActivity => self.load_activity(cx),
            Action::ListAssets(source) => self.choose_assets(source, cx),
            Action::Close => self.close(cx),
            Action::Merge(items) => self.merge(items),
            Action::MergeInto(index) => self.merge_into(index),
            Action::PlanMerge => self.plan_merge(cx),
            Action::CancelMerge => self.merging = None,
            Action::MoveAll(from, to) => self.plan_move(from, to, cx),
            Action::RemoveEverywhere(item) => self.plan_removal(item, cx),
            Action::Delete(items) => self.ask_to_delete(items, cx),
            Action::WriteMany(many, confirmed) => self.write_many(many, &confirmed, cx),
            Action::Write(write) => self.write(write, EntryRelation::None, cx),
            Action::WriteConfirmed(write, call, before, answers, _) => self.send(*write, call, *before, answers, cx),
        }
    }

    fn show(&mut self, kind: LinkKind, cx: &mut Context<'_>) {
        self.kind = kind;
        if self.open.as_ref().is_some_and(|page| page.item.kind != kind) {
            self.close(cx);
        }
        if self.list(kind).rows == Remote::NotRequested || self.outdated.contains(&kind) {
            self.load(kind, cx);
        }
    }

    fn open(&mut self, item: Item, cx: &mut Context<'_>) {
        let previous = self.open.take().filter(|page| page.item.id == item.id && page.item.kind == item.kind);
        self.open = Some(match previous {
            Some(page) => LinkPage { item, ..page },
            None => {
                self.end_activity(cx);
                self.assets.clear();
                LinkPage { item, record: Remote::NotRequested, activity: Remote::NotRequested, writing: false }
            }
        });
        self.load_record(cx);
    }

    pub(super) fn close(&mut self, cx: &mut Context<'_>) {
        self.open = None;
        self.assets.clear();
        self.end_activity(cx);
    }
}
