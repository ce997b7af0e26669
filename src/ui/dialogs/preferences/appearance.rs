//! Appearance: theme, accent, density, motion and zoom. Each choice applies at once, so the window is its own preview.

use egui::{Response, Sense, Stroke, Ui, accesskit, vec2};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{Icon, RADIUS, SPACE_M, SPACE_S, Sizes, Tokens, UiExt as _};
use crate::ui::widgets::{Choice, arrow_target, choice_sense, choose};
use lunette_inspector::action::SettingsAction;
use lunette_inspector::settings::{Accent, Density, Look, Motion, OpenedAssets, Theme};
use lunette_inspector::{Action, State};

/// Size of one zoom step.
const STEP: f32 = 0.1;
/// The range of the zoom.
const ZOOM: std::ops::RangeInclusive<f32> = 0.5..=3.0;
/// Width of the names on the left, in points.
const NAMES: f32 = 92.0;

/// Draws the choices.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    ui.section_title("Appearance");
    let settings = &state.preferences.settings;
    row(ui, "Theme", |ui| {
        let choices = [
            Choice { value: Theme::System, name: "System", icon: Some(Icon::SYSTEM) },
            Choice { value: Theme::Light, name: "Light", icon: Some(Icon::LIGHT) },
            Choice { value: Theme::Dark, name: "Dark", icon: Some(Icon::DARK) },
        ];
        actions.extend(
            choose(ui, "Theme", settings.theme, &choices).map(|value| Action::Settings(SettingsAction::Theme(value))),
        );
    });
    let mut look = settings.look.clone();
    row(ui, "Accent", |ui| accents_ui(ui, &mut look));
    row(ui, "Density", |ui| {
        let choices = [
            Choice { value: Density::Comfortable, name: "Comfortable", icon: None },
            Choice { value: Density::Compact, name: "Compact", icon: None },
        ];
        look.density = choose(ui, "Density", look.density, &choices).unwrap_or(look.density);
    });
    row(ui, "Opened assets", |ui| {
        let choices = [
            Choice { value: OpenedAssets::OnePage, name: "One page", icon: None },
            Choice { value: OpenedAssets::Tabs, name: "Tabs", icon: None },
        ];
        look.opened = choose(ui, "Opened assets", look.opened, &choices).unwrap_or(look.opened);
    });
    row(ui, "Motion", |ui| {
        let choices = [
            Choice { value: Motion::System, name: "System", icon: None },
            Choice { value: Motion::Full, name: "Full", icon: None },
            Choice { value: Motion::Reduced, name: "Reduced", icon: None },
        ];
        look.motion = choose(ui, "Motion", look.motion, &choices).unwrap_or(look.motion);
    });
    row(ui, "Zoom", |ui| zoom_ui(ui, settings.zoom, actions));
    if look != settings.look {
        actions.push(SettingsAction::Look(look).into());
    }
}

/// Draws a name and its choices, below each other if the window is narrow.
fn row(ui: &mut Ui, name: &str, contents: impl FnOnce(&mut Ui)) {
    let color = ui.tokens().muted;
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(NAMES, Sizes::of(ui).control), Sense::hover());
        let font = egui::TextStyle::Body.resolve(ui.style());
        ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, name, font, color);
        ui.vertical(contents);
    });
}

fn accents_ui(ui: &mut Ui, look: &mut Look) {
    let builder = egui::UiBuilder::new()
        .id_salt("accents")
        .accessibility_role(accesskit::Role::RadioGroup)
        .accessibility_label("Accent");
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing = vec2(SPACE_S, SPACE_S);
        ui.horizontal_wrapped(|ui| {
            let all = Accent::ALL;
            let swatches: Vec<Response> =
                all.iter().map(|accent| swatch(ui, *accent, look.accent == *accent)).collect();
            for (at, response) in swatches.iter().enumerate() {
                if response.clicked() {
                    look.accent = all[at];
                }
                if let Some(next) = arrow_target(ui, response, at, all.len()) {
                    swatches[next].request_focus();
                    look.accent = all[next];
                }
            }
        });
    });
}

/// Draws a disc of the colour with its name below; the chosen one has a ring and a tick.
fn swatch(ui: &mut Ui, accent: Accent, on: bool) -> Response {
    let t = ui.tokens();
    let shown = Tokens::for_theme(ui.ctx().theme(), accent);
    let (rect, response) = ui.allocate_exact_size(vec2(64.0, 52.0), choice_sense(on, false));
    let center = egui::pos2(rect.center().x, rect.top() + 19.0);
    let painter = ui.painter();
    if response.hovered() {
        painter.rect_filled(rect, f32::from(RADIUS), t.hovered);
    }
    painter.circle_filled(center, 11.0, shown.accent);
    if on {
        painter.circle_stroke(center, 14.0, Stroke::new(2.0, shown.accent));
        Icon::CHECK.paint(painter, center, 14.0, shown.on_accent);
    }
    let font = egui::TextStyle::Small.resolve(ui.style());
    let ink = if on { t.text } else { t.muted };
    painter.text(egui::pos2(center.x, rect.bottom() - 10.0), egui::Align2::CENTER_CENTER, accent.name(), font, ink);
    let kind = accesskit::Role::RadioButton;
    response.widget_info(|| egui::WidgetInfo::selected(kind, true, on, accent.name()));
    response
}

fn zoom_ui(ui: &mut Ui, zoom: f32, actions: &mut Vec<Action>) {
    let moved = |by: f32| ((zoom + by) * 10.0).round() / 10.0;
    ui.horizontal(|ui| {
        let smaller = {
            let least = (zoom <= *ZOOM.start()).then_some("This is the smallest size");
            enabled_unless(ui, least, |ui| ui.icon_button(Icon::ZOOM_OUT, "Smaller"))
        };
        let size = vec2(52.0, Sizes::of(ui).control);
        let share = format!("{:.0} %", zoom * 100.0);
        ui.add_sized(size, egui::Label::new(share).selectable(false));
        let larger = {
            let most = (zoom >= *ZOOM.end()).then_some("This is the largest size");
            enabled_unless(ui, most, |ui| ui.icon_button(Icon::ZOOM_IN, "Larger"))
        };
        ui.add_space(SPACE_M);
        let usual = enabled_unless(ui, (zoom == 1.0).then_some("Already at 100 %"), |ui| ui.button("Reset to 100 %"));
        let wanted = match (smaller.clicked(), larger.clicked(), usual.clicked()) {
            (true, _, _) => moved(-STEP),
            (_, true, _) => moved(STEP),
            (_, _, true) => 1.0,
            _ => return,
        };
        actions.push(SettingsAction::Zoom(wanted.clamp(*ZOOM.start(), *ZOOM.end())).into());
    });
}
