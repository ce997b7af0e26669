//! A text field with its label above, what is wrong with it below, and a cross to clear it.

use std::ops::Range;

use super::painting::mini_button;
use super::shown;
use crate::ui::theme::{Icon, Tokens, UiExt as _, text};
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    AtomExt as _, EventFilter, Galley, Response, RichText, Sense, Stroke, TextBuffer, TextEdit, TextFormat, Ui,
};
use std::sync::Arc;

/// A field to be shown; see [`TextField::show`].
#[must_use = "a field is drawn by `show`"]
pub struct TextField<'a> {
    label: &'a str,
    hint: &'a str,
    error: Option<&'a str>,
    label_above: bool,
    mono: bool,
    icon: Option<Icon>,
    rows: usize,
    width: f32,
    limit: usize,
    focus: bool,
    id: Option<egui::Id>,
    fault: Option<Range<usize>>,
    keeps_keys: bool,
    indents: bool,
}

/// What was done in a field.
pub struct TextFieldResponse {
    /// The field itself; `changed()` covers the cross too.
    pub response: Response,
    /// Enter was pressed in a field of one line, or Ctrl+Enter in one of several.
    pub submitted: bool,
    /// The text was cleared with the cross.
    pub cleared: bool,
}

impl<'a> TextField<'a> {
    /// A field of one line, as wide as there is space. `label` is its accessible name, and stands above it.
    pub fn new(label: &'a str) -> Self {
        TextField {
            label,
            hint: "",
            error: None,
            label_above: true,
            mono: false,
            icon: None,
            rows: 1,
            width: f32::INFINITY,
            limit: usize::MAX,
            focus: false,
            id: None,
            fault: None,
            keeps_keys: false,
            indents: false,
        }
    }

    /// A field to filter a list by: the sign of a search, no label above, and `label` as its name.
    pub fn search(label: &'a str) -> Self {
        TextField { label_above: false, icon: Some(Icon::SEARCH), hint: label, ..TextField::new(label) }
    }

    /// Shown while the field is empty.
    pub fn hint(self, hint: &'a str) -> Self {
        TextField { hint, ..self }
    }

    /// What is wrong with the text, shown under the field; its frame takes the colour of a fault.
    pub fn error(self, error: Option<&'a str>) -> Self {
        TextField { error, ..self }
    }

    /// Keeps the label as the name only, without showing it.
    pub fn label_hidden(self) -> Self {
        TextField { label_above: false, ..self }
    }

    /// Set in the font for code.
    pub fn mono(self) -> Self {
        TextField { mono: true, ..self }
    }

    /// A field of several lines, `rows` high.
    pub fn rows(self, rows: usize) -> Self {
        TextField { rows, ..self }
    }

    /// How wide, in points.
    pub fn width(self, width: f32) -> Self {
        TextField { width, ..self }
    }

    /// At most this many characters can be typed or pasted.
    pub fn limit(self, limit: usize) -> Self {
        TextField { limit, ..self }
    }

    /// Takes the keyboard focus in this frame.
    pub fn focus(self, focus: bool) -> Self {
        TextField { focus, ..self }
    }

    /// A fixed id, for a field that is given the focus from elsewhere.
    pub fn id(self, id: egui::Id) -> Self {
        TextField { id: Some(id), ..self }
    }

    /// The bytes of the text to underline, as the place of a fault.
    pub fn underline(self, fault: Option<Range<usize>>) -> Self {
        TextField { fault, ..self }
    }

    /// Whether Tab and Escape leave the focus where it is, for a field with a list of its own open below.
    pub fn keeps_keys(self, keeps_keys: bool) -> Self {
        TextField { keeps_keys, ..self }
    }

    /// Whether Tab indents, in a field of several lines; Ctrl+Tab leaves it then.
    pub fn indents(self, indents: bool) -> Self {
        TextField { indents, ..self }
    }

