//! The actions of the comparison of two sides.

use std::sync::Arc;

use super::again::{Copied, Copying};
use super::rows::Arranged;
use super::send::Destination;
use super::{Chosen, Output, Pick, SidesPage, Stage, work};
use crate::action::CompareAction;
use crate::capability::Capability;
use crate::compare::{Position, Source};
use crate::confirm::Confirmed;
use crate::context::Context;
use crate::notifications::Topic;
use crate::sides::copy::Known;
use crate::sides::{Comparison, Progress, RowKey, SideRow};
use crate::tasks::{CancelFlag, Ended};

/// An action of the comparison of two sides.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Reads both sides and compares them: `own`, a URL, `@` with a day or a checkpoint, or the path of a file or
    /// folder.
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
    Copy(Arc<Vec<RowKey>>, Position),
    /// Takes in what was typed for a side.
    Typed(Position, String),
    /// Checks what was typed for a side, without reading it.
    Check(Position),
    /// Sets what is typed for a side.
    Set(Position, String),
    /// Lets the user pick a file or a folder for a side.
    Pick(Position, Pick),
    /// Opens a row that both sides changed, to decide it; `None` closes it.
    Decide(Option<RowKey>),
    /// Decides a part of the open row.
    Choose(Chosen),
    /// Decides that a side is right in these rows.
    DecideRows(Arc<Vec<RowKey>>, Position),
    /// Sends what was planned last to a side that is not connected.
    Send(u64, Confirmed),
    /// Undoes what was copied last to a side that is not connected.
    UndoSent,
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
            Action::Match(left, right) => self.match_again(cx, move |now| now.with_match(left, right)),
            Action::Unmatch(RowKey { left: Some(left), right: Some(right) }) => {
                self.match_again(cx, move |now| now.without_match(left, right));
            }
            Action::Unmatch(_) => {}
            Action::Typed(at, text) => self.typed(at, text),
            Action::Check(at) => self.check(at, cx),
            Action::Set(at, text) => {
                self.sources.set(at, &text);
                self.check(at, cx);
            }
            Action::Pick(at, what) => self.pick(at, what, cx),
            Action::Decide(Some(key)) => self.decide(key, cx),
            Action::Decide(None) => self.deciding = None,
            Action::Choose(chosen) => self.choose(chosen),
            Action::DecideRows(keys, side) => self.decide_rows(&keys, side),
            Action::Copy(keys, to) => self.copy(&keys, to, cx),
            Action::Send(number, _) => self.send(number, cx),
            Action::UndoSent => self.undo_sent(cx),
        }
    }

    /// What was compared stays until the other one was read.
    pub(super) fn compare(&mut self, texts: [String; 2], cx: &mut Context<'_>) {
        self.number += 1;
        let number = self.number;
        if self.texts != texts {
            (self.comparison, self.copied) = (None, Copied::default());
            self.list.clear();
        }
        (self.deciding, self.copied.due) = (None, false);
        if self.sources.texts != texts {
            Position::ALL.into_iter().zip(&texts).for_each(|(at, text)| self.sources.set(at, text));
        }
        self.sources.problems = [None, None];
        self.texts = texts.clone();
        self.stage = Stage::Reading(Position::Left, Progress { done: 0, total: None });
        let cancel = CancelFlag::default();
        let environment = work::Environment::of(number, cancel.clone(), cx);
        let compared = work::compare(texts, self.moved.clone(), self.list.query.clone(), environment);
        let task = cx.run(compared, move |end| Output::Compared(number, end));
        self.work = Some(cx.show_owned(task, "Comparing two sides", cancel));
    }

    /// Matches the assets anew in the background.
    fn match_again(&mut self, cx: &mut Context<'_>, change: impl FnOnce(&Comparison) -> Comparison + Send + 'static) {
        let Some(comparison) = self.comparison.clone().filter(|_| self.work.is_none()) else { return };
        let (query, number) = (self.list.query.clone(), self.number);
        let matched = move || {
            let comparison = change(&comparison);
            let arranged = Arranged::of(&comparison.rows, query);
            Ok::<_, Ended>((Box::new(comparison), arranged))
        };
        let task = cx.run_blocking(matched, move |end| Output::Matched(number, end));
        self.work = Some(cx.show_owned(task, "Matching the assets of two sides", CancelFlag::default()));
    }

    /// The work ends after the call under way, and says so.
    fn cancel(&self) {
        if let Some(work) = &self.work {
            work.cancel();
        }
    }

    fn open(&mut self, key: &RowKey, cx: &mut Context<'_>) {
        let (Some(row), Some(comparison)) = (self.row(key).cloned(), self.comparison.clone()) else { return };
        let read = async move { work::beside(&comparison, &row).await };
        cx.run(read, Output::Beside);
    }

    fn copy(&mut self, keys: &Arc<Vec<RowKey>>, to: Position, cx: &mut Context<'_>) {
        if self.work.is_some() {
            return;
        }
        match self.destination(to, cx) {
            Ok(Destination::Connected) if cx.blocks_write(Capability::Edit, "Could not start") => return,
            Ok(_) => {}
            Err(why) => return cx.notify_failed(Topic::Sides, format!("Nothing was copied: {why}"), Vec::new()),
        }
        let rows: Vec<Arc<SideRow>> = keys.iter().filter_map(|key| self.row(key).cloned()).collect();
        self.copying = Some(Copying { keys: Arc::clone(keys), to, known: Known::default() });
        let Some(comparison) = self.comparison.clone() else { return };
        self.planned = Some(0);
        let cancel = CancelFlag::default();
        let environment = work::Environment::of(self.number, cancel.clone(), cx);
        let number = self.number;
        let plan = work::plan(comparison, rows, to, self.decisions.clone(), environment);
        let task = cx.run(plan, move |end| Output::Planned(number, end));
        self.work = Some(cx.show_owned(task, "Planning what is copied", cancel));
    }

    /// Shows a row beside itself in the panel of comparisons.
    pub(super) fn show_beside(&self, sources: [Source; 2], cx: &mut Context<'_>) {
        cx.request(CompareAction::Open(sources));
    }
}
