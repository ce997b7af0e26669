//! The results of the work of the proposals.

use std::sync::Arc;

use super::work::ProposalError;
use super::{Found, ProposalsPage};
use crate::Remote;
use crate::context::Context;
use crate::event::StepEvent;
use crate::following::FollowError;
use crate::listing::RowList;
use crate::notifications::Topic;
use crate::output::{TaskOutput, TaskResult};
use crate::proposals::{Applied, Proposal, Status, TakenBack};
use lunette_client::model::size::plural;

/// The result of a task. Each names the connection that it belongs to.
pub(crate) enum Output {
    /// The proposal with this number was read.
    Read(u64, u64, Result<Option<Proposal>, ProposalError>),
    /// The proposal with this number was applied.
    Applied(u64, u64, Result<Proposal, ProposalError>),
    /// The proposal with this number was declined.
    Declined(u64, u64, Result<Proposal, ProposalError>),
    /// The proposal with this number was undone, or everything of an assistant.
    Undone(u64, Option<u64>, Result<TakenBack, ProposalError>),
    /// Proposals that were cut off were read again.
    Settled(u64, Result<Vec<Proposal>, ProposalError>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Proposals(self)
    }
}

impl ProposalsPage {
    /// Handles the result of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Read(of, number, read) if of == self.number => self.read(number, read),
            Output::Applied(of, number, end) if of == self.number => self.applied(number, end, cx),
            Output::Declined(of, number, end) if of == self.number => {
                self.doing = None;
                match end {
                    Ok(_) => cx.show_success(format!("Declined proposal {number}")),
                    Err(error) => self.not_decided(number, &error, cx),
                }
                self.decided(cx);
            }
            Output::Undone(of, number, end) if of == self.number => self.undone(number, end, cx),
            Output::Settled(of, end) if of == self.number => self.settled(end, cx),
            Output::Read(..)
            | Output::Applied(..)
            | Output::Declined(..)
            | Output::Undone(..)
            | Output::Settled(..) => {}
        }
    }

    /// Takes in what others, or this window, wrote.
    pub(crate) fn followed(&mut self, found: Result<Found, FollowError>, cx: &mut Context<'_>) {
        let Found { rows, elsewhere } = match found {
            Ok(found) => found,
            Err(error) => return self.list.resolve(Err(error.into())),
        };
        self.waiting = rows.iter().filter(|row| row.is_waiting()).count();
        self.elsewhere = Arc::new(elsewhere);
        self.list.resolve(Ok(RowList::from(rows)));
        self.settle(cx);
        let Some(open) = &self.open else { return };
        let now = self.row(open.number).map(|row| &row.status);
        if open.proposal.value().map(|proposal| &proposal.status) != now && !open.proposal.loading() {
            self.read_open(cx);
        }
    }

    fn read(&mut self, number: u64, read: Result<Option<Proposal>, ProposalError>) {
        let Some(open) = self.open.as_mut().filter(|open| open.number == number) else { return };
        let before = open.proposal.value().cloned();
        let read = read.map_err(|error| error.to_string());
        let read = read.and_then(|read| read.ok_or_else(|| format!("there is no proposal {number} any more")));
        open.proposal.resolve(read.map(|now| match before {
            // The changes that are drawn stay the same ones.
            Some(before) if *before == now => before,
            Some(_) | None => Arc::new(now),
        }));
        self.show_changes();
    }

    fn applied(&mut self, number: u64, end: Result<Proposal, ProposalError>, cx: &mut Context<'_>) {
        self.doing = None;
        cx.emit(StepEvent::SendingEnded);
        match end {
            Err(error) => self.not_decided(number, &error, cx),
            Ok(proposal) => {
                match &proposal.status {
                    Status::Applied(Applied { failed: 0, unknown: 0, .. }) => {
                        cx.resolve(Topic::Proposals);
                        cx.show_success(format!("Applied proposal {number} of {}", proposal.client));
                    }
                    status => {
                        let message = format!("Proposal {number}: {}", result_of(status));
                        cx.notify_failed(Topic::Proposals, message, Vec::new());
                    }
                }
                if let Some(open) = self.open.as_mut().filter(|open| open.number == number) {
                    open.proposal = Remote::Known(Arc::new(proposal));
                    self.show_changes();
                }
            }
        }
        self.decided(cx);
    }

    fn undone(&mut self, number: Option<u64>, end: Result<TakenBack, ProposalError>, cx: &mut Context<'_>) {
        self.doing = None;
        cx.emit(StepEvent::SendingEnded);
        let what = number.map_or("everything of the assistant".to_owned(), |number| format!("proposal {number}"));
        match end {
            Ok(TakenBack { left, undone, .. }) if left.is_empty() => {
                cx.resolve(Topic::Proposals);
                let steps = plural(undone, "step");
                cx.show_success(format!("Undid {what}: {steps}"));
            }
            Ok(TakenBack { left, undone, .. }) => {
                let first = left.first().cloned().unwrap_or_default();
                let message = format!("Undid {what} in part: {undone} undone, {} not. {first}", left.len());
                self.tell(number, message, cx);
            }
            Err(error) => self.tell(number, format!("Could not undo {what}: {error}"), cx),
        }
        self.decided(cx);
    }

    fn settled(&mut self, end: Result<Vec<Proposal>, ProposalError>, cx: &mut Context<'_>) {
        self.settling = false;
        match end {
            Ok(settled) if settled.is_empty() => return,
            Ok(settled) => settled.iter().for_each(|Proposal { number, status, .. }| {
                let (why, found) = (status.why_read_again(), result_of(status));
                let message = format!("Proposal {number} {why}; reading again shows: {found}");
                match status {
                    Status::Applied(Applied { failed: 0, unknown: 0, .. }) => cx.show_success(message),
                    _ => cx.notify_failed(Topic::Proposals, message, Vec::new()),
                }
            }),
            Err(error) => {
                let message = format!("A proposal that was cut off could not be read again: {error}");
                return cx.notify_failed(Topic::Proposals, message, Vec::new());
            }
        }
        self.decided(cx);
    }

    fn not_decided(&mut self, number: u64, error: &ProposalError, cx: &mut Context<'_>) {
        self.tell(Some(number), format!("Proposal {number}: {error}"), cx);
    }

    /// Tells a problem, also on the open proposal.
    fn tell(&mut self, number: Option<u64>, message: String, cx: &mut Context<'_>) {
        if let Some(open) = self.open.as_mut().filter(|open| Some(open.number) == number) {
            open.problem = Some(message.clone());
        }
        cx.notify_failed(Topic::Proposals, message, Vec::new());
    }

    /// Reads anew what this window wrote.
    fn decided(&mut self, cx: &mut Context<'_>) {
        self.reload();
        self.read_open(cx);
    }
}

/// Returns what became of an applied proposal, in a sentence.
fn result_of(status: &Status) -> String {
    let Status::Applied(applied) = status else { return format!("it is {}", status.as_str()) };
    let first = applied.problems.first().map(|problem| format!(". {problem}")).unwrap_or_default();
    format!("{}{first}", applied.summary())
}
