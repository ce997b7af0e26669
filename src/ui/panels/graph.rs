//! The graph of links, as a picture and as a list.
//!
//! What must hold: everything that the picture can do can be done in the list, with the keyboard and with a screen
//! reader; links that a service does not report are marked as unknown.

use std::borrow::Cow;

use egui::{Align, Layout, Ui};

use crate::ui::list::failure::{failure_ui, stale_ui};
use crate::ui::list::split::{Beside, PagesWidth, Split, SplitPart};
use crate::ui::panels::applications::labels;
use crate::ui::raster::Pictures;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::{plural, shown_short};
use canvas::Canvas;
use lunette_inspector::action::{ApplicationsAction, AssetsAction, GraphAction, LinksAction, NavigationAction};
use lunette_inspector::graph::{Graph, Node, NodeKey, NodeKind, Shown, Start, drawing, mermaid};
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::{Action, Remote, State};
use marks::Marks;
use nodes::NodeList;

mod camera;
mod canvas;
mod details;
mod filters;
mod gesture;
mod marks;
mod node_menu;
mod nodes;
mod paint;

/// Width of the list beside the picture until the user changes it, in points.
const SIDE: f32 = 310.0;
/// Below this width, in points, the title is the name alone.
const NARROW_TITLE: f32 = 460.0;

/// The panel and its view state.
#[derive(Default)]
pub struct GraphPanel {
    canvas: Canvas,
    nodes: NodeList,
    marks: Marks,
    pictures: Pictures,
    side: PagesWidth,
    /// The number of the shown graph.
    generation: u64,
    /// Whether it has been drawn.
    drawn: bool,
}

impl GraphPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        if self.generation != state.graph.generation {
            self.generation = state.graph.generation;
            (self.marks, self.drawn) = (Marks::default(), false);
        }
        actions.extend(self.pictures.receive(ui.ctx()).map(|picture| Action::Graph(GraphAction::SavePng(picture))));
        let shown = state.graph.shown.value().cloned();
        if let Some(shown) = &shown {
            self.marks.sync(&shown.graph);
            if !std::mem::replace(&mut self.drawn, true) {
                self.canvas.fit = true;
                self.marks.selected = shown.graph.nodes.first().map(|node| node.key.clone());
            }
        }
        // The picture needs the room more than the list.
        let split = Split { name: "graph", usual: Some(SIDE), state };
        let mut side = self.side;
        split.show(ui, Beside::page(shown.is_some()), &mut side, actions, |ui, part, actions| match (part, &shown) {
            (SplitPart::Page, Some(shown)) => self.side_ui(ui, state, shown, actions),
            (SplitPart::Page | SplitPart::SecondPage, _) => {}
            (SplitPart::List, shown) => self.picture_ui(ui, state, shown.as_deref(), actions),
        });
        self.side = side;
    }

    fn picture_ui(&mut self, ui: &mut Ui, state: &State, shown: Option<&Shown>, actions: &mut Vec<Action>) {
        self.head_ui(ui, state, shown, actions);
        if let Some(error) = state.graph.shown.error().filter(|_| shown.is_some())
            && stale_ui(ui, "The graph", error)
        {
            actions.push(GraphAction::Reload.into());
        }
        let Some(shown) = shown else { return without_graph_ui(ui, state, actions) };
        filters::ui(ui, state, &shown.graph, actions);
        ui.add_space(SPACE_S);
        for note in &shown.graph.notes {
            ui.caption(note);
        }
        if shown.graph.edges.is_empty() {
            ui.caption("The start of the graph has no known links, or the filter hides them.");
        }
        if let Some(key) = self.canvas.ui(ui, state, shown, &mut self.marks, actions) {
            actions.extend(page_of(&key, &shown.graph));
        }
        self.nodes.follow(&self.marks);
    }

    fn head_ui(&mut self, ui: &mut Ui, state: &State, shown: Option<&Shown>, actions: &mut Vec<Action>) {
        let narrow = ui.available_width() < NARROW_TITLE;
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if let Some(shown) = shown {
                    self.tools_ui(ui, state, shown, actions);
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let name = shown_short(&state.graph.title(), 80).into_owned();
                    let alone = narrow || state.graph.start.is_empty();
                    let title = if alone { name } else { format!("Graph of {name}") };
                    ui.add(egui::Label::new(egui::RichText::new(title).heading()).truncate());
                });
            });
        });
        ui.add_space(SPACE_S);
    }

    /// Draws the tools at the right, from right to left.
    fn tools_ui(&mut self, ui: &mut Ui, state: &State, shown: &Shown, actions: &mut Vec<Action>) {
        if ui.icon_button(Icon::REFRESH, "Refresh the graph").clicked() {
            actions.push(Action::Refresh(Panel::Graph));
        }
        ui.icon_menu(Icon::EXPORT, "Save or copy the graph", |ui| {
            ui.set_width(190.0);
            self.save_ui(ui, state, shown, actions);
        });
        if ui.icon_button(Icon::FIT, "Show the whole graph").clicked() {
            self.canvas.fit = true;
            ui.ctx().request_repaint();
        }
        let tip = "Lays out all nodes again, including pinned ones";
        if ui.icon_button_with(Icon::SAMPLES, "Arrange the graph", tip).clicked() {
            actions.push(GraphAction::Arrange.into());
        }
        let lasso = ui.toggle_icon_button(Icon::LASSO, "Mark nodes with a lasso", self.canvas.lasso);
        if lasso.clicked() {
            self.canvas.lasso = !self.canvas.lasso;
        }
    }

    fn save_ui(&mut self, ui: &mut Ui, state: &State, shown: &Shown, actions: &mut Vec<Action>) {
        if ui.icon_text_button(Icon::SAVE, "Save as SVG…").clicked() {
            actions.push(GraphAction::SaveSvg.into());
            ui.close();
        }
        if ui.icon_text_button(Icon::PICTURE, "Save as PNG…").clicked() {
            if let Some(shown) = state.graph.shown.value() {
                let shown = std::sync::Arc::clone(shown);
                self.pictures.ask(move || drawing(&shown));
                ui.ctx().request_repaint();
            }
            ui.close();
        }
        if ui.icon_text_button(Icon::COPY, "Copy as Mermaid").clicked() {
            ui.ctx().copy_text(mermaid(&shown.graph));
            actions.push(Action::Notify("Copied the graph as Mermaid".to_owned()));
            ui.close();
        }
    }

    fn side_ui(&mut self, ui: &mut Ui, state: &State, shown: &Shown, actions: &mut Vec<Action>) {
        if !self.marks.marked.is_empty() {
            details::marked_ui(ui, state, &shown.graph, &mut self.marks, actions);
        }
        let before = self.marks.selected.clone();
        let room = (ui.available_height() * 0.45).max(140.0);
        let opened = self.nodes.ui(ui, state, &shown.graph, room, &mut self.marks, actions);
        ui.add_space(SPACE_S);
        ui.line();
        ui.add_space(SPACE_S);
        if let Some(key) = self.marks.selected.clone() {
            let height = ui.available_height();
            egui::ScrollArea::vertical().id_salt("node").auto_shrink(false).show(ui, |ui| {
                details::ui(ui, state, &shown.graph, (&key, height), &mut self.marks, actions);
            });
        } else {
            ui.muted("Select a node to see what it is linked to.");
        }
        if self.marks.selected != before {
            self.canvas.reveal = true;
            ui.ctx().request_repaint();
        }
        if let Some(key) = opened {
            match &key {
                NodeKey::More(of) => actions.push(GraphAction::Open(NodeKey::clone(of)).into()),
                key => actions.extend(page_of(key, &shown.graph)),
            }
        }
    }
}

