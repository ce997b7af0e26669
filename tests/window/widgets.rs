//! Every widget by keyboard and mouse, at its maximum sizes.

mod fields;
mod gallery;
mod keyboard;
mod records;
mod sorting;
mod table;

use egui::Ui;
use egui_kittest::{Harness, HarnessBuilder};
use lunette::ui::theme;

/// A window of 800 by 600 points that draws `draw` over `state`.
fn window<'a, State>(draw: impl FnMut(&mut Ui, &mut State) + 'a, state: State) -> Harness<'a, State> {
    scaled(1.0, draw, state)
}

/// [`window`] on a screen with `pixels` pixels per point.
fn scaled<'a, State>(pixels: f32, draw: impl FnMut(&mut Ui, &mut State) + 'a, state: State) -> Harness<'a, State> {
    let builder: HarnessBuilder<State> = Harness::builder();
    builder
        .with_size([800.0, 600.0])
        .with_pixels_per_point(pixels)
        // Short enough for two clicks to be a double click.
        .with_step_dt(0.02)
        .with_context_setup(theme::install)
        .build_ui_state(draw, state)
}

/// Returns what the next frames copy to the clipboard.
fn copied<State>(harness: &mut Harness<'_, State>) -> Option<String> {
    (0..8).find_map(|_| {
        harness.step();
        harness.output().platform_output.commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    })
}
