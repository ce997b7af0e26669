//! Where the service of a data folder listens, told in the folder itself, so that a second window joins exactly that one.
//!
//! What must hold: the file is written whole or not at all, once the service answers; it goes when the service stops. One
//! that was left behind by a crash says nothing: whoever reads it asks the health for the id of the folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use lunette_storage::atomic;

/// The file's name in the data folder.
const FILE: &str = "lunette.address";
/// The most bytes of it that are read: it is one short line.
const MAX_BYTES: u64 = 4096;

/// Where a service listens, and whose data it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listening {
    /// The port, on 127.0.0.1 and ::1.
    pub port: u16,
    /// The process.
    pub pid: u32,
    /// The id of the data folder, which the service's health tells behind `ok:`.
    pub folder: String,
}

impl Listening {
    /// What is told in a data folder; None where nothing is, or nothing that can be read.
    pub fn read(folder: &Path) -> Option<Self> {
        let path = folder.join(FILE);
        if fs::metadata(&path).ok()?.len() > MAX_BYTES {
            return None;
        }
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// Its address, by number: `localhost` may be somebody else's on ::1.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        atomic::write(&folder.join(FILE), serde_json::to_string(self)?.as_bytes())
    }
}

/// The address of a running service in its data folder, until this is dropped.
pub(super) struct AddressFile {
    folder: PathBuf,
    listening: Listening,
}

impl AddressFile {
    /// Tells it. A folder that takes no file more serves all the same; only a second window cannot join.
    pub(super) fn publish(folder: &Path, port: u16, id: &str) -> Self {
        let listening = Listening { port, pid: std::process::id(), folder: id.to_owned() };
        if let Err(problem) = listening.write(folder) {
            tracing::warn!(%problem, "could not write the address to the data folder; other windows cannot use this \
                                      service");
        }
        Self { folder: folder.to_owned(), listening }
    }
}

impl Drop for AddressFile {
    fn drop(&mut self) {
        // What another program put there is not ours to take away.
        if Listening::read(&self.folder).as_ref() == Some(&self.listening) {
            fs::remove_file(self.folder.join(FILE)).ok(); // Left behind, it is known as old by the health.
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_there_while_the_service_runs_and_no_longer() {
        let folder = tempfile::tempdir().expect("a folder");
        let address_file = AddressFile::publish(folder.path(), 39_300, "an id");
        let read = Listening::read(folder.path()).expect("told");
        assert_eq!(
            (read.url().as_str(), read.pid, read.folder.as_str()),
            ("http://127.0.0.1:39300", std::process::id(), "an id")
        );
        drop(address_file);
        assert_eq!(Listening::read(folder.path()), None);
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
    }

    #[test]
    fn what_another_one_told_meanwhile_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = AddressFile::publish(folder.path(), 1, "an id");
        let second = AddressFile::publish(folder.path(), 2, "an id");
        drop(first);
        assert_eq!(Listening::read(folder.path()).map(|read| read.port), Some(2));
        drop(second);
    }

    #[test]
    fn what_cannot_be_read_says_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        for text in ["", "39300", "{\"port\": 70000}", &"x".repeat(10_000)] {
            fs::write(folder.path().join(FILE), text).expect("written");
            assert_eq!(Listening::read(folder.path()), None, "{text:.20}");
        }
    }
}
