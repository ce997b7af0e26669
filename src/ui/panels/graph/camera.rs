//! The visible part of the graph, and its zoom.
//!
//! What must hold: the point below the pointer stays there while zooming; the zoom is limited.

use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// The smallest and the largest zoom.
const ZOOM: std::ops::RangeInclusive<f32> = 0.2..=2.5;
/// The margin around a fitted graph, in points of the screen.
const MARGIN: f32 = 60.0;

/// The visible part of the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Camera {
    /// The point of the graph in the middle.
    pub center: Pos2,
    /// The scale.
    pub zoom: f32,
}

impl Default for Camera {
    fn default() -> Self {
        Self { center: Pos2::ZERO, zoom: 1.0 }
    }
}

impl Camera {
    /// Converts a point of the graph to the screen.
    pub fn screen(&self, rect: Rect, at: Pos2) -> Pos2 {
        rect.center() + (at - self.center) * self.zoom
    }

    /// Converts a point of the screen to the graph.
    pub fn graph(&self, rect: Rect, at: Pos2) -> Pos2 {
        self.center + (at - rect.center()) / self.zoom
    }

    /// Pans by points of the screen.
    pub fn pan(&mut self, by: Vec2) {
        self.center -= by / self.zoom;
    }

    /// Zooms around a point of the screen.
    pub fn zoom_at(&mut self, rect: Rect, at: Pos2, factor: f32) {
        let below = self.graph(rect, at);
        self.zoom = (self.zoom * factor).clamp(*ZOOM.start(), *ZOOM.end());
        self.center = below - (at - rect.center()) / self.zoom;
    }

    /// Shows everything, not larger than at a zoom of 1.
    pub fn fit(&mut self, rect: Rect, all: Rect) {
        let room = (rect.size() - Vec2::splat(2.0 * MARGIN)).max(Vec2::splat(1.0));
        let scale = (room / all.size().max(Vec2::splat(1.0))).min_elem();
        self.zoom = scale.clamp(*ZOOM.start(), 1.0);
        self.center = all.center();
    }

    /// Pans as little as needed to show a point.
    pub fn reveal(&mut self, rect: Rect, at: Pos2) {
        let inner = rect.shrink(MARGIN.min(rect.size().min_elem() / 3.0));
        let shown = self.screen(rect, at);
        let wanted = pos2(
            shown.x.clamp(inner.left(), inner.right().max(inner.left())),
            shown.y.clamp(inner.top(), inner.bottom().max(inner.top())),
        );
        self.pan(wanted - shown);
    }

    /// Returns the visible part of the graph.
    pub fn in_sight(&self, rect: Rect) -> Rect {
        Rect::from_min_max(self.graph(rect, rect.min), self.graph(rect, rect.max))
    }
}

/// Returns the bounds of these positions.
pub(super) fn bounds(positions: &[[f32; 2]]) -> Rect {
    let around = |[x, y]: [f32; 2]| Rect::from_center_size(pos2(x, y), vec2(60.0, 70.0));
    positions.iter().fold(Rect::NOTHING, |all, position| all.union(around(*position)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECT: Rect = Rect::from_min_max(pos2(10.0, 20.0), pos2(810.0, 620.0));

    #[test]
    fn zooming_keeps_the_point_below_the_pointer() {
        let mut camera = Camera { center: pos2(40.0, -30.0), zoom: 0.7 };
        let at = pos2(600.0, 100.0);
        let below = camera.graph(RECT, at);
        camera.zoom_at(RECT, at, 1.7);
        assert!((camera.screen(RECT, below) - at).length() < 0.01);
        camera.zoom_at(RECT, at, 1e9);
        assert!((camera.screen(RECT, below) - at).length() < 0.01 && camera.zoom == 2.5);
    }

    #[test]
    fn fitting_shows_the_whole_graph_and_never_enlarges_it() {
        let mut camera = Camera::default();
        let all = Rect::from_min_max(pos2(-900.0, 0.0), pos2(700.0, 300.0));
        camera.fit(RECT, all);
        assert!(camera.in_sight(RECT).contains_rect(all));
        camera.fit(RECT, Rect::from_center_size(pos2(5.0, 5.0), vec2(10.0, 10.0)));
        assert_eq!((camera.zoom, camera.center), (1.0, pos2(5.0, 5.0)));
    }

    #[test]
    fn revealing_pans_to_a_hidden_point_and_not_to_a_visible_one() {
        let mut camera = Camera::default();
        camera.reveal(RECT, pos2(3_000.0, -900.0));
        assert!(RECT.contains(camera.screen(RECT, pos2(3_000.0, -900.0))));
        let before = camera;
        camera.reveal(RECT, pos2(3_000.0, -900.0));
        assert_eq!(camera, before);
    }
}
