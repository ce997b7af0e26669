//! The preview of a run: what it does to the first few assets and whether it can be undone, and on request the requests
//! it sends for each.
//!
//! What must hold: the request shown is the request sent, byte for byte; nothing is sent except by the one button,
//! whose label says how many assets it changes. Ctrl+Enter presses it; Enter does so only while it has the focus.

use std::sync::Arc;

use egui::{Context, Ui};

use crate::ui::dialogs::parts::{
    self, FirstFocus, confirm_button, details_switch_ui, prepared_ui, scrolled_ui, undo_text_ui,
};
use crate::ui::dialogs::plan::calls::{self, CallViews, PreparedCall};
use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::panels::assets::hidden_ui;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::{confirm_key, dialog, grouped, plural};
use lunette_client::model::id::AssetId;
use lunette_inspector::action::BulkAction;
use lunette_inspector::bulk::{BulkDraft, BulkJob, NotPlanned};
use lunette_inspector::change::Item;
use lunette_inspector::journal::EntryRelation;
use lunette_inspector::runs::{BackupFirst, BatchAnswer, BulkOperation, ExportTarget};
use lunette_inspector::write::plan::{Plan, UndoKind};
use lunette_inspector::{Action, State};

mod sample;
#[cfg(test)]
mod tests;

use sample::Row;

/// Width of the dialog, in points.
const WIDTH: f32 = 760.0;

/// What the dialog needs of the window's height besides its body, in points.
const RESERVED_HEIGHT: f32 = 270.0;

/// The dialog, and the view state of its contents.
#[derive(Default)]
pub struct BulkDialog {
    /// What it was opened for; `None` while it is closed.
    open: Option<(BulkJob, Arc<Named>)>,
    /// The sample drawn in the last frame.
    drawn: Option<Key>,
    shown: Background<Key, PreparedSample>,
    calls: CallViews,
    focus: FirstFocus,
}

/// Assets by id, each with its name.
type Named = Vec<(AssetId, String)>;

/// The plans of the first few assets, or why an asset has none.
type Sample = Vec<(AssetId, Result<Plan, NotPlanned>)>;

/// The sample prepared for drawing, computed once on another thread since bodies may be large.
struct PreparedSample {
    rows: Vec<Row>,
    /// The number of assets that the rows are for.
    named: usize,
    /// The requests of the first asset that has any.
    calls: Vec<PreparedCall>,
    /// The requests of the whole sample for a shell.
    curl: String,
}

/// The sample being drawn; kept alive, so that its address is not reused.
#[derive(Clone)]
struct Key {
    sample: Arc<Sample>,
    assets: Arc<Named>,
    /// Whether the first request is sent once for all assets.
    once: bool,
    address: String,
    columns: usize,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        let Self { sample, assets: _, once: _, address, columns } = self;
        Arc::ptr_eq(sample, &other.sample) && *address == other.address && *columns == other.columns
    }
}

