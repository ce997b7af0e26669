//! The Tab order of the controls.
//!
//! Regions follow in reading order. Within a region the order is that of drawing, which goes down, and within a line it
//! is from left to right, even if the line is laid out from the right. Positions alone would not do: content that is
//! scrolled out of sight has positions beyond what is below it.

use egui::{Id, LayerId, Order, Rect, WidgetRect, WidgetRects};

/// Taller controls, in points, do not share a line with others: tables, code, trees.
const LINE: f32 = 60.0;

/// A region of the window; Tab visits them in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::ui) enum Region {
    /// The bars at the top.
    Top,
    /// The panels and the recent assets.
    Sidebar,
    /// The list of a panel, or the whole panel if it has no page.
    List,
    /// The bar below the list, for the selected rows.
    BelowList,
    /// The page beside the list.
    Page,
    /// The second page, at the right of the first.
    SecondPage,
    /// Notifications, and whatever is drawn over the window without trapping the focus.
    Over,
    /// The bar at the bottom.
    Bottom,
    /// A dialog or menu, which traps the focus.
    FocusTrap,
}

impl Region {
    /// Returns whether it is a page beside a list.
    pub(in crate::ui) fn is_page(self) -> bool {
        matches!(self, Self::Page | Self::SecondPage)
    }

    /// Returns the area that the keys for areas move to: the bar below a list belongs to the list. `None` for the bars
    /// of the window and for what is over it.
    pub(super) fn area(self) -> Option<Self> {
        match self {
            Self::Sidebar | Self::List | Self::Page | Self::SecondPage => Some(self),
            Self::BelowList => Some(Self::List),
            Self::Top | Self::Over | Self::Bottom | Self::FocusTrap => None,
        }
    }
}

/// The widgets of a layer that were drawn in one region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub region: Region,
    pub layer: LayerId,
    /// The index of the first widget in the layer.
    pub from: usize,
    /// The index after the last one.
    pub to: usize,
}

/// A control that can have the focus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Control {
    pub id: Id,
    pub region: Region,
    pub rect: Rect,
}

/// Returns the controls in Tab order: those of the layer `trap`, or all of them.
pub(super) fn controls(widgets: &WidgetRects, parts: &[Part], traps: Option<LayerId>) -> Vec<Control> {
    let background = LayerId::background();
    let mut layers: Vec<LayerId> = match traps {
        Some(layer) => vec![layer],
        None => widgets.layer_ids().filter(|layer| layer.order != Order::Tooltip && !traps_focus(*layer)).collect(),
    };
    layers.sort_by_key(|layer| (*layer != background, layer.id.value()));
    let mut controls = Vec::new();
    for layer in layers {
        for (index, widget) in widgets.get_layer(layer).enumerate().filter(|(_, widget)| is_usable(widget)) {
            let within = |part: &&Part| part.layer == layer && part.from <= index && index < part.to;
            // The innermost region was registered first.
            let region = match (traps, parts.iter().find(within)) {
                (Some(_), _) => Region::FocusTrap,
                (None, Some(part)) => part.region,
                (None, None) if layer == background => Region::List,
                (None, None) => Region::Over,
            };
            controls.push(Control { id: widget.id, region, rect: widget.rect });
        }
    }
    controls.sort_by_key(|control| control.region);
    along_lines(&mut controls);
    controls
}

/// Sorts each run of controls on one line from left to right.
fn along_lines(controls: &mut [Control]) {
    let mut start = 0;
    for end in 1..=controls.len() {
        if end == controls.len() || !one_line(&controls[start], &controls[end]) {
            controls[start..end].sort_by(|one, other| one.rect.left().total_cmp(&other.rect.left()));
            start = end;
        }
    }
}

fn one_line(one: &Control, other: &Control) -> bool {
    let low = |control: &Control| control.rect.height() < LINE;
    let holds = |outer: &Control, inner: &Control| outer.rect.y_range().contains(inner.rect.center().y);
    one.region == other.region && low(one) && low(other) && (holds(one, other) || holds(other, one))
}

/// Returns whether a layer has a control that can have the focus.
pub(super) fn has_controls(widgets: &WidgetRects, layer: LayerId) -> bool {
    widgets.get_layer(layer).any(is_usable)
}

/// Returns whether this layer traps the focus: dialogs and menus do.
pub(super) fn traps_focus(layer: LayerId) -> bool {
    layer.order == Order::Foreground
}

fn is_usable(widget: &WidgetRect) -> bool {
    widget.enabled && widget.sense.is_focusable()
}

/// Returns the index of a control, or of the one nearest to where it was.
pub(super) fn index_of(controls: &[Control], wanted: &Control) -> Option<usize> {
    controls.iter().position(|control| control.id == wanted.id).or_else(|| nearest_usable(controls, wanted))
}

/// Returns the index of the nearest control in the same region.
pub(super) fn nearest_usable(controls: &[Control], to: &Control) -> Option<usize> {
    let far = |index: &usize| (controls[*index].rect.center() - to.rect.center()).length_sq();
    let same = (0..controls.len()).filter(|index| controls[*index].region == to.region);
    same.min_by(|one, other| far(one).total_cmp(&far(other)))
}

/// Returns the index `steps` away from `at`, wrapping around; the first or the last if `at` is `None`.
pub(super) fn step(count: usize, at: Option<usize>, steps: isize) -> Option<usize> {
    let count = isize::try_from(count).ok().filter(|count| *count > 0)?;
    let from = match at {
        Some(at) => isize::try_from(at).ok()?,
        None if steps > 0 => -1,
        None => count,
    };
    usize::try_from((from + steps).rem_euclid(count)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    fn control(name: &str, region: Region, left: f32, top: f32, height: f32) -> Control {
        Control { id: Id::unique(name), region, rect: Rect::from_min_size(pos2(left, top), vec2(50.0, height)) }
    }

    #[test]
    fn a_right_to_left_line_is_traversed_from_the_left() {
        let mut controls = [
            control("refresh", Region::List, 300.0, 0.0, 26.0),
            control("columns", Region::List, 200.0, 0.0, 26.0),
            control("filter", Region::List, 100.0, 2.0, 22.0),
            control("table", Region::List, 0.0, 10.0, 500.0),
            control("below", Region::List, 0.0, 600.0, 26.0),
        ];
        along_lines(&mut controls);
        let names = ["filter", "columns", "refresh", "table", "below"].map(Id::unique);
        assert_eq!(controls.map(|control| control.id), names);
    }

    #[test]
    fn a_step_from_the_last_goes_to_the_first_and_back() {
        assert_eq!(step(3, Some(2), 1), Some(0));
        assert_eq!(step(3, Some(0), -1), Some(2));
        assert_eq!(step(3, None, 1), Some(0));
        assert_eq!(step(3, None, -1), Some(2));
        assert_eq!(step(0, None, 1), None);
    }
}
