//! Notifications: the toasts above the status bar, their history, and the report of an import.
//!
//! What must hold: each message is shown in one place. A success or a failure that is shown where it was asked for is no
//! toast as well, unless the notification of a failure offers something to do, and what a toast says, the status bar does
//! not say; all of them are in the history. Toasts have room of their own and cover nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Align, Context, Frame, Layout, Margin, Panel, ScrollArea, Ui};

use lunette_inspector::action::ImportAction;
use lunette_inspector::import::ImportSummary;
use lunette_inspector::notifications::{NotificationAction, Severity, Topic};
use lunette_inspector::{Action, State};

use crate::ui::format::sentence;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::toast::{ToastKind, Toasts};
use crate::ui::widgets::{dialog, shown};
use history::NotificationHistory;

mod history;
mod reported;

pub(super) use reported::reported;

/// The notifications on screen.
#[derive(Default)]
pub(super) struct Notifications {
    toasts: Toasts,
    /// The toasts that offer actions, by their numbers.
    offers: BTreeMap<u64, Vec<NotificationAction>>,
    /// The errors on screen that a later success withdraws: the topic of each, and the number of its notification.
    withdrawable: BTreeMap<u64, (Topic, u64)>,
    /// The notifications since the window was opened.
    history: NotificationHistory,
}

impl Notifications {
    /// Opens the notification history.
    pub(super) fn open_history(&mut self) {
        self.history.open();
    }

    /// Removes errors that no longer apply.
    fn withdraw(&mut self, state: &State) {
        for (number, (topic, notice)) in &self.withdrawable {
            if state.notifications.resolved.get(topic).is_some_and(|resolved| resolved >= notice) {
                self.toasts.dismiss(*number);
            }
        }
    }

    /// Returns whether a toast says this.
    pub(super) fn says(&self, text: &str) -> bool {
        self.toasts.says(&sentence(text))
    }

    /// Draws the toasts in a strip above what was drawn at the bottom of the window.
    pub(super) fn toasts_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        self.toasts.expire(ui.ctx());
        if self.toasts.is_empty() {
            // What is drawn after the strip keeps its ids, and with them the focus, when the strip comes and goes.
            ui.skip_ahead_auto_ids(1);
            return;
        }
        let frame = Frame::new().fill(ui.tokens().raised).inner_margin(Margin::symmetric(12, 4));
        let panel = Panel::bottom("toasts").resizable(false).frame(frame);
        if let Some((number, index)) = panel.show(ui, |ui| self.toasts.show(ui)).inner
            && let Some(offer) = self.offers.get(&number).and_then(|offers| offers.get(index))
        {
            actions.extend(offer.actions.iter().cloned());
        }
        self.offers.retain(|number, _| self.toasts.is_shown(*number));
        self.withdrawable.retain(|number, _| self.toasts.is_shown(*number));
    }

    /// Takes over new notifications from the state, and draws their dialogs.
    pub(super) fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let reported = reported::take_reported(ctx);
        for notice in &state.notifications.notices {
            let kind = match notice.severity {
                Severity::Done => ToastKind::Done,
                Severity::Failed => ToastKind::Error,
            };
            let labels: Vec<&str> = notice.offers.iter().map(|offer| offer.label).collect();
            let text = sentence(&notice.text);
            self.history.note(kind, &text);
            actions.push(Action::Dismiss(notice.number));
            let complete = notice.offers.is_empty() || notice.severity == Severity::Done;
            if complete && notice.topic.as_ref().is_some_and(|topic| reported.contains(topic)) {
                continue;
            }
            let number = self.toasts.push_offering(kind, text, &labels);
            self.offers.insert(number, notice.offers.clone());
            if let Some(topic) = &notice.topic {
                self.withdrawable.insert(number, (topic.clone(), notice.number));
            }
        }
        self.withdraw(state);
        self.history.ui(ctx, actions);
        if let Some(summary) = &state.import.summary {
            report_ui(ctx, summary, actions);
        }
    }
}

/// Draws the files that an import rejected, each with its reason.
fn report_ui(ctx: &Context, summary: &Arc<ImportSummary>, actions: &mut Vec<Action>) {
    let (closed, close) = dialog(ctx, "import report", "Import", 640.0, |ui| {
        ui.label(shown(&summary.to_string()));
        refused_ui(ui, summary);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = ui.primary_button("Close").clicked();
            if ui.icon_text_button(Icon::COPY, "Copy list").clicked() {
                ui.ctx().copy_text(list(summary));
                actions.push(Action::Notify("Copied the list of files".to_owned()));
            }
            close
        })
        .inner
    });
    if closed || close {
        actions.push(ImportAction::DismissReport.into());
    }
}

fn refused_ui(ui: &mut Ui, summary: &ImportSummary) {
    let height = ui.text_style_height(&egui::TextStyle::Body) * 2.0 + 8.0;
    let area = ScrollArea::vertical().id_salt("refused").max_height(320.0).auto_shrink([false, true]);
    area.show_rows(ui, height, summary.rejected.len(), |ui, visible| {
        for (path, reason) in &summary.rejected[visible] {
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
    summary.rejected.iter().map(|(path, reason)| format!("{}: {reason}\n", path.display())).collect()
}
