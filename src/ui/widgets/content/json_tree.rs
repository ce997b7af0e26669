//! A record as a collapsible tree: keys, short values, search, and copying of paths and values.
//!
//! Only expanded lines exist, and only the visible ones are drawn. A long search runs on another thread; meanwhile the
//! previous lines stay.

mod lines;
mod search;

use crate::ui::focus;
use crate::ui::theme::{Icon, RADIUS, SPACE_S, Tokens, UiExt as _, control};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::list::{DrawnList, List, ListState};
use crate::ui::widgets::scroll::Viewport;
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::type_ahead::TypeAhead;
use egui::text::{LayoutJob, TextFormat};
use egui::{EventFilter, Key, Modifiers, Rect, Response, Sense, Stroke, Ui, accesskit::Role, pos2, vec2};
use lines::{JsonPath, Line, Lines};
use search::Effort;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Height of a line, in points.
const LINE: f32 = 22.0;
/// Indentation per level, in points.
const INDENT: f32 = 16.0;

/// A record to be shown, which a search can share.
#[derive(Clone, Debug)]
pub struct JsonSource<T> {
    /// What holds the tree.
    pub of: Arc<T>,
    /// The tree in it.
    pub tree: fn(&T) -> &Value,
    /// Must change whenever the tree does: the lines are computed again only then, and when something is expanded or
    /// searched for.
    pub revision: u64,
}

impl<T> JsonSource<T> {
    fn value(&self) -> &Value {
        (self.tree)(&self.of)
    }
}

/// The state of a tree.
#[derive(Debug, Default)]
pub struct JsonTreeState {
    list: ListState,
    open: BTreeSet<JsonPath>,
    focus: usize,
    words: String,
    type_ahead: TypeAhead,
    /// The current lines, and what they were computed from: the caller's revision and the search text.
    lines: Arc<Lines>,
    made_of: Option<(u64, String)>,
    /// The search that takes longer than a frame, and what was found to be one.
    search: Background<(u64, String), Arc<Lines>>,
    long: Option<(u64, String)>,
}

impl JsonTreeState {
    /// A tree whose top entries with these keys are expanded initially.
    pub fn unfolded(keys: &[&str]) -> Self {
        let open = keys.iter().map(|key| vec![lines::PathStep::Key((*key).into())]).collect();
        JsonTreeState { open, ..JsonTreeState::default() }
    }
}

/// Draws a record over the available width, `height` points high; its search field and buttons are above it.
///
/// `name` is the accessible name, unique among its siblings.
pub fn json_tree<T: Send + Sync + 'static>(
    ui: &mut Ui,
    name: &str,
    source: &JsonSource<T>,
    state: &mut JsonTreeState,
    height: f32,
) {
    ui.push_id(name, |ui| {
        let top = ui.cursor().top();
        bar(ui, name, source.value(), state);
        prepare_lines(ui, source, state);
        let left = (height - (ui.cursor().top() - top)).max(LINE * 3.0);
        tree(ui, name, source.value(), state, left);
    });
}

/// Computes the lines if they are not those of what is to be shown.
fn prepare_lines<T: Send + Sync + 'static>(ui: &Ui, source: &JsonSource<T>, state: &mut JsonTreeState) {
    let wanted = (source.revision, state.words.trim().to_owned());
    if state.made_of.as_ref() == Some(&wanted) {
        return;
    }
    let lines = if wanted.1.is_empty() {
        state.search.cancel();
        Some(Arc::new(lines::flatten(source.value(), &state.open)))
    } else {
        searched(ui, source, state, &wanted)
    };
    if let Some(lines) = lines {
        state.lines = lines;
        state.made_of = Some(wanted);
    }
}

/// Returns the lines that contain a text, as soon as they are known.
fn searched<T: Send + Sync + 'static>(
    ui: &Ui,
    source: &JsonSource<T>,
    state: &mut JsonTreeState,
    wanted: &(u64, String),
) -> Option<Arc<Lines>> {
    if state.long.as_ref() != Some(wanted) {
        let mut effort = Effort::quick();
        let lines = search::search(source.value(), &wanted.1, &mut effort);
        if !effort.is_exhausted() {
            state.search.cancel();
            return Some(Arc::new(lines));
        }
        state.long = Some(wanted.clone());
    }
    let (source, words) = (JsonSource { of: Arc::clone(&source.of), ..*source }, wanted.1.clone());
    let work = move |cancel| Arc::new(search::search(source.value(), &words, &mut Effort::whole(cancel)));
    let found = state.search.get_cancellable(ui.ctx(), wanted, work)?;
    Some(found.map(Arc::clone).unwrap_or_default())
}

