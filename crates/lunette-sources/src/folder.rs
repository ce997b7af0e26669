//! Finds the files of a folder. Links, pipes, sockets and devices are skipped, so that there are no cycles.

use std::fs;
use std::path::Path;

use crate::files::{Entry, Files, OpenError};
use crate::limits::Cancelled;

/// A folder that never contains a library and may be large.
const MODULES: &str = "node_modules";
/// A folder of copies of attributes that macOS adds to archives.
const RESOURCES: &str = "__MACOSX";

/// Adds the files of a folder.
pub(crate) fn walk(root: &Path, files: &mut Files, cancelled: Cancelled<'_>) -> Result<(), OpenError> {
    let mut waiting = vec![(root.to_owned(), String::new(), 0)];
    while let Some((folder, shown, depth)) = waiting.pop() {
        if cancelled.is_set() {
            return Err(OpenError::Cancelled);
        }
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if depth == 0 => return Err(error.into()),
            Err(error) => {
                files.warn("unreadable", &shown, format!("cannot be read: {error}"));
                continue;
            }
        };
        for entry in entries {
            let found = entry.and_then(|entry| Ok((entry.file_type()?, entry)));
            let (kind, entry) = match found {
                Ok(found) => found,
                Err(error) => {
                    files.warn("unreadable", &shown, format!("has an entry that cannot be read: {error}"));
                    continue;
                }
            };
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if shown.is_empty() { name.clone() } else { format!("{shown}/{name}") };
            if kind.is_file() {
                // Of a repository, only the clone address is needed.
                if folder.ends_with(".git") && name != "config" {
                    continue;
                }
                if !files.insert(path, Entry::Disk(entry.path())) {
                    return Ok(());
                }
            } else if kind.is_symlink() {
                files.warn("link", &path, "is a symbolic link and was left out");
            } else if !kind.is_dir() {
                files.warn("special", &path, "is neither a file nor a folder and was left out");
            } else if name == MODULES {
                files.warn("folder", &path, "is a folder of packages, which have no library, and was left out");
            } else if name != RESOURCES && !folder.ends_with(".git") {
                if depth >= files.limits().depth {
                    files.warn("limit.depth", &path, "is nested too deep and was left out");
                } else {
                    waiting.push((entry.path(), path, depth + 1));
                }
            }
        }
    }
    Ok(())
}
