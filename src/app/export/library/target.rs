//! Where an export is written to: a folder, a zip file, or the one file that some formats are.
//!
//! What must hold: nothing that is there is replaced; until [`Target::finish`] everything is under a name that begins with
//! `.lunette-`, and it is removed if that is never reached.
//! Our choice: the files of a folder are not synced to the disk one by one, which would take minutes for many; an archive
//! has sums that tell whether they are whole.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::format::Format;
use crate::app::files::zip_file::{ZipFile, plain};
use crate::app::files::{TempFile, UNFINISHED, folder_of, make_new_folder};

/// Where an export is written to.
pub(super) struct Target {
    path: PathBuf,
    place: Place,
}

enum Place {
    Folder(UnfinishedFolder),
    Zip { file: TempFile, archive: Box<ZipWriter<ZipFile>> },
    File(TempFile),
}

/// A folder that is removed with all that is in it, unless it gets its name.
pub(super) struct UnfinishedFolder(PathBuf);

impl UnfinishedFolder {
    /// One beside this path.
    fn beside(path: &Path) -> io::Result<Self> {
        let folder = folder_of(path).join(format!("{UNFINISHED}{}", uuid::Uuid::new_v4()));
        make_new_folder(&folder)?;
        Ok(Self(folder))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for UnfinishedFolder {
    fn drop(&mut self) {
        // What cannot be removed has a name that says that it is not whole.
        fs::remove_dir_all(&self.0).ok();
    }
}

impl Target {
    /// Begins to write at this path, which must not be there; an empty folder may be.
    pub fn create(path: &Path, format: Format) -> io::Result<Self> {
        // `folder/` is the folder.
        let path: PathBuf = path.components().collect();
        let is_zip = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("zip"));
        let is_file = is_zip || format.is_file(&path);
        if !is_free(&path, is_file) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let place = if is_zip {
            let mut file = TempFile::beside(&path, "")?;
            let archive = Box::new(ZipWriter::new(ZipFile::new(file.file().try_clone()?)));
            Place::Zip { file, archive }
        } else if is_file {
            Place::File(TempFile::beside(&path, "")?)
        } else {
            Place::Folder(UnfinishedFolder::beside(&path)?)
        };
        Ok(Self { path, place })
    }

    /// Adds a file; the path has `/` between its parts, each of which is a safe name of a file.
    pub fn add(&mut self, path: &str, content: &mut impl Read) -> io::Result<()> {
        match &mut self.place {
            Place::Folder(UnfinishedFolder(folder)) => {
                let path = folder.join(path.split('/').collect::<PathBuf>());
                fs::create_dir_all(folder_of(&path))?;
                let mut file = File::create_new(path)?;
                io::copy(content, &mut file).map(drop)
            }
            Place::Zip { archive, .. } => {
                let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
                archive.start_file(path, options.unix_permissions(0o644)).map_err(plain)?;
                io::copy(content, archive).map(drop)
            }
            Place::File(file) => io::copy(content, file.file()).map(drop),
        }
    }

    /// Gives everything its name, and returns where it is.
    pub fn finish(self) -> io::Result<PathBuf> {
        let Self { path, place } = self;
        match place {
            Place::Folder(folder) => {
                if !is_free(&path, false) {
                    return Err(ErrorKind::AlreadyExists.into());
                }
                // Fails if anything was put into it meanwhile.
                if path.is_dir() {
                    fs::remove_dir(&path)?;
                }
                fs::rename(&folder.0, &path)?;
            }
            Place::Zip { file, archive } => {
                let mut written = archive.finish().map_err(plain)?;
                written.flush()?;
                if written.failed() {
                    return Err(io::Error::other("the archive is incomplete"));
                }
                file.persist_noclobber(&path)?;
            }
            Place::File(file) => file.persist_noclobber(&path)?,
        }
        Ok(path)
    }

    /// A folder for the same, removed once it is dropped.
    pub fn folder(&self) -> io::Result<UnfinishedFolder> {
        UnfinishedFolder::beside(&self.path)
    }

    /// A file for what is written on the way and added at the end; it is gone once it is dropped.
    pub fn spool(&self) -> io::Result<Spool> {
        let mut file = TempFile::beside(&self.path, "")?;
        let writer = io::BufWriter::new(file.file().try_clone()?);
        Ok(Spool { file, writer })
    }
}

/// Whether nothing is there but, for a folder, an empty one.
fn is_free(path: &Path, is_file: bool) -> bool {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_dir() && !is_file => fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none()),
        Ok(_) => false,
        Err(_) => true,
    }
}

/// A file for what is not in memory.
pub(super) struct Spool {
    file: TempFile,
    writer: io::BufWriter<File>,
}

impl Spool {
    /// The file, from its beginning.
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
