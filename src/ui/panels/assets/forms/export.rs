//! Exports an asset as a document: choose the format, preview it rendered and as source, save or copy it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::Ui;

use crate::ui::disabled_reason::{enabled_unless, unsupported_ui};
use crate::ui::format;
use crate::ui::list::failure::failure_ui;
use crate::ui::notifications::reported;
use crate::ui::panels::path_field::PathField;
use crate::ui::platform::drag;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _, control};
use crate::ui::widgets::placeholder::skeleton_text;
use crate::ui::widgets::{Choice, choose, dialog, shown_short};
use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_inspector::action::{AssetsAction, ExportAction};
use lunette_inspector::assets::content;
use lunette_inspector::assets::page::AssetPage;
use lunette_inspector::capability::Capability;
use lunette_inspector::export::code_picture::{PictureFormat, PictureKind, Shade};
use lunette_inspector::export::{Export, Exported, Finding, secret_locations};
use lunette_inspector::notifications::Topic;
use lunette_inspector::session::support::Reason;
use lunette_inspector::{Action, State};

use super::right_aligned;
use crate::ui::panels::assets::frame::AssetFrame;

mod preview;

use preview::ExportPreview;

/// Width of the dialog, in points.
const WIDTH: f32 = 760.0;

/// The height that the dialog needs besides the preview, in points.
const RESERVED_HEIGHT: f32 = 300.0;

/// The document in the preview, and its view state.
#[derive(Default)]
pub struct ExportForm {
    asked: bool,
    preview: ExportPreview,
    /// The field for a path to save to, while it is open.
    path: Option<PathField>,
    /// The path that the document is being saved to.
    saving_to: Option<PathBuf>,
}

/// Whether the service may not export as this: only these two are in use everywhere.
pub fn may_be_unsupported(state: &State, kind: &ExportType) -> bool {
    !state.connection.vendor.is_lunette() && !matches!(kind, ExportType::Html | ExportType::Md)
}

