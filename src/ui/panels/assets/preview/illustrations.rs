//! The pictures of a rendered text: other assets with the names of its files.
//!
//! What must hold: nothing is asked for that the text does not show; the list is searched on another thread.

use std::collections::BTreeMap;

use egui::Ui;

use super::content::Form;
use crate::ui::panels::assets::frame::AssetFrame;
use crate::ui::widgets::background::Background;
use crate::ui::widgets::markdown::PictureShown;
use lunette_client::model::id::AssetId;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::assets::pictures::{PictureOf, named};
use lunette_inspector::listing::RowList;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::{Remote, State};

/// The most pictures of one text.
const MAX_PICTURES: usize = 12;

/// The assets that are the pictures of the text shown.
#[derive(Default)]
pub(super) struct Illustrations {
    wanted: Option<Wanted>,
    found: Background<Wanted, BTreeMap<String, PictureOf>>,
}

/// What is searched for.
#[derive(Clone)]
struct Wanted {
    rows: RowList<AssetRow>,
    text: AssetId,
    files: Vec<String>,
}

impl PartialEq for Wanted {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.files == other.files && self.rows.same(&other.rows)
    }
}

impl Illustrations {
    /// Finds the pictures of a text, and asks for those that are not known.
    pub(super) fn ask(&mut self, ui: &Ui, form: &Form, frame: &mut AssetFrame<'_>) {
        let (Form::Markdown(text), Some(rows)) = (form, frame.state.assets.list.rows.value()) else { return };
        let files = || text.picture_files().take(MAX_PICTURES);
        if files().next().is_none() {
            return;
        }
        let is_same = |wanted: &Wanted| {
            wanted.text == *frame.id && wanted.rows.same(rows) && files().eq(wanted.files.iter().map(String::as_str))
        };
        if !self.wanted.as_ref().is_some_and(is_same) {
            let files = files().map(str::to_owned).collect();
            self.wanted = Some(Wanted { rows: rows.clone(), text: frame.id.clone(), files });
        }
        let Some(wanted) = &self.wanted else { return };
        let given = wanted.clone();
        self.found.get(ui.ctx(), wanted, move || named(&given.rows, &given.text, &given.files));
        let Some(found) = self.found.known(wanted) else { return };
        let unknown = |of: &&PictureOf| frame.state.assets.pictures.get(of).is_none();
        let unknown: Vec<PictureOf> = found.values().filter(unknown).cloned().collect();
        if !unknown.is_empty() {
            frame.push(AssetsAction::LoadPictures(unknown));
        }
    }

    /// Returns what is known of the picture in a file.
    pub(super) fn picture<'a>(&self, file: &str, state: &'a State) -> PictureShown<'a> {
        let Some(wanted) = &self.wanted else { return PictureShown::Missing };
        let Some(found) = self.found.last(|key| key.text == wanted.text) else { return PictureShown::Loading };
        let Some(of) = found.get(file) else { return PictureShown::Missing };
        match state.assets.pictures.get(of) {
            None | Some(Remote::NotRequested | Remote::Loading { .. }) => PictureShown::Loading,
            Some(Remote::Known(picture)) => PictureShown::Known(picture),
            Some(Remote::Failed { error, .. }) => PictureShown::Failed(error),
        }
    }
}
