//! The welcome page: what Lunette is, what is here, how to begin, and the three most useful keys.
//!
//! It is drawn in place of the asset list while the built-in service has no assets, and on command. What must hold: it
//! disappears as soon as there is an asset, and everything on it can be reached by keyboard.

use egui::{
    Id, Label, Rect, Response, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, accesskit::Role, pos2, vec2,
};

use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsCreateNewAsset;
use lunette_inspector::action::{ImportAction, NavigationAction, PreviewAction, SessionAction};
use lunette_inspector::filter::Filter;
use lunette_inspector::import::known_libraries::Machine;
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::Target;
use lunette_inspector::{Action, Remote, State};

use crate::ui::command::Command;
use crate::ui::overview::keep_counted;
use crate::ui::panels::path_field::PathField;
use crate::ui::platform::drag;
use crate::ui::theme::{self, Icon, RADIUS, SPACE_L, SPACE_M, SPACE_S, SPACE_XS, UiExt as _, fonts, text};
use crate::ui::widgets::shown;

mod glance;

/// Maximum width of the page, in points: lines of about 90 characters.
const MAX_WIDTH: f32 = 680.0;
/// From this width on, in points, cards are side by side.
const TWO_COLUMNS: f32 = 520.0;
/// Height of a card, in points.
const CARD_HEIGHT: f32 = 60.0;
/// What Lunette is.
const INTRODUCTION: [&str; 2] = [
    "Browse, import, link, edit and export the assets and applications of a local service. The service is built in: there is nothing else to install, and nothing leaves this machine.",
    "Small changes are sent at once and most can be undone. Larger ones show their plan first.",
];
/// The most useful keys.
const KEYS: [(Command, &str); 3] = [
    (Command::Palette, "finds anything and runs any command"),
    (Command::Help, "lists all keys"),
    (Command::Undo, "undoes the last change"),
];

/// What the page asks of the panel, besides actions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::ui) enum WelcomeRequest {
    /// Open the form for a new text.
    NewText,
    /// Open the connection dialog.
    Connection,
    /// Show the assets that a filter takes.
    Filter(Filter),
    /// Close the page.
    Close,
}

/// Draws the page in the available space. `closable` says whether it was requested and can be closed.
pub(in crate::ui) fn ui(
    ui: &mut Ui,
    state: &State,
    closable: bool,
    actions: &mut Vec<Action>,
) -> Option<WelcomeRequest> {
    if matches!(state.connection.probes, Remote::NotRequested) {
        actions.push(SessionAction::Discover.into());
    }
    let area = ScrollArea::vertical().id_salt("welcome").auto_shrink([false, false]);
    let mut request = area.show(ui, |ui| centered(ui, |ui| page_ui(ui, state, closable, actions))).inner;
    if closable && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Escape)) {
        request = Some(WelcomeRequest::Close);
    }
    request
}

fn page_ui(ui: &mut Ui, state: &State, closable: bool, actions: &mut Vec<Action>) -> Option<WelcomeRequest> {
    let mut request = None;
    ui.add_space(SPACE_L);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_M;
        let (mark, _) = ui.allocate_exact_size(vec2(40.0, 40.0), Sense::hover());
        theme::logo::paint(ui.painter(), mark.center(), 40.0, ui.tokens().accent);
        ui.heading("Welcome to Lunette");
        if closable {
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.icon_button(Icon::CLOSE, "Close the welcome page").clicked() {
                    request = Some(WelcomeRequest::Close);
                }
            });
        }
    });
    ui.add_space(SPACE_S);
    for line in INTRODUCTION {
        ui.add(Label::new(line).wrap());
    }
    ui.add_space(SPACE_M);
    if state.assets.list.count() > 0 {
        keep_counted(ui, state, actions);
        request = request.or(glance::ui(ui, state, actions));
    }
    ui.section_title(if state.assets.list.count() == 0 { "Add your first assets" } else { "Add assets" });
    match state.connection.permits(AssetsCreateNewAsset::INFO) {
        Ok(()) => request = request.or(add_ui(ui, state, actions)),
        Err(reason) => drop(ui.muted(&format!("{}.", reason.sentence()))),
    }
    ui.add_space(SPACE_M);
    ui.section_title("Other services on this machine");
    request = request.or(services_ui(ui, state, actions));
    ui.add_space(SPACE_M);
    keys_ui(ui, state);
    ui.add_space(SPACE_M);
    request
}

