//! What other windows add to the journal while this one has it open.
//!
//! What must hold: each line is read once, in order, with the folder's lock held, so that none is half written; where
//! another window moved the older steps away, the file is read from its beginning again and nothing is lost; whether a
//! step may be undone is judged by all lines there are, so that two windows never undo it both.

use std::collections::{HashMap, HashSet};
use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};
use std::time::SystemTime;

use crate::app::journal::folder::Folder;
use crate::app::journal::line::{self, End, Line};
use crate::app::journal::presence::WindowId;
use crate::app::journal::replay::{NO_ANSWER, each_line};
use crate::app::journal::{Entry, EntryId, EntryRelation, Outcome};

/// How many bytes of the beginning tell one file from the one that took its place.
const HEAD: u64 = 64;

/// What another window noted.
#[derive(Debug, PartialEq)]
pub enum JournalEvent {
    /// It began a step.
    Begun(Box<Entry>),
    /// A step ended, or its window is gone and nobody knows how it ended.
    Ended(Box<End>),
}

/// How far the journal was read, and what of it matters to who writes next.
#[derive(Debug, Default)]
pub(super) struct Tail {
    /// This window's own name; what it writes it does not tell itself.
    own: Option<WindowId>,
    /// The next line begins here.
    at: u64,
    /// The first bytes of the file.
    head: Vec<u8>,
    /// Length and time of the file when it was looked at last.
    seen: Option<(u64, SystemTime)>,
    /// Which steps undo or redo another one, in the order they began, and how far they were done.
    answers: Vec<(EntryId, EntryRelation, Extent)>,
    /// Steps that other windows began and that have not ended.
    open: HashMap<EntryId, Option<WindowId>>,
    /// What is to be told to the window.
    news: Vec<JournalEvent>,
}

/// How far a step was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// Not, or nobody knows.
    Nothing,
    /// To some of its assets; the others can still be undone or redone.
    Part,
    /// As a whole.
    Whole,
}

impl Extent {
    fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::Whole,
            Outcome::Partly { .. } => Self::Part,
            Outcome::Sending | Outcome::Failed(_) | Outcome::Unknown(_) => Self::Nothing,
        }
    }
}

impl Tail {
    /// Of a journal that this window has just read whole; `open` are the steps that other windows have under way.
    pub fn behind(
        file: &File,
        own: WindowId,
        entries: &[Entry],
        open: HashMap<EntryId, Option<WindowId>>,
    ) -> io::Result<Self> {
        let answers = entries.iter().filter(|entry| entry.answers != EntryRelation::None);
        let answers = answers.map(|entry| (entry.id, entry.answers, Extent::of(&entry.outcome))).collect();
        let (own, at) = (Some(own), file.metadata()?.len());
        let mut tail = Self { own, at, answers, open, ..Self::default() };
        tail.head = head(file)?;
        tail.look(&file.metadata()?);
        Ok(tail)
    }

    /// Whether the file is as it was when it was looked at last, so that there is nothing to read.
    pub fn is_seen(&self, now: &Metadata) -> bool {
        self.seen.is_some() && self.seen == stamp(now)
    }

    /// Whether a step of another window is under way, so that it must be looked whether that window still is.
    pub fn awaits(&self) -> bool {
        !self.open.is_empty() || !self.news.is_empty()
    }

    /// Reads what was added. The folder's lock is held by the caller.
    pub fn catch_up(&mut self, mut file: &File) -> io::Result<()> {
        let now = file.metadata()?;
        if now.len() < self.at || !head(file)?.starts_with(&self.head) {
            // Another window moved the older steps away.
            self.at = 0;
            self.head.clear();
        }
        file.seek(SeekFrom::Start(self.at))?;
        let mut read = 0;
        each_line(BufReader::new(file), |_, bytes, _| {
            // A line that was cut short stays so; the next one begins behind it.
            let (lines, _) = line::read(bytes.strip_suffix(b"\n").unwrap_or(bytes));
            read += bytes.len() as u64;
            lines.into_iter().for_each(|line| self.take(line));
            Ok(())
        })?;
        self.at += read;
        if (self.head.len() as u64) < HEAD {
            self.head = head(file)?;
        }
        self.look(&now);
        Ok(())
    }

