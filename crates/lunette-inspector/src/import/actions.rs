//! The requests of the user to import files, folders, samples and text.

use super::{Captured, Imports, preview};
use crate::action::NavigationAction;
use crate::confirm::Confirmed;
use crate::context::Context;
use crate::event::Event;
use crate::files::picture::Picture;
use crate::import::detect::FoundFile;
use crate::import::state::Repeatable;
use lunette_client::operation::Call;
use std::path::PathBuf;
use std::sync::Arc;

/// A request of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Imports files and folders.
    Import(Vec<PathBuf>),
    /// Imports files from a watched folder.
    Found(PathBuf, Arc<Vec<FoundFile>>),
    /// The user confirmed the import of the files that were found.
    FoundConfirmed(PathBuf, Arc<Vec<FoundFile>>, Confirmed),
    /// The user declined that.
    FoundDeclined(PathBuf),
    /// Lets the user pick files to import.
    PickFiles,
    /// Lets the user pick a folder to import.
    PickFolder,
    /// Opens the form for a path to import.
    AskForPath,
    /// Imports the samples.
    Samples,
    /// Creates an asset from text.
    Create {
        /// Its name.
        name: String,
        /// Its text.
        text: String,
    },
    /// Imports after confirmation.
    ImportConfirmed(Vec<PathBuf>, Confirmed),
    /// Imports the samples after confirmation.
    SamplesConfirmed(Confirmed),
    /// Imports again what the service refused because it accepts no writes, after confirmation.
    TryAgain(Repeatable, Confirmed),
    /// Sends the call that creates an asset of this name.
    CreateConfirmed(String, Arc<Call>, Confirmed),
    /// The user declined that.
    CreateDeclined,
    /// Dismisses the report of the last import.
    DismissReport,
    /// Creates an asset from the clipboard.
    Capture(Captured),
    /// Creates an asset from the picture on the clipboard after confirmation.
    CaptureConfirmed(Arc<Picture>, Confirmed),
    /// A request about previews.
    Preview(preview::Action),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Import(action)
    }
}

impl Imports {
    /// Carries out a request.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Import(paths) => self.import(paths, cx),
            Action::Found(folder, found) => self.import_found(folder, found, cx),
            Action::FoundConfirmed(folder, found, Confirmed { .. }) => self.import_found_now(folder, found, cx),
            Action::FoundDeclined(folder) => cx.emit(Event::FolderImported(folder)),
            Action::PickFiles => self.pick_files(cx),
            Action::PickFolder => self.pick_folder(cx),
            Action::AskForPath => {
                cx.request(NavigationAction::Show(crate::panel::Panel::Assets));
                self.path_requests += 1;
            }
            Action::Samples => self.import_samples(cx),
            Action::Create { name, text } => self.create(name, text, cx),
            Action::ImportConfirmed(paths, Confirmed { .. }) => self.import_now(paths, cx),
            Action::SamplesConfirmed(Confirmed { .. }) => self.import_samples_now(cx),
            Action::TryAgain(what, Confirmed { .. }) => {
                cx.forget_refusal();
                match what {
                    Repeatable::Files(paths) => self.import_now(paths, cx),
                    Repeatable::Samples => self.import_samples_now(cx),
                }
            }
            Action::CreateConfirmed(name, call, Confirmed { .. }) => self.create_now(name, Call::clone(&call), cx),
            Action::CreateDeclined => self.creation.resolve(Err("cancelled".to_owned())),
            Action::DismissReport => self.summary = None,
            Action::Capture(captured) => self.capture(captured, cx),
            Action::CaptureConfirmed(picture, Confirmed { .. }) => self.capture_picture(picture, cx),
            Action::Preview(action) => self.perform_preview(action, cx),
        }
    }
}
