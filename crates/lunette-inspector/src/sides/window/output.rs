//! The results of the work of the comparison of two sides.

use std::path::PathBuf;
use std::sync::Arc;

use super::again::CopiedHere;
use super::rows::Arranged;
use super::send::Destination;
use super::work::Compared;
use super::{Action, CompareError, SendError, Sent, SidesPage, Stage};
use crate::bulk::Batch;
use crate::compare::{Position, Source};
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::journal::EntryRelation;
use crate::notifications::Topic;
use crate::output::{TaskOutput, TaskResult};
use crate::runs::Task;
use crate::setup::NotPicked;
use crate::sides::copy::{CopyPlan, CopyPlanError};
use crate::sides::{Comparison, Decision, Decisions, RowKey, SideError};
use crate::tasks::Ended;
use lunette_client::model::display::capitalized;
use lunette_client::model::size::plural;

/// What is copied is named one by one up to this many changes.
const NAMED: usize = 12;
/// How many rows of a run are in flight at once.
const IN_FLIGHT: usize = 4;

/// The result of a task.
pub(crate) enum Output {
    /// What was begun under this number was compared.
    Compared(u64, Result<Box<Compared>, CompareError>),
    /// The assets were matched anew.
    Matched(u64, Result<(Box<Comparison>, Arranged), Ended>),
    /// The rows that were shown under this number were filtered and sorted.
    Arranged(u64, Result<Arranged, Ended>),
    /// What was typed for a side was checked.
    Checked(Position, String, Result<(), SideError>),
    /// A file or a folder was picked for a side.
    Picked(Position, Result<Option<PathBuf>, NotPicked>),
    /// A row was read, to decide it.
    Deciding(RowKey, Result<Decision, SideError>),
    /// Both sides of a row were read.
    Beside(Result<[Source; 2], SideError>),
    /// What is copied was planned.
    Planned(u64, Result<Box<CopyPlan>, CopyPlanError>),
    /// What was copied to a side that is not connected was sent.
    Sent(u64, Result<Box<Sent>, SendError>),
    /// What was copied was read again.
    ReadAgain(u64, Result<(Box<Comparison>, Arranged), SideError>),
    /// It was undone; what is left of it, in a sentence.
    SentUndone(u64, Result<Option<String>, SendError>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Sides(self)
    }

    /// What was written is told wherever the user is.
    fn outlives_its_connection(&self) -> bool {
        matches!(self, Self::Sent(..) | Self::SentUndone(..))
    }
}

