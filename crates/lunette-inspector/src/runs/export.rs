//! Bulk exports to a folder or an archive, with a manifest of the result of each asset.
//!
//! What must hold: existing files are not overwritten, files are written atomically, and every name is valid on all
//! platforms and stays within the folder. After a crash the run continues: a file that exists with the same bytes is
//! not written twice. A full disk stops the run, and the manifest is still written.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::export::{Exported, secret_locations};
use crate::files::file_names::{FileNames, numbered};
use crate::files::{self, IfExists, TempFile, UNFINISHED, hex, reason};
use crate::runs::{ExportTarget, Run, RunId, RunRow, SavedFile};
use crate::tasks::blocking;
use crate::{CallError, Transport, export};
use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;

mod archive;

/// The name of the manifest in a folder or an archive.
const MANIFEST: &str = "manifest.json";

/// Bytes for each row that are reserved for the manifest, so that it can be written on a full disk.
const ROOM_A_ROW: usize = 512;

/// A file that could not be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct ExportFailure {
    /// Why, and what to do.
    pub reason: String,
    /// Whether the next file would fail as well, so that the run must stop.
    pub fatal: bool,
}

/// Why one export failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotExported {
    /// The call failed.
    #[error(transparent)]
    Call(#[from] CallError),
    /// It could not be saved.
    #[error(transparent)]
    File(#[from] ExportFailure),
}

/// The destination of the exports of a run. Its methods block.
#[derive(Debug)]
pub struct ExportSink {
    run: RunId,
    kind: ExportType,
    /// The folder of the files; for an archive, a folder beside it until it is packed.
    folder: PathBuf,
    /// The archive. If its file existed at the start, the user has confirmed to replace it.
    archive: Option<(PathBuf, IfExists)>,
    /// The names of the files of this run.
    names: Mutex<FileNames>,
    /// Reserves space for the manifest.
    room: Mutex<Option<TempFile>>,
}

impl ExportSink {
    /// Opens the destination of a run, and creates the folder if it does not exist. A resumed run finds its files, and
    /// their names stay reserved.
    pub fn open(target: &ExportTarget, kind: &ExportType, run: &Run) -> Result<Self, ExportFailure> {
        let opened = match target {
            ExportTarget::Folder(folder) => folder_at(folder).map(|folder| (folder, None)),
            ExportTarget::Zip(path) => staged(path, run.id),
        };
        let (folder, archive) = opened?;
        let room = room(&folder, run.id, run.rows.len()).map_err(|error| failure(&error, &folder))?;
        let mut names = FileNames::default();
        let saved = run.rows.iter().filter_map(|row| Some(row.saved.as_ref()?.name.as_str()));
        saved.chain([MANIFEST]).for_each(|name| names.reserve(name));
        Ok(Self {
            run: run.id,
            kind: kind.clone(),
            folder,
            archive,
            names: Mutex::new(names),
            room: Mutex::new(Some(room)),
        })
    }

    /// Saves a document under its own name, or with a number if the name is taken.
    pub fn save(&self, document: &Exported) -> Result<SavedFile, ExportFailure> {
        let sha256 = hex(&Sha256::digest(&document.bytes));
        loop {
            let name = self.names.lock().unwrap_or_else(PoisonError::into_inner).free(&document.file_name);
            let path = self.folder.join(&name);
            let written = match fs::symlink_metadata(&path) {
                Ok(_) if holds(&path, &document.bytes) => Ok(()),
                Ok(_) => continue,
                Err(_) => self.write_new(&path, &document.bytes),
            };
            match written {
                Ok(()) => return Ok(SavedFile { name, bytes: document.bytes.len() as u64, sha256 }),
                // Another process created it meanwhile.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failure(&error, &path)),
            }
        }
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = TempFile::beside(path, &mark(self.run))?;
        file.write_all(bytes)?;
        file.persist_noclobber(path)
    }

    /// Writes the manifest of a stopped run beside the files written so far.
    pub fn save_manifest(&self, run: &Run, service: &str) -> Result<(), ExportFailure> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner).take();
        let manifest = format!("{:#}\n", manifest(run, &self.kind, service));
        self.write_manifest(manifest.as_bytes()).map_err(|error| {
            let failure = failure(&error, &self.folder);
            let reason = format!("could not write the manifest: {}", failure.reason);
            ExportFailure { reason, ..failure }
        })
    }

    /// Writes the manifest, and packs the archive if one was chosen. Returns the path of the exports. Must be called
    /// after the last file was written, also if the run was cancelled.
    pub fn finish(&self, run: &Run, service: &str) -> Result<PathBuf, ExportFailure> {
        self.save_manifest(run, service)?;
        let Some((path, if_exists)) = &self.archive else { return Ok(self.folder.clone()) };
        let manifest = format!("{:#}\n", manifest(run, &self.kind, service));
        let packed = archive::pack(&self.folder, run, manifest.as_bytes(), path, *if_exists);
        packed.map_err(|error| ExportFailure {
            reason: format!(
                "could not write the archive: {}: {}. The exported files are in {}",
                reason(&error),
                path.display(),
                self.folder.display()
            ),
            fatal: true,
        })?;
        // The archive has all files; the folder is no longer needed.
        fs::remove_dir_all(&self.folder).ok();
        Ok(path.clone())
    }

    /// Saves it under its name, replacing an earlier one of this run, or with a number if the name is taken.
    fn write_manifest(&self, bytes: &[u8]) -> io::Result<()> {
        for count in 1.. {
            let path = self.folder.join(numbered(MANIFEST, count));
            let written = match fs::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_file() && of_run(&path, self.run) => files::write_whole(&path, bytes),
                Ok(_) => continue,
                Err(_) => self.write_new(&path, bytes),
            };
            match written {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                written => return written,
            }
        }
        Ok(())
    }
}

