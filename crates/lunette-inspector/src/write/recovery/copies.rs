//! The copies of deleted assets, for services without a Trash: one file for each asset, with its content.
//!
//! What must hold: the complete copy is on disk when [`Copies::keep`] returns; the total size is limited, and the
//! oldest copies are deleted first; the files are owner-only.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use lunette_storage::system::error_text;
use serde_json::Value;

use crate::CallError;
use crate::files::{make_folder, write_whole};
use crate::tasks::{Ended, blocking};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::{Record as _, SchemaError};

/// Our choice: the copies of one connection take at most this many bytes on disk.
const LIMIT: u64 = 512 * 1024 * 1024;

/// Why a copy of a deleted asset cannot be saved or used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CopyError {
    /// The asset to copy could not be read.
    #[error("{}", .0.reason())]
    NotRead(CallError),
    /// The asset was read without its content.
    #[error("the service returned no content")]
    NoContent,
    /// The journal is in memory.
    #[error("nothing is stored on disk")]
    NotStored,
    /// The asset has this many bytes.
    #[error("{0} bytes exceed the limit for copies")]
    TooLarge(u64),
    /// The file could not be written; why and where.
    #[error("cannot write the copy: {0}")]
    NotWritten(String),
    /// There is none.
    #[error("there is no copy of the deleted asset to restore")]
    Missing,
    /// The file could not be read; why and where.
    #[error("cannot read the copy of the asset: {0}")]
    Unreadable(String),
    /// It is not a record of an asset; why.
    #[error("the copy of the asset is damaged: {0}")]
    Damaged(String),
    /// It has no content.
    #[error("the copy of the asset has no content")]
    Empty,
    /// No asset can be created from it.
    #[error("the copy of the asset cannot be made into a seed: {0}")]
    NoSeed(SchemaError),
    /// The work on it panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// The copies of one connection. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    /// `None` if copies are not saved.
    folder: Option<PathBuf>,
    /// Their total size in bytes; `None` before the folder was read.
    bytes: Arc<Mutex<Option<u64>>>,
}

impl Copies {
    /// The copies in a folder; without one, none are saved.
    pub fn in_folder(folder: Option<PathBuf>) -> Self {
        Self { folder, bytes: Arc::default() }
    }

    /// Saves a copy. Fails if it cannot be written.
    pub(crate) async fn keep(&self, asset: AssetId, record: Asset) -> Result<(), CopyError> {
        let copies = self.clone();
        blocking(move || copies.write(&asset, record.tree(), LIMIT)).await?
    }

    /// Loads the copy of an asset. Fails if there is none.
    pub(crate) async fn load(&self, asset: AssetId) -> Result<Value, CopyError> {
        let copies = self.clone();
        blocking(move || copies.read(&asset)).await?
    }

    /// The copies in a folder within this one.
    pub(super) fn within(&self, name: &str) -> Self {
        Self::in_folder(self.folder.as_deref().map(|folder| folder.join(name)))
    }

    /// Saves a record without a limit on all of them. Fails if it cannot be written. Blocks.
    pub(super) fn write_unlimited(&self, asset: &AssetId, record: &Value) -> Result<(), CopyError> {
        self.write(asset, record, u64::MAX)
    }

    /// Removes the copy of an asset, if there is one. Blocks.
    pub(super) fn remove(&self, asset: &AssetId) {
        if let Some(folder) = self.folder.as_deref() {
            // One that stays takes room until the next run of this asset.
            fs::remove_file(path(folder, asset)).ok();
        }
    }

    pub(super) fn read(&self, asset: &AssetId) -> Result<Value, CopyError> {
        let path = self.folder.as_deref().map(|folder| path(folder, asset)).ok_or(CopyError::Missing)?;
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(CopyError::Missing),
            Err(error) => return Err(CopyError::Unreadable(format!("{}: {}", error_text(&error), path.display()))),
        };
        serde_json::from_slice(&bytes).map_err(|error| CopyError::Damaged(format!("{error}: {}", path.display())))
    }

    fn write(&self, asset: &AssetId, record: &Value, limit: u64) -> Result<(), CopyError> {
        let folder = self.folder.as_deref().ok_or(CopyError::NotStored)?;
        let bytes = serde_json::to_vec(record).map_err(|error| CopyError::NotWritten(error.to_string()))?;
        let length = bytes.len() as u64;
        if length > limit {
            return Err(CopyError::TooLarge(length));
        }
        let failed =
            |error: std::io::Error| CopyError::NotWritten(format!("{}: {}", error_text(&error), folder.display()));
        make_folder(folder).map_err(failed)?;
        let mut total = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let known = match *total {
            Some(known) => known,
            None => files(folder).iter().map(|(_, bytes, _)| bytes).sum(),
        };
        *total = Some(
            if known.saturating_add(length) > limit { remove_oldest(folder, limit - length) } else { known } + length,
        );
        write_whole(&path(folder, asset), &bytes).map_err(failed)
    }
}

fn path(folder: &Path, asset: &AssetId) -> PathBuf {
    // An asset's id is a UUID, so it is safe in a path.
    folder.join(format!("{}.json", asset.as_str().to_lowercase()))
}

/// The copies in a folder: modification time, size and path.
fn files(folder: &Path) -> Vec<(SystemTime, u64, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let file = |entry: fs::DirEntry| {
        let known = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some((known.modified().unwrap_or(SystemTime::UNIX_EPOCH), known.len(), entry.path()))
    };
    entries.filter_map(file).collect()
}

/// Deletes the oldest copies until the others take at most this many bytes; returns their total size.
fn remove_oldest(folder: &Path, limit: u64) -> u64 {
    let mut files = files(folder);
    files.sort();
    let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
    for (_, bytes, path) in files {
        if total <= limit {
            break;
        }
        if fs::remove_file(&path).is_ok() {
            total -= bytes;
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn id(number: u8) -> AssetId {
        format!("00000000-0000-4000-8000-0000000000{number:02}").parse().expect("an id")
    }

    #[test]
    fn a_copy_reads_back_unchanged_and_a_missing_one_is_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let copies = Copies::in_folder(Some(folder.path().join("deleted")));
        let record = json!({ "name": "a", "number": 1.10 });
        copies.write(&id(1), &record, LIMIT).expect("written");
        assert_eq!(copies.read(&id(1)), Ok(record));
        assert_eq!(copies.read(&id(2)), Err(CopyError::Missing));
        assert!(Copies::default().write(&id(1), &Value::Null, LIMIT).is_err());
    }

    #[test]
    fn copies_stay_within_their_limit_and_the_oldest_are_removed_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let record = json!("x".repeat(98));
        let old = SystemTime::now() - std::time::Duration::from_secs(3_600);
        for number in 0..9_u8 {
            // Reopened, as after a restart.
            let copies = Copies::in_folder(Some(folder.path().to_owned()));
            copies.write(&id(number), &record, 300).expect("written");
            let file = fs::File::options().append(true).open(path(folder.path(), &id(number))).expect("the copy");
            file.set_modified(old + std::time::Duration::from_secs(u64::from(number))).expect("dated");
        }
        let saved: Vec<_> = (0..9).filter(|number| path(folder.path(), &id(*number)).exists()).collect();
        assert_eq!(saved, [6, 7, 8]);
        let copies = Copies::in_folder(Some(folder.path().to_owned()));
        assert!(copies.write(&id(1), &json!("x".repeat(300)), 300).is_err());
    }
}
