//! Two texts and how they differ: side by side, or the lines of one above those of the other, with line numbers, signs,
//! changed words, and folded equal parts. A million lines cost only what is visible.
//!
//! What must hold: a line that was added or removed is told by its sign and its accessible name, not by its colour
//! alone; both texts scroll together.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use egui::accesskit::Role;
use egui::{EventFilter, Key, Modifiers, Rect, Response, Sense, Ui, vec2};
use lunette_inspector::compare::{Found, Layout, Lines, Position, Row, Rows, TextDiff, changed_words};

use crate::ui::focus;
use crate::ui::theme::Tokens;
use crate::ui::widgets::code::{LINE, MAX_LENGTH, PADDING, advance, framed, gutter_width};
use crate::ui::widgets::context_menu::menu_at;
use crate::ui::widgets::list::{DrawnList, List, ListState};
use crate::ui::widgets::scroll::BAR;
use crate::ui::widgets::{grouped, plural, shown};

mod line;

use line::{Half, Look, half_ui};

/// The most lines of which the changed words are kept.
const MAX_KEPT: usize = 4_000;

/// The state of the view of one comparison.
#[derive(Debug, Default)]
pub struct TextDiffState {
    list: ListState,
    unfolded: BTreeSet<usize>,
    rows: Option<(Layout, Rows)>,
    current: Option<usize>,
    /// The place to scroll to once the rows are known.
    revealed: Option<(Position, u32)>,
    words: HashMap<[u32; 2], [Vec<Range<usize>>; 2]>,
    /// The number of characters of the longest line that is drawn.
    longest: Option<usize>,
}

/// What is drawn.
#[derive(Clone, Copy)]
pub struct TextDiffView<'a> {
    /// The accessible name.
    pub name: &'a str,
    /// The comparison.
    pub diff: &'a TextDiff,
    /// How the texts are placed.
    pub layout: Layout,
    /// The places that were found, and the index of the current one.
    pub found: Option<(&'a [Found], usize)>,
}

impl TextDiffState {
    /// Returns the current change, by its index.
    pub fn current(&self) -> Option<usize> {
        self.current
    }

    /// Takes in that the texts were compared anew: only where the view is scrolled to is kept.
    pub fn renew(&mut self) {
        let list = std::mem::take(&mut self.list);
        *self = Self { list, current: None, ..Self::default() };
    }

    /// Goes to the next change, or to the previous one; after the last comes the first.
    pub fn step(&mut self, diff: &TextDiff, forward: bool) {
        let Some(last) = diff.hunks.len().checked_sub(1) else { return };
        let to = match (self.current, forward) {
            (None, true) => 0,
            (None, false) => last,
            (Some(at), true) => {
                if at >= last {
                    0
                } else {
                    at + 1
                }
            }
            (Some(at), false) => at.checked_sub(1).unwrap_or(last),
        };
        self.select(diff, to);
    }

    /// Makes a change the current one, and scrolls to it.
    pub fn select(&mut self, diff: &TextDiff, hunk: usize) {
        let Some(part) = diff.hunks.get(hunk) else { return };
        self.current = Some(hunk);
        let at = if part.lines[0].is_empty() { Position::Right } else { Position::Left };
        self.revealed = Some((at, part.lines[at.index()].start));
    }

    /// Scrolls to a line, and unfolds it.
    pub fn reveal(&mut self, at: Position, line: u32) {
        self.revealed = Some((at, line));
    }

    /// Unfolds all equal parts, or folds them.
    pub fn unfold_all(&mut self, diff: &TextDiff, unfold: bool) {
        self.unfolded = if unfold { (0..=diff.hunks.len()).collect() } else { BTreeSet::new() };
        self.rows = None;
    }

    /// Whether all equal parts are unfolded.
    pub fn all_unfolded(&self, diff: &TextDiff) -> bool {
        self.unfolded.len() > diff.hunks.len()
    }

    /// Returns the rows for this layout.
    fn rows(&mut self, diff: &TextDiff, layout: Layout) -> &Rows {
        let known = self.rows.take().filter(|(of, _)| *of == layout);
        &self.rows.insert(known.unwrap_or_else(|| (layout, Rows::of(diff, layout, &self.unfolded)))).1
    }

