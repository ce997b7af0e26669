//! The picture of the graph.
//!
//! What must hold: nothing is animated, so that no frame is drawn while idle; a drag from one node to another requests
//! one change; everything that can be done here can be done in the list too.

use egui::{Key, Modifiers, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, accesskit::Role, pos2, vec2};

use super::camera::{Camera, bounds};
use super::described;
use super::gesture::{Gesture, edge_at, node_at, pressed_at, within};
use super::marks::Marks;
use super::node_menu;
use super::paint::{self, Highlight};
use crate::ui::app_icon;
use crate::ui::focus;
use crate::ui::theme::{Icon, Tokens};
use crate::ui::widgets::context_menu::{context_menu, entry};
use crate::ui::widgets::shown_short;
use lunette_inspector::action::GraphAction;
use lunette_inspector::graph::{Linkable, Node, NodeKey, NodeKind, Shown, linkable};
use lunette_inspector::{Action, State};

/// How far the arrow keys move the picture, in points of the screen.
const STEP: f32 = 60.0;
/// One step of the zoom by a key.
const ZOOM_STEP: f32 = 1.25;
/// The size of the minimap.
const MINIMAP: egui::Vec2 = vec2(150.0, 96.0);

/// The picture and its view state.
#[derive(Default)]
pub(super) struct Canvas {
    camera: Camera,
    gesture: Gesture,
    /// Whether a drag on the background marks nodes instead of panning.
    pub lasso: bool,
    /// Whether to fit the graph into the view when it is next drawn.
    pub fit: bool,
    /// Whether to scroll to the selected node.
    pub reveal: bool,
    /// The node of the open menu; `None` for the menu of the picture.
    menu_of: Option<NodeKey>,
}

