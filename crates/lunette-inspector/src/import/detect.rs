//! Finds new and changed files in a folder, by the rules of an import.
//!
//! What must hold: nothing is written; hidden and ignored files are excluded as in an import; an imported file with
//! unchanged content is not found again.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use sha2::{Digest as _, Sha256};

use crate::db::source_items::SourceItem;
use crate::db::{Database, DatabaseError};
use crate::files::hex;
use crate::import::engine::{FileEntry, content_of, scan};
use lunette_client::model::id::AssetId;

/// The maximum number of paths in a batch. Our choice: beyond that, scanning everything is cheaper.
pub const MAX_PATHS: usize = 10_000;

/// What may have changed in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changes {
    /// These paths and everything below them.
    Paths(BTreeSet<PathBuf>),
    /// Anything may have changed.
    All,
}

impl Changes {
    /// Returns whether a file may have changed.
    pub fn affect(&self, file: &Path) -> bool {
        match self {
            Self::All => true,
            Self::Paths(paths) => file.ancestors().any(|path| paths.contains(path)),
        }
    }

    /// Combines both.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Paths(mut paths), Self::Paths(others)) => {
                paths.extend(others);
                if paths.len() > MAX_PATHS { Self::All } else { Self::Paths(paths) }
            }
            _ => Self::All,
        }
    }
}

/// The size of the read buffer, in bytes.
const CHUNK_SIZE: usize = 64 * 1024;

/// A file that is new or has changed since it was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// The file.
    pub file: FileEntry,
    /// Its path below the folder.
    pub item: String,
    /// The hash of its content.
    pub(super) hash: FileHash,
    /// The asset from its previous import with other content, and the hash recorded then.
    pub(super) before: Option<(AssetId, FileHash)>,
    /// Why its asset is not updated; `None` if it is, or if there is none.
    pub doubt: Option<String>,
}

impl FoundFile {
    /// Returns its status as a word.
    pub fn word(&self) -> &'static str {
        match (&self.before, &self.doubt) {
            (None, _) => "new",
            (Some(_), None) => "changed",
            (Some(_), Some(_)) => "doubtful",
        }
    }

    /// Returns whether it is not doubtful.
    pub(crate) fn is_certain(&self) -> bool {
        self.doubt.is_none()
    }

    /// Returns the asset that it updates.
    pub(super) fn updates(&self) -> Option<&AssetId> {
        self.before.as_ref().filter(|_| self.doubt.is_none()).map(|(asset, _)| asset)
    }
}

/// The recorded hashes of an imported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHash {
    /// The hash of the bytes of the file.
    pub file: String,
    /// The hash of the content of its asset, which is its decoded text if it is text. Earlier versions did not record
    /// it; it equals that of the bytes unless the encoding is not UTF-8.
    pub asset: String,
}

impl FileHash {
    /// Returns the hashes of a file; reads it whole if it can become an asset. Blocks.
    fn of(path: &Path, file: String) -> Self {
        let asset = match content_of(path) {
            Ok(Ok(text)) => digest(text.as_bytes()),
            Ok(Err(_)) | Err(_) => file.clone(),
        };
        Self { file, asset }
    }

    fn parse(kept: &str) -> Self {
        let (file, asset) = kept.split_once(' ').unwrap_or((kept, kept));
        Self { file: file.to_owned(), asset: asset.to_owned() }
    }
}

impl fmt::Display for FileHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.file, self.asset)
    }
}

/// Returns the hash of bytes.
pub(super) fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The imported files, by their path below the folder.
pub type ImportedFiles = HashMap<String, (AssetId, FileHash)>;

/// Finds new and changed files. Fails if the folder does not exist. Blocks.
pub fn find_changes(
    folder: &Path,
    changes: &Changes,
    load_imported: &ImportedFiles,
) -> Result<Vec<FoundFile>, MissingFolder> {
    if !folder.is_dir() {
        return Err(MissingFolder(folder.to_owned()));
    }
    let scanned = scan(&[folder.to_owned()], &AtomicBool::new(false));
    let files = scanned.files.into_iter().filter(|file| changes.affect(&file.path));
    Ok(files.filter_map(|file| found(folder, file, load_imported)).collect())
}

/// A folder that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} no longer exists; its assets are unchanged", .0.display())]
pub struct MissingFolder(pub PathBuf);

