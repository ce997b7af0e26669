//! The archive of exports: packed at the end from the files of a folder, in the order of the run.
//!
//! What must hold: the same files give the same archive; it is written atomically; it has plain file names only, and
//! only those are unpacked.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path};

use zip::ZipArchive;

use super::{MANIFEST, names_run};
use crate::files::zip_file::{NewArchive, plain};
use crate::files::{self, IfExists, persist};
use crate::runs::{Run, RunId};

/// Packs the files of a run and its manifest.
pub(super) fn pack(folder: &Path, run: &Run, manifest: &[u8], path: &Path, if_exists: IfExists) -> io::Result<()> {
    let mut archive = NewArchive::create(path)?;
    for saved in run.rows.iter().filter_map(|row| row.saved.as_deref()) {
        let file = folder.join(&saved.name);
        if !fs::symlink_metadata(&file).is_ok_and(|metadata| metadata.is_file() && metadata.len() == saved.bytes) {
            return Err(io::Error::other(format!("{:?} no longer exists; export it again", saved.name)));
        }
        archive.add(&saved.name, &mut File::open(&file)?)?;
    }
    archive.add(MANIFEST, &mut &*manifest)?;
    persist(archive.finish()?, path, if_exists)
}

/// Unpacks the files of an archive of the same run, to continue it; ignores other archives.
pub(super) fn unpack(path: &Path, run: RunId, folder: &Path) -> io::Result<()> {
    let Ok(mut archive) = ZipArchive::new(File::open(path)?) else { return Ok(()) };
    if !archive.by_name(MANIFEST).is_ok_and(|manifest| names_run(manifest, run)) {
        return Ok(());
    }
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).map_err(plain)?;
        let Some(name) = file.enclosed_name().filter(|name| is_plain(name)) else { continue };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        files::write_new(&folder.join(name), &bytes)?;
    }
    Ok(())
}

/// Whether a name is a single component, and not that of the manifest.
fn is_plain(name: &Path) -> bool {
    let mut components = name.components();
    matches!((components.next(), components.next()), (Some(Component::Normal(name)), None) if name != MANIFEST)
}
