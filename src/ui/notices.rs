//! What the inspector tells the user: short messages in the corner, and the report of an import.

use std::sync::Arc;

use egui::{Align, Context, Layout, ScrollArea, Ui};

use crate::app::state::{Grade, ImportSummary};
use crate::app::{Action, State};

use super::theme::{Icon, UiExt as _};
use super::widget::toast::{ToastKind, Toasts};
use super::widget::{dialog, shown};

/// The messages on screen.
#[derive(Default)]
pub(super) struct Notices {
    toasts: Toasts,
}

impl Notices {
    /// Draws what there is to tell, and takes it over from the state.
    pub(super) fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        for notice in &state.notices {
            let kind = match notice.grade {
                Grade::Done => ToastKind::Done,
                Grade::Failed => ToastKind::Error,
            };
            self.toasts.push(kind, notice.text.clone(), None);
            actions.push(Action::Dismiss(notice.number));
        }
        self.toasts.show(ctx);
        if let Some(summary) = &state.import {
            report_ui(ctx, summary, actions);
        }
    }
}

/// The files that an import could not take, each with its reason.
fn report_ui(ctx: &Context, summary: &Arc<ImportSummary>, actions: &mut Vec<Action>) {
    let (closed, close) = dialog(ctx, "import report", "Import", 640.0, |ui| {
        ui.label(shown(&summary.to_string()));
        refused_ui(ui, summary);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = ui.primary_button("Close").clicked();
            if ui.icon_text_button(Icon::COPY, "Copy list").clicked() {
                ui.ctx().copy_text(list(summary));
                actions.push(Action::Say("Copied the list of files".to_owned()));
            }
            close
        })
        .inner
    });
    if closed || close {
        actions.push(Action::DismissImport);
    }
}

fn refused_ui(ui: &mut Ui, summary: &ImportSummary) {
    let height = ui.text_style_height(&egui::TextStyle::Body) * 2.0 + 8.0;
    let area = ScrollArea::vertical().id_salt("refused").max_height(320.0).auto_shrink([false, true]);
    area.show_rows(ui, height, summary.refused.len(), |ui, places| {
        for (path, reason) in &summary.refused[places] {
            ui.vertical(|ui| {
                ui.set_height(height - ui.spacing().item_spacing.y);
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.add(egui::Label::new(shown(&path.display().to_string())).truncate());
                ui.caption(reason);
            });
        }
    });
}

fn list(summary: &ImportSummary) -> String {
    summary.refused.iter().map(|(path, reason)| format!("{}: {reason}\n", path.display())).collect()
}
