//! The dialog for the backups of the built-in service: lists them, makes a new one, restores one.
//!
//! What must hold: if this window cannot do it, the dialog says why; nothing is restored without confirmation.

use egui::{Align, Context, Label, Layout, RichText, ScrollArea, Ui, vec2};

use lunette_inspector::action::EmbeddedAction;
use lunette_inspector::embedded::{Backup, EmbeddedState};
use lunette_inspector::{Action, Remote, State};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::format;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _, control};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::{buttons, dialog, shown};

/// What the rest of the dialog takes of the window's height, in points.
const RESERVED_HEIGHT: f32 = 230.0;

/// The dialog while it is open.
#[derive(Default)]
pub(in crate::ui) struct Backups {
    open: bool,
}

impl Backups {
    /// Opens the dialog, and loads the list of backups.
    pub(in crate::ui) fn open(&mut self, actions: &mut Vec<Action>) {
        self.open = true;
        actions.push(EmbeddedAction::ListBackups.into());
    }

    /// Draws the dialog if it is open.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        if !self.open {
            return;
        }
        let disabled_reason = state.embedded.obstacle();
        let height = (ctx.content_rect().height() - RESERVED_HEIGHT).max(60.0);
        let (closed, close) = dialog(ctx, "backups", "Backups", 620.0, |ui| {
            ui.caption(
                "Copies of all data of the built-in service, made by hand, once a day, and before a new version \
                 changes the database. Each is checked before it is restored.",
            );
            match (state.embedded.busy, disabled_reason) {
                (Some(busy), _) => ui.muted(&format!("{busy}…")),
                (None, Some(disabled_reason)) => ui.warning_text(&format!("{disabled_reason}.")),
                (None, None) => ui.muted("Restoring a backup moves the current data aside; nothing is deleted."),
            };
            if let Some(failure) = &state.embedded.seen.daily_failure {
                ui.error_text(&format!("The daily backup failed and will be tried again: {failure}"));
            }
            ui.line();
            let area = ScrollArea::vertical().id_salt("backups").max_height(height).auto_shrink([false, true]);
            area.show(ui, |ui| list_ui(ui, &state.embedded, disabled_reason, actions));
            buttons(ui, |ui| {
                let close = ui.button("Close").clicked();
                // A database that cannot be opened cannot be copied.
                let why_disabled =
                    disabled_reason.or(state.embedded.seen.damaged.then_some("The database cannot be opened"));
                if enabled_unless(ui, why_disabled, |ui| ui.icon_text_button(Icon::SAVE, "Back up now")).clicked() {
                    actions.push(EmbeddedAction::BackUp.into());
                }
                close
            })
        });
        self.open &= !(closed || close);
    }
}

fn list_ui(ui: &mut Ui, inside: &EmbeddedState, disabled_reason: Option<&str>, actions: &mut Vec<Action>) {
    if let Remote::Failed { error, .. } = &inside.backups {
        ui.error_text(error);
    }
    match inside.backups.value() {
        Some(backups) if backups.is_empty() => {
            ui.muted("No backups yet.");
        }
        Some(backups) => backups.iter().for_each(|backup| row_ui(ui, backup, disabled_reason, actions)),
        None if inside.backups.loading() => skeleton(ui, "the backups", 3),
        None => {}
    }
}

fn row_ui(ui: &mut Ui, backup: &Backup, disabled_reason: Option<&str>, actions: &mut Vec<Action>) {
    let size = vec2(ui.available_width() - SPACE_S, control(ui));
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        let name = format!("Restore the backup of {}", format::exact(&backup.taken.to_string()));
        let button = |ui: &mut Ui| ui.button("Restore…").accessible_name(name);
        if enabled_unless(ui, disabled_reason, button).clicked() {
            actions.push(EmbeddedAction::AskRestore(Box::new(backup.clone())).into());
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let day = ui.add(Label::new(RichText::new(backup.day())).truncate());
            day.on_hover_text(shown(&backup.path.display().to_string()));
            ui.caption(&format::ago(&backup.taken.to_string()));
            ui.caption(&format::size(i64::try_from(backup.bytes).unwrap_or(i64::MAX)));
            ui.caption(backup.cause);
        });
    });
}
