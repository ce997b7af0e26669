//! The top bar: the logo with the menu, back and forward, the connection, the field that opens the palette, and the
//! theme.

use std::time::Duration;

use egui::{Align, Button, Color32, Frame, Layout, Margin, RichText, Sense, Ui, UiBuilder, accesskit::Role, vec2};
use jiff::Timestamp;

use lunette_inspector::action::SettingsAction;
use lunette_inspector::session::Connection;
use lunette_inspector::settings::Target;
use lunette_inspector::settings::Theme;
use lunette_inspector::{Action, State};

use super::connection_state::ConnectionState;
use super::sidebar;
use crate::ui::command::{self, Command};
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{self, Icon, RADIUS, SPACE_S, UiExt as _, text};
use crate::ui::widgets::{shown_short, status_dot};

/// Width and height of the logo, in points.
const LOGO: f32 = 20.0;
/// Space around the text of the menu button, in points.
const PADDING: f32 = 6.0;
/// Maximum width of the palette field, in points, and the width below which it becomes a button.
const SEARCH: (f32, f32) = (520.0, 150.0);
/// Below this width, in points, the field shows a shorter text.
const WHOLE: f32 = 260.0;
/// Below this window width, in points, the connection chip shows less, so that the search field has room.
const ROOMY: f32 = 1000.0;
/// Below this window width, in points, the connection chip shows either its name or what is wrong.
const NAME_AND_STATE: f32 = 700.0;
/// Below this window width, in points, the menu button is the logo alone.
const NAMED: f32 = 480.0;
/// Width reserved for the latency at the end of the connection chip, in points: four digits and the unit.
const LATENCY: f32 = 54.0;

/// Draws the bar; returns the command that was chosen in it.
pub(in crate::ui) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Command> {
    let frame = Frame::new().fill(ui.tokens().panel).inner_margin(Margin::symmetric(12, 0));
    let panel = egui::Panel::top("top bar").exact_size(theme::Sizes::of(ui).top_bar).resizable(false).frame(frame);
    panel.show(ui, |ui| bar_ui(ui, state, actions)).inner
}

fn bar_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Command> {
    let mut chosen = None;
    ui.horizontal_centered(|ui| {
        let left = ui.max_rect().left();
        ui.spacing_mut().item_spacing.x = 2.0;
        chosen = logo_ui(ui, state);
        for command in [Command::Back, Command::Forward] {
            if navigation_button_ui(ui, command, state) {
                chosen = Some(command);
            }
        }
        ui.add_space((left - 12.0 + sidebar::width(ui.ctx()) - ui.cursor().left()).max(SPACE_S));
        ui.spacing_mut().item_spacing.x = SPACE_S;
        if chip_ui(ui, state).clicked() {
            chosen = Some(Command::Connection);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let command = Command::Preferences;
            if ui.icon_button_with(Icon::SETTINGS, command.title(), &command.tooltip(state)).clicked() {
                chosen = Some(command);
            }
            theme_ui(ui, state.preferences.settings.theme, actions);
            let space = ui.available_width() - SPACE_S;
            if space < SEARCH.1 {
                let command = Command::Palette;
                if ui.icon_button_with(Icon::SEARCH, command.title(), &command.tooltip(state)).clicked() {
                    chosen = Some(command);
                }
                return;
            }
            let width = space.min(SEARCH.0);
            ui.add_space(((space - width) / 2.0).max(0.0));
            if search_ui(ui, width, state).clicked() {
                chosen = Some(Command::Palette);
            }
        });
    });
    chosen
}

/// Draws the logo, which opens the menu.
fn logo_ui(ui: &mut Ui, state: &State) -> Option<Command> {
    let (accent, muted) = (ui.tokens().accent, ui.tokens().muted);
    // Reserves room for the logo, which is painted rather than a glyph of a font.
    let sign = egui::Atom { size: Some(vec2(LOGO, LOGO)), ..egui::Atom::default() };
    let name = RichText::new("Lunette").text_style(text::title()).color(ui.tokens().text);
    let below = Icon::UNFOLDED.text().size(12.0).color(muted);
    let button = match ui.ctx().content_rect().width() < NAMED {
        true => Button::new((sign, below)),
        false => Button::new((sign, name, below)),
    };
    let button = button.fill(Color32::TRANSPARENT).frame_when_inactive(false);
    ui.scope(|ui| {
        ui.spacing_mut().button_padding.x = PADDING;
        let (rect, chosen) = command::menu_ui(ui, button.min_size(vec2(0.0, theme::control(ui))), state);
        let center = rect.left_center() + vec2(PADDING + LOGO / 2.0, 0.0);
        theme::logo::paint(ui.painter(), center, LOGO, accent);
        chosen
    })
    .inner
}

/// Draws Back or Forward; returns whether it was clicked.
fn navigation_button_ui(ui: &mut Ui, command: Command, state: &State) -> bool {
    let location =
        if command == Command::Back { state.navigation.visits.back() } else { state.navigation.visits.forward() };
    let to = location.map(|location| format!("{} to {}", command.title(), shown_short(&state.name_of(location), 60)));
    let tip = command.with_keys(to.as_deref().unwrap_or(command.title()), state);
    let disabled_reason = command.disabled_reason(state).map(|disabled_reason| disabled_reason.sentence);
    enabled_unless(ui, disabled_reason.as_deref(), |ui| ui.icon_button_with(command.row().icon, command.title(), &tip))
        .clicked()
}

/// Returns the name of a connection: the user's name for it, that of the built-in service, or what answers at its
/// address.
pub(in crate::ui) fn name(state: &State) -> &str {
    let connection = &state.connection;
    match (&connection.target, connection.vendor) {
        (Target::Embedded, _) => "Embedded",
        (Target::Copy(_), _) => "Copy",
        (Target::Url(url), vendor) => state.preferences.settings.name_of(url).unwrap_or(if vendor.is_lunette() {
            "Lunette service"
        } else {
            "Service"
        }),
    }
}

