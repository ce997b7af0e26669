//! Lines of a table that stand for several rows: the heads of groups.
//!
//! A head is selected, dragged and dropped on as all its rows; it is folded and unfolded by its button, Enter and the arrow
//! keys. The keyboard moves over it as over a row, without selecting anything.

use super::body::{RowsFrame, is_hovered};
use super::gesture::Gesture;
use super::header::CELL_PADDING;
use super::{NO_ROW, Selection, Table, accesskit_rect, row_id};
use crate::ui::theme::fonts;
use crate::ui::theme::{Icon, SPACE_S, Tokens};
use crate::ui::widgets::context_menu::menu_at;
use crate::ui::widgets::painting::tiny_icon_button;
use crate::ui::widgets::{grouped, shown_short};
use egui::accesskit::{self, Role};
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{FontId, Rect, Response, Sense, TextStyle, Ui, pos2, vec2};

/// Size of the button that folds a group, in points.
const TOGGLE: f32 = 20.0;
/// Maximum number of characters laid out of a title.
const MAX_TITLE: usize = 200;

/// A line above the rows that it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head<'a> {
    /// What its rows have in common.
    pub title: String,
    /// The numbers of its rows.
    pub rows: &'a [u32],
    /// Whether its rows are hidden.
    pub folded: bool,
}

impl Head<'_> {
    /// Whether all its rows are selected.
    fn is_selected(&self, selection: &Selection) -> bool {
        // Most heads are not: only a selection that may have all of them is looked through.
        selection.count() >= self.rows.len() && self.rows.iter().all(|number| selection.contains(*number))
    }

    /// Selects its rows alone, or too or no longer if the gesture toggles; returns the number of the first.
    pub(super) fn select(&self, selection: &mut Selection, gesture: Gesture) -> Option<u32> {
        match gesture {
            Gesture::Toggle => {
                let on = !self.is_selected(selection);
                self.rows.iter().for_each(|number| selection.set(*number, on));
            }
            Gesture::Alone | Gesture::Range | Gesture::RangeToo => *selection = self.rows.iter().copied().collect(),
        }
        self.rows.first().copied()
    }
}

impl<'a> Table<'a> {
    /// Returns the head in a line; `None` for a row.
    pub(super) fn head(&self, line: usize) -> Option<Head<'a>> {
        self.heads.and_then(|heads| heads(line))
    }

    /// Returns the numbers that a line adds to a range: those of the hidden rows of a head.
    pub(super) fn numbers_of(&self, line: usize) -> impl Iterator<Item = u32> + use<'a> {
        let head = self.head(line);
        let row = head.is_none().then(|| self.number_of(line));
        let hidden = head.filter(|head| head.folded).map_or(&[][..], |head| head.rows);
        row.into_iter().chain(hidden.iter().copied())
    }

    /// Returns the numbers of all rows, folded or not.
    pub(super) fn all_numbers(&self) -> Selection {
        if self.heads.is_none() {
            return (0..self.rows).map(|row| self.number_of(row)).collect();
        }
        let (mut all, mut line) = (Selection::default(), 0);
        while let Some(head) = self.head(line).filter(|_| line < self.rows) {
            all.extend(head.rows.iter().copied());
            line += 1 + if head.folded { 0 } else { head.rows.len() };
        }
        all
    }

    /// Returns the line of the head above a row.
    pub(super) fn head_above(&self, row: usize) -> Option<usize> {
        self.heads?;
        (0..row).rev().find(|line| self.head(*line).is_some())
    }

    /// Draws a head across all columns.
    pub(super) fn head_ui(
        &mut self,
        body: &mut Ui,
        (line, head): (usize, Head<'a>),
        rect: Rect,
        frame: &mut RowsFrame<'_>,
    ) {
        let key = (self.key)(line);
        frame.state.in_sight.record(line, &key);
        let sense = if self.drag.is_some() { Sense::CLICK | Sense::DRAG } else { Sense::CLICK };
        let response = body.interact(rect, row_id(frame.table, &key), sense);
        self.head_mouse(body, line, &head, &response, frame);
        let marked = head.is_selected(&frame.state.selection);
        if frame.read_aloud {
            describe(line, &head, marked, &response);
        }
        paint_ground(body, rect, marked, frame);
        let name = head_name(&head);
        self.line_checkbox_ui(body, line, &name, marked, &response, frame);
        let left = rect.left() + self.checkbox_column_width() + CELL_PADDING / 2.0;
        let toggle = Rect::from_center_size(pos2(left + TOGGLE / 2.0, rect.center().y), vec2(TOGGLE, TOGGLE));
        let (icon, word) = if head.folded { (Icon::FOLDED, "Unfold") } else { (Icon::UNFOLDED, "Fold") };
        let word = format!("{word} {}", shown_short(&head.title, MAX_TITLE));
        // The table has the focus; Enter and the arrow keys do what a click here does.
        if tiny_icon_button(body, toggle, response.id.with("fold"), icon, &word, Sense::CLICK).clicked() {
            frame.table.request_focus();
            frame.done.folded = Some(line);
        }
        paint_title(body, frame.tokens, &head, rect.with_min_x(toggle.right() + SPACE_S / 2.0));
        if let Some(drag) = &mut self.drag {
            drag(body, &response, line);
        }
        if let Some(menu) = &mut self.menu {
            let wanted = frame.state.menu.take_if(|wanted| *wanted == line);
            let at = wanted.map(|_| pos2(left, rect.bottom()));
            menu_at(&response, &format!("Menu of {name}"), at, |ui| menu(ui, line));
        }
    }

    fn head_mouse(&self, body: &Ui, line: usize, head: &Head<'_>, response: &Response, frame: &mut RowsFrame<'_>) {
        let RowsFrame { table, state, done, .. } = frame;
        if response.secondary_clicked() {
            table.request_focus();
            if head.is_selected(&state.selection) {
                self.move_to(state, line);
            } else {
                self.apply(state, line, Gesture::Alone, done);
            }
        }
        if response.clicked() {
            table.request_focus();
            state.opens_at = None;
            self.apply(state, line, Gesture::of_click(body.input(|input| input.modifiers)), done);
        }
        if response.double_clicked() {
            done.folded = Some(line);
        }
    }
}

