//! What the dialogs that show a request before it is sent draw alike.
//!
//! What must hold: a button with a reason to be disabled confirms nothing, by the keyboard either. Cancel has the focus
//! first, also when the plan has changed, so that Enter sends nothing that was not seen; Ctrl+Enter confirms.

use egui::{Align, Id, Layout, Response, ScrollArea, Ui, UiBuilder};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::{CONFIRM_KEY, shown};
use lunette_inspector::action::SettingsAction;
use lunette_inspector::{Action, State};

/// Returns what is prepared for a key on another thread; until then, or if it fails, draws that `what` is not there.
pub fn prepared_ui<'a, K: Clone + PartialEq, T: Send + 'static>(
    ui: &mut Ui,
    prepared: &'a mut Background<K, T>,
    key: &K,
    what: (&str, usize),
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<&'a T> {
    let (what, lines) = what;
    match prepared.get(ui.ctx(), key, work) {
        Some(Ok(prepared)) => Some(prepared),
        Some(Err(problem)) => {
            ui.error_text(&format!("{what} could not be shown: {problem}"));
            None
        }
        None => {
            skeleton(ui, what, lines);
            None
        }
    }
}

/// Draws what scrolls in a dialog that needs `reserved` points of the window's height for the rest.
pub fn scrolled_ui(ui: &mut Ui, id: &str, reserved: f32, draw: impl FnOnce(&mut Ui)) {
    let height = (ui.ctx().content_rect().height() - reserved).max(120.0);
    ScrollArea::vertical().id_salt(id).max_height(height).auto_shrink([false, true]).show(ui, draw);
}

/// Draws the last line of a dialog: `left` from the left, then `right` from the right.
///
/// It has an id of its own, so that a button keeps the focus when something above it appears.
pub fn footer_ui<R>(
    ui: &mut Ui,
    id: &str,
    actions: &mut Vec<Action>,
    left: impl FnOnce(&mut Ui, &mut Vec<Action>),
    right: impl FnOnce(&mut Ui, &mut Vec<Action>) -> R,
) -> R {
    let line = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        left(ui, actions);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| right(ui, actions)).inner
    };
    ui.scope_builder(UiBuilder::new().scope_id(Id::unique(id)), |ui| ui.horizontal(line).inner).inner
}

/// Draws the button that confirms a dialog; returns whether it was clicked, or `confirmed` by the keyboard.
pub fn confirm_button(
    ui: &mut Ui,
    disabled_reason: Option<&str>,
    confirmed: bool,
    button: impl FnOnce(&mut Ui) -> Response,
) -> bool {
    let clicked = enabled_unless(ui, disabled_reason, button).on_hover_text(CONFIRM_KEY).clicked();
    clicked || confirmed && disabled_reason.is_none()
}

/// How many frames Cancel takes the focus for: a dialog or menu that closes meanwhile may move it.
const FOCUSED_FRAMES: u8 = 4;

/// The first focus of a dialog that confirms something: it is on Cancel.
#[derive(Default)]
pub struct FirstFocus(u8);

impl FirstFocus {
    /// Moves the focus to Cancel, since what is shown was not seen yet.
    pub fn begin(&mut self) {
        self.0 = FOCUSED_FRAMES;
    }

    /// Focuses the button that was drawn as Cancel, in the first frames.
    pub fn keep_on(&mut self, cancel: &Response) {
        if self.0 > 0 {
            self.0 -= 1;
            cancel.request_focus();
            cancel.ctx.request_repaint();
        }
    }
}

/// Draws the switch that shows the details of plans, which is remembered; returns whether they are shown.
pub fn details_switch_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> bool {
    let shown = state.preferences.settings.plan_details;
    let icon = if shown { Icon::UNFOLDED } else { Icon::FOLDED };
    let switch = ui.icon_text_button(icon, "Details").accessible_name("Details of the plan");
    if switch.on_hover_text("The requests, as they are sent").clicked() {
        actions.push(SettingsAction::PlanDetails(!shown).into());
    }
    shown
}

/// Draws how a change can be undone, with an icon before it.
pub fn undo_text_ui(ui: &mut Ui, icon: Icon, text: &str) {
    ui.horizontal_top(|ui| {
        let muted = ui.tokens().muted;
        ui.decoration(icon.text().color(muted));
        ui.add(egui::Label::new(egui::RichText::new(shown(text)).color(muted)).wrap());
    });
}
