//! Reads the content of a preview: recognises each path by its content, compares with previous imports, and searches
//! for secrets.
//!
//! What must hold: files are only read, never written; reading ends soon after a cancellation.

use std::collections::HashSet;
use std::path::PathBuf;

use lunette_sources::{OpenError, Source};

use super::content::Content;
use crate::db::Database;
use crate::import::engine::{ScanResult, TakenIds, scan};
use crate::import::known_libraries::libraries_of;
use crate::import::mapping::Mapping;
use crate::import::sources::{LibraryAmongFiles, Opened, SourcePlan, open};
use crate::tasks::{CancelFlag, Ended};

/// What the paths of a preview are read as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReadAs {
    /// What each is recognised as by its content.
    #[default]
    Recognised,
    /// Plain files, also libraries and archives.
    Files,
    /// Libraries of this program.
    Library(Source),
}

/// The request to read a preview.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadRequest {
    /// Files, folders, archives and libraries.
    pub paths: Vec<PathBuf>,
    /// How folders, fragments and triggers are mapped.
    pub mapping: Mapping,
    /// What the paths are read as.
    pub read_as: ReadAs,
    /// Whether to read nothing more if there are no libraries.
    pub libraries_only: bool,
    /// What happens to items whose ids are taken; `None` if the user was not asked yet.
    pub taken_ids: Option<TakenIds>,
}

/// The previous imports into a service.
#[derive(Default)]
pub struct PreviousImports<'a> {
    /// The database, and the connection.
    pub database: Option<(&'a Database, &'a str)>,
    /// The ids of all assets; `None` if the service does not list them.
    pub present: Option<HashSet<String>>,
    /// Whether assets of an archive keep their ids at this service.
    pub keeps_ids: bool,
}

/// Why reading failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The user cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A library or the previous imports could not be read, with the reason.
    #[error("{0}")]
    Failed(String),
}

impl From<Ended> for ReadError {
    fn from(ended: Ended) -> Self {
        Self::Failed(ended.to_string())
    }
}

/// Reads the content. If only libraries are requested and no path is one, returns the libraries that are offered, or `None`
/// if there are none of these either. Reports how many rows were searched for secrets. Blocks.
pub fn read(
    reading: &ReadRequest,
    previous: &PreviousImports<'_>,
    progress: impl Fn(usize, usize),
    cancel: &CancelFlag,
) -> Result<Option<Content>, ReadError> {
    let Recognised { mut plans, plain, offered } = recognise(reading, cancel)?;
    if plans.is_empty() && reading.libraries_only {
        return Ok((!offered.is_empty()).then(|| Content { offered, ..Content::default() }));
    }
    compare(&mut plans, previous)?;
    let present = previous.present.as_ref().filter(|_| previous.keeps_ids);
    let taken = plans.iter().map(|plan| plan.taken_ids(present)).sum();
    if let Some(way) = reading.taken_ids {
        plans.iter_mut().for_each(|plan| plan.set_taken_ids(way, present));
    }
    let ScanResult { files, rejected, skipped, hidden } = scan(&plain, cancel.flag());
    let rejected: Vec<_> = rejected.into_iter().chain(skipped).collect();
    let mut content = Content { offered, taken, ..Content::of(plans, files, &rejected, hidden.len()) };
    let all = content.rows.len();
    for row in 0..all {
        if cancel.cancelled() {
            return Err(ReadError::Cancelled);
        }
        content.find_secrets(row);
        if row % PROGRESS_INTERVAL == 0 {
            progress(row, all);
        }
    }
    Ok(Some(content))
}

/// The paths by what they are.
#[derive(Default)]
struct Recognised {
    plans: Vec<SourcePlan>,
    plain: Vec<PathBuf>,
    offered: Vec<LibraryAmongFiles>,
}

fn recognise(reading: &ReadRequest, cancel: &CancelFlag) -> Result<Recognised, ReadError> {
    let mut found = Recognised::default();
    for path in reading.paths.iter().flat_map(|path| libraries_of(path)) {
        let forced = match reading.read_as {
            ReadAs::Files => {
                found.plain.push(path);
                continue;
            }
            ReadAs::Recognised => None,
            ReadAs::Library(source) => Some(source),
        };
        match open(&path, forced, reading.mapping, cancel) {
            Ok(Opened::Library(plan)) => found.plans.push(plan),
            Ok(Opened::Files(libraries)) => {
                found.plain.push(path);
                found.offered.extend(libraries);
            }
            Err(OpenError::Io(_) | OpenError::Special) => found.plain.push(path),
            Err(OpenError::Cancelled) => return Err(ReadError::Cancelled),
            Err(error @ OpenError::Archive(_)) => {
                return Err(ReadError::Failed(format!("{}: {error}", path.display())));
            }
        }
    }
    Ok(found)
}

/// Progress is reported each time this many rows were searched.
const PROGRESS_INTERVAL: usize = 256;

fn compare(plans: &mut [SourcePlan], previous: &PreviousImports<'_>) -> Result<(), ReadError> {
    let Some((database, connection)) = previous.database else { return Ok(()) };
    for plan in plans {
        let known = plan.load_imported(database, connection).map_err(|error| ReadError::Failed(error.to_string()))?;
        plan.compare(&known, previous.present.as_ref());
    }
    Ok(())
}
