//! The dialog that chooses the service: the built-in one, a saved one, one at an address, or one found running.

use egui::{Align, Layout, ScrollArea, Ui, vec2};
use jiff::Timestamp;

use lunette_inspector::action::{AssistantsAction, NavigationAction, SessionAction};
use lunette_inspector::panel::Panel;
use lunette_inspector::session::{Connection, Status};
use lunette_inspector::settings::Target;
use lunette_inspector::{Action, Address, Remote, State};

use crate::ui::bars::connection_state::ConnectionState;
use crate::ui::bars::top::{address, name};
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _, control};
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{buttons, dialog, status_dot};

mod saved;
mod services;
mod unsupported;
mod web_pages;
mod write_policy;

use saved::SavedConnections;
use services::ServiceList;

/// What the rest of the dialog takes of the window's height, in points.
const RESERVED_HEIGHT: f32 = 190.0;

/// The dialog while it is open, with the address being typed.
#[derive(Default)]
pub(in crate::ui) struct ConnectionDialog {
    open: bool,
    address: String,
    /// The address field takes the keyboard in the first frame.
    fresh: bool,
    kept: SavedConnections,
    probes: ServiceList,
}

impl ConnectionDialog {
    /// Opens the dialog, and searches for services if that has not been done yet.
    pub(in crate::ui) fn open(&mut self, state: &State, actions: &mut Vec<Action>) {
        self.open = true;
        self.fresh = true;
        self.kept.close();
        if let Target::Url(url) = &state.connection.target {
            self.address.clone_from(url);
        }
        if matches!(state.connection.probes, Remote::NotRequested) {
            actions.push(SessionAction::Discover.into());
        }
    }

    /// Draws the dialog if it is open.
    pub(in crate::ui) fn ui(&mut self, ctx: &egui::Context, state: &State, actions: &mut Vec<Action>) {
        if !self.open {
            return;
        }
        let height = (ctx.content_rect().height() - RESERVED_HEIGHT).max(80.0);
        let (target, close) = dialog(ctx, "connection", "Connection", 580.0, |ui| {
            current_ui(ui, state, actions);
            ui.line();
            let body = ScrollArea::vertical().id_salt("connection body").max_height(height).auto_shrink([false, true]);
            let target = body.show(ui, |ui| self.body_ui(ui, state, actions)).inner;
            let closed = buttons(ui, |ui| ui.button("Close").clicked());
            self.open &= !closed;
            target
        });
        self.open &= !close;
        if let Some(target) = target {
            actions.push(SessionAction::Connect(target).into());
            self.open = false;
        }
    }

    fn body_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Target> {
        // The scroll bar is beside the rows, not over their buttons.
        ui.set_max_width(ui.available_width() - SPACE_S);
        write_policy::ui(ui, state, actions);
        unsupported::ui(ui, state, actions);
        ui.line();
        let typed = self.address_ui(ui);
        ui.line();
        ui.section_title("Saved");
        let inside = embedded_ui(ui, &state.connection);
        let kept = self.kept.ui(ui, state, actions);
        ui.line();
        web_pages::ui(ui, state, actions);
        let in_use = state.connection.address.as_deref().filter(|_| state.connection.status == Status::Up);
        let found = self.probes.ui(ui, &state.connection.probes, in_use, actions);
        ui.line();
        if ui.line_button("Assistants…").on_hover_text("What each read and may do, and their token").clicked() {
            actions.push(AssistantsAction::Show(true).into());
        }
        if ui.line_button("Compare this service with another side…").clicked() {
            actions.push(NavigationAction::Show(Panel::Sides).into());
            self.open = false;
        }
        if ui.line_button("Rescue everything from a service…").clicked() {
            actions.push(NavigationAction::Show(Panel::Rescue).into());
            self.open = false;
        }
        typed.or(inside).or(kept).or(found)
    }

    /// Draws the address field: validated while typing, connected to by Enter.
    fn address_ui(&mut self, ui: &mut Ui) -> Option<Target> {
        let parsed = self.address.trim().parse::<Address>();
        let mut target = None;
        ui.section_title("Address");
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            let width = ui.available_width() - 78.0 - SPACE_S;
            let field = TextField::new("Address").label_hidden().hint("such as http://127.0.0.1:39300").mono();
            let field = field.width(width).focus(std::mem::take(&mut self.fresh));
            let typed = ui.allocate_ui(vec2(width, control(ui)), |ui| field.show(ui, &mut self.address)).inner;
            if ui.primary_button("Connect").clicked() || typed.submitted {
                target = parsed.as_ref().ok().map(|address| Target::Url(address.to_string()));
            }
        });
        // Always one line, so that nothing moves while the user types.
        match parsed {
            Err(error) if !self.address.trim().is_empty() => {
                ui.error_text(&error.to_string());
            }
            Ok(address) if !address.is_loopback() => {
                ui.warning_text("Another machine: what is sent there is not encrypted.");
            }
            _ => {
                ui.caption("The address of a compatible service. Press Enter to connect.");
            }
        }
        target
    }
}

/// Draws the current service, its state, and why it does not answer.
fn current_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let connection = &state.connection;
    let now = ConnectionState::of(connection, Timestamp::now());
    ui.horizontal(|ui| {
        status_dot(ui, now.color(ui.tokens()));
        let mut line = format!("{}, {}", name(state), now.label(true));
        if let Some(address) = address(connection) {
            line.push_str(&format!(" · {address}"));
        }
        if let Some(version) = &connection.version {
            line.push_str(&format!(" · version {version}"));
        }
        ui.add(egui::Label::new(crate::ui::widgets::shown_short(&line, 120)).truncate());
    });
    if let ConnectionState::Waiting(..) | ConnectionState::Faulty(_) = now {
        ui.warning_text(&now.details(state));
    }
    if let Status::Down(problem) = &connection.status {
        ui.error_text(problem);
        let (word, action) = match &connection.other {
            Some(_) => ("Use it", Action::Session(SessionAction::Adopt)),
            None => ("Try now", Action::Session(SessionAction::Reconnect)),
        };
        if ui.icon_text_button(Icon::REFRESH, word).clicked() {
            actions.push(action);
        }
    }
}

/// Draws the built-in service as a connection that is always there.
fn embedded_ui(ui: &mut Ui, connection: &Connection) -> Option<Target> {
    let current = connection.target == Target::Embedded;
    let size = vec2(ui.available_width(), control(ui));
    let row = ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        let button = egui::Button::new("Connect").min_size(vec2(78.0, 0.0));
        let usable = !(current && connection.status == Status::Up);
        let used = (!usable).then_some("Already in use");
        let button = |ui: &mut Ui| ui.add(button).accessible_name("Use the built-in service");
        let chosen = enabled_unless(ui, used, button).clicked();
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.label(if current {
                egui::RichText::new("Built-in service").strong()
            } else {
                egui::RichText::new("Built-in service")
            });
            if current {
                ui.badge("in use");
            }
            ui.caption("your assets stay on this machine");
        });
        chosen
    });
    row.inner.then_some(Target::Embedded)
}