fn bar(ui: &mut Ui, name: &str, value: &Value, state: &mut JsonTreeState) {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 3.0 * (control(ui) + SPACE_S)).max(80.0);
        let label = format!("Search {name}");
        let field = TextField::search(&label).hint("Search keys and values").width(width).show(ui, &mut state.words);
        if field.response.changed() {
            state.focus = 0;
            state.list.reveal = Some(0);
        }
        if ui.icon_button(Icon::UNFOLD_ALL, "Unfold all").clicked() {
            state.open = lines::all_expandable(value);
            state.made_of = None;
        }
        if ui.icon_button(Icon::FOLD_ALL, "Fold all").clicked() {
            state.open.clear();
            state.made_of = None;
        }
        if ui.icon_button(Icon::COPY, &format!("Copy {name}")).clicked() {
            copy_value(ui, value);
        }
    });
    let searching = state.long.is_some() && state.made_of != state.long;
    if searching && !state.words.trim().is_empty() {
        ui.caption("Searching…");
    } else if state.lines.cut && !state.words.is_empty() {
        ui.caption("Only the first matches are shown: search for more of the text.");
    }
}

fn tree(ui: &mut Ui, name: &str, value: &Value, state: &mut JsonTreeState, height: f32) {
    let t = Tokens::of(ui);
    let (outer, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let line = Stroke::new(1.0, t.line);
    ui.painter().rect(outer, f32::from(RADIUS), t.code_ground, line, egui::StrokeKind::Inside);
    if state.lines.lines.is_empty() {
        let words = if state.words.is_empty() { "This record is empty." } else { "Nothing in this record matches." };
        ui.place(outer, egui::Label::new(egui::RichText::new(words).color(t.muted)));
        return;
    }
    let list = List {
        name,
        role: Role::Tree,
        rect: outer.shrink2(vec2(1.0, 4.0)),
        rows: state.lines.lines.len(),
        pitch: LINE,
        width: outer.width() - 14.0,
        sense: Sense::click(),
    };
    let mut drawn = list.begin(ui, &mut state.list);
    state.focus = state.focus.min(list.rows - 1);
    keys(&drawn, value, state);
    let lines = Arc::clone(&state.lines);
    for row in drawn.viewport.visible(&state.list.scroll) {
        let rect = drawn.row_rect(&state.list.scroll, row);
        if let Some(line) = lines.lines.get(row) {
            row_ui(&mut drawn, value, state, row, line, rect);
        }
    }
    state.type_ahead.show(&drawn.ui, drawn.viewport.rect);
    drawn.end(&mut state.list, name);
}

fn row_ui(drawn: &mut DrawnList, value: &Value, state: &mut JsonTreeState, row: usize, line: &Line, rect: Rect) {
    let t = Tokens::of(&drawn.ui);
    let response = drawn.ui.interact(rect, drawn.row_id(&line.path), Sense::CLICK);
    let focused = drawn.response.has_focus() && state.focus == row;
    let painter = drawn.ui.painter();
    if focused {
        painter.rect_filled(rect, 0.0, t.selected_row);
    } else if response.contains_pointer() {
        painter.rect_filled(rect, 0.0, t.hovered_row);
    }
    if focused {
        focus::set_ring(drawn.ui.ctx(), drawn.response.id, rect.intersect(drawn.viewport.rect));
    }
    let painter = drawn.ui.painter();
    let left = rect.left() + SPACE_S + INDENT * (line.path.len() as f32 - 1.0);
    if let Some(open) = line.open {
        let icon = if open { Icon::UNFOLDED } else { Icon::FOLDED };
        icon.paint(painter, pos2(left + 7.0, rect.center().y), 13.0, t.muted);
    }
    let mut job = line_job(line, drawn);
    let start = left + 18.0;
    job.wrap = egui::text::TextWrapping::truncate_at_width((rect.right() - start - 14.0).max(20.0));
    let galley = drawn.ui.fonts_mut(|fonts| fonts.layout_job(job));
    let pos = pos2(start, rect.center().y - galley.size().y / 2.0);
    drawn.ui.painter().galley(pos, galley, t.text);
    describe(&response, line, focused);
    if state.focus == row {
        let id = response.id.accesskit_id();
        drawn.ui.ctx().accesskit_node_builder(drawn.response.id, |node| node.set_active_descendant(id));
    }
    if response.clicked() {
        drawn.response.request_focus();
        state.focus = row;
        if line.open.is_some() {
            fold(state, row, None);
        }
    }
    if response.secondary_clicked() {
        state.focus = row;
    }
    response.context_menu(|ui| menu(ui, value, &line.path));
}

fn line_job(line: &Line, drawn: &DrawnList) -> LayoutJob {
    let t = Tokens::of(&drawn.ui);
    let font = egui::TextStyle::Monospace.resolve(drawn.ui.style());
    let mut name = TextFormat::simple(font.clone(), if line.hit { t.accent } else { t.function });
    if line.hit {
        name.underline = Stroke::new(1.0, t.accent);
    }
    let mut job = LayoutJob::default();
    job.append(&line.name, 0.0, name);
    if !line.preview.is_empty() {
        job.append(&line.preview, 12.0, TextFormat::simple(font, t.code(line.class)));
    }
    job
}

fn describe(response: &Response, line: &Line, focused: bool) {
    response.widget_info(|| egui::WidgetInfo::labeled(Role::TreeItem, true, &line.name));
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_value(line.preview.clone());
        node.set_level(line.path.len());
        node.set_selected(focused);
        if let Some(open) = line.open {
            node.set_expanded(open);
        }
    });
}