impl ExportForm {
    /// Draws the form; returns whether to close it.
    pub fn ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) -> bool {
        let kind = frame.state.export.of.get(frame.id).map_or(ExportType::Html, |export| export.kind.clone());
        let lacking = matches!(frame.state.connection.can_do(Capability::Export), Err(Reason::Unsupported { .. }));
        if !std::mem::replace(&mut self.asked, true) && !lacking {
            frame.push(ExportAction::Export(frame.id.clone(), kind.clone()));
        }
        let (done, outside) = dialog(ui.ctx(), "export asset", "Export", WIDTH, |ui| {
            self.kinds_ui(ui, &kind, frame);
            let picture = frame.state.export.of.get(frame.id).is_some_and(|export| export.picture.is_some());
            if !picture && may_be_unsupported(frame.state, &kind) {
                ui.caption("This service may only support HTML and MD.");
            }
            let document = frame.state.export.document(frame.id);
            // The height is the same while loading, so that nothing moves under the pointer.
            let height = (ui.ctx().content_rect().height() - RESERVED_HEIGHT).clamp(160.0, 560.0);
            let size = egui::vec2(ui.available_width(), height);
            ui.allocate_ui(size, |ui| {
                ui.set_min_size(size);
                if document.is_none()
                    && let Some(again) = unsupported_ui(ui, frame.state, Capability::Export)
                {
                    frame
                        .actions
                        .extend(again.then(|| Action::Export(ExportAction::Export(frame.id.clone(), kind.clone()))));
                    return;
                }
                match frame.state.export.of.get(frame.id) {
                    Some(export) => self.document_ui(ui, export, frame),
                    None => skeleton_text(ui, "the export", 8),
                }
            });
            let secrets = document.map_or(&[][..], |document| &document.secrets);
            saved_ui(ui, frame.state.export.saved.as_deref(), secrets, frame.actions);
            self.path_ui(ui, document, frame);
            self.footer_ui(ui, document, frame)
        });
        let closed = done || outside;
        if closed {
            frame.push(ExportAction::Close(frame.id.clone()));
        }
        closed
    }

    /// Draws the formats and their description.
    fn kinds_ui(&mut self, ui: &mut Ui, kind: &ExportType, frame: &mut AssetFrame<'_>) {
        ui.horizontal_wrapped(|ui| {
            let known: Vec<ExportType> = ExportType::KNOWN.into_iter().collect();
            let pictures = PictureFormat::ALL;
            let names = known.iter().map(ExportType::as_str).chain(pictures.map(PictureFormat::name));
            let choices: Vec<_> = names.enumerate().map(|(value, name)| Choice { value, name, icon: None }).collect();
            let picture = frame.state.export.of.get(frame.id).and_then(|export| export.picture);
            let chosen = match picture {
                Some(picture) => pictures.iter().position(|known| *known == picture.format).map(|at| known.len() + at),
                None => known.iter().position(|known| known == kind),
            };
            if let Some(other) = choose(ui, "Kind of export", chosen.unwrap_or(usize::MAX), &choices) {
                frame.push(match known.get(other) {
                    Some(known) => ExportAction::Export(frame.id.clone(), known.clone()),
                    None => picture_action(ui, frame.id, pictures[other - known.len()]),
                });
            }
            ui.add_space(SPACE_S);
            ui.caption(if picture.is_some() { "A picture of the code, in this theme" } else { meaning(kind) });
        });
    }

    fn document_ui(&mut self, ui: &mut Ui, export: &Export, frame: &mut AssetFrame<'_>) {
        match (export.document.value(), export.document.error()) {
            (_, Some(error)) => {
                if failure_ui(ui, "The asset could not be exported", error) {
                    frame.push(match export.picture {
                        Some(picture) => picture_action(ui, frame.id, picture.format),
                        None => ExportAction::Export(frame.id.clone(), export.kind.clone()),
                    });
                }
            }
            (Some(document), None) => self.preview_ui(ui, frame.page, export, document),
            (None, None) => skeleton_text(ui, "the export", 8),
        }
    }

    fn preview_ui(&mut self, ui: &mut Ui, page: &AssetPage, export: &Export, document: &Arc<Exported>) {
        let bytes = i64::try_from(document.bytes.len()).unwrap_or(i64::MAX);
        let height = control(ui);
        let row = egui::Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(egui::vec2(ui.available_width(), height), row, |ui| {
            ui.label(shown_short(&document.file_name, 60).into_owned());
            ui.muted(&format::size(bytes)).on_hover_text(format::exact_size(bytes));
            let page = matches!(export.kind, ExportType::Html | ExportType::Md) && export.picture.is_none();
            if page && document.text.is_some() {
                ui.add_space(SPACE_S);
                self.preview.choice_ui(ui);
            }
        });
        if export.picture.is_some_and(|picture| picture.format == PictureFormat::Png) {
            return self.preview.picture_ui(ui, document);
        }
        if document.text.is_none() {
            ui.muted("This is a binary file. Save it to open it in another program.");
            return;
        }
        let original = page.record.value().and_then(|asset| content::original(asset.view()));
        let own = original.map(|format| format.classification().specific()).unwrap_or_default();
        let specific = match &export.kind {
            _ if export.picture.is_some() => "svg",
            ExportType::Html => "html",
            ExportType::Md => "md",
            ExportType::Json => "json",
            ExportType::Txt | ExportType::Raw => own,
            ExportType::Other(_) => "txt",
        };
        self.preview.ui(ui, document, specific);
    }

    /// Draws the field for a typed path, if it is open. It stays open until the document is saved there.
    fn path_ui(&mut self, ui: &mut Ui, document: Option<&Arc<Exported>>, frame: &mut AssetFrame<'_>) {
        if self.saving_to.is_some() && self.saving_to == frame.state.export.saved {
            (self.path, self.saving_to) = (None, None);
        }
        let (Some(field), Some(document)) = (&mut self.path, document) else { return };
        let hint = format!("/home/you/{}", shown_short(&document.file_name, 60));
        if let Some(path) = field.show(ui, "Path to save to", &hint, "Save") {
            self.saving_to = Some(path.clone());
            frame.push(ExportAction::SaveAs(frame.id.clone(), path));
        }
    }

    fn footer_ui(&mut self, ui: &mut Ui, document: Option<&Arc<Exported>>, frame: &mut AssetFrame<'_>) -> bool {
        right_aligned(ui, |ui| {
            let none = document.is_none().then_some("The document is not ready yet");
            if enabled_unless(ui, none, |ui| ui.primary_button("Save…")).clicked() {
                frame.push(ExportAction::Save(frame.id.clone()));
            }
            if enabled_unless(ui, none, |ui| ui.button("Save to a path…")).clicked() {
                self.path.get_or_insert_default();
            }
            let text = document.and_then(|document| document.text.as_ref());
            let bytes = text.is_none().then_some("Only text can be copied");
            if enabled_unless(ui, bytes, |ui| ui.icon_text_button(Icon::COPY, "Copy")).clicked()
                && let Some(text) = text
            {
                ui.ctx().copy_text(text.to_string());
                frame.notify("Copied the export");
                frame.push(AssetsAction::CountUse(frame.id.clone()));
            }
            if drag::handle_ui(ui, document.is_some()) {
                frame.push(ExportAction::Drag(frame.id.clone()));
            }
            ui.button("Close").clicked()
        })
    }
}

