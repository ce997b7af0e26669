//! No overlaps and nothing cut off, on every screen, in windows of every usual size and zoom.

use super::*;
use egui::epaint::text::PlacedRow;
use egui::epaint::{ClippedShape, Shape};
use egui::{Order, Rect, Vec2, vec2};

/// The window sizes, in points: 1280×800, the same at a zoom of 150 % and 200 %, 1920×1080, 800×600.
const SIZES: [Vec2; 5] =
    [vec2(1280.0, 800.0), vec2(853.0, 533.0), vec2(640.0, 400.0), vec2(1920.0, 1080.0), vec2(800.0, 600.0)];

/// Smaller overlaps, in points, are adjacent edges.
const EDGE: f32 = 4.0;

/// An enabled control: its rectangle, and the visible part of it.
struct Control {
    name: String,
    whole: Rect,
    seen: Rect,
    layer: egui::LayerId,
}

fn controls(stage: &Stage) -> Vec<Control> {
    let mut names = BTreeMap::new();
    for node in stage.harness.query_all(By::new()) {
        let node = node.accesskit_node();
        names.insert(node.locate().0, (node.role(), node.label().unwrap_or_default()));
    }
    let named = |id: egui::Id| names.get(&id.accesskit_id()).map(|(role, name)| format!("{role:?} “{name}”"));
    stage.harness.ctx.viewport(|view| {
        let widgets = view.prev_pass.widgets.layers().flat_map(|(_, widgets)| widgets);
        let usable = widgets.filter(|widget| widget.enabled && widget.sense.is_focusable());
        usable
            .filter_map(|widget| {
                let name = named(widget.id)?;
                // These scroll, with bars of their own.
                let scrolls = name.starts_with("MultilineTextInput") || name.starts_with("ColumnHeader");
                let whole = if scrolls { widget.interact_rect } else { widget.rect };
                Some(Control { name, whole, seen: widget.interact_rect, layer: widget.layer_id })
            })
            .filter(|control| control.seen.is_positive())
            .collect()
    })
}

fn overlaps(one: Rect, other: Rect) -> bool {
    let both = one.intersect(other);
    both.width() > EDGE && both.height() > EDGE
}

/// Returns the controls that overlap or are cut off.
fn control_faults(stage: &Stage) -> Vec<String> {
    let window = stage.harness.ctx.content_rect();
    let controls = controls(stage);
    let mut faults = Vec::new();
    for (index, one) in controls.iter().enumerate() {
        if one.seen.width() + EDGE < one.whole.width() || !window.expand(1.0).x_range().contains(one.seen.right()) {
            faults.push(format!("{} at {:?} is cut off: {:?} is seen", one.name, one.whole, one.seen));
        }
        for other in &controls[index + 1..] {
            let apart = !one.seen.contains_rect(other.seen) && !other.seen.contains_rect(one.seen);
            if one.layer == other.layer && apart && overlaps(one.seen, other.seen) {
                faults.push(format!("{} at {:?} and {} at {:?} overlap", one.name, one.seen, other.name, other.seen));
            }
        }
    }
    faults
}

/// Returns texts drawn over each other. Only valid while no dialog or menu covers others.
fn text_faults(stage: &Stage) -> Vec<String> {
    let covered = stage.harness.ctx.memory(|memory| {
        memory.layer_ids().any(|layer| layer.order >= Order::Middle && memory.areas().is_visible(&layer))
    });
    if covered {
        return Vec::new();
    }
    let texts: Vec<(Rect, &str)> = stage.harness.output().shapes.iter().flat_map(lines).collect();
    let mut faults = Vec::new();
    for (index, (one, text)) in texts.iter().enumerate() {
        for (other, next) in &texts[index + 1..] {
            if overlaps(*one, *other) {
                faults.push(format!("“{text}” at {one:?} and “{next}” at {other:?} are drawn over each other"));
            }
        }
    }
    faults
}

/// Returns the lines of a text, each with its visible part.
fn lines(shape: &ClippedShape) -> Vec<(Rect, &str)> {
    let Shape::Text(text) = &shape.shape else { return Vec::new() };
    let seen = |row: &PlacedRow| {
        row.visuals.mesh_bounds.translate(row.pos.to_vec2() + text.pos.to_vec2()).intersect(shape.clip_rect)
    };
    let rows = text.galley.rows.iter().map(|row| (seen(row), text.galley.text()));
    rows.filter(|(rect, text)| rect.is_positive() && !text.trim().is_empty()).collect()
}

#[test]
fn controls_neither_overlap_nor_are_clipped_at_any_size() {
    let mut wrong = String::new();
    each(&mut |stage, screen| {
        for size in SIZES {
            stage.harness.set_size(size);
            stage.harness.run_steps(4);
            for fault in control_faults(stage).into_iter().chain(text_faults(stage)) {
                wrong.push_str(&format!("{screen} at {size}: {fault}\n"));
            }
        }
        stage.harness.set_size(SIZES[0]);
        stage.harness.run_steps(4);
    });
    assert!(wrong.is_empty(), "\n{wrong}");
}
