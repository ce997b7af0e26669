//! An asset as a document: chosen by kind, looked at, saved or copied.

use std::sync::Arc;

use egui::{ScrollArea, TextStyle, Ui};

use crate::app::capability::Reason;
use crate::app::feature::Feature;
use crate::app::state::{AssetPage, Export, Exported};
use crate::app::{Action, State};
use crate::model::export::ExportType;
use crate::model::id::AssetId;
use crate::ui::drag;
use crate::ui::failure::failure_ui;
use crate::ui::moment;
use crate::ui::obstacle::{lacking_ui, unless};
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widget::path_field::PathField;
use crate::ui::widget::state::skeleton_text;
use crate::ui::widget::{dialog, shown, shown_short};

use super::at_the_right;

/// How much of a document is laid out for its preview, in characters and lines.
const SHOWN: usize = 20_000;
const LINES: usize = 400;

/// Height of the preview, in points.
const PREVIEW: f32 = 300.0;

/// The document in the preview, and its beginning as it is drawn.
#[derive(Default)]
pub struct ExportForm {
    asked: bool,
    preview: Option<(Arc<Exported>, String)>,
    /// The path to save to, while it is typed.
    path: Option<PathField>,
}

impl ExportForm {
    /// Draws the form; true when it is to be closed.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        page: &AssetPage,
        state: &State,
        actions: &mut Vec<Action>,
    ) -> bool {
        let kind = page.export.as_ref().map_or(ExportType::Html, |export| export.kind.clone());
        let lacking = matches!(state.can_do(Feature::Export), Err(Reason::Lacking { .. }));
        if !std::mem::replace(&mut self.asked, true) && !lacking {
            actions.push(Action::Export(id.clone(), kind.clone()));
        }
        let ctx = ui.ctx().clone();
        let (done, outside) = dialog(&ctx, "export asset", "Export", 640.0, |ui| {
            ui.horizontal_wrapped(|ui| {
                for known in ExportType::KNOWN {
                    let chosen = known == kind;
                    if ui.selectable_label(chosen, name(&known)).on_hover_text(meaning(&known)).clicked() && !chosen {
                        actions.push(Action::Export(id.clone(), known));
                    }
                }
            });
            if !state.connection.own && !matches!(kind, ExportType::Html | ExportType::Md) {
                ui.caption("Services of this family know HTML and MD; other kinds may be refused.");
            }
            let document = page.export.as_ref().and_then(|export| export.document.value());
            // As high while it loads as with its document, so that nothing moves under the mouse.
            let size = egui::vec2(ui.available_width(), PREVIEW + 60.0);
            ui.allocate_ui(size, |ui| {
                ui.set_min_size(size);
                let document = page.export.as_ref().is_some_and(|export| export.document.value().is_some());
                if !document && let Some(again) = lacking_ui(ui, state, Feature::Export) {
                    actions.extend(again.then(|| Action::Export(id.clone(), kind.clone())));
                    return;
                }
                match &page.export {
                    Some(export) => self.document_ui(ui, id, export, actions),
                    None => skeleton_text(ui, "the export", 8),
                }
            });
            self.path_ui(ui, id, document, actions);
            self.footer_ui(ui, id, document, actions)
        });
        let closed = done || outside;
        if closed {
            actions.push(Action::DropExport(id.clone()));
        }
        closed
    }

    fn document_ui(&mut self, ui: &mut Ui, id: &AssetId, export: &Export, actions: &mut Vec<Action>) {
        match (export.document.value(), export.document.error()) {
            (_, Some(error)) => {
                if failure_ui(ui, "The asset could not be exported", error) {
                    actions.push(Action::Export(id.clone(), export.kind.clone()));
                }
            }
            (Some(document), None) => self.preview_ui(ui, document),
            (None, None) => skeleton_text(ui, "the export", 8),
        }
    }

    fn preview_ui(&mut self, ui: &mut Ui, document: &Arc<Exported>) {
        let bytes = i64::try_from(document.bytes.len()).unwrap_or(i64::MAX);
        ui.horizontal(|ui| {
            ui.label(shown_short(&document.file_name, 80).into_owned());
            ui.muted(&moment::size(bytes)).on_hover_text(moment::exact_size(bytes));
        });
        let Some(text) = &document.text else {
            ui.muted("These are bytes, not text: save them to look at them with another program.");
            return;
        };
        let known = self.preview.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, document));
        if !known {
            self.preview = Some((Arc::clone(document), beginning(text)));
        }
        let Some((_, preview)) = &self.preview else { return };
        let frame = egui::Frame::new().fill(ui.tokens().code_ground).inner_margin(SPACE_S as i8);
        frame.show(ui, |ui| {
            ScrollArea::both().max_height(PREVIEW).auto_shrink([false, true]).show(ui, |ui| {
                let text = egui::RichText::new(preview.as_str()).text_style(TextStyle::Monospace);
                ui.add(egui::Label::new(text).extend());
            });
        });
    }

    /// The path to save to, where one is typed instead of chosen.
    fn path_ui(&mut self, ui: &mut Ui, id: &AssetId, document: Option<&Arc<Exported>>, actions: &mut Vec<Action>) {
        let (Some(field), Some(document)) = (&mut self.path, document) else { return };
        let hint = format!("/home/you/{}", shown_short(&document.file_name, 60));
        if let Some(path) = field.show(ui, "Path to save to", &hint, "Save here") {
            actions.push(Action::SaveExportAs(id.clone(), path));
            self.path = None;
        }
    }

    fn footer_ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        document: Option<&Arc<Exported>>,
        actions: &mut Vec<Action>,
    ) -> bool {
        at_the_right(ui, |ui| {
            let none = document.is_none().then_some("There is no document yet");
            if unless(ui, none, |ui| ui.primary_button("Save…")).clicked() {
                actions.push(Action::SaveExport(id.clone()));
            }
            if unless(ui, none, |ui| ui.button("Save to a path…")).clicked() {
                self.path.get_or_insert_default();
            }
            let text = document.and_then(|document| document.text.as_ref());
            let bytes = text.is_none().then_some("Only text can be copied");
            if unless(ui, bytes, |ui| ui.icon_text_button(Icon::COPY, "Copy")).clicked()
                && let Some(text) = text
            {
                ui.ctx().copy_text(text.to_string());
                actions.push(Action::Say("Copied the export".to_owned()));
            }
            if drag::handle_ui(ui, document.is_some()) {
                actions.push(Action::DragExport(id.clone()));
            }
            ui.button("Close").clicked()
        })
    }
}

/// The beginning of a document, as it is drawn.
fn beginning(text: &str) -> String {
    let mut drawn: Vec<String> = Vec::new();
    let mut left = SHOWN;
    for line in text.lines().take(LINES) {
        let line: String = line.chars().take(left.min(2_000)).collect();
        left = left.saturating_sub(line.chars().count() + 1);
        drawn.push(shown(&line.replace('\t', "    ")).into_owned());
        if left == 0 {
            break;
        }
    }
    let kept: usize = drawn.iter().map(|line| line.len() + 1).sum();
    if kept < text.len() {
        drawn.push("… the rest is in the saved and the copied document".to_owned());
    }
    drawn.join("\n")
}

fn name(kind: &ExportType) -> &str {
    kind.as_str()
}

fn meaning(kind: &ExportType) -> &'static str {
    match kind {
        ExportType::Html => "A web page that stands alone",
        ExportType::Md => "A Markdown document",
        ExportType::Json => "The whole record",
        ExportType::Txt => "The text alone",
        ExportType::Raw => "The original, byte by byte",
        ExportType::Other(_) => "A kind that this program does not know",
    }
}
