//! An editor of code: highlighted while typing, with line numbers, find and replace, and undo of its own.
//!
//! The model ([`document`], [`buffer`], [`history`], [`rows`], [`highlighting`], [`search`]) names nothing of the
//! toolkit. What must hold: only rows in sight are laid out, and a key takes no longer in a text of 10 MB than the text
//! takes to move; nothing that was typed is lost.

mod access;
pub mod buffer;
pub mod document;
mod find_bar;
pub mod highlighting;
pub mod history;
mod keys;
mod lines;
mod pointer;
pub mod rows;
mod scrolling;
pub mod search;
mod typing;
mod view;
pub mod words;

#[cfg(test)]
mod tests;

use super::code::{LINE, PADDING, framed};
use super::scroll::Viewport;
use crate::ui::focus::{claims_tab, receives_keys};
use crate::ui::theme::Tokens;
use access::TextRun;
use document::{Document, Selection};
use egui::text_edit::TextEditState;
use egui::{EventFilter, Id, Rect, Response, Sense, Ui, UiBuilder, vec2};
use find_bar::FindBar;
use highlighting::Highlighting;
use keys::{Composition, KeyContext};
use lunette_syntax::Syntax;
use pointer::Press;
use rows::Rows;
use scrolling::Position;
use view::Layout;

/// A text being edited, and how it is shown.
pub struct Editor {
    document: Document,
    highlighting: Highlighting,
    position: Position,
    /// The width of the widest row seen so far, in points.
    widest: f32,
    /// The column that Up and Down keep.
    goal_column: Option<usize>,
    press: Option<Press>,
    composition: Option<Composition>,
    find: FindBar,
    /// The line that is wrong, starting at 1.
    fault: Option<usize>,
    /// Whether the caret is to be made visible.
    touched: bool,
    /// When it was moved last, in seconds.
    last_touched: f64,
    /// How many rows to scroll by, as keys asked.
    wheel_rows: f64,
    text_runs: Vec<TextRun>,
}

/// How an editor is drawn.
#[derive(Clone, Copy, Debug)]
pub struct EditorView<'a> {
    /// The accessible name, unique among its siblings.
    pub name: &'a str,
    /// The height with the find bar, in points.
    pub height: f32,
    /// Whether long lines are wrapped.
    pub wraps: bool,
    /// Whether Tab indents; Ctrl+Tab then goes to the next control.
    pub indents: bool,
    /// The line that is wrong, starting at 1.
    pub fault: Option<usize>,
}

/// What happened in an editor in this frame.
#[derive(Default)]
struct Outcome {
    /// Escape was pressed in the text.
    left: bool,
}

/// The editor as it was drawn.
pub struct EditorResponse {
    /// The text field; `changed()` if the text was changed.
    pub response: Response,
    /// Whether Escape was pressed in the text.
    pub left: bool,
}

impl Editor {
    /// An editor of a text in a language, with the caret at the beginning. Lines end with `\n`.
    pub fn new(text: String, syntax: Option<Syntax>) -> Self {
        let document = Document::new(text, syntax);
        let highlighting = Highlighting::new(document.buffer(), syntax);
        let (position, find) = Default::default();
        Self {
            document,
            highlighting,
            position,
            widest: 0.0,
            goal_column: None,
            press: None,
            composition: None,
            find,
            fault: None,
            touched: false,
            last_touched: 0.0,
            wheel_rows: 0.0,
            text_runs: Vec::new(),
        }
    }

    /// Returns the text and what is selected.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Replaces the whole text in one step that can be undone.
    pub fn set_text(&mut self, text: &str) {
        self.document.set_text(text);
        self.touched = true;
    }

    /// Puts the caret at a byte, with this line at the upper edge if the caret is then visible.
    pub fn start_at(&mut self, byte: usize, top_line: f64) {
        self.document.select(Selection::caret(byte));
        self.position.go_to(&Rows { buffer: self.document.buffer(), columns: None }, top_line);
        self.touched = true;
    }

    /// Returns the line at the upper edge, with the part of it above the edge.
    pub fn top_line(&self) -> f64 {
        self.position.at.line as f64 + self.position.part
    }

    /// Opens the find bar for what is selected; with the field for the replacement if asked for.
    pub fn open_find(&mut self, replace: bool) {
        self.find.open(&self.document, replace);
    }

    /// Draws the editor over the available width.
    pub fn ui(&mut self, ui: &mut Ui, view: EditorView<'_>) -> EditorResponse {
        let before = self.document.revision();
        self.fault = view.fault;
        let id = ui.make_persistent_id(view.name);
        let top = ui.cursor().top();
        let found = self.find.ui(ui, id, &mut self.document);
        self.touched |= found.moved;
        let height = (view.height - (ui.cursor().top() - top)).max(LINE + 2.0 * PADDING);
        let t = Tokens::of(ui);
        let outer = framed(ui, height, if view.fault.is_some() { t.error } else { t.line });
        let builder = UiBuilder::new().id_salt(view.name).max_rect(outer.shrink2(vec2(1.0, PADDING)));
        let mut child = ui.new_child(builder);
        child.shrink_clip_rect(outer.shrink2(vec2(1.0, PADDING)));
        let mut outcome = Outcome::default();
        let mut response = self.text_ui(&mut child, id, view, &mut outcome);
        if found.closed {
            response.request_focus();
        }
        if self.document.revision() != before {
            response.mark_changed();
        }
        EditorResponse { response, left: outcome.left }
    }

