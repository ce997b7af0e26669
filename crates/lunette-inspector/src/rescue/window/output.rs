//! The results of the work of the rescue.

use std::path::PathBuf;
use std::sync::Arc;

use super::{ReceivedRecord, Rescue, RescueRow, Shown, Stage};
use crate::CallError;
use crate::context::Context;
use crate::event::Event;
use crate::listing::RowList;
use crate::notifications::Topic;
use crate::output::{TaskOutput, TaskResult};
use crate::rescue::{Kind, Listed, Receipt, RescueError};
use crate::settings::Target;
use crate::setup::DesktopError;

/// The result of a task of the rescue.
pub(crate) enum Output {
    /// The lists of what was begun under this number were read.
    Counted(u64, Result<Listed, RescueError>),
    /// What was begun under this number ended; with the folder of what was received.
    Ended(u64, Result<(Receipt, PathBuf), RescueError>),
    /// The rows of what is shown.
    Rows(Shown, Result<Vec<Arc<RescueRow>>, RescueError>),
    /// A record as it was received.
    Record(Kind, String, Result<Arc<ReceivedRecord>, RescueError>),
    /// The records of a kind were written into a file, if one was picked.
    Exported(Kind, Result<Option<PathBuf>, RescueError>),
    /// The receipt was opened, or not.
    ReceiptOpened(Result<(), DesktopError>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Rescue(self)
    }

    fn outlives_its_connection(&self) -> bool {
        true
    }
}

impl Rescue {
    /// Handles the result of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Counted(number, listed) if number == self.number => self.counted(listed, cx),
            Output::Ended(number, ended) if number == self.number => self.ended(ended, cx),
            Output::Counted(..) | Output::Ended(..) => {}
            Output::Rows(shown, rows) => {
                if self.shown == Some(shown) {
                    let unread = |error: RescueError| CallError::Internal { target: None, problem: error.to_string() };
                    self.list.resolve(rows.map(RowList::from).map_err(unread));
                }
            }
            Output::Record(kind, id, read) => {
                if let Some(open) = self.open.as_mut().filter(|open| (open.kind, &open.id) == (kind, &id)) {
                    open.record.resolve(read.map_err(|error| error.to_string()));
                }
            }
            Output::Exported(_, Ok(None)) => {}
            Output::Exported(kind, Ok(Some(path))) => {
                cx.resolve(Topic::RescueFile);
                cx.show_success(format!("Wrote the {} as they were received to {}", kind.name(), path.display()));
            }
            Output::Exported(kind, Err(why)) => {
                let message = format!("The {} were not written: {why}", kind.name());
                cx.notify_failed(Topic::RescueFile, message, Vec::new());
            }
            Output::ReceiptOpened(Ok(())) => cx.resolve(Topic::RescueFile),
            Output::ReceiptOpened(Err(why)) => {
                let place = self.folder.as_ref().map(|folder| folder.join("receipt.html").display().to_string());
                let message = format!("The receipt was not opened: {why}. It is {}", place.unwrap_or_default());
                cx.notify_failed(Topic::RescueFile, message, Vec::new());
            }
        }
    }

    fn counted(&mut self, listed: Result<Listed, RescueError>, cx: &mut Context<'_>) {
        self.work = None;
        match listed {
            Ok(listed) => {
                self.counts = listed.counts().into_iter().map(|count| (count.kind, count)).collect();
                self.folder = Some(listed.folder().to_owned());
                self.listed = Some(listed);
                self.stage = Stage::Counted;
                self.progress = None;
            }
            Err(error) => self.ended_early(&error, cx),
        }
    }

    fn ended(&mut self, ended: Result<(Receipt, PathBuf), RescueError>, cx: &mut Context<'_>) {
        self.work = None;
        self.progress = None;
        let (receipt, folder) = match ended {
            Ok(ended) => ended,
            Err(error) => return self.ended_early(&error, cx),
        };
        let missing = receipt.missing();
        for row in &receipt.kinds {
            let Some(kind) = Kind::of(row.kind) else { continue };
            let (named, received, absent) = (row.named, row.received, row.absent.clone());
            self.counts.insert(kind, super::KindCount { kind, named, received, absent });
        }
        self.receipt = Some(Arc::new(receipt));
        self.folder = Some(folder);
        self.stage = Stage::Ended;
        let (named, _) = self.total();
        match missing {
            0 => cx.notify_done(Topic::Rescue, format!("Took all {named} records along"), Vec::new()),
            missing => {
                let message = format!("{missing} of {named} records are missing or differ; the receipt names each");
                cx.notify_failed(Topic::Rescue, message, super::open_page(cx));
            }
        }
        let shown = if missing > 0 { Some(Shown::Missing) } else { self.shown };
        self.show_rows(shown, cx);
        if cx.connection.target == Target::Embedded {
            cx.emit(Event::ReadAll);
        }
    }
}
