//! A text field with its label above, its error below, and a cross that clears it.

use std::ops::Range;

use crate::ui::focus;
use crate::ui::theme::{Icon, Tokens, UiExt as _, text};
use crate::ui::widgets::painting::tiny_icon_button;
use crate::ui::widgets::{shown, typing};
use egui::text::{CCursor, CCursorRange, LayoutJob, TextWrapping};
use egui::text_edit::TextEditState;
use egui::{
    AtomExt as _, Context, EventFilter, Galley, Response, RichText, Sense, Stroke, TextBuffer, TextEdit, TextFormat, Ui,
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
    selection: Option<Range<usize>>,
    id: Option<egui::Id>,
    fault: Option<Range<usize>>,
    keep_tab_and_escape: bool,
    indents: bool,
}

/// What happened in a field.
pub struct TextFieldResponse {
    /// The field itself; `changed()` includes the cross.
    pub response: Response,
    /// Ctrl+Enter was pressed, or Enter in a field of one line.
    pub submitted: bool,
    /// The text was cleared with the cross.
    pub cleared: bool,
}

/// Focuses a field with all of its text selected, so that typing replaces it.
pub fn focus_selected(ctx: &Context, field: egui::Id) {
    let mut state = TextEditState::load(ctx, field).unwrap_or_default();
    // The field takes a position behind its text for the end of it.
    state.cursor.set_char_range(Some(CCursorRange::two(CCursor::new(0), CCursor::new(usize::MAX))));
    state.store(ctx, field);
    ctx.memory_mut(|memory| memory.request_focus(field));
}

impl<'a> TextField<'a> {
    /// A field of one line at full width. `label` is its accessible name, and is shown above it.
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
            selection: None,
            id: None,
            fault: None,
            keep_tab_and_escape: false,
            indents: false,
        }
    }

    /// A field that filters a list: a search icon, no label above, and `label` as its name.
    pub fn search(label: &'a str) -> Self {
        TextField { label_above: false, icon: Some(Icon::SEARCH), hint: label, ..TextField::new(label) }
    }

    /// Shown while the field is empty.
    pub fn hint(self, hint: &'a str) -> Self {
        TextField { hint, ..self }
    }

    /// The error in the text, shown below the field; its frame takes the colour of an error.
    pub fn error(self, error: Option<&'a str>) -> Self {
        TextField { error, ..self }
    }

    /// Uses the label only as the accessible name.
    pub fn label_hidden(self) -> Self {
        TextField { label_above: false, ..self }
    }

    /// Uses the font for code.
    pub fn mono(self) -> Self {
        TextField { mono: true, ..self }
    }

    /// A field of several lines, `rows` high.
    pub fn rows(self, rows: usize) -> Self {
        TextField { rows, ..self }
    }

    /// Sets the width, in points.
    pub fn width(self, width: f32) -> Self {
        TextField { width, ..self }
    }

    /// Sets the maximum number of characters.
    pub fn limit(self, limit: usize) -> Self {
        TextField { limit, ..self }
    }

    /// Whether the field takes the focus in this frame.
    pub fn focus(self, focus: bool) -> Self {
        TextField { focus, ..self }
    }

    /// Sets which characters are selected when the field takes the focus.
    pub fn selection(self, selection: Range<usize>) -> Self {
        TextField { selection: Some(selection), ..self }
    }

    /// Sets a fixed id, for a field that is focused from elsewhere.
    pub fn id(self, id: egui::Id) -> Self {
        TextField { id: Some(id), ..self }
    }

    /// The bytes of the text to underline, as the location of an error.
    pub fn underline(self, fault: Option<Range<usize>>) -> Self {
        TextField { fault, ..self }
    }

    /// Whether Tab and Escape keep the focus in the field, while it has an open list below.
    pub fn keep_tab_and_escape(self, keep_tab_and_escape: bool) -> Self {
        TextField { keep_tab_and_escape, ..self }
    }

    /// Whether Tab indents, in a field of several lines; Ctrl+Tab then leaves it.
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
                if let Some(Range { start, end }) = self.selection {
                    select(ui, response.id, start, end);
                }
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
        let clearable = self.rows == 1 && !text.is_empty() && ui.is_enabled();
        let mut edit = self.edit(ui, text);
        if self.rows == 1 {
            // Room for the cross, so that text never runs below it.
            edit = edit.margin(egui::Margin { left: 10, right: if clearable { 28 } else { 10 }, top: 5, bottom: 5 });
        }
        if self.indents {
            let id = self.id.unwrap_or_else(|| ui.make_persistent_id(("indents", self.label)));
            edit = edit.id(id).lock_focus(true);
            if ui.memory(|memory| memory.has_focus(id)) {
                handle_tab(ui, id);
            }
        }
        let fault = self.fault.clone();
        let mut layouter = |ui: &Ui, text: &dyn TextBuffer, _: f32| with_underline(ui, text.as_str(), fault.clone());
        if self.fault.is_some() {
            edit = edit.layouter(&mut layouter);
        }
        let scope = ui.scope(|ui| {
            if self.error.is_some() || self.fault.is_some() {
                set_error_border(ui);
            }
            focus::without_foreign_keys(ui, |ui| ui.add(edit))
        });
        let mut response = scope.inner;
        if self.rows == 1 {
            typing::record(&response, text);
        }
        let cleared = clearable && clear_button(ui, &response, self.label);
        if cleared {
            text.clear();
            response.mark_changed();
            response.request_focus();
        }
        (response, cleared)
    }

    /// Returns the toolkit's field for the text: its size, font, hint and icon, and the keys that it keeps.
    fn edit<'t>(&self, ui: &Ui, text: &'t mut String) -> TextEdit<'t> {
        let t = Tokens::of(ui);
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
        if self.keep_tab_and_escape {
            let filter = EventFilter { tab: true, escape: true, horizontal_arrows: true, vertical_arrows: true };
            edit = edit.event_filter(filter);
        }
        edit
    }
}

