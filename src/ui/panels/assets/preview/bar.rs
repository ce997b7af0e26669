//! The line above a content: how it is shown, and the actions on it.

use egui::{Layout, Ui};

use super::content::{Form, Prepared, TextForm};
use super::{Preview, text_editor};
use crate::ui::command::Command;
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::panels::assets::frame::AssetFrame;
use crate::ui::theme::{self, Icon, SPACE_S, SPACE_XS, UiExt as _, control};
use crate::ui::widgets::highlight::Highlighted;
use crate::ui::widgets::picture::picture_tools;
use crate::ui::widgets::{Choice, choose, plural};
use lunette_inspector::action::{ExportAction, SettingsAction};
use lunette_inspector::assets::page::Content;

/// How many buttons are at the end of the line, with the spaces between them.
const TOOLS: f32 = 4.5;

impl Preview {
    /// Draws the line above the content: how it is shown, and the actions on its text.
    pub(super) fn bar_ui(&mut self, ui: &mut Ui, text: Option<&Highlighted>, frame: &mut AssetFrame<'_>) {
        let size = egui::vec2(ui.available_width(), control(ui));
        let row = Layout::left_to_right(egui::Align::Center);
        ui.allocate_ui_with_layout(size, row, |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_XS;
            if let Some(text) = text.filter(|_| self.find.is_open()) {
                self.find.ui(ui, frame.id, text, &mut self.views.code);
                return;
            }
            if let Some(form) = self.text_form().filter(|_| text.is_some()) {
                self.view_ui(ui, form);
                ui.add_space(SPACE_S);
            }
            self.form_tools_ui(ui, frame);
            if let Some(text) = text.filter(|_| self.shows_source()) {
                let lines = text.line_count();
                let part = if matches!(frame.page.content.value(), Some(Content::Part(..))) { " shown" } else { "" };
                let lines = format!("{}{part}", plural(lines, "line"));
                let note = text.note();
                let label = ui.caption(&lines);
                if let Some(note) = note {
                    label.on_hover_text(note);
                }
            }
            ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
                self.tools_ui(ui, text, frame);
            });
        });
    }

    /// Lets the user choose how a text is shown.
    fn view_ui(&mut self, ui: &mut Ui, form: TextForm) {
        let choice = |value, name| Choice { value, name, icon: None };
        let [as_form, as_text] = form.names();
        match choose(ui, "View", self.shows_source(), &[choice(false, as_form), choice(true, as_text)]) {
            Some(true) => drop(self.as_text.insert(form)),
            Some(false) => drop(self.as_text.remove(&form)),
            None => {}
        }
    }

    /// Draws what belongs to the form that is shown.
    fn form_tools_ui(&mut self, ui: &mut Ui, frame: &AssetFrame<'_>) {
        let source = self.shows_source();
        let Self { prepared, views, .. } = self;
        match prepared.last(|key| key.id == *frame.id).and_then(|prepared| prepared.form.as_ref()) {
            Some(Form::Picture(picture)) => picture_tools(ui, picture, &mut views.picture),
            Some(Form::Drawing(picture)) if !source => picture_tools(ui, picture, &mut views.picture),
            Some(Form::Table(table)) if !source => {
                let size = egui::RichText::new(views.table.caption(table)).small().color(ui.tokens().muted);
                let tip = format!("Separated by {}", table.delimiter_name());
                ui.scope(|ui| {
                    ui.set_max_width((ui.available_width() - TOOLS * control(ui)).max(control(ui)));
                    ui.add(egui::Label::new(size).truncate()).on_hover_text(tip);
                });
            }
            Some(_) | None => {}
        }
    }

    /// Draws the buttons at the end of the line, from the right.
    fn tools_ui(&mut self, ui: &mut Ui, text: Option<&Highlighted>, frame: &mut AssetFrame<'_>) {
        // As unobtrusive as the other icons on this line.
        ui.visuals_mut().widgets.inactive.weak_bg_fill = egui::Color32::TRANSPARENT;
        ui.visuals_mut().widgets.inactive.bg_stroke = egui::Stroke::NONE;
        ui.icon_menu(Icon::MORE, "Preview options", |ui| {
            let mut on = frame.state.preferences.settings.transferables;
            let meaning = "Loads the content of an asset when it is opened (“transferables” in the interface)";
            if theme::checkbox(ui, &mut on, "Load content").on_hover_text(meaning).changed() {
                frame.push(SettingsAction::Transferables(on));
            }
            self.header_ui(ui);
        });
        if self.prepared.last(|_| true).is_some_and(|prepared| matches!(prepared.form, Some(Form::Bytes(_))))
            && ui.icon_text_button(Icon::SAVE, "Save…").clicked()
        {
            frame.push(ExportAction::SaveContent(frame.id.clone()));
        }
        let Some(text) = text else { return };
        let edit_disabled_reason = text_editor::edit_disabled_reason(frame.page, frame.state);
        let edit = |ui: &mut Ui| ui.icon_button_with(Icon::EDIT, "Edit the text…", "Edit the text (F4)");
        let edit = enabled_unless(ui, edit_disabled_reason.as_deref(), edit);
        if edit.clicked() {
            self.editing = Some(None);
        }
        if !self.shows_source() && std::mem::take(&mut self.takes_focus) {
            edit.request_focus();
        }
        if ui.icon_button(Icon::COPY, "Copy the text shown").clicked() {
            ui.ctx().copy_text(text.text().to_owned());
            frame.notify("Copied the text");
        }
        if self.shows_source() {
            let on = frame.state.preferences.settings.wrap_text;
            if ui.toggle_icon_button(Icon::WRAP, "Wrap long lines", on).clicked() {
                frame.push(SettingsAction::WrapText(!on));
            }
        }
        let tip = Command::Find.with_keys("Find in the text", frame.state);
        if ui.icon_button_with(Icon::SEARCH, "Find in the text", &tip).clicked() {
            self.find();
        }
    }

    /// Lets the user say whether the first row of a table is its header.
    fn header_ui(&mut self, ui: &mut Ui) {
        let Some(Prepared { form: Some(Form::Table(table)), .. }) = self.prepared.last(|_| true) else { return };
        let mut header = self.views.table.has_header(table);
        if theme::checkbox(ui, &mut header, "The first row is a header").changed() {
            self.views.table.set_header(header);
        }
    }
}
