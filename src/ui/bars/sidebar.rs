//! The sidebar on the left: the panels with their counts, recently opened assets, saved filters, and the tags, languages
//! and folders that most assets have.
//!
//! What must hold: in a narrow window it shows icons only, so that the panel keeps its width; its contents scroll, and only
//! the lines in sight are drawn, however many there are; the line that the keyboard moves to scrolls into sight.

use egui::{Context, Frame, Margin, Popup, Rect, Response, ScrollArea, Ui, UiBuilder, accesskit::Role, pos2, vec2};

use lunette_inspector::action::NavigationAction;
use lunette_inspector::filter::{List, Saved, parse};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

use crate::ui::dragging;
use crate::ui::focus;
use crate::ui::overview::keep_counted;
use crate::ui::palette::Chosen;
use crate::ui::panels::info::{PanelInfo, info};
use crate::ui::theme::{self, SPACE_M, UiExt as _, control};
use crate::ui::widgets::{NAV_LINK, grouped, nav_counted_link, nav_item, shown_short};

mod lines;
mod recent;
mod values;

use lines::{Heights, Line, Lines};

/// Below this window width, in points, the sidebar shows icons only.
const NARROW: f32 = 700.0;
/// Width of the sidebar with icons only, in points.
const SIGNS: f32 = 52.0;
/// The gap between two lines, in points.
const GAP: f32 = 2.0;
/// Indentation of what is not a link, in points.
const INDENT: f32 = 10.0;

/// Returns the width of the sidebar, in points.
pub(in crate::ui) fn width(ctx: &Context) -> f32 {
    if ctx.content_rect().width() < NARROW { SIGNS } else { theme::SIDEBAR }
}

/// The sidebar, and which of its groups are shown as a whole.
#[derive(Default)]
pub(in crate::ui) struct Sidebar {
    lines: Lines,
}

/// What a line needs of the frame.
struct LineFrame<'a> {
    state: &'a State,
    actions: &'a mut Vec<Action>,
}

/// A line that was drawn.
#[derive(Default)]
struct Drawn {
    /// The link, if it is one.
    link: Option<Response>,
    /// The button that unfolds it.
    toggle: Option<Response>,
    /// What was chosen.
    chosen: Option<Chosen>,
    /// The group that is to be shown as a whole, or not any more.
    toggled: Option<String>,
}

impl Drawn {
    fn of(link: Response) -> Self {
        Self { link: Some(link), ..Self::default() }
    }
}

impl Sidebar {
    /// Draws the sidebar; returns what was chosen in it that concerns the window rather than the inspector.
    pub(in crate::ui) fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Chosen> {
        let tokens = ui.tokens();
        let frame = Frame::new().fill(tokens.panel).inner_margin(Margin::symmetric(8, 10));
        let width = width(ui.ctx());
        let panel = egui::Panel::left("sidebar").exact_size(width).resizable(false).frame(frame);
        let drawn = panel.show(ui, |ui| {
            let area = ScrollArea::vertical().id_salt("sidebar").auto_shrink([false, false]);
            area.show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = GAP;
                panels_ui(ui, state, actions);
                if width == SIGNS {
                    return None;
                }
                keep_counted(ui, state, actions);
                self.lines_ui(ui, &mut LineFrame { state, actions })
            })
            .inner
        });
        drawn.inner
    }

    /// Draws the lines in sight.
    fn lines_ui(&mut self, ui: &mut Ui, frame: &mut LineFrame<'_>) -> Option<Chosen> {
        let heights = Heights { title: SPACE_M + control(ui) + GAP, link: NAV_LINK + GAP, note: control(ui) + GAP };
        self.lines.update(frame.state, heights);
        let (origin, width) = (ui.cursor().min, ui.available_width());
        let sight = ui.clip_rect().y_range();
        let (mut chosen, mut toggled, mut held) = (None, None, None);
        for index in self.lines.drawn(sight.min - origin.y..sight.max - origin.y) {
            let (line, edges) = self.lines.line(index);
            let top = pos2(origin.x, origin.y + edges.start);
            let rect = Rect::from_min_size(top, vec2(width, edges.end - edges.start - GAP));
            // An id of its own: others that are not drawn any more do not change it.
            let builder = UiBuilder::new().max_rect(rect).scope_id(ui.scope_id().with(("line", line.key())));
            let drawn = line_ui(&mut ui.new_child(builder), line, frame);
            for control in drawn.link.iter().chain(&drawn.toggle) {
                if is_held(control) {
                    held = Some(index);
                }
                if control.gained_focus() {
                    ui.scroll_to_rect(rect, None);
                }
            }
            if let Some((link, (place, count))) = drawn.link.zip(self.lines.place(index)) {
                ui.ctx().accesskit_node_builder(link.id, |node| {
                    node.set_position_in_set(place);
                    node.set_size_of_set(count);
                });
            }
            chosen = drawn.chosen.or(chosen);
            toggled = drawn.toggled.or(toggled);
        }
        ui.allocate_space(vec2(width, (self.lines.height() - GAP).max(0.0)));
        self.lines.held = held;
        if let Some(group) = toggled {
            self.lines.toggle(group);
        }
        chosen
    }
}