/// Draws the saved file and its actions, or before that possible secrets. The space is reserved.
fn saved_ui(ui: &mut Ui, saved: Option<&Path>, secrets: &[Finding], actions: &mut Vec<Action>) {
    let size = egui::vec2(ui.available_width(), 24.0);
    let row = egui::Layout::right_to_left(egui::Align::Center);
    ui.allocate_ui_with_layout(size, row, |ui| {
        ui.set_min_size(size);
        let Some(path) = saved else { return secrets_ui(ui, secrets) };
        if ui.line_button("Show in folder").clicked() {
            actions.push(ExportAction::ShowInFolder(path.to_owned()).into());
        }
        if ui.line_button("Open").clicked() {
            actions.push(ExportAction::OpenFile(path.to_owned()).into());
        }
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let t = ui.tokens();
            ui.decoration(Icon::DONE.text().color(t.ok));
            let message = format!("Saved {}", shown_short(&path.display().to_string(), 1_000));
            reported(&ui.add(egui::Label::new(message).truncate()), Topic::Saved(path.to_owned()));
        });
    });
}

/// Returns the action that renders a picture in the theme of the window.
fn picture_action(ui: &Ui, id: &AssetId, format: PictureFormat) -> ExportAction {
    let shade = if ui.tokens().dark { Shade::Dark } else { Shade::Light };
    ExportAction::Picture(id.clone(), PictureKind { format, shade })
}

/// Draws possible secrets in the document, before it is saved, copied or dragged out.
fn secrets_ui(ui: &mut Ui, secrets: &[Finding]) {
    if secrets.is_empty() {
        return;
    }
    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
        let t = ui.tokens();
        ui.decoration(Icon::WARNING.text().color(t.warning));
        let words = format!("Looks like a secret: {}. It will be included.", secret_locations(secrets));
        let label = egui::Label::new(egui::RichText::new(words.as_str()).color(t.warning)).truncate();
        ui.add(label).on_hover_text(words);
    });
}

fn meaning(kind: &ExportType) -> &'static str {
    match kind {
        ExportType::Html => "A complete web page",
        ExportType::Md => "A Markdown document",
        ExportType::Json => "Entire asset",
        ExportType::Txt => "The text alone",
        ExportType::Raw => "The original file, unchanged",
        ExportType::Other(_) => "An unknown kind",
    }
}
