//! Navigation: items of the sidebar, tabs of a page; and the status dot.

use crate::ui::focus;
use crate::ui::theme::{Icon, SPACE_L, SPACE_S, Tokens, fonts};
use crate::ui::widgets::painting::tiny_icon_button;
use crate::ui::widgets::{grouped, shown, shown_short};
use egui::{Align2, Color32, FontId, Rect, Response, Sense, Stroke, Ui, accesskit::Role, pos2, vec2};

/// Height of an item of the sidebar, in points.
const ITEM: f32 = 33.0;
/// Height of a link of the sidebar, in points.
pub const NAV_LINK: f32 = 27.0;
/// Indentation of an entry of a tree from the one that it is in, in points.
const INDENT: f32 = 12.0;
/// From this many levels on, entries are not indented more.
const MOST_INDENTED: usize = 6;
/// Size of the icon before a link, in points.
const LEAD: f32 = 14.0;
/// Size of the button that unfolds an entry, in points.
const TOGGLE: f32 = 18.0;
/// Size of the letters of a detail, in points.
const DETAIL: f32 = 11.0;

/// An item of the sidebar at full width: icon, name, and a count if there is one.
///
/// It is a tab of the window's list of pages: `selected` says which one is shown.
pub fn nav_item(ui: &mut Ui, icon: Option<Icon>, name: &str, count: Option<usize>, selected: bool) -> Response {
    let title = Title::of(name);
    let response = item(ui, icon, title, count, SelectionMark { fill: selected, edge: selected });
    tab_node(&response, name, count, selected);
    response
}

/// An item of the sidebar that leads to a single item, which may be the current one. It has no accent edge: that marks
/// the panel. `detail` is what tells it from others of its name.
pub fn nav_link(ui: &mut Ui, name: &str, detail: Option<&str>, selected: bool) -> Response {
    link(ui, Title { detail, ..Title::of(name) }, selected)
}

/// Draws a [`nav_link`] after an icon in a colour of its own.
pub fn nav_icon_link(ui: &mut Ui, lead: (Icon, Color32), name: &str, detail: Option<&str>, selected: bool) -> Response {
    sensing_link(ui, Title { detail, lead: Some(lead), ..Title::of(name) }, selected, Sense::click_and_drag())
}

fn link(ui: &mut Ui, title: Title<'_>, selected: bool) -> Response {
    sensing_link(ui, title, selected, Sense::click())
}

fn sensing_link(ui: &mut Ui, title: Title<'_>, selected: bool, sense: Sense) -> Response {
    let Title { name, detail, .. } = title;
    let response = item(ui, None, title, None, SelectionMark { fill: selected, edge: false });
    let response = response.interact(sense);
    let name = detail.map_or_else(|| shown(name).into_owned(), |detail| format!("{}, {}", shown(name), shown(detail)));
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Link, response.enabled(), &name));
    response.ctx.accesskit_node_builder(response.id, |node| node.set_selected(selected));
    response
}

/// Draws a link with a count, for an entry that leads to several items, which may be those that are shown. It can be
/// dragged.
pub fn nav_counted_link(ui: &mut Ui, name: &str, count: Option<usize>, selected: bool) -> Response {
    counted_link(ui, Title::of(name), count, selected)
}

/// Draws a [`nav_link`] among the entries of a tree that are in so many others.
pub fn nav_tree_link(ui: &mut Ui, name: &str, depth: usize) -> Response {
    link(ui, Title { indent: indent(depth), ..Title::of(name) }, false)
}

/// Returns how far an entry of a tree is moved to the right, in points.
fn indent(depth: usize) -> f32 {
    INDENT * (depth.min(MOST_INDENTED) + 1) as f32
}

/// An entry of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Branch<'a> {
    /// Its name in full, for the button that unfolds it.
    pub path: &'a str,
    /// How many entries it is in.
    pub depth: usize,
    /// Whether it is unfolded; `None` if there is nothing in it.
    pub unfolded: Option<bool>,
}

/// Draws a [`nav_counted_link`] of a tree, indented, with the button that unfolds it; returns the link, and the button if
/// there is something to unfold.
pub fn nav_branch(
    ui: &mut Ui,
    name: &str,
    count: usize,
    branch: Branch<'_>,
    selected: bool,
) -> (Response, Option<Response>) {
    let indent = indent(branch.depth);
    let link = counted_link(ui, Title { name, detail: None, lead: None, indent }, Some(count), selected);
    let Some(unfolded) = branch.unfolded else { return (link, None) };
    let (icon, word) = if unfolded { (Icon::UNFOLDED, "Fold") } else { (Icon::FOLDED, "Unfold") };
    let center = pos2(link.rect.left() + 4.0 + indent - INDENT / 2.0, link.rect.center().y);
    let rect = Rect::from_center_size(center, vec2(TOGGLE, TOGGLE));
    let name = format!("{word} {}", shown_short(branch.path, 200));
    let toggle = tiny_icon_button(ui, rect, link.id.with("unfold"), icon, &name, Sense::click());
    (link, Some(toggle))
}

