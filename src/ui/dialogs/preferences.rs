//! The preferences: how the window looks, and which keys do what. Each change is kept at once.

use egui::{Context, ScrollArea};

use crate::app::{Action, State};

use crate::ui::widgets::{buttons, dialog};

mod appearance;
mod keys;

use keys::KeysSection;

/// What the dialog leaves of the window's height, in points: its frame, its title and its last line.
const AROUND: f32 = 190.0;

/// The dialog while it is open.
#[derive(Default)]
pub(in crate::ui) struct Preferences {
    open: bool,
    keys: KeysSection,
}

impl Preferences {
    /// Opens the dialog.
    pub(in crate::ui) fn open(&mut self) {
        self.open = true;
    }

    /// Whether keys are awaited, which then do nothing else.
    pub(in crate::ui) fn is_capturing(&self) -> bool {
        self.open && self.keys.is_capturing()
    }

    /// Draws the dialog if it is open.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        if !self.open {
            return;
        }
        let height = (ctx.content_rect().height() - AROUND).max(80.0);
        let (closed, close) = dialog(ctx, "preferences", "Preferences", 620.0, |ui| {
            let body =
                ScrollArea::vertical().id_salt("preferences body").max_height(height).min_scrolled_height(height);
            body.show(ui, |ui| {
                appearance::ui(ui, state, actions);
                ui.separator();
                self.keys.ui(ui, state, actions);
            });
            buttons(ui, |ui| ui.button("Close").clicked())
        });
        if closed || close {
            self.open = false;
            self.keys.stop_capture();
        }
    }
}
