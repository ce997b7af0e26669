//! Empty, loading and failed; progress, menus, messages and dialogs.

use eframe::egui::Ui;
use lunette::ui::theme::{Icon, UiExt as _};
use lunette::ui::widgets::context_menu::{Entry, context_menu};
use lunette::ui::widgets::placeholder::{Failure, empty, failed, skeleton, skeleton_text};
use lunette::ui::widgets::toast::{ToastKind, Toasts};
use lunette::ui::widgets::{buttons, dialog, progress, status_dot};

use super::part;

const FAILURE: Failure<'static> = Failure {
    title: "Assets could not be loaded",
    method: "GET",
    address: "http://localhost:39300/assets",
    phase: "refused",
    reason: "Nothing listens at this address.",
    advice: "Start the service, or connect to another one.",
};

/// The messages, and whether the dialog is open.
#[derive(Default)]
pub struct State {
    toasts: Toasts,
    dialog: bool,
}

impl State {
    /// Draws the section.
    pub fn ui(&mut self, ui: &mut Ui) {
        part(ui, "Empty", |ui| {
            ui.set_max_height(180.0);
            empty(
                ui,
                Icon::ASSETS,
                "No assets",
                "Drop files or folders here, or import them.",
                &["Import…", "New text…"],
            );
        });
        part(ui, "Loading", |ui| {
            skeleton(ui, "assets", 4);
            skeleton_text(ui, "the content", 3);
        });
        part(ui, "Failed", |ui| {
            if failed(ui, &FAILURE) {
                self.toasts.push(ToastKind::Info, "Trying again…", None);
            }
        });
        part(ui, "Progress", |ui| {
            progress(ui, "Importing", Some(0.4), 320.0);
            ui.add_space(8.0);
            progress(ui, "Connecting", None, 320.0);
            ui.add_space(8.0);
            let tokens = ui.tokens();
            for (color, text) in
                [(tokens.ok, "Connected"), (tokens.warning, "Reconnecting"), (tokens.error, "Not connected")]
            {
                ui.horizontal(|ui| {
                    status_dot(ui, color);
                    ui.label(text);
                });
            }
        });
        part(ui, "Messages, menus and dialogs", |ui| self.messages_ui(ui));
        self.dialog_ui(ui);
        self.toasts.expire(ui.ctx());
        self.toasts.show(ui);
    }

    fn messages_ui(&mut self, ui: &mut Ui) {
        ui.horizontal_wrapped(|ui| {
            if ui.line_button("Information").clicked() {
                self.toasts.push(ToastKind::Info, "The service was restarted.", None);
            }
            if ui.line_button("Success").clicked() {
                self.toasts.push(ToastKind::Done, "Tagged 12 assets", Some("Undo"));
            }
            if ui.line_button("Error").clicked() {
                self.toasts.push_offering(ToastKind::Error, "The disk is full.", &["Retry", "Details"]);
            }
            let button = ui.line_button("Click with the right button");
            context_menu(&button, "An asset", |ui| {
                let open = Entry::new(Icon::EDIT, "Rename…").keys("F2").show(ui);
                let checked = Entry::new(Icon::STAR, "Favourite").checked(true).show(ui);
                let disabled =
                    Entry::new(Icon::LINK, "Link…").disabled_reason(Some("The service is read-only.")).show(ui);
                let danger = Entry::new(Icon::DELETE, "Delete…").danger().show(ui);
                open || checked || disabled || danger
            });
            self.dialog |= ui.line_button("Open a dialog").clicked();
        });
    }

    fn dialog_ui(&mut self, ui: &Ui) {
        if !self.dialog {
            return;
        }
        let (chosen, closed) = dialog(ui.ctx(), "gallery", "Delete 3 assets?", 420.0, |ui| {
            ui.label("They stay in the Trash for 30 days.");
            buttons(ui, |ui| ui.danger_button("Delete").clicked() | ui.ghost_button("Cancel").clicked())
        });
        self.dialog = !(chosen || closed);
    }
}