/// Draws the borders of fields in the colour of an error.
fn set_error_border(ui: &mut Ui) {
    let error = Tokens::of(ui).error;
    let widgets = &mut ui.visuals_mut().widgets;
    for state in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
        state.bg_stroke.color = error;
    }
}

/// Selects these characters of a field.
fn select(ui: &Ui, field: egui::Id, start: usize, end: usize) {
    let mut state = TextEditState::load(ui.ctx(), field).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::two(CCursor::new(start), CCursor::new(end))));
    state.store(ui.ctx(), field);
}

/// Keeps Tab for the focused field, and lets Ctrl+Tab move to the next control.
fn handle_tab(ui: &Ui, field: egui::Id) {
    // Ctrl on every system: a Mac takes Cmd+Tab to switch between programs.
    if ui.input_mut(|input| input.consume_key(egui::Modifiers::CTRL, egui::Key::Tab)) {
        ui.memory_mut(|memory| memory.move_focus(egui::FocusDirection::Next));
    } else {
        focus::claims_tab(ui.ctx(), field);
    }
}

/// Lays out one line of text with some bytes underlined in the colour of an error.
fn with_underline(ui: &Ui, text: &str, fault: Option<Range<usize>>) -> Arc<Galley> {
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
    // Our choice: it is for the mouse and for assistive technology only. As a Tab stop it would come between two
    // fields, and the first space typed there would clear the text.
    let sense = Sense::CLICK;
    tiny_icon_button(ui, rect, field.id.with("clear"), Icon::CLOSE, &format!("Clear {label}"), sense).clicked()
}

/// Returns whether Enter submits the field in this frame.
fn submitted(ui: &Ui, response: &Response, rows: usize) -> bool {
    let had_focus = ui.memory(|memory| memory.had_focus_last_frame(response.id));
    let has_focus = response.has_focus();
    had_focus
        && ui.input(|input| {
            input.events.iter().any(|event| match event {
                egui::Event::Key { key: egui::Key::Enter, pressed: true, modifiers, .. } => {
                    rows == 1 && !has_focus || has_focus && modifiers.command
                }
                _ => false,
            })
        })
}
