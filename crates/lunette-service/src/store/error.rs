//! The errors of the store, by what the caller can do.

use std::io;
use std::path::{Path, PathBuf};

use lunette_storage::system::{error_text, quoted};
use rusqlite::ErrorCode;

/// Why an operation of the store failed. Nothing of a failed write is stored.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StoreError {
    /// There is no record of this kind with this id.
    #[error("there is no {what} with the id {id:?}")]
    NotFound {
        /// The kind of thing.
        what: &'static str,
        /// The requested id.
        id: String,
    },
    /// There is no such version of an asset that can be read.
    #[error("there is no version {number} of the asset with the id {asset:?}: {why}")]
    NoVersion {
        /// The id of the asset.
        asset: String,
        /// The requested number.
        number: i64,
        /// Why, as a phrase.
        why: String,
    },
    /// It has been deleted.
    #[error("the {what} with the id {id:?} has been deleted")]
    Gone {
        /// The kind of thing.
        what: &'static str,
        /// The requested id.
        id: String,
    },
    /// Invalid input; the message says which part and why.
    #[error("{0}")]
    Invalid(String),
    /// A conflict with another record; the message says which.
    #[error("{0}")]
    Conflict(String),
    /// The disk or the quota is full. Stored data is intact.
    #[error("the disk is full; the change was not saved: free some space and try again")]
    Full,
    /// The folder or the file cannot be written.
    #[error("cannot write to the data folder: {problem}; check its owner and permissions, or choose another folder")]
    ReadOnly {
        /// The system's reason.
        problem: String,
    },
    /// A later version of the program created the file. It is left untouched.
    #[error(
        "the database has version {found}, and this program supports versions up to {known}; use the newer program \
         or another folder: {}", path.display()
    )]
    Newer {
        /// The file's version.
        found: i64,
        /// The latest version known here.
        known: i64,
        /// The file.
        path: PathBuf,
    },
    /// A build from before the first release created the file. It is left untouched.
    #[error(
        "the database has version {found}, of a build before the first release, and this program supports versions from \
         {first}; export its data with `lunette export` of that build and import it here, or use another folder: {}",
        path.display()
    )]
    Older {
        /// The file's version.
        found: i64,
        /// The earliest version that can be used.
        first: i64,
        /// The file.
        path: PathBuf,
    },
    /// Another instance owns the folder.
    #[error(
        "another instance of Lunette uses this folder{}; close it or choose another folder: {}", holder(*pid),
        folder.display()
    )]
    Locked {
        /// The folder.
        folder: PathBuf,
        /// The process that owns it, if known.
        pid: Option<u32>,
    },
    /// The file is damaged, missing, or not a Lunette database. It is left untouched.
    #[error(
        "cannot use the database: {problem}; nothing was changed: {}. {}", path.display(),
        advice(path, newest.as_deref())
    )]
    Corrupt {
        /// What was found.
        problem: String,
        /// The file.
        path: PathBuf,
        /// The newest backup, if known.
        newest: Option<PathBuf>,
    },
    /// The disk or the memory failed, or the file turned out to be damaged, while in use.
    #[error(
        "cannot read or write the database ({0}): it is unknown whether the change was saved, so check before \
         repeating it; the service retries automatically, and its log has the details"
    )]
    Disk(String),
    /// A record does not match its checksum: the file was corrupted.
    #[error("the {what} with the id {id:?} is damaged on the disk: restore a backup, or delete it")]
    Damaged {
        /// The kind of thing.
        what: &'static str,
        /// Its id.
        id: String,
    },
    /// The folder or file cannot be reached.
    #[error("cannot {doing}: {problem}: {}", path.display())]
    Unusable {
        /// What was tried.
        doing: &'static str,
        /// The system's reason.
        problem: String,
        /// The file or folder.
        path: PathBuf,
    },
    /// An internal error.
    #[error("store error: {0}")]
    Broken(String),
}

/// A row that does not match its checksum.
#[derive(Debug, thiserror::Error)]
#[error("the row of the {what} {id:?} does not match its checksum")]
pub(super) struct Mismatch {
    pub(super) what: &'static str,
    pub(super) id: String,
}

/// The damaged record behind a failed read; None for any other failure.
fn damaged(error: &rusqlite::Error) -> Option<StoreError> {
    let rusqlite::Error::FromSqlConversionFailure(_, _, source) = error else { return None };
    let Mismatch { what, id } = source.downcast_ref()?;
    Some(StoreError::Damaged { what, id: id.clone() })
}

impl StoreError {
    pub(crate) fn not_found(what: &'static str, id: impl Into<String>) -> Self {
        Self::NotFound { what, id: id.into() }
    }

    pub(crate) fn gone(what: &'static str, id: impl Into<String>) -> Self {
        Self::Gone { what, id: id.into() }
    }

    pub(crate) fn invalid(sentence: impl Into<String>) -> Self {
        Self::Invalid(sentence.into())
    }

    pub(crate) fn taken(sentence: impl Into<String>) -> Self {
        Self::Conflict(sentence.into())
    }

    pub(super) fn unusable(doing: &'static str, path: &Path, problem: impl ToString) -> Self {
        Self::Unusable { doing, problem: problem.to_string(), path: path.to_owned() }
    }

    pub(super) fn corrupt(path: &Path, problem: impl Into<String>) -> Self {
        Self::Corrupt { problem: problem.into(), path: path.to_owned(), newest: None }
    }

    /// Converts an I/O error of a file in the data folder.
    pub(super) fn of_file(doing: &'static str, path: &Path, problem: &io::Error) -> Self {
        match problem.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            _ => Self::unusable(doing, path, error_text(problem)),
        }
    }

    /// Whether the disk or the file failed, rather than what was asked.
    pub(crate) fn is_of_the_disk(&self) -> bool {
        matches!(self, Self::Disk(_) | Self::Corrupt { .. })
    }

    /// Converts an SQLite error of this file.
    pub(super) fn at(path: &Path, error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => Self::corrupt(path, "it is not an SQLite database"),
            Some(ErrorCode::DatabaseCorrupt) => Self::corrupt(path, "it is damaged"),
            Some(ErrorCode::CannotOpen) => Self::unusable("open the database", path, error),
            _ => match Self::from(error) {
                Self::Disk(problem) => Self::unusable("read the database", path, problem),
                other => other,
            },
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        if let Some(damaged) = damaged(&error) {
            return damaged;
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly { problem: error.to_string() },
            // SQLite does not say why a write failed, and knows a full disk only where it writes to the database or its log.
            // Whoever has the folder asks the system: `Ballast::explain`.
            Some(
                ErrorCode::SystemIoFailure
                | ErrorCode::OutOfMemory
                | ErrorCode::DatabaseCorrupt
                | ErrorCode::NotADatabase
                | ErrorCode::CannotOpen
                | ErrorCode::FileLockingProtocolFailed,
            ) => Self::Disk(error.to_string()),
            _ => Self::Broken(error.to_string()),
        }
    }
}

/// Advice for an unusable database.
fn advice(database: &Path, newest: Option<&Path>) -> String {
    let data = quoted(database.parent().unwrap_or(database));
    let restored = newest.map_or_else(
        || "There are no automatic backups; `lunette restore FILE` restores one of yours".to_owned(),
        |backup| format!("`lunette restore {} --data {data}` restores the newest backup", quoted(backup)),
    );
    format!("{restored}; `lunette serve --set-aside --data {data}` moves it to a folder and starts empty")
}

fn holder(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
}
