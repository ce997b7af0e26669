//! Files that are written completely or not at all.
//!
//! What must hold: a file gets its name only once all its bytes are on disk; links at the target are never followed;
//! only [`write()`] and [`TempFile::persist`] replace a file; a new file can be read by its owner alone.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::owner_only::{folder_of, sync_folder};

/// The prefix of the names of incomplete files.
pub const UNFINISHED: &str = ".lunette-";

/// Writes a file. An existing file is replaced and keeps its mode; for a link, a folder or a device, the write fails.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = TempFile::beside(path, "")?;
    file.write_all(bytes)?;
    file.persist(path)
}

/// Writes a new file. Fails with [`ErrorKind::AlreadyExists`] if the path exists, even as a dangling link.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = TempFile::beside(path, "")?;
    file.write_all(bytes)?;
    file.persist_noclobber(path)
}

/// Renames a file or folder whose content is on disk; the new name is on disk when this returns.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_folder(folder_of(to))
}

/// An incomplete file in its target folder. It is deleted when dropped.
#[derive(Debug)]
pub struct TempFile(NamedTempFile);

impl TempFile {
    /// Creates an empty one beside `path`. Its name contains the mark, which identifies its creator after a crash.
    pub fn beside(path: &Path, mark: &str) -> io::Result<Self> {
        // Our choice: a new file is owner-only (mode 0600, as in the library), whatever the umask. Its content was
        // private before, and the user can share it.
        let prefix = format!("{UNFINISHED}{mark}");
        tempfile::Builder::new().prefix(&prefix).rand_bytes(16).tempfile_in(folder_of(path)).map(Self)
    }

    /// Writes bytes at its end.
    pub fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.as_file_mut().write_all(bytes)
    }

    /// Returns the open file, for writing data that is not in memory.
    pub fn file(&mut self) -> &mut File {
        self.0.as_file_mut()
    }

    /// Renames it to its final name, replacing an existing file.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        match fs::symlink_metadata(path) {
            Ok(existing) if existing.is_file() => keep_mode(self.0.as_file(), &existing),
            Ok(_) => return Err(io::Error::other("the name is taken by a link, a folder or a device")),
            // The target does not exist; if that is unknown, the rename fails with the reason.
            Err(_) => {}
        }
        self.0.as_file().sync_all()?;
        self.0.persist(path)?;
        sync_folder(folder_of(path))
    }

    /// Renames it to a new name.
    pub fn persist_noclobber(self, path: &Path) -> io::Result<()> {
        self.0.as_file().sync_all()?;
        match self.0.persist_noclobber(path) {
            Ok(_) => {}
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => return Err(error.error),
            // This file system has neither hard links nor renames that do not replace: an empty file reserves the name
            // and is then replaced.
            Err(error) => {
                OpenOptions::new().write(true).create_new(true).open(path)?;
                if let Err(error) = error.file.persist(path) {
                    fs::remove_file(path).ok(); // The first error is the one to return.
                    return Err(error.error);
                }
            }
        }
        sync_folder(folder_of(path))
    }
}

/// Copies the mode of the file that is replaced. If the file system has no modes, it is unchanged.
fn keep_mode(file: &File, replaced: &fs::Metadata) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = replaced.permissions().mode() & 0o777;
        file.set_permissions(fs::Permissions::from_mode(mode)).ok();
    }
    #[cfg(not(unix))]
    let _ = (file, replaced);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("listed");
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_atomically() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("export.md");
        write(&path, b"a longer text").expect("written");
        write(&path, b"short").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "short");
        assert_eq!(names(folder.path()), ["export.md"]);
    }

    #[test]
    fn a_new_file_never_replaces_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("export.md");
        write_new(&path, b"first").expect("written");
        let error = write_new(&path, b"second").expect_err("refused");
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).expect("read"), "first");
        assert_eq!(names(folder.path()), ["export.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_symlink_is_not_followed_and_leaves_no_file_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("canary"), "alive").expect("written");
        std::os::unix::fs::symlink(path("canary"), path("link")).expect("linked");
        std::os::unix::fs::symlink(path("nowhere"), path("dangling")).expect("linked");
        for write in [write, write_new] {
            for link in ["link", "dangling"] {
                assert!(write(&path(link), b"dead").is_err(), "{link}");
            }
        }
        assert_eq!(fs::read_to_string(path("canary")).expect("read"), "alive");
        assert_eq!(names(folder.path()), ["canary", "dangling", "link"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_or_pipe_of_that_name_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("folder")).expect("made");
        let made = std::process::Command::new("mkfifo").arg(path("pipe")).status();
        assert!(made.expect("mkfifo runs").success());
        for write in [write, write_new] {
            for name in ["folder", "pipe"] {
                assert!(write(&path(name), b"dead").is_err(), "{name}");
            }
        }
        assert_eq!(names(folder.path()), ["folder", "pipe"]);
    }
}
