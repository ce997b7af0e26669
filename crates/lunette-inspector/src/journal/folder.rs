//! The folder of one connection, with the copies of its deleted assets.
//!
//! What must hold: two connections never share a folder; it is owner-only, and not a link.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use lunette_storage::{atomic, owner_only};
use sha2::{Digest as _, Sha256};

use crate::journal::JournalError;

/// The folder of one connection.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// The folder of this connection below another, created if it does not exist. A file in it names the connection.
    pub fn open(below: &Path, connection: &str) -> Result<Self, JournalError> {
        let path = below.join(folder_name(connection));
        let failed = |error| JournalError::of("cannot create the history folder", &error, &path);
        make(&path).map_err(failed)?;
        let folder = Self(path);
        folder.mark(connection)?;
        Ok(folder)
    }

    /// The path of an entry in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes the file that names the connection; fails if the folder belongs to another one.
    fn mark(&self, connection: &str) -> Result<(), JournalError> {
        let failed = |error| JournalError::of("cannot use the history folder", &error, &self.0);
        let text = serde_json::json!({ "connection": connection }).to_string();
        let known = match fs::read(self.path(MARK)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            known => known.ok(),
        };
        let owner = known.and_then(|text| serde_json::from_slice::<serde_json::Value>(&text).ok());
        match owner.as_ref().and_then(|owner| owner.get("connection")?.as_str()) {
            Some(owner) if owner == connection => Ok(()),
            Some(owner) => Err(JournalError(format!(
                "the history folder belongs to {owner:?}; move it away: {}",
                self.0.display()
            ))),
            None => atomic::write(&self.path(MARK), text.as_bytes()).map_err(failed),
        }
    }
}

/// The file that names the connection.
const MARK: &str = "connection.json";

/// How many characters of a connection's name are in the name of its folder.
const NAME_SHOWN: usize = 40;

/// A name for a connection's folder that is valid on every platform and unique.
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
    name.push_str(&crate::files::hex(&digest[..8]));
    name
}

fn make(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => return Err(io::Error::other("a link or not a folder")),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Err(_) => {}
    }
    owner_only::create_folder(path)?;
    owner_only::sync_folder(owner_only::folder_of(path))
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
    fn a_folder_records_its_owner_and_refuses_another() {
        let below = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(below.path(), "embedded").expect("a folder");
        Folder::open(below.path(), "embedded").expect("the same again");
        fs::write(folder.path(MARK), r#"{"connection":"http://a:1"}"#).expect("written");
        let refused = Folder::open(below.path(), "embedded").expect_err("another's");
        assert!(refused.to_string().contains("belongs to \"http://a:1\""), "{refused}");
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_owner_only_and_links_are_not_followed() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let below = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(below.path(), "embedded").expect("a folder");
        let mode = |path: PathBuf| fs::metadata(path).expect("metadata").permissions().mode() & 0o777;
        assert_eq!((mode(folder.path("")), mode(folder.path(MARK))), (0o700, 0o600));
        symlink(folder.path(""), below.path().join(folder_name("http://a:1"))).expect("a link");
        assert!(Folder::open(below.path(), "http://a:1").is_err());
    }
}