fn counted_link(ui: &mut Ui, title: Title<'_>, count: Option<usize>, selected: bool) -> Response {
    let name = title.name;
    let response = item(ui, None, title, count, SelectionMark { fill: selected, edge: false });
    let response = response.interact(Sense::click_and_drag());
    let name = shown(name).into_owned();
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Link, response.enabled(), &name));
    response.ctx.accesskit_node_builder(response.id, |node| node.set_selected(selected));
    if let Some(count) = count {
        response.ctx.accesskit_node_builder(response.id, |node| {
            node.set_description(crate::ui::widgets::grouped(count as u64))
        });
    }
    response
}

/// How an item shows that it is selected.
#[derive(Clone, Copy)]
struct SelectionMark {
    fill: bool,
    edge: bool,
}

/// The text of an item: its name, and after it, smaller, what tells it from others of its name.
#[derive(Clone, Copy)]
struct Title<'a> {
    name: &'a str,
    detail: Option<&'a str>,
    /// The icon before it, with its colour.
    lead: Option<(Icon, Color32)>,
    /// How far it is moved to the right, in points.
    indent: f32,
}

impl<'a> Title<'a> {
    fn of(name: &'a str) -> Self {
        Self { name, detail: None, lead: None, indent: 0.0 }
    }
}

/// An item narrower than this, in points, shows only its icon; its name is the tooltip and the accessible name.
const ICON_ONLY_WIDTH: f32 = 60.0;

fn item(ui: &mut Ui, icon: Option<Icon>, title: Title<'_>, count: Option<usize>, mark: SelectionMark) -> Response {
    let t = Tokens::of(ui);
    let height = if icon.is_some() { ITEM } else { NAV_LINK };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    let painter = ui.painter();
    let selected = mark.fill;
    if selected {
        painter.rect_filled(rect, 6.0, t.selected_row);
    } else if response.hovered() {
        painter.rect_filled(rect, 6.0, t.hovered_row);
    }
    if mark.edge {
        let edge = Rect::from_min_size(rect.min, vec2(2.0, rect.height()));
        painter.rect_filled(edge, 1.0, t.accent);
    }
    focus::set_ring(ui.ctx(), response.id, rect);
    let color = if selected { t.text } else { t.muted };
    let mut left = rect.left() + 10.0 + title.indent;
    if let Some(icon) = icon.filter(|_| rect.width() < ICON_ONLY_WIDTH) {
        icon.paint(painter, rect.center(), 16.0, color);
        return response;
    }
    if let Some(icon) = icon {
        icon.paint(painter, pos2(left + 7.5, rect.center().y), 15.0, color);
        left += 24.0;
    }
    if let Some((icon, color)) = title.lead {
        icon.paint(painter, pos2(left + LEAD / 2.0, rect.center().y), LEAD, color);
        left += LEAD + SPACE_S;
    }
    let family = if selected { fonts::semibold() } else { egui::FontFamily::Proportional };
    title_ui(ui, pos2(left, rect.center().y), rect.right() - 10.0, title, FontId::new(13.0, family), color);
    if let Some(count) = count {
        let painter = ui.painter();
        let at = pos2(rect.right() - 10.0, rect.center().y);
        painter.text(at, Align2::RIGHT_CENTER, grouped(count as u64), FontId::proportional(13.0), t.muted);
    }
    response
}

/// Draws a title on one line, truncated at the end of the space.
fn title_ui(ui: &Ui, left: egui::Pos2, end: f32, title: Title<'_>, font: FontId, color: Color32) {
    let mut job = egui::text::LayoutJob {
        wrap: egui::text::TextWrapping::truncate_at_width((end - left.x).max(0.0)),
        ..egui::text::LayoutJob::simple_singleline(shown_short(title.name, 80).into_owned(), font, color)
    };
    if let Some(detail) = title.detail {
        let format = egui::TextFormat::simple(FontId::proportional(DETAIL), Tokens::of(ui).muted);
        job.append(&shown_short(detail, 80), SPACE_S, format);
    }
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    ui.painter().galley(pos2(left.x, left.y - galley.size().y / 2.0), galley, color);
}

/// A count that is not known yet: nothing is drawn, and no tab moves when the count arrives.
pub const COUNT_PENDING: usize = usize::MAX;

