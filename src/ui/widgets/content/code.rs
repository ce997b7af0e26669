//! A read-only view of code: line numbers, highlighting, and lines to select and copy. A million lines cost only what
//! is visible.
//!
//! What must hold: text is drawn beside the copy button and the scroll bar, never below them.

use crate::ui::focus;
use crate::ui::theme::{Icon, RADIUS, TokenClass, Tokens, UiExt as _, control};
use crate::ui::widgets::highlight::Highlighted;
use crate::ui::widgets::list::{DrawnList, List, ListState};
use crate::ui::widgets::scroll::BAR;
use crate::ui::widgets::{plural, shown};
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Color32, EventFilter, FontId, Key, Modifiers, Rect, Sense, Stroke, Ui, UiBuilder, accesskit::Role, pos2, vec2,
};
use std::ops::Range;

mod find;
mod wrap;

pub use find::Matches;
pub use wrap::Wrapped;
pub(in crate::ui::widgets) use wrap::wrap_line;

/// Height of a line, in points.
pub const LINE: f32 = 20.0;
/// Maximum number of characters drawn of a line that is not wrapped; copying takes all of it.
pub const MAX_LENGTH: usize = 2_000;
/// Space between the frame and the text, in points.
pub(in crate::ui::widgets) const PADDING: f32 = 6.0;

/// The state of a code view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodeState {
    list: ListState,
    /// Where the selection began, and where it ends, both included.
    selected_range: Option<(usize, usize)>,
    /// The byte to scroll to.
    revealed_byte: Option<usize>,
}

impl CodeState {
    /// Returns the selected lines.
    pub fn selected_lines(&self) -> Option<Range<usize>> {
        self.selected_range.map(|(from, to)| from.min(to)..from.max(to) + 1)
    }

    /// Shows a line at the upper edge, with the part of it above the edge. In wrapped text this is a row.
    pub fn show_from(&mut self, top: f64) {
        self.list.scroll.top = top;
    }

    /// Returns the line at the upper edge, with the part of it above the edge.
    pub fn top_line(&self, code: &Highlighted, wrapped: Option<&Wrapped>) -> f64 {
        let top = self.list.scroll.top;
        match wrapped {
            Some(_) => Rows { code, wrapped }.line(top.floor() as usize) as f64,
            None => top,
        }
    }

    /// Scrolls to a byte of the text as soon as it is drawn.
    pub fn reveal(&mut self, byte: usize) {
        self.revealed_byte = Some(byte);
    }
}

/// Options of a code view.
#[derive(Clone, Copy, Default)]
pub struct CodeView<'a> {
    /// The rows of the text if its lines are wrapped; otherwise it scrolls sideways.
    pub wrapped: Option<&'a Wrapped>,
    /// The matches in it, and the index of the current one.
    pub found: Option<(&'a Matches, usize)>,
    /// Whether its rows are still being computed: scrolling to a byte waits for them.
    pub pending: bool,
    /// Whether a click into the text, or Enter, asks to edit it.
    pub edits: bool,
    /// Whether it takes the focus in this frame.
    pub takes_focus: bool,
    /// Whether a button in the corner copies the whole text.
    pub copy: bool,
}

/// The rows drawn: the lines of the text, or the rows they are wrapped into.
#[derive(Clone, Copy)]
struct Rows<'a> {
    code: &'a Highlighted,
    wrapped: Option<&'a Wrapped>,
}

impl Rows<'_> {
    fn count(self) -> usize {
        self.wrapped.map_or_else(|| self.code.line_count(), Wrapped::rows)
    }

    /// Returns the line that a row shows, and which bytes of it.
    fn row(self, row: usize) -> Option<(usize, Range<usize>)> {
        match self.wrapped {
            Some(wrapped) => wrapped.row(self.code, row),
            None => Some((row, self.code.bytes_of(row)?)),
        }
    }

    fn line(self, row: usize) -> usize {
        self.row(row).map_or(0, |(line, _)| line)
    }

    /// Returns the row that shows a byte.
    fn row_at(self, byte: usize) -> usize {
        self.wrapped.map_or_else(|| self.code.line_at(byte), |wrapped| wrapped.row_at(byte))
    }

    /// Returns the first row of a line.
    fn row_of(self, line: usize) -> usize {
        self.code.bytes_of(line).map_or(0, |bytes| self.row_at(bytes.start))
    }
}

/// Returns how many columns of text fit into this width, as [`Wrapped`] needs it.
pub fn columns(ui: &Ui, code: &Highlighted, width: f32) -> usize {
    let room = width - 2.0 - gutter(ui, code) - BAR - 4.0;
    (room / advance(ui)).floor().max(1.0) as usize
}

