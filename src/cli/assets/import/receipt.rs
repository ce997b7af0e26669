//! Writes a receipt to a new file, in the format of its extension.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use crate::cli::Failure;
use crate::cli::connect::Service;
use crate::cli::import::sources::Sorted;
use lunette_inspector::files::{reason, write_new};
use lunette_inspector::import::engine::ImportReport;
use lunette_inspector::import::receipt::{Imported, Receipt, ReceiptKind, Selection};
use lunette_inspector::tasks::CancelFlag;

/// A receipt to write.
#[derive(Debug)]
pub(super) struct ReceiptFile {
    path: PathBuf,
    kind: ReceiptKind,
}

impl ReceiptFile {
    /// Creates a receipt file from a path and its extension. Fails if it cannot be written.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        let kind = path.extension().and_then(OsStr::to_str).and_then(ReceiptKind::of_extension);
        let Some(kind) = kind else {
            return Err(Failure::usage(anyhow!("{}: a receipt is a .csv, .json or .md file", path.display())));
        };
        if path.exists() {
            return Err(Failure::usage(anyhow!("{} exists; choose another file for the receipt", path.display())));
        }
        Ok(Self { path: path.to_owned(), kind })
    }

    /// Reads back what was imported, and writes the receipt.
    pub async fn write(&self, service: &Service, report: &ImportReport, sorted: &Sorted) -> Result<(), Failure> {
        let Sorted { plans, updated, .. } = sorted;
        let imported = Imported { report, plans, files: &[], updated, selection: Selection::All };
        let receipt = Receipt::of(&imported).read_back(&service.client, |_, _| (), &CancelFlag::default()).await;
        let written = write_new(&self.path, receipt.file(self.kind).as_bytes()).map_err(|error| reason(&error));
        written.map_err(|why| {
            Failure::failed(anyhow!(
                "the import is done, but the receipt was not written: {}: {why}",
                self.path.display()
            ))
        })
    }
}
