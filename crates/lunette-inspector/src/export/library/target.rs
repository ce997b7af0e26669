//! The target of an export: a folder, a zip file, or the single file of some formats.
//!
//! What must hold: existing files are replaced only where the user asked for it, once the new one is complete; only the owner can read what is written; until [`Target::finish`], everything has a name that begins with
//! `.lunette-`, and it is removed if the export does not finish.
//! Our choice: the files of a folder are not synced one by one, which would take minutes for many; an archive has
//! checksums to verify them.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::format::Format;
use crate::files::zip_file::NewArchive;
use crate::files::{IfExists, TempFile, UNFINISHED, folder_of, make_folder, make_new_folder, persist, private};

/// The target of an export.
pub(super) struct Target {
    path: PathBuf,
    if_exists: IfExists,
    kind: Kind,
}

enum Kind {
    Folder(TempFolder),
    Zip(NewArchive),
    File(TempFile),
}

/// A temporary folder that is removed with its content unless it is renamed.
pub(super) struct TempFolder(PathBuf);

impl TempFolder {
    /// Creates one beside this path.
    fn beside(path: &Path) -> io::Result<Self> {
        let folder = folder_of(path).join(format!("{UNFINISHED}{}", uuid::Uuid::new_v4()));
        make_new_folder(&folder)?;
        Ok(Self(folder))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        // If it cannot be removed, its name shows that it is incomplete.
        fs::remove_dir_all(&self.0).ok();
    }
}

impl Target {
    /// Starts writing to this path. Fails if it exists, unless it is an empty folder or a file to replace.
    pub fn create(path: &Path, format: Format, if_exists: IfExists) -> io::Result<Self> {
        // Removes a trailing slash.
        let path: PathBuf = path.components().collect();
        let is_zip = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("zip"));
        let is_file = is_zip || format.is_file(&path);
        let is_free = if is_file { is_free_file(&path, if_exists) } else { is_free_folder(&path) };
        if !is_free {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let kind = if is_zip {
            Kind::Zip(NewArchive::create(&path)?)
        } else if is_file {
            Kind::File(TempFile::beside(&path, "")?)
        } else {
            Kind::Folder(TempFolder::beside(&path)?)
        };
        Ok(Self { path, if_exists, kind })
    }

    /// Adds a file; the path uses `/` as separator, and its components are safe file names.
    pub fn add(&mut self, path: &str, content: &mut impl Read) -> io::Result<()> {
        match &mut self.kind {
            Kind::Folder(TempFolder(folder)) => {
                let path = folder.join(path.split('/').collect::<PathBuf>());
                make_folder(folder_of(&path))?;
                let mut file = private(File::options().write(true).create_new(true)).open(path)?;
                io::copy(content, &mut file).map(drop)
            }
            Kind::Zip(archive) => archive.add(path, content),
            Kind::File(file) => io::copy(content, file.file()).map(drop),
        }
    }

    /// Renames everything to its final name, and returns the path.
    pub fn finish(self) -> io::Result<PathBuf> {
        let Self { path, if_exists, kind } = self;
        match kind {
            Kind::Folder(folder) => {
                if !is_free_folder(&path) {
                    return Err(ErrorKind::AlreadyExists.into());
                }
                // Fails if it is no longer empty.
                if path.is_dir() {
                    fs::remove_dir(&path)?;
                }
                fs::rename(&folder.0, &path)?;
            }
            Kind::Zip(archive) => persist(archive.finish()?, &path, if_exists)?,
            Kind::File(file) => persist(file, &path, if_exists)?,
        }
        Ok(path)
    }

    /// Creates a temporary folder beside the target.
    pub fn folder(&self) -> io::Result<TempFolder> {
        TempFolder::beside(&self.path)
    }

    /// Creates a temporary file for data that is added at the end.
    pub fn spool(&self) -> io::Result<Spool> {
        let mut file = TempFile::beside(&self.path, "")?;
        let writer = io::BufWriter::new(file.file().try_clone()?);
        Ok(Spool { file, writer })
    }
}

/// Returns whether a path does not exist, or is a file that may be replaced.
fn is_free_file(path: &Path, if_exists: IfExists) -> bool {
    fs::symlink_metadata(path).map_or(true, |existing| existing.is_file() && if_exists == IfExists::Replace)
}

/// Returns whether a path does not exist, or may be replaced since it is an empty folder.
fn is_free_folder(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(existing) if existing.is_dir() => fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none()),
        Ok(_) => false,
        Err(_) => true,
    }
}

/// A temporary file for data that is not kept in memory.
pub(super) struct Spool {
    file: TempFile,
    writer: io::BufWriter<File>,
}

impl Spool {
    /// Returns the file, rewound to its start.
    pub fn rewound(&mut self) -> io::Result<&mut File> {
        self.writer.flush()?;
        let file = self.file.file();
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }
}

impl io::Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
