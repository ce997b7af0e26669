//! The page of one external application: its details, what its state means, and the button that tracks it.

use egui::{Label, RichText, ScrollArea, Sense, Ui, vec2};

use crate::ui::app_icon;
use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::list::split::page_title_ui;
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _, text};
use crate::ui::widgets::{shown, shown_short};
use lunette_inspector::action::{ApplicationsAction, NavigationAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::listing::rows::{ApplicationRow, ExternalRow};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

use super::{icon_and_color, track};

/// The side of the icon, in points.
const ICON: f32 = 28.0;

/// Draws the page; `tracked` is the tracked application for it, if there is one.
pub(super) fn ui(
    ui: &mut Ui,
    row: &ExternalRow,
    tracked: Option<&ApplicationRow>,
    state: &State,
    actions: &mut Vec<Action>,
) {
    ScrollArea::vertical().id_salt("external application").auto_shrink(false).show(ui, |ui| {
        if page_title_ui(ui, &row.name, "Close the application") {
            actions.push(ApplicationsAction::OpenExternal(None).into());
        }
        body_ui(ui, row, tracked, state, actions);
    });
}

/// Draws the page below its title.
pub(super) fn body_ui(
    ui: &mut Ui,
    row: &ExternalRow,
    tracked: Option<&ApplicationRow>,
    state: &State,
    actions: &mut Vec<Action>,
) {
    ui.horizontal_wrapped(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(ICON, ICON), Sense::hover());
        app_icon::paint(ui, rect, row.path.as_deref(), &row.name, state);
        let (icon, color) = icon_and_color(row.state, ui.tokens());
        ui.decoration(icon.text().color(color));
        ui.colored_label(color, row.state.as_str());
        if !row.version.is_empty() {
            ui.muted(&format!("· version {}", shown_short(&row.version, 60)));
        }
    });
    ui.label(row.state.meaning());
    ui.add_space(SPACE_M);
    ui.section_title("Details");
    facts_ui(ui, row, actions);
    ui.add_space(SPACE_M);
    ui.section_title("Tracking");
    ui.add_space(SPACE_S);
    match tracked {
        Some(application) => tracked_ui(ui, application, actions),
        None => untracked_ui(ui, row, state, actions),
    }
}

fn facts_ui(ui: &mut Ui, row: &ExternalRow, actions: &mut Vec<Action>) {
    let version = if row.version.is_empty() { "Unknown" } else { row.version.as_str() };
    ui.key_value("Version", &shown_short(version, 120));
    if let Some(found_by) = row.found_by_text() {
        ui.key_value("Found by", &shown_short(found_by, 60));
    }
    if let Some(path) = &row.path {
        path_ui(ui, path, actions);
    }
    ui.key_value("Integration", row.integration());
    if let Some(identifier) = &row.identifier {
        ui.key_value("Identifier", &shown_short(identifier, 120))
            .on_hover_text("The name of its integration in the interface");
    }
}

/// Draws the full path, with a button that copies it.
fn path_ui(ui: &mut Ui, path: &str, actions: &mut Vec<Action>) {
    ui.key_value_ui("Path", |ui| {
        if ui.icon_button(Icon::COPY, "Copy the path").clicked() {
            ui.ctx().copy_text(path.to_owned());
            actions.push(Action::Notify("Copied the path".to_owned()));
        }
        ui.add(Label::new(RichText::new(shown(path)).text_style(text::mono_small())).wrap());
    });
}

fn tracked_ui(ui: &mut Ui, application: &ApplicationRow, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.decoration(Icon::CHECK.text().color(ui.tokens().ok));
        ui.label("Tracked: it is listed under Applications, and its use is counted.");
    });
    if ui.button("Show in Applications").clicked() {
        actions.push(NavigationAction::Show(Panel::Applications).into());
        actions.push(ApplicationsAction::Open(application.id.clone()).into());
    }
}

fn untracked_ui(ui: &mut Ui, row: &ExternalRow, state: &State, actions: &mut Vec<Action>) {
    ui.label("A tracked application is listed under Applications, and its use is counted.");
    ui.add_space(SPACE_S);
    let reason = disabled_reason(state, Capability::Track).or_else(|| row.why_not_trackable().map(str::to_owned));
    let button = enabled_unless(ui, reason.as_deref(), |ui| match row.why_not_trackable() {
        None => ui.primary_button("Track…"),
        Some(_) => ui.button("Track…"),
    });
    if button.on_hover_text("Shows the call that registers it with the service").clicked() {
        actions.push(track(row));
    }
    if let Some(reason) = reason {
        ui.caption(&format!("{reason}."));
    }
}
