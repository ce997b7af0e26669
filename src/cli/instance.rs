//! One window per data folder: the first start opens it, a later one brings it forward and hands over what it was given.
//!
//! What must hold: a lock on a file of the folder, held for life, says who the first is, so a crash leaves nothing that
//! could be in the way. The first listens on this machine only, and heeds only who knows a word that stands in a file
//! which nobody but the user can read. A message is short, may take a moment and no longer, and can ask for nothing but
//! to look at something; files in it are imported after the user said so in the window. A first window that does not
//! answer holds nobody up: the later start opens a window of its own, and says why.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::app::files::{make_folder, private};
use crate::app::state::Target;

mod ask;
#[cfg(feature = "window")]
mod listen;

#[cfg(all(test, feature = "window"))]
mod tests;

/// The file whose lock the first window holds.
const LOCK: &str = "window.lock";
/// The file that says where it listens.
const ADDRESS: &str = "window.address";
/// The most bytes of that file that are read.
const MAX_ADDRESS: u64 = 1_024;
/// The most bytes of a message.
#[cfg(feature = "window")]
const MAX_MESSAGE: u64 = 64 * 1_024;
/// How long a first window is waited for; it may just be opening.
pub(super) const TIMEOUT: Duration = Duration::from_secs(8);
/// How often it is looked for meanwhile.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// What a later start asks of the first window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchRequest {
    /// The service that was named, if one was.
    pub target: Option<Target>,
    /// A link, as it was typed.
    pub link: Option<String>,
    /// Files and folders, by their whole paths.
    pub paths: Vec<PathBuf>,
}

/// A wish, and the word that shows that the user sends it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    word: String,
    wish: LaunchRequest,
}

/// What the first window says to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Reply {
    Shown,
    Elsewhere,
    Refused,
}

/// Where the first window listens, and the word it heeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ListenAddress {
    port: u16,
    word: String,
}

/// How a start stands.
#[derive(Debug)]
pub enum Start {
    /// It is the first: it opens the window, and holds this for as long.
    FirstInstance(FirstInstance),
    /// The first window shows what was wanted; nothing is left to do.
    Shown,
    /// Another window is open and this one opens beside it; with the reason where the user should know it.
    Beside(Option<String>),
}

/// The first window's hold on its folder.
#[derive(Debug)]
pub struct FirstInstance {
    folder: PathBuf,
    /// Unlocked when it is dropped, and when the program ends in whatever way.
    _lock: File,
    told: Option<ListenAddress>,
}

/// Finds out whether this start is the first on a folder; where it is not, hands its wish to the first window. Without a
/// wish the window is to be another one, whatever is open. Takes as long as `patience` where the first does not answer.
pub fn start(folder: &Path, wish: Option<&LaunchRequest>, patience: Duration) -> io::Result<Start> {
    let end = Instant::now() + patience;
    loop {
        if let Some(first) = FirstInstance::take(folder)? {
            return Ok(Start::FirstInstance(first));
        }
        let Some(wish) = wish else { return Ok(Start::Beside(None)) };
        match ListenAddress::read(folder).map(|told| told.ask(wish, end)) {
            Some(Ok(Reply::Shown)) => return Ok(Start::Shown),
            Some(Ok(Reply::Elsewhere)) => return Ok(Start::Beside(None)),
            Some(Ok(Reply::Refused)) => return Ok(Start::Beside(Some("it refused the request".to_owned()))),
            Some(Err(ask::AskError::Sent(problem))) => return Ok(Start::Beside(Some(problem))),
            // It may just be opening, or closing.
            Some(Err(ask::AskError::NotSent)) | None => {}
        }
        if Instant::now() > end {
            let problem = format!("it did not answer within {} s", patience.as_secs());
            return Ok(Start::Beside(Some(problem)));
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

impl FirstInstance {
    /// Takes a folder; None where another window has it.
    fn take(folder: &Path) -> io::Result<Option<Self>> {
        // Whoever can open the file can hold its lock.
        make_folder(folder)?;
        let mut options = File::options();
        let options = private(options.read(true).write(true).create(true).truncate(false));
        let lock = options.open(folder.join(LOCK))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // What a crash left leads to nobody, or to somebody else.
        match fs::remove_file(folder.join(ADDRESS)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        Ok(Some(Self { folder: folder.to_owned(), _lock: lock, told: None }))
    }
}

impl Drop for FirstInstance {
    fn drop(&mut self) {
        if self.told.is_some() {
            fs::remove_file(self.folder.join(ADDRESS)).ok(); // Left behind, it is taken away by the next first.
        }
    }
}

impl ListenAddress {
    fn read(folder: &Path) -> Option<Self> {
        let path = folder.join(ADDRESS);
        if fs::metadata(&path).ok()?.len() > MAX_ADDRESS {
            return None;
        }
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    /// Writes it, whole or not at all, for the user's eyes only.
    #[cfg(feature = "window")]
    fn write(&self, folder: &Path) -> io::Result<()> {
        use std::io::Write as _;

        let path = folder.join(ADDRESS);
        // Only the holder of the lock writes here, so one name is enough.
        let unfinished = folder.join(format!("{ADDRESS}.new"));
        match fs::remove_file(&unfinished) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let mut options = File::options();
        let mut file = private(options.write(true).create_new(true)).open(&unfinished)?;
        file.write_all(serde_json::to_string(self)?.as_bytes())?;
        fs::rename(unfinished, path)
    }
}
