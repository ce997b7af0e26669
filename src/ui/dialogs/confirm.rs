//! What is asked before it is done: a write that the connection's write policy holds until the user says so.
//!
//! What must hold: a call that is shown is the one that is sent, byte for byte; Ctrl+Enter says yes, and Enter
//! only where the button has the focus.

use std::sync::Arc;

use egui::{Context, Id, LayerId, Order, ScrollArea, Ui, UiBuilder};

use crate::app::confirm::Confirmation;
use crate::app::{Action, State};
use lunette_client::operation::Call;

use super::plan::calls::{self, CallViews, PreparedCall};
use crate::ui::disabled_reason::{enabled_unless, write_disabled_reason};
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::background::Background;
use crate::ui::widgets::state::skeleton;
use crate::ui::widgets::{CONFIRM_KEY, buttons, confirm_key, dialog};

/// Width of the dialog without a call and with one, in points.
const NARROW: f32 = 440.0;
const WIDE: f32 = 640.0;

/// The dialog, and how the call in it is looked at.
#[derive(Default)]
pub struct ConfirmDialog {
    /// What it was opened for; None while it is closed.
    open: Option<Confirmation>,
    shown: Background<Key, Vec<PreparedCall>>,
    calls: CallViews,
}

/// The call that is drawn; held, so that no other can come to stand at its place in memory.
#[derive(Clone)]
struct Key(Arc<Call>, String, usize);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        let Self(call, address, columns) = self;
        Arc::ptr_eq(call, &other.0) && *address == other.1 && *columns == other.2
    }
}

impl ConfirmDialog {
    /// Draws what is asked, if anything is.
    pub fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let Some(asked) = &state.asked else {
            if self.open.is_some() {
                *self = Self::default();
            }
            return;
        };
        let fresh = self.open.as_ref() != Some(asked);
        if fresh {
            *self = Self { open: Some(asked.clone()), ..Self::default() };
            // It may be asked from within another dialog, and is answered first.
            ctx.move_to_top(LayerId::new(Order::Foreground, Id::unique(("dialog", "asked"))));
        }
        let width = if asked.call.is_some() { WIDE } else { NARROW };
        let (answer, outside) = dialog(ctx, "asked", &asked.title, width, |ui| {
            let confirmed = confirm_key(ui);
            ui.label(&asked.text);
            let drawn = match &asked.call {
                Some(call) => self.call_ui(ui, call, state),
                None => true,
            };
            footer_ui(ui, asked, drawn, (fresh, confirmed), state)
        });
        match (answer, outside) {
            (Some(answer), _) => actions.push(Action::Answer(answer)),
            (None, true) => actions.push(Action::Answer(false)),
            (None, false) => {}
        }
    }

    /// Draws the call; true once it is there to be looked at.
    fn call_ui(&mut self, ui: &mut Ui, call: &Arc<Call>, state: &State) -> bool {
        let address = state.connection.address.as_deref().unwrap_or("http://localhost").to_owned();
        let key = Key(Arc::clone(call), address, calls::columns(ui));
        let work = {
            let Key(call, address, columns) = key.clone();
            move || vec![PreparedCall::of(&call, &address, columns)]
        };
        match self.shown.get(ui.ctx(), &key, work) {
            Some(Ok(shown)) => {
                let area = ScrollArea::vertical().id_salt("asked").max_height(320.0).auto_shrink([false, true]);
                area.show(ui, |ui| self.calls.ui(ui, shown));
                true
            }
            Some(Err(problem)) => {
                ui.error_text(&format!("the call could not be shown: {problem}"));
                false
            }
            None => {
                skeleton(ui, "the call", 3);
                false
            }
        }
    }
}

/// The buttons: what was answered.
fn footer_ui(
    ui: &mut Ui,
    asked: &Confirmation,
    drawn: bool,
    (fresh, confirmed): (bool, bool),
    state: &State,
) -> Option<bool> {
    // Ids of their own, so that a button keeps the focus when what stands above it comes.
    let builder = UiBuilder::new().scope_id(Id::unique("asked buttons"));
    let layout = |ui: &mut Ui| {
        // What lets writes leave is asked while none does.
        let held = write_disabled_reason(state).filter(|_| !asked.sends_nothing());
        let disabled_reason = held.as_deref().or((!drawn).then_some("It is not shown yet"));
        let button = |ui: &mut Ui| match asked.deletes() {
            true => ui.danger_button(&asked.button),
            false => ui.primary_button(&asked.button),
        };
        let button = enabled_unless(ui, disabled_reason, button).on_hover_text(CONFIRM_KEY);
        let yes = button.clicked() || confirmed && disabled_reason.is_none();
        let cancel = ui.button("Cancel");
        // From the start Enter and Space send nothing.
        if fresh {
            cancel.request_focus();
        }
        (yes || cancel.clicked()).then_some(yes)
    };
    ui.scope_builder(builder, |ui| buttons(ui, layout)).inner
}
