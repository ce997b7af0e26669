//! The ports on this machine where services listen: each with what answers there, the unused ones in one line.

use egui::{Align, Label, Layout, RichText, TextStyle, Ui, vec2};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _, control};
use crate::ui::widgets::{progress, shown, shown_short, status_dot};
use lunette_inspector::action::SessionAction;
use lunette_inspector::settings::Target;
use lunette_inspector::{Action, Owner, Probe, ProbeStatus, Remote};

/// Number of ports that are probed.
const PORTS: usize = 36;
/// Width of the button at the end of a row, in points.
const BUTTON: f32 = 78.0;

/// Which parts are expanded.
#[derive(Default)]
pub(super) struct ServiceList {
    unfolded: bool,
}

impl ServiceList {
    /// Draws the list; returns the service that was chosen. `in_use` is the address of the connected one.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        probes: &Remote<std::sync::Arc<Vec<Probe>>>,
        in_use: Option<&str>,
        actions: &mut Vec<Action>,
    ) -> Option<Target> {
        let all = probes.value().map_or(&[][..], |probes| probes.as_slice());
        title_ui(ui, probes.loading(), all.len(), actions);
        let quiet = |probe: &&Probe| matches!(probe.status(), ProbeStatus::Refused | ProbeStatus::Silent);
        let (quiet, open): (Vec<&Probe>, Vec<&Probe>) = all.iter().partition(quiet);
        let mut target = None;
        let (services, others): (Vec<&Probe>, Vec<&Probe>) = open.iter().partition(|probe| probe.result.is_ok());
        for probe in &services {
            target = service_ui(ui, probe, in_use).or(target);
        }
        if services.is_empty() && !probes.loading() {
            ui.muted("No compatible service was found on the usual ports.");
        }
        others.iter().for_each(|probe| other_program_ui(ui, probe));
        if !quiet.is_empty() {
            self.unused_ports_ui(ui, &quiet);
        }
        target
    }

    /// Draws the unused ports, in one line that can be expanded.
    fn unused_ports_ui(&mut self, ui: &mut Ui, quiet: &[&Probe]) {
        let silent = quiet.iter().filter(|probe| probe.status() == ProbeStatus::Silent).count();
        let mut line = match quiet.len() - silent {
            1 => "nothing on 1 other port".to_owned(),
            count => format!("nothing on {count} other ports"),
        };
        if silent > 0 {
            line.push_str(&format!(", {silent} do not respond"));
        }
        let icon = if self.unfolded { Icon::UNFOLDED } else { Icon::FOLDED };
        let muted = ui.tokens().muted;
        let text = RichText::new(&line).color(muted);
        let fold = egui::Button::new((icon.text().color(muted), text)).frame_when_inactive(false);
        if ui.add(fold).accessible_name(&line).clicked() {
            self.unfolded = !self.unfolded;
        }
        if !self.unfolded {
            return;
        }
        ui.spacing_mut().item_spacing.y = 2.0;
        let mut sorted = quiet.to_vec();
        sorted.sort_by(|one, two| one.address.cmp(&two.address));
        for probe in sorted {
            line_ui(ui, probe, &format!("{} · {} ms", probe.status().name(), millis(probe.elapsed)));
        }
    }
}

fn title_ui(ui: &mut Ui, loading: bool, looked: usize, actions: &mut Vec<Action>) {
    let size = vec2(ui.available_width(), control(ui));
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.section_title("On this machine");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if enabled_unless(ui, loading.then_some("A scan is running"), |ui| ui.button("Scan again")).clicked() {
                actions.push(SessionAction::Discover.into());
            }
            if loading {
                let done = looked as f32 / PORTS as f32;
                progress(ui, "Looking for services", Some(done.min(1.0)), 80.0);
                ui.caption(&format!("{} of {PORTS}", looked.min(PORTS)));
            }
        });
    });
}

/// Draws a service: its address, owner, version, latency, and the button that chooses it.
fn service_ui(ui: &mut Ui, probe: &Probe, in_use: Option<&str>) -> Option<Target> {
    let Ok(found) = &probe.result else { return None };
    let address = probe.address.to_string();
    let mut words = vec![owner(probe)];
    words.extend((probe.owner != Owner::SameUser).then(|| probe.owner.name().to_owned()));
    words.extend(found.version.as_ref().map(|version| format!("version {version}")));
    words.push(format!("{} ms", millis(found.elapsed)));
    let ok = ui.tokens().ok;
    row_ui(ui, |ui| {
        let name = format!("Connect to {address}");
        let button = egui::Button::new("Connect").min_size(vec2(BUTTON, 0.0));
        let used = in_use.is_some_and(|in_use| in_use.trim_end_matches('/') == address.trim_end_matches('/'));
        let button = |ui: &mut Ui| ui.add(button).accessible_name(name);
        let chosen = enabled_unless(ui, used.then_some("Already in use"), button).clicked();
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            status_dot(ui, ok);
            address_ui(ui, &address);
            if used {
                ui.badge("in use");
            }
            ui.add(Label::new(shown_short(&words.join(" · "), 80)).truncate());
        });
        chosen.then(|| Target::Url(address.clone()))
    })
}

/// Draws a program that answers but is not such a service, with its answer.
fn other_program_ui(ui: &mut Ui, probe: &Probe) {
    let server = probe.server.as_ref().map(|server| format!(" ({server})")).unwrap_or_default();
    let problem = probe.problem().unwrap_or_default();
    line_ui(ui, probe, &format!("{}{server}: {problem}", probe.status().name()));
}

fn line_ui(ui: &mut Ui, probe: &Probe, words: &str) {
    let (muted, faint) = (ui.tokens().muted, ui.tokens().faint);
    let size = vec2(ui.available_width(), 20.0);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        status_dot(ui, faint);
        address_ui(ui, &probe.address.to_string());
        let text = RichText::new(shown(words)).color(muted).text_style(TextStyle::Small);
        ui.add(Label::new(text).truncate());
    });
}

/// Draws a row of fixed height, filled from the right: its button first.
fn row_ui<R>(ui: &mut Ui, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let size = vec2(ui.available_width(), control(ui));
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        contents(ui)
    })
    .inner
}

/// Draws the address without its scheme, in a column of its own.
fn address_ui(ui: &mut Ui, address: &str) {
    let size = vec2(140.0, ui.available_height());
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(140.0);
        ui.code_text(address.trim_start_matches("http://"));
    });
}

fn owner(probe: &Probe) -> String {
    match (probe.status(), &probe.server) {
        (ProbeStatus::Ours, _) | (_, None) => probe.status().name().to_owned(),
        (_, Some(server)) => server.clone(),
    }
}

fn millis(elapsed: std::time::Duration) -> u128 {
    elapsed.as_millis().max(1)
}
