//! Pointer gestures in the picture of the graph: pan, drag a node, lasso.

use egui::{Pos2, Rect, Response, pos2};

use super::camera::Camera;
use super::paint::REACH;
use lunette_inspector::graph::{Graph, NodeKey, Shown};

/// The maximum distance at which the pointer hits a link, in points of the screen.
const NEAR: f32 = 5.0;

/// The gesture while a button is held.
#[derive(Clone, Debug, Default)]
pub(super) enum Gesture {
    #[default]
    None,
    /// The view follows the pointer.
    Pan,
    /// A node is dragged: onto another node to link it, anywhere else to pin it.
    Pull(NodeKey),
    /// A line around nodes, in points of the graph.
    Lasso(Vec<Pos2>),
}

/// Returns the node at a point of the screen.
pub(super) fn node_at(shown: &Shown, camera: &Camera, rect: Rect, at: Pos2) -> Option<usize> {
    let at = camera.graph(rect, at);
    // The hit area of small nodes is larger than they look.
    let reach = (REACH * 1.15).max(11.0 / camera.zoom);
    let far = |position: &[f32; 2]| (pos2(position[0], position[1]) - at).length();
    let near = shown.positions.iter().enumerate().filter(|(_, position)| far(position) <= reach);
    near.min_by(|(_, one), (_, other)| far(one).total_cmp(&far(other))).map(|(index, _)| index)
}

/// Returns the link at a point of the screen.
pub(super) fn edge_at(shown: &Shown, camera: &Camera, rect: Rect, at: Pos2) -> Option<usize> {
    let on_screen = |index: usize| {
        let [x, y] = shown.positions.get(index).copied().unwrap_or_default();
        camera.screen(rect, pos2(x, y))
    };
    let far = |index: usize| {
        let edge = shown.graph.edges[index];
        distance(at, on_screen(edge.from), on_screen(edge.to))
    };
    let near = (0..shown.graph.edges.len()).filter(|index| far(*index) <= NEAR);
    near.min_by(|one, other| far(*one).total_cmp(&far(*other)))
}

fn distance(at: Pos2, from: Pos2, to: Pos2) -> f32 {
    let (line, along) = (to - from, at - from);
    let share = (along.dot(line) / line.length_sq().max(0.001)).clamp(0.0, 1.0);
    (along - line * share).length()
}

/// Returns the nodes inside a closed line.
pub(super) fn within(graph: &Graph, positions: &[[f32; 2]], line: &[Pos2]) -> Vec<NodeKey> {
    let inside = |at: Pos2| {
        let sides = line.iter().zip(line.iter().cycle().skip(1));
        let crossed = sides.filter(|(one, other)| {
            (one.y > at.y) != (other.y > at.y) && at.x < (other.x - one.x) * (at.y - one.y) / (other.y - one.y) + one.x
        });
        crossed.count() % 2 == 1
    };
    let nodes = graph.nodes.iter().zip(positions);
    nodes.filter(|(_, [x, y])| inside(pos2(*x, *y))).map(|(node, _)| node.key.clone()).collect()
}

/// Returns where the button was pressed.
pub(super) fn pressed_at(response: &Response) -> Option<Pos2> {
    response.ctx.input(|input| input.pointer.press_origin()).or(response.interact_pointer_pos())
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::vec2;
    use lunette_inspector::change::LinkKind;
    use lunette_inspector::graph::{Edge, Node, ReadState};

    fn shown() -> Shown {
        let node = |id: &str| Node {
            key: NodeKey::Item(LinkKind::Tag, id.to_owned()),
            name: id.to_owned(),
            url: None,
            language: String::new(),
            updated: String::new(),
            hop: 0,
            read: ReadState::Read,
            more: 0,
        };
        let graph = Graph {
            nodes: vec![node("a"), node("b"), node("c")],
            edges: vec![Edge { from: 0, to: 1 }],
            notes: Vec::new(),
        };
        Shown { graph, positions: vec![[0.0, 0.0], [200.0, 0.0], [0.0, 200.0]] }
    }

    #[test]
    fn nodes_and_links_are_hit_by_the_pointer() {
        let (shown, camera) = (shown(), Camera::default());
        let rect = Rect::from_center_size(Pos2::ZERO, vec2(800.0, 600.0));
        let at = |x: f32, y: f32| pos2(x, y);
        assert_eq!(node_at(&shown, &camera, rect, at(195.0, 6.0)), Some(1));
        assert_eq!(node_at(&shown, &camera, rect, at(100.0, 0.0)), None);
        assert_eq!(edge_at(&shown, &camera, rect, at(100.0, 3.0)), Some(0));
        assert_eq!(edge_at(&shown, &camera, rect, at(100.0, 30.0)), None);
    }

    #[test]
    fn a_lasso_finds_the_nodes_inside() {
        let shown = shown();
        let line = [pos2(-50.0, -50.0), pos2(50.0, -50.0), pos2(50.0, 250.0), pos2(-50.0, 250.0)];
        let found: Vec<_> =
            within(&shown.graph, &shown.positions, &line).iter().map(|key| key.id().to_owned()).collect();
        assert_eq!(found, ["a", "c"]);
        assert!(within(&shown.graph, &shown.positions, &[]).is_empty());
    }
}
