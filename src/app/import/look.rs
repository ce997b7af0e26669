//! What is new or has changed in a folder, by the rules of an import.
//!
//! What must hold: nothing is written; hidden and ignored files are left out as an import leaves them out; a file that
//! was imported and has the same content is not found again.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use sha2::{Digest as _, Sha256};

use crate::app::db::source_items::SourceItem;
use crate::app::db::{Database, DatabaseError};
use crate::app::import::engine::{FileEntry, scan};
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
    /// A hash of its content.
    pub hash: String,
    /// Whether it was imported before, with another content.
    pub changed: bool,
}

/// The hashes of what was imported, by the paths below the folder.
pub type Known = HashMap<String, String>;

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
    (before != Some(&hash)).then(|| FoundFile { changed: before.is_some(), file, item, hash })
}

fn hash(path: &Path) -> io::Result<String> {
    let (mut file, mut hasher, mut part) = (File::open(path)?, Sha256::new(), vec![0; PART]);
    loop {
        match file.read(&mut part)? {
            0 => break,
            count => hasher.update(&part[..count]),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What was imported from a folder to the service of a connection. Blocks.
pub(in crate::app) fn known(data: &Path, connection: &str, folder: &Path) -> Result<Known, DatabaseError> {
    let items = Database::open(data)?.database.source_items(connection, &source(folder))?;
    Ok(items.into_iter().map(|SourceItem { item, hash, .. }| (item, hash)).collect())
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
        Some(SourceItem { item: item.clone(), asset, hash: hash.clone() })
    });
    let items: Vec<_> = items.collect();
    Database::open(data)?.database.keep_source_items(connection, &source(folder), &items)
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
        assert!(again[0].changed && again.len() == 1);
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
