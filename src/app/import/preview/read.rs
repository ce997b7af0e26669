//! Reads what a preview shows: recognises each path by its content, compares with what was imported before, and searches
//! for secrets.
//!
//! What must hold: files are opened to be read and nothing is written to them; it ends soon after a cancel.

use std::collections::HashSet;
use std::path::PathBuf;

use lunette_sources::OpenError;

use super::content::Content;
use crate::app::db::Database;
use crate::app::import::engine::{ScanResult, scan};
use crate::app::import::known_places::libraries_of;
use crate::app::import::mapping::Mapping;
use crate::app::import::sources::{SourcePlan, open};
use crate::app::tasks::CancelFlag;

/// What is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Files, folders, archives and libraries.
    pub paths: Vec<PathBuf>,
    /// What becomes of folders, fragments and triggers.
    pub mapping: Mapping,
    /// Whether libraries and archives are taken for plain files.
    pub as_files: bool,
    /// Whether only the libraries are of interest: without one, nothing more is read.
    pub libraries_only: bool,
}

/// What was imported before into a service.
#[derive(Default)]
pub struct Earlier<'a> {
    /// Where it is kept, and for which connection.
    pub kept: Option<(&'a Database, &'a str)>,
    /// The ids of all assets; None if the service does not tell.
    pub present: Option<HashSet<String>>,
}

/// Why nothing could be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The user has cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A library cannot be read, or what was imported before is unknown; why.
    #[error("{0}")]
    Failed(String),
}

/// Reads; None if there is no library and only those are of interest. Tells how many rows of how many were searched for
/// secrets. Blocks.
pub fn read(
    reading: &Reading,
    earlier: &Earlier<'_>,
    progress: impl Fn(usize, usize),
    cancel: &CancelFlag,
) -> Result<Option<Content>, ReadError> {
    let (mut plans, mut plain) = (Vec::new(), Vec::new());
    for path in reading.paths.iter().flat_map(|path| libraries_of(path)) {
        if reading.as_files {
            plain.push(path);
            continue;
        }
        match open(&path, None, reading.mapping, cancel) {
            Ok(Some(plan)) => plans.push(plan),
            Ok(None) | Err(OpenError::Io(_) | OpenError::Special) => plain.push(path),
            Err(OpenError::Cancelled) => return Err(ReadError::Cancelled),
            Err(error @ OpenError::Archive(_)) => {
                return Err(ReadError::Failed(format!("{}: {error}", path.display())));
            }
        }
    }
    if plans.is_empty() && reading.libraries_only {
        return Ok(None);
    }
    compare(&mut plans, earlier)?;
    let ScanResult { files, refused, skipped, hidden } = scan(&plain, cancel.flag());
    let rejected: Vec<_> = refused.into_iter().chain(skipped).collect();
    let mut content = Content::of(plans, files, &rejected, hidden.len());
    let all = content.rows.len();
    for row in 0..all {
        if cancel.cancelled() {
            return Err(ReadError::Cancelled);
        }
        content.find_secrets(row);
        if row % REPORTED == 0 {
            progress(row, all);
        }
    }
    Ok(Some(content))
}

/// After so many rows the progress is told.
const REPORTED: usize = 256;

fn compare(plans: &mut [SourcePlan], earlier: &Earlier<'_>) -> Result<(), ReadError> {
    let Some((database, connection)) = earlier.kept else { return Ok(()) };
    for plan in plans {
        let known = plan.known(database, connection).map_err(|error| ReadError::Failed(error.to_string()))?;
        plan.compare(&known, earlier.present.as_ref());
    }
    Ok(())
}