    /// Draws the field over `text`.
    pub fn show(self, ui: &mut Ui, text: &mut String) -> TextFieldResponse {
        let Self { label, error, label_above, rows, focus, .. } = self;
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            let label_id = label_above.then(|| ui.add(egui::Label::new(label_text(ui, label)).selectable(false)).id);
            let (response, cleared) = self.field_ui(ui, text);
            let response = match label_id {
                Some(id) => response.labelled_by(id),
                None => response.accessible_name(label),
            };
            if focus {
                response.request_focus();
            }
            if let Some(error) = error {
                ui.error_text(error);
                ui.ctx().accesskit_node_builder(response.id, |node| {
                    node.set_invalid(egui::accesskit::Invalid::True);
                    node.set_description(shown(error).into_owned());
                });
            }
            let submitted = submitted(ui, &response, rows);
            TextFieldResponse { response, submitted, cleared }
        })
        .inner
    }

    fn field_ui(&self, ui: &mut Ui, text: &mut String) -> (Response, bool) {
        let t = Tokens::of(ui);
        let filled = !text.is_empty();
        let clearable = self.rows == 1 && filled && ui.is_enabled();
        let width = self.width.min(ui.available_width());
        let mut edit = if self.rows == 1 { TextEdit::singleline(text) } else { TextEdit::multiline(text) };
        edit = edit.desired_width(width).desired_rows(self.rows).char_limit(self.limit);
        edit = edit.hint_text(RichText::new(self.hint).color(t.faint));
        if let Some(id) = self.id {
            edit = edit.id(id);
        }
        if self.mono {
            edit = edit.font(egui::TextStyle::Monospace);
        }
        if let Some(icon) = self.icon {
            edit = edit.prefix(icon.text().color(t.muted).atom_align(egui::Align2::LEFT_CENTER));
        }
        if self.rows == 1 {
            // Room for the cross, so that text never runs under it.
            edit = edit.margin(egui::Margin { left: 10, right: if clearable { 28 } else { 10 }, top: 5, bottom: 5 });
        }
        if self.keeps_keys {
            let filter = EventFilter { tab: true, escape: true, horizontal_arrows: true, vertical_arrows: true };
            edit = edit.event_filter(filter);
        }
        if self.indents {
            let id = self.id.unwrap_or_else(|| ui.make_persistent_id(("indents", self.label)));
            edit = edit.id(id).lock_focus(true);
            if ui.memory(|memory| memory.has_focus(id)) {
                leave_or_indent(ui, id);
            }
        }
        let fault = self.fault.clone();
        let mut layouter = |ui: &Ui, text: &dyn TextBuffer, _: f32| underlined(ui, text.as_str(), fault.clone());
        if self.fault.is_some() {
            edit = edit.layouter(&mut layouter);
        }
        let scope = ui.scope(|ui| {
            if self.error.is_some() || self.fault.is_some() {
                let widgets = &mut ui.visuals_mut().widgets;
                for state in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
                    state.bg_stroke.color = t.error;
                }
            }
            ui.add(edit)
        });
        let mut response = scope.inner;
        let cleared = clearable && clear_button(ui, &response, self.label);
        if cleared {
            text.clear();
            response.mark_changed();
            response.request_focus();
        }
        (response, cleared)
    }
}

/// Keeps Tab for the field that has the focus, and lets Ctrl+Tab go on to what is drawn next.
fn leave_or_indent(ui: &Ui, field: egui::Id) {
    if ui.input_mut(|input| input.consume_key(egui::Modifiers::COMMAND, egui::Key::Tab)) {
        ui.memory_mut(|memory| memory.move_focus(egui::FocusDirection::Next));
    } else {
        crate::ui::focus::claims_tab(ui.ctx(), field);
    }
}

/// A text of one line with a line in the colour of a fault under some of its bytes.
fn underlined(ui: &Ui, text: &str, fault: Option<Range<usize>>) -> Arc<Galley> {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let plain = TextFormat::simple(font, ui.visuals().widgets.inactive.text_color());
    let marked = TextFormat { underline: Stroke::new(1.5, Tokens::of(ui).error), ..plain.clone() };
    let fault = fault.filter(|fault| text.get(fault.clone()).is_some()).unwrap_or(0..0);
    let mut job = LayoutJob { wrap: TextWrapping::no_max_width(), break_on_newline: false, ..LayoutJob::default() };
    let parts = [(0..fault.start, &plain), (fault.clone(), &marked), (fault.end..text.len(), &plain)];
    for (part, format) in parts {
        job.append(&text[part], 0.0, format.clone());
    }
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

fn label_text(ui: &Ui, label: &str) -> RichText {
    RichText::new(shown(label)).text_style(text::section()).color(Tokens::of(ui).muted)
}

fn clear_button(ui: &Ui, field: &Response, label: &str) -> bool {
    let center = egui::pos2(field.rect.right() - 15.0, field.rect.center().y);
    let rect = egui::Rect::from_center_size(center, egui::vec2(18.0, 18.0));
    // Our choice: it is for the pointer and for those who go by names. Between two fields it would take the Tab that is
    // meant for the next one, and the first space typed there would clear the text.
    let sense = Sense::CLICK;
    mini_button(ui, rect, field.id.with("clear"), Icon::CLOSE, &format!("Clear {label}"), sense).clicked()
}

/// Whether Enter ends the field in this frame. Where the text changed in the frame of its Enter (fast hands, a paste, a
/// busy machine), that is told in the next one: whoever judges a text does so before its field is drawn, and would judge
/// the text of before.
fn submitted(ui: &Ui, response: &Response, rows: usize) -> bool {
    let waits = response.id.with("enter waits");
    let frame = ui.ctx().cumulative_pass_nr();
    let entered = if rows == 1 {
        response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter))
    } else {
        response.has_focus() && ui.input(|input| input.modifiers.command && input.key_pressed(egui::Key::Enter))
    };
    let since = ui.data_mut(|data| data.remove_temp::<u64>(waits));
    // A field that was gone meanwhile was closed: nobody waits for its Enter any more.
    let late = since.is_some_and(|since| since + 3 >= frame);
    if (entered || late) && response.changed() {
        response.request_focus();
        ui.data_mut(|data| data.insert_temp(waits, frame));
        ui.ctx().request_repaint();
        return false;
    }
    if late && rows == 1 {
        response.surrender_focus();
    }
    entered || late
}
