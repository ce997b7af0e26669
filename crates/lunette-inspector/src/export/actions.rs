//! The requests of the user about exports and saved files.

use crate::assets::page::OpenAssets;
use crate::confirm::Confirmed;
use crate::context::Context;
use crate::export::code_picture::PictureKind;
use crate::export::{ExportRequest, Exports};
use crate::files::picture::Picture;
use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;
use std::path::PathBuf;
use std::sync::Arc;

/// A request of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Exports an asset, for the preview.
    Export(AssetId, ExportType),
    /// Renders a picture of the text of an asset, for the preview.
    Picture(AssetId, PictureKind),
    /// Drops the document of an export when its preview closes.
    Close(AssetId),
    /// Saves the previewed export; the user chooses where.
    Save(AssetId),
    /// Offers the previewed export to the program it is dragged onto.
    Drag(AssetId),
    /// Saves the previewed export at a typed path, which must not exist.
    SaveAs(AssetId, PathBuf),
    /// Saves the shown content; the user chooses where.
    SaveContent(AssetId),
    /// Saves it after the user confirmed possible secrets.
    SaveContentConfirmed(AssetId, Confirmed),
    /// Opens a saved file in its default program.
    OpenFile(PathBuf),
    /// Shows a saved file in its folder.
    ShowInFolder(PathBuf),
    /// Saves a picture of the window; the user chooses where.
    SavePicture(Arc<Picture>),
    /// Exports many assets to a folder or file.
    Many(Box<ExportRequest>),
    /// Lets the user choose the target; suggests a name.
    PickTarget(String),
    /// Finishes the export after the user confirmed possible secrets.
    FinishMany(Confirmed),
    /// Discards the export.
    DropMany,
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Export(action)
    }
}

impl Exports {
    /// Carries out a request.
    pub(crate) fn perform(&mut self, action: Action, pages: &OpenAssets, cx: &mut Context<'_>) {
        match action {
            Action::Export(id, kind) => self.export(id, kind, pages, cx),
            Action::Picture(id, kind) => self.export_picture(id, kind, cx),
            Action::Close(id) => self.drop_export(&id),
            Action::Save(id) => self.save_export(&id, cx),
            Action::Drag(id) => self.drag_export(&id, cx),
            Action::SaveAs(id, path) => self.save_export_as(&id, path, cx),
            Action::SaveContent(id) => self.search_content(id, pages, cx),
            Action::SaveContentConfirmed(id, Confirmed { .. }) => self.save_content(&id, pages, cx),
            Action::OpenFile(path) => self.open_file(path, cx),
            Action::ShowInFolder(path) => self.show_in_folder(path, cx),
            Action::SavePicture(picture) => self.save_picture(picture, cx),
            Action::Many(request) => self.export_many(*request, cx),
            Action::PickTarget(name) => self.pick_target(&name, cx),
            Action::FinishMany(Confirmed { .. }) => self.finish_many(cx),
            Action::DropMany => self.drop_many(cx),
        }
    }
}