fn menu(ui: &mut Ui, value: &Value, path: &JsonPath) {
    if ui.button("Copy value").clicked() {
        if let Some(value) = lines::resolve(value, path) {
            copy_value(ui, value);
        }
        ui.close();
    }
    if ui.button("Copy path").clicked() {
        ui.ctx().copy_text(lines::display_path(value, path));
        ui.close();
    }
}

/// Copies a text as it is, anything else as JSON.
fn copy_value(ui: &Ui, value: &Value) {
    let text = match value {
        Value::String(text) => text.clone(),
        value => serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string()),
    };
    ui.ctx().copy_text(text);
}

/// Collapses or expands the entry of a line; toggles it if `open` is `None`. In a search, all results stay expanded.
fn fold(state: &mut JsonTreeState, row: usize, open: Option<bool>) {
    let Some(line) = state.lines.lines.get(row).filter(|_| state.words.trim().is_empty()) else { return };
    let Some(now) = line.open else { return };
    let open = open.unwrap_or(!now);
    if open {
        state.open.insert(line.path.clone());
    } else {
        state.open.remove(&line.path);
    }
    state.made_of = None;
}

fn keys(drawn: &DrawnList, value: &Value, state: &mut JsonTreeState) {
    let DrawnList { ui, response, viewport, .. } = drawn;
    if response.clicked() {
        response.request_focus();
    }
    if !focus::receives_keys(ui.ctx(), response.id) {
        return;
    }
    let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let name = |row: usize| state.lines.lines.get(row).map_or(Cow::Borrowed(""), |line| Cow::Owned(line.name.clone()));
    let found = state.type_ahead.step(ui, Some(state.focus), viewport.rows, &name);
    if let Some(found) = found {
        state.focus = found;
        state.list.scroll.reveal(found, viewport);
    }
    let before = state.focus;
    move_focus(ui, state, viewport);
    fold_or_step(ui, state, before, viewport.rows - 1);
    if state.focus != before {
        state.list.scroll.reveal(state.focus, viewport);
    }
    let copy = ui.input(|input| input.events.iter().any(|event| matches!(event, egui::Event::Copy)));
    if copy && let Some(value) = state.lines.lines.get(state.focus).and_then(|line| lines::resolve(value, &line.path)) {
        copy_value(ui, value);
    }
}

fn pressed(ui: &Ui, key: Key) -> bool {
    ui.input_mut(|input| input.consume_key(Modifiers::NONE, key))
}

/// Moves the focus by lines, pages or to an end.
fn move_focus(ui: &Ui, state: &mut JsonTreeState, viewport: &Viewport) {
    let page = (viewport.page() as usize).max(2) - 1;
    let (row, last) = (state.focus, viewport.rows - 1);
    let moves = [
        (Key::ArrowUp, row.saturating_sub(1)),
        (Key::ArrowDown, (row + 1).min(last)),
        (Key::PageUp, row.saturating_sub(page)),
        (Key::PageDown, (row + page).min(last)),
        (Key::Home, 0),
        (Key::End, last),
    ];
    for (key, to) in moves {
        if pressed(ui, key) {
            state.focus = to;
        }
    }
}

/// Right and left expand and collapse the entry of `row`, or step into it and out of it; Enter and Space toggle it.
fn fold_or_step(ui: &Ui, state: &mut JsonTreeState, row: usize, last: usize) {
    let open = state.lines.lines.get(row).and_then(|line| line.open);
    if pressed(ui, Key::ArrowRight) {
        if open == Some(true) { state.focus = (row + 1).min(last) } else { fold(state, row, Some(true)) }
    }
    if pressed(ui, Key::ArrowLeft) {
        if open == Some(true) { fold(state, row, Some(false)) } else { state.focus = parent_row(state, row) }
    }
    if pressed(ui, Key::Enter) || pressed(ui, Key::Space) {
        fold(state, row, None);
    }
}

/// Returns the line of the parent entry of `row`.
fn parent_row(state: &JsonTreeState, row: usize) -> usize {
    let lines = &state.lines.lines;
    let level = lines.get(row).map_or(0, |line| line.path.len());
    (0..row).rev().find(|&at| lines[at].path.len() < level).unwrap_or(row)
}