fn paint_ground(body: &Ui, rect: Rect, marked: bool, frame: &RowsFrame<'_>) {
    let t = frame.tokens;
    let ground = match (marked, is_hovered(body, rect, frame.pointer)) {
        (true, _) => t.selected_row,
        (false, true) => t.hovered_row,
        (false, false) => t.panel,
    };
    body.painter().rect_filled(rect, 0.0, ground);
}

/// The accessible name of a head.
fn head_name(head: &Head<'_>) -> String {
    format!("{}, {}", shown_short(&head.title, MAX_TITLE), grouped(head.rows.len() as u64))
}

fn describe(line: usize, head: &Head<'_>, marked: bool, response: &Response) {
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_role(Role::Row);
        node.set_bounds(accesskit_rect(response.rect));
        node.set_row_index(line);
        node.set_selected(marked);
        node.set_expanded(!head.folded);
        node.add_action(accesskit::Action::Click);
        node.set_label(head_name(head));
    });
}

/// Paints the title and, after it, how many rows there are.
fn paint_title(ui: &Ui, t: &Tokens, head: &Head<'_>, room: Rect) {
    let size = TextStyle::Body.resolve(ui.style()).size;
    let count = grouped(head.rows.len() as u64);
    let count = ui.painter().layout_no_wrap(count, FontId::proportional(size - 1.0), t.muted);
    let width = (room.width() - count.size().x - SPACE_S * 2.0).max(0.0);
    let title = shown_short(&head.title, MAX_TITLE).into_owned();
    let mut job = LayoutJob { wrap: TextWrapping::truncate_at_width(width), ..LayoutJob::default() };
    job.append(&title, 0.0, TextFormat::simple(FontId::new(size, fonts::semibold()), t.text));
    let title = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let middle = room.center().y;
    let end = room.left() + title.size().x + SPACE_S;
    ui.painter().galley(pos2(room.left(), middle - title.size().y / 2.0), title, t.text);
    ui.painter().galley(pos2(end, middle - count.size().y / 2.0), count, t.muted);
}

/// Returns a number if it is that of a row.
pub(super) fn of_row(number: u32) -> Option<u32> {
    Some(number).filter(|number| *number != NO_ROW)
}
