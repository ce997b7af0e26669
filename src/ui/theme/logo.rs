//! The logo, painted to match the application's icon: a lunette, the half-moon window over a door.

use egui::{Color32, Painter, Pos2, Rect, pos2, vec2};

/// The panes of the arch: the radii of the inner and the outer edge, and the angles they span, where half a turn is the
/// whole arch. The gaps between them are the bars.
const PANES: [(f32, f32, f32, f32); 4] =
    [(0.0, 0.36, 0.0, 1.0), (0.5, 1.0, 0.0, 0.30), (0.5, 1.0, 0.36, 0.64), (0.5, 1.0, 0.70, 1.0)];
/// Number of straight segments of the edge of a pane.
const PIECES: u8 = 12;

/// Paints the logo around `center`, `size` points wide.
pub fn paint(painter: &Painter, center: Pos2, size: f32, color: Color32) {
    let radius = size / 2.0;
    let base = pos2(center.x, center.y + radius * 0.4);
    let mut mesh = egui::Mesh::default();
    for (inner, outer, from, to) in PANES {
        for piece in 0..PIECES {
            let at = |step: u8| from + (to - from) * f32::from(step) / f32::from(PIECES);
            let edge = |turn: f32, reach: f32| base - radius * reach * egui::Vec2::angled(turn * std::f32::consts::PI);
            let first = u32::try_from(mesh.vertices.len()).unwrap_or_default();
            let [left, right] = [at(piece), at(piece + 1)];
            for corner in [edge(left, inner), edge(left, outer), edge(right, outer), edge(right, inner)] {
                mesh.colored_vertex(corner, color);
            }
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first, first + 2, first + 3);
        }
    }
    painter.add(mesh);
    let sill = Rect::from_min_size(base + vec2(-radius, radius * 0.14), vec2(size, (radius * 0.18).max(1.5)));
    painter.rect_filled(sill, 0.5, color);
}
