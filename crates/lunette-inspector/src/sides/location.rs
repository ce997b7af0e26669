//! Where a side is, as people write it.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use lunette_storage::system::error_text;

use crate::Address;
use crate::CallError;

/// Where a side is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// The service that is connected, or that a command uses without an option.
    Own,
    /// The service at an address.
    Service(Address),
    /// The service that is connected as it was: a day, a time, or the name or id of a checkpoint.
    Then(String),
    /// A data folder of this program.
    Data(PathBuf),
    /// A backup of a data folder.
    Backup(PathBuf),
    /// An archive of this program, the library of another one, or a folder of files.
    Files(PathBuf),
}

/// Why a text names no side.
#[derive(Debug, thiserror::Error)]
pub enum LocationError {
    /// It begins as an address does, and is none.
    #[error("{0}")]
    Address(#[from] CallError),
    /// It is the path of nothing.
    #[error("there is no file or folder “{0}”; a side is “own”, a URL, @DAY, @CHECKPOINT or a path")]
    Missing(String),
    /// The file or folder cannot be read.
    #[error("“{path}” cannot be read: {}", error_text(.error))]
    Unreadable {
        /// The path.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// Nothing follows the sign.
    #[error("a day, a time or a checkpoint follows the @, as in @yesterday or @2026-01-31")]
    NoTime,
}

/// The database of a data folder.
const DATABASE: &str = "lunette.sqlite3";
/// How the file of a database begins.
const SQLITE: &[u8; 16] = b"SQLite format 3\0";

impl Location {
    /// Reads a text: `own`, a URL, `@` with a day, a time or a checkpoint, or the path of a file or folder. Blocks.
    ///
    /// # Errors
    ///
    /// Fails if there is nothing at a path, or if an address is none.
    pub fn parse(text: &str) -> Result<Self, LocationError> {
        if text == "own" {
            return Ok(Self::Own);
        }
        if let Some(then) = text.strip_prefix('@') {
            return match then.trim() {
                "" => Err(LocationError::NoTime),
                then => Ok(Self::Then(then.to_owned())),
            };
        }
        if text.starts_with("http://") || text.starts_with("https://") {
            return Ok(Self::Service(text.parse()?));
        }
        let path = PathBuf::from(text);
        let unreadable = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => LocationError::Missing(text.to_owned()),
            _ => LocationError::Unreadable { path: text.to_owned(), error },
        };
        let found = fs::metadata(&path).map_err(unreadable)?;
        Ok(match found.is_dir() {
            true if path.join(DATABASE).is_file() => Self::Data(path),
            false if is_database(&path).map_err(unreadable)? => Self::Backup(path),
            _ => Self::Files(path),
        })
    }

    /// Its name for people, which is also what the sides of a comparison are remembered by.
    pub fn name(&self) -> String {
        match self {
            Self::Own => "own".to_owned(),
            Self::Service(address) => address.to_string(),
            Self::Then(then) => format!("@{then}"),
            Self::Data(path) | Self::Backup(path) | Self::Files(path) => {
                path.canonicalize().as_deref().unwrap_or(path).display().to_string()
            }
        }
    }

    /// Whether assets can be copied to it: to a service, and to a data folder, but not to a past or a file.
    pub fn can_be_written(&self) -> bool {
        match self {
            Self::Own | Self::Service(_) | Self::Data(_) => true,
            Self::Then(_) | Self::Backup(_) | Self::Files(_) => false,
        }
    }
}

fn is_database(path: &Path) -> io::Result<bool> {
    let mut first = Vec::new();
    File::open(path)?.take(SQLITE.len() as u64).read_to_end(&mut first)?;
    Ok(first == SQLITE)
}
