//! Finds the files of a folder. Links, pipes, sockets and devices are skipped, so that there are no cycles.

use std::fs;
use std::path::Path;

use crate::files::{Entry, Files, OpenError};
use crate::limits::Cancelled;

/// Folders that never contain a library and may be large.
const LEFT_OUT: [&str; 2] = ["node_modules", "__MACOSX"];

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
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if shown.is_empty() { name.clone() } else { format!("{shown}/{name}") };
            let Ok(kind) = entry.file_type() else { continue };
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
            } else if kind.is_dir() && !LEFT_OUT.contains(&name.as_str()) && !folder.ends_with(".git") {
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
