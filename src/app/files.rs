//! Files out: written whole or not at all.
//!
//! What must hold: a file has its name only once all its bytes are on disk; no link is followed where a file is to be;
//! nothing that is there is written over but what the user named in the system's dialog, which asks; what is written
//! can be read by the user alone.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// How files begin that are not whole yet.
pub(in crate::app) const UNFINISHED: &str = ".lunette-";

/// Writes a file under a name that the user chose in the system's dialog. A file that is there is replaced; anything
/// else that is there is left alone, and the write fails.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = TempFile::beside(path, "")?;
    file.write_all(bytes)?;
    file.replace(path)
}

/// Writes a file under a name that nothing has yet. Fails with [`ErrorKind::AlreadyExists`] where anything has it, be it
/// a link to nowhere.
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = TempFile::beside(path, "")?;
    file.write_all(bytes)?;
    file.take_name(path)
}

/// A file that is not whole yet, beside the place it is for. Dropped, it is gone.
#[derive(Debug)]
pub(in crate::app) struct TempFile {
    path: PathBuf,
    file: File,
}

impl TempFile {
    /// An empty one beside a place; the mark stands in its name, to tell whose it was after a crash.
    pub(in crate::app) fn beside(place: &Path, mark: &str) -> io::Result<Self> {
        let path = folder_of(place).join(format!("{UNFINISHED}{mark}{}", uuid::Uuid::new_v4()));
        let file = private(OpenOptions::new().read(true).write(true).create_new(true)).open(&path)?;
        Ok(Self { path, file })
    }

    pub(in crate::app) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// To write what is not in memory.
    pub(in crate::app) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Puts it in the place of a file, or where nothing is.
    pub(in crate::app) fn replace(self, place: &Path) -> io::Result<()> {
        match fs::symlink_metadata(place) {
            Ok(there) if there.is_file() => keep_mode(&self.file, &there),
            Ok(_) => {
                let problem = "the name is taken by a link, a folder or a device";
                return Err(io::Error::other(problem));
            }
            // Nothing is there; where it cannot be told, the rename says why.
            Err(_) => {}
        }
        self.file.sync_all()?;
        fs::rename(&self.path, place)?;
        sync_folder(folder_of(place))
    }

    /// Gives it a name that nothing has.
    pub(in crate::app) fn take_name(self, place: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        match fs::hard_link(&self.path, place) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(error),
            // This file system knows no second names: the name is taken by an empty file, which is then replaced.
            Err(_) => {
                OpenOptions::new().write(true).create_new(true).open(place)?;
                if let Err(error) = fs::rename(&self.path, place) {
                    fs::remove_file(place).ok(); // The first error is the one to tell.
                    return Err(error);
                }
            }
        }
        sync_folder(folder_of(place))
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        // Gone already where it was renamed; where it cannot be removed there is nobody to tell.
        fs::remove_file(&self.path).ok();
    }
}

/// Our choice: a new file is the user's alone (mode 0600), whatever the umask says: what it holds was private where it
/// came from, and who wants to share it can say so. A file that is replaced keeps the mode it had.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Makes a folder that is the user's alone (mode 0700), and those above it, where they are not there. What is there keeps
/// the mode it has.
pub fn make_folder(path: &Path) -> io::Result<()> {
    private_folder(true).create(path)
}

/// Makes a folder that is the user's alone (mode 0700). Fails where something has its name already.
pub(in crate::app) fn make_new_folder(path: &Path) -> io::Result<()> {
    private_folder(false).create(path)
}

fn private_folder(recursive: bool) -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.recursive(recursive);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Gives a file who may use the one it is to replace. Where the file system knows no such thing it stays as it was made.
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

/// The folder a file is in.
pub(in crate::app) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new name is on disk when its folder is synced. Windows knows no such thing, and not every file system does.
pub(in crate::app) fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error)
            if !matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied
            ) =>
        {
            Err(error)
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Why a file could not be written, and what to do, in one sentence without its path.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::StorageFull => "the disk is full; free some space, or choose another place".to_owned(),
        ErrorKind::QuotaExceeded => "your disk quota is exceeded; free some space, or choose another place".to_owned(),
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
            format!("no permission to write there ({error}); choose another place")
        }
        ErrorKind::NotFound => "the folder does not exist; create it, or choose another place".to_owned(),
        ErrorKind::AlreadyExists => "a file of that name already exists".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(all(test, unix))]
mod disk;

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
    fn a_file_is_replaced_whole_where_the_user_named_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("export.md");
        write_whole(&path, b"a longer text").expect("written");
        write_whole(&path, b"short").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "short");
        assert_eq!(names(folder.path()), ["export.md"]);
    }

    #[test]
    fn a_new_file_never_takes_the_place_of_another() {
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
    fn a_link_is_not_followed_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("canary"), "alive").expect("written");
        std::os::unix::fs::symlink(path("canary"), path("link")).expect("linked");
        std::os::unix::fs::symlink(path("nowhere"), path("dangling")).expect("linked");
        for write in [write_whole, write_new] {
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
        for write in [write_whole, write_new] {
            for name in ["folder", "pipe"] {
                assert!(write(&path(name), b"dead").is_err(), "{name}");
            }
        }
        assert_eq!(names(folder.path()), ["folder", "pipe"]);
    }

    #[test]
    fn a_folder_that_is_not_there_is_named_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = write_new(&folder.path().join("none/export.md"), b"x").expect_err("refused");
        assert_eq!(reason(&error), "the folder does not exist; create it, or choose another place");
    }
}
