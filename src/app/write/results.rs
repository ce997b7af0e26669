//! How a write ended: what it changes on screen, and what is said of it.

use std::sync::Arc;

use crate::app::assets::page::{AssetPage, Content};
use crate::app::change::Change;
use crate::app::drafts::DraftKey;
use crate::app::journal::{EntryId, EntryRelation};
use crate::app::notifications::{Grade, Topic};
use crate::app::output::AssetsOutput;
use crate::app::output::{TaskOutput, WriteResult};
use crate::app::request_versions::ResourceKey;
use crate::app::write::Refusal;
use crate::app::write::plan::{Applied, ApplyError, Plan, Planned, conflict_message};
use crate::app::{App, Remote};
use lunette_client::model::id::AssetId;

impl App {
    pub(in crate::app) fn wrote(&mut self, meant: Change, answers: EntryRelation, end: WriteResult) {
        let id = meant.asset().clone();
        let cancelled =
            self.state.pages.of.get(&id).and_then(|page| page.saving).is_some_and(|saving| saving.cancelled);
        self.end_writing(&id);
        let applied = |planned: &mut Planned| planned.applying && planned.change.asset() == &id;
        let applied = self.state.write.planned.take_if(applied);
        let what = noun(answers);
        match (end, answers) {
            (WriteResult::Applied(entry, done), _) => self.done(entry, &meant, answers, *done),
            (WriteResult::NotApplied(ApplyError { unknown, .. }), _) if cancelled => {
                self.write_cancelled(&meant, unknown)
            }
            (WriteResult::Unsent(_), _) if cancelled => self.write_cancelled(&meant, false),
            (WriteResult::NotApplied(end @ ApplyError { unknown: true, .. }), _) => {
                let why = end.reason();
                let text = format!("It is unknown whether the {what} succeeded. Read it again in History: {why}");
                self.refuse(&id, text.clone());
                if let Some(page) = self.state.pages.of.get_mut(&id) {
                    page.unsure = true;
                }
                self.notify_failed(Topic::Asset(id), text, Vec::new());
                self.load_made(&meant);
            }
            (WriteResult::NotApplied(end @ ApplyError { unknown: false, .. }), _) => {
                self.not_made(answers, &meant, end.reason())
            }
            (WriteResult::Unsent(refusal), _) => self.not_made(answers, &meant, refusal),
            (WriteResult::PlanChanged(plan, why), _) => self.show_anew(applied, plan, &why),
            (WriteResult::NoOp(how), EntryRelation::None) => self.say(format!("Nothing to change: {how}")),
            (WriteResult::Conflict(conflict), EntryRelation::None) => self.contest(*conflict),
            // A step that is undone or redone is not argued about: it stays as it is.
            (WriteResult::NoOp(how), EntryRelation::Undoes(_) | EntryRelation::Redoes(_)) => {
                self.not_made(answers, &meant, how)
            }
            (WriteResult::Conflict(conflict), EntryRelation::Undoes(_) | EntryRelation::Redoes(_)) => {
                self.not_made(answers, &meant, conflict_message(&meant, &conflict.theirs));
            }
        }
    }

    pub(super) fn not_made(&mut self, answers: EntryRelation, meant: &Change, refusal: Refusal) {
        self.refuse(meant.asset(), refusal.clone());
        let offers = match answers {
            EntryRelation::Undoes(step) => self.ways_back(step),
            EntryRelation::None | EntryRelation::Redoes(_) => Vec::new(),
        };
        let text = format!("Could not {}: {refusal}", verb(answers));
        self.notify_failed(Topic::Asset(meant.asset().clone()), text, offers);
        self.load_made(meant);
    }

    /// Reads again what can be linked to: it may have been made, and only not linked.
    pub(in crate::app) fn load_made(&mut self, meant: &Change) {
        if let Change::LinkNew { kind, .. } = meant {
            self.load_linkable(*kind);
        }
    }

