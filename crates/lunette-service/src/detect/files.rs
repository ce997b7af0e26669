//! Reads foreign files and folders within limits: never blocks on a device, never reads without end.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// No description of one application is larger.
pub(super) const DESCRIPTION_BYTES: u64 = 1 << 20;
/// The most entries read of one folder.
const MOST_ENTRIES: usize = 20_000;

/// The bytes of a regular file; None when it is something else, out of reach, or larger than `most`.
pub(super) fn bytes(path: &Path, most: u64) -> Option<Vec<u8>> {
    // A pipe or a device would be waited for at the opening already.
    let about = fs::metadata(path).ok()?;
    if !about.is_file() || about.len() > most {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(most + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= most).then_some(bytes)
}

/// The text of a regular file of at most `most` bytes; what is not UTF-8 in it is replaced.
pub(super) fn text(path: &Path, most: u64) -> Option<String> {
    let text = bytes(path, most)?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The entries of a folder, ordered by name; empty if it is missing or unreadable.
pub(super) fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(listed) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = listed.take(MOST_ENTRIES).flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_over_the_limit_is_skipped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "12345").expect("written");
        assert_eq!(text(&path, 5), Some("12345".to_owned()));
        assert_eq!(text(&path, 4), None);
    }

    #[test]
    fn a_folder_is_not_a_file_and_a_missing_one_has_no_entries() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(bytes(folder.path(), 10), None);
        assert_eq!(entries(&folder.path().join("gone")), Vec::<PathBuf>::new());
    }
}