impl SidesPage {
    /// Handles the result of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Compared(number, end) if number == self.number => self.compared(end, cx),
            Output::Planned(number, end) if number == self.number => {
                (self.work, self.planned) = (None, None);
                match end {
                    Ok(plan) => self.ask(plan, cx),
                    Err(error) => nothing_was("copied", &error, cx),
                }
            }
            Output::Matched(number, end) if number == self.number => {
                self.compared_anew(end.map_err(SideError::from), "Nothing was matched", cx);
            }
            Output::Arranged(of, Ok(arranged)) if of == self.shown => self.arranged(arranged, cx),
            Output::Arranged(of, Err(_)) if of == self.shown => self.list.applying_query = false,
            Output::ReadAgain(number, end) if number == self.number => {
                self.compared_anew(end, "What was copied could not be read again", cx);
            }
            Output::Compared(..)
            | Output::Planned(..)
            | Output::Matched(..)
            | Output::ReadAgain(..)
            | Output::Arranged(..) => {}
            Output::Sent(number, end) => self.ended(number, end, cx),
            Output::SentUndone(number, end) => self.undone(number, end, cx),
            Output::Checked(at, text, checked) => self.checked(at, &text, checked),
            Output::Picked(at, end) => self.picked(at, end, cx),
            Output::Deciding(key, read) => self.deciding_read(&key, read),
            Output::Beside(Ok(sources)) => self.show_beside(sources, cx),
            Output::Beside(Err(error)) => {
                cx.notify_failed(Topic::Sides, format!("The two could not be read: {error}"), Vec::new());
            }
        }
        self.read_again(cx);
    }

    /// Shows a comparison that was made from another one.
    fn compared_anew(
        &mut self,
        end: Result<(Box<Comparison>, Arranged), SideError>,
        failed: &str,
        cx: &mut Context<'_>,
    ) {
        self.work = None;
        match end {
            Ok((comparison, arranged)) => self.show(*comparison, arranged, cx),
            Err(SideError::Cancelled) => {}
            Err(error) => cx.notify_failed(Topic::Sides, format!("{failed}: {error}"), Vec::new()),
        }
    }

    fn compared(&mut self, end: Result<Box<Compared>, CompareError>, cx: &mut Context<'_>) {
        self.work = None;
        match end {
            Ok(compared) => {
                let Compared { comparison, arranged, started } = *compared;
                cx.discard(std::mem::replace(&mut self.started, started));
                self.decisions = Decisions { required: true, ..Decisions::default() };
                self.show(comparison, arranged, cx);
                self.stage = Stage::Ready;
            }
            Err(error) => {
                if let Some(at) = error.at.filter(|_| error.is_of_text()) {
                    self.sources.problems[at.index()] = Some(capitalized(&error.to_string()));
                }
                self.stage = Stage::Failed(error.to_string());
            }
        }
    }

    /// Asks before the plan is sent, with what changes and what is left.
    fn ask(&mut self, plan: Box<CopyPlan>, cx: &mut Context<'_>) {
        if let Some(copying) = &mut self.copying {
            copying.known = plan.known.clone();
        }
        let destination = match self.destination(plan.to, cx) {
            Ok(destination) => destination,
            Err(why) => return cx.notify_failed(Topic::Sides, format!("Nothing was copied: {why}"), Vec::new()),
        };
        let rows = plan.record.run.rows.iter().map(|row| row.name.to_string());
        let changes: Vec<_> = (plan.record.rest.tasks.iter().zip(rows))
            .filter_map(|(task, name)| match task {
                Task::Change(change) => Some((change.clone(), name)),
                Task::Export(_) => None,
            })
            .collect();
        let left: String = plan.omissions().map(|left| format!("{left}.\n")).collect();
        if changes.is_empty() {
            return cx.notify_done(Topic::Sides, format!("There is nothing to copy. {left}"), Vec::new());
        }
        let lines: String =
            changes.iter().take(NAMED).map(|(change, name)| format!("• {}\n", change.title(name))).collect();
        let more = changes.len().saturating_sub(NAMED);
        let more = if more > 0 { format!("and {more} more changes\n") } else { String::new() };
        let text =
            format!("{lines}{more}{left}What changes meanwhile is left as it is. Undo takes the whole step back.");
        let (question, button) = question(changes.len(), plan.to);
        if let Destination::Other(key) = destination {
            let (number, name) = (self.number, self.name(plan.to).to_owned());
            let text = format!("They are sent to {name}, and are in the history of that connection.\n{text}");
            self.pending = Some((plan, key));
            return cx
                .ask_first(Confirmation::here(question, text, button, |confirmed| Action::Send(number, confirmed)));
        }
        let title = plan.record.run.title.clone();
        let (asked, copying) = (jiff::Timestamp::now(), self.copying.take());
        (self.sent, self.here) =
            (None, Some(CopiedHere { title: title.clone(), asked, copying, lost_scores: plan.lost_scores }));
        let batch = Batch { title, changes: Arc::new(changes), in_flight: IN_FLIGHT, answers: EntryRelation::None };
        cx.ask_first(Confirmation::batch(question, text, button, batch));
    }

    fn ended(&mut self, number: u64, end: Result<Box<Sent>, SendError>, cx: &mut Context<'_>) {
        match &end {
            Ok(sent) => {
                let counts = sent.run.counts();
                let left = counts.all() - counts.done - counts.unchanged;
                let done = format!("Copied {} to {}", plural(counts.done, "change"), sent.name);
                match left {
                    0 => cx.notify_done(Topic::Sides, done, Vec::new()),
                    left => cx.notify_failed(Topic::Sides, format!("{done}; {left} were not"), Vec::new()),
                }
            }
            Err(error) => cx.notify_failed(Topic::Sides, format!("Nothing was copied: {error}"), Vec::new()),
        }
        if number == self.number {
            (self.work, self.sending, self.sent) = (None, None, end.ok().map(|sent| *sent));
            let created = self.sent.as_ref().map(|sent| sent.created.clone()).unwrap_or_default();
            if let Some(copying) = self.copying.take() {
                self.written(&copying, created, cx);
            }
        }
    }

    fn undone(&mut self, number: u64, end: Result<Option<String>, SendError>, cx: &mut Context<'_>) {
        let undone = matches!(end, Ok(None));
        match end {
            Ok(None) => cx.notify_done(Topic::Sides, "What was copied was undone".to_owned(), Vec::new()),
            Ok(Some(left)) => cx.notify_failed(Topic::Sides, left, Vec::new()),
            Err(error) => cx.notify_failed(Topic::Sides, format!("It was not undone: {error}"), Vec::new()),
        }
        if number == self.number {
            (self.work, self.sending) = (None, None);
            if let Some(sent) = &mut self.sent {
                sent.undone |= undone;
            }
            self.sent_undone(cx);
        }
    }
}

/// What is asked before so many changes are sent to a side, and the button that sends them.
fn question(changes: usize, to: Position) -> (String, &'static str) {
    let question = match changes {
        1 => format!("Copy 1 change to the {}?", to.as_str()),
        count => format!("Copy {count} changes to the {}?", to.as_str()),
    };
    let button = match to {
        Position::Left => "Copy to the left",
        Position::Right => "Copy to the right",
    };
    (question, button)
}

fn nothing_was(done: &str, error: &dyn std::error::Error, cx: &mut Context<'_>) {
    cx.notify_failed(Topic::Sides, format!("Nothing was {done}: {error}"), Vec::new());
}
