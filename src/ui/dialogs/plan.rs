//! The preview of a write: what it changes and whether it can be undone, and on request the requests it sends.
//!
//! What must hold: the request shown is the request sent, byte for byte; nothing is sent except by the one button.
//! Ctrl+Enter presses it; Enter does so only while it has the focus.

use std::sync::Arc;
use std::time::Duration;

use egui::{Context, Ui};

use crate::ui::dialogs::parts::{
    self, FirstFocus, confirm_button, details_switch_ui, prepared_ui, scrolled_ui, undo_text_ui,
};
use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::field_diff::{self, FieldRow};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::text_diff::{TextDiffState, TextDiffView, text_diff};
use crate::ui::widgets::{confirm_key, dialog, progress, shown_short};
use lunette_inspector::action::WriteAction;
use lunette_inspector::background::Saving;
use lunette_inspector::change::Change;
use lunette_inspector::compare::{Layout, TextDiff};
use lunette_inspector::write::plan::{Plan, Planned, UndoKind};
use lunette_inspector::{Action, State};

pub(in crate::ui) mod calls;
mod labels;
#[cfg(test)]
mod tests;

use calls::{CallViews, PreparedCall};
pub(in crate::ui) use labels::effect;

/// Width of the dialog, in points.
const WIDTH: f32 = 680.0;

/// What the dialog needs of the window's height besides its body, in points.
const RESERVED_HEIGHT: f32 = 250.0;

/// Height of a changed text, in points.
const TEXT: f32 = 220.0;
/// Maximum number of changed fields visible at once; the others are scrolled to.
const FIELDS: usize = 4;

/// The dialog, and the view state of its contents.
#[derive(Default)]
pub struct PlanDialog {
    /// The change it was opened for; `None` while it is closed.
    open: Option<Change>,
    /// The plan drawn in the last frame.
    drawn: Option<Key>,
    shown: Background<Key, PreparedPlan>,
    calls: CallViews,
    text: TextDiffState,
    focus: FirstFocus,
}

/// The plan prepared for drawing, computed once on another thread since a body may be large.
struct PreparedPlan {
    rows: Vec<FieldRow>,
    /// How the text is changed, if it is.
    text: Option<TextDiff>,
    /// What the plan does, if it changes no field that can be named.
    effect: Option<String>,
    calls: Vec<PreparedCall>,
}

/// The plan being drawn; kept alive, so that its address is not reused.
#[derive(Clone)]
struct Key {
    plan: Arc<Plan>,
    address: String,
    columns: usize,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        let Self { plan, address, columns } = self;
        Arc::ptr_eq(plan, &other.plan) && *address == other.address && *columns == other.columns
    }
}