/// Draws the ways to add assets.
fn add_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<WelcomeRequest> {
    let request = begin_ui(ui, actions);
    path_ui(ui, state, actions);
    if ui.line_button("From another program, with a preview…").clicked() {
        actions.push(PreviewAction::ShowPage(Machine::here()).into());
    }
    request
}

/// Draws the ways to begin, the main one first.
fn begin_ui(ui: &mut Ui, actions: &mut Vec<Action>) -> Option<WelcomeRequest> {
    let files = match drag::accepts_drops(ui.ctx()) {
        true => "Or drop them on this window",
        false => "Or type or paste a path below",
    };
    let cards = [
        Card { primary: true, ..Card::new(Icon::FOLDER, "Import a folder…", "Skips hidden and ignored files") },
        Card::new(Icon::IMPORT, "Import files…", files),
        Card::new(Icon::SAMPLES, "Add samples", "Eight small files for a first look"),
        Card::new(Icon::ADD, "New from text…", "Paste or type code, notes, anything"),
    ];
    match cards_ui(ui, &cards)? {
        0 => actions.push(ImportAction::PickFolder.into()),
        1 => actions.push(ImportAction::PickFiles.into()),
        2 => actions.push(ImportAction::Samples.into()),
        _ => return Some(WelcomeRequest::NewText),
    }
    None
}

/// Draws a field for a path to import, an alternative to the file dialog.
fn path_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let id = Id::unique("welcome path");
    let mut field = ui.data(|data| data.get_temp::<PathField>(id)).unwrap_or_else(PathField::unfocused);
    ui.add_space(SPACE_XS);
    field.clear_if_imported(state.import.completed);
    if let Some(path) = field.show(ui, "Folder or file path", "Folder or file path, such as ~/projects", "Import") {
        actions.push(ImportAction::Import(vec![path]).into());
        field.record_use(state.import.completed);
    }
    ui.data_mut(|data| data.insert_temp(id, field));
}

/// Draws the services found running, and the button for any other.
fn services_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<WelcomeRequest> {
    let connection = &state.connection;
    let own = |url: &str| {
        connection.address.as_deref().is_some_and(|own| own.trim_end_matches('/') == url.trim_end_matches('/'))
    };
    let found: Vec<String> = connection
        .probes
        .value()
        .map(|probes| {
            probes.iter().filter(|probe| probe.result.is_ok()).map(|probe| probe.address.to_string()).collect()
        })
        .unwrap_or_default();
    let found: Vec<&String> = found.iter().filter(|url| !own(url)).collect();
    let names: Vec<String> = found
        .iter()
        .map(|url| format!("Connect to {}", url.trim_start_matches("http://").trim_end_matches('/')))
        .collect();
    let running = names.iter().map(|name| Card::new(Icon::CONNECTION, name, "Running"));
    let more = match (connection.probes.loading(), found.is_empty()) {
        (true, _) => "Looking for running services…",
        (false, true) => "None found; enter an address",
        (false, false) => "Enter an address",
    };
    let fixed = [
        Card::new(Icon::CONNECTION, "Connect to a service…", more),
        Card::new(Icon::ARCHIVE, "Rescue everything…", "From a service that ends"),
    ];
    let cards: Vec<_> = fixed.into_iter().chain(running).collect();
    match cards_ui(ui, &cards)? {
        0 => return Some(WelcomeRequest::Connection),
        1 => actions.push(NavigationAction::Show(Panel::Rescue).into()),
        index => {
            let url = index.checked_sub(2).and_then(|index| found.get(index));
            actions.extend(url.map(|url| SessionAction::Connect(Target::Url((*url).clone())).into()));
        }
    }
    None
}

