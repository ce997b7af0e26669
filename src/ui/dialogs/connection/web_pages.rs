//! The web pages that may use the built-in service, and the last rejected request; drawn in the connection dialog.

use egui::{Align, Label, Layout, Ui, vec2};

use crate::ui::banners::origin::allow_button_ui;
use crate::ui::theme::{Icon, SPACE_S, SPACE_XS, UiExt as _, control};
use crate::ui::widgets::shown_short;
use lunette_inspector::action::EmbeddedAction;
use lunette_inspector::embedded::{EmbeddedState, Ownership};
use lunette_inspector::settings::Target;
use lunette_inspector::{Action, State};

/// Draws the section; draws nothing if this window knows of no built-in service.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let seen = &state.embedded.seen;
    let kept = &state.preferences.settings.allowed_origins;
    let joined = seen.whose == Ownership::Another && state.connection.target == Target::Embedded;
    if seen.whose != Ownership::Own && !joined && kept.is_empty() {
        return;
    }
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = SPACE_XS;
        ui.section_title("Web pages");
        if joined {
            ui.caption(
                "The built-in service runs in another window or in “lunette serve”: allow web pages there, under \
                 Connection or with --allow-origin.",
            );
            return;
        }
        ui.caption(match kept.is_empty() && seen.given.is_empty() {
            true => "No web page may use the built-in service; programs on this machine may.",
            false => "Only these web pages may use the built-in service.",
        });
        for origin in &seen.given {
            given_ui(ui, origin);
        }
        for origin in kept.iter().filter(|origin| !seen.given.contains(origin)) {
            origin_ui(ui, origin, actions);
        }
        refused_ui(ui, state, actions);
    });
    ui.line();
}

fn given_ui(ui: &mut Ui, origin: &str) {
    ui.horizontal(|ui| {
        ui.code_text(&shown_short(origin, 80));
        ui.caption("allowed by --allow-origin");
    });
}

fn origin_ui(ui: &mut Ui, origin: &str, actions: &mut Vec<Action>) {
    let size = vec2(ui.available_width(), control(ui));
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        if ui.icon_button(Icon::DELETE, &format!("Remove {origin}")).clicked() {
            actions.push(EmbeddedAction::DisallowOrigin(origin.to_owned()).into());
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.code_text(&shown_short(origin, 80));
        });
    });
}

/// Draws the last rejected request, with the button that allows its page.
fn refused_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let EmbeddedState { guard, seen, .. } = &state.embedded;
    let Some(last) = &guard.last else { return };
    let size = vec2(ui.available_width(), control(ui));
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        let let_in = |origin: &str| {
            state.preferences.settings.allowed_origins.iter().chain(&seen.given).any(|known| known == origin)
        };
        if !last.can_be_let_in().is_some_and(let_in) {
            allow_button_ui(ui, last, actions);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let line = format!("{}.", guard.sentence(last));
            ui.add(Label::new(shown_short(&line, 160)).truncate()).on_hover_text(line);
        });
    });
}
