//! Handles the results of writes: what they change in the window, and what is reported.

use std::sync::Arc;

use crate::Remote;
use crate::action::AssetsAction;
use crate::action::DraftsAction;
use crate::action::HistoryAction;
use crate::assets::page::AssetPage;
use crate::change::Change;
use crate::context::WideContext;
use crate::drafts::DraftKey;
use crate::event::AssetEvent;
use crate::journal::{EntryId, EntryRelation};
use crate::notifications::{Severity, Topic};
use crate::request_versions::ResourceKey;
use crate::write::Writes;
use crate::write::cancel::CancelledWrite;
use crate::write::journaled::WriteResult;
use crate::write::own_writes::Before;
use crate::write::plan::{Applied, Plan, Planned, conflict_message};
use lunette_client::model::display::beginning;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;

/// The maximum length of an asset's name in a message, in characters.
const MAX_NAME: usize = 80;

impl Writes {
    pub(crate) fn wrote(
        &mut self,
        intended: Change,
        relation: EntryRelation,
        end: WriteResult,
        cx: &mut WideContext<'_>,
    ) {
        let id = intended.asset().clone();
        let cancelled = self.of(&id).saving.is_some_and(|saving| saving.cancelled);
        self.end_writing(&id);
        let applied = |planned: &mut Planned| planned.applying && planned.change.asset() == &id;
        let applied = self.planned.take_if(applied);
        let what = noun(relation);
        // A change that was not made is not taken back, and what was done before it is not what Undo was meant for.
        if std::mem::take(&mut self.undo_next) && matches!(end, WriteResult::Applied(..)) {
            cx.request(HistoryAction::Undo);
        }
        match (end, relation) {
            (WriteResult::Applied(entry, done), _) => self.done(entry, &intended, relation, *done, cx),
            (WriteResult::Unknown(_), _) if cancelled => self.write_cancelled(&intended, CancelledWrite::Unknown, cx),
            (WriteResult::NotApplied(_) | WriteResult::NotMade(_) | WriteResult::Unsent(_), _) if cancelled => {
                self.write_cancelled(&intended, CancelledWrite::NotSent, cx)
            }
            (WriteResult::Unknown(end), _) => {
                let why = end.reason();
                let text = format!("It is unknown whether the {what} succeeded. Read it again in History: {why}");
                self.refuse(&id, text.clone(), cx);
                if let Some(write) = self.assets.get_mut(&id) {
                    write.unsure = true;
                }
                cx.notify_failed(Topic::Asset(id), text, Vec::new());
                self.reload_linkable(&intended, cx);
            }
            (WriteResult::NotApplied(end), _) => self.report_failure(relation, &intended, end.reason(), cx),
            (WriteResult::NotMade(refusal) | WriteResult::Unsent(refusal), _) => {
                self.report_failure(relation, &intended, refusal, cx)
            }
            (WriteResult::PlanChanged(plan, why), _) => self.show_updated_plan(applied, plan, &why, cx),
            (WriteResult::Irreversible(plan), relation) => self.show_irreversible(plan, relation),
            (WriteResult::NoOp(how), EntryRelation::None) => cx.show_success(format!("Nothing to change: {how}")),
            (WriteResult::Conflict(conflict), EntryRelation::None) => self.open_conflict(*conflict, cx),
            // An undo or redo has no conflict dialog: the step stays as it is.
            (WriteResult::NoOp(how), EntryRelation::Undoes(_) | EntryRelation::Redoes(_)) => {
                self.report_failure(relation, &intended, how, cx)
            }
            (WriteResult::Conflict(conflict), EntryRelation::Undoes(_) | EntryRelation::Redoes(_)) => {
                self.report_failure(relation, &intended, conflict_message(&intended, &conflict.theirs), cx);
            }
        }
    }

    pub(super) fn report_failure(
        &mut self,
        relation: EntryRelation,
        intended: &Change,
        refusal: String,
        cx: &mut WideContext<'_>,
    ) {
        // An undo or redo has no form; its notification offers what to do instead.
        if relation == EntryRelation::None {
            self.refuse(intended.asset(), refusal.clone(), cx);
        }
        let offers = match relation {
            EntryRelation::Undoes(step) => cx.history.ways_back(step),
            EntryRelation::None | EntryRelation::Redoes(_) => Vec::new(),
        };
        let text = match relation {
            EntryRelation::None => not_changed(intended, &refusal, cx),
            EntryRelation::Undoes(_) => format!("Could not undo: {refusal}"),
            EntryRelation::Redoes(_) => format!("Could not redo: {refusal}"),
        };
        cx.notify_failed(Topic::Asset(intended.asset().clone()), text, offers);
        self.reload_linkable(intended, cx);
    }

    /// Reloads the items to link: the item may have been created and not linked.
    pub(crate) fn reload_linkable(&mut self, intended: &Change, cx: &mut WideContext<'_>) {
        if let Change::LinkNew { kind, .. } = intended {
            cx.request(AssetsAction::LoadLinkable(*kind));
        }
    }

    /// Shows the plan of a change that was to be sent at once; a form waits for it.
    fn show_irreversible(&mut self, plan: Box<Plan>, relation: EntryRelation) {
        self.assets.entry(plan.change.asset().clone()).or_default().writing = true;
        let change = plan.change.clone();
        let planned = Planned::of(change, Remote::Known(Arc::from(plan)));
        self.planned = Some(Planned { relation, awaited: true, ..planned });
    }

