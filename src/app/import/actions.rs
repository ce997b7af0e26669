//! What a user can ask of importing files, folders, samples and text.

use crate::app::App;
use std::path::PathBuf;

/// One request of the user about importing files, folders, samples and text.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Imports files and folders.
    Import(Vec<PathBuf>),
    /// Lets the user pick files to import.
    PickFiles,
    /// Lets the user pick a folder to import.
    PickFolder,
    /// Opens the form for a path to import.
    AskForPath,
    /// Imports the samples.
    Samples,
    /// Makes an asset from text.
    Create {
        /// Its name.
        name: String,
        /// Its text.
        text: String,
    },
    /// Puts the report of the last import away.
    DismissReport,
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Import(action)
    }
}

impl App {
    /// Carries out a request.
    pub(in crate::app) fn perform_import(&mut self, action: Action) {
        match action {
            Action::Import(paths) => self.import(paths),
            Action::PickFiles => self.pick_files(),
            Action::PickFolder => self.pick_folder(),
            Action::AskForPath => {
                self.show(crate::app::navigation::Panel::Assets);
                self.state.import.path_asked += 1;
            }
            Action::Samples => self.import_samples(),
            Action::Create { name, text } => self.create(name, text),
            Action::DismissReport => self.state.import.summary = None,
        }
    }
}
