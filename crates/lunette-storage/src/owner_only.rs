//! Files and folders that only their owner can read, and that are not links.
//!
//! What must hold: created files and folders have mode 0600 or 0700, whatever the umask; existing ones keep their mode.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates a folder and its parents if they do not exist.
pub fn create_folder(path: &Path) -> io::Result<()> {
    folder_builder().recursive(true).create(path)
}

/// Creates a folder. Fails if the path exists.
pub fn create_new_folder(path: &Path) -> io::Result<()> {
    folder_builder().create(path)
}

fn folder_builder() -> DirBuilder {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Makes these options create an owner-only file (mode 0600).
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Creates an empty file for writing. An existing file is deleted first, so that no link is followed.
pub fn replace(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    options().create_new(true).open(path)
}

/// Opens a file for writing in place, or creates it. Fails for links of either kind and for anything but a regular
/// file, since it could belong to another program.
pub fn open(path: &Path) -> io::Result<File> {
    let file = open_shared(path)?;
    if has_other_names(&file)? {
        return Err(io::Error::other("it is a hard link"));
    }
    Ok(file)
}

/// Opens a file like [`open`], but also one with other names. It must not be written to unless [`has_other_names`]
/// returns false.
pub fn open_shared(path: &Path) -> io::Result<File> {
    if path.is_symlink() {
        return Err(io::Error::other("it is a symbolic link"));
    }
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is not a regular file"));
    }
    options().read(true).create(true).truncate(false).open(path)
}

/// Returns whether an open file has another name (a hard link).
#[cfg(unix)]
pub fn has_other_names(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 1)
}

/// Returns whether an open file has another name (a hard link).
#[cfg(windows)]
pub fn has_other_names(file: &File) -> io::Result<bool> {
    Ok(winapi_util::file::information(file)?.number_of_links() > 1)
}

/// Returns whether this path still refers to the opened file.
#[cfg(unix)]
pub fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let (open, named) = (file.metadata()?, fs::symlink_metadata(path)?);
    Ok((open.dev(), open.ino()) == (named.dev(), named.ino()))
}

/// Returns whether this path still refers to the opened file. A file opened by the standard library can be renamed and
/// deleted by other programs.
#[cfg(windows)]
pub fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    // Opens the link itself, not its target.
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    let mut options = OpenOptions::new();
    std::os::windows::fs::OpenOptionsExt::custom_flags(options.read(true), FILE_FLAG_OPEN_REPARSE_POINT);
    let identity = |file: &File| {
        winapi_util::file::information(file).map(|found| (found.volume_serial_number(), found.file_index()))
    };
    Ok(identity(file)? == identity(&options.open(path)?)?)
}

/// Returns who besides its owner may write into a folder, as text; `None` if nobody may.
#[cfg(unix)]
pub fn other_writers(folder: &Path) -> Option<&'static str> {
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(folder).ok()?.permissions());
    match mode {
        _ if mode & 0o002 != 0 => Some("every user of this machine"),
        _ if mode & 0o020 != 0 => Some("its group"),
        _ => None,
    }
}

/// Returns who besides its owner may write into a folder. Unknown on this system, where a folder inherits the access
/// list of its parent; folders of the user are private.
#[cfg(not(unix))]
pub fn other_writers(_folder: &Path) -> Option<&'static str> {
    None
}

/// Returns the folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the entries of a folder to disk. Does nothing on Windows and on file systems without such a call, or if the
/// folder cannot be opened.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error)
            if !matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied
            ) =>
        {
            Err(error)
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    private(options.write(true));
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_mode_of_a_folder_shows_who_else_may_write() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        for (mode, who) in [
            (0o700, None),
            (0o755, None),
            (0o770, Some("its group")),
            (0o777, Some("every user of this machine")),
            (0o1702, Some("every user of this machine")),
        ] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).expect("permissions");
            assert_eq!(other_writers(folder.path()), who, "{mode:o}");
        }
    }

    #[test]
    fn a_file_with_another_name_is_opened_read_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        fs::write(&one, "text").and_then(|()| fs::hard_link(&one, &other)).expect("made");
        assert!(open(&one).is_err());
        assert!(has_other_names(&open_shared(&one).expect("opened")).expect("known"));
        fs::remove_file(&other).expect("removed");
        assert!(open(&one).is_ok());
        assert_eq!(fs::read_to_string(&one).expect("text"), "text");
    }

    #[test]
    fn a_path_identifies_an_open_file_until_it_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lock");
        let file = open_shared(&path).expect("opened");
        assert!(is_named(&file, &path).expect("known"));
        fs::rename(&path, folder.path().join("moved")).expect("renamed");
        assert!(is_named(&file, &path).is_err(), "nothing has that name");
        fs::write(&path, "another").expect("written");
        assert!(!is_named(&file, &path).expect("known"));
    }
}