/// Draws why there is no graph, and what to do.
fn without_graph_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    match (&state.graph.shown, &state.connection.status) {
        (Remote::Failed { error, .. }, _) if error.missing() => {
            let advice = format!("It responded: {}. Everything else still works.", error.reason());
            if empty(ui, Icon::UNCONNECTED, "Not offered by this service", &advice, &["Ask again"]).is_some() {
                actions.push(GraphAction::Reload.into());
            }
        }
        (Remote::Failed { error, .. }, _) => {
            if failure_ui(ui, "The graph could not be read", error) {
                actions.push(GraphAction::Reload.into());
            }
        }
        (Remote::NotRequested, Status::Down(problem)) if !state.graph.start.is_empty() => {
            empty(ui, Icon::UNCONNECTED, "No service responds", problem, &[]);
        }
        (Remote::Loading { .. }, _) => skeleton(ui, "the graph", 8),
        (Remote::NotRequested | Remote::Known(_), _) => {
            let advice = "Choose “Show graph” on an asset, an application, a tag, a website or a summary, or on several \
                          selected assets.";
            // The open asset is in another panel, so the button names it.
            let start = open_asset(state);
            let button = match &start {
                Some(start) => format!("Show graph of “{}”", shown_short(&start.name, 40)),
                None => "Go to Assets".to_owned(),
            };
            if empty(ui, Icon::GRAPH, "No graph yet", advice, &[&button]).is_some() {
                actions.push(match start {
                    Some(start) => GraphAction::Start(vec![start]).into(),
                    None => NavigationAction::Show(Panel::Assets).into(),
                });
            }
        }
    }
}

/// Returns the open asset, with which a first graph can begin.
fn open_asset(state: &State) -> Option<Start> {
    let (id, page) = state.page()?;
    let record = page.record.value()?;
    let name = lunette_client::model::record::Record::view(&**record).name().filter(|name| !name.is_empty());
    Some(Start::asset(id.clone(), name.unwrap_or(id.as_str())))
}

/// Returns the actions that show the page of a node.
fn page_of(key: &NodeKey, graph: &Graph) -> Vec<Action> {
    match key {
        NodeKey::Asset(id) => vec![AssetsAction::Open(id.clone()).into()],
        NodeKey::Item(kind, _) => {
            let item = graph.node(key).and_then(lunette_inspector::graph::Node::item);
            let open = item.map(|item| Action::Links(LinksAction::Open(item)));
            let show = [NavigationAction::Show(Panel::Links).into(), LinksAction::Show(*kind).into()];
            show.into_iter().chain(open).collect()
        }
        NodeKey::Application(id) => {
            vec![NavigationAction::Show(Panel::Applications).into(), ApplicationsAction::Open(id.clone()).into()]
        }
        NodeKey::More(_) => Vec::new(),
    }
}

/// Returns the label of a node: its kind, name and number of links.
fn described(graph: &Graph, index: usize) -> String {
    let node = &graph.nodes[index];
    let links = graph.neighbours(index).filter(|other| graph.nodes[*other].key.kind() != NodeKind::More).count();
    let links = plural(links, "link");
    match &node.key {
        NodeKey::More(of) => {
            let of = graph.node(of).map(|node| node.name.as_str()).unwrap_or_default();
            format!("{} of {}", node.name, shown_short(of, 60))
        }
        key => format!("{} {}, {links}", key.kind().one(), shown_short(&name_of(node), 80)),
    }
}

/// Returns the display name of a node: enum values for applications are made readable.
fn name_of(node: &Node) -> Cow<'_, str> {
    match &node.key {
        NodeKey::Application(_) => Cow::Owned(labels::application(&node.name)),
        NodeKey::Asset(_) | NodeKey::Item(..) | NodeKey::More(_) => Cow::Borrowed(&node.name),
    }
}
