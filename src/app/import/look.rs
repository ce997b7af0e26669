//! What is new or has changed in a folder, by the rules of an import.
//!
//! What must hold: nothing is written; hidden and ignored files are left out as an import leaves them out; a file that
//! was imported and has the same content is not found again.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use sha2::{Digest as _, Sha256};

use crate::app::db::source_items::SourceItem;
use crate::app::db::{Database, DatabaseError};
use crate::app::import::engine::{FileEntry, content_of, scan};
use lunette_client::model::id::AssetId;

/// So many paths of a batch are kept. Our choice: to look at everything costs less than more.
pub const MOST_PATHS: usize = 10_000;

/// What has changed in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changes {
    /// These paths, and what is below them.
    Paths(BTreeSet<PathBuf>),
    /// Perhaps everything.
    All,
}

impl Changes {
    /// Whether a file may have changed.
    pub fn concern(&self, file: &Path) -> bool {
        match self {
            Self::All => true,
            Self::Paths(paths) => file.ancestors().any(|path| paths.contains(path)),
        }
    }

    /// Both.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Paths(mut paths), Self::Paths(others)) => {
                paths.extend(others);
                if paths.len() > MOST_PATHS { Self::All } else { Self::Paths(paths) }
            }
            _ => Self::All,
        }
    }
}

/// How much of a file is in memory at a time, in bytes.
const PART: usize = 64 * 1024;

/// A file that is new or has changed since it was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// The file.
    pub file: FileEntry,
    /// Its path below the folder.
    pub item: String,
    /// What is kept of its content.
    pub(super) hash: FileHash,
    /// The asset that it became when it was imported with another content, and what was kept then.
    pub(super) before: Option<(AssetId, FileHash)>,
    /// Why its asset is not updated; None where it is, or where there is none.
    pub doubt: Option<String>,
}

impl FoundFile {
    /// What would become of it, in a word.
    pub fn word(&self) -> &'static str {
        match (&self.before, &self.doubt) {
            (None, _) => "new",
            (Some(_), None) => "changed",
            (Some(_), Some(_)) => "doubtful",
        }
    }

    /// Whether it is clear what becomes of it.
    pub(in crate::app) fn is_certain(&self) -> bool {
        self.doubt.is_none()
    }

    /// The asset that it updates.
    pub(super) fn updates(&self) -> Option<&AssetId> {
        self.before.as_ref().filter(|_| self.doubt.is_none()).map(|(asset, _)| asset)
    }
}

/// What is kept of a file that was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHash {
    /// A hash of the bytes of the file.
    pub file: String,
    /// A hash of the content of its asset, which is the text of the file where it is one. Earlier versions did not keep
    /// it; it is that of the bytes unless the file has another encoding than UTF-8.
    pub asset: String,
}

impl FileHash {
    /// The hash of a file, which is read as a whole where it can become an asset. Blocks.
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

/// A hash of bytes.
pub(super) fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What was imported, by the paths below the folder.
pub type Known = HashMap<String, (AssetId, FileHash)>;

/// Finds what is new or has changed. Fails where the folder is not there. Blocks.
pub fn look(folder: &Path, changes: &Changes, known: &Known) -> Result<Vec<FoundFile>, String> {
    if !folder.is_dir() {
        return Err(gone(folder));
    }
    let scanned = scan(&[folder.to_owned()], &AtomicBool::new(false));
    let files = scanned.files.into_iter().filter(|file| changes.concern(&file.path));
    Ok(files.filter_map(|file| found(folder, file, known)).collect())
}

/// What is said of a folder that is not there.
pub fn gone(folder: &Path) -> String {
    format!("{} is not there any more; its assets stay as they are", folder.display())
}

/// None for a file that is as it was, and for one that cannot be read now: its next change is noticed.
fn found(folder: &Path, file: FileEntry, known: &Known) -> Option<FoundFile> {
    let below = file.path.strip_prefix(folder).ok()?;
    let parts = below.components().map(|part| part.as_os_str().to_string_lossy());
    let item = parts.collect::<Vec<_>>().join("/");
    let hash = hash(&file.path).ok()?;
    let before = known.get(&item);
    if before.is_some_and(|(_, kept)| kept.file == hash) {
        return None;
    }
    let hash = FileHash::of(&file.path, hash);
    Some(FoundFile { file, item, hash, before: before.cloned(), doubt: None })
}

fn hash(path: &Path) -> io::Result<String> {
    let (mut file, mut hasher, mut part) = (File::open(path)?, Sha256::new(), vec![0; PART]);
    loop {
        match file.read(&mut part)? {
            0 => break,
            count => hasher.update(&part[..count]),
        }
    }
    Ok(hex(&hasher.finalize()))
}

/// What was imported from a folder to the service of a connection. Blocks.
pub(in crate::app) fn known(data: &Path, connection: &str, folder: &Path) -> Result<Known, DatabaseError> {
    let items = Database::open(data)?.database.source_items(connection, &source(folder))?;
    let known = |SourceItem { item, asset, hash }| Some((item, (asset.parse().ok()?, FileHash::parse(&hash))));
    Ok(items.into_iter().filter_map(known).collect())
}

/// Keeps what was imported, for the next time. Blocks.
pub(in crate::app) fn keep(
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

/// Keeps that the assets of these files have their content. Blocks.
pub(in crate::app) fn keep_settled(
    data: &Path,
    connection: &str,
    folder: &Path,
    settled: &[FoundFile],
) -> Result<(), DatabaseError> {
    let assets = settled.iter().filter_map(|found| Some((found.file.path.clone(), found.updates()?.clone())));
    keep(data, connection, folder, settled, &assets.collect::<Vec<_>>())
}

/// The name of a folder as a source.
fn source(folder: &Path) -> String {
    format!("folder {}", folder.display())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_found_when_it_is_new_or_has_changed_and_not_when_it_is_the_same_or_ignored() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
        write("a.txt", "one");
        write(".hidden", "no");
        write(".gitignore", "*.log\n");
        write("b.log", "no");
        let found = look(folder.path(), &Changes::All, &Known::new()).expect("found");
        assert_eq!(found.iter().map(|found| found.item.as_str()).collect::<Vec<_>>(), ["a.txt"]);
        let imported = vec![(found[0].file.path.clone(), AssetId::random())];
        keep(data.path(), "embedded", folder.path(), &found, &imported).expect("kept");
        let known = known(data.path(), "embedded", folder.path()).expect("known");
        assert_eq!(look(folder.path(), &Changes::All, &known), Ok(Vec::new()));
        write("a.txt", "two");
        let again = look(folder.path(), &Changes::All, &known).expect("found");
        assert_eq!(again.iter().map(FoundFile::word).collect::<Vec<_>>(), ["changed"]);
        let elsewhere = Changes::Paths([folder.path().join("c.txt")].into());
        assert_eq!(look(folder.path(), &elsewhere, &known), Ok(Vec::new()));
    }

    #[test]
    fn a_folder_that_is_not_there_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("missing");
        let said = look(&missing, &Changes::All, &Known::new()).expect_err("it is not there");
        assert!(said.contains("missing") && said.contains("its assets stay"), "{said}");
    }

    #[test]
    fn changes_of_a_folder_concern_what_is_below_it() {
        let changes = Changes::Paths([PathBuf::from("/a/b")].into());
        let concerned = ["/a/b", "/a/b/c/d", "/a/bc", "/a"].map(|path| changes.concern(Path::new(path)));
        assert_eq!(concerned, [true, true, false, false]);
        assert_eq!(changes.clone().and(Changes::All), Changes::All);
        assert_eq!(changes.clone().and(changes.clone()), changes);
    }
}