    /// Scrolls to the place that was asked for.
    fn go(&mut self, diff: &TextDiff, layout: Layout) {
        let Some((at, line)) = self.revealed.take() else { return };
        if let Some(gap) = self.rows(diff, layout).fold_of_line(at, line) {
            self.unfolded.insert(gap);
            self.rows = None;
        }
        let row = self.rows(diff, layout).row_of_line(at, line);
        // With some lines around it.
        if let Some(row) = row {
            self.list.scroll.top = row.saturating_sub(4) as f64;
        }
    }

    fn words(&mut self, diff: &TextDiff, lines: [u32; 2]) -> &[Vec<Range<usize>>; 2] {
        if self.words.len() > MAX_KEPT {
            self.words.clear();
        }
        self.words.entry(lines).or_insert_with(|| {
            let [left, right] = [0, 1].map(|side| diff.lines[side].line(lines[side]));
            changed_words(left, right)
        })
    }
}

/// Draws the comparison over the available width, `height` points high. `menu` draws the menu of a changed part.
///
/// A click on a changed line makes its part the current one; a click on a fold unfolds it.
pub fn text_diff(
    ui: &mut Ui,
    view: TextDiffView<'_>,
    state: &mut TextDiffState,
    height: f32,
    mut menu: impl FnMut(&mut Ui, usize),
) -> Response {
    let outer = framed(ui, height, Tokens::of(ui).line);
    let TextDiffView { name, diff, layout, .. } = view;
    state.go(diff, layout);
    let longest = *state.longest.get_or_insert_with(|| diff.lines.iter().map(longest_line).max().unwrap_or(0));
    let gutter = gutter_width(ui, diff.lines[0].len().max(diff.lines[1].len()));
    let look = Look { gutter, advance: advance(ui), layout };
    let rect = outer.shrink2(vec2(1.0, PADDING));
    let width =
        rect.width() - BAR + (longest as f32 * look.advance + 24.0 - look.text_width(rect.width() - BAR)).max(0.0);
    let rows = state.rows(diff, layout).len();
    let list = List { name, role: Role::Document, rect, rows, pitch: LINE, width, sense: Sense::click() };
    let mut drawn = list.begin(ui, &mut state.list);
    keys(&drawn, state);
    if drawn.response.clicked() {
        drawn.response.request_focus();
    }
    for row in drawn.viewport.visible(&state.list.scroll) {
        if let Some(content) = state.rows(diff, layout).get(row) {
            row_ui(&mut drawn, view, state, (row, content), look, &mut menu);
        }
    }
    describe(&drawn, view);
    let response = drawn.response.clone();
    drawn.end(&mut state.list, name);
    response
}

/// Scrolls by the keyboard while the view has the focus.
fn keys(drawn: &DrawnList, state: &mut TextDiffState) {
    let DrawnList { ui, response, viewport, .. } = drawn;
    if !focus::receives_keys(ui.ctx(), response.id) {
        return;
    }
    let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)) as f64;
    let page = (viewport.page() - 1.0).max(1.0);
    let scroll = &mut state.list.scroll;
    scroll.top +=
        pressed(Key::ArrowDown) - pressed(Key::ArrowUp) + page * (pressed(Key::PageDown) - pressed(Key::PageUp));
    scroll.left += 40.0 * (pressed(Key::ArrowRight) - pressed(Key::ArrowLeft)) as f32;
    if pressed(Key::Home) > 0.0 {
        scroll.top = 0.0;
    }
    if pressed(Key::End) > 0.0 {
        scroll.top = viewport.rows as f64;
    }
    scroll.clamp(viewport);
}

/// Draws a row, and handles clicks into it.
fn row_ui(
    drawn: &mut DrawnList,
    view: TextDiffView<'_>,
    state: &mut TextDiffState,
    (row, content): (usize, Row),
    look: Look,
    menu: &mut impl FnMut(&mut Ui, usize),
) {
    let rect = drawn.row_rect(&state.list.scroll, row);
    let response = drawn.ui.interact(rect, drawn.row_id(row), Sense::CLICK);
    let diff = view.diff;
    match content {
        Row::Fold(gap, lines) => {
            let count = lines[0].len() as u64;
            let text = plural(count, "equal line");
            fold_ui(&drawn.ui, rect, &response, &text);
            response.widget_info(|| egui::WidgetInfo::labeled(Role::Button, true, format!("Unfold {text}")));
            if response.clicked() {
                state.unfolded.insert(gap);
                state.rows = None;
            }
        }
        Row::Equal([left, right]) => {
            let text = diff.lines[1].line(right).trim_end_matches(['\n', '\r']);
            let name = format!("{}: {}", line_numbers(left, right), short(text));
            response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &name));
            line_ui(drawn, view, state, rect, [Some(left), Some(right)], None, look);
        }
        Row::Changed(hunk, lines) => {
            let name = changed_name(diff, lines);
            response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &name));
            if response.clicked() || response.secondary_clicked() {
                state.current = Some(hunk);
                drawn.response.request_focus();
            }
            line_ui(drawn, view, state, rect, lines, Some(hunk), look);
            menu_at(&response, &format!("Menu of change {}", hunk + 1), None, |ui| menu(ui, hunk));
        }
    }
}

