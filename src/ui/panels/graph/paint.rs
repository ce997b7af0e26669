//! Paints nodes and links.
//!
//! What must hold: a kind is shown by its outline and icon, not by colour alone; a node whose links are unknown has a
//! dashed outline.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};

use super::name_of;
use crate::ui::theme::{Icon, Tokens};
use crate::ui::widgets::shown_short;
use lunette_inspector::graph::{Node, NodeKind, ReadState, outline, shape_of};

/// The radius of a node at a zoom of 1.
pub(super) const REACH: f32 = 17.0;
/// Characters of a name below its node.
const LONGEST: usize = 18;
/// Below this zoom, names would overlap, so only those of selected and hovered nodes are drawn.
const NAMES_FROM: f32 = 0.55;

/// How a node is highlighted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Highlight {
    pub selected: bool,
    pub marked: bool,
    /// The pointer is on it, or a link is dragged to it.
    pub hovered: bool,
    pub pinned: bool,
    pub start: bool,
}

/// Returns the icon of a kind.
pub(super) fn icon(kind: NodeKind) -> Icon {
    match kind {
        NodeKind::Asset => Icon::ASSETS,
        NodeKind::Tag => Icon::TAG,
        NodeKind::Website => Icon::WEBSITE,
        NodeKind::Summary => Icon::SUMMARY,
        NodeKind::Application => Icon::APPLICATIONS,
        NodeKind::More => Icon::ADD,
    }
}

/// Returns the colour of a kind, in addition to its outline and icon.
fn ink(t: &Tokens, kind: NodeKind) -> Color32 {
    match kind {
        NodeKind::Asset => t.function,
        NodeKind::Tag => t.keyword,
        NodeKind::Website => t.string,
        NodeKind::Summary => t.warning,
        NodeKind::Application => t.error,
        NodeKind::More => t.muted,
    }
}

/// Paints a node around `at`; `own` paints its own icon and returns whether it has one.
pub(super) fn node(
    painter: &Painter,
    t: &Tokens,
    node: &Node,
    at: Pos2,
    zoom: f32,
    highlight: Highlight,
    own: &mut dyn FnMut(Rect) -> bool,
) {
    let (kind, reach) = (node.key.kind(), REACH * zoom.clamp(0.35, 1.6));
    let ink = ink(t, kind);
    let corners: Vec<Pos2> = outline(shape_of(kind), at.into(), reach).into_iter().map(Pos2::from).collect();
    let fill = if highlight.selected { t.selection } else { t.raised };
    let width = if highlight.selected || highlight.marked || highlight.hovered { 2.5 } else { 1.5 };
    let line = if highlight.selected || highlight.marked { t.accent } else { ink };
    painter.add(Shape::convex_polygon(corners.clone(), fill, Stroke::NONE));
    if kind != NodeKind::More && node.read != ReadState::Read {
        let closed: Vec<Pos2> = corners.iter().chain(corners.first()).copied().collect();
        painter.extend(Shape::dashed_line(&closed, Stroke::new(width, line), 4.0, 3.0));
    } else {
        painter.add(Shape::closed_line(corners, Stroke::new(width, line)));
    }
    if highlight.start {
        painter.circle_stroke(at, reach * 1.55, Stroke::new(1.0, line));
    }
    if highlight.marked {
        marked_sign(painter, t, at + vec2(reach, -reach), reach);
    }
    if highlight.pinned {
        Icon::PINNED.paint(painter, at + vec2(-reach, -reach), (reach * 0.7).round().max(9.0), t.muted);
    }
    // Sizes are rounded, so that zooming does not create new glyphs at each step.
    if kind == NodeKind::More {
        let size = (11.0 * zoom).round().clamp(8.0, 15.0);
        let text = node.name.split(' ').next().unwrap_or_default();
        painter.text(at, Align2::CENTER_CENTER, text, FontId::proportional(size), t.text);
    } else {
        if !own(Rect::from_center_size(at, Vec2::splat(reach * 1.2))) {
            icon(kind).paint(painter, at, (reach * 0.9).round(), ink);
        }
        if zoom >= NAMES_FROM || highlight.selected || highlight.hovered {
            name(painter, t, node, at + vec2(0.0, reach + 4.0), zoom);
        }
    }
}

fn marked_sign(painter: &Painter, t: &Tokens, at: Pos2, reach: f32) {
    let size = (reach * 0.42).max(6.0);
    painter.circle_filled(at, size, t.accent);
    Icon::CHECK.paint(painter, at, (size * 1.5).round(), t.on_accent);
}

fn name(painter: &Painter, t: &Tokens, node: &Node, at: Pos2, zoom: f32) {
    let size = (11.0 * zoom).round().clamp(10.0, 15.0);
    let text = shown_short(&name_of(node), LONGEST).into_owned();
    let galley = painter.layout_no_wrap(text, FontId::proportional(size), t.text);
    let label = Align2::CENTER_TOP.anchor_size(at, galley.size());
    painter.rect_filled(label.expand2(vec2(3.0, 0.0)), 3.0, t.background.gamma_multiply(0.85));
    painter.galley(label.min, galley, t.text);
}

/// Paints a link.
pub(super) fn edge(painter: &Painter, t: &Tokens, [from, to]: [Pos2; 2], dashed: bool, strong: bool) {
    let stroke = Stroke::new(if strong { 2.5 } else { 1.2 }, if strong { t.accent } else { t.bar });
    match dashed {
        true => painter.extend(Shape::dashed_line(&[from, to], stroke, 4.0, 4.0)),
        false => drop(painter.line_segment([from, to], stroke)),
    }
}

/// Paints a link that is being dragged, and what dropping it does.
pub(super) fn dragged(painter: &Painter, t: &Tokens, from: Pos2, to: Pos2, hint: &str, good: bool) {
    let color = if good { t.accent } else { t.muted };
    painter.line_segment([from, to], Stroke::new(2.0, color));
    painter.circle_filled(to, 4.0, color);
    let galley = painter.layout_no_wrap(hint.to_owned(), FontId::proportional(12.0), t.text);
    let room = painter.clip_rect();
    let size = galley.size() + vec2(12.0, 8.0);
    let least = room.min + Vec2::splat(4.0);
    let most = (room.max - size - Vec2::splat(4.0)).max(least);
    let at = (to + vec2(14.0, 14.0)).clamp(least, most);
    painter.rect(Rect::from_min_size(at, size), 4.0, t.raised, Stroke::new(1.0, t.line), egui::StrokeKind::Inside);
    painter.galley(at + vec2(6.0, 4.0), galley, t.text);
}

/// Paints the whole graph in a corner, with the visible part.
pub(super) fn minimap(painter: &Painter, t: &Tokens, rect: Rect, all: Rect, in_sight: Rect, positions: &[[f32; 2]]) {
    painter.rect(rect, 4.0, t.panel, Stroke::new(1.0, t.line), egui::StrokeKind::Inside);
    let whole = all.union(in_sight);
    let scale = (rect.shrink(4.0).size() / whole.size()).min_elem();
    let small = |at: Pos2| rect.center() + (at - whole.center()) * scale;
    for [x, y] in positions {
        painter.circle_filled(small(pos2(*x, *y)), 1.5, t.muted);
    }
    let seen = Rect::from_two_pos(small(in_sight.min), small(in_sight.max)).intersect(rect);
    painter.rect_stroke(seen, 2.0, Stroke::new(1.5, t.accent), egui::StrokeKind::Inside);
}
