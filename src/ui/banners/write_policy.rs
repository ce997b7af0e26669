//! The banner for connections that block or confirm writes, or whose service refuses them or is on another machine.
//!
//! What must hold: text and icon say the same as the colour; there is no banner for a service on this machine that
//! allows writes.

use std::borrow::Cow;

use egui::{Align, Color32, Frame, Label, Layout, Margin, Response, RichText, Ui, accesskit::Role};

use lunette_inspector::action::SessionAction;
use lunette_inspector::session::Connection;
use lunette_inspector::{Action, State, WritePolicy};

use crate::ui::bars::top::address;
use crate::ui::command::Command;
use crate::ui::theme::{Icon, RADIUS, SPACE_S, Tokens, UiExt as _, fonts, text};
use crate::ui::widgets::shown_short;
use lunette_client::model::display::capitalized;

/// Height of the bar, in points.
const HEIGHT: f32 = 28.0;
/// Height of the button in the bar, in points.
const BUTTON: f32 = 20.0;

/// Draws the banner if there is something to report.
pub(in crate::ui) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Command> {
    let Message { icon, word, rest, ground } = message(&state.connection, ui.tokens())?;
    let (ink, elsewhere) = (ui.tokens().text, state.connection.elsewhere());
    let location = elsewhere.then(|| match address(&state.connection) {
        Some(address) => format!("Not this machine: {}", shown_short(&address, 60)),
        None => "Not this machine".to_owned(),
    });
    let whole = match &location {
        Some(location) => format!("{word}. {rest}. {location}."),
        None => format!("{word}. {rest}."),
    };
    let frame = Frame::new().fill(ground).inner_margin(Margin::symmetric(12, 0));
    let panel = egui::Panel::top("write policy").exact_size(HEIGHT).resizable(false).frame(frame);
    let drawn = panel.show(ui, |ui| {
        let content = |ui: &mut Ui| {
            let request = change_button_ui(ui, ink);
            if state.connection.refusal.is_some() && try_again_ui(ui, ink).clicked() {
                actions.push(SessionAction::TryWritesAgain.into());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = SPACE_S;
                sign_ui(ui, icon, ink);
                ui.add(Label::new(RichText::new(word).family(fonts::semibold()).color(ink)).selectable(false));
                if let Some(location) = &location {
                    ui.add_space(SPACE_S);
                    sign_ui(ui, Icon::WEBSITE, ink);
                    ui.add(Label::new(RichText::new(location).color(ink)).selectable(false));
                }
                ui.add_space(SPACE_S);
                ui.add(Label::new(RichText::new(&*rest).color(ink)).selectable(false).truncate());
            });
            request
        };
        ui.with_layout(Layout::right_to_left(Align::Center), content).inner
    });
    ui.ctx().accesskit_node_builder(drawn.response.id, |node| {
        node.set_role(Role::Status);
        node.set_label(whole);
    });
    drawn.inner
}

/// Draws the button that opens the dialog for the connection.
fn change_button_ui(ui: &mut Ui, ink: Color32) -> Option<Command> {
    let button = button_ui(ui, "Change…", ink).accessible_name("Change what is sent");
    button.on_hover_text("Choose under Connection what is sent").clicked().then_some(Command::Connection)
}

/// Draws the button that sends changes again to a service that refused one.
fn try_again_ui(ui: &mut Ui, ink: Color32) -> Response {
    let button = button_ui(ui, "Try again", ink).accessible_name("Send changes again");
    button.on_hover_text("Sends the next change again, if the service accepts changes now")
}

pub(super) fn button_ui(ui: &mut Ui, text: &str, ink: Color32) -> Response {
    let text = RichText::new(text).text_style(text::section()).color(ink);
    let button = egui::Button::new(text).fill(Color32::TRANSPARENT).stroke((1.0, ink.gamma_multiply(0.6)));
    let button = button.corner_radius(RADIUS).min_size(egui::vec2(0.0, BUTTON));
    ui.spacing_mut().button_padding.y = 0.0;
    ui.spacing_mut().interact_size.y = BUTTON;
    ui.add(button)
}

/// Draws the icon beside the text; both say the same.
pub(super) fn sign_ui(ui: &mut Ui, icon: Icon, ink: Color32) {
    ui.decoration(icon.text().color(ink));
}

/// The text of the banner and its colour.
struct Message {
    icon: Icon,
    word: &'static str,
    rest: Cow<'static, str>,
    ground: Color32,
}

fn message(connection: &Connection, t: &Tokens) -> Option<Message> {
    if let (Some(refusal), true) = (&connection.refusal, connection.write_policy.allows_writes()) {
        return Some(Message {
            icon: Icon::LOCKED,
            word: "Read-only",
            rest: Cow::from(shown_short(&capitalized(&refusal.to_string()), 200).into_owned()),
            ground: t.read_only_ground,
        });
    }
    Some(match connection.write_policy {
        WritePolicy::ReadOnly => Message {
            icon: Icon::LOCKED,
            word: "Read-only",
            rest: Cow::from("Nothing is sent; you can look at everything"),
            ground: t.read_only_ground,
        },
        WritePolicy::Confirm => Message {
            icon: Icon::GUARDED,
            word: "Confirm",
            rest: Cow::from("Every change is shown before it is sent"),
            ground: t.confirm_ground,
        },
        WritePolicy::Allow if connection.elsewhere() => Message {
            icon: Icon::WARNING,
            word: "Changes leave this machine",
            rest: Cow::from("They are sent at once, unencrypted"),
            ground: t.exposed_ground,
        },
        WritePolicy::Allow => return None,
    })
}
