//! Finds the files of a folder. Links, pipes, sockets and devices are skipped, so that there are no cycles.

use std::fs::{self, FileType};
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
            let (kind, entry) = match entry.and_then(|entry| Ok((entry.file_type()?, entry))) {
                Ok(found) => found,
                Err(error) => {
                    files.warn("unreadable", &shown, format!("has an entry that cannot be read: {error}"));
                    continue;
                }
            };
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if shown.is_empty() { name.clone() } else { format!("{shown}/{name}") };
            // Of a repository, only the clone address is needed.
            if folder.ends_with(".git") && !(kind.is_file() && name == "config") {
                continue;
            }
            if kind.is_file() {
                if !files.insert(path, Entry::Disk(entry.path())) {
                    return Ok(());
                }
            } else if is_searched(kind, &name, &path, depth, files) {
                waiting.push((entry.path(), path, depth + 1));
            }
        }
    }
    Ok(())
}

/// Returns whether something is a folder that is searched. Warns of what is left out.
fn is_searched(kind: FileType, name: &str, path: &str, depth: usize, files: &mut Files) -> bool {
    let (code, message) = match name {
        _ if kind.is_symlink() => ("link", "is a symbolic link and was left out"),
        _ if !kind.is_dir() => ("special", "is neither a file nor a folder and was left out"),
        MODULES => ("folder", "is a folder of packages, which have no library, and was left out"),
        RESOURCES => return false,
        _ if depth >= files.limits().depth => ("limit.depth", "is nested too deep and was left out"),
        _ => return true,
    };
    files.warn(code, path, message);
    false
}