    /// Draws the text below the find bar.
    fn text_ui(&mut self, ui: &mut Ui, id: Id, view: EditorView<'_>, outcome: &mut Outcome) -> Response {
        let rect = ui.max_rect();
        // Keys come first: one of them moves the focus on from here.
        self.take_requests(ui, id);
        if receives_keys(ui.ctx(), id) && ui.is_enabled() {
            let layout = Layout::new(ui, rect, self.document.buffer().line_count(), view.wraps);
            let page = (layout.page().floor() as usize).max(2) - 1;
            let context = KeyContext { id, columns: layout.columns, page, indents: view.indents };
            self.take_events(ui, context, outcome);
        }
        let response = ui.interact(rect, id, Sense::click_and_drag());
        let mut layout = self.layout(ui, rect, view.wraps);
        self.scroll(ui, &mut layout, view.wraps);
        self.take_pointer(ui, &response, &layout);
        self.follow_caret(ui, &mut layout);
        for lines in self.document.take_changed() {
            self.highlighting.change(lines);
        }
        let visible = self.visible_lines(ui, &layout);
        if self.highlighting.advance(self.document.buffer(), visible) {
            ui.ctx().request_repaint();
        }
        let focused = response.has_focus();
        let caret = self.rows_ui(ui, &layout, focused);
        if focused {
            keep_focus(ui, id, view.indents);
            if let Some(caret) = caret {
                self.caret_ui(ui, &layout, caret);
            }
        }
        self.bars_ui(ui, &layout, view);
        self.describe(ui, &response, view.name, &layout);
        response
    }

    /// Lays out the area, with room for the bar below if the rows are wider.
    fn layout(&self, ui: &Ui, rect: Rect, wraps: bool) -> Layout {
        let lines = self.document.buffer().line_count();
        let layout = Layout::new(ui, rect, lines, wraps);
        if self.width(&layout, wraps) <= rect.width() + 0.5 {
            return layout;
        }
        let below = vec2(0.0, super::scroll::BAR);
        Layout::new(ui, Rect::from_min_max(rect.min, rect.max - below), lines, wraps)
    }

    /// Scrolls as the wheel and the keys asked.
    fn scroll(&mut self, ui: &Ui, layout: &mut Layout, wraps: bool) {
        let width = self.width(layout, wraps);
        let rows = Rows { buffer: self.document.buffer(), columns: layout.columns };
        self.position.consume_wheel(ui, &rows, (layout.rect, width));
        self.position.scroll(&rows, std::mem::take(&mut self.wheel_rows));
        self.position.clamp(&rows, layout.page());
        layout.scrolled = self.position.left;
    }

    /// Returns the width of the rows with their numbers, in points.
    fn width(&self, layout: &Layout, wraps: bool) -> f32 {
        let rows = if wraps { 0.0 } else { self.widest + 4.0 * layout.advance };
        layout.rect.width() - layout.text.width() + rows
    }

    /// Scrolls to the caret if it was moved.
    fn follow_caret(&mut self, ui: &Ui, layout: &mut Layout) {
        let rows = Rows { buffer: self.document.buffer(), columns: layout.columns };
        self.position.clamp(&rows, layout.page());
        if !std::mem::take(&mut self.touched) {
            return;
        }
        self.last_touched = ui.input(|input| input.time);
        let head = self.document.selection().head;
        let at = rows.at(head);
        self.position.reveal(&rows, at, layout.page());
        let x = self.row_galley(ui, layout, at).x_of(head);
        let margin = (4.0 * layout.advance).min(layout.text.width() / 4.0);
        let seen = self.position.left + margin..self.position.left + layout.text.width() - margin;
        if x < seen.start {
            self.position.left = (x - margin).max(0.0);
        } else if x > seen.end && layout.columns.is_none() {
            self.position.left = x + margin - layout.text.width();
            self.widest = self.widest.max(x);
        }
        layout.scrolled = self.position.left;
    }

    fn bars_ui(&mut self, ui: &Ui, layout: &Layout, view: EditorView<'_>) {
        let (rect, width) = (layout.rect, self.width(layout, view.wraps));
        let rows = Rows { buffer: self.document.buffer(), columns: layout.columns };
        let viewport = Viewport { rect, rows: rows.buffer.line_count(), pitch: LINE, width };
        let id = ui.make_persistent_id(view.name).with("bars");
        self.position.bars(ui, &rows, &viewport, (id, view.name));
    }
}

/// Keeps the arrows, Escape and, if it indents, Tab for the editor, and tells the rest of the window that a text field has the focus.
fn keep_focus(ui: &Ui, id: Id, indents: bool) {
    let filter = EventFilter { tab: indents, horizontal_arrows: true, vertical_arrows: true, escape: true };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    if indents {
        claims_tab(ui.ctx(), id);
    }
    super::typing::claim_editor_keys(ui.ctx(), id);
    if TextEditState::load(ui.ctx(), id).is_none() {
        TextEditState::default().store(ui.ctx(), id);
    }
}
