//! The folder in which things of one connection are kept, and its files.
//!
//! What must hold: two connections never share a folder; a file is the user's own to read, and is never reached through a
//! link.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use lunette_storage::atomic;
use sha2::{Digest as _, Sha256};

use crate::app::files::sync_folder;
use crate::app::journal::JournalError;

/// The folder of one connection.
#[derive(Debug)]
pub(in crate::app) struct Folder(PathBuf);

/// Holds the folder's lock until it is dropped.
#[derive(Debug)]
pub(in crate::app) struct Locked(#[expect(dead_code, reason = "held, not used")] File);

impl Folder {
    /// The folder of this connection below another, made where it is not there. A file in it says whose it is.
    pub fn open(below: &Path, connection: &str) -> Result<Self, JournalError> {
        let path = below.join(folder_name(connection));
        let failed = |error| JournalError::of("cannot create the history folder", &error, &path);
        make(&path).map_err(failed)?;
        let folder = Self(path);
        folder.mark(connection)?;
        Ok(folder)
    }

    /// The path of something in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Waits until nobody else writes here. A file system without locks is used without.
    pub fn lock(&self) -> io::Result<Locked> {
        let (file, _) = self.file("lock")?;
        match file.lock() {
            Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
            Ok(()) | Err(_) => Ok(Locked(file)),
        }
    }

    /// Opens a file to read it and to add to it; true when it was made.
    pub fn file(&self, name: &str) -> io::Result<(File, bool)> {
        let path = self.path(name);
        match opened(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match made(&path) {
                // Somebody else made it meanwhile.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok((opened(&path)?, false)),
                made => Ok((made?, true)),
            },
            opened => Ok((opened?, false)),
        }
    }

    /// Makes a file that is not there yet.
    pub fn new_file(&self, name: &str) -> io::Result<File> {
        made(&self.path(name))
    }

    /// Reads a file; None when there is none.
    pub fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match opened(&self.path(name)) {
            Ok(mut file) => {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes)?;
                Ok(Some(bytes))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Says in a file whose folder this is; fails where it is another's.
    fn mark(&self, connection: &str) -> Result<(), JournalError> {
        let failed = |error| JournalError::of("cannot use the history folder", &error, &self.0);
        let text = serde_json::json!({ "connection": connection }).to_string();
        let known = self.read(MARK).map_err(failed)?;
        let owner = known.and_then(|text| serde_json::from_slice::<serde_json::Value>(&text).ok());
        match owner.as_ref().and_then(|owner| owner.get("connection")?.as_str()) {
            Some(owner) if owner == connection => Ok(()),
            Some(owner) => Err(JournalError(format!(
                "the history folder belongs to {owner:?}; move it away: {}",
                self.0.display()
            ))),
            None => {
                let _locked = self.lock().map_err(failed)?;
                atomic::write(&self.path(MARK), text.as_bytes()).map_err(failed)
            }
        }
    }
}

/// Says whose folder it is.
const MARK: &str = "connection.json";

/// How much of a connection's name its folder's name begins with.
const NAME_SHOWN: usize = 40;

/// A name for a connection's folder that is safe on every platform, and no other connection's.
fn folder_name(connection: &str) -> String {
    let mut name = String::new();
    for letter in connection.chars().take(NAME_SHOWN) {
        match letter.to_ascii_lowercase() {
            letter @ ('a'..='z' | '0'..='9') => name.push(letter),
            _ if name.is_empty() || name.ends_with('-') => {}
            '.' => name.push('.'),
            _ => name.push('-'),
        }
    }
    let digest = Sha256::digest(connection.as_bytes());
    if !name.is_empty() {
        name.push('-');
    }
    name.extend(digest.iter().take(8).map(|byte| format!("{byte:02x}")));
    name
}

fn make(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => return Err(io::Error::other("a link or not a folder")),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Err(_) => {}
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Opens a file that is there, and is no link.
fn opened(path: &Path) -> io::Result<File> {
    let found = fs::symlink_metadata(path)?;
    let file = match found.is_file() {
        true => OpenOptions::new().read(true).append(true).open(path)?,
        false => return Err(io::Error::other("a link or not a file")),
    };
    // Between the look and the opening a link may have taken its place.
    if same(&found, &file.metadata()?) { Ok(file) } else { Err(io::Error::other("it was replaced in the meantime")) }
}

#[cfg(unix)]
fn same(found: &fs::Metadata, opened: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (found.dev(), found.ino()) == (opened.dev(), opened.ino())
}

#[cfg(not(unix))]
fn same(_found: &fs::Metadata, opened: &fs::Metadata) -> bool {
    opened.is_file()
}

/// Makes a file, readable to the user alone; whatever is there already, a link as well, is not followed.
fn made(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_connections_never_share_a_folder() {
        let names: Vec<_> = ["http://a:1", "http://a/1", "http:--a-1", "HTTP://A:1", "../..", "", "embedded", "con"]
            .map(folder_name)
            .into();
        let mut unique = names.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), names.len());
        let safe = |name: &String| name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-.".contains(letter));
        assert!(names.iter().all(|name| safe(name) && !name.starts_with(['.', '-'])), "{names:?}");
        assert!(names[0].starts_with("http-a-1-"), "{names:?}");
    }

    #[test]
    fn a_folder_says_whose_it_is_and_refuses_another() {
        let below = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(below.path(), "embedded").expect("a folder");
        Folder::open(below.path(), "embedded").expect("the same again");
        fs::write(folder.path(MARK), r#"{"connection":"http://a:1"}"#).expect("written");
        let refused = Folder::open(below.path(), "embedded").expect_err("another's");
        assert!(refused.to_string().contains("belongs to \"http://a:1\""), "{refused}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_the_users_own_and_no_link_is_followed() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let below = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(below.path(), "embedded").expect("a folder");
        let (file, made) = folder.file("a").expect("a file");
        assert!(made);
        assert_eq!(file.metadata().expect("metadata").permissions().mode() & 0o777, 0o600);
        for target in ["a", "nowhere"] {
            symlink(folder.path(target), folder.path(&format!("to {target}"))).expect("a link");
            assert!(folder.file(&format!("to {target}")).is_err());
        }
        assert!(!folder.path("nowhere").exists());
    }
}