/// Returns the address without its scheme.
pub(in crate::ui) fn address(connection: &Connection) -> Option<String> {
    let given = match &connection.target {
        Target::Url(url) => Some(url),
        Target::Copy(copy) => Some(&copy.url),
        Target::Embedded => None,
    };
    let address = connection.address.as_ref().or(given)?;
    Some(address.trim_start_matches("http://").trim_end_matches('/').to_owned())
}

/// Returns the width of the connection chip for a window of this width. It does not depend on the text, so nothing
/// beside it moves.
fn chip_width(window: f32) -> f32 {
    match window {
        ..NAMED => 112.0,
        NAMED..NAME_AND_STATE => 124.0,
        NAME_AND_STATE..ROOMY => 220.0,
        _ => 400.0,
    }
}

fn chip_ui(ui: &mut Ui, state: &State) -> egui::Response {
    let connection = &state.connection;
    let window = ui.ctx().content_rect().width();
    let standing = ConnectionState::of(connection, Timestamp::now());
    if standing.changes_every_second() {
        ui.ctx().request_repaint_after(Duration::from_secs(1));
    }
    let name = shown_short(name(state), 30);
    let builder = UiBuilder::new().id_salt("connection").sense(Sense::click());
    let chip = ui.scope_builder(builder, |ui| {
        let visuals = *ui.style().interact(&ui.response());
        let frame = Frame::new()
            .fill(visuals.weak_bg_fill)
            .stroke(visuals.bg_stroke)
            .corner_radius(RADIUS)
            .inner_margin(Margin::symmetric(10, 5));
        frame.show(ui, |ui| {
            ui.style_mut().interaction.selectable_labels = false;
            ui.spacing_mut().item_spacing.x = SPACE_S;
            ui.spacing_mut().interact_size.y = 16.0;
            ui.set_width(chip_width(window) - 20.0);
            ui.horizontal(|ui| {
                status_dot(ui, standing.color(ui.tokens()));
                let latency = connection.latency.filter(|_| window >= ROOMY && standing.is_healthy());
                let room = ui.available_width() - latency.map_or(0.0, |_| LATENCY + SPACE_S);
                ui.allocate_ui_with_layout(vec2(room, 16.0), Layout::left_to_right(Align::Center), |ui| {
                    ui.set_min_width(room);
                    name_and_state_ui(ui, &name, &standing, state);
                });
                if let Some(latency) = latency {
                    latency_ui(ui, latency);
                }
            });
        });
    });
    described_chip(chip.response, &name, &standing, state)
}

/// Gives the chip its accessible name, its description and its tooltip.
fn described_chip(response: egui::Response, name: &str, connection: &ConnectionState, state: &State) -> egui::Response {
    let (details, label) = (connection.details(state), connection.chip_label(state, true));
    let accessible = format!("Connection: {name}, {}", label.replace(" · ", ", "));
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, &accessible));
    response.ctx.accesskit_node_builder(response.id, |node| node.set_description(details.as_str()));
    response.on_hover_text(format!("{name}: {label}\n{details}\nClick to choose another service"))
}

/// Draws name and state, or in a narrow window one of them: a problem is more important than the name.
fn name_and_state_ui(ui: &mut Ui, name: &str, connection: &ConnectionState, state: &State) {
    let window = ui.ctx().content_rect().width();
    let both = window >= NAME_AND_STATE;
    if both || connection.is_healthy() {
        ui.add(egui::Label::new(name).truncate());
    }
    if both || !connection.is_healthy() {
        let words = RichText::new(connection.chip_label(state, window >= ROOMY)).color(ui.tokens().muted);
        ui.add(egui::Label::new(words).truncate());
    }
}

fn latency_ui(ui: &mut Ui, latency: Duration) {
    let text = RichText::new(format!("{} ms", latency.as_millis().clamp(1, 9_999))).color(ui.tokens().muted);
    ui.allocate_ui_with_layout(vec2(LATENCY, 16.0), Layout::right_to_left(Align::Center), |ui| {
        ui.set_min_width(LATENCY);
        ui.add(egui::Label::new(text));
    });
}

/// Draws what looks like a field and opens the palette.
fn search_ui(ui: &mut Ui, width: f32, state: &State) -> egui::Response {
    let (tokens, command) = (ui.tokens(), Command::Palette);
    let hint = RichText::new(if width < WHOLE { "Search" } else { command.title() }).color(tokens.muted);
    let keys = if width < WHOLE { String::new() } else { command.keys_shown(state) };
    let keys = RichText::new(keys).text_style(text::tiny()).color(tokens.muted);
    let button = Button::new((Icon::SEARCH.text().color(tokens.muted), hint))
        .right_text(keys)
        .fill(tokens.background)
        .stroke(egui::Stroke::new(1.0, tokens.line))
        .truncate()
        .min_size(vec2(width, theme::control(ui) + 2.0));
    let field = ui.add_sized(vec2(width, theme::control(ui) + 2.0), button).accessible_name(command.title());
    command.on(field, state)
}

fn theme_ui(ui: &mut Ui, theme: Theme, actions: &mut Vec<Action>) {
    let (icon, name, next) = match theme {
        Theme::System => (Icon::SYSTEM, "Theme: system", Theme::Light),
        Theme::Light => (Icon::LIGHT, "Theme: light", Theme::Dark),
        Theme::Dark => (Icon::DARK, "Theme: dark", Theme::System),
    };
    if ui.icon_button(icon, name).clicked() {
        actions.push(SettingsAction::Theme(next).into());
    }
}