/// Returns the height of a view that shows all of these rows.
pub fn full_height(rows: usize) -> f32 {
    rows as f32 * LINE + 2.0 * PADDING + BAR + 2.0
}

/// Returns the width of a column, in points.
pub(in crate::ui::widgets) fn advance(ui: &Ui) -> f32 {
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'))
}

fn gutter(ui: &Ui, code: &Highlighted) -> f32 {
    gutter_width(ui, code.line_count())
}

/// Returns the width of the numbers of so many lines and of the space around them, in points.
pub(in crate::ui::widgets) fn gutter_width(ui: &Ui, lines: usize) -> f32 {
    let digits = lines.to_string().len().max(2) as f32;
    (digits * advance(ui)).ceil() + 28.0
}

/// Draws `code` over the available width, `height` points high, with a button that copies all of it.
///
/// Lines are selected by dragging or with Shift and the arrow keys, and copied with Ctrl+C. `name` is the accessible
/// name.
pub fn code(ui: &mut Ui, name: &str, code: &Highlighted, state: &mut CodeState, height: f32) {
    code_view(ui, name, code, state, height, CodeView { copy: true, ..CodeView::default() });
}

/// Like [`code`], with wrapping or matches. Returns the byte at which editing is asked for.
pub fn code_view(
    ui: &mut Ui,
    name: &str,
    code: &Highlighted,
    state: &mut CodeState,
    height: f32,
    view: CodeView<'_>,
) -> Option<usize> {
    let outer = framed(ui, height, Tokens::of(ui).line);
    let rows = Rows { code, wrapped: view.wrapped };
    let gutter = gutter(ui, code);
    // Space on the right of the text.
    let text_margin = if view.copy { control(ui) + 4.0 } else { 0.0 };
    let longest = if view.wrapped.is_some() { 0 } else { code.longest_line().min(MAX_LENGTH) };
    let list = List {
        name,
        role: Role::Document,
        rect: outer.shrink2(vec2(1.0, PADDING)),
        rows: rows.count(),
        pitch: LINE,
        width: gutter + longest as f32 * advance(ui) + 8.0 + text_margin,
        sense: Sense::click_and_drag(),
    };
    if let Some(byte) = state.revealed_byte.take_if(|_| !view.pending) {
        reveal(ui, rows, byte, state, list.rect.width() - gutter - text_margin - BAR);
    }
    let mut drawn = list.begin(ui, &mut state.list);
    if view.takes_focus {
        drawn.response.request_focus();
    }
    select_lines(&drawn, rows, state);
    handle_keys(&drawn, rows, state);
    let edited = if view.edits { edited_byte(&drawn, rows, state, gutter) } else { None };
    let text_margin = text_margin + BAR + if view.copy { 2.0 } else { 0.0 };
    let layout = LineLayout { gutter, text_margin, found: view.found };
    for row in drawn.viewport.visible(&state.list.scroll) {
        line_ui(&mut drawn, rows, state, row, &layout);
    }
    describe(&drawn, code);
    if view.copy {
        copy_button(&mut drawn.ui, outer, name, code);
    }
    drawn.end(&mut state.list, name);
    edited
}

