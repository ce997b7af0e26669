//! A failed call, drawn in place of its result.

use egui::Ui;

use crate::ui::theme::UiExt as _;
use crate::ui::widgets::placeholder::{Failure, failed};
use lunette_inspector::CallError;

/// Draws why a call failed and what to do; returns whether to retry. `title` says what could not be loaded.
pub fn failure_ui(ui: &mut Ui, title: &str, error: &CallError) -> bool {
    let (method, address) = match error.target() {
        Some(target) => (target.method.as_str(), target.url.as_str()),
        None => ("", ""),
    };
    let (reason, advice) = (error.reason(), error.advice());
    failed(ui, &Failure { title, method, address, phase: error.phase(), reason: &reason, advice: &advice })
}

/// Draws the same on one line above older data; returns whether to retry.
pub fn stale_ui(ui: &mut Ui, what: &str, error: &CallError) -> bool {
    ui.horizontal_wrapped(|ui| {
        let label = ui.warning_text(&format!("{what} could not be refreshed: {}", error.reason()));
        label.on_hover_text(error.advice());
        ui.line_button("Try again").clicked()
    })
    .inner
}
