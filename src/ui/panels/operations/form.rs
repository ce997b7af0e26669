//! The form of one operation: its description, a field for each input, the request, and Send.

use std::collections::BTreeMap;

use egui::Ui;

use crate::ui::disabled_reason::{enabled_unless, write_disabled_reason};
use crate::ui::format;
use crate::ui::theme::{self, Icon, SPACE_M, SPACE_S, UiExt as _, control};
use crate::ui::widgets::text_field::TextField;
use lunette_client::model::record::Record as _;
use lunette_client::operation::{Input, InputLocation, OperationInfo, template};
use lunette_inspector::action::WriteAction;
use lunette_inspector::session::support::Support;
use lunette_inspector::{Action, State};

use super::draft::Draft;
use super::named_ids::{IdKind, IdPicker};
use super::request::RequestView;

/// The pickers, by operation and input.
type Pickers = BTreeMap<(&'static str, &'static str), IdPicker>;

/// The request that the form makes, and the state of its pickers.
#[derive(Default)]
pub struct Form {
    request: RequestView,
    pickers: Pickers,
}

/// What the parts of the form share while one frame is drawn.
struct FormFrame<'a> {
    info: &'static OperationInfo,
    draft: &'a mut Draft,
    state: &'a State,
    actions: &'a mut Vec<Action>,
}

/// One input as it is drawn.
struct Field<'a> {
    input: &'static Input,
    label: &'a str,
    /// Why the input is not accepted.
    fault: Option<&'a str>,
}

impl Form {
    /// Draws the form.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        info: &'static OperationInfo,
        draft: &mut Draft,
        state: &State,
        actions: &mut Vec<Action>,
    ) {
        head_ui(ui, info, state);
        ui.add_space(SPACE_M);
        prefill(info, draft, state);
        self.request.update(info, draft, state);
        let mut frame = FormFrame { info, draft, state, actions };
        let fault = self.request.fault();
        for input in info.inputs {
            let fault = frame.draft.fault_of(input, fault).map(ToString::to_string);
            input_ui(ui, &mut self.pickers, input, fault.as_deref(), &mut frame);
            ui.add_space(SPACE_S);
        }
        if info.inputs.is_empty() {
            ui.muted("No inputs.");
            ui.add_space(SPACE_S);
        }
        self.send_ui(ui, &mut frame);
        ui.add_space(SPACE_S);
        self.request.ui(ui, frame.actions);
    }

    fn send_ui(&mut self, ui: &mut Ui, frame: &mut FormFrame<'_>) {
        let FormFrame { info, draft, state, actions } = frame;
        ui.horizontal_wrapped(|ui| {
            let waiting = state.write.console.waiting;
            let why_disabled = write_disabled_reason(state).filter(|_| info.writes());
            let disabled_reason = why_disabled.as_deref().or(waiting.then_some("A call is in progress"));
            if enabled_unless(ui, disabled_reason, |ui| ui.primary_button("Send")).clicked() {
                draft.submitted = true;
                if let Some(call) = self.request.call() {
                    actions.push(WriteAction::Send(Box::new(call.clone())).into());
                }
            }
            if self.request.fault().is_some() && draft.submitted {
                ui.error_text("Not sent: an input above is missing or invalid");
            } else if waiting {
                ui.muted("Waiting for the response…");
            } else if let Some(why_disabled) = &why_disabled {
                ui.muted(&format!("{why_disabled}."));
            } else if let Support::Unsupported(lack) = state.connection.capabilities.of(info.name) {
                ui.warning_text(&format!(
                    "Not supported by this service: it responded {}. Send tries again.",
                    lack.status
                ));
            }
        });
    }
}

fn head_ui(ui: &mut Ui, info: &OperationInfo, state: &State) {
    ui.horizontal_wrapped(|ui| {
        ui.heading(info.name);
        if info.deprecated {
            ui.badge("deprecated");
        }
        if let Some(label) = info.label {
            ui.badge(label.as_str());
        }
        if info.writes() {
            ui.badge("writes");
        }
        if let Support::Unsupported(lack) = state.connection.capabilities.of(info.name) {
            let at = lack.at.to_string();
            let message = format!("Status {} {} ({})", lack.status, format::ago(&at), format::exact(&at));
            ui.badge("not offered").on_hover_text(message);
        }
    });
    ui.add_space(4.0);
    ui.code_text(&format!("{} {}", info.method, info.path));
    ui.add_space(4.0);
    let answers = match info.answer {
        "void" => format!("Returns {} without content.", info.status),
        "String" => format!("Returns {} with text.", info.status),
        answer => format!("Returns {} with {answer}.", info.status),
    };
    ui.muted(&format!("{} {answers}", info.summary));
}

/// Fills in the ids of open items, once.
fn prefill(info: &'static OperationInfo, draft: &mut Draft, state: &State) {
    for input in info.inputs.iter().filter(|input| input.location == InputLocation::Path) {
        if draft.texts.contains_key(input.name) {
            continue;
        }
        let text = known_id(input, state).unwrap_or_default();
        draft.texts.insert(input.name, text);
    }
}

/// Returns the id of the open item, for an input that refers to such an item.
fn known_id(input: &Input, state: &State) -> Option<String> {
    match input.name {
        "asset" => state.assets.pages.open.as_ref().map(ToString::to_string),
        "application" => state.applications.open.as_ref().map(|page| page.id.clone()),
        _ => None,
    }
}