/// Allocates an area for code with its ground and a frame of a colour.
pub(in crate::ui::widgets) fn framed(ui: &mut Ui, height: f32, color: Color32) -> Rect {
    let (outer, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let (ground, line) = (Tokens::of(ui).code_ground, Stroke::new(1.0, color));
    ui.painter().rect(outer, f32::from(RADIUS), ground, line, egui::StrokeKind::Inside);
    outer
}

/// Returns the byte at which a click or Enter asks to edit; at the selected lines, or those in sight, for Enter.
fn edited_byte(drawn: &DrawnList, rows: Rows<'_>, state: &CodeState, gutter: f32) -> Option<usize> {
    let DrawnList { ui, response, viewport, .. } = drawn;
    let enter = focus::receives_keys(ui.ctx(), response.id)
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
    let top = state.list.scroll.top;
    if enter {
        let line = state.selected_lines().map_or_else(|| rows.line(top.ceil() as usize), |lines| lines.start);
        return rows.code.bytes_of(line).map(|bytes| bytes.start);
    }
    let pointer = response.interact_pointer_pos().filter(|_| response.clicked())?;
    let down = f64::from(pointer.y - viewport.rect.top()) / f64::from(viewport.pitch) + top;
    let row = (down.max(0.0) as usize).min(viewport.rows.saturating_sub(1));
    let (_, bytes) = rows.row(row)?;
    let columns = (pointer.x - viewport.rect.left() - gutter + state.list.scroll.left) / advance(ui);
    let text = rows.code.text().get(bytes.clone()).unwrap_or_default();
    let (mut column, wanted) = (0.0, columns);
    let offset = text.char_indices().find(|(_, c)| {
        let width = wrap::column_width(*c) as f32;
        column += width;
        column - width / 2.0 > wanted
    });
    Some(offset.map_or(bytes.end, |(offset, _)| bytes.start + offset))
}

/// Scrolls to the row of a byte, and sideways to where it is drawn; `width` is that of the visible text.
fn reveal(ui: &Ui, rows: Rows<'_>, byte: usize, state: &mut CodeState, width: f32) {
    let row = rows.row_at(byte);
    state.list.reveal = Some(row);
    let Some((_, bytes)) = rows.row(row).filter(|_| rows.wrapped.is_none()) else { return };
    let before = rows.code.text().get(bytes.start..byte).unwrap_or_default();
    let column: usize = before.chars().take(MAX_LENGTH).map(wrap::column_width).sum();
    let at = column as f32 * advance(ui);
    if at < state.list.scroll.left || at + 80.0 > state.list.scroll.left + width {
        state.list.scroll.left = (at - width / 2.0).max(0.0);
    }
}

/// Where a line is drawn, and the matches in it.
struct LineLayout<'a> {
    gutter: f32,
    /// Room for the bar and the button.
    text_margin: f32,
    found: Option<(&'a Matches, usize)>,
}

fn line_ui(drawn: &mut DrawnList, rows: Rows<'_>, state: &CodeState, row: usize, layout: &LineLayout<'_>) {
    let t = Tokens::of(&drawn.ui);
    let Some((line, bytes)) = rows.row(row) else { return };
    let rect = drawn.row_rect(&state.list.scroll, row);
    let font = egui::TextStyle::Monospace.resolve(drawn.ui.style());
    let painter = drawn.ui.painter();
    if state.selected_lines().is_some_and(|selected_range| selected_range.contains(&line)) {
        painter.rect_filled(rect, 0.0, drawn.ui.visuals().selection.bg_fill);
    }
    let first = rows.code.bytes_of(line).is_some_and(|whole| whole.start == bytes.start);
    let job = line_job(rows.code, (line, bytes), &font, t, layout.found);
    let words = job.text.clone();
    let galley = drawn.ui.fonts_mut(|fonts| fonts.layout_job(job));
    let left = rect.left() + layout.gutter - state.list.scroll.left;
    let at = pos2(left, rect.center().y - galley.size().y / 2.0);
    let text = Rect::from_min_max(
        pos2(rect.left() + layout.gutter - 6.0, rect.top()),
        pos2(rect.right() - layout.text_margin, rect.bottom()),
    );
    painter.with_clip_rect(text.intersect(drawn.ui.clip_rect())).galley(at, galley, t.text);
    if first {
        let number = pos2(rect.left() + layout.gutter - 14.0, rect.center().y);
        painter.text(number, egui::Align2::RIGHT_CENTER, line + 1, font, t.faint);
    }
    let response = drawn.ui.interact(rect, drawn.row_id(row), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &words));
}

/// Lays out a part of a line: highlighted, tabs as spaces, hidden characters escaped, matches on their background.
fn line_job(
    code: &Highlighted,
    (line, bytes): (usize, Range<usize>),
    font: &FontId,
    t: &Tokens,
    found: Option<(&Matches, usize)>,
) -> LayoutJob {
    let mut job = LayoutJob { break_on_newline: false, ..LayoutJob::default() };
    let mut left = MAX_LENGTH;
    // A character has at most four bytes; the invisible part of a long line costs nothing.
    let end = bytes.end.min(code.text().floor_char_boundary(bytes.start + MAX_LENGTH * 4 + 8));
    let bytes = bytes.start..end;
    for (run, class) in code.runs_within(line, bytes) {
        for (part, ground) in split_by_match(run, t, found) {
            let text = code.text().get(part).unwrap_or_default();
            let end = text.char_indices().nth(left).map_or(text.len(), |(end, _)| end);
            let spaced = text[..end].replace('\t', "    ");
            let ink = if ground == Color32::TRANSPARENT { t.code(class) } else { t.text };
            let format = TextFormat { background: ground, ..TextFormat::simple(font.clone(), ink) };
            job.append(&shown(&spaced), 0.0, format);
            left = left.saturating_sub(text[..end].chars().count());
            if end < text.len() || left == 0 {
                job.append(" …", 0.0, TextFormat::simple(font.clone(), t.code(TokenClass::Comment)));
                return job;
            }
        }
    }
    job
}

