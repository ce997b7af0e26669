//! Errors of the database, with advice.

use std::io;
use std::path::Path;

use lunette_storage::system::error_text;
use rusqlite::ErrorCode;

/// The database cannot be opened, read or written; the message includes advice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct DatabaseError {
    problem: String,
}

impl DatabaseError {
    pub(super) fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into() }
    }

    pub(super) fn newer(found: i64) -> Self {
        let problem = format!(
            "the inspector's database has version {found}, and this program supports versions up to {}; use the newer \
             program or another --data folder",
            super::MIGRATIONS.latest()
        );
        Self { problem }
    }

    pub(super) fn older(found: i64) -> Self {
        let problem = format!(
            "the inspector's database has version {found}, of a build before the first release, and this program supports \
             versions from {}; export your data with “lunette export” of that build, or use another --data folder",
            super::MIGRATIONS.first
        );
        Self { problem }
    }

    pub(super) fn of_file(what: &str, error: &io::Error, path: &Path) -> Self {
        Self::new(format!("{what}: {}; {}: {}", error_text(error), advice(error.kind()), path.display()))
    }

    /// This error with the path of the file at its end.
    pub(super) fn at(self, path: &Path) -> Self {
        Self { problem: format!("{}: {}", self.problem, path.display()) }
    }
}

impl From<io::Error> for DatabaseError {
    fn from(error: io::Error) -> Self {
        Self::new(format!("{}; {}", error_text(&error), advice(error.kind())))
    }
}

impl From<serde_json::Error> for DatabaseError {
    fn from(error: serde_json::Error) -> Self {
        Self::new(format!("{error}; this is a fault of the program, please report it"))
    }
}

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        let advice = match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => advice(io::ErrorKind::StorageFull),
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                advice(io::ErrorKind::PermissionDenied)
            }
            Some(ErrorCode::DatabaseBusy) => "another program is using it; try again",
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                "it is damaged: close all windows of Lunette and start it again, which repairs it"
            }
            _ => advice(io::ErrorKind::Other),
        };
        Self::new(format!("{error}; {advice}"))
    }
}

fn advice(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space and try again",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "allow this program to write there, or start it with another --data folder"
        }
        _ => "fix this and reconnect",
    }
}