/// An export that was saved.
#[derive(Debug)]
pub struct SavedExport {
    /// The file.
    pub file: SavedFile,
    /// What looks like a secret in it, by location and rule; None where nothing does. It is written as it is.
    pub secrets: Option<String>,
}

/// Exports and saves an asset: one row of a run. The file is named after `name`.
pub async fn export_to<C: Transport>(
    caller: &C,
    sink: &Arc<ExportSink>,
    asset: &AssetId,
    name: &str,
) -> Result<SavedExport, NotExported> {
    let document = export::fetch(caller, asset, &sink.kind, name).await?;
    let found = (!document.secrets.is_empty()).then(|| secret_locations(&document.secrets));
    let sink = Arc::clone(sink);
    let file = blocking(move || sink.save(&document)).await.map_err(CallError::from)??;
    Ok(SavedExport { file, secrets: found.map(|locations| format!("looks like a secret: {locations}")) })
}

/// The full path of a folder to write to.
fn folder_at(folder: &Path) -> Result<PathBuf, ExportFailure> {
    let made = files::make_folder(folder).and_then(|()| fs::canonicalize(folder));
    made.map_err(|error| match fs::metadata(folder) {
        Ok(existing) if !existing.is_dir() => {
            fatal(format!("not a folder; choose a folder or another name: {}", folder.display()))
        }
        Ok(_) | Err(_) => failure(&error, folder),
    })
}

/// A folder beside an archive for its files until it is packed, with the files of an earlier archive of the same run.
fn staged(path: &Path, run: RunId) -> Result<(PathBuf, Option<(PathBuf, IfExists)>), ExportFailure> {
    let existing = fs::symlink_metadata(path).ok();
    if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
        let message = "the name is taken by a link, a folder or a device; choose another";
        return Err(fatal(format!("{message}: {}", path.display())));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folder = files::folder_of(path).join(format!("{name}.unfinished-{}", &run.0.to_string()[..8]));
    let begun = folder.is_dir();
    let folder = folder_at(&folder)?;
    if existing.is_some() && !begun {
        archive::unpack(path, run, &folder).map_err(|error| failure(&error, path))?;
    }
    let if_exists = if existing.is_some() { IfExists::Replace } else { IfExists::Refuse };
    Ok((folder, Some((path.to_owned(), if_exists))))
}

/// Reserves space in a folder for the manifest, and removes partial files left by a crash of this run.
fn room(folder: &Path, run: RunId, rows: usize) -> io::Result<TempFile> {
    let mark = mark(run);
    for entry in fs::read_dir(folder)?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(&format!("{UNFINISHED}{mark}")) {
            fs::remove_file(entry.path())?;
        }
    }
    let mut room = TempFile::beside(&folder.join(MANIFEST), &mark)?;
    room.write_all(&vec![b' '; (rows + 8) * ROOM_A_ROW])?;
    Ok(room)
}

fn mark(run: RunId) -> String {
    format!("{}-", run.0)
}

/// Whether a regular file has exactly these bytes.
fn holds(path: &Path, bytes: &[u8]) -> bool {
    let same_length =
        fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() == bytes.len() as u64);
    same_length && fs::read(path).is_ok_and(|existing| existing == bytes)
}

/// Whether a manifest belongs to this run.
fn of_run(path: &Path, run: RunId) -> bool {
    File::open(path).is_ok_and(|file| names_run(io::BufReader::new(file), run))
}

fn names_run(manifest: impl io::Read, run: RunId) -> bool {
    // No manifest of this program is larger.
    let manifest: Result<Value, _> = serde_json::from_reader(manifest.take(1 << 30));
    manifest.is_ok_and(|manifest| manifest.get("run").and_then(Value::as_str) == Some(run.0.to_string().as_str()))
}

/// The manifest: the run, and an entry for each asset in the order of the run.
fn manifest(run: &Run, kind: &ExportType, service: &str) -> Value {
    let line = |row: &RunRow| match row.saved.as_deref() {
        Some(SavedFile { name, bytes, sha256 }) => {
            json!({ "id": row.asset, "name": &*row.name, "file": name, "bytes": bytes, "sha256": sha256 })
        }
        None => {
            let why = row.status.reason().unwrap_or("not exported");
            json!({ "id": row.asset, "name": &*row.name, "failure": why })
        }
    };
    let exported = run.rows.iter().filter(|row| row.saved.is_some()).count();
    json!({
        "version": 1,
        "run": run.id,
        "title": run.title,
        "kind": kind,
        "time": run.at.to_string(),
        "service": service,
        "counts": { "exported": exported, "failed": run.rows.len() - exported },
        "assets": run.rows.iter().map(line).collect::<Vec<_>>(),
    })
}

fn fatal(reason: String) -> ExportFailure {
    ExportFailure { reason, fatal: true }
}

fn failure(error: &io::Error, path: &Path) -> ExportFailure {
    let only_this_one = matches!(error.kind(), ErrorKind::FileTooLarge | ErrorKind::InvalidFilename);
    ExportFailure { reason: format!("{}: {}", reason(error), path.display()), fatal: !only_this_one }
}

#[cfg(test)]
mod tests;