impl BulkDialog {
    /// Draws the preview of the pending run, if there is one.
    pub fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let Some(draft) = &state.bulk.draft else {
            if self.open.is_some() {
                *self = Self::default();
            }
            return;
        };
        // The assets are compared first: each draft has its own list, and comparing the jobs may take long.
        let known = |(job, assets): &(BulkJob, Arc<_>)| Arc::ptr_eq(assets, &draft.assets) && same_job(job, &draft.job);
        let fresh = !self.open.as_ref().is_some_and(known);
        if fresh {
            *self = Self { open: Some((draft.job.clone(), Arc::clone(&draft.assets))), ..Self::default() };
        }
        let (dismissed, outside) = dialog(ctx, "bulk", &draft.title, WIDTH, |ui| {
            let confirmed = confirm_key(ui);
            undo_ui(ui, draft);
            backup_ui(ui, draft);
            if draft.assets.len() == state.assets.selected.count && draft.operation().is_some() {
                hidden_ui(ui, state);
            }
            let key = self.body_ui(ui, draft, state, actions);
            let details = state.preferences.settings.plan_details;
            if details {
                in_flight_ui(ui, draft, actions);
            }
            if fresh || self.drawn != key {
                self.focus.begin();
            }
            self.drawn.clone_from(&key);
            let shown = key.and_then(|key| self.shown.known(&key));
            let why_disabled =
                draft.capabilities().into_iter().find_map(|capability| disabled_reason(state, capability));
            let footer = Footer { shown, why_disabled: why_disabled.as_deref(), confirmed, state };
            footer_ui(ui, draft, &footer, &mut self.focus, actions)
        });
        if dismissed || outside {
            actions.push(BulkAction::Dismiss.into());
        }
    }

    /// Draws the body in every state; returns the sample once it is loaded.
    fn body_ui(&mut self, ui: &mut Ui, draft: &BulkDraft, state: &State, actions: &mut Vec<Action>) -> Option<Key> {
        if draft.assets.is_empty() {
            ui.muted("There are no assets left to change.");
            return None;
        }
        if let Some(problem) = draft.sample.error() {
            ui.error_text(&format!("the first assets could not be read: {problem}"));
            if !draft.sample.loading() && ui.button("Try again").clicked() {
                actions.push(match &draft.job {
                    BulkJob::Operation(operation) => {
                        Action::Bulk(BulkAction::Plan(operation.clone(), Arc::clone(&draft.assets)))
                    }
                    BulkJob::Answer(answer) => Action::Bulk(BulkAction::PlanAnswer(Arc::clone(answer))),
                    BulkJob::Merge(plan) => Action::Bulk(BulkAction::PlanMerge(plan.groups.clone())),
                });
            }
            return None;
        }
        let (Some(sample), false) = (draft.sample.value(), draft.sample.loading()) else {
            skeleton(ui, "the plan: the first assets are read afresh", 4);
            return None;
        };
        Some(self.sample_ui(ui, draft, sample, state))
    }

    fn sample_ui(&mut self, ui: &mut Ui, draft: &BulkDraft, sample: &Arc<Sample>, state: &State) -> Key {
        let address = state.connection.address.as_deref().unwrap_or("http://localhost").to_owned();
        let (sample, assets) = (Arc::clone(sample), Arc::clone(&draft.assets));
        let once = matches!(draft.operation(), Some(BulkOperation::LinkNew { .. }));
        let key = Key { sample, assets, once, address, columns: calls::columns(ui) };
        let work = {
            let key = key.clone();
            move || PreparedSample::of(&key)
        };
        let Some(shown) = prepared_ui(ui, &mut self.shown, &key, ("the plan", 4), work) else { return key };
        scrolled_ui(ui, "bulk", RESERVED_HEIGHT, |ui| {
            sample::ui(ui, &shown.rows, &state.assets);
            remainder_ui(ui, draft, shown.named);
            if state.preferences.settings.plan_details {
                requests_ui(ui, draft);
                self.calls.ui(ui, &shown.calls);
            }
        });
        key
    }
}

impl PreparedSample {
    fn of(key: &Key) -> Self {
        let Key { sample, assets, once, address, columns } = key;
        let plans = || sample.iter().filter_map(|(_, plan)| plan.as_ref().ok()).filter(|plan| !plan.calls.is_empty());
        let calls = |plan: &Plan| -> Vec<PreparedCall> {
            plan.calls.iter().map(|call| PreparedCall::of(call, address, *columns)).collect()
        };
        let copied = if *once { 1 } else { sample.len() };
        let curl: Vec<String> = plans().take(copied).flat_map(calls).map(|call| call.curl().to_owned()).collect();
        let calls = plans().next().map(calls).unwrap_or_default();
        let rows = sample::rows(sample, assets);
        let named = if sample.is_empty() { rows.len() } else { sample.len() };
        Self { rows, named, calls, curl: curl.join("\n") }
    }
}

/// Describes what is not in the sample.
fn remainder_ui(ui: &mut Ui, draft: &BulkDraft, named: usize) {
    ui.add_space(SPACE_S);
    if draft.is_idle() {
        ui.muted("Nothing is left to change.");
        return;
    }
    let all = draft.assets.len();
    if draft.changeable() < all {
        ui.warning_text(&format!("{} can be changed; the others stay as they are.", changed_text(draft)));
    }
    if let Some(more) = all.checked_sub(named).filter(|more| *more > 0) {
        ui.muted(&format!("and {} more; each is read again first", grouped(more as u64)));
    }
    if let Some(BulkOperation::Export { kind, to }) = draft.operation() {
        let target = match to {
            ExportTarget::Folder(path) => format!("into the folder {}", path.display()),
            ExportTarget::Zip(path) => format!("into the archive {}", path.display()),
        };
        ui.muted(&format!("Each is saved as {} {target}, with a manifest of all.", kind.as_str()));
    }
}

