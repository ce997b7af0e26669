//! The address file of a data folder: where its service listens, so that a second window can connect to it.
//!
//! What must hold: the file is written atomically once the service is up, and removed when the service stops; it says
//! whether the service ends with the command that started it. A stale file after a crash is harmless: readers compare the
//! folder id with the one in the health response.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use lunette_storage::atomic;

/// The file's name in the data folder.
const FILE: &str = "lunette.address";
/// The most bytes of it that are read: it is one short line.
const MAX_BYTES: u64 = 4096;

/// The address of a running service and the id of its data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listening {
    /// The port, on 127.0.0.1 and ::1.
    pub port: u16,
    /// The process.
    pub pid: u32,
    /// The id of the data folder, which the service's health text has after `ok:`.
    pub folder: String,
    /// What runs it.
    #[serde(default)]
    pub lasts: Lasts,
}

/// How long a service runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lasts {
    /// Until it is stopped.
    #[default]
    UntilStopped,
    /// As long as the command that started it for itself.
    OneCommand,
}

impl Listening {
    /// Reads the address file of a data folder; None if it is missing or unreadable.
    pub fn read(folder: &Path) -> Option<Self> {
        let path = folder.join(FILE);
        if fs::metadata(&path).ok()?.len() > MAX_BYTES {
            return None;
        }
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// Its address, by number: another program may listen as `localhost` on ::1.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        atomic::write(&folder.join(FILE), serde_json::to_string(self)?.as_bytes())
    }
}

/// Keeps the address file in the data folder until it is dropped.
pub(crate) struct AddressFile {
    folder: PathBuf,
    listening: Listening,
}

impl AddressFile {
    /// Writes the file. On failure the service runs all the same; only a second window cannot find it.
    pub(crate) fn publish(folder: &Path, port: u16, id: &str, lasts: Lasts) -> Self {
        let listening = Listening { port, pid: std::process::id(), folder: id.to_owned(), lasts };
        if let Err(problem) = listening.write(folder) {
            tracing::warn!(%problem, "could not write the address to the data folder; other windows cannot use this \
                                      service");
        }
        Self { folder: folder.to_owned(), listening }
    }
}

impl Drop for AddressFile {
    fn drop(&mut self) {
        // Do not remove a file that another process has written meanwhile.
        if Listening::read(&self.folder).as_ref() == Some(&self.listening) {
            fs::remove_file(self.folder.join(FILE)).ok(); // A stale file is recognised by the health check.
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_exists_while_the_service_runs() {
        let folder = tempfile::tempdir().expect("a folder");
        let address_file = AddressFile::publish(folder.path(), 39_300, "an id", Lasts::UntilStopped);
        let read = Listening::read(folder.path()).expect("an address");
        assert_eq!(
            (read.url().as_str(), read.pid, read.folder.as_str()),
            ("http://127.0.0.1:39300", std::process::id(), "an id")
        );
        drop(address_file);
        assert_eq!(Listening::read(folder.path()), None);
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
    }

    #[test]
    fn a_file_of_another_process_is_not_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = AddressFile::publish(folder.path(), 1, "an id", Lasts::OneCommand);
        let second = AddressFile::publish(folder.path(), 2, "an id", Lasts::UntilStopped);
        drop(first);
        assert_eq!(Listening::read(folder.path()).map(|read| read.port), Some(2));
        drop(second);
    }

    #[test]
    fn a_file_of_an_earlier_version_is_that_of_a_service_that_is_not_of_one_command() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(FILE), r#"{"port":39300,"pid":1,"folder":"an id"}"#).expect("written");
        assert_eq!(Listening::read(folder.path()).map(|read| read.lasts), Some(Lasts::UntilStopped));
    }

    #[test]
    fn an_unreadable_file_is_ignored() {
        let folder = tempfile::tempdir().expect("a folder");
        for text in ["", "39300", "{\"port\": 70000}", &"x".repeat(10_000)] {
            fs::write(folder.path().join(FILE), text).expect("written");
            assert_eq!(Listening::read(folder.path()), None, "{text:.20}");
        }
    }
}
