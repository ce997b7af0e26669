//! The actions of the comparison of two sides.

use std::sync::Arc;

use super::{Output, Running, SidesPage, Stage, work};
use crate::action::CompareAction;
use crate::capability::Capability;
use crate::compare::{Position, Source};
use crate::context::Context;
use crate::sides::{Progress, RowKey, SideRow};
use crate::tasks::CancelFlag;

/// An action of the comparison of two sides.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Reads both sides and compares them: `own`, a URL, `@` with a day or a checkpoint, or the path of a file or folder.
    Compare([String; 2]),
    /// Stops what is under way.
    Cancel,
    /// Reads both sides again.
    Again,
    /// Forgets the comparison.
    Close,
    /// Shows a row side by side.
    Open(RowKey),
    /// Makes a match of an asset on the left and one on the right.
    Match(Arc<str>, Arc<str>),
    /// Undoes a match.
    Unmatch(RowKey),
    /// Plans what makes these rows at a side what they are at the other one, and asks before it is sent.
    Carry(Arc<Vec<RowKey>>, Position),
}

impl Action {
    /// Whether it reads both sides.
    pub(crate) fn reads(&self) -> bool {
        matches!(self, Self::Compare(_) | Self::Again)
    }
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Sides(action)
    }
}

impl SidesPage {
    /// Performs an action.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Compare(texts) => self.compare(texts, cx),
            Action::Cancel => self.cancel(),
            Action::Again => self.compare(self.texts.clone(), cx),
            Action::Close => self.leave(),
            Action::Open(key) => self.open(&key, cx),
            Action::Match(left, right) => {
                if let Some(comparison) = self.comparison.as_deref().map(|now| now.with_match(left, right)) {
                    self.show(comparison, cx);
                }
            }
            Action::Unmatch(RowKey { left, right }) => {
                let (Some(left), Some(right), Some(now)) = (left, right, self.comparison.as_deref()) else { return };
                let comparison = now.without_match(left, right);
                self.show(comparison, cx);
            }
            Action::Carry(keys, to) => self.carry(&keys, to, cx),
        }
    }

    /// What was compared stays until the other one was read.
    pub(super) fn compare(&mut self, texts: [String; 2], cx: &mut Context<'_>) {
        self.number += 1;
        let number = self.number;
        if self.texts != texts {
            self.comparison = None;
            self.list.clear();
        }
        self.texts = texts.clone();
        self.stage = Stage::Reading(Position::Left, Progress { done: 0, total: None });
        let cancel = CancelFlag::default();
        let environment = work::Environment::of(number, cancel.clone(), cx);
        let task =
            cx.run(work::compare(texts, self.moved.clone(), environment), move |end| Output::Compared(number, end));
        self.begin("Comparing two sides", task, cancel, cx);
    }

    fn begin(&mut self, title: &str, task: crate::tasks::TaskId, cancel: CancelFlag, cx: &mut Context<'_>) {
        let work = cx.next_work();
        cx.show_work(work, task, title.to_owned(), Some(cancel.clone()));
        self.work = Some(Running(cancel));
    }

    /// The work ends after the call under way, and says so.
    fn cancel(&self) {
        if let Some(Running(cancel)) = &self.work {
            cancel.cancel();
        }
    }

    fn open(&mut self, key: &RowKey, cx: &mut Context<'_>) {
        let (Some(row), Some(comparison)) = (self.row(key).cloned(), self.comparison.clone()) else { return };
        let read = async move { work::beside(&comparison, &row).await };
        cx.run(read, Output::Beside);
    }

    fn carry(&mut self, keys: &[RowKey], to: Position, cx: &mut Context<'_>) {
        if self.carry_obstacle(to).is_some()
            || self.work.is_some()
            || cx.blocks_write(Capability::Edit, "Could not start")
        {
            return;
        }
        let rows: Vec<Arc<SideRow>> = keys.iter().filter_map(|key| self.row(key).cloned()).collect();
        let Some(comparison) = self.comparison.clone() else { return };
        self.planned = Some(0);
        let cancel = CancelFlag::default();
        let environment = work::Environment::of(self.number, cancel.clone(), cx);
        let number = self.number;
        let task = cx.run(work::plan(comparison, rows, to, environment), move |end| Output::Planned(number, end));
        self.begin("Planning what is carried over", task, cancel, cx);
    }

    /// Shows a row beside itself in the panel of comparisons.
    pub(super) fn show_beside(&self, sources: [Source; 2], cx: &mut Context<'_>) {
        cx.request(CompareAction::Open(sources));
    }
}
