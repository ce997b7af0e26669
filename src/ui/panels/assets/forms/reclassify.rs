//! Changes the language of an asset.

use egui::{Key, Modifiers, ScrollArea, Ui};

use crate::ui::theme::{self, UiExt as _};
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{dialog, is_on_top};
use lunette_client::model::language::language_name;
use lunette_inspector::State;
use lunette_inspector::change::Change;

use super::{Submission, footer_ui};
use crate::ui::panels::assets::cells::language_ui;
use crate::ui::panels::assets::frame::AssetFrame;
use lunette_inspector::capability::Capability;

pub(in crate::ui::panels::assets) mod choices;

use choices::{LanguageChoice, LanguageChoices};

/// The search text, and the languages that match it.
pub struct ReclassifyForm {
    from: String,
    filter: String,
    choices: LanguageChoices,
    matches: Vec<LanguageChoice>,
    /// The language that the keyboard is on.
    selected: usize,
    reveal: bool,
    sent: Submission,
}

impl ReclassifyForm {
    /// A form for an asset of this language.
    pub fn new(from: &str, state: &State) -> Self {
        let choices = LanguageChoices::new(state);
        let matches = choices.matching("");
        let selected = matches.iter().position(|choice| choice.language.specific == from).unwrap_or_default();
        let (from, filter) = (from.to_owned(), String::new());
        Self { from, filter, choices, matches, selected, reveal: true, sent: Submission::default() }
    }

    /// Draws the form; returns whether it is to be closed.
    pub fn ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) -> bool {
        let why_disabled = frame.disabled_reason(Capability::Reclassify);
        let why_disabled = why_disabled.as_deref();
        let ctx = ui.ctx().clone();
        let (done, outside) = dialog(&ctx, "reclassify asset", "Reclassify", 420.0, |ui| {
            let sent = self.sent.succeeded(ui, frame.write);
            let now = language_name(&self.from);
            let now = if now.is_empty() { "unknown" } else { now };
            ui.muted(&format!("Current language: {now}"));
            let keys = is_on_top(ui);
            if keys {
                self.consume_arrows(ui);
            }
            let field = TextField::search("Find a language").focus(true).show(ui, &mut self.filter);
            if field.response.changed() {
                self.matches = self.choices.matching(&self.filter);
                self.selected = 0;
                self.reveal = true;
            }
            let entered = keys && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            let opened = ui.scope(|ui| self.list_ui(ui)).inner;
            let chosen = self.matches.get(self.selected).cloned();
            let (title, fault) = self.button_text(chosen.as_ref());
            let fault = why_disabled.or(fault);
            let (cancelled, pressed) = footer_ui(ui, frame, fault, "", |ui| ui.primary_button(&title));
            if (pressed || opened || entered || field.submitted) && fault.is_none() && !frame.write.writing && !sent {
                let to = chosen.map(|choice| choice.language.specific.to_owned()).unwrap_or_default();
                let from = self.from.clone();
                self.sent.send(ui, Change::Reclassify { asset: frame.id.clone(), from: Some(from), to }, frame);
            }
            cancelled || sent
        });
        done || outside
    }

    /// Returns the label of the button, and why it is disabled.
    fn button_text(&self, chosen: Option<&LanguageChoice>) -> (String, Option<&'static str>) {
        match chosen {
            None => ("Reclassify".to_owned(), Some("No language has this name")),
            Some(choice) if choice.language.specific == self.from => {
                (format!("Reclassify to {}", choice.name), Some("The asset has this language already"))
            }
            Some(choice) => (format!("Reclassify to {}", choice.name), None),
        }
    }

    /// Takes the arrow keys before the field does.
    fn consume_arrows(&mut self, ui: &mut Ui) {
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let last = self.matches.len().saturating_sub(1);
        let moves = [(Key::ArrowDown, 1), (Key::ArrowUp, -1), (Key::PageDown, 8), (Key::PageUp, -8)];
        for (key, step) in moves {
            if pressed(key) {
                self.selected = self.selected.saturating_add_signed(step).min(last);
                self.reveal = true;
            }
        }
    }

    /// Draws the matching languages; returns whether one was double-clicked.
    fn list_ui(&mut self, ui: &mut Ui) -> bool {
        let Self { from, matches, selected, reveal, .. } = self;
        if matches.is_empty() {
            ui.muted("No language matches. Type part of its name or its file extension.");
            return false;
        }
        let mut opened = false;
        let height = theme::row(ui);
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = ScrollArea::vertical().max_height(260.0).auto_shrink([false, false]);
        if std::mem::take(reveal) {
            // Starts at the top, where the likely ones are, unless that hides the chosen one.
            let top = *selected as f32 * height;
            area = area.vertical_scroll_offset(if top < 200.0 { 0.0 } else { top - 110.0 });
        }
        let list = egui::UiBuilder::new().accessibility_role(egui::Role::ListBox).accessibility_label("Languages");
        let mut draw = |ui: &mut Ui, rows: std::ops::Range<usize>| {
            for row in rows {
                let choice = &matches[row];
                let response = language_row(ui, choice, row == *selected, choice.language.specific == from);
                if response.clicked() {
                    *selected = row;
                }
                opened |= response.double_clicked();
            }
        };
        area.show_rows(ui, height, matches.len(), |ui, rows| ui.scope_builder(list, |ui| draw(ui, rows)));
        opened
    }
}

fn language_row(ui: &mut Ui, choice: &LanguageChoice, marked: bool, current: bool) -> egui::Response {
    let t = ui.tokens();
    let size = egui::vec2(ui.available_width(), theme::row(ui));
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::CLICK);
    if marked || response.hovered() {
        ui.painter().rect_filled(rect, 4.0, if marked { t.selected_row } else { t.hovered_row });
    }
    let inner = rect.shrink2(egui::vec2(8.0, 0.0));
    let builder = egui::UiBuilder::new().max_rect(inner).layout(egui::Layout::left_to_right(egui::Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.style_mut().interaction.selectable_labels = false;
        language_ui(ui, choice.language.specific, choice.name);
        if current {
            ui.badge("current");
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.code_text(choice.language.specific);
            if !choice.why.is_empty() {
                ui.caption(&choice.why);
            }
        });
    });
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::ListBoxOption, true, marked, choice.name));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_selected(marked));
    response
}