/// Returns `None` for an unchanged file, and for one that cannot be read now: its next change is detected.
fn found(folder: &Path, file: FileEntry, load_imported: &ImportedFiles) -> Option<FoundFile> {
    let below = file.path.strip_prefix(folder).ok()?;
    let parts = below.components().map(|part| part.as_os_str().to_string_lossy());
    let item = parts.collect::<Vec<_>>().join("/");
    let hash = hash(&file.path).ok()?;
    let before = load_imported.get(&item);
    if before.is_some_and(|(_, kept)| kept.file == hash) {
        return None;
    }
    let hash = FileHash::of(&file.path, hash);
    Some(FoundFile { file, item, hash, before: before.cloned(), doubt: None })
}

fn hash(path: &Path) -> io::Result<String> {
    let (mut file, mut hasher, mut part) = (File::open(path)?, Sha256::new(), vec![0; CHUNK_SIZE]);
    loop {
        match file.read(&mut part)? {
            0 => break,
            count => hasher.update(&part[..count]),
        }
    }
    Ok(hex(&hasher.finalize()))
}

/// Loads the imported files of a folder for a connection. Blocks.
pub(crate) fn load_imported(data: &Path, connection: &str, folder: &Path) -> Result<ImportedFiles, DatabaseError> {
    let items = Database::open(data)?.database.source_items(connection, &source(folder))?;
    let load_imported = |SourceItem { item, asset, hash }| Some((item, (asset.parse().ok()?, FileHash::parse(&hash))));
    Ok(items.into_iter().filter_map(load_imported).collect())
}

/// Records imported files. Blocks.
pub(crate) fn record_imported(
    data: &Path,
    connection: &str,
    folder: &Path,
    found: &[FoundFile],
    imported: &[(PathBuf, AssetId)],
) -> Result<(), DatabaseError> {
    let assets: HashMap<&Path, &AssetId> = imported.iter().map(|(path, asset)| (path.as_path(), asset)).collect();
    let items = found.iter().filter_map(|FoundFile { file, item, hash, .. }| {
        let asset = assets.get(file.path.as_path())?.as_str().to_owned();
        Some(SourceItem { item: item.clone(), asset, hash: hash.to_string() })
    });
    let items: Vec<_> = items.collect();
    Database::open(data)?.database.keep_source_items(connection, &source(folder), &items)
}

/// Records that the assets of these files are up to date. Blocks.
pub(crate) fn record_up_to_date(
    data: &Path,
    connection: &str,
    folder: &Path,
    up_to_date: &[FoundFile],
) -> Result<(), DatabaseError> {
    let assets = up_to_date.iter().filter_map(|found| Some((found.file.path.clone(), found.updates()?.clone())));
    record_imported(data, connection, folder, up_to_date, &assets.collect::<Vec<_>>())
}

/// Returns the source name of a folder.
fn source(folder: &Path) -> String {
    format!("folder {}", folder.display())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn new_and_changed_files_are_found_and_unchanged_and_ignored_ones_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
        write("a.txt", "one");
        write(".hidden", "no");
        write(".gitignore", "*.log\n");
        write("b.log", "no");
        let found = find_changes(folder.path(), &Changes::All, &ImportedFiles::new()).expect("found");
        assert_eq!(found.iter().map(|found| found.item.as_str()).collect::<Vec<_>>(), ["a.txt"]);
        let imported = vec![(found[0].file.path.clone(), AssetId::random())];
        record_imported(data.path(), "embedded", folder.path(), &found, &imported).expect("kept");
        let load_imported = load_imported(data.path(), "embedded", folder.path()).expect("known");
        assert_eq!(find_changes(folder.path(), &Changes::All, &load_imported), Ok(Vec::new()));
        write("a.txt", "two");
        let again = find_changes(folder.path(), &Changes::All, &load_imported).expect("found");
        assert_eq!(again.iter().map(FoundFile::word).collect::<Vec<_>>(), ["changed"]);
        let elsewhere = Changes::Paths([folder.path().join("c.txt")].into());
        assert_eq!(find_changes(folder.path(), &elsewhere, &load_imported), Ok(Vec::new()));
    }

    #[test]
    fn a_missing_folder_is_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("missing");
        let message =
            find_changes(&missing, &Changes::All, &ImportedFiles::new()).expect_err("it is not there").to_string();
        assert!(message.contains("missing") && message.contains("its assets are unchanged"), "{message}");
    }

    #[test]
    fn changes_of_a_folder_affect_everything_below_it() {
        let changes = Changes::Paths([PathBuf::from("/a/b")].into());
        let concerned = ["/a/b", "/a/b/c/d", "/a/bc", "/a"].map(|path| changes.affect(Path::new(path)));
        assert_eq!(concerned, [true, true, false, false]);
        assert_eq!(changes.clone().and(Changes::All), Changes::All);
        assert_eq!(changes.clone().and(changes.clone()), changes);
    }
}
