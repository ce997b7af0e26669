//! The bar at the top: the mark, the connection, the field that opens the palette, the theme.

use egui::{Align, Button, Frame, Layout, Margin, RichText, Sense, Ui, UiBuilder, accesskit::Role, vec2};

use crate::app::settings::Theme;
use crate::app::state::{Connection, Status, Target};
use crate::app::{Action, State};

use super::theme::{self, Icon, RADIUS, SPACE_S, Tokens, UiExt as _, text};
use super::widget::{shown_short, status_dot};

/// What the bar asks of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BarWish {
    /// Opens the palette.
    Palette,
    /// Opens the dialog for the connection.
    Connection,
    /// Opens the preferences.
    Preferences,
}

/// Draws the bar.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<BarWish> {
    let frame = Frame::new().fill(ui.tokens().panel).inner_margin(Margin::symmetric(12, 0));
    let panel = egui::Panel::top("top bar").exact_size(theme::Sizes::of(ui).top_bar).resizable(false).frame(frame);
    panel.show(ui, |ui| bar_ui(ui, state, actions)).inner
}

fn bar_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<BarWish> {
    let mut wish = None;
    ui.horizontal_centered(|ui| {
        let left = ui.max_rect().left();
        mark_ui(ui);
        ui.add_space((left - 12.0 + theme::RAIL - ui.cursor().left()).max(SPACE_S));
        if chip_ui(ui, state).clicked() {
            wish = Some(BarWish::Connection);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.icon_button(Icon::SETTINGS, "Preferences").clicked() {
                wish = Some(BarWish::Preferences);
            }
            theme_ui(ui, state.settings.theme, actions);
            let space = ui.available_width() - 2.0 * SPACE_S;
            let width = space.min(520.0);
            ui.add_space(SPACE_S + ((space - width) / 2.0).max(0.0));
            if search_ui(ui, width.max(80.0)).clicked() {
                wish = Some(BarWish::Palette);
            }
        });
    });
    wish
}

fn mark_ui(ui: &mut Ui) {
    let accent = ui.tokens().accent;
    let (sign, _) = ui.allocate_exact_size(vec2(22.0, 22.0), Sense::hover());
    theme::mark::paint(ui.painter(), sign.center(), 20.0, accent);
    ui.add(egui::Label::new(RichText::new("Lunette").text_style(text::title())).selectable(false));
}

/// How a connection stands: its colour and its word.
pub(super) fn standing(status: &Status, tokens: &Tokens) -> (egui::Color32, &'static str) {
    match status {
        Status::Idle => (tokens.muted, "idle"),
        Status::Connecting => (tokens.warning, "connecting"),
        Status::Up => (tokens.ok, "connected"),
        Status::Down(_) => (tokens.error, "not connected"),
    }
}

/// What a connection is called: by the user's name for it, as the service inside, or as what answers at its address.
pub(super) fn name(state: &State) -> &str {
    let connection = &state.connection;
    match (&connection.target, connection.own) {
        (Target::Embedded, _) => "Embedded",
        (Target::Url(url), own) => {
            state.settings.name_of(url).unwrap_or(if own { "Lunette service" } else { "Service" })
        }
    }
}

/// The address without its scheme.
pub(super) fn address(connection: &Connection) -> Option<String> {
    let given = match &connection.target {
        Target::Url(url) => Some(url),
        Target::Embedded => None,
    };
    let address = connection.address.as_ref().or(given)?;
    Some(address.trim_start_matches("http://").trim_end_matches('/').to_owned())
}

fn chip_ui(ui: &mut Ui, state: &State) -> egui::Response {
    let (tokens, connection) = (ui.tokens(), &state.connection);
    let (color, word) = standing(&connection.status, tokens);
    let mut details: Vec<String> = address(connection).into_iter().map(|text| shown_short(&text, 40).into()).collect();
    details.push(word.to_owned());
    if let (Status::Up, Some(latency)) = (&connection.status, connection.latency) {
        details.push(format!("{} ms", latency.as_millis().max(1)));
        details.push(connection.live.word());
    }
    let details = details.join(" · ");
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
            ui.horizontal(|ui| {
                status_dot(ui, color);
                ui.label(name.as_ref());
                ui.muted(&details);
            });
        });
    });
    let accessible = format!("Connection: {name}, {}", details.replace(" · ", ", "));
    let response = chip.response;
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, &accessible));
    let hover = match connection.status {
        Status::Up => format!("{} Choose another service", connection.live.reason()),
        _ => "Choose another service".to_owned(),
    };
    response.on_hover_text(hover)
}

/// What looks like a field and opens the palette.
fn search_ui(ui: &mut Ui, width: f32) -> egui::Response {
    let tokens = ui.tokens();
    let hint = RichText::new("Search or run a command").color(tokens.muted);
    let keys = RichText::new("Ctrl K").text_style(text::tiny()).color(tokens.muted);
    let button = Button::new((Icon::SEARCH.text().color(tokens.muted), hint))
        .right_text(keys)
        .fill(tokens.background)
        .stroke(egui::Stroke::new(1.0, tokens.line))
        .truncate()
        .min_size(vec2(width, theme::control(ui) + 2.0));
    ui.add_sized(vec2(width, theme::control(ui) + 2.0), button).accessible_name("Search or run a command")
}

fn theme_ui(ui: &mut Ui, theme: Theme, actions: &mut Vec<Action>) {
    let (icon, name, next) = match theme {
        Theme::System => (Icon::SYSTEM, "Theme: as the system", Theme::Light),
        Theme::Light => (Icon::LIGHT, "Theme: light", Theme::Dark),
        Theme::Dark => (Icon::DARK, "Theme: dark", Theme::System),
    };
    if ui.icon_button(icon, name).clicked() {
        actions.push(Action::Theme(next));
    }
}
