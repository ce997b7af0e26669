//! The results of the work of the comparison of two sides.

use std::sync::Arc;

use super::{SidesPage, Stage};
use crate::bulk::Batch;
use crate::compare::Source;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::journal::EntryRelation;
use crate::notifications::Topic;
use crate::output::{TaskOutput, TaskResult};
use crate::runs::Task;
use crate::sides::carry::{Carry, CarryError};
use crate::sides::{Comparison, Scratch, SideError};

/// What is carried over is named one by one up to this many changes.
const NAMED: usize = 12;
/// How many rows of a run are in flight at once.
const IN_FLIGHT: usize = 4;

/// What was compared.
pub(crate) struct Compared {
    /// The comparison.
    pub comparison: Comparison,
    /// What was started to read its sides.
    pub started: Vec<Box<dyn Scratch>>,
}

/// The result of a task.
pub(crate) enum Output {
    /// What was begun under this number was compared.
    Compared(u64, Result<Box<Compared>, SideError>),
    /// Both sides of a row were read.
    Beside(Result<[Source; 2], SideError>),
    /// What is carried over was planned.
    Planned(u64, Result<Box<Carry>, CarryError>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Sides(self)
    }
}

impl SidesPage {
    /// Handles the result of a task.
    pub(crate) fn apply(&mut self, output: Output, cx: &mut Context<'_>) {
        match output {
            Output::Compared(number, end) if number == self.number => {
                self.work = None;
                match end {
                    Ok(compared) => {
                        let Compared { comparison, started } = *compared;
                        cx.discard(std::mem::replace(&mut self.started, started));
                        self.show(comparison, cx);
                        self.stage = Stage::Ready;
                    }
                    Err(error) => self.stage = Stage::Failed(error.to_string()),
                }
            }
            Output::Planned(number, end) if number == self.number => {
                (self.work, self.planned) = (None, None);
                match end {
                    Ok(carry) => self.ask(&carry, cx),
                    Err(error) => {
                        let message = format!("Nothing was carried over: {error}");
                        cx.notify_failed(Topic::Sides, message, Vec::new());
                    }
                }
            }
            Output::Compared(..) | Output::Planned(..) => {}
            Output::Beside(Ok(sources)) => self.show_beside(sources, cx),
            Output::Beside(Err(error)) => {
                cx.notify_failed(Topic::Sides, format!("The two could not be read: {error}"), Vec::new());
            }
        }
    }

    /// Asks before the plan is sent, with what changes and what is left.
    fn ask(&self, carry: &Carry, cx: &mut Context<'_>) {
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
        let title = carry.record.run.title.clone();
        let batch = Batch { title, changes: Arc::new(changes), in_flight: IN_FLIGHT, answers: EntryRelation::None };
        cx.ask_first(Confirmation::batch(question, text, "Carry over", batch));
    }
}
