//! An asset that changed between reading and writing: three versions of every conflicting field, and which one to keep.
//!
//! What must hold: nothing is sent except by the one button, which is disabled until every field that both sides
//! changed is decided; closing sends nothing; only visible fields are drawn.

use std::sync::Arc;

use egui::{Context, Ui};
use serde_json::Value;

use crate::ui::dialogs::parts::{self, FirstFocus, confirm_button};
use crate::ui::disabled_reason::disabled_reason;
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::{confirm_key, dialog, grouped, shown_short};
use lunette_inspector::action::WriteAction;
use lunette_inspector::change::Change;
use lunette_inspector::write::conflict::{Choice, Conflict};
use lunette_inspector::{Action, State};

mod fields;
#[cfg(test)]
mod tests;
mod text;

use fields::Fields;
use text::TextView;

/// Width of the dialog, in points.
const WIDTH: f32 = 940.0;

/// The dialog, and the view state of its contents.
#[derive(Default)]
pub struct ConflictDialog {
    open: Option<Open>,
}

/// What the dialog was opened for; the record is kept alive, so that its address is not reused.
struct Open {
    theirs: Arc<Value>,
    change: Change,
    fields: Fields,
    text: TextView,
    focus: FirstFocus,
}

impl Open {
    fn of(conflict: &Conflict) -> Self {
        let Conflict { theirs, change, fields, .. } = conflict;
        Self {
            theirs: Arc::clone(theirs),
            change: change.clone(),
            fields: Fields::of(fields),
            text: TextView::default(),
            focus: FirstFocus::default(),
        }
    }

    fn is_of(&self, conflict: &Conflict) -> bool {
        Arc::ptr_eq(&self.theirs, &conflict.theirs) && self.change == conflict.change
    }
}

impl ConflictDialog {
    /// Draws the pending conflict, if there is one.
    pub fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let Some(conflict) = &state.write.conflict else {
            self.open = None;
            return;
        };
        let known = self.open.take().filter(|open| open.is_of(conflict));
        let fresh = known.is_none();
        let open = self.open.insert(known.unwrap_or_else(|| Open::of(conflict)));
        if fresh {
            open.focus.begin();
        }
        let title = format!("“{}” was changed meanwhile", shown_short(&conflict.name, 80));
        let (closed, outside) = dialog(ctx, "conflict", &title, WIDTH, |ui| {
            let confirmed = confirm_key(ui);
            ui.label(explanation(conflict));
            open.fields.ui(ui, conflict, actions);
            open.text.ui(ui, conflict);
            let why_disabled = disabled_reason(state, conflict.change.capability());
            footer_ui(ui, conflict, (why_disabled.as_deref(), confirmed), &mut open.focus, actions)
        });
        if closed || outside {
            actions.push(WriteAction::DismissConflict.into());
        }
    }
}

/// Returns why nothing was sent, and what to do.
fn explanation(conflict: &Conflict) -> String {
    let both = conflict.fields.iter().filter(|contested| contested.field.overlaps()).count();
    let what = match both {
        0 => "Your changes and the changes there do not overlap, so both can be kept.".to_owned(),
        1 => "One field was changed by both: choose which version to keep.".to_owned(),
        both => format!("{} fields were changed by both: choose which version to keep.", grouped(both as u64)),
    };
    format!("Nothing was sent: the record was changed on the service since you started. {what}")
}

/// Draws the buttons; returns whether the conflict is to be closed.
fn footer_ui(
    ui: &mut Ui,
    conflict: &Conflict,
    (why_disabled, confirmed): (Option<&str>, bool),
    focus: &mut FirstFocus,
    actions: &mut Vec<Action>,
) -> bool {
    let left = |ui: &mut Ui, actions: &mut Vec<Action>| accept_all_ui(ui, conflict, actions);
    parts::footer_ui(ui, "conflict buttons", actions, left, |ui, actions| {
        merge_ui(ui, conflict, (why_disabled, confirmed), actions);
        let close = ui.button(close_name(&conflict.change));
        focus.keep_on(&close);
        close.clicked()
    })
}

/// Decides every field that both sides changed, with one click.
fn accept_all_ui(ui: &mut Ui, conflict: &Conflict, actions: &mut Vec<Action>) {
    if conflict.mergeable() {
        return;
    }
    let sides = [("Take all of yours", Choice::Yours, "your"), ("Take all of theirs", Choice::Theirs, "the service's")];
    for (name, choice, whose) in sides {
        let hover = format!("Keeps {whose} version of every field that both changed");
        if ui.button(name).on_hover_text(hover).clicked() {
            let contested = conflict.fields.iter().enumerate().filter(|(_, contested)| contested.field.overlaps());
            actions.extend(contested.map(|(index, _)| Action::Write(WriteAction::Decide(index, choice))));
        }
    }
}

fn merge_ui(
    ui: &mut Ui,
    conflict: &Conflict,
    (why_disabled, confirmed): (Option<&str>, bool),
    actions: &mut Vec<Action>,
) {
    let open = conflict.open();
    let yours = conflict.fields.iter().any(|contested| contested.choice == Choice::Yours);
    let name = if open > 0 || yours { "Merge" } else { "Keep theirs" };
    let undecided = if open == 1 { "one field".to_owned() } else { format!("{} fields", grouped(open as u64)) };
    let hover =
        if yours { "Applies your changes to the current record" } else { "None of your changes are left to send" };
    let choose = format!("Choose which version of {undecided} to keep first");
    let disabled_reason = why_disabled.or((open > 0).then_some(choose.as_str()));
    if confirm_button(ui, disabled_reason, confirmed, |ui| ui.primary_button(name).on_hover_text(hover)) {
        actions.push(WriteAction::MergeConflict.into());
    }
    if open > 0 {
        ui.caption(&format!("{undecided} to choose"));
    }
}

/// Only a change that was typed is kept as a draft.
fn close_name(change: &Change) -> &'static str {
    if change.info().typed { "Close, keep my draft" } else { "Close, send nothing" }
}