/// Draws an input by its location and kind; `fault` says why it is not accepted.
fn input_ui(ui: &mut Ui, pickers: &mut Pickers, input: &'static Input, fault: Option<&str>, frame: &mut FormFrame<'_>) {
    let need = if input.required { "required" } else { "optional" };
    let label = format!("{} ({}, {}, {need})", input.name, input.location, input.kind);
    let field = Field { input, label: &label, fault };
    match (input.location, input.kind) {
        (InputLocation::Body, _) => body_ui(ui, &field, frame),
        (_, "bool") => bool_ui(ui, &label, frame.draft.text(input.name)),
        (InputLocation::Query, _) if input.name == "export_type" => {
            export_ui(ui, &label, frame.draft.text(input.name), fault)
        }
        (InputLocation::Path, _) => id_ui(ui, pickers, &field, frame),
        (InputLocation::Query, _) => {
            TextField::new(&label).mono().error(fault).show(ui, frame.draft.text(input.name));
        }
    }
}

/// Draws the field for an id: typed, picked by name if such items are listed, or that of the open item.
fn id_ui(ui: &mut Ui, pickers: &mut Pickers, field: &Field<'_>, frame: &mut FormFrame<'_>) {
    let Field { input, label, fault } = *field;
    let FormFrame { info, draft, state, actions } = frame;
    let kind = IdKind::of(input);
    ui.horizontal(|ui| {
        let room = ui.available_width() - if kind.is_some() { control(ui) + SPACE_S } else { 0.0 };
        TextField::new(label).mono().error(fault).width(room).show(ui, draft.text(input.name));
        let Some(kind) = kind else { return };
        let picker = pickers.entry((info.name, input.name)).or_default();
        ui.with_layout(egui::Layout::bottom_up(egui::Align::Min), |ui| {
            if let Some(id) = picker.ui(ui, kind, state, actions) {
                *draft.text(input.name) = id;
            }
        });
    });
    ui.horizontal_wrapped(|ui| {
        let picker = pickers.entry((info.name, input.name)).or_default();
        if let Some(name) = kind.and_then(|kind| picker.name_of(kind, draft.text(input.name), state)) {
            ui.muted(name);
        }
        let known = known_id(input, state).filter(|known| known != draft.text(input.name));
        if let Some(known) = known
            && ui.line_button(&format!("Use the open {}", input.name)).clicked()
        {
            *draft.text(input.name) = known;
        }
    });
}

/// Draws a choice of true, false, or not sent.
fn bool_ui(ui: &mut Ui, label: &str, text: &mut String) {
    let label = ui.section_title(label);
    ui.horizontal(|ui| {
        for (value, name) in [("", "not sent"), ("true", "true"), ("false", "false")] {
            let radio = theme::radio(ui, text == value, name).labelled_by(label.id);
            if radio.clicked() {
                value.clone_into(text);
            }
        }
    });
}

/// Draws the known export formats, and a field for any other.
fn export_ui(ui: &mut Ui, label: &str, text: &mut String, fault: Option<&str>) {
    TextField::new(label).mono().error(fault).show(ui, text);
    ui.horizontal(|ui| {
        for kind in lunette_client::model::export::ExportType::KNOWN {
            if ui.line_button(kind.as_str()).clicked() {
                kind.as_str().clone_into(text);
            }
        }
    });
}

fn body_ui(ui: &mut Ui, field: &Field<'_>, frame: &mut FormFrame<'_>) {
    let Field { label, fault, .. } = *field;
    let FormFrame { info, draft, state, .. } = frame;
    let lines = draft.body.lines().take(18).count();
    let area = egui::ScrollArea::vertical().id_salt(("body", info.name)).max_height(340.0);
    area.show(ui, |ui| {
        let hint = "No body is sent while this is empty";
        TextField::new(label).hint(hint).mono().rows(lines.max(6)).error(fault).show(ui, &mut draft.body)
    });
    ui.horizontal_wrapped(|ui| {
        if ui.icon_text_button(Icon::RECORD, "Insert template").clicked() {
            let asset = state.page().and_then(|(_, page)| page.record.value()).map(|asset| asset.tree());
            draft.body = template::template(info, asset).unwrap_or_default();
        }
        let tidied = serde_json::from_str::<serde_json::Value>(&draft.body).ok();
        let why_disabled = tidied.is_none().then_some("The body is not JSON");
        let tidy = enabled_unless(ui, why_disabled, |ui| ui.button("Tidy"));
        if tidy.on_hover_text("One field per line").clicked()
            && let Some(text) = tidied.and_then(|tree| serde_json::to_string_pretty(&tree).ok())
        {
            draft.body = text;
        }
        let empty = draft.body.is_empty().then_some("The body is empty");
        if enabled_unless(ui, empty, |ui| ui.button("Clear the body")).clicked() {
            draft.body.clear();
        }
    });
    fields_ui(ui, info);
}

/// Draws the fields of the body's record.
fn fields_ui(ui: &mut Ui, info: &OperationInfo) {
    let Some(kind) = template::body_kind(info) else { return };
    let fields = template::fields(kind);
    if fields.is_empty() {
        return;
    }
    egui::CollapsingHeader::new(format!("Fields of {kind}"))
        .id_salt(("fields", info.name))
        .icon(crate::ui::theme::fold_arrow)
        .show(ui, |ui| {
            egui::Grid::new(("fields of", info.name)).num_columns(3).spacing([16.0, 4.0]).show(ui, |ui| {
                for field in fields {
                    ui.code_text(field.name);
                    ui.caption(field.kind);
                    ui.caption(if field.required { "required" } else { "optional" });
                    ui.end_row();
                }
            });
        });
}