/// Whether a control has the focus, is dragged, or has its menu open.
fn is_held(control: &Response) -> bool {
    let Response { ctx, id, .. } = control;
    let has_menu = Popup::is_id_open(ctx, Popup::default_response_id(control));
    ctx.memory(|memory| memory.has_focus(*id)) || control.dragged() || has_menu
}

/// Draws the panels.
fn panels_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let builder = UiBuilder::new().accessibility_role(Role::TabList).accessibility_label("Panels");
    ui.scope_builder(builder, |ui| {
        // Those that are needed now and then are there while they are.
        let listed = |panel: &Panel| match panel {
            Panel::Rescue => state.rescue.is_begun() || state.navigation.panel == Panel::Rescue,
            Panel::Proposals => {
                let begun = state.proposals.is_begun() || state.assistants.list.count() > 0;
                begun || state.navigation.panel == Panel::Proposals
            }
            Panel::Sides => state.sides.is_begun() || state.navigation.panel == Panel::Sides,
            _ => true,
        };
        for panel in Panel::ALL.into_iter().filter(listed) {
            let PanelInfo { command, count, .. } = info(panel);
            let selected = state.navigation.panel == panel;
            let item = nav_item(ui, Some(command.row().icon), panel.name(), count(state), selected);
            if selected {
                focus::register_sidebar_entry(ui.ctx(), item.id);
            }
            // What is dragged over a panel is carried into it.
            let carried = matches!(panel, Panel::Assets | Panel::Links)
                && state.navigation.panel != panel
                && dragging::is_over(&item);
            if command.on(item, state).clicked() || carried {
                actions.push(NavigationAction::Show(panel).into());
            }
        }
    });
}

fn line_ui(ui: &mut Ui, line: &Line, frame: &mut LineFrame<'_>) -> Drawn {
    match line {
        Line::Title(title) => {
            ui.add_space(SPACE_M);
            ui.horizontal(|ui| {
                ui.add_space(INDENT);
                ui.section_title(title);
            });
            Drawn::default()
        }
        Line::Recent(asset) => recent::ui(ui, asset, frame.state, frame.actions).map(Drawn::of).unwrap_or_default(),
        Line::Saved(saved) => saved_ui(ui, saved, frame.state),
        Line::Value(value) => values::value_ui(ui, value, frame),
        Line::Folder(folder) => values::folder_ui(ui, folder, frame),
        Line::More(more) => values::more_ui(ui, more),
        Line::Others(others) => {
            ui.horizontal(|ui| {
                ui.add_space(INDENT);
                ui.caption(&format!("{} others with fewer assets", grouped(*others as u64)));
            });
            Drawn::default()
        }
    }
}

/// Draws a saved filter with how many assets it shows.
fn saved_ui(ui: &mut Ui, Saved { name, filter }: &Saved, state: &State) -> Drawn {
    let count = state.overview.summary.as_ref().and_then(|summary| summary.filters.get(name)).copied();
    let link = nav_counted_link(ui, name, count, false).on_hover_text(shown_short(filter, 200));
    let chosen = link.clicked().then(|| parse(filter, List::Assets).ok().map(Chosen::Filtered)).flatten();
    Drawn { chosen, ..Drawn::of(link) }
}