/// Says how many requests are sent, and what the requests below are an example of.
fn requests_ui(ui: &mut Ui, draft: &BulkDraft) {
    if draft.is_idle() {
        return;
    }
    let all = draft.assets.len();
    ui.add_space(SPACE_S);
    let plans = draft.sample.value().into_iter().flat_map(|sample| sample.iter());
    let Some(plan) = plans.filter_map(|(_, plan)| plan.as_ref().ok()).find(|plan| !plan.calls.is_empty()) else {
        return;
    };
    let templates: Vec<_> =
        plan.calls.iter().map(|call| format!("{} {}", call.info().method, call.info().path)).collect();
    let templates = templates.join(" and ");
    ui.caption(&match &draft.job {
        BulkJob::Operation(BulkOperation::LinkNew { kind, unlink, .. }) => {
            let (one, requests) = (
                kind.one(),
                if all == 1 { "1 links it".to_owned() } else { format!("{} link it", grouped(all as u64)) },
            );
            let old = if unlink.is_empty() { String::new() } else { format!(" in place of {}", Item::list(unlink)) };
            format!("1 request creates the {one}, {requests}{old}:")
        }
        BulkJob::Operation(_) => format!("{} × {templates}; the first request:", grouped(all as u64)),
        // Each row may make a different change.
        BulkJob::Answer(_) | BulkJob::Merge(_) => format!("{templates}; the first request:"),
    });
}

/// Says whether the run can be undone as a whole.
fn undo_ui(ui: &mut Ui, draft: &BulkDraft) {
    let message = match (&draft.undo, draft.operation()) {
        (UndoKind::By(how), _) => how,
        // It writes nothing that could be undone.
        (UndoKind::Never(why), Some(BulkOperation::Export { .. })) => why,
        (UndoKind::Never(why), _) => {
            ui.warning_text(&format!("This cannot be undone. {why}."));
            return;
        }
    };
    let icon = if matches!(draft.undo, UndoKind::By(_)) { Icon::UNDO } else { Icon::INFO };
    undo_text_ui(ui, icon, message);
}

/// Says whether a backup is made first, if that is relevant.
fn backup_ui(ui: &mut Ui, draft: &BulkDraft) {
    let BulkJob::Answer(answer) = &draft.job else { return };
    match answer.backup {
        BackupFirst::NotNeeded => {}
        BackupFirst::Made => {
            ui.muted("A backup of the service is made first. Without it nothing is deleted.");
        }
        BackupFirst::Impossible(why) => {
            ui.warning_text(&format!("{why}."));
        }
    }
}

/// Returns whether a job is the one shown before; the answer to a batch is built once and shared.
fn same_job(shown: &BulkJob, now: &BulkJob) -> bool {
    match (shown, now) {
        (BulkJob::Answer(shown), BulkJob::Answer(now)) => Arc::ptr_eq(shown, now),
        (BulkJob::Merge(shown), BulkJob::Merge(now)) => Arc::ptr_eq(shown, now),
        (shown, now) => shown == now,
    }
}

/// Draws the choice of how many requests run in parallel.
fn in_flight_ui(ui: &mut Ui, draft: &BulkDraft, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let label = ui.label("Parallel requests");
        let mut count = draft.in_flight;
        let drawn = ui.add(egui::Slider::new(&mut count, 1..=8)).labelled_by(label.id);
        drawn.on_hover_text("How many assets are written at the same time");
        if count != draft.in_flight {
            actions.push(BulkAction::SetDraftInFlight(count).into());
        }
    });
}

/// What the buttons depend on.
struct Footer<'a> {
    /// The sample that was drawn.
    shown: Option<&'a PreparedSample>,
    /// Why the run cannot be started.
    why_disabled: Option<&'a str>,
    /// Whether the key that starts it was pressed.
    confirmed: bool,
    state: &'a State,
}

