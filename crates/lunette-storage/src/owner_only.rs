//! Files and folders that only their owner can read, and that are no links.
//!
//! What must hold: what is created here has mode 0600 or 0700, whatever the umask says; what exists keeps its mode.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Creates a folder, and those above it, where they do not exist.
pub fn create_folder(path: &Path) -> io::Result<()> {
    folder_builder().recursive(true).create(path)
}

/// Creates a folder. Fails where something has its name already.
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

/// Lets these options create a file that is the user's alone (mode 0600).
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Makes a file to write it anew. What has its name is deleted before, so that no link is followed.
pub fn replace(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    options().create_new(true).open(path)
}

/// Opens a file to write it in place; makes it where it is not there. Fails for a link of either kind and for anything
/// that is no regular file: what is written could be another program's.
pub fn open(path: &Path) -> io::Result<File> {
    let file = open_shared(path)?;
    if has_other_names(&file)? {
        return Err(io::Error::other("it is a hard link"));
    }
    Ok(file)
}

/// Opens a file as [`open`] does, but also one that has other names. Nothing may be written to it before
/// [`has_other_names`] says that there are none.
pub fn open_shared(path: &Path) -> io::Result<File> {
    if path.is_symlink() {
        return Err(io::Error::other("it is a symbolic link"));
    }
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is not a regular file"));
    }
    options().read(true).create(true).truncate(false).open(path)
}

/// Whether an open file has another name beside the one it was opened by (a hard link).
#[cfg(unix)]
pub fn has_other_names(file: &File) -> io::Result<bool> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 1)
}

/// Whether an open file has another name beside the one it was opened by (a hard link).
#[cfg(windows)]
pub fn has_other_names(file: &File) -> io::Result<bool> {
    Ok(winapi_util::file::information(file)?.number_of_links() > 1)
}

/// Whether this path still names the file that was opened by it.
#[cfg(unix)]
pub fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let (open, named) = (file.metadata()?, fs::symlink_metadata(path)?);
    Ok((open.dev(), open.ino()) == (named.dev(), named.ino()))
}

/// Whether this path still names the file that was opened by it. A file that is opened as the standard library does it
/// can be renamed and deleted by others.
#[cfg(windows)]
pub fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    // The link itself is opened, not the file that it leads to.
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    let mut options = OpenOptions::new();
    std::os::windows::fs::OpenOptionsExt::custom_flags(options.read(true), FILE_FLAG_OPEN_REPARSE_POINT);
    let identity = |file: &File| {
        winapi_util::file::information(file).map(|found| (found.volume_serial_number(), found.file_index()))
    };
    Ok(identity(file)? == identity(&options.open(path)?)?)
}

/// Who beside its owner may write into a folder, in words; None where nobody may.
#[cfg(unix)]
pub fn other_writers(folder: &Path) -> Option<&'static str> {
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(folder).ok()?.permissions());
    match mode {
        _ if mode & 0o002 != 0 => Some("every user of this machine"),
        _ if mode & 0o020 != 0 => Some("its group"),
        _ => None,
    }
}

/// Who beside its owner may write into a folder. Not known on this system, where a folder has the access list of the one
/// above it: the user's own folders are the user's alone.
#[cfg(not(unix))]
pub fn other_writers(_folder: &Path) -> Option<&'static str> {
    None
}

/// The folder a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Brings the names in a folder to the disk. Windows has no such call and not every file system does; there, and where the
/// folder cannot be opened, this does nothing.
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
    fn the_mode_of_a_folder_tells_who_else_may_write() {
        use std::os::unix::fs::PermissionsExt as _;
        let place = tempfile::tempdir().expect("a folder");
        for (mode, who) in [
            (0o700, None),
            (0o755, None),
            (0o770, Some("its group")),
            (0o777, Some("every user of this machine")),
            (0o1702, Some("every user of this machine")),
        ] {
            fs::set_permissions(place.path(), fs::Permissions::from_mode(mode)).expect("permissions");
            assert_eq!(other_writers(place.path()), who, "{mode:o}");
        }
    }

    #[test]
    fn a_file_with_another_name_is_opened_read_only() {
        let place = tempfile::tempdir().expect("a folder");
        let (one, other) = (place.path().join("one"), place.path().join("other"));
        fs::write(&one, "text").and_then(|()| fs::hard_link(&one, &other)).expect("made");
        assert!(open(&one).is_err());
        assert!(has_other_names(&open_shared(&one).expect("opened")).expect("known"));
        fs::remove_file(&other).expect("removed");
        assert!(open(&one).is_ok());
        assert_eq!(fs::read_to_string(&one).expect("text"), "text");
    }

    #[test]
    fn a_path_identifies_an_open_file_until_it_is_replaced() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("lock");
        let file = open_shared(&path).expect("opened");
        assert!(is_named(&file, &path).expect("known"));
        fs::rename(&path, place.path().join("moved")).expect("renamed");
        assert!(is_named(&file, &path).is_err(), "nothing has that name");
        fs::write(&path, "another").expect("written");
        assert!(!is_named(&file, &path).expect("known"));
    }
}