impl PlanDialog {
    /// Draws the pending plan, if there is one.
    pub fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let Some(planned) = &state.write.planned else {
            if self.open.is_some() {
                *self = Self::default();
            }
            return;
        };
        let mut fresh = self.open.as_ref() != Some(&planned.change);
        if fresh {
            *self = Self { open: Some(planned.change.clone()), ..Self::default() };
        }
        let name = labels::name(planned, state);
        let title = match &planned.title {
            // The title of an undo names the entry it undoes.
            Some(title) => shown_short(title, 120).into_owned(),
            None => labels::title(&planned.change, &shown_short(&name, 80)),
        };
        let (dismissed, outside) = dialog(ctx, "plan", &title, WIDTH, |ui| {
            let confirmed = confirm_key(ui);
            let key = self.body_ui(ui, planned, state, actions);
            // The user has not seen a plan that was made anew.
            fresh |= self.drawn != key;
            if fresh {
                self.focus.begin();
            }
            self.drawn.clone_from(&key);
            // A plan that was not drawn yet can be neither copied nor sent.
            let shown = key.and_then(|key| self.shown.known(&key)).filter(|shown| !shown.calls.is_empty());
            let why_disabled = disabled_reason(state, planned.change.capability());
            let saving = state.write.of(planned.change.asset()).saving.filter(|_| planned.applying);
            let footer = Footer { saving, shown, why_disabled: why_disabled.as_deref(), confirmed, state };
            footer_ui(ui, planned, &footer, &mut self.focus, actions)
        });
        // Closing the dialog does not cancel a write that was sent.
        if dismissed || outside && !planned.applying {
            actions.push(WriteAction::DismissPlan.into());
            if planned.plan.error().is_some() {
                // The refusal was shown here.
                actions.push(WriteAction::DismissRefusal(planned.change.asset().clone()).into());
            }
        }
    }

    /// Draws the body in every state; returns the plan if it can be sent.
    fn body_ui(&mut self, ui: &mut Ui, planned: &Planned, state: &State, actions: &mut Vec<Action>) -> Option<Key> {
        if let Some(problem) = planned.plan.error() {
            ui.error_text(problem);
            if !planned.plan.loading() && ui.button("Try again").clicked() {
                actions.push(WriteAction::Change(planned.change.clone()).into());
            }
            return None;
        }
        let (Some(plan), false) = (planned.plan.value(), planned.plan.loading()) else {
            skeleton(ui, "the plan: the asset is read afresh", 4);
            return None;
        };
        let key = self.plan_ui(ui, plan, state);
        Some(key)
    }

    fn plan_ui(&mut self, ui: &mut Ui, plan: &Arc<Plan>, state: &State) -> Key {
        let address = state.connection.address.as_deref().unwrap_or("http://localhost");
        let key = Key { plan: Arc::clone(plan), address: address.to_owned(), columns: calls::columns(ui) };
        let work = {
            let Key { plan, address, columns } = key.clone();
            move || PreparedPlan {
                rows: field_diff::rows(&plan.fields),
                text: text_diff_of(&plan.change),
                effect: plan.fields.is_empty().then(|| effect(&plan.change)),
                calls: plan.calls.iter().map(|call| PreparedCall::of(call, &address, columns)).collect(),
            }
        };
        let Self { shown, calls, text, .. } = self;
        let Some(shown) = prepared_ui(ui, shown, &key, ("the plan", 4), work) else { return key };
        undo_ui(ui, &plan.undo);
        scrolled_ui(ui, "plan", RESERVED_HEIGHT, |ui| {
            match &shown.effect {
                Some(effect) => _ = ui.label(effect.as_str()),
                None => match &shown.text {
                    Some(diff) => text_ui(ui, diff, text),
                    None => field_diff::changes(ui, &shown.rows, FIELDS),
                },
            }
            if state.preferences.settings.plan_details {
                asset_ui(ui, plan);
                calls.ui(ui, &shown.calls);
            }
        });
        key
    }
}

/// Returns how a change replaces a text; `None` if it replaces none.
fn text_diff_of(change: &Change) -> Option<TextDiff> {
    match change {
        Change::Text { from, to, .. } => Some(lunette_inspector::compare::texts(from, to)),
        _ => None,
    }
}

/// Draws how a text changes, as a comparison draws it.
fn text_ui(ui: &mut Ui, diff: &TextDiff, state: &mut TextDiffState) {
    let (added, removed) = diff.added_and_removed();
    ui.caption(&format!("+{added} −{removed} lines"));
    let view = TextDiffView { name: "Change of the text", diff, layout: Layout::Inline, found: None };
    text_diff(ui, view, state, TEXT, |_, _| {});
}

/// What the buttons depend on.
struct Footer<'a> {
    /// The write that sends the plan, while its response is awaited: Cancel then stops waiting.
    saving: Option<Saving>,
    /// The plan that was drawn.
    shown: Option<&'a PreparedPlan>,
    /// Why the plan cannot be sent.
    why_disabled: Option<&'a str>,
    /// Whether the key that sends the plan was pressed.
    confirmed: bool,
    state: &'a State,
}

