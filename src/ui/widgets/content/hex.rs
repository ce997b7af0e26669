//! Bytes as a hexadecimal dump: offset, sixteen bytes, and their characters. Of a large file only the visible lines are
//! computed.

use std::ops::RangeInclusive;

use egui::text::{LayoutJob, TextFormat};
use egui::{EventFilter, Key, Modifiers, Sense, Stroke, StrokeKind, Ui, accesskit::Role, pos2, vec2};
use lunette_inspector::files::binary::{HexLine, LINE_BYTES, line_count};

use crate::ui::focus;
use crate::ui::theme::{RADIUS, Tokens};
use crate::ui::widgets::list::{DrawnList, List, ListState};
use crate::ui::widgets::plural;
use crate::ui::widgets::scroll::BAR;

/// Height of a line, in points.
const LINE: f32 = 20.0;
/// Space between the frame and the text, in points.
const PADDING: f32 = 6.0;
/// The number of characters of a line: offset, bytes and characters, with two spaces between them.
const LINE_CHARACTERS: usize = 8 + 2 + LINE_BYTES * 3 + 2 + LINE_BYTES;
/// The most lines that are copied at once.
const MAX_COPIED: usize = 100_000;

/// The state of a dump.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HexState {
    list: ListState,
    /// The line with the focus, and where the selection began.
    focus: usize,
    anchor: usize,
}

impl HexState {
    /// Returns the selected lines.
    fn selected(&self) -> RangeInclusive<usize> {
        self.focus.min(self.anchor)..=self.focus.max(self.anchor)
    }

    /// Moves the focus; with `extends`, the selection is extended.
    fn move_to(&mut self, line: usize, extends: bool) {
        self.focus = line;
        if !extends {
            self.anchor = line;
        }
        self.list.reveal = Some(line);
    }
}

/// Draws the dump of some bytes over the available width, `height` points high; `name` is its accessible name.
///
/// Lines are selected with the arrow keys and Shift, or by clicks, and copied with Ctrl+C.
pub fn hex(ui: &mut Ui, name: &str, bytes: &[u8], state: &mut HexState, height: f32) {
    let t = Tokens::of(ui);
    let (outer, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let line = Stroke::new(1.0, t.line);
    ui.painter().rect(outer, f32::from(RADIUS), t.code_ground, line, StrokeKind::Inside);
    let rows = line_count(bytes.len());
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    let advance = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    let list = List {
        name,
        role: Role::List,
        rect: outer.shrink2(vec2(1.0, PADDING)),
        rows,
        pitch: LINE,
        width: LINE_CHARACTERS as f32 * advance + 2.0 * PADDING + BAR,
        sense: Sense::click(),
    };
    (state.focus, state.anchor) = (state.focus.min(rows.saturating_sub(1)), state.anchor.min(rows.saturating_sub(1)));
    let mut drawn = list.begin(ui, &mut state.list);
    keys(&drawn, bytes, state);
    for row in drawn.viewport.visible(&state.list.scroll) {
        line_ui(&mut drawn, bytes, state, row);
    }
    let size = plural(bytes.len(), "byte");
    drawn.ui.ctx().accesskit_node_builder(drawn.response.id, |node| node.set_description(size));
    drawn.end(&mut state.list, name);
}

fn line_ui(drawn: &mut DrawnList, bytes: &[u8], state: &mut HexState, row: usize) {
    let t = Tokens::of(&drawn.ui);
    let rect = drawn.row_rect(&state.list.scroll, row);
    let response = drawn.ui.interact(rect, drawn.row_id(row), Sense::CLICK);
    if response.clicked() {
        drawn.response.request_focus();
        state.move_to(row, drawn.ui.input(|input| input.modifiers.shift));
    }
    let has_focus = drawn.response.has_focus();
    if has_focus && state.selected().contains(&row) {
        drawn.ui.painter().rect_filled(rect, 0.0, t.selected_row);
    }
    let line = HexLine::of(bytes, row);
    let job = line_job(drawn, &line);
    let galley = drawn.ui.fonts_mut(|fonts| fonts.layout_job(job));
    let at = pos2(rect.left() + PADDING - state.list.scroll.left, rect.center().y - galley.size().y / 2.0);
    drawn.ui.painter().galley(at, galley, t.text);
    let words = format!("{} {} {}", line.offset, line.bytes, line.text);
    response.widget_info(|| egui::WidgetInfo::labeled(Role::ListItem, true, &words));
    let rows = drawn.viewport.rows;
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_position_in_set(row + 1);
        node.set_size_of_set(rows);
        node.set_selected(has_focus && state.selected().contains(&row));
    });
    if state.focus == row {
        focus::set_ring(drawn.ui.ctx(), drawn.response.id, rect.intersect(drawn.viewport.rect));
        let id = response.id.accesskit_id();
        drawn.ui.ctx().accesskit_node_builder(drawn.response.id, |node| node.set_active_descendant(id));
    }
}

fn line_job(drawn: &DrawnList, line: &HexLine) -> LayoutJob {
    let t = Tokens::of(&drawn.ui);
    let font = egui::TextStyle::Monospace.resolve(drawn.ui.style());
    let HexLine { offset, bytes, text } = line;
    let mut job = LayoutJob { break_on_newline: false, ..LayoutJob::default() };
    job.append(offset, 0.0, TextFormat::simple(font.clone(), t.faint));
    let padded = format!("  {bytes:<width$}  ", width = LINE_BYTES * 3);
    job.append(&padded, 0.0, TextFormat::simple(font.clone(), t.text));
    job.append(text, 0.0, TextFormat::simple(font, t.muted));
    job
}

fn keys(drawn: &DrawnList, bytes: &[u8], state: &mut HexState) {
    let DrawnList { ui, response, viewport, .. } = drawn;
    if response.clicked() {
        response.request_focus();
    }
    let Some(last) = viewport.rows.checked_sub(1).filter(|_| focus::receives_keys(ui.ctx(), response.id)) else {
        return;
    };
    let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let page = (viewport.page() as usize).max(2) - 1;
    for (modifiers, extends) in [(Modifiers::SHIFT, true), (Modifiers::NONE, false)] {
        let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(modifiers, key));
        let down = pressed(Key::ArrowDown) + page * pressed(Key::PageDown) + last * pressed(Key::End).min(1);
        let up = pressed(Key::ArrowUp) + page * pressed(Key::PageUp) + last * pressed(Key::Home).min(1);
        if down > 0 || up > 0 {
            state.move_to(state.focus.saturating_add(down).min(last).saturating_sub(up), extends);
        }
    }
    if let Some(row) = state.list.reveal.take() {
        state.list.scroll.reveal(row, viewport);
    }
    if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::A)) {
        (state.anchor, state.focus) = (0, last);
    }
    if ui.input(|input| input.events.iter().any(|event| matches!(event, egui::Event::Copy))) {
        let lines = state.selected().take(MAX_COPIED).map(|line| format!("{}\n", HexLine::of(bytes, line)));
        ui.ctx().copy_text(lines.collect());
    }
}