/// The tabs of a page, under a line; returns whether another one was selected (click, or arrow keys on a focused tab).
///
/// Each has a name and, if known, the number of items in it; [`COUNT_PENDING`] reserves room for a count.
pub fn tabs(ui: &mut Ui, name: &str, entries: &[(&str, Option<usize>)], selected: &mut usize) -> bool {
    let before = *selected;
    let builder = egui::UiBuilder::new().accessibility_role(Role::TabList).accessibility_label(name);
    ui.scope_builder(builder, |ui| {
        let gap = gap(ui, entries);
        let inner = ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(gap, 0.0);
            let id = ui.make_persistent_id(("tab", name));
            for (index, (title, count)) in entries.iter().enumerate() {
                let response = tab(ui, id.with(index), title, *count, index == *selected);
                if focus::receives_keys(ui.ctx(), response.id) {
                    step_by_arrows(ui, &response, index, entries.len(), selected);
                }
                if response.clicked() {
                    *selected = index;
                }
            }
            // The focus stays with the selected tab, so that the next arrow key continues from it.
            if *selected != before {
                ui.memory_mut(|memory| memory.request_focus(id.with(*selected)));
            }
        });
        let line = Stroke::new(1.0, Tokens::of(ui).line);
        ui.painter().hline(ui.max_rect().x_range(), inner.response.rect.bottom(), line);
    });
    *selected != before
}

/// Returns the gap at which all tabs fit on one line, if there is one; otherwise they wrap.
fn gap(ui: &Ui, entries: &[(&str, Option<usize>)]) -> f32 {
    let width = |text: &str, size: f32| {
        let family = fonts::semibold();
        ui.painter().layout_no_wrap(text.to_owned(), FontId::new(size, family), Color32::PLACEHOLDER).size().x
    };
    let of = |(title, count): &(&str, Option<usize>)| width(&shown(title), 13.0) + count_room(ui, *count);
    let spare = ui.available_width() - entries.iter().map(of).sum::<f32>();
    (spare / entries.len().max(2).saturating_sub(1) as f32).floor().clamp(SPACE_S, SPACE_L)
}

fn tab(ui: &mut Ui, id: egui::Id, title: &str, count: Option<usize>, selected: bool) -> Response {
    let t = Tokens::of(ui);
    let color = if selected { t.text } else { t.muted };
    let family = if selected { fonts::semibold() } else { egui::FontFamily::Proportional };
    let galley = ui.painter().layout_no_wrap(shown(title).into_owned(), FontId::new(13.0, family), color);
    let known = count.filter(|count| *count != COUNT_PENDING);
    let count_text =
        known.map(|count| ui.painter().layout_no_wrap(grouped(count as u64), FontId::proportional(11.0), t.muted));
    let width = galley.size().x + count_room(ui, count);
    let (rect, _) = ui.allocate_exact_size(vec2(width, 32.0), Sense::hover());
    let response = ui.interact(rect, id, Sense::click());
    let middle = rect.center().y;
    let end = rect.left() + galley.size().x;
    ui.painter().galley(pos2(rect.left(), middle - galley.size().y / 2.0), galley, color);
    if let Some(count) = count_text {
        ui.painter().galley(pos2(end + 5.0, middle - count.size().y / 2.0 + 1.0), count, t.muted);
    }
    if selected || response.hovered() {
        let line = Stroke::new(2.0, if selected { t.accent } else { t.line });
        ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, line);
    }
    focus::set_ring(ui.ctx(), response.id, rect.expand2(vec2(SPACE_S / 2.0 + 2.0, -3.0)));
    tab_node(&response, title, known, selected);
    response
}

/// Returns the width of a count beside its name: at least that of two digits.
fn count_room(ui: &Ui, count: Option<usize>) -> f32 {
    let width = |text: String| {
        let font = FontId::proportional(11.0);
        ui.painter().layout_no_wrap(text, font, Color32::PLACEHOLDER).size().x
    };
    let least = width("00".to_owned());
    match count {
        None => 0.0,
        Some(COUNT_PENDING) => least + 5.0,
        Some(count) => width(grouped(count as u64)).max(least) + 5.0,
    }
}

fn step_by_arrows(ui: &Ui, response: &Response, index: usize, count: usize, selected: &mut usize) {
    let filter = egui::EventFilter { horizontal_arrows: true, ..egui::EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let (left, right) = ui.input_mut(|input| {
        let none = egui::Modifiers::NONE;
        (input.consume_key(none, egui::Key::ArrowLeft), input.consume_key(none, egui::Key::ArrowRight))
    });
    if left {
        *selected = index.saturating_sub(1);
    } else if right {
        *selected = (index + 1).min(count.saturating_sub(1));
    }
}

fn tab_node(response: &Response, name: &str, count: Option<usize>, selected: bool) {
    let name = shown(name).into_owned();
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Tab, response.enabled(), &name));
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_selected(selected);
        if let Some(count) = count {
            node.set_description(grouped(count as u64));
        }
    });
}

/// A dot before a word that says the same: the colour is never the only information.
pub fn status_dot(ui: &mut Ui, color: Color32) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
    ui.painter().circle_filled(rect.center(), 4.0, color);
    response
}
