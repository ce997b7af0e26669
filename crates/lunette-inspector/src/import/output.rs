//! The results of background tasks of imports, and how they are applied.

use crate::context::Context;
use crate::event::Event;
use crate::import::ImportSummary;
use crate::import::Imports;
use crate::import::known_libraries::KnownLibrary;
use crate::import::preview::content::PreviewRow;
use crate::import::preview::{ReadEnd, SentOutput};
use crate::import::receipt::Receipt;
use crate::import::{FailureReport, Made};
use crate::listing::{Query, RowList};
use crate::output::{TaskOutput, TaskResult};
use crate::setup::NotPicked;
use crate::tasks::Ended;
use crate::write::journaled::Failed;
use lunette_client::model::id::AssetId;
use std::path::PathBuf;

/// The result of a background task of imports.
pub(crate) enum Output {
    Picked(Result<Vec<PathBuf>, NotPicked>),
    /// The end of an import, with its steps if it sent anything.
    Imported(Box<ImportSummary>, Vec<Made>),
    /// The end of an import of files from a watched folder.
    FoundImported(PathBuf, Box<ImportSummary>, Vec<Made>),
    Created(Result<AssetId, Failed>),
    /// The content of dropped or chosen paths was recognised.
    Recognised {
        number: u64,
        paths: Vec<PathBuf>,
        end: ReadEnd,
    },
    /// Files or a folder to preview were picked.
    PickedToPreview(Result<Vec<PathBuf>, NotPicked>),
    /// A preview was read.
    Previewed {
        number: u64,
        end: ReadEnd,
    },
    /// The rows of a preview were filtered and sorted.
    QueryApplied {
        rows: RowList<PreviewRow>,
        query: Query,
        order: Vec<u32>,
    },
    /// Libraries in the known places were found.
    LibrariesFound(Result<Vec<KnownLibrary>, Ended>),
    /// The marked rows of a preview were imported.
    Sent(Box<SentOutput>),
    /// The receipt of the import of a preview was read.
    ReceiptRead(u64, Result<Receipt, Ended>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Import(self)
    }

    fn outlives_its_connection(&self) -> bool {
        matches!(self, Self::Picked(_) | Self::PickedToPreview(_))
    }
}

impl Imports {
    /// Handles the output of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Picked(end) => self.apply_picked(end, cx),
            Output::Imported(summary, made) => self.imported(*summary, made, FailureReport::Summary, cx),
            Output::FoundImported(folder, summary, made) => {
                self.imported(*summary, made, FailureReport::Summary, cx);
                cx.emit(Event::FolderImported(folder));
            }
            Output::Created(end) => self.created(end, cx),
            Output::Recognised { number, paths, end } => self.recognised(number, paths, end, cx),
            Output::PickedToPreview(end) => self.picked_to_preview(end, cx),
            Output::Previewed { number, end } => self.previewed(number, end, cx),
            Output::QueryApplied { rows, query, order } => self.query_applied(&rows, &query, order, cx),
            Output::LibrariesFound(end) => self.libraries_found(end),
            Output::Sent(sent) => self.sent(*sent, cx),
            Output::ReceiptRead(number, end) => self.receipt_read(number, end),
        }
    }
}
