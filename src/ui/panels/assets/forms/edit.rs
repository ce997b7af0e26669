//! Edits the name, description and favourite of an asset in one write; the input is kept as a draft until it is applied
//! or discarded.
//!
//! What must hold: what is typed while a write is in progress is not part of that write; the form stays open with it.

use std::sync::Arc;

use egui::Ui;
use serde_json::{Value, json};

use crate::ui::format;
use crate::ui::theme::{self, UiExt as _};
use crate::ui::widgets::dialog_with_changes;
use crate::ui::widgets::text_field::TextField;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::{Record as _, View};
use lunette_inspector::action::DraftsAction;
use lunette_inspector::assets::page::AssetPage;
use lunette_inspector::change::{Change, Edit, Field, description};
use lunette_inspector::drafts::{Draft, DraftKey, Typed};
use lunette_inspector::write::AssetWrite;

use super::{CANCEL_DISCARDS, Submission, buttons_with_state_ui, refusal_ui};
use crate::ui::panels::assets::frame::AssetFrame;
use lunette_inspector::capability::Capability;

/// The input, and the values it started from.
pub struct EditForm {
    /// The record it started from.
    base: Arc<Value>,
    before: Fields,
    now: Fields,
    /// The input when Save was pressed last.
    saved: Fields,
    /// Whether a write succeeded while more was typed.
    typed_while_saving: bool,
    /// The input saved as a draft; `None` if there is nothing to save.
    saved_draft: Option<Fields>,
    /// When the draft was typed, if the input comes from one.
    typed_at: Option<String>,
    fresh: bool,
    sent: Submission,
    /// Whether the asset was changed elsewhere in the meantime.
    changed_elsewhere: bool,
}

#[derive(Clone, PartialEq)]
struct Fields {
    name: String,
    description: String,
    favorited: bool,
}

impl Fields {
    fn of(asset: View<'_, Asset>) -> Self {
        Self {
            name: asset.name().unwrap_or_default().to_owned(),
            description: description(asset).unwrap_or_default().to_owned(),
            favorited: asset.favorited().unwrap_or_default(),
        }
    }

    fn tree(&self) -> Value {
        let Self { name, description, favorited } = self;
        json!({ "name": name, "description": description, "favorited": favorited })
    }

    /// Continues from `saved`, which the asset now has as `base`: input typed since then stays, the rest follows the
    /// asset.
    fn typed_since(self, saved: &Self, base: &Self) -> Self {
        let text = |now: String, saved: &str, base: &str| if now == saved { base.to_owned() } else { now };
        Self {
            name: text(self.name, &saved.name, &base.name),
            description: text(self.description, &saved.description, &base.description),
            favorited: if self.favorited == saved.favorited { base.favorited } else { self.favorited },
        }
    }

    /// Applies a draft; fields that it does not contain stay unchanged.
    fn with_typed(mut self, typed: &Typed) -> Self {
        let Self { name, description, favorited } = &mut self;
        for (field, key) in [(name, "name"), (description, "description")] {
            if let Some(text) = typed.text(key) {
                text.clone_into(field);
            }
        }
        *favorited = typed.flag("favorited").unwrap_or(*favorited);
        self
    }
}

impl EditForm {
    /// A form with the current values of the asset.
    pub fn new(asset: View<'_, Asset>) -> Self {
        Self::of(Arc::new(asset.tree().clone()))
    }

    fn of(base: Arc<Value>) -> Self {
        let (before, sent) = (Fields::of(View::of(&base)), Submission::default());
        let (now, saved) = (before.clone(), before.clone());
        Self {
            base,
            before,
            now,
            saved,
            typed_while_saving: false,
            saved_draft: None,
            typed_at: None,
            fresh: true,
            sent,
            changed_elsewhere: false,
        }
    }

    /// A form with the input of a draft.
    pub fn resumed(draft: &Draft) -> Self {
        let form = Self::of(Arc::clone(&draft.base));
        let now = form.before.clone().with_typed(&draft.typed);
        Self { saved_draft: Some(now.clone()), now, typed_at: Some(draft.at.clone()), ..form }
    }

    /// Returns the record it started from.
    pub fn base(&self) -> &Value {
        &self.base
    }

    /// Sets whether the asset was changed elsewhere in the meantime.
    pub fn set_changed_elsewhere(&mut self, changed: bool) {
        self.changed_elsewhere = changed;
    }

