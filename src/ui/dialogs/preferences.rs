//! The preferences: appearance, words of searches and keyboard shortcuts. Each change but that of the words is saved at once.

use egui::{Context, ScrollArea};

use lunette_inspector::{Action, State};

use crate::ui::widgets::{buttons, dialog};

mod appearance;
mod keys;
mod services;
mod synonyms;
mod versions;
mod watched;

use keys::KeysSection;
use synonyms::SynonymsSection;
use versions::VersionsSection;

/// What the rest of the dialog takes of the window's height, in points.
const RESERVED_HEIGHT: f32 = 190.0;

/// The dialog while it is open.
#[derive(Default)]
pub(in crate::ui) struct Preferences {
    open: bool,
    keys: KeysSection,
    synonyms: SynonymsSection,
    versions: VersionsSection,
}

impl Preferences {
    /// Opens the dialog.
    pub(in crate::ui) fn open(&mut self) {
        self.open = true;
        (self.synonyms, self.versions) = Default::default();
    }

    /// Returns whether a key combination is being captured; keys then do nothing else.
    pub(in crate::ui) fn is_capturing(&self) -> bool {
        self.open && self.keys.is_capturing()
    }

    /// Draws the dialog if it is open.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        if !self.open {
            return;
        }
        let height = (ctx.content_rect().height() - RESERVED_HEIGHT).max(80.0);
        let (closed, close) = dialog(ctx, "preferences", "Preferences", 620.0, |ui| {
            let body =
                ScrollArea::vertical().id_salt("preferences body").max_height(height).min_scrolled_height(height);
            body.show(ui, |ui| {
                appearance::ui(ui, state, actions);
                ui.separator();
                services::ui(ui, state, actions);
                ui.separator();
                self.versions.ui(ui, state, actions);
                ui.separator();
                watched::ui(ui, state, actions);
                ui.separator();
                self.synonyms.ui(ui, state, actions);
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