/// Splits a run by matches, each part with its background colour, if any.
pub(in crate::ui::widgets) fn split_by_match(
    run: Range<usize>,
    t: &Tokens,
    found: Option<(&Matches, usize)>,
) -> Vec<(Range<usize>, Color32)> {
    let Some((matches, current)) = found else { return vec![(run, Color32::TRANSPARENT)] };
    let (mut parts, mut at) = (Vec::new(), run.start);
    for (index, range) in matches.within(run.clone()) {
        let (start, end) = (range.start.max(at), range.end.min(run.end));
        parts.push((at..start, Color32::TRANSPARENT));
        parts.push((start..end, if index == current { t.current_match_ground() } else { t.match_ground() }));
        at = end;
    }
    parts.push((at..run.end, Color32::TRANSPARENT));
    parts.retain(|(part, _)| !part.is_empty());
    parts
}

/// Selects lines while the mouse is dragged over them; a click clears the selection.
fn select_lines(drawn: &DrawnList, rows: Rows<'_>, state: &mut CodeState) {
    let DrawnList { response, viewport, .. } = drawn;
    if response.clicked() {
        response.request_focus();
        state.selected_range = None;
    }
    let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged()) else { return };
    let top = state.list.scroll.top;
    let row_at = |y: f32| {
        let over = f64::from(y - viewport.rect.top()) / f64::from(viewport.pitch) + top;
        (over.max(0.0) as usize).min(viewport.rows.saturating_sub(1))
    };
    let row = row_at(pointer.y);
    let line = rows.line(row);
    if response.drag_started() {
        response.request_focus();
        // A press becomes a drag only after some points.
        let pressed = drawn.ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        state.selected_range = Some((rows.line(row_at(pressed.y)), line));
    } else if let Some((_, to)) = &mut state.selected_range {
        *to = line;
        state.list.reveal = Some(row);
    }
}

fn handle_keys(drawn: &DrawnList, rows: Rows<'_>, state: &mut CodeState) {
    let DrawnList { ui, response, viewport, .. } = drawn;
    if !focus::receives_keys(ui.ctx(), response.id) {
        return;
    }
    let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let last = rows.code.line_count().saturating_sub(1);
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    for (key, step) in [(Key::ArrowUp, -1), (Key::ArrowDown, 1)] {
        if pressed(Modifiers::SHIFT, key) {
            let top = rows.line(viewport.visible(&state.list.scroll).start);
            let (from, to) = state.selected_range.unwrap_or((top, top));
            let to = to.saturating_add_signed(step).min(last);
            state.selected_range = Some((from, to));
            state.list.reveal = Some(rows.row_of(to));
        }
    }
    let page = viewport.page().floor() - 1.0;
    let all = viewport.rows.saturating_sub(1) as f64;
    let moves = [(Key::ArrowUp, -1.0), (Key::ArrowDown, 1.0), (Key::PageUp, -page), (Key::PageDown, page)];
    for (key, step) in moves.into_iter().chain([(Key::Home, -all), (Key::End, all)]) {
        if pressed(Modifiers::NONE, key) {
            state.list.scroll.top += step;
            state.list.scroll.clamp(viewport);
        }
    }
    if pressed(Modifiers::COMMAND, Key::A) {
        state.selected_range = Some((0, last));
    }
    let copy = ui.input(|input| input.events.iter().any(|event| matches!(event, egui::Event::Copy)));
    if copy && let Some(lines) = state.selected_lines() {
        ui.ctx().copy_text(rows.code.slice(lines).to_owned());
    }
}

fn describe(drawn: &DrawnList, code: &Highlighted) {
    let lines = code.line_count();
    drawn.ui.ctx().accesskit_node_builder(drawn.response.id, |node| {
        node.set_description(plural(lines, "line"));
    });
}

/// The button in the corner that copies the whole text unchanged.
fn copy_button(ui: &mut Ui, outer: Rect, name: &str, code: &Highlighted) {
    let corner = pos2(outer.right() - control(ui) - BAR - 2.0, outer.top() + 2.0);
    let rect = Rect::from_min_size(corner, vec2(control(ui), control(ui)));
    let mut child = ui.new_child(UiBuilder::new().id_salt("copy").max_rect(rect));
    if child.icon_button(Icon::COPY, &format!("Copy {name}")).clicked() {
        child.ctx().copy_text(code.text().to_owned());
    }
}
