//! Which files there are below the paths a user named.

use std::collections::HashSet;
use std::fs::{self, FileType, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lunette_storage::system;

use super::{NewAsset, Rejected};

mod walk;

/// A file to take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Where it is.
    pub path: PathBuf,
    /// The path as people should see it: from the folder the user named, `/` between its parts.
    pub shown_as: String,
    /// Its size when it was seen, in bytes.
    pub size: u64,
    /// The asset to be made; None to make it of what is in the file.
    pub made: Option<Arc<NewAsset>>,
}

/// What an import would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScanResult {
    /// The files to take: paths in the order given, and what is in a folder in order of name. None twice.
    pub files: Vec<FileEntry>,
    /// What cannot be taken.
    pub refused: Vec<Rejected>,
    /// What is left out by rule: symbolic links found in a folder, and what is neither file nor folder.
    pub skipped: Vec<Rejected>,
    /// Hidden and ignored files and folders that are left out, in order of their paths.
    pub hidden: Vec<Rejected>,
}

/// Finds the files below these paths. A path named by the user itself is always taken, a link by what it points to.
/// In a folder hidden and ignored files are left out as `ignore` does, `.gitignore` also outside of a repository, and
/// links, pipes, sockets and devices are skipped. Ends early, with what it has, when `cancel` is set.
pub fn scan(paths: &[PathBuf], cancel: &AtomicBool) -> ScanResult {
    let mut plan = ScanResult::default();
    for path in paths {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => walk::folder(path, &mut plan, cancel),
            Ok(found) => plan.take(path, name(path), &found),
            Err(error) => plan.refused.push(Rejected::new(path, format!("cannot be read: {error}"))),
        }
    }
    if paths.len() > 1 {
        let mut seen = HashSet::new();
        plan.files.retain(|file| seen.insert(file.path.clone()));
    }
    plan
}

impl ScanResult {
    fn take(&mut self, path: &Path, shown_as: String, found: &Metadata) {
        match not_a_file(found.file_type()) {
            None => self.files.push(FileEntry { path: path.to_owned(), shown_as, size: found.len(), made: None }),
            Some(what) => self.refused.push(Rejected::new(path, format!("{what}, not a file"))),
        }
    }
}

/// The last name of a path; for one that ends in dots, that of the folder it means.
pub(super) fn name(path: &Path) -> String {
    let last = path.file_name().map(ToOwned::to_owned);
    let last = last.or_else(|| path.canonicalize().ok()?.file_name().map(ToOwned::to_owned));
    last.map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// What it is instead of a file.
pub(super) fn not_a_file(kind: FileType) -> Option<&'static str> {
    if kind.is_dir() {
        return Some("a folder");
    }
    system::special_kind(kind).or_else(|| (!kind.is_file()).then_some("a special file"))
}
