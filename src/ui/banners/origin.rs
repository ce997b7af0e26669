//! The banner that reports a web page whose request the browser guard of the built-in service rejected, and offers to
//! allow that page.
//!
//! What must hold: it can be dismissed and does not return for the same page; a request whose origin is not one page is
//! reported but never offered.

use egui::{Align, Frame, Label, Layout, Margin, Ui, accesskit::Role};

use lunette_inspector::action::EmbeddedAction;
use lunette_inspector::embedded::EmbeddedState;
use lunette_inspector::embedded::origin_prompt::Asker;
use lunette_inspector::{Action, State};

use crate::ui::command::Command;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::shown_short;

/// Draws the banner if a page was rejected and the user has not decided on it yet.
pub(in crate::ui) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Command> {
    let EmbeddedState { guard, .. } = &state.embedded;
    let open = guard.open.as_ref()?;
    let (line, mut request) = (guard.sentence(open), None);
    let frame = Frame::new().fill(ui.tokens().raised).inner_margin(Margin::symmetric(12, 6));
    let panel = egui::Panel::top("browser guard").resizable(false).frame(frame);
    let drawn = panel.show(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            if ui.button("Not now").on_hover_text("Hides this message for this page").clicked() {
                actions.push(EmbeddedAction::DismissRefused.into());
            }
            allow_button_ui(ui, open, actions);
            if ui.button("Web pages…").on_hover_text("Which pages may use the built-in service").clicked() {
                request = Some(Command::Connection);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.decoration(Icon::GUARDED.text().color(ui.tokens().muted));
                let shown = shown_short(&line, 160).into_owned();
                ui.add(Label::new(shown).truncate()).on_hover_text(MEANING);
            });
        });
    });
    ui.ctx().accesskit_node_builder(drawn.response.id, |node| {
        node.set_role(Role::Status);
        node.set_label(line);
    });
    request
}

/// The full explanation, shown on hover.
const MEANING: &str = "Web pages cannot use the built-in service: otherwise any page open in a browser could. Allow a \
                       page that you trust by its exact address.";

/// Draws the button that allows the page; draws nothing if there is no page to allow.
pub(in crate::ui) fn allow_button_ui(ui: &mut Ui, asker: &Asker, actions: &mut Vec<Action>) {
    let Some(origin) = asker.can_be_let_in() else { return };
    let allow = ui.button("Allow").accessible_name(format!("Allow {origin}"));
    let tip = format!("Every page of {origin} may read and change everything here, until you remove it");
    if allow.on_hover_text(tip).clicked() {
        actions.push(EmbeddedAction::AllowOrigin(origin.to_owned()).into());
    }
}
