//! Finds the files below the paths that a user named.

use std::collections::HashSet;
use std::fs::{self, FileType, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lunette_storage::system;

use super::{NewAsset, Rejected};

mod walk;

/// A file to import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Its path.
    pub path: PathBuf,
    /// The displayed path: from the folder that the user named, with `/` as separator.
    pub display_path: String,
    /// Its size in bytes when it was scanned.
    pub size: u64,
    /// The asset to create; `None` to create it from the file.
    pub new_asset: Option<Arc<NewAsset>>,
}

impl FileEntry {
    /// Returns whether it is created even if an asset with the same name and content exists.
    pub(crate) fn is_duplicate(&self) -> bool {
        self.new_asset.as_ref().is_some_and(|new| new.duplicate)
    }
}

/// The result of a scan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScanResult {
    /// The files to import: paths in the given order, and files in a folder ordered by name, without duplicates.
    pub files: Vec<FileEntry>,
    /// Paths that cannot be imported.
    pub rejected: Vec<Rejected>,
    /// Paths that are excluded by a rule: symbolic links in a folder, and anything that is neither a file nor a folder.
    pub skipped: Vec<Rejected>,
    /// Hidden and ignored files and folders, ordered by path.
    pub hidden: Vec<Rejected>,
}

/// Finds the files below these paths. A path that the user names is always included, and links are followed. In a
/// folder, hidden and ignored files are excluded as by `ignore`, with `.gitignore` also outside of a repository, and
/// links, pipes, sockets and devices are skipped. Returns early with a partial result when `cancel` is set.
pub fn scan(paths: &[PathBuf], cancel: &AtomicBool) -> ScanResult {
    let mut plan = ScanResult::default();
    for path in paths {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => walk::folder(path, &mut plan, cancel),
            Ok(found) => plan.take(path, name(path), &found),
            Err(error) => plan.rejected.push(Rejected::new(path, format!("cannot be read: {error}"))),
        }
    }
    if paths.len() > 1 {
        let mut seen = HashSet::new();
        plan.files.retain(|file| seen.insert(file.path.clone()));
    }
    plan
}

impl ScanResult {
    fn take(&mut self, path: &Path, display_path: String, found: &Metadata) {
        match not_a_file(found.file_type()) {
            None => {
                self.files.push(FileEntry { path: path.to_owned(), display_path, size: found.len(), new_asset: None })
            }
            Some(what) => self.rejected.push(Rejected::new(path, format!("{what}, not a file"))),
        }
    }
}

/// Returns the last component of a path; for one that ends in dots, the name of the resolved folder.
pub(super) fn name(path: &Path) -> String {
    let last = path.file_name().map(ToOwned::to_owned);
    let last = last.or_else(|| path.canonicalize().ok()?.file_name().map(ToOwned::to_owned));
    last.map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Returns what it is if it is not a regular file.
pub(super) fn not_a_file(kind: FileType) -> Option<&'static str> {
    if kind.is_dir() {
        return Some("a folder");
    }
    system::special_kind(kind).or_else(|| (!kind.is_file()).then_some("a special file"))
}
