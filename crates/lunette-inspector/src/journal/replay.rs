//! Reads the journal: its lines become steps.
//!
//! What must hold: an unreadable line does not affect others; only the newest steps are kept in memory.

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::db::journal::StepLines;
use crate::journal::line::{Begin, JournalLine};
use crate::journal::presence::WindowId;
use crate::journal::{Entry, EntryId, EntryRelation, Outcome, undone_by};

/// The reason for a step whose end is not in the journal.
pub(crate) const NO_ANSWER: &str = "the program ended before the response arrived";

/// The longest line that is written; a larger step is rejected before it is sent.
pub(super) const LONGEST_LINE: usize = 256 * 1024 * 1024;

/// How many entries are kept in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retention {
    /// The maximum number of steps.
    pub entries: usize,
    /// The maximum number of bytes of their lines; the newest step is always kept.
    pub bytes: u64,
}

/// A journal while it is read.
#[derive(Debug, Default)]
pub(super) struct Replay {
    steps: VecDeque<Step>,
    /// The index of a step, counted from the first that was read.
    indices: HashMap<EntryId, usize>,
    /// How many steps were dropped.
    older: usize,
    /// The bytes of the lines of `steps`.
    bytes: u64,
    /// The number of the last line that was read.
    pub last: i64,
    /// How many lines could not be read.
    pub damaged: usize,
}

/// A step, and the bytes of its lines.
#[derive(Debug)]
struct Step {
    entry: Entry,
    /// The window that began it.
    window: Option<WindowId>,
    bytes: u64,
}

impl Replay {
    /// Applies lines, oldest first.
    pub fn of(read: &StepLines, retention: Retention) -> Self {
        let mut replay = Self { damaged: read.damaged, ..Self::default() };
        for (number, text) in &read.lines {
            replay.last = *number;
            match serde_json::from_str(text) {
                Ok(line) => replay.take(line, text.len() as u64, retention),
                Err(_) => replay.damaged += 1,
            }
        }
        replay
    }

    fn take(&mut self, line: JournalLine, length: u64, retention: Retention) {
        let step = match line {
            JournalLine::Begin(begin) => self.begin(*begin),
            JournalLine::End(end) => {
                let mut step = self.step(end.id);
                if let Some(Step { entry, .. }) = &mut step {
                    let at = end.recorded_at();
                    entry.end(end.outcome, end.done, at);
                }
                step
            }
        };
        // The end of a step that was dropped, or whose beginning is damaged, is ignored.
        let Some(step) = step else { return };
        step.bytes += length;
        self.bytes += length;
        while self.steps.len() > 1 && (self.steps.len() > retention.entries || self.bytes > retention.bytes) {
            let Some(step) = self.steps.pop_front() else { break };
            self.indices.remove(&step.entry.id);
            self.bytes -= step.bytes;
            self.older += 1;
        }
    }

    fn begin(&mut self, begin: Begin) -> Option<&mut Step> {
        let window = begin.window();
        let Some(entry) = begin.entry() else {
            self.damaged += 1;
            return None;
        };
        if self.step(entry.id).is_some() {
            return None;
        }
        self.indices.insert(entry.id, self.older + self.steps.len());
        self.steps.push_back(Step { entry, window, bytes: 0 });
        self.steps.back_mut()
    }

    fn step(&mut self, id: EntryId) -> Option<&mut Step> {
        let index = *self.indices.get(&id)?;
        self.steps.get_mut(index.checked_sub(self.older)?)
    }

    /// The steps without an end whose window is open, according to `is_open`.
    pub fn open(&self, mut is_open: impl FnMut(WindowId) -> bool) -> HashMap<EntryId, Option<WindowId>> {
        let open = self.steps.iter().filter(|step| step.entry.outcome == Outcome::Sending);
        open.filter(|step| step.window.is_some_and(&mut is_open)).map(|step| (step.entry.id, step.window)).collect()
    }

    /// The steps, oldest first. Those without an end stay in progress if their window is open.
    pub fn entries(self, open: &HashMap<EntryId, Option<WindowId>>) -> Vec<Entry> {
        let mut entries: Vec<_> = self.steps.into_iter().map(|step| step.entry).collect();
        let cut_off = |entry: &&mut Entry| entry.outcome == Outcome::Sending && !open.contains_key(&entry.id);
        for entry in entries.iter_mut().filter(cut_off) {
            entry.outcome = Outcome::Unknown(NO_ANSWER.to_owned());
        }
        let indices: HashMap<_, _> = entries.iter().enumerate().map(|(index, entry)| (entry.id, index)).collect();
        let mut answers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (answer, entry) in entries.iter().enumerate() {
            let target = match entry.answers {
                EntryRelation::None => None,
                EntryRelation::Undoes(target) | EntryRelation::Redoes(target) => indices.get(&target),
            };
            if let Some(&target) = target {
                answers.entry(target).or_default().push(answer);
            }
        }
        for (target, answers) in answers {
            let (undone, partly) = undone_by(answers.iter().map(|answer| &entries[*answer]));
            (entries[target].undone, entries[target].partly) = (undone, partly);
        }
        entries
    }
}
