//! A failed call where its answer would stand.

use egui::Ui;

use crate::app::CallError;
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::state::{Failure, failed};

/// Draws why a call failed and what to do; true when it is to be tried again. `title` says what is missing for it.
pub fn failure_ui(ui: &mut Ui, title: &str, error: &CallError) -> bool {
    let (method, address) = match error.target() {
        Some(target) => (target.method.as_str(), target.url.as_str()),
        None => ("", ""),
    };
    let (reason, advice) = (error.reason(), error.advice());
    failed(ui, &Failure { title, method, address, phase: error.phase(), reason: &reason, advice: &advice })
}

/// The same in one line, over what was known before; true when it is to be tried again.
pub fn stale_ui(ui: &mut Ui, what: &str, error: &CallError) -> bool {
    ui.horizontal_wrapped(|ui| {
        let said = ui.warning_text(&format!("{what} could not be refreshed: {}", error.reason()));
        said.on_hover_text(error.advice());
        ui.line_button("Try again").clicked()
    })
    .inner
}
