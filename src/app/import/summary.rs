//! How an import ended, in numbers and in a sentence.

use std::path::PathBuf;

use super::engine;
use super::sources::Updated;

/// What an import takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Files.
    #[default]
    File,
    /// Items of a preview.
    Item,
}

/// How an import ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportSummary {
    /// What became assets.
    pub unit: Unit,
    /// How many files became assets.
    pub taken: usize,
    /// How many were there already.
    pub existing: usize,
    /// How many assets were updated, because what they were made of has changed.
    pub updated: usize,
    /// Every file that could not be taken, with its reason.
    pub refused: Vec<(PathBuf, String)>,
    /// How many of those may have been taken all the same.
    pub unknown: usize,
    /// Whether it was cancelled on the way.
    pub cancelled: bool,
    /// Why it ended early, if it did.
    pub stopped: Option<String>,
}

impl ImportSummary {
    pub(super) fn of(report: engine::ImportReport) -> Self {
        let refused = |refused: engine::Rejected| (refused.path, refused.reason);
        Self {
            unit: Unit::File,
            taken: report.taken.len(),
            existing: report.existing.len(),
            updated: 0,
            unknown: report.unknown.len(),
            refused: report.unknown.into_iter().chain(report.refused).chain(report.skipped).map(refused).collect(),
            cancelled: report.cancelled,
            stopped: report.stopped.map(|error| error.to_string()),
        }
    }

    /// An import that ended because it could not be recorded.
    pub(super) fn halted(self, problem: &str) -> Self {
        Self { cancelled: false, stopped: Some(problem.to_owned()), ..self }
    }

    /// The same of items of a preview.
    pub(super) fn of_items(self) -> Self {
        Self { unit: Unit::Item, ..self }
    }

    /// The same with what became of assets whose items have changed.
    pub(super) fn with_updates(mut self, updates: &Updated) -> Self {
        self.updated += updates.updated.len();
        let left = updates.kept.iter().chain(&updates.failed);
        self.refused.extend(left.map(|(_, name, why)| (PathBuf::from(name), why.clone())));
        self
    }

    /// Whether everything was taken.
    pub fn whole(&self) -> bool {
        self.refused.is_empty() && !self.cancelled && self.stopped.is_none()
    }
}

impl std::fmt::Display for ImportSummary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { unit, taken, existing, updated, refused, unknown, cancelled, stopped } = self;
        let unit = match (unit, *taken == 1) {
            (Unit::File, true) => "file",
            (Unit::File, false) => "files",
            (Unit::Item, true) => "item",
            (Unit::Item, false) => "items",
        };
        match (taken, updated) {
            (0, 1..) => write!(f, "Updated {updated} {}", if *updated == 1 { "asset" } else { "assets" })?,
            (_, 0) => write!(f, "Imported {taken} {unit}")?,
            (..) => write!(f, "Imported {taken} {unit}, {updated} updated")?,
        }
        if *existing > 0 {
            write!(f, ", {existing} already there")?;
        }
        if refused.len() > *unknown {
            write!(f, ", {} not imported", refused.len() - unknown)?;
        }
        if *unknown > 0 {
            write!(f, ", {unknown} unknown")?;
        }
        if *cancelled {
            f.write_str(", cancelled")?;
        }
        match stopped {
            Some(reason) => write!(f, ", stopped: {reason}"),
            None => Ok(()),
        }
    }
}
