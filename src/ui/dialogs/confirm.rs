//! The confirmation of a write that the write policy of the connection requires.
//!
//! What must hold: the request shown is the request sent, byte for byte; Ctrl+Enter confirms, and Enter only while the
//! button has the focus.

use std::sync::Arc;

use egui::{Context, Id, LayerId, Order, ScrollArea, Ui, UiBuilder};

use lunette_client::operation::Call;
use lunette_inspector::confirm::Confirmation;
use lunette_inspector::{Action, State};

use super::plan::calls::{self, CallViews, PreparedCall};
use crate::ui::dialogs::parts::{FirstFocus, confirm_button, prepared_ui};
use crate::ui::disabled_reason::write_disabled_reason;
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::background::Background;
use crate::ui::widgets::{buttons, confirm_key, dialog};

/// Width of the dialog without a request and with one, in points.
const NARROW: f32 = 440.0;
const WIDE: f32 = 640.0;

/// The dialog, and the view state of the request in it.
#[derive(Default)]
pub struct ConfirmDialog {
    /// What it was opened for; `None` while it is closed.
    open: Option<Confirmation>,
    shown: Background<Key, Vec<PreparedCall>>,
    calls: CallViews,
    focus: FirstFocus,
}

/// The call being drawn; kept alive, so that its address is not reused.
#[derive(Clone)]
struct Key(Arc<Call>, String, usize);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        let Self(call, address, columns) = self;
        Arc::ptr_eq(call, &other.0) && *address == other.1 && *columns == other.2
    }
}

impl ConfirmDialog {
    /// Draws the confirmation, if one is pending.
    pub fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let Some(asked) = &state.notifications.confirmation else {
            if self.open.is_some() {
                *self = Self::default();
            }
            return;
        };
        let fresh = self.open.as_ref() != Some(asked);
        if fresh {
            *self = Self { open: Some(asked.clone()), ..Self::default() };
            self.focus.begin();
            // It may be opened from another dialog and is answered first.
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
            footer_ui(ui, asked, drawn, confirmed, &mut self.focus, state)
        });
        match (answer, outside) {
            (Some(true), _) => actions.push(Action::Confirm),
            (Some(false), _) | (None, true) => actions.push(Action::Decline),
            (None, false) => {}
        }
    }

    /// Draws the call; returns whether it is ready.
    fn call_ui(&mut self, ui: &mut Ui, call: &Arc<Call>, state: &State) -> bool {
        let address = state.connection.address.as_deref().unwrap_or("http://localhost").to_owned();
        let key = Key(Arc::clone(call), address, calls::columns(ui));
        let work = {
            let Key(call, address, columns) = key.clone();
            move || vec![PreparedCall::of(&call, &address, columns)]
        };
        let Some(shown) = prepared_ui(ui, &mut self.shown, &key, ("the call", 3), work) else { return false };
        let area = ScrollArea::vertical().id_salt("asked").max_height(320.0).auto_shrink([false, true]);
        area.show(ui, |ui| self.calls.ui(ui, shown));
        true
    }
}

/// Draws the buttons; returns the answer.
fn footer_ui(
    ui: &mut Ui,
    asked: &Confirmation,
    drawn: bool,
    confirmed: bool,
    focus: &mut FirstFocus,
    state: &State,
) -> Option<bool> {
    // Own ids, so that a button keeps the focus when something above it appears.
    let builder = UiBuilder::new().scope_id(Id::unique("asked buttons"));
    let layout = |ui: &mut Ui| {
        // Allowing writes is itself confirmed while none are allowed.
        let why_disabled = write_disabled_reason(state).filter(|_| !asked.sends_nothing);
        let disabled_reason = why_disabled.as_deref().or((!drawn).then_some("It is not shown yet"));
        let button = |ui: &mut Ui| match asked.deletes {
            true => ui.danger_button(&asked.button),
            false => ui.primary_button(&asked.button),
        };
        let yes = confirm_button(ui, disabled_reason, confirmed, button);
        let cancel = ui.button("Cancel");
        focus.keep_on(&cancel);
        (yes || cancel.clicked()).then_some(yes)
    };
    ui.scope_builder(builder, |ui| buttons(ui, layout)).inner
}
