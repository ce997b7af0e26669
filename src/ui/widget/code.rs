//! Code to read: line numbers, colours, lines to mark and copy; a million lines cost what is in sight.

use super::highlight::Highlighted;
use super::list::{Drawn, List, ListState};
use super::scroll::BAR;
use super::{grouped, shown};
use crate::ui::theme::{Icon, RADIUS, TokenClass, Tokens, UiExt as _, control};
use egui::text::{LayoutJob, TextFormat};
use egui::{EventFilter, FontId, Key, Modifiers, Rect, Sense, Stroke, Ui, UiBuilder, accesskit::Role, pos2, vec2};
use std::ops::Range;

/// Height of a line, in points.
pub const LINE: f32 = 20.0;
/// A line is drawn up to this many characters; the rest is copied, not seen.
const LONGEST: usize = 2_000;

/// What a view of code remembers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CodeState {
    list: ListState,
    /// Where marking began, and where it is: both lines are marked.
    marked: Option<(usize, usize)>,
}

impl CodeState {
    /// The marked lines.
    pub fn marked_lines(&self) -> Option<Range<usize>> {
        self.marked.map(|(from, to)| from.min(to)..from.max(to) + 1)
    }
}

/// Draws `code` over the width there is, `height` points high, with a button to copy all of it.
///
/// Lines are marked by dragging or with Shift and the arrows, and copied with Ctrl+C. `name` is what the view is called.
pub fn code(ui: &mut Ui, name: &str, code: &Highlighted, state: &mut CodeState, height: f32) {
    let t = Tokens::of(ui);
    let (outer, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let line = Stroke::new(1.0, t.line);
    ui.painter().rect(outer, f32::from(RADIUS), t.code_ground, line, egui::StrokeKind::Inside);
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    let advance = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    let digits = code.line_count().to_string().len().max(2) as f32;
    let gutter = (digits * advance).ceil() + 28.0;
    let list = List {
        name,
        role: Role::Document,
        rect: outer.shrink2(vec2(1.0, 6.0)),
        rows: code.line_count(),
        pitch: LINE,
        width: gutter + code.longest_line().min(LONGEST) as f32 * advance + 8.0,
        sense: Sense::click_and_drag(),
    };
    let mut drawn = list.begin(ui, &mut state.list);
    mark(&drawn, state);
    keys(&drawn, code, state);
    for row in drawn.viewport.visible(&state.list.scroll) {
        let rect = drawn.row_rect(&state.list.scroll, row);
        line_ui(&mut drawn, code, state, row, rect, gutter, &font);
    }
    describe(&drawn, code);
    copy_button(&mut drawn.ui, outer, name, code);
    drawn.end(&mut state.list, name);
}

fn line_ui(
    drawn: &mut Drawn,
    code: &Highlighted,
    state: &CodeState,
    row: usize,
    rect: Rect,
    gutter: f32,
    font: &FontId,
) {
    let t = Tokens::of(&drawn.ui);
    let painter = drawn.ui.painter();
    if state.marked_lines().is_some_and(|marked| marked.contains(&row)) {
        painter.rect_filled(rect, 0.0, drawn.ui.visuals().selection.bg_fill);
    }
    let job = line_job(code, row, font, t);
    let words = job.text.clone();
    let galley = drawn.ui.fonts_mut(|fonts| fonts.layout_job(job));
    let left = rect.left() + gutter - state.list.scroll.left;
    let place = pos2(left, rect.center().y - galley.size().y / 2.0);
    let text = Rect::from_min_max(pos2(rect.left() + gutter - 6.0, rect.top()), rect.max);
    painter.with_clip_rect(text.intersect(drawn.ui.clip_rect())).galley(place, galley, t.text);
    let number = pos2(rect.left() + gutter - 14.0, rect.center().y);
    painter.text(number, egui::Align2::RIGHT_CENTER, row + 1, font.clone(), t.faint);
    let response = drawn.ui.interact(rect, drawn.row_id(row), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &words));
}

