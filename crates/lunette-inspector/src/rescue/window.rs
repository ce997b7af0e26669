//! The rescue in the window: counting what a service has, reading and storing it in the background, and what was
//! received.
//!
//! What must hold: it belongs to no connection, and goes on when another is chosen or another panel is shown; once it
//! is paused or interrupted, what was received is kept, and it goes on from there.

mod actions;
mod output;
mod row;
mod work;

pub use actions::Action;
pub(crate) use output::Output;
pub use row::{RescueRow, RowStatus};

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Kind, KindCount, KindReceipt, Listed, Phase, Progress, Receipt};
use crate::action::NavigationAction;
use crate::context::Context;
use crate::listing::Listing;
use crate::notifications::{NotificationAction, Topic};
use crate::panel::Panel;
use crate::tasks::{CancelFlag, OwnedTask, TaskId};
use crate::{Address, Remote};

/// How far a rescue is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Nothing was begun.
    #[default]
    Idle,
    /// The lists are read.
    Counting,
    /// The lists were read; the user has not started yet.
    Counted,
    /// Records are read, stored and compared.
    Running,
    /// It was stopped by the user.
    Paused,
    /// It ended early, and why.
    Interrupted(String),
    /// It ended, and there is a receipt.
    Ended,
}

/// What is shown below the kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// What is missing or differs, of all kinds.
    Missing,
    /// The records of a kind, as they were received.
    Kind(Kind),
}

/// A record as it was received.
#[derive(Clone, Debug, PartialEq)]
pub struct ReceivedRecord {
    /// Byte for byte.
    pub raw: String,
    /// What it says; null if that is not JSON.
    pub tree: serde_json::Value,
}

/// A record that is open.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenRecord {
    /// Its kind.
    pub kind: Kind,
    /// Its id.
    pub id: String,
    /// The record; why it cannot be shown.
    pub record: Remote<Arc<ReceivedRecord>, String>,
}

/// The rescue that is shown, which is the one that runs if one does.
#[derive(Default)]
pub struct Rescue {
    /// The service that is read from.
    pub from: Option<Address>,
    /// How far it is.
    pub stage: Stage,
    /// How much there is of each kind.
    pub counts: BTreeMap<Kind, KindCount>,
    /// What is being done, while it runs.
    pub progress: Option<Progress>,
    /// What became of everything, once it has ended; that of an earlier run until then.
    pub receipt: Option<Arc<Receipt>>,
    /// The folder in which what was received is kept, once it is known.
    pub folder: Option<PathBuf>,
    /// What is shown below the kinds.
    pub shown: Option<Shown>,
    /// Its records.
    pub list: Listing<RescueRow>,
    /// The record that is open.
    pub open: Option<OpenRecord>,
    listed: Option<Listed>,
    work: Option<OwnedTask>,
    /// Counts what was begun; results of what was begun earlier are outdated.
    number: u64,
}

impl Rescue {
    /// Its task while it runs.
    pub fn task(&self) -> Option<TaskId> {
        self.work.as_ref().map(OwnedTask::id)
    }

    /// Whether it was asked to stop and has not stopped yet.
    pub fn is_stopping(&self) -> bool {
        self.work.as_ref().is_some_and(OwnedTask::cancelled)
    }

    /// Whether there is anything to be seen.
    pub fn is_begun(&self) -> bool {
        self.stage != Stage::Idle
    }

    /// How many records the service named, and how many of them were received.
    pub fn total(&self) -> (usize, usize) {
        self.counts
            .values()
            .fold((0, 0), |(named, received), count| (named + count.named, received + count.received.min(count.named)))
    }

    /// What became of a kind.
    pub fn receipt_of(&self, kind: Kind) -> Option<&KindReceipt> {
        self.receipt.as_ref()?.kinds.iter().find(|row| row.kind == kind.name())
    }

    /// Takes in how far it is.
    pub(crate) fn progressed(&mut self, number: u64, progress: Progress) {
        if number != self.number {
            return;
        }
        if progress.phase == Phase::Reading {
            let Progress { kind, done, named, .. } = progress;
            let absent = self.counts.get(&kind).and_then(|count| count.absent.clone()).filter(|_| named == 0);
            self.counts.insert(kind, KindCount { kind, named, received: done, absent });
        }
        self.progress = Some(progress);
    }

    /// Reads the lists of a service.
    fn count(&mut self, from: Address, cx: &mut Context<'_>) {
        if self.work.is_some() {
            return;
        }
        if self.from.as_ref() != Some(&from) {
            self.clear();
        }
        self.from = Some(from.clone());
        self.begin(Stage::Counting, cx);
        let number = self.number;
        let cancel = CancelFlag::default();
        let count = work::count(from, cancel.clone(), work::Reports::of(number, cx), Arc::clone(&cx.setup().embed));
        let task = cx.run(count, move |listed| Output::Counted(number, listed));
        self.work = Some(cx.show_owned(task, "Counting what a service has", cancel));
    }

    /// Reads and stores everything; reads the lists first where that was not done, or what they say is outdated.
    fn start(&mut self, cx: &mut Context<'_>) {
        let (Some(from), None) = (self.from.clone(), &self.work) else { return };
        let listed = self.listed.take();
        self.begin(Stage::Running, cx);
        let number = self.number;
        let cancel = CancelFlag::default();
        let (reports, embed) = (work::Reports::of(number, cx), Arc::clone(&cx.setup().embed));
        let run = work::run(from, listed, cancel.clone(), reports, embed);
        let task = cx.run(run, move |receipt| Output::Ended(number, receipt));
        self.work = Some(cx.show_owned(task, "Rescuing everything", cancel));
    }

    /// What the last one ended with is no longer told.
    fn begin(&mut self, stage: Stage, cx: &mut Context<'_>) {
        cx.resolve(Topic::Rescue);
        self.number += 1;
        self.stage = stage;
        self.progress = None;
    }

    /// Stops after the call under way.
    fn pause(&self) {
        if let Some(work) = &self.work {
            work.cancel();
        }
    }

    /// Stops it and forgets it; what was received is kept on the disk.
    fn forget(&mut self) {
        self.clear();
    }

    fn clear(&mut self) {
        let query = std::mem::take(&mut self.list.query);
        *self = Self { number: self.number + 1, ..Self::default() };
        self.list.query = query;
    }

    fn ended_early(&mut self, error: &super::RescueError, cx: &mut Context<'_>) {
        self.stage = match error {
            super::RescueError::Cancelled => Stage::Paused,
            error => Stage::Interrupted(error.to_string()),
        };
        if let Stage::Interrupted(_) = &self.stage {
            let message = "The rescue was interrupted; what was received is kept";
            cx.notify_failed(Topic::Rescue, message.to_owned(), open_page(cx));
        }
    }
}

/// What a message offers where the page is not in view.
fn open_page(cx: &Context<'_>) -> Vec<NotificationAction> {
    let actions = vec![NavigationAction::Show(Panel::Rescue).into()];
    let is_shown = cx.preferences.settings.panel == Panel::Rescue;
    if is_shown { Vec::new() } else { vec![NotificationAction { label: "Open its page", actions }] }
}
