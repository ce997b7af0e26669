//! Files and folders that are their user's alone, and no links. A folder that is there keeps the permissions it has.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder, and those above it, where they are not there.
pub(crate) fn folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Makes a file to write it anew. What has its name is deleted before, so that no link is followed.
pub(crate) fn replace(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    options().create_new(true).open(path)
}

/// Opens a file to read and write it as it is; makes it where it is not there. A link is refused.
pub(crate) fn keep(path: &Path) -> io::Result<File> {
    if path.is_symlink() {
        return Err(io::Error::other("it is a link, which is not followed"));
    }
    options().read(true).create(true).truncate(false).open(path)
}

/// The folder a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes what was done in a folder durable, as far as the system does that.
pub(crate) fn sync_folder(path: &Path) {
    // A rename is durable once the folder is; where folders cannot be synced, the system does it by itself.
    File::open(path).and_then(|folder| folder.sync_all()).ok();
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