impl Canvas {
    /// Draws the picture into the available space; returns the node whose page to open.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        shown: &Shown,
        marks: &mut Marks,
        actions: &mut Vec<Action>,
    ) -> Option<NodeKey> {
        let (rect, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
        let response = ui.interact(rect, ui.make_persistent_id("graph"), Sense::click_and_drag());
        let (nodes, links) = shown.graph.counts();
        let name = format!("Graph of {nodes} nodes and {links} links; the list beside it has the same content");
        response.widget_info(|| egui::WidgetInfo::labeled(Role::Canvas, true, &name));
        if std::mem::take(&mut self.fit) {
            self.camera.fit(rect, bounds(&shown.positions));
        }
        if std::mem::take(&mut self.reveal)
            && let Some(index) = marks.selected.as_ref().and_then(|key| shown.graph.index_of(key))
        {
            let [x, y] = shown.positions[index];
            self.camera.reveal(rect, pos2(x, y));
        }
        self.keys(ui, &response, marks, actions);
        self.wheel(ui, &response);
        self.drags(&response, rect, shown, marks, actions);
        let wanted = self.clicks(&response, rect, shown, marks, actions);
        self.menu(&response, rect, state, shown, marks, actions);
        self.name_nodes(ui, &response, rect, shown);
        self.paint(ui, &response, rect, state, shown, marks);
        wanted
    }

    /// Draws the menu of the node or link at the pointer, or of the selection if it was opened with the keyboard.
    fn menu(
        &mut self,
        response: &Response,
        rect: Rect,
        state: &State,
        shown: &Shown,
        marks: &mut Marks,
        actions: &mut Vec<Action>,
    ) {
        let graph = &shown.graph;
        if let Some(at) = response.interact_pointer_pos().filter(|_| response.secondary_clicked()) {
            response.request_focus();
            let key = |index: usize| graph.nodes[index].key.clone();
            let node = node_at(shown, &self.camera, rect, at).map(key);
            let edge = edge_at(shown, &self.camera, rect, at).filter(|_| node.is_none());
            let edge = edge.map(|index| (key(graph.edges[index].from), key(graph.edges[index].to)));
            (marks.selected, marks.edge) = (node, edge);
        }
        if response.secondary_clicked() || !context_menu_is_open(response) {
            self.menu_of.clone_from(&marks.selected);
        }
        let name = match self.menu_of.as_ref().and_then(|key| graph.index_of(key)) {
            Some(index) => format!("Menu of {}", described(graph, index)),
            None => "Menu of the graph".to_owned(),
        };
        let key = self.menu_of.clone();
        context_menu(response, &name, |ui| match (&key, &marks.edge) {
            (Some(key), _) => node_menu::ui(ui, state, graph, key, marks, actions),
            (None, Some((from, to))) => {
                if entry(ui, Icon::UNLINK, "Remove the link") {
                    actions.push(GraphAction::Unlink(from.clone(), to.clone()).into());
                }
            }
            (None, None) => {
                if entry(ui, Icon::FIT, "Show the whole graph") {
                    self.fit = true;
                    ui.ctx().request_repaint();
                }
            }
        });
    }

    /// Exposes the visible nodes to assistive technology; keyboard users use the list beside the picture.
    fn name_nodes(&self, ui: &mut Ui, response: &Response, rect: Rect, shown: &Shown) {
        let builder = egui::UiBuilder::new().id_salt("nodes").max_rect(rect).accessibility_parent(response.id);
        let ui = ui.new_child(builder);
        for (index, [x, y]) in shown.positions.iter().enumerate() {
            let middle = self.camera.screen(rect, pos2(*x, *y));
            if rect.contains(middle) {
                let size = egui::Vec2::splat(2.0 * paint::REACH * self.camera.zoom);
                let id = response.id.with(&shown.graph.nodes[index].key);
                let node = ui.interact(Rect::from_center_size(middle, size), id, Sense::hover());
                let name = described(&shown.graph, index);
                node.widget_info(|| egui::WidgetInfo::labeled(Role::GraphicsObject, true, &name));
            }
        }
    }

    fn keys(&mut self, ui: &Ui, response: &Response, marks: &mut Marks, actions: &mut Vec<Action>) {
        if !focus::receives_keys(ui.ctx(), response.id) {
            return;
        }
        let arrows =
            egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..egui::EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        for (key, by) in [
            (Key::ArrowLeft, vec2(STEP, 0.0)),
            (Key::ArrowRight, vec2(-STEP, 0.0)),
            (Key::ArrowUp, vec2(0.0, STEP)),
            (Key::ArrowDown, vec2(0.0, -STEP)),
        ] {
            if pressed(key) {
                self.camera.pan(by);
            }
        }
        let middle = response.rect.center();
        if pressed(Key::Plus) || pressed(Key::Equals) {
            self.camera.zoom_at(response.rect, middle, ZOOM_STEP);
        }
        if pressed(Key::Minus) {
            self.camera.zoom_at(response.rect, middle, 1.0 / ZOOM_STEP);
        }
        if pressed(Key::Num0) {
            self.fit = true;
            ui.ctx().request_repaint();
        }
        if pressed(Key::Delete)
            && let Some((from, to)) = marks.edge.take()
        {
            actions.push(GraphAction::Unlink(from, to).into());
        }
    }

    fn wheel(&mut self, ui: &Ui, response: &Response) {
        let Some(at) = response.hover_pos() else { return };
        let (scrolled, pinched) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = pinched * (scrolled / 240.0).exp();
        if factor != 1.0 {
            self.camera.zoom_at(response.rect, at, factor);
        }
    }

    fn drags(&mut self, response: &Response, rect: Rect, shown: &Shown, marks: &mut Marks, actions: &mut Vec<Action>) {
        if response.drag_started() {
            response.request_focus();
            let from = pressed_at(response).unwrap_or(rect.center());
            let node = node_at(shown, &self.camera, rect, from).map(|index| &shown.graph.nodes[index].key);
            let marks_around = self.lasso || response.ctx.input(|input| input.modifiers.shift);
            self.gesture = match node.filter(|key| key.kind() != NodeKind::More) {
                Some(key) => Gesture::Pull(key.clone()),
                None if marks_around => Gesture::Lasso(vec![self.camera.graph(rect, from)]),
                None => Gesture::Pan,
            };
        }
        let pointer = response.interact_pointer_pos();
        match (&mut self.gesture, pointer) {
            (Gesture::Pan, _) => self.camera.pan(response.drag_delta()),
            (Gesture::Lasso(line), Some(at)) => line.push(self.camera.graph(rect, at)),
            (Gesture::Lasso(_) | Gesture::Pull(_) | Gesture::None, _) => {}
        }
        if response.drag_stopped() {
            match (std::mem::take(&mut self.gesture), pointer) {
                (Gesture::Pull(key), Some(at)) => self.drop_node(key, at, rect, shown, actions),
                (Gesture::Lasso(line), _) => {
                    let found = within(&shown.graph, &shown.positions, &line);
                    marks.marked.extend(found.into_iter().filter(|key| key.kind() != NodeKind::More));
                }
                (Gesture::Pan | Gesture::Pull(_) | Gesture::None, _) => {}
            }
        }
    }

    fn drop_node(&self, key: NodeKey, at: Pos2, rect: Rect, shown: &Shown, actions: &mut Vec<Action>) {
        let target = node_at(shown, &self.camera, rect, at).map(|index| &shown.graph.nodes[index].key);
        match target {
            // Dropped on itself: nothing to do.
            Some(target) if *target == key => {}
            Some(target) => actions.push(GraphAction::Link(key, target.clone()).into()),
            None => actions.push(GraphAction::Pin(key, self.camera.graph(rect, at).into()).into()),
        }
    }

    fn clicks(
        &self,
        response: &Response,
        rect: Rect,
        shown: &Shown,
        marks: &mut Marks,
        actions: &mut Vec<Action>,
    ) -> Option<NodeKey> {
        let at = response.interact_pointer_pos().filter(|_| response.clicked())?;
        response.request_focus();
        let Some(index) = node_at(shown, &self.camera, rect, at) else {
            let edge = edge_at(shown, &self.camera, rect, at).map(|index| shown.graph.edges[index]);
            let key = |index: usize| shown.graph.nodes[index].key.clone();
            marks.selected = None;
            marks.edge = edge.map(|edge| (key(edge.from), key(edge.to)));
            return None;
        };
        let key = &shown.graph.nodes[index].key;
        if let NodeKey::More(of) = key {
            actions.push(GraphAction::Open(NodeKey::clone(of)).into());
            return None;
        }
        if response.ctx.input(|input| input.modifiers.command) {
            marks.toggle(key);
        }
        marks.select(key.clone());
        response.double_clicked().then(|| key.clone())
    }

    fn paint(&self, ui: &Ui, response: &Response, rect: Rect, state: &State, shown: &Shown, marks: &Marks) {
        let (t, painter) = (Tokens::of(ui), ui.painter().with_clip_rect(rect));
        painter.rect_filled(rect, 6.0, t.background);
        let at = |index: usize| {
            let [x, y] = shown.positions.get(index).copied().unwrap_or_default();
            self.camera.screen(rect, pos2(x, y))
        };
        let hovered = response.hover_pos().and_then(|at| node_at(shown, &self.camera, rect, at));
        for edge in &shown.graph.edges {
            let (from, to) = (&shown.graph.nodes[edge.from], &shown.graph.nodes[edge.to]);
            let selected = marks.edge.as_ref().is_some_and(|(one, other)| (one, other) == (&from.key, &to.key));
            let near = |key: &NodeKey| marks.selected.as_ref() == Some(key);
            let strong = selected || near(&from.key) || near(&to.key);
            paint::edge(&painter, t, [at(edge.from), at(edge.to)], to.key.kind() == NodeKind::More, strong);
        }
        for (index, node) in shown.graph.nodes.iter().enumerate() {
            let middle = at(index);
            if rect.expand(60.0).contains(middle) {
                let highlight = Highlight {
                    selected: marks.selected.as_ref() == Some(&node.key),
                    marked: marks.marked.contains(&node.key),
                    hovered: hovered == Some(index),
                    pinned: state.graph.is_pinned(&node.key),
                    start: node.hop == 0,
                };
                let mut own = |rect: Rect| match &node.key {
                    NodeKey::Application(id) => {
                        app_icon::picture(ui.ctx(), &painter, rect, app_icon::path_of_tracked(state, id), state)
                    }
                    NodeKey::Asset(_) | NodeKey::Item(..) | NodeKey::More(_) => false,
                };
                paint::node(&painter, t, node, middle, self.camera.zoom, highlight, &mut own);
            }
        }
        self.paint_gesture(&painter, t, response, rect, shown);
        self.paint_minimap(&painter, t, rect, shown);
        if let (Some(index), Gesture::None) = (hovered, &self.gesture) {
            response.clone().on_hover_text_at_pointer(tooltip(&shown.graph.nodes[index], state));
        }
    }

    fn paint_gesture(&self, painter: &egui::Painter, t: &Tokens, response: &Response, rect: Rect, shown: &Shown) {
        match (&self.gesture, response.interact_pointer_pos()) {
            (Gesture::Pull(key), Some(to)) => {
                let Some(index) = shown.graph.index_of(key) else { return };
                let [x, y] = shown.positions[index];
                let (hint, good) = self.drop_hint(key, to, rect, shown);
                paint::dragged(painter, t, self.camera.screen(rect, pos2(x, y)), to, &hint, good);
            }
            (Gesture::Lasso(line), _) => {
                let line: Vec<_> = line.iter().map(|at| self.camera.screen(rect, *at)).collect();
                painter.add(Shape::line(line, Stroke::new(1.5, t.accent)));
            }
            _ => {}
        }
    }

    /// Returns what dropping the node here does, and whether it changes a link.
    fn drop_hint(&self, key: &NodeKey, at: Pos2, rect: Rect, shown: &Shown) -> (String, bool) {
        let Some(index) = node_at(shown, &self.camera, rect, at) else { return ("Pin here".to_owned(), false) };
        let target = &shown.graph.nodes[index];
        if target.key == *key {
            return ("Drop on another node to link them".to_owned(), false);
        }
        match linkable(&shown.graph, key, &target.key) {
            Linkable::Yes(_, item) => (format!("Link {} “{}”", item.kind.one(), shown_short(item.name(), 40)), true),
            Linkable::Linked(..) => ("Already linked".to_owned(), false),
            Linkable::No(why) => (why.to_owned(), false),
        }
    }

    fn paint_minimap(&self, painter: &egui::Painter, t: &Tokens, rect: Rect, shown: &Shown) {
        let (all, in_sight) = (bounds(&shown.positions), self.camera.in_sight(rect));
        if let Some(minimap) = minimap_rect(rect, all, in_sight) {
            paint::minimap(painter, t, minimap, all, in_sight, &shown.positions);
        }
    }
}