/// Draws the lines of a row.
fn line_ui(
    drawn: &DrawnList,
    view: TextDiffView<'_>,
    state: &mut TextDiffState,
    rect: Rect,
    lines: [Option<u32>; 2],
    hunk: Option<usize>,
    look: Look,
) {
    let words = match (hunk, lines) {
        (Some(_), [Some(left), Some(right)]) => Some(state.words(view.diff, [left, right]).clone()),
        // Below each other, the lines of a part are paired in their order.
        (Some(hunk), _) if look.layout == Layout::Inline => {
            paired(view.diff, hunk, lines).map(|pair| state.words(view.diff, pair).clone())
        }
        _ => None,
    };
    let current = hunk.is_some() && hunk == state.current;
    for at in Position::ALL {
        let drawn_here = match (look.layout, hunk) {
            (Layout::SideBySide, _) => true,
            (Layout::Inline, None) => at == Position::Right,
            (Layout::Inline, Some(_)) => lines[at.index()].is_some(),
        };
        if !drawn_here {
            continue;
        }
        let half = Half {
            at,
            lines,
            changed: hunk.is_some(),
            current,
            words: words.as_ref().map(|words| words[at.index()].as_slice()),
            left: state.list.scroll.left,
        };
        half_ui(&drawn.ui, rect, view, &half, look);
    }
}

/// Returns the lines of a part that stand for each other, of which one is drawn in this row.
fn paired(diff: &TextDiff, hunk: usize, lines: [Option<u32>; 2]) -> Option<[u32; 2]> {
    let part = diff.hunks.get(hunk)?;
    let [left, right] = &part.lines;
    let index = match lines {
        [Some(line), None] => line - left.start,
        [None, Some(line)] => line - right.start,
        _ => return None,
    };
    let pair = [left.start + index, right.start + index];
    (pair[0] < left.end && pair[1] < right.end).then_some(pair)
}

fn fold_ui(ui: &Ui, rect: Rect, response: &Response, text: &str) {
    let t = Tokens::of(ui);
    let ground = if response.hovered() { t.hovered } else { t.panel };
    ui.painter().rect_filled(rect, 0.0, ground);
    let font = egui::TextStyle::Small.resolve(ui.style());
    ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, format!("⋯ {text}"), font, t.muted);
}

fn line_numbers(left: u32, right: u32) -> String {
    match left == right {
        true => format!("line {}", left + 1),
        false => format!("lines {} and {}", left + 1, right + 1),
    }
}

/// Returns the accessible name of a changed row.
fn changed_name(diff: &TextDiff, [left, right]: [Option<u32>; 2]) -> String {
    let text = |at: Position, line: u32| short(diff.side(at).line(line).trim_end_matches(['\n', '\r']));
    let removed = left.map(|line| format!("removed line {}: {}", line + 1, text(Position::Left, line)));
    let added = right.map(|line| format!("added line {}: {}", line + 1, text(Position::Right, line)));
    removed.into_iter().chain(added).collect::<Vec<_>>().join("; ")
}

fn short(text: &str) -> String {
    let end = text.floor_char_boundary(400);
    shown(&text[..end]).into_owned()
}

/// Returns about how many characters the longest line has, as far as it is drawn.
fn longest_line(lines: &Lines) -> usize {
    let longest = (0..lines.len() as u32).map(|line| lines.line(line)).max_by_key(|line| line.len());
    longest.map_or(0, |line| line.chars().take(MAX_LENGTH).map(|letter| if letter == '\t' { 4 } else { 1 }).sum())
}

fn describe(drawn: &DrawnList, view: TextDiffView<'_>) {
    let (added, removed) = view.diff.added_and_removed();
    drawn.ui.ctx().accesskit_node_builder(drawn.response.id, |node| {
        node.set_read_only();
        node.set_description(format!("{} added, {} removed", plural(added, "line"), grouped(removed as u64)));
    });
}
