//! Name, description and favourite of an asset, in one write; what is typed is kept until it is applied or given up.
//!
//! What must hold: what is typed while a write is under way is in no write; the form stays open with it.

use egui::Ui;
use serde_json::{Value, json};

use crate::app::Action;
use crate::app::change::{Change, Edit, Field, description};
use crate::app::drafts::{Draft, DraftKey};
use crate::app::state::AssetPage;
use crate::ui::format;
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::dialog_with_changes;
use crate::ui::widgets::text_field::TextField;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::{Record as _, View};

use super::{FORGOTTEN, Sent, end_ui, refused_ui};

/// What is typed, beside what it was.
pub struct EditForm {
    /// The record it was begun with.
    base: Value,
    before: Fields,
    now: Fields,
    /// What stood there when Save was pressed last.
    saved: Fields,
    /// Whether a write went well and something was typed while it was under way.
    ahead: bool,
    /// What of it is kept as a draft; None where that is nothing.
    kept: Option<Fields>,
    /// When it was typed, where it was typed before.
    at: Option<String>,
    fresh: bool,
    sent: Sent,
    /// Whether the asset was changed elsewhere meanwhile.
    told: bool,
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

    /// Goes on from `saved`, which the asset has as `base` now: what was typed since stays, the rest is the asset's.
    fn typed_since(self, saved: &Self, base: &Self) -> Self {
        let text = |now: String, saved: &str, base: &str| if now == saved { base.to_owned() } else { now };
        Self {
            name: text(self.name, &saved.name, &base.name),
            description: text(self.description, &saved.description, &base.description),
            favorited: if self.favorited == saved.favorited { base.favorited } else { self.favorited },
        }
    }

    /// What was typed before; what is not in it stays as it is.
    fn typed(mut self, tree: &Value) -> Self {
        let Self { name, description, favorited } = &mut self;
        for (field, key) in [(name, "name"), (description, "description")] {
            if let Some(text) = tree.get(key).and_then(Value::as_str) {
                text.clone_into(field);
            }
        }
        *favorited = tree.get("favorited").and_then(Value::as_bool).unwrap_or(*favorited);
        self
    }
}

impl EditForm {
    /// A form with what the asset has now.
    pub fn new(asset: View<'_, Asset>) -> Self {
        let before = Fields::of(asset);
        let (base, sent) = (asset.tree().clone(), Sent::default());
        let (now, saved) = (before.clone(), before.clone());
        Self { base, before, now, saved, ahead: false, kept: None, at: None, fresh: true, sent, told: false }
    }

    /// A form with what was typed before.
    pub fn resumed(draft: &Draft) -> Self {
        let form = Self::new(View::of(&draft.base));
        let now = form.before.clone().typed(&draft.typed);
        Self { kept: Some(now.clone()), now, at: Some(draft.at.clone()), ..form }
    }

    /// The record it was begun with.
    pub fn base(&self) -> &Value {
        &self.base
    }

    /// Says whether the asset was changed elsewhere meanwhile.
    pub fn tell(&mut self, changed: bool) {
        self.told = changed;
    }

    /// Draws the form; true when it is to be closed. `held` says what stands in the way of its write.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        page: &AssetPage,
        held: Option<&str>,
        actions: &mut Vec<Action>,
    ) -> bool {
        let ctx = ui.ctx().clone();
        let ((cancelled, done), outside) = dialog_with_changes(&ctx, "edit asset", "Edit asset", 460.0, |ui| {
            let unnamed = self.now.name.trim().is_empty() && !self.before.name.is_empty();
            let fault = unnamed.then_some("Enter a name");
            let focus = std::mem::take(&mut self.fresh);
            let rows = if ui.ctx().content_rect().height() < 420.0 { 2 } else { 5 };
            let name = TextField::new("Name").error(fault).focus(focus).show(ui, &mut self.now.name);
            let described = TextField::new("Description").rows(rows).show(ui, &mut self.now.description);
            ui.checkbox(&mut self.now.favorited, "Favourite");
            let reason = held.or(fault).or((self.now == self.before).then_some("Nothing has changed yet"));
            self.status_ui(ui, page);
            let save = |ui: &mut Ui| ui.primary_button("Save");
            let (cancelled, pressed) = end_ui(ui, page, reason, FORGOTTEN, actions, save);
            if (pressed || name.submitted || described.submitted) && reason.is_none() && !page.writing {
                self.saved = self.now.clone();
                self.sent.send(ui, Change::Edit { asset: id.clone(), edits: self.edits() }, actions);
            }
            ((cancelled, self.done(ui, page)), self.now != self.before)
        });
        self.keep(id, cancelled || done, actions);
        cancelled || done || outside
    }

    /// What there is to say above the buttons, in a place that is kept: a message that comes moves none of them.
    fn status_ui(&self, ui: &mut Ui, page: &AssetPage) {
        let size = egui::vec2(ui.available_width(), 2.0 * ui.text_style_height(&egui::TextStyle::Body) + 6.0);
        ui.allocate_ui(size, |ui| {
            ui.set_min_size(size);
            if page.refused.is_some() {
                refused_ui(ui, page);
            } else if self.ahead {
                ui.warning_text("Saved. What you typed after pressing Save is not saved yet.");
            } else if self.told {
                ui.warning_text("This asset was changed elsewhere. Your changes are compared with it when you save.");
            } else if let Some(at) = &self.at {
                ui.caption(&format!("Restored from your draft of {}", format::ago(at)));
            }
        });
    }

    /// Whether the last write went well, and nothing was typed that is not in it.
    fn done(&mut self, ui: &Ui, page: &AssetPage) -> bool {
        let same = self.now == self.saved;
        // What was typed since goes on from the asset as the write left it, which may have to be read first.
        let waiting = page.writing || !same && page.record.loading();
        if !self.sent.done(ui, waiting, page.refused.is_some()) {
            return false;
        }
        let Some(asset) = page.record.value().filter(|_| !same) else { return same };
        self.before = Fields::of(asset.view());
        self.base = asset.tree().clone();
        self.now = self.now.clone().typed_since(&self.saved, &self.before);
        self.ahead = self.now != self.before;
        // A draft is measured by what it was begun with.
        self.kept = None;
        !self.ahead
    }

    /// Keeps what is typed, where it is not what is kept already; `gone` says that nothing of it is to be kept.
    fn keep(&mut self, id: &AssetId, gone: bool, actions: &mut Vec<Action>) {
        let wanted = (!gone && self.now != self.before).then_some(&self.now);
        if self.kept.as_ref() == wanted {
            return;
        }
        let draft = wanted.map(|fields| Draft {
            base: self.base.clone(),
            typed: fields.tree(),
            at: jiff::Timestamp::now().to_string(),
        });
        self.kept = wanted.cloned();
        actions.push(Action::KeepDraft(DraftKey::Fields(id.clone()), draft));
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