/// One line laid out in its colours, tabs as spaces, hidden characters shown.
fn line_job(code: &Highlighted, row: usize, font: &FontId, t: &Tokens) -> LayoutJob {
    let mut job = LayoutJob { break_on_newline: false, ..LayoutJob::default() };
    let mut left = LONGEST;
    for (text, class) in code.runs(row) {
        let end = text.char_indices().nth(left).map_or(text.len(), |(end, _)| end);
        let spaced = text[..end].replace('\t', "    ");
        job.append(&shown(&spaced), 0.0, TextFormat::simple(font.clone(), t.code(class)));
        left = left.saturating_sub(text[..end].chars().count());
        if end < text.len() || left == 0 {
            job.append(" …", 0.0, TextFormat::simple(font.clone(), t.code(TokenClass::Comment)));
            break;
        }
    }
    job
}

/// Marks lines while the mouse is dragged over them; one click takes the marks away.
fn mark(drawn: &Drawn, state: &mut CodeState) {
    let Drawn { response, viewport, .. } = drawn;
    if response.clicked() {
        response.request_focus();
        state.marked = None;
    }
    let Some(pointer) = response.interact_pointer_pos().filter(|_| response.dragged()) else { return };
    let top = state.list.scroll.top;
    let line_at = |y: f32| {
        let over = f64::from(y - viewport.rect.top()) / f64::from(viewport.pitch) + top;
        (over.max(0.0) as usize).min(viewport.rows.saturating_sub(1))
    };
    let line = line_at(pointer.y);
    if response.drag_started() {
        response.request_focus();
        // A press becomes a drag only some points later.
        let pressed = drawn.ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        state.marked = Some((line_at(pressed.y), line));
    } else if let Some((_, to)) = &mut state.marked {
        *to = line;
        state.list.reveal = Some(line);
    }
}

fn keys(drawn: &Drawn, code: &Highlighted, state: &mut CodeState) {
    let Drawn { ui, response, viewport } = drawn;
    if !response.has_focus() {
        return;
    }
    let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let last = viewport.rows.saturating_sub(1);
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    for (key, step) in [(Key::ArrowUp, -1), (Key::ArrowDown, 1)] {
        if pressed(Modifiers::SHIFT, key) {
            let top = viewport.visible(&state.list.scroll).start;
            let (from, to) = state.marked.unwrap_or((top, top));
            let to = to.saturating_add_signed(step).min(last);
            state.marked = Some((from, to));
            state.list.reveal = Some(to);
        }
    }
    let page = viewport.page().floor() - 1.0;
    let rows = last as f64;
    let moves = [(Key::ArrowUp, -1.0), (Key::ArrowDown, 1.0), (Key::PageUp, -page), (Key::PageDown, page)];
    for (key, step) in moves.into_iter().chain([(Key::Home, -rows), (Key::End, rows)]) {
        if pressed(Modifiers::NONE, key) {
            state.list.scroll.top += step;
            state.list.scroll.hold(viewport);
        }
    }
    if pressed(Modifiers::COMMAND, Key::A) {
        state.marked = Some((0, last));
    }
    let copy = ui.input(|input| input.events.iter().any(|event| matches!(event, egui::Event::Copy)));
    if copy && let Some(lines) = state.marked_lines() {
        ui.ctx().copy_text(code.slice(lines).to_owned());
    }
}

fn describe(drawn: &Drawn, code: &Highlighted) {
    let lines = code.line_count();
    drawn.ui.ctx().accesskit_node_builder(drawn.response.id, |node| {
        node.set_description(format!("{} {}", grouped(lines as u64), if lines == 1 { "line" } else { "lines" }));
    });
}

/// The button in the corner that copies the whole text as it is.
fn copy_button(ui: &mut Ui, outer: Rect, name: &str, code: &Highlighted) {
    let corner = pos2(outer.right() - control(ui) - BAR - 2.0, outer.top() + 2.0);
    let rect = Rect::from_min_size(corner, vec2(control(ui), control(ui)));
    let mut child = ui.new_child(UiBuilder::new().id_salt("copy").max_rect(rect));
    // Letters end before it: none peep out at its right.
    let ground = Rect::from_min_max(rect.min - vec2(6.0, 1.0), pos2(outer.right() - BAR - 1.0, rect.bottom()));
    child.painter().with_clip_rect(outer).rect_filled(ground, f32::from(RADIUS), Tokens::of(&child).code_ground);
    if child.icon_button(Icon::COPY, &format!("Copy {name}")).clicked() {
        child.ctx().copy_text(code.text().to_owned());
    }
}
