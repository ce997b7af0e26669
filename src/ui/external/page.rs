//! The page of one external application: what is known of it, what its state means, and the button to track it.

use egui::{Align, Layout, ScrollArea, Ui};

use crate::app::feature::Feature;
use crate::app::rows::{ApplicationRow, ExternalRow};
use crate::app::state::Panel;
use crate::app::{Action, State};
use crate::ui::obstacle::{obstacle, unless};
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widget::shown_short;

use super::{sign, track};

/// Draws the page; `tracked` is the application under which the service tracks it.
pub(super) fn ui(
    ui: &mut Ui,
    row: &ExternalRow,
    tracked: Option<&ApplicationRow>,
    state: &State,
    actions: &mut Vec<Action>,
) {
    ScrollArea::vertical().id_salt("external application").auto_shrink(false).show(ui, |ui| {
        head_ui(ui, row, actions);
        ui.add_space(SPACE_S);
        ui.horizontal_wrapped(|ui| {
            let (icon, color) = sign(row.state, ui.tokens());
            ui.label(icon.text().color(color));
            ui.colored_label(color, row.state.as_str());
        });
        ui.label(row.state.meaning());
        ui.add_space(SPACE_M);
        facts_ui(ui, row);
        ui.add_space(SPACE_M);
        ui.section_title("Tracking");
        ui.add_space(SPACE_S);
        match tracked {
            Some(application) => tracked_ui(ui, application, actions),
            None => untracked_ui(ui, row, state, actions),
        }
    });
}

fn head_ui(ui: &mut Ui, row: &ExternalRow, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.icon_button(Icon::CLOSE, "Close the application").clicked() {
                actions.push(Action::OpenExternal(None));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(egui::Label::new(egui::RichText::new(shown_short(&row.name, 120)).heading()).truncate());
            });
        });
    });
}

fn facts_ui(ui: &mut Ui, row: &ExternalRow) {
    let version = if row.version.is_empty() { "Not known" } else { row.version.as_str() };
    ui.key_value("Version", &shown_short(version, 120));
    let integration = match row.related {
        true => "One of the applications that work with this service",
        false => "None: it is only known to be on this machine",
    };
    ui.key_value("Integration", integration);
    if let Some(identifier) = &row.identifier {
        ui.key_value("Identifier", &shown_short(identifier, 120));
    }
}

fn tracked_ui(ui: &mut Ui, application: &ApplicationRow, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(Icon::CHECK.text().color(ui.tokens().ok));
        ui.label("The service tracks it and lists it under Applications.");
    });
    if ui.button("Show in Applications").clicked() {
        actions.push(Action::Show(Panel::Applications));
        actions.push(Action::OpenApplication(application.id.clone()));
    }
}

fn untracked_ui(ui: &mut Ui, row: &ExternalRow, state: &State, actions: &mut Vec<Action>) {
    ui.label("A tracked application is listed under Applications, and the service counts its use.");
    ui.add_space(SPACE_S);
    let reason = obstacle(state, Feature::Track).or_else(|| row.track_obstacle().map(str::to_owned));
    let button = unless(ui, reason.as_deref(), |ui| ui.primary_button("Track…"));
    if button.on_hover_text("Shows the call that registers it with the service").clicked() {
        actions.push(track(row));
    }
    if let Some(reason) = reason {
        ui.caption(&format!("{reason}."));
    }
}