    /// Draws the form; returns whether it is to be closed.
    pub fn ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) -> bool {
        let why_disabled = frame.disabled_reason(Capability::Edit);
        let why_disabled = why_disabled.as_deref();
        let ctx = ui.ctx().clone();
        let ((cancelled, done), outside) = dialog_with_changes(&ctx, "edit asset", "Edit asset", 460.0, |ui| {
            let unnamed = self.now.name.trim().is_empty() && !self.before.name.is_empty();
            let fault = unnamed.then_some("Enter a name");
            let focus = std::mem::take(&mut self.fresh);
            let rows = if ui.ctx().content_rect().height() < 420.0 { 2 } else { 5 };
            let name = TextField::new("Name").error(fault).focus(focus).show(ui, &mut self.now.name);
            let described = TextField::new("Description").rows(rows).show(ui, &mut self.now.description);
            theme::checkbox(ui, &mut self.now.favorited, "Favourite");
            let reason = why_disabled.or(fault).or((self.now == self.before).then_some("Nothing has changed yet"));
            self.status_ui(ui, frame);
            let save = |ui: &mut Ui| ui.primary_button("Save");
            let (cancelled, pressed) = buttons_with_state_ui(ui, frame, reason, CANCEL_DISCARDS, save);
            if (pressed || name.submitted || described.submitted) && reason.is_none() && !frame.write.writing {
                self.saved = self.now.clone();
                self.sent.send(ui, Change::Edit { asset: frame.id.clone(), edits: self.edits() }, frame);
            }
            ((cancelled, self.done(ui, frame.page, frame.write)), self.now != self.before)
        });
        self.keep(cancelled || done, frame);
        cancelled || done || outside
    }

    /// Draws the message above the buttons, in a fixed place so that no button moves.
    fn status_ui(&self, ui: &mut Ui, frame: &AssetFrame<'_>) {
        let size = egui::vec2(ui.available_width(), 2.0 * ui.text_style_height(&egui::TextStyle::Body) + 6.0);
        ui.allocate_ui(size, |ui| {
            ui.set_min_size(size);
            if frame.write.refused.is_some() {
                refusal_ui(ui, frame);
            } else if self.typed_while_saving {
                ui.warning_text("Saved. What you typed after pressing Save is not saved yet.");
            } else if self.changed_elsewhere {
                ui.warning_text("This asset was changed elsewhere. Your changes are compared with it when you save.");
            } else if let Some(typed_at) = &self.typed_at {
                ui.caption(&format!("Restored your draft of {}", format::ago(typed_at)));
            }
        });
    }

    /// Returns whether the last write succeeded and contains all of the input.
    fn done(&mut self, ui: &Ui, page: &AssetPage, write: &AssetWrite) -> bool {
        let same = self.now == self.saved;
        // The input typed since then continues from the asset as the write left it, which may have to be read first.
        let waiting = write.writing || !same && page.record.loading();
        if !self.sent.done(ui, waiting, write.refused.is_some()) {
            return false;
        }
        let Some(asset) = page.record.value().filter(|_| !same) else { return same };
        self.before = Fields::of(asset.view());
        self.base = Arc::new(asset.tree().clone());
        self.now = self.now.clone().typed_since(&self.saved, &self.before);
        self.typed_while_saving = self.now != self.before;
        // A draft is compared with what it started from.
        self.saved_draft = None;
        !self.typed_while_saving
    }

    /// Saves the input as a draft if it changed; `gone` says that nothing is to be saved.
    fn keep(&mut self, gone: bool, frame: &mut AssetFrame<'_>) {
        let wanted = (!gone && self.now != self.before).then_some(&self.now);
        if self.saved_draft.as_ref() == wanted {
            return;
        }
        let draft = wanted.map(|fields| Draft {
            base: Arc::clone(&self.base),
            typed: fields.tree().into(),
            at: jiff::Timestamp::now().to_string(),
        });
        self.saved_draft = wanted.cloned();
        frame.push(DraftsAction::Save(DraftKey::Fields(frame.id.clone()), draft));
    }

    fn edits(&self) -> Vec<Edit> {
        let Self { before, now, .. } = self;
        let texts = [
            Edit { field: Field::Name, from: Some(before.name.as_str().into()), to: now.name.as_str().into() },
            Edit {
                field: Field::Description,
                from: Some(before.description.as_str().into()),
                to: now.description.as_str().into(),
            },
            Edit { field: Field::Favorited, from: Some(before.favorited.into()), to: now.favorited.into() },
        ];
        texts.into_iter().filter(|edit| edit.from.as_ref() != Some(&edit.to)).collect()
    }
}
