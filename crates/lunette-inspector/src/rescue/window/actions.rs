//! The actions of the rescue.

use super::{OpenRecord, Output, Rescue, Shown, work};
use crate::context::Context;
use crate::rescue::{Kind, RescueError};
use crate::setup::picked;
use crate::{Address, Remote};

/// An action of the rescue.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Reads the lists of a service, which says how much there is of each kind.
    Count(Address),
    /// Reads and stores everything, or goes on with it.
    Start,
    /// Stops after the call under way; what was received is kept.
    Pause,
    /// Stops, and forgets what is shown; what was received is kept on the disk.
    Cancel,
    /// Shows the missing records or those of a kind; `None` for neither.
    Show(Option<Shown>),
    /// Opens a record as it was received; `None` closes it.
    Open(Option<(Kind, String)>),
    /// Picks a file, and writes all records of a kind into it as they were received.
    Export(Kind),
    /// Opens the receipt in the program that shows pages.
    OpenReceipt,
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Rescue(action)
    }
}

impl Rescue {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Count(from) => self.count(from, cx),
            Action::Start => self.start(cx),
            Action::Pause => self.pause(),
            Action::Cancel => self.forget(),
            Action::Show(shown) => self.show_rows(shown, cx),
            Action::Open(record) => self.open_record(record, cx),
            Action::Export(kind) => self.export(kind, cx),
            Action::OpenReceipt => self.open_receipt(cx),
        }
    }

    pub(super) fn show_rows(&mut self, shown: Option<Shown>, cx: &mut Context<'_>) {
        if self.shown != shown {
            self.list.clear();
            self.open = None;
        }
        self.shown = shown;
        let (Some(shown), Some(folder)) = (shown, self.folder.clone()) else { return };
        let receipt = self.receipt.clone();
        self.list.rows.start_loading();
        let read = move || work::rows(&folder, shown, receipt.as_deref());
        cx.run_blocking(read, move |rows| Output::Rows(shown, rows));
    }

    fn open_record(&mut self, record: Option<(Kind, String)>, cx: &mut Context<'_>) {
        let (Some((kind, id)), Some(folder)) = (record, self.folder.clone()) else {
            self.open = None;
            return;
        };
        let mut record = Remote::NotRequested;
        record.start_loading();
        self.open = Some(OpenRecord { kind, id: id.clone(), record });
        let of = id.clone();
        let read = move || work::record(&folder, kind, &of);
        cx.run_blocking(read, move |read| Output::Record(kind, id, read));
    }

    fn export(&mut self, kind: Kind, cx: &mut Context<'_>) {
        let Some(folder) = self.folder.clone() else { return };
        let dialogs = std::sync::Arc::clone(&cx.setup().dialogs);
        let picking = dialogs.save(&format!("{}.json", kind.name()));
        let write = async move {
            let picked = picked(picking, dialogs).await.map_err(|why| RescueError::NotPicked(why.to_string()))?;
            let Some(path) = picked else { return Ok(None) };
            work::export(folder, kind, path).await.map(Some)
        };
        cx.run(write, move |written| Output::Exported(kind, written));
    }

    fn open_receipt(&mut self, cx: &mut Context<'_>) {
        let Some(page) = self.folder.as_ref().map(|folder| folder.join("receipt.html")) else { return };
        let dialogs = std::sync::Arc::clone(&cx.setup().dialogs);
        let open = async move { dialogs.open(page).await };
        cx.run(open, Output::ReceiptOpened);
    }
}
