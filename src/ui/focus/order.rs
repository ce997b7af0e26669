//! The order in which Tab goes through the controls.
//!
//! Regions follow one another as one reads the window; in each the order is that of drawing, which goes down, and along
//! a line it is from left to right, also where the line is drawn from its right end. Positions alone would not do: what
//! is scrolled out of sight stands behind what is below it.

use egui::{Id, LayerId, Order, Rect, WidgetRect, WidgetRects};

/// Higher controls, in points, stand on no line with others: tables, code, trees.
const LINE: f32 = 60.0;

/// A part of the window, in the order in which Tab goes through them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::ui) enum Region {
    /// The bars over everything.
    Top,
    /// The panels and what was looked at lately.
    Sidebar,
    /// The list of a panel, or all of a panel without a page.
    List,
    /// What can be done with the selected rows, below the list.
    BelowList,
    /// What is looked at, beside the list.
    Page,
    /// Messages, and what is drawn over the window without keeping the keyboard.
    Over,
    /// The bar below everything.
    Bottom,
    /// A dialog or menu, which keeps the keyboard.
    FocusTrap,
}

/// The widgets of a layer that were drawn in one region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub region: Region,
    pub layer: LayerId,
    /// The first widget's place in the layer.
    pub from: usize,
    /// The place behind the last one.
    pub to: usize,
}

/// A control that can have the keyboard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Control {
    pub id: Id,
    pub region: Region,
    pub rect: Rect,
}

/// The controls that Tab goes through, in its order: those of the layer `traps`, or else all of them.
pub(super) fn controls(widgets: &WidgetRects, parts: &[Part], traps: Option<LayerId>) -> Vec<Control> {
    let background = LayerId::background();
    let mut layers: Vec<LayerId> = match traps {
        Some(layer) => vec![layer],
        None => widgets.layer_ids().filter(|layer| layer.order != Order::Tooltip && !traps_focus(*layer)).collect(),
    };
    layers.sort_by_key(|layer| (*layer != background, layer.id.value()));
    let mut controls = Vec::new();
    for layer in layers {
        for (place, widget) in widgets.get_layer(layer).enumerate().filter(|(_, widget)| is_usable(widget)) {
            let within = |part: &&Part| part.layer == layer && part.from <= place && place < part.to;
            // The innermost one was noted first.
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

/// Sorts each run of controls that stand on one line from left to right.
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

/// Whether anything in a layer can have the keyboard.
pub(super) fn has_controls(widgets: &WidgetRects, layer: LayerId) -> bool {
    widgets.get_layer(layer).any(is_usable)
}

/// Whether what is drawn in this layer keeps the keyboard while it is there: dialogs and menus, not messages.
pub(super) fn traps_focus(layer: LayerId) -> bool {
    layer.order == Order::Foreground && layer.id != Id::unique("toasts")
}

fn is_usable(widget: &WidgetRect) -> bool {
    widget.enabled && widget.sense.is_focusable()
}

/// The place of a control, or of the one nearest to where it was.
pub(super) fn place(controls: &[Control], wanted: &Control) -> Option<usize> {
    controls.iter().position(|control| control.id == wanted.id).or_else(|| nearest_usable(controls, wanted))
}

/// The place of the control in the same region that stands nearest.
pub(super) fn nearest_usable(controls: &[Control], to: &Control) -> Option<usize> {
    let far = |place: &usize| (controls[*place].rect.center() - to.rect.center()).length_sq();
    let same = (0..controls.len()).filter(|place| controls[*place].region == to.region);
    same.min_by(|one, other| far(one).total_cmp(&far(other)))
}

/// The place `steps` away from `at` among so many, around the ends; from nowhere the first or the last.
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
    fn a_line_drawn_from_its_right_end_is_gone_through_from_its_left() {
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
