//! The request exactly as it will be sent: request line, body, and the commands for a shell.
//!
//! What must hold: it is rebuilt only when an input changed, since a body may be large.

use egui::{CollapsingHeader, Label, RichText, Ui};

use crate::ui::theme::{self, Icon, SPACE_S, UiExt as _, text};
use crate::ui::widgets::{shown, shown_short};
use lunette_client::operation::{Call, InvalidInput, OperationInfo};
use lunette_inspector::write::request::Request;
use lunette_inspector::{Action, State};

use super::draft::Draft;

/// Maximum number of characters of a body or command that are laid out.
const MAX_SHOWN: usize = 8_000;

/// The request of the form, and what it was built from.
#[derive(Default)]
pub struct RequestView {
    made_of: Option<(&'static str, Draft, String)>,
    made: Option<Result<(Call, Request), InvalidInput>>,
}

impl RequestView {
    /// Rebuilds the request if the draft or the service changed.
    pub fn update(&mut self, info: &'static OperationInfo, draft: &Draft, state: &State) {
        let address = state.connection.address.as_deref().unwrap_or("http://localhost");
        let same = self.made_of.as_ref().is_some_and(|(name, made_of, at)| {
            *name == info.name && at == address && made_of.texts == draft.texts && made_of.body == draft.body
        });
        if same {
            return;
        }
        self.made_of = Some((info.name, draft.clone(), address.to_owned()));
        self.made = Some(draft.call(info).map(|call| {
            let request = Request::of(&call, address);
            (call, request)
        }));
    }

    /// Returns what is wrong with the inputs.
    pub fn fault(&self) -> Option<&InvalidInput> {
        self.made.as_ref()?.as_ref().err()
    }

    /// Returns the call that Send sends.
    pub fn call(&self) -> Option<&Call> {
        self.made.as_ref()?.as_ref().ok().map(|(call, _)| call)
    }

    /// Draws the request; draws nothing while the inputs are invalid.
    pub fn ui(&self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let Some(Ok((_, request))) = &self.made else { return };
        let line = format!("{} {}", request.info.method, request.url);
        let frame = egui::Frame::new().fill(ui.tokens().code_ground).corner_radius(6.0).inner_margin(SPACE_S as i8);
        frame.show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.horizontal(|ui| {
                ui.section_title("Request");
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    for (name, command) in [("Copy as curl", &request.curl), ("Copy as command", &request.command)] {
                        if ui.icon_text_button(Icon::COPY, name).clicked() {
                            ui.ctx().copy_text(command.clone());
                            actions.push(Action::Notify("Copied the command".to_owned()));
                        }
                    }
                });
            });
            code_ui(ui, &line);
            if let Some(body) = &request.body {
                let area = egui::ScrollArea::vertical().id_salt("request body").max_height(130.0);
                area.auto_shrink([false, true]).show(ui, |ui| code_ui(ui, body));
            }
            CollapsingHeader::new("curl")
                .id_salt("curl")
                .icon(theme::fold_arrow)
                .show(ui, |ui| code_ui(ui, &request.curl));
        });
    }
}

/// Draws a text as wrapped code with its hidden characters escaped.
fn code_ui(ui: &mut Ui, code: &str) {
    let lines: Vec<_> = shown_lines(code);
    ui.add(Label::new(RichText::new(lines.join("\n")).text_style(text::mono_small())).wrap());
}

fn shown_lines(code: &str) -> Vec<String> {
    let beginning = match code.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => &code[..end],
        None => code,
    };
    let mut lines: Vec<String> = beginning.lines().map(|line| shown(line).into_owned()).collect();
    if beginning.len() < code.len() {
        lines.push(shown_short("… and more; it is sent whole", 80).into_owned());
    }
    lines
}
