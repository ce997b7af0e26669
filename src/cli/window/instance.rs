//! One window per data folder: the first start opens it, a later one raises it and passes on its arguments.
//!
//! What must hold: a lock on a file of the folder, held while the program runs, determines the first instance, so a
//! crash leaves nothing in the way. It listens on this machine only, and accepts only messages with a token from a file
//! that only the user can read. A message is short, has a time limit, and can only ask to show something; files in it
//! are imported after the user confirmed that in the window. If the first instance does not answer, the later start
//! opens its own window, and says why.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

#[cfg(feature = "window")]
use lunette_inspector::files::write_whole;
use lunette_inspector::files::{json_path, make_folder, private};
use lunette_inspector::settings::Target;

mod ask;
#[cfg(feature = "window")]
mod listen;

#[cfg(all(test, feature = "window"))]
mod tests;

/// The file that the first instance locks.
const LOCK: &str = "window.lock";
/// The file with its address.
const ADDRESS: &str = "window.address";
/// Maximum size of that file, in bytes.
const MAX_ADDRESS: u64 = 1_024;
/// Maximum size of a message, in bytes.
#[cfg(feature = "window")]
const MAX_MESSAGE: u64 = 64 * 1_024;
/// How long to wait for the first instance; it may be starting.
pub(in crate::cli) const TIMEOUT: Duration = Duration::from_secs(8);
/// How often to check for it.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// What a later start asks of the first instance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchRequest {
    /// The requested service, if any.
    pub target: Option<Target>,
    /// A link, as typed.
    pub link: Option<String>,
    /// Absolute paths of files and folders.
    #[serde(with = "json_path::list")]
    pub paths: Vec<PathBuf>,
}

/// A request, and the token that proves that the user sent it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    word: String,
    /// Its name on the wire is that of earlier versions, whose windows may be open.
    #[serde(rename = "wish")]
    request: LaunchRequest,
}

/// The answer of the first instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Reply {
    Shown,
    Elsewhere,
    Refused,
}

/// The port of the first instance, and its token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ListenAddress {
    port: u16,
    word: String,
}

/// The result of a start.
#[derive(Debug)]
pub enum Start {
    /// It is the first: it opens the window, and holds this while it is open.
    FirstInstance(FirstInstance),
    /// The first instance shows what was requested; nothing is left to do.
    Shown,
    /// Another window is open and this one opens beside it; with a reason if the user should know it.
    Beside(Option<String>),
}

/// The lock of the first instance.
#[derive(Debug)]
pub struct FirstInstance {
    folder: PathBuf,
    /// Unlocked when it is dropped, and when the program ends in any way.
    _lock: File,
    published: Option<ListenAddress>,
}

/// Determines whether this start is the first on a folder; if not, passes its request to the first instance. Without a
/// request, another window is opened in any case. Takes up to `patience` if the first instance does not answer.
pub fn start(folder: &Path, request: Option<&LaunchRequest>, patience: Duration) -> io::Result<Start> {
    let end = Instant::now() + patience;
    loop {
        if let Some(first) = FirstInstance::take(folder)? {
            return Ok(Start::FirstInstance(first));
        }
        let Some(request) = request else { return Ok(Start::Beside(None)) };
        match ListenAddress::read(folder).map(|address| address.ask(request, end)) {
            Some(Ok(Reply::Shown)) => return Ok(Start::Shown),
            Some(Ok(Reply::Elsewhere)) => return Ok(Start::Beside(None)),
            Some(Ok(Reply::Refused)) => return Ok(Start::Beside(Some("it refused the request".to_owned()))),
            Some(Err(ask::AskError::Sent(problem))) => return Ok(Start::Beside(Some(problem))),
            // It may be starting or ending.
            Some(Err(ask::AskError::NotSent)) | None => {}
        }
        if Instant::now() > end {
            let problem = format!("it did not respond within {} s", patience.as_secs());
            return Ok(Start::Beside(Some(problem)));
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

impl FirstInstance {
    /// Locks a folder; `None` if another instance has it.
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
        // An address left by a crash leads nowhere, or to another program.
        match fs::remove_file(folder.join(ADDRESS)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        Ok(Some(Self { folder: folder.to_owned(), _lock: lock, published: None }))
    }
}

impl Drop for FirstInstance {
    fn drop(&mut self) {
        if self.published.is_some() {
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

    /// Writes the file atomically, readable only by the user.
    #[cfg(feature = "window")]
    fn write(&self, folder: &Path) -> io::Result<()> {
        write_whole(&folder.join(ADDRESS), serde_json::to_string(self)?.as_bytes())
    }
}