    pub(super) fn show_anew(&mut self, applied: Option<Planned>, plan: Box<Plan>, why: &str) {
        let applied = applied.unwrap_or_else(|| Planned::of(plan.change.clone(), Remote::Unasked));
        if applied.awaited {
            self.state.pages.of.entry(applied.change.asset().clone()).or_default().writing = true;
        }
        self.state.write.planned = Some(Planned { plan: Remote::Known(Arc::from(plan)), applying: false, ..applied });
        let text = format!("Not sent: {why}. Check the updated plan");
        self.notify(Grade::Failed, text);
    }

    pub(super) fn done(&mut self, entry: EntryId, meant: &Change, answers: EntryRelation, done: Applied) {
        let id = meant.asset().clone();
        self.resolve(Topic::Asset(id.clone()));
        let Applied { change, asset, said } = done;
        if let Change::Delete { asset, .. } | Change::Purge { asset, .. } = &change {
            self.deleted(asset);
        }
        if let (Change::Text { to, .. }, None) = (&change, &said)
            && let Some(page) = self.state.pages.of.get_mut(&id)
        {
            page.content = Remote::Known(Content::Text(to.as_str().into()));
        }
        if let (Change::Record { asset, .. }, EntryRelation::None) = (&change, answers) {
            self.keep_draft(DraftKey::Record(asset.clone()), None);
        }
        if matches!(change, Change::Delete { .. } | Change::Restore { .. } | Change::Purge { .. }) {
            self.trash_changed();
        }
        let recovery = self.state.connection.recovery();
        let undo = |step| change.reversible(recovery).then_some(step);
        match answers {
            EntryRelation::None => self.outcome(change.done(), undo(entry)),
            EntryRelation::Undoes(step) => self.outcome(format!("Undone: {}", self.title_of(step)), None),
            EntryRelation::Redoes(step) => self.outcome(format!("Redone: {}", self.title_of(step)), undo(step)),
        }
        match said {
            Some(said) if came_back(meant) => self.notify(Grade::Done, format!("{}: {said}", meant.done())),
            Some(said) => {
                self.notify(Grade::Failed, format!("The change was made, but not exactly as requested: {said}"));
            }
            None => {}
        }
        self.load_made(meant);
        if came_back(meant) {
            match self.state.pages.open.as_ref() == Some(&id) {
                true => self.load_asset(&id),
                false => drop(self.state.pages.of.remove(&id)),
            }
            return self.load_assets();
        }
        match asset {
            Some(asset) => {
                // What was asked for before the write is older than what the write gave back.
                self.begin_read(ResourceKey::Asset(id.clone()));
                self.handle_output(TaskOutput::Assets(AssetsOutput::Read(id.clone(), Ok(asset))));
            }
            None if matches!(change, Change::Delete { .. } | Change::Purge { .. }) => return,
            None => self.load_asset(&id),
        }
        let shown = |page: &AssetPage| page.activities.value().is_some();
        if self.state.pages.of.get(&id).is_some_and(shown) {
            self.load_activities(id);
        }
    }

    pub(super) fn deleted(&mut self, id: &AssetId) {
        self.drop_row(id);
        self.state.pages.of.remove(id);
        for key in [DraftKey::Record(id.clone()), DraftKey::Fields(id.clone()), DraftKey::Text(id.clone())] {
            self.keep_draft(key, None);
        }
        if self.state.pages.open.as_ref() == Some(id) {
            self.state.pages.open = None;
        }
        self.forget_asset(id);
    }

    pub(in crate::app) fn dismiss_refusal(&mut self, id: &AssetId) {
        if let Some(page) = self.state.pages.of.get_mut(id) {
            page.refused = None;
        }
    }
}

/// What was to be made, in a word.
fn noun(answers: EntryRelation) -> &'static str {
    match answers {
        EntryRelation::None => "change",
        EntryRelation::Undoes(_) => "undo",
        EntryRelation::Redoes(_) => "redo",
    }
}

/// What was to be done, after "could not".
fn verb(answers: EntryRelation) -> &'static str {
    match answers {
        EntryRelation::None => "make the change",
        EntryRelation::Undoes(_) => "undo",
        EntryRelation::Redoes(_) => "redo",
    }
}

/// Whether a change brings a deleted asset back.
fn came_back(change: &Change) -> bool {
    matches!(change, Change::Restore { .. } | Change::Recreate { .. })
}
