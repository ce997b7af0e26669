//! Files that are written whole or not at all.
//!
//! What must hold: a file has its name only once all its bytes are on the disk; no link is followed where a file is to
//! be; only [`write()`] and [`TempFile::persist`] replace a file; a new file can be read by its owner alone.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::owner_only::{folder_of, sync_folder};

/// How the names of files begin that are not whole yet.
pub const UNFINISHED: &str = ".lunette-";

/// Writes a file. A file that is there is replaced and its mode kept; a link, a folder or a device is left alone, and the
/// write fails.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = TempFile::beside(path, "")?;
    file.write_all(bytes)?;
    file.persist(path)
}

/// Writes a file under a name that nothing has yet. Fails with [`ErrorKind::AlreadyExists`] where anything has it, even a
/// dangling link.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = TempFile::beside(path, "")?;
    file.write_all(bytes)?;
    file.persist_noclobber(path)
}

/// Renames a file or folder whose content is on the disk; the new name is on the disk when this returns.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_folder(folder_of(to))
}

/// A file that is not whole yet, in the folder that it is for. Dropped, it is deleted.
#[derive(Debug)]
pub struct TempFile(NamedTempFile);

impl TempFile {
    /// Creates an empty one beside `place`. Its name contains the mark, which tells after a crash whose it was.
    pub fn beside(place: &Path, mark: &str) -> io::Result<Self> {
        // Our choice: a new file is the user's alone (mode 0600, which is the library's too), whatever the umask says.
        // What it holds was private where it came from, and the user can share it.
        let prefix = format!("{UNFINISHED}{mark}");
        tempfile::Builder::new().prefix(&prefix).rand_bytes(16).tempfile_in(folder_of(place)).map(Self)
    }

    /// Writes bytes at its end.
    pub fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.as_file_mut().write_all(bytes)
    }

    /// The open file, to write what is not in memory.
    pub fn file(&mut self) -> &mut File {
        self.0.as_file_mut()
    }

    /// Gives it its name, replacing a file that has it.
    pub fn persist(self, place: &Path) -> io::Result<()> {
        match fs::symlink_metadata(place) {
            Ok(there) if there.is_file() => keep_mode(self.0.as_file(), &there),
            Ok(_) => return Err(io::Error::other("the name is taken by a link, a folder or a device")),
            // Nothing is there; where that cannot be told, the rename says why.
            Err(_) => {}
        }
        self.0.as_file().sync_all()?;
        self.0.persist(place)?;
        sync_folder(folder_of(place))
    }

    /// Gives it a name that nothing has.
    pub fn persist_noclobber(self, place: &Path) -> io::Result<()> {
        self.0.as_file().sync_all()?;
        match self.0.persist_noclobber(place) {
            Ok(_) => {}
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => return Err(error.error),
            // This file system has neither hard links nor renames that do not replace: an empty file takes the name and
            // is then replaced.
            Err(error) => {
                OpenOptions::new().write(true).create_new(true).open(place)?;
                if let Err(error) = error.file.persist(place) {
                    fs::remove_file(place).ok(); // The first error is the one to return.
                    return Err(error.error);
                }
            }
        }
        sync_folder(folder_of(place))
    }
}

/// Gives a file the mode of the one it is to replace. Where the file system has no modes it stays as it was created.
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
