//! Name, description and favourite of an asset, in one write.

use egui::Ui;

use crate::app::Action;
use crate::app::change::{Change, Edit, Field, description};
use crate::app::state::AssetPage;
use crate::model::asset::Asset;
use crate::model::id::AssetId;
use crate::model::record::View;
use crate::ui::theme::UiExt as _;
use crate::ui::widget::dialog;
use crate::ui::widget::text_field::TextField;

use super::{Sent, footer_ui};

/// What is typed, beside what it was.
pub struct EditForm {
    before: Fields,
    now: Fields,
    fresh: bool,
    sent: Sent,
}

#[derive(Clone, PartialEq)]
struct Fields {
    name: String,
    description: String,
    favorited: bool,
}

impl EditForm {
    /// A form with what the asset has now.
    pub fn new(asset: View<'_, Asset>) -> Self {
        let before = Fields {
            name: asset.name().unwrap_or_default().to_owned(),
            description: description(asset).unwrap_or_default().to_owned(),
            favorited: asset.favorited().unwrap_or_default(),
        };
        Self { now: before.clone(), before, fresh: true, sent: Sent::default() }
    }

    /// Draws the form; true when it is to be closed.
    pub fn ui(&mut self, ui: &mut Ui, id: &AssetId, page: &AssetPage, actions: &mut Vec<Action>) -> bool {
        let ctx = ui.ctx().clone();
        let (done, outside) = dialog(&ctx, "edit asset", "Edit asset", 460.0, |ui| {
            let unnamed = self.now.name.trim().is_empty() && !self.before.name.is_empty();
            let fault = unnamed.then_some("a name is needed");
            let focus = std::mem::take(&mut self.fresh);
            let name = TextField::new("Name").error(fault).focus(focus).show(ui, &mut self.now.name);
            let described = TextField::new("Description").rows(5).show(ui, &mut self.now.description);
            ui.checkbox(&mut self.now.favorited, "Favourite");
            let reason = fault.or((self.now == self.before).then_some("nothing is changed yet"));
            let (cancelled, pressed) = footer_ui(ui, page, reason, |ui| ui.primary_button("Save"));
            if (pressed || name.submitted || described.submitted) && reason.is_none() && !page.writing {
                self.sent.send(ui, Change::Edit { asset: id.clone(), edits: self.edits() }, actions);
            }
            cancelled || self.sent.done(ui, page.writing, page.refused.is_some())
        });
        done || outside
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