/// Draws which asset is changed, and what it was compared with.
fn asset_ui(ui: &mut Ui, plan: &Plan) {
    ui.add_space(SPACE_S);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        ui.code_text(plan.change.asset().as_str());
        ui.muted(if plan.before.is_some() { "· compared with the asset as it was just read" } else { "" });
    });
}

/// Draws the buttons for what is shown; returns whether the plan is to be closed.
fn footer_ui(
    ui: &mut Ui,
    planned: &Planned,
    footer: &Footer<'_>,
    focus: &mut FirstFocus,
    actions: &mut Vec<Action>,
) -> bool {
    let &Footer { saving, shown, state, .. } = footer;
    let left = |ui: &mut Ui, actions: &mut Vec<Action>| {
        if details_switch_ui(ui, state, actions) {
            copy_buttons_ui(ui, shown, actions);
        }
    };
    parts::footer_ui(ui, "plan buttons", actions, left, |ui, actions| {
        apply_ui(ui, planned, footer, actions);
        let cancelling = planned.applying && saving.is_none_or(|saving| saving.cancelled);
        let cancel = enabled_unless(ui, cancelling.then_some("Cancelling"), |ui| ui.button("Cancel"));
        focus.keep_on(&cancel);
        if !planned.applying {
            return cancel.clicked();
        }
        let cancel = cancel.on_hover_text("Stops waiting for the response; the service may have made the change");
        if let Some(saving) = saving.filter(|_| cancel.clicked()) {
            actions.push(Action::Cancel(saving.task));
        }
        sending_ui(ui, saving);
        false
    })
}

/// Says that the plan is being applied, and for how long.
fn sending_ui(ui: &mut Ui, saving: Option<Saving>) {
    ui.ctx().request_repaint_after(Duration::from_secs(1));
    let seconds = saving.map_or(0, |saving| jiff::Timestamp::now().duration_since(saving.since).as_secs());
    match (saving.is_some_and(|saving| saving.cancelled), seconds) {
        (true, _) => ui.caption("Cancelling…"),
        (false, ..1) => ui.caption("Sending…"),
        (false, seconds) => ui.caption(&format!("Sending… {seconds} s")),
    };
    progress(ui, "Sending the change", None, 80.0);
}

fn copy_buttons_ui(ui: &mut Ui, shown: Option<&PreparedPlan>, actions: &mut Vec<Action>) {
    let curl = ("Copy as curl", "Copied the write as curl", PreparedCall::curl as fn(&PreparedCall) -> &str);
    let command = ("Copy as command", "Copied the write as a lunette command", PreparedCall::command as _);
    for (name, message, command) in [curl, command] {
        let why_disabled = shown.is_none().then_some("It is not shown yet");
        if enabled_unless(ui, why_disabled, |ui| ui.button(name)).clicked()
            && let Some(shown) = shown
        {
            let commands: Vec<_> = shown.calls.iter().map(command).collect();
            ui.ctx().copy_text(commands.join("\n"));
            actions.push(Action::Notify(message.to_owned()));
        }
    }
}

fn apply_ui(ui: &mut Ui, planned: &Planned, footer: &Footer<'_>, actions: &mut Vec<Action>) {
    let name = planned.change.button();
    let removes = planned.change.info().removes;
    let button = |ui: &mut Ui| if removes { ui.danger_button(&name) } else { ui.primary_button(&name) };
    let reason = match (planned.applying, footer.shown.is_some()) {
        (true, _) => Some("It is being loaded"),
        (false, false) => Some("There is no plan to apply yet"),
        (false, true) => footer.why_disabled,
    };
    if confirm_button(ui, reason, footer.confirmed, button) {
        actions.push(WriteAction::ApplyPlan.into());
    }
}

fn undo_ui(ui: &mut Ui, undo: &UndoKind) {
    match undo {
        UndoKind::Never(why) => {
            ui.warning_text(&format!("This cannot be undone: {}.", why.trim_end_matches('.')));
        }
        UndoKind::By(how) => undo_text_ui(ui, Icon::UNDO, how),
    }
}
