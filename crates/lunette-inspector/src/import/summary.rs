//! The summary of an import, in numbers and as a sentence.

use std::path::PathBuf;

use super::engine;
use super::sources::Updated;
use lunette_client::model::size::plural;

/// What an import counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Files.
    #[default]
    File,
    /// Items of a preview.
    Item,
}

/// The summary of an import.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportSummary {
    /// What is counted.
    pub unit: Unit,
    /// The number of files that became assets.
    pub imported: usize,
    /// The number of files that existed already.
    pub existing: usize,
    /// The number of assets that were updated, because their files or items changed.
    pub updated: usize,
    /// The files that could not be imported, with the reason.
    pub rejected: Vec<(PathBuf, String)>,
    /// How many of those may have been imported.
    pub unknown: usize,
    /// Whether it was cancelled.
    pub cancelled: bool,
    /// Why it ended early, if it did.
    pub stopped: Option<String>,
}

impl ImportSummary {
    pub(super) fn of(report: engine::ImportReport) -> Self {
        let rejected = |rejected: engine::Rejected| (rejected.path, rejected.reason);
        Self {
            unit: Unit::File,
            imported: report.imported.len(),
            existing: report.existing.len(),
            updated: 0,
            unknown: report.unknown.len(),
            rejected: report.unknown.into_iter().chain(report.rejected).chain(report.skipped).map(rejected).collect(),
            cancelled: report.cancelled,
            stopped: report.stopped.map(|error| error.to_string()),
        }
    }

    /// Returns the summary of an import that stopped because it could not be recorded.
    pub(super) fn stopped_by(self, problem: &str) -> Self {
        Self { cancelled: false, stopped: Some(problem.to_owned()), ..self }
    }

    /// Returns the same summary for items of a preview.
    pub(super) fn of_items(self) -> Self {
        Self { unit: Unit::Item, ..self }
    }

    /// Returns the same summary with the results of updates.
    pub(super) fn with_updates(mut self, updates: &Updated) -> Self {
        self.updated += updates.updated.len();
        let left = updates.skipped.iter().chain(&updates.failed);
        self.rejected.extend(left.map(|(_, name, why)| (PathBuf::from(name), why.clone())));
        self
    }

    /// Returns whether everything was imported.
    pub fn is_complete(&self) -> bool {
        self.rejected.is_empty() && !self.cancelled && self.stopped.is_none()
    }
}

impl std::fmt::Display for ImportSummary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { unit, imported, existing, updated, rejected, unknown, cancelled, stopped } = self;
        let unit = match (unit, *imported == 1) {
            (Unit::File, true) => "file",
            (Unit::File, false) => "files",
            (Unit::Item, true) => "item",
            (Unit::Item, false) => "items",
        };
        match (imported, updated) {
            (0, 1..) => write!(f, "Updated {}", plural(*updated, "asset"))?,
            (_, 0) => write!(f, "Imported {imported} {unit}")?,
            (..) => write!(f, "Imported {imported} {unit}, {updated} updated")?,
        }
        if *existing > 0 {
            write!(f, ", {existing} already there")?;
        }
        if rejected.len() > *unknown {
            write!(f, ", {} not imported", rejected.len() - unknown)?;
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
