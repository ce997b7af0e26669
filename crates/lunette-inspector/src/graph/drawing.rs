//! A graph as lines, outlines and texts, for files.
//!
//! What must hold: the outline of a node shows its kind, not its colour alone.
//!
//! Our choice: a picture in a file has light colours whatever the theme, since it is used in documents.

use super::node::{Node, NodeKind, ReadState};
use super::state::Shown;
use lunette_client::model::display::{Breaks, beginning, display_text};

type Point = [f32; 2];

/// An element of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A link; dashed if it leads to neighbours that are not drawn.
    Line {
        /// One end.
        from: Point,
        /// The other.
        to: Point,
        /// Whether it is dashed.
        dashed: bool,
    },
    /// The outline of a node.
    Shape {
        /// Its corners.
        corners: Vec<Point>,
        /// Its colour: red, green, blue.
        fill: [u8; 3],
        /// Whether its links were not read, or not reported.
        dashed: bool,
    },
    /// A text, horizontally centred.
    Text {
        /// The centre of its baseline.
        at: Point,
        /// The text, on one line.
        text: String,
        /// The height of its letters.
        size: f32,
    },
}

/// A picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Its width, in points.
    pub width: f32,
    /// Its height.
    pub height: f32,
    /// The elements, from back to front.
    pub marks: Vec<Mark>,
}

/// The outline of a kind of node, so that kinds differ without colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outline {
    /// A square with cut corners.
    Square,
    /// A tag that points to the left.
    Tag,
    /// A circle.
    Circle,
    /// A page with a cut corner.
    Page,
    /// A hexagon.
    Hexagon,
    /// A small circle.
    Dot,
}

/// The margin.
const MARGIN: f32 = 80.0;
/// The height of the legend.
const LEGEND: f32 = 44.0;
/// The radius of a node.
const REACH: f32 = 17.0;
/// The maximum number of characters of a name below its node.
const MAX_NAME_LENGTH: usize = 24;

/// Returns the outline of a kind.
pub fn shape_of(kind: NodeKind) -> Outline {
    match kind {
        NodeKind::Asset => Outline::Square,
        NodeKind::Tag => Outline::Tag,
        NodeKind::Website => Outline::Circle,
        NodeKind::Summary => Outline::Page,
        NodeKind::Application => Outline::Hexagon,
        NodeKind::More => Outline::Dot,
    }
}

/// Returns the corners of an outline around a point.
pub fn outline(outline: Outline, [x, y]: Point, reach: f32) -> Vec<Point> {
    let corners: &[Point] = match outline {
        Outline::Square => {
            &[[-0.7, -1.0], [0.7, -1.0], [1.0, -0.7], [1.0, 0.7], [0.7, 1.0], [-0.7, 1.0], [-1.0, 0.7], [-1.0, -0.7]]
        }
        Outline::Tag => &[[-1.3, 0.0], [-0.6, -0.9], [1.0, -0.9], [1.0, 0.9], [-0.6, 0.9]],
        Outline::Page => &[[-0.85, -1.05], [0.4, -1.05], [0.85, -0.6], [0.85, 1.05], [-0.85, 1.05]],
        Outline::Hexagon => &[[-1.15, 0.0], [-0.6, -1.0], [0.6, -1.0], [1.15, 0.0], [0.6, 1.0], [-0.6, 1.0]],
        Outline::Circle | Outline::Dot => {
            let reach = if outline == Outline::Dot { reach * 0.72 } else { reach * 1.05 };
            let corner = |corner: u8| {
                let angle = std::f32::consts::TAU * f32::from(corner) / 32.0;
                [x + reach * angle.cos(), y + reach * angle.sin()]
            };
            return (0..32).map(corner).collect();
        }
    };
    corners.iter().map(|[right, down]| [x + right * reach, y + down * reach]).collect()
}

/// Returns the graph as a drawing.
pub fn drawing(shown: &Shown) -> Drawing {
    let Some((least, most)) = bounds(&shown.positions) else { return Drawing::default() };
    let moved = |index: usize| {
        let [x, y] = shown.positions.get(index).copied().unwrap_or_default();
        [x - least[0] + MARGIN, y - least[1] + MARGIN]
    };
    let legend = legend_kinds(&shown.graph.nodes);
    let width = (most[0] - least[0] + 2.0 * MARGIN).max(legend.len() as f32 * 130.0 + 40.0);
    let height = most[1] - least[1] + 2.0 * MARGIN + LEGEND;
    let mut marks = Vec::new();
    for edge in &shown.graph.edges {
        let dashed = shown.graph.nodes.get(edge.to).is_some_and(|node| node.key.kind() == NodeKind::More);
        marks.push(Mark::Line { from: moved(edge.from), to: moved(edge.to), dashed });
    }
    for (index, node) in shown.graph.nodes.iter().enumerate() {
        node_marks(node, moved(index), &mut marks);
    }
    for (index, kind) in legend.into_iter().enumerate() {
        let (x, y) = (40.0 + index as f32 * 130.0, height - LEGEND / 2.0);
        let corners = outline(shape_of(kind), [x, y], 8.0);
        marks.push(Mark::Shape { corners, fill: fill(kind), dashed: false });
        marks.push(Mark::Text { at: [x + 54.0, y + 4.0], text: kind.many().to_owned(), size: 12.0 });
    }
    Drawing { width, height, marks }
}

fn node_marks(node: &Node, at: Point, marks: &mut Vec<Mark>) {
    let kind = node.key.kind();
    let dashed = kind != NodeKind::More && node.read != ReadState::Read;
    marks.push(Mark::Shape { corners: outline(shape_of(kind), at, REACH), fill: fill(kind), dashed });
    let name = display_text(beginning(&node.name, MAX_NAME_LENGTH).as_ref(), Breaks::Spaced).into_owned();
    marks.push(Mark::Text { at: [at[0], at[1] + REACH + 15.0], text: name, size: 11.0 });
}

fn legend_kinds(nodes: &[Node]) -> Vec<NodeKind> {
    NodeKind::ALL.into_iter().filter(|kind| nodes.iter().any(|node| node.key.kind() == *kind)).collect()
}

fn bounds(positions: &[Point]) -> Option<(Point, Point)> {
    let first = *positions.first()?;
    let fold = |pick: fn(f32, f32) -> f32| {
        positions.iter().fold(first, |[x, y], position| [pick(x, position[0]), pick(y, position[1])])
    };
    Some((fold(f32::min), fold(f32::max)))
}

fn fill(kind: NodeKind) -> [u8; 3] {
    match kind {
        NodeKind::Asset => [0xe4, 0xec, 0xf6],
        NodeKind::Tag => [0xf7, 0xe9, 0xd2],
        NodeKind::Website => [0xdf, 0xf0, 0xe2],
        NodeKind::Summary => [0xec, 0xe4, 0xf6],
        NodeKind::Application => [0xf6, 0xe0, 0xe4],
        NodeKind::More => [0xf2, 0xf2, 0xf2],
    }
}
