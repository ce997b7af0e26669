//! The requests of the user about previews.

use std::path::PathBuf;
use std::sync::Arc;

use lunette_sources::Source;

use crate::action::ImportAction;
use crate::confirm::Confirmed;
use crate::context::Context;
use crate::import::Imports;
use crate::import::engine::TakenIds;
use crate::import::known_libraries::Machine;
use crate::import::mapping::Mapping;
use crate::import::preview::read::ReadAs;
use crate::import::receipt::ReceiptKind;

/// A request of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Opens the page that lists the libraries on this machine.
    ShowPage(Option<Machine>),
    /// Lets the user pick files to preview.
    PickFiles,
    /// Lets the user pick a folder to preview.
    PickFolder,
    /// Previews these paths.
    Show(Vec<PathBuf>),
    /// Previews this path as a library of this program.
    ShowLibrary(PathBuf, Source),
    /// Reads the same paths again.
    ReadAgain,
    /// Sets what the paths are read as.
    Read(ReadAs),
    /// Changes how folders, fragments and triggers are mapped.
    Map(Mapping),
    /// Sets what happens to items whose ids are taken.
    TakenIds(TakenIds),
    /// Marks or unmarks rows.
    Mark {
        /// The rows.
        rows: Arc<Vec<u32>>,
        /// Whether they are marked.
        marked: bool,
    },
    /// Imports the marked rows.
    Import,
    /// Imports them after confirmation.
    ImportConfirmed(Confirmed),
    /// Saves the receipt; the user chooses where.
    SaveReceipt(ReceiptKind),
    /// Closes the preview, and the page behind it.
    Close,
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        ImportAction::Preview(action).into()
    }
}

impl Imports {
    /// Carries out a request about previews.
    pub(crate) fn perform_preview(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::ShowPage(machine) => self.show_page(machine, cx),
            Action::PickFiles => self.pick_files_to_preview(cx),
            Action::PickFolder => self.pick_folder_to_preview(cx),
            Action::Show(paths) => self.preview(paths, ReadAs::Recognised, cx),
            Action::ShowLibrary(path, source) => self.preview(vec![path], ReadAs::Library(source), cx),
            Action::ReadAgain => self.read_preview(cx),
            Action::Read(read_as) => self.change_preview(|preview| preview.read_as = read_as, cx),
            Action::Map(mapping) => self.change_preview(|preview| preview.mapping = mapping, cx),
            Action::TakenIds(taken) => self.change_preview(|preview| preview.taken_ids = Some(taken), cx),
            Action::Mark { rows, marked } => {
                if let Some(preview) = self.previews.open.as_deref_mut().filter(|preview| preview.sending.is_none()) {
                    preview.mark(&rows, marked);
                }
            }
            Action::Import => self.import_marked(cx),
            Action::ImportConfirmed(Confirmed { .. }) => self.import_marked_now(cx),
            Action::SaveReceipt(kind) => self.save_receipt(kind, cx),
            Action::Close => self.close_preview(cx),
        }
    }
}
