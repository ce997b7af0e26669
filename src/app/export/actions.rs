//! What a user can ask of exports, and files that were saved.

use crate::app::confirm::Confirmed;
use crate::app::context::Context;
use crate::app::export::code_picture::PictureKind;
use crate::app::export::{ExportRequest, Exports};
use crate::app::files::picture::Picture;
use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;
use std::path::PathBuf;
use std::sync::Arc;

/// One request of the user about exports, and files that were saved.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Exports an asset, to look at.
    Export(AssetId, ExportType),
    /// Makes a picture of the text of an asset, to look at.
    Picture(AssetId, PictureKind),
    /// Lets the document of an export go: it is looked at no more.
    Close(AssetId),
    /// Lets the documents of all other assets go.
    CloseOthers(AssetId),
    /// Saves the export that is looked at, where the user says.
    Save(AssetId),
    /// Offers the export that is looked at to the program it is dragged onto.
    Drag(AssetId),
    /// Saves the export that is looked at under a path that was typed, where nothing is yet.
    SaveAs(AssetId, PathBuf),
    /// Saves the content that is looked at, where the user says.
    SaveContent(AssetId),
    /// Saves it after the user has seen what looks like a secret in it.
    SaveContentConfirmed(AssetId, Confirmed),
    /// Opens a file that was saved in the program that the system has for it.
    OpenFile(PathBuf),
    /// Shows a file that was saved in its folder.
    ShowInFolder(PathBuf),
    /// Saves a picture of the window, where the user says.
    SavePicture(Arc<Picture>),
    /// Exports many assets to a folder or file.
    Many(Box<ExportRequest>),
    /// Lets the user choose where to; suggests a name.
    PickTarget(String),
    /// Writes them after the user has seen what looks like a secret.
    FinishMany(Confirmed),
    /// Writes nothing.
    DropMany,
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Export(action)
    }
}

impl Exports {
    /// Carries out a request.
    pub(in crate::app) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Export(id, kind) => self.export(id, kind, cx),
            Action::Picture(id, kind) => self.export_picture(id, kind, cx),
            Action::Close(id) => self.drop_export(&id),
            Action::CloseOthers(id) => self.drop_documents_but(&id),
            Action::Save(id) => self.save_export(&id, cx),
            Action::Drag(id) => self.drag_export(&id, cx),
            Action::SaveAs(id, path) => self.save_export_as(&id, path, cx),
            Action::SaveContent(id) => self.search_content(id, cx),
            Action::SaveContentConfirmed(id, Confirmed { .. }) => self.save_content(&id, cx),
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