/// Draws the buttons for what is shown; returns whether the preview is to be closed.
fn footer_ui(
    ui: &mut Ui,
    draft: &BulkDraft,
    footer: &Footer<'_>,
    focus: &mut FirstFocus,
    actions: &mut Vec<Action>,
) -> bool {
    let left = |ui: &mut Ui, actions: &mut Vec<Action>| {
        if details_switch_ui(ui, footer.state, actions) {
            copy_buttons_ui(ui, draft, footer.shown, actions);
        }
    };
    parts::footer_ui(ui, "bulk buttons", actions, left, |ui, actions| {
        apply_ui(ui, draft, footer, actions);
        let cancel = ui.button("Cancel");
        focus.keep_on(&cancel);
        cancel.clicked()
    })
}

fn copy_buttons_ui(ui: &mut Ui, draft: &BulkDraft, shown: Option<&PreparedSample>, actions: &mut Vec<Action>) {
    let curl = shown.map(|shown| shown.curl.as_str()).filter(|curl| !curl.is_empty());
    let nothing = curl.is_none().then_some("Nothing is sent yet");
    let button = enabled_unless(ui, nothing, |ui| ui.button("Copy as curl"));
    if button.on_hover_text("The requests shown, for a shell").clicked()
        && let Some(curl) = curl
    {
        ui.ctx().copy_text(curl.to_owned());
        actions.push(Action::Notify("Copied the requests shown as curl".to_owned()));
    }
    // A run that undoes or redoes a batch refers to this history, so it cannot be saved as a plan for the command line.
    if draft.operation().is_none() {
        return;
    }
    if ui.button("Copy as command").on_hover_text("Runs a plan that was saved as plan.json").clicked() {
        ui.ctx().copy_text("lunette bulk plan.json".to_owned());
        actions.push(Action::Notify("Copied the command; save the plan as plan.json to run it".to_owned()));
    }
    if ui.button("Save as plan…").on_hover_text("A file for lunette bulk").clicked() {
        actions.push(BulkAction::SavePlan.into());
    }
}

fn apply_ui(ui: &mut Ui, draft: &BulkDraft, footer: &Footer<'_>, actions: &mut Vec<Action>) {
    let &Footer { shown, why_disabled, confirmed, .. } = footer;
    let apply = match draft.assets.len() {
        0 => "Apply".to_owned(),
        _ => format!("Apply to {}", changed_text(draft)),
    };
    let idle = draft.is_idle();
    let reason = match (idle, shown.is_some() && !draft.assets.is_empty()) {
        (true, _) => Some("Nothing is left to change"),
        (false, false) => Some("There is no plan to apply"),
        (false, true) => None,
    };
    let button = |ui: &mut Ui| match &draft.job {
        BulkJob::Operation(BulkOperation::Delete) => ui.danger_button(&format!("Delete {}", changed_text(draft))),
        BulkJob::Operation(_) => ui.primary_button(&apply),
        BulkJob::Answer(answer) => answer_button(ui, draft, answer),
        BulkJob::Merge(plan) => ui.danger_button(&format!("Merge and delete {}", plural(plan.deleted(), "asset"))),
    };
    let reason = why_disabled.or(reason);
    if confirm_button(ui, reason, confirmed, button) {
        actions.push(BulkAction::Start.into());
    }
}

/// Draws the button that undoes or redoes; its label says what it deletes.
fn answer_button(ui: &mut Ui, draft: &BulkDraft, answer: &BatchAnswer) -> egui::Response {
    let assets = plural(draft.changeable(), "asset");
    let verb = match answer.answers {
        EntryRelation::Redoes(_) => "Redo",
        EntryRelation::Undoes(_) | EntryRelation::None => "Undo",
    };
    match answer.rows.iter().filter(|row| row.change.deletes()).count() {
        0 => ui.primary_button(&format!("{verb} on {assets}")),
        all if all == answer.rows.len() => ui.danger_button(&format!("Delete {assets}")),
        some => ui.danger_button(&format!("{verb} on {assets}, deleting {}", grouped(some as u64))),
    }
}

/// Returns how many assets are changed, as far as the plan knows, as its result says it too: "2 of 3 assets".
fn changed_text(draft: &BulkDraft) -> String {
    let (changed, all) = (draft.changeable(), draft.assets.len());
    match changed == all {
        true => plural(all, "asset"),
        false => format!("{} of {}", grouped(changed as u64), plural(all, "asset")),
    }
}