/// A choice: its icon, title and description.
struct Card<'a> {
    icon: Icon,
    name: &'a str,
    rest: &'a str,
    /// Whether it is the main one of the page.
    primary: bool,
}

impl<'a> Card<'a> {
    fn new(icon: Icon, name: &'a str, rest: &'a str) -> Self {
        Self { icon, name, rest, primary: false }
    }
}

/// Draws cards side by side, or below each other if there is little room; returns the index of the one that was
/// clicked.
fn cards_ui(ui: &mut Ui, cards: &[Card<'_>]) -> Option<usize> {
    let across = if ui.available_width() >= TWO_COLUMNS { 2 } else { 1 };
    let width = (ui.available_width() - SPACE_S * (across - 1) as f32) / across as f32;
    let mut pressed = None;
    for (line, row) in cards.chunks(across).enumerate() {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            for (index, card) in row.iter().enumerate() {
                if card_ui(ui, width, card).clicked() {
                    pressed = Some(line * across + index);
                }
            }
        });
    }
    pressed
}

fn card_ui(ui: &mut Ui, width: f32, card: &Card<'_>) -> Response {
    let t = ui.tokens();
    let Card { icon, name, rest, primary } = *card;
    let (rect, response) = ui.allocate_exact_size(vec2(width, CARD_HEIGHT), Sense::click());
    let lit = response.hovered();
    let (fill, ink, faint, sign) = match primary {
        true => (if lit { t.accent.gamma_multiply(0.9) } else { t.accent }, t.on_accent, t.on_accent, t.on_accent),
        false => (if lit { t.hovered } else { t.raised }, t.text, t.muted, t.accent),
    };
    let stroke = Stroke::new(
        1.0,
        if primary {
            t.accent
        } else if lit {
            t.bar
        } else {
            t.line
        },
    );
    ui.painter().rect(rect, f32::from(RADIUS) + 2.0, fill, stroke, StrokeKind::Inside);
    icon.paint(ui.painter(), pos2(rect.left() + 28.0, rect.center().y), 20.0, sign);
    let left = rect.left() + 56.0;
    let inner = Rect::from_min_max(pos2(left, rect.top() + SPACE_S), pos2(rect.right() - SPACE_M, rect.bottom()));
    let mut words =
        ui.new_child(egui::UiBuilder::new().max_rect(inner).layout(egui::Layout::top_down(egui::Align::Min)));
    words.spacing_mut().item_spacing.y = SPACE_XS;
    words.style_mut().interaction.selectable_labels = false;
    words.add_space(SPACE_XS - 1.0);
    words.add(Label::new(RichText::new(shown(name)).family(fonts::semibold()).color(ink)).truncate());
    words.add(Label::new(RichText::new(rest).text_style(egui::TextStyle::Small).color(faint)).truncate());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, name));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(rest));
    response
}

/// Draws what the most useful keys do, each as a key cap.
fn keys_ui(ui: &mut Ui, state: &State) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(SPACE_XS, SPACE_S);
        for (command, what) in KEYS {
            let keys = command.keys_shown(state);
            if keys.is_empty() {
                continue;
            }
            cap_ui(ui, &keys);
            ui.caption(what);
            ui.add_space(SPACE_M);
        }
    });
}

fn cap_ui(ui: &mut Ui, key: &str) {
    let t = ui.tokens();
    let frame = egui::Frame::new()
        .fill(t.hovered)
        .stroke(Stroke::new(1.0, t.line))
        .corner_radius(4.0)
        .inner_margin(egui::Margin::symmetric(6, 2));
    frame.show(ui, |ui| {
        let letters = RichText::new(key).text_style(text::mono_small()).color(t.text);
        ui.add(Label::new(letters).selectable(false));
    });
}

/// Draws `contents` in a centred column.
fn centered<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let space = ui.available_rect_before_wrap();
    let width = space.width().min(MAX_WIDTH);
    let left = pos2(space.center().x - width / 2.0, space.top());
    let builder = egui::UiBuilder::new().max_rect(Rect::from_min_size(left, vec2(width, space.height())));
    ui.scope_builder(builder, contents).inner
}