    pub(super) fn show_updated_plan(
        &mut self,
        applied: Option<Planned>,
        plan: Box<Plan>,
        why: &str,
        cx: &mut WideContext<'_>,
    ) {
        let applied = applied.unwrap_or_else(|| Planned::of(plan.change.clone(), Remote::NotRequested));
        if applied.awaited {
            self.assets.entry(applied.change.asset().clone()).or_default().writing = true;
        }
        self.planned = Some(Planned { plan: Remote::Known(Arc::from(plan)), applying: false, ..applied });
        let text = format!("Not sent: {why}. Check the updated plan");
        cx.notify(Severity::Failed, text);
    }

    pub(super) fn done(
        &mut self,
        entry: EntryId,
        intended: &Change,
        relation: EntryRelation,
        done: Applied,
        cx: &mut WideContext<'_>,
    ) {
        let id = intended.asset().clone();
        cx.resolve(Topic::Asset(id.clone()));
        cx.emit(AssetEvent::Written(id.clone()));
        let Applied { change, asset, message } = done;
        if let (Some(entry), Some(write)) = (cx.history.entry(entry), self.assets.get_mut(&id)) {
            write.own_writes.record(Before::Entry(Arc::clone(entry)), &change, asset.as_ref());
        }
        self.update_after(&change, relation, message.is_none(), cx);
        report_done(entry, intended, &change, relation, message, cx);
        self.reload_linkable(intended, cx);
        if intended.info().restores {
            match cx.pages.is_shown(&id) {
                true => cx.request(AssetsAction::Reload(id.clone())),
                false => {
                    cx.request(AssetsAction::DropPage(id.clone()));
                    self.assets.remove(&id);
                }
            }
            return cx.request(AssetsAction::LoadList);
        }
        // A response that does not say of which asset it is, is read again.
        match asset.filter(|asset| asset.view().id().eq_ignore_ascii_case(id.as_str()) || change.info().creates) {
            Some(asset) => {
                // Responses to earlier reads are older than this one.
                cx.begin_read(ResourceKey::Asset(id.clone()));
                cx.request(AssetsAction::Take(asset));
            }
            None if change.info().removes => return,
            None => cx.request(AssetsAction::Reload(id.clone())),
        }
        let shown = |page: &AssetPage| page.activities.value().is_some();
        if !change.info().removes && cx.pages.of.get(&id).is_some_and(shown) {
            cx.request(AssetsAction::LoadActivities(id));
        }
    }

    /// Updates what is displayed and stored of the asset after a change; `exactly` says that it was applied as
    /// requested.
    fn update_after(&mut self, change: &Change, relation: EntryRelation, exactly: bool, cx: &mut WideContext<'_>) {
        if change.info().removes {
            self.deleted(change.asset(), cx);
        }
        if let Change::Text { asset, to, .. } = change
            && exactly
        {
            cx.request(AssetsAction::TakeText(asset.clone(), to.clone()));
        }
        if let (Change::Record { asset, .. }, EntryRelation::None) = (change, relation) {
            cx.request(DraftsAction::Save(DraftKey::Record(asset.clone()), None));
        }
        if change.info().changes_trash {
            cx.emit(AssetEvent::TrashChanged);
        }
    }

    pub(super) fn deleted(&mut self, id: &AssetId, cx: &mut WideContext<'_>) {
        cx.request(AssetsAction::DropRow(id.clone()));
        cx.request(AssetsAction::DropPage(id.clone()));
        self.assets.remove(id);
        for key in [DraftKey::Record(id.clone()), DraftKey::Fields(id.clone()), DraftKey::Text(id.clone())] {
            cx.request(DraftsAction::Save(key, None));
        }
        cx.request(AssetsAction::Forget(id.clone()));
    }

    pub(crate) fn dismiss_refusal(&mut self, id: &AssetId) {
        if let Some(write) = self.assets.get_mut(id) {
            write.refused = None;
        }
    }
}

/// Reports an applied change with its Undo; `message` says how it differs from the request.
fn report_done(
    entry: EntryId,
    intended: &Change,
    change: &Change,
    relation: EntryRelation,
    message: Option<String>,
    cx: &mut WideContext<'_>,
) {
    let recovery = cx.connection.recovery();
    let undo = |step| change.reversible(recovery).then_some(step);
    match relation {
        EntryRelation::None => cx.outcome(change.done(), undo(entry)),
        EntryRelation::Undoes(step) => {
            let text = format!("Undone: {}", cx.history.title_of(step));
            cx.outcome(text, None);
        }
        EntryRelation::Redoes(step) => {
            let text = format!("Redone: {}", cx.history.title_of(step));
            cx.outcome(text, undo(step));
        }
    }
    match message {
        Some(message) if intended.info().restores => {
            cx.notify(Severity::Done, format!("{}: {message}", intended.done()))
        }
        Some(message) => {
            cx.notify(Severity::Failed, format!("The change was made, but not exactly as requested: {message}"));
        }
        None => {}
    }
}

/// The noun of the write, for messages.
fn noun(relation: EntryRelation) -> &'static str {
    match relation {
        EntryRelation::None => "change",
        EntryRelation::Undoes(_) => "undo",
        EntryRelation::Redoes(_) => "redo",
    }
}

/// Says that a change was not made, to which asset, and why.
pub(super) fn not_changed(change: &Change, reason: &str, cx: &WideContext<'_>) -> String {
    let record = cx.pages.of.get(change.asset()).and_then(|page| page.record.value());
    let name = record.and_then(|record| record.view().name()).or(change.name());
    match name.filter(|name| !name.trim().is_empty()) {
        Some(name) => format!("Could not make the change to “{}”: {reason}", beginning(name, MAX_NAME)),
        None => format!("Could not make the change: {reason}"),
    }
}
