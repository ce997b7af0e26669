//! Files and folders that are their user's alone. What is there already keeps the permissions it has.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder, and those above it, where they are not there.
pub(crate) fn folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Opens a file to write it anew; makes it where it is not there.
pub(crate) fn replace(path: &Path) -> io::Result<File> {
    options().create(true).truncate(true).open(path)
}

/// Opens a file to read and write it as it is; makes it where it is not there.
pub(crate) fn keep(path: &Path) -> io::Result<File> {
    options().read(true).create(true).truncate(false).open(path)
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