    /// Notes that this window added a line and the file ends here.
    pub fn passed(&mut self, line: &Line, file: &File) -> io::Result<()> {
        match line {
            Line::Begin(begin) => self.begun(begin.id(), begin.answers()),
            Line::End(end) => {
                self.ended(end.id, &end.outcome);
                self.open.remove(&end.id);
            }
        }
        let now = file.metadata()?;
        self.at = now.len();
        if (self.head.len() as u64) < HEAD {
            self.head = head(file)?;
        }
        self.look(&now);
        Ok(())
    }

    /// Tells as unknown how the steps of windows that are gone ended. The folder's lock is held by the caller, and what
    /// they wrote was read.
    pub fn give_up_gone(&mut self, folder: &Folder) {
        let mut open: HashMap<WindowId, bool> = HashMap::new();
        let mut gone = Vec::new();
        for (id, window) in &self.open {
            let is_open = window.is_some_and(|window| *open.entry(window).or_insert_with(|| window.is_open(folder)));
            if !is_open {
                gone.push(*id);
            }
        }
        for id in gone {
            self.open.remove(&id);
            self.news.push(JournalEvent::Ended(Box::new(End {
                id,
                outcome: Outcome::Unknown(NO_ANSWER.to_owned()),
                done: None,
            })));
        }
    }

    /// What other windows noted since this was asked last.
    pub fn take_news(&mut self) -> Vec<JournalEvent> {
        std::mem::take(&mut self.news)
    }

    /// Why a step may not undo or redo another one now: another window has done so, or is about to.
    pub fn refuses(&self, answers: EntryRelation) -> Option<&'static str> {
        let target = match answers {
            EntryRelation::None => return None,
            EntryRelation::Undoes(target) | EntryRelation::Redoes(target) => target,
        };
        let of_target: Vec<_> = self.answers.iter().filter(|(_, known, _)| target_of(*known) == Some(target)).collect();
        let undoing = matches!(answers, EntryRelation::Undoes(_));
        if of_target.iter().any(|(id, ..)| self.open.contains_key(id)) {
            return Some("another window is undoing or redoing this step");
        }
        let last = of_target.iter().rev().find(|(.., extent)| *extent != Extent::Nothing);
        match last.map(|(_, known, extent)| (extent, known)) {
            Some((Extent::Whole, EntryRelation::Undoes(_))) if undoing => Some("this step was already undone"),
            Some((Extent::Whole, EntryRelation::Redoes(_))) if !undoing => Some("this step was already redone"),
            _ => None,
        }
    }

    fn take(&mut self, line: Line) {
        match line {
            Line::Begin(begin) => {
                let window = begin.window();
                let Some(entry) = begin.entry() else { return };
                self.begun(entry.id, entry.answers);
                if window.is_none() || window != self.own {
                    self.open.insert(entry.id, window);
                }
                self.news.push(JournalEvent::Begun(Box::new(entry)));
            }
            Line::End(end) => {
                self.ended(end.id, &end.outcome);
                self.open.remove(&end.id);
                self.news.push(JournalEvent::Ended(end));
            }
        }
    }

    fn begun(&mut self, id: EntryId, answers: EntryRelation) {
        if answers != EntryRelation::None && self.answers.iter().all(|(known, ..)| *known != id) {
            self.answers.push((id, answers, Extent::Nothing));
        }
    }

    fn ended(&mut self, id: EntryId, outcome: &Outcome) {
        if let Some((.., extent)) = self.answers.iter_mut().rev().find(|(known, ..)| *known == id) {
            *extent = Extent::of(outcome);
        }
    }

    fn look(&mut self, now: &Metadata) {
        self.seen = stamp(now);
    }
}

/// What several lines come to: a step that began and ended since is told with its end alone, the last of several ends.
pub(super) fn folded(news: Vec<JournalEvent>) -> Vec<JournalEvent> {
    let mut later = HashSet::new();
    let mut kept: Vec<JournalEvent> = news
        .into_iter()
        .rev()
        .filter(|news| match news {
            JournalEvent::Begun(_) => true,
            JournalEvent::Ended(end) => later.insert(end.id),
        })
        .collect();
    kept.reverse();
    kept
}

fn target_of(answers: EntryRelation) -> Option<EntryId> {
    match answers {
        EntryRelation::None => None,
        EntryRelation::Undoes(target) | EntryRelation::Redoes(target) => Some(target),
    }
}

fn stamp(now: &Metadata) -> Option<(u64, SystemTime)> {
    Some((now.len(), now.modified().ok()?))
}

fn head(mut file: &File) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(0))?;
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}
