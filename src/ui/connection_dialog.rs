//! Where the service is chosen: the one inside, one at an address, or one found running on this machine.

use egui::{Align, Layout, ScrollArea, Ui};

use crate::app::state::{Connection, Status, Target};
use crate::app::{Action, Address, Probe, Remote, State};

use super::theme::{Icon, UiExt as _};
use super::top_bar::{address, name, standing};
use super::widget::text_field::TextField;
use super::widget::{dialog, status_dot};

/// Height kept for the services found, in points.
const PROBES: f32 = 150.0;

/// The dialog while it is open, with the address being typed.
#[derive(Default)]
pub(super) struct ConnectionDialog {
    open: bool,
    address: String,
    /// Whether a wrong address is told: not before the first try to connect.
    tried: bool,
}

impl ConnectionDialog {
    /// Opens the dialog, and looks for services if nobody did yet.
    pub(super) fn open(&mut self, state: &State, actions: &mut Vec<Action>) {
        self.open = true;
        self.tried = false;
        if matches!(state.connection.probes, Remote::Unasked) {
            actions.push(Action::Discover);
        }
    }

    /// Draws the dialog if it is open.
    pub(super) fn ui(&mut self, ctx: &egui::Context, state: &State, actions: &mut Vec<Action>) {
        if !self.open {
            return;
        }
        let (target, close) = dialog(ctx, "connection", "Connection", 520.0, |ui| {
            present_ui(ui, &state.connection, actions);
            ui.line();
            let inside = inside_ui(ui, &state.connection);
            let typed = self.address_ui(ui, &state.settings.addresses);
            ui.line();
            // One height for what is found, so that nothing moves under the pointer when it comes.
            let found = ui.scope(|ui| {
                ui.set_min_height(PROBES);
                probes_ui(ui, &state.connection.probes, actions)
            });
            let found = found.inner;
            let closed = ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.button("Close").clicked()).inner;
            self.open &= !closed;
            inside.or(typed).or(found)
        });
        self.open &= !close;
        if let Some(target) = target {
            actions.push(Action::Connect(target));
            self.open = false;
        }
    }

    fn address_ui(&mut self, ui: &mut Ui, remembered: &[String]) -> Option<Target> {
        let parsed = self.address.trim().parse::<Address>();
        let problem = parsed.as_ref().err().filter(|_| self.tried).map(ToString::to_string);
        let field = TextField::new("Address").hint("http://127.0.0.1:39300").mono().error(problem.as_deref());
        let typed = field.show(ui, &mut self.address);
        if typed.response.changed() {
            self.tried = false;
        }
        let mut target = None;
        ui.horizontal_wrapped(|ui| {
            if ui.primary_button("Connect").clicked() || typed.submitted {
                self.tried = true;
                target = parsed.ok().map(|address| Target::Url(address.to_string()));
            }
            for address in remembered {
                if ui.ghost_button(address).on_hover_text("Connect to it again").clicked() {
                    target = Some(Target::Url(address.clone()));
                }
            }
        });
        target
    }
}

/// Which service is talked to now, how it stands, and why it does not answer.
fn present_ui(ui: &mut Ui, connection: &Connection, actions: &mut Vec<Action>) {
    let (color, word) = standing(&connection.status, ui.tokens());
    ui.horizontal(|ui| {
        status_dot(ui, color);
        let mut line = format!("{}, {word}", name(connection));
        if let Some(address) = address(connection) {
            line.push_str(&format!(" · {address}"));
        }
        if let Some(version) = &connection.version {
            line.push_str(&format!(" · version {version}"));
        }
        ui.label(super::widget::shown_short(&line, 120));
    });
    if let Status::Down(problem) = &connection.status {
        ui.error_text(problem);
        if ui.icon_text_button(Icon::REFRESH, "Reconnect").clicked() {
            actions.push(Action::Reconnect);
        }
    }
}

fn inside_ui(ui: &mut Ui, connection: &Connection) -> Option<Target> {
    let inside = connection.target == Target::Embedded && connection.status == Status::Up;
    let button = ui.add_enabled(!inside, egui::Button::new("Use the service inside Lunette"));
    ui.caption("It keeps your assets on this machine and needs nothing else installed.");
    button.clicked().then_some(Target::Embedded)
}

fn probes_ui(ui: &mut Ui, probes: &Remote<std::sync::Arc<Vec<Probe>>>, actions: &mut Vec<Action>) -> Option<Target> {
    let mut target = None;
    ui.horizontal(|ui| {
        ui.section_title("On this machine");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let look = ui.add_enabled(!probes.loading(), egui::Button::new("Look again"));
            if look.clicked() {
                actions.push(Action::Discover);
            }
            if probes.loading() {
                super::widget::progress(ui, "Looking for services", None, 60.0);
            }
        });
    });
    let Some(probes) = probes.value() else {
        ui.muted("Looking for services…");
        return None;
    };
    let answered: Vec<&Probe> = probes.iter().filter(|probe| !silent(probe)).collect();
    if answered.is_empty() {
        ui.muted("No service answers on the ports of this family.");
    }
    ScrollArea::vertical().id_salt("probes").max_height(180.0).show(ui, |ui| {
        for probe in answered {
            target = probe_ui(ui, probe).or(target.take());
        }
    });
    ui.caption(&format!("{} ports were asked.", probes.len()));
    target
}

/// Whether nothing listens there at all: most ports, and not worth a line.
fn silent(probe: &Probe) -> bool {
    probe.result.as_ref().is_err_and(|error| error.phase() == "refused")
}

fn probe_ui(ui: &mut Ui, probe: &Probe) -> Option<Target> {
    let address = probe.address.to_string();
    let mut target = None;
    ui.horizontal(|ui| match &probe.result {
        Ok(found) => {
            ui.code_text(&address);
            let mut words = vec![found.server.clone().unwrap_or_else(|| "a service".to_owned())];
            words.extend(found.version.as_ref().map(|version| format!("version {version}")));
            words.push(format!("{} ms", found.elapsed.as_millis().max(1)));
            ui.muted(&super::widget::shown_short(&words.join(" · "), 60));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let name = format!("Connect to {address}");
                if ui.button("Connect").accessible_name(name).clicked() {
                    target = Some(Target::Url(address.clone()));
                }
            });
        }
        Err(error) => {
            ui.code_text(&address);
            ui.add(egui::Label::new(super::widget::shown(&error.reason())).truncate());
        }
    });
    target
}
