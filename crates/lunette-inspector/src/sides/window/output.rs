//! The results of the work of the comparison of two sides.

use std::path::PathBuf;
use std::sync::Arc;

use super::again::CarriedHere;
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
use crate::sides::carry::{Carry, CarryError};
use crate::sides::{Comparison, Decision, Decisions, RowKey, SideError};
use crate::tasks::Ended;
use lunette_client::model::display::capitalized;

/// What is carried over is named one by one up to this many changes.
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
    /// What is carried over was planned.
    Planned(u64, Result<Box<Carry>, CarryError>),
    /// What was carried over to a side that is not connected was sent.
    Sent(u64, Result<Box<Sent>, SendError>),
    /// What was carried over was read again.
    ReadAgain(u64, Result<(Box<Comparison>, Arranged), SideError>),
    /// It was taken back; what is left of it, in a sentence.
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
                    Ok(carry) => self.ask(carry, cx),
                    Err(error) => nothing_was("carried over", &error, cx),
                }
            }
            Output::Matched(number, end) if number == self.number => {
                self.compared_anew(end.map_err(SideError::from), "Nothing was matched", cx);
            }
            Output::Arranged(of, Ok(arranged)) if of == self.shown => self.arranged(arranged, cx),
            Output::Arranged(of, Err(_)) if of == self.shown => self.list.applying_query = false,
            Output::ReadAgain(number, end) if number == self.number => {
                self.compared_anew(end, "What was carried over could not be read again", cx);
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
    fn ask(&mut self, carry: Box<Carry>, cx: &mut Context<'_>) {
        if let Some(carrying) = &mut self.carrying {
            carrying.known = carry.known.clone();
        }
        let destination = match self.destination(carry.to, cx) {
            Ok(destination) => destination,
            Err(why) => return cx.notify_failed(Topic::Sides, format!("Nothing was carried over: {why}"), Vec::new()),
        };
        let rows = carry.record.run.rows.iter().map(|row| row.name.to_string());
        let changes: Vec<_> = (carry.record.rest.tasks.iter().zip(rows))
            .filter_map(|(task, name)| match task {
                Task::Change(change) => Some((change.clone(), name)),
                Task::Export(_) => None,
            })
            .collect();
        let left: String = carry.left.iter().map(|left| format!("{left}.\n")).collect();
        if changes.is_empty() {
            return cx.notify_done(Topic::Sides, format!("There is nothing to carry over. {left}"), Vec::new());
        }
        let lines: String =
            changes.iter().take(NAMED).map(|(change, name)| format!("• {}\n", change.title(name))).collect();
        let more = changes.len().saturating_sub(NAMED);
        let more = if more > 0 { format!("and {more} more changes\n") } else { String::new() };
        let text =
            format!("{lines}{more}{left}What changes meanwhile is left as it is. Undo takes the whole step back.");
        let question = match changes.len() {
            1 => "Carry 1 change over?".to_owned(),
            count => format!("Carry {count} changes over?"),
        };
        if let Destination::Other(key) = destination {
            let (number, name) = (self.number, self.name(carry.to).to_owned());
            let text = format!("They are sent to {name}, and are in the history of that connection.\n{text}");
            self.pending = Some((carry, key));
            return cx.ask_first(Confirmation::here(question, text, "Carry over", |confirmed| {
                Action::Send(number, confirmed)
            }));
        }
        let title = carry.record.run.title.clone();
        let (asked, carrying) = (jiff::Timestamp::now(), self.carrying.take());
        (self.sent, self.here) = (None, Some(CarriedHere { title: title.clone(), asked, carrying }));
        let batch = Batch { title, changes: Arc::new(changes), in_flight: IN_FLIGHT, answers: EntryRelation::None };
        cx.ask_first(Confirmation::batch(question, text, "Carry over", batch));
    }

    fn ended(&mut self, number: u64, end: Result<Box<Sent>, SendError>, cx: &mut Context<'_>) {
        match &end {
            Ok(sent) => {
                let counts = sent.run.counts();
                let left = counts.all() - counts.done - counts.unchanged;
                let done = format!("Carried {} changes over to {}", counts.done, sent.name);
                match left {
                    0 => cx.notify_done(Topic::Sides, done, Vec::new()),
                    left => cx.notify_failed(Topic::Sides, format!("{done}; {left} were not"), Vec::new()),
                }
            }
            Err(error) => cx.notify_failed(Topic::Sides, format!("Nothing was carried over: {error}"), Vec::new()),
        }
        if number == self.number {
            (self.work, self.sending, self.sent) = (None, None, end.ok().map(|sent| *sent));
            let created = self.sent.as_ref().map(|sent| sent.created.clone()).unwrap_or_default();
            if let Some(carrying) = self.carrying.take() {
                self.written(&carrying, created, cx);
            }
        }
    }

    fn undone(&mut self, number: u64, end: Result<Option<String>, SendError>, cx: &mut Context<'_>) {
        let undone = matches!(end, Ok(None));
        match end {
            Ok(None) => cx.notify_done(Topic::Sides, "What was carried over was taken back".to_owned(), Vec::new()),
            Ok(Some(left)) => cx.notify_failed(Topic::Sides, left, Vec::new()),
            Err(error) => cx.notify_failed(Topic::Sides, format!("It was not taken back: {error}"), Vec::new()),
        }
        if number == self.number {
            (self.work, self.sending) = (None, None);
            if let Some(sent) = &mut self.sent {
                sent.undone |= undone;
            }
            self.taken_back(cx);
        }
    }
}

fn nothing_was(done: &str, error: &dyn std::error::Error, cx: &mut Context<'_>) {
    cx.notify_failed(Topic::Sides, format!("Nothing was {done}: {error}"), Vec::new());
}