/// Returns the name of a node; that of an asset after the folder that it was imported from.
fn tooltip(node: &Node, state: &State) -> String {
    let folder = node.key.asset().and_then(|id| state.assets.folder_of(id));
    let path = folder.map_or_else(|| node.name.clone(), |folder| format!("{folder}/{}", node.name));
    shown_short(&path, 200).into_owned()
}

/// Returns where to draw the minimap, or `None` if everything is visible or it would cover too much.
fn minimap_rect(rect: Rect, all: Rect, in_sight: Rect) -> Option<Rect> {
    let fits = rect.width() >= MINIMAP.x * 2.0 && rect.height() >= MINIMAP.y * 2.0;
    let corner = rect.right_bottom() - vec2(8.0, 8.0);
    (fits && !in_sight.contains_rect(all)).then(|| Rect::from_min_max(corner - MINIMAP, corner))
}

fn context_menu_is_open(response: &Response) -> bool {
    egui::Popup::is_id_open(&response.ctx, egui::Popup::default_response_id(response))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_minimap_is_drawn_only_if_the_graph_does_not_fit_and_there_is_room() {
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(800.0, 600.0));
        let (small, large) = (Rect::from_center_size(Pos2::ZERO, vec2(100.0, 100.0)), rect.expand(500.0));
        assert_eq!(minimap_rect(rect, small, small.expand(1.0)), None, "everything is in sight");
        let minimap = minimap_rect(rect, large, small).expect("a minimap");
        assert!(rect.contains_rect(minimap) && minimap.size() == MINIMAP);
        let narrow = Rect::from_min_max(pos2(0.0, 0.0), pos2(250.0, 600.0));
        assert_eq!(minimap_rect(narrow, large, small), None);
    }
}
