//! The turns of commands on a data folder that no service serves: one command after another.
//!
//! What must hold: while a command has the turn, no other command starts a service on the folder, uses the service of a
//! command, or stops its own. The system ends the turn of a program that ends in any way. Where a file cannot be locked
//! there are no turns, and the lock of the store alone keeps commands apart.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use lunette_storage::owner_only;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// The file in the data folder that is locked. It stays, and nothing is written to it.
const FILE: &str = "lunette.turn";
/// How long a command waits before it says so.
const QUIET: Duration = Duration::from_secs(2);

/// The turn of this program, until this is dropped.
#[derive(Debug)]
pub struct Turn {
    _locked: Option<File>,
}

impl Turn {
    /// Waits for the turn, as long as it takes. Creates the folder if it is missing. `notify` is called if it takes long.
    pub async fn take(folder: &Path, notify: impl FnOnce()) -> Self {
        let file = owner_only::create_folder(folder).and_then(|()| owner_only::open_shared(&folder.join(FILE)));
        Self { _locked: Self::lock(file.ok(), notify).await }
    }

    /// Takes a turn if commands have used the folder. Creates nothing where none has, and never fails, since commands must
    /// not keep a program from the folder.
    pub async fn take_existing(folder: &Path, notify: impl FnOnce()) -> Self {
        let path = folder.join(FILE);
        let file = path.is_file().then(|| owner_only::open_shared(&path).ok()).flatten();
        Self { _locked: Self::lock(file, notify).await }
    }

    async fn lock(file: Option<File>, notify: impl FnOnce()) -> Option<File> {
        let file = file?;
        match file.try_lock() {
            Ok(()) => return Some(file),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(_)) => return None,
        }
        // The system wakes those that wait in their order. A thread that nobody waits for any more releases the lock.
        let (locked, mut waiting) = oneshot::channel();
        let wait = move || locked.send(blocking_lock(&file).ok().map(|()| file)).map_err(drop);
        std::thread::Builder::new().spawn(wait).ok()?;
        let mut waiting = pin!(&mut waiting);
        let locked = match timeout(QUIET, &mut waiting).await {
            Ok(locked) => locked,
            Err(_) => {
                notify();
                waiting.await
            }
        };
        locked.ok().flatten()
    }
}

fn blocking_lock(file: &File) -> io::Result<()> {
    loop {
        match file.lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            locked => return locked,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_second_command_gets_the_turn_when_the_first_gives_it_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = Turn::take(folder.path(), || {}).await;
        let mut second = pin!(Turn::take(folder.path(), || {}));
        assert!(timeout(Duration::from_millis(20), &mut second).await.is_err(), "it waits");
        drop(first);
        assert!(second.await._locked.is_some());
    }

    #[tokio::test]
    async fn a_command_that_stops_waiting_does_not_keep_the_turn() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = Turn::take(folder.path(), || {}).await;
        assert!(timeout(Duration::from_millis(20), Turn::take(folder.path(), || {})).await.is_err(), "it waits");
        drop(first);
        assert!(Turn::take(folder.path(), || {}).await._locked.is_some());
    }

    #[tokio::test]
    async fn a_service_creates_nothing_to_wait_for_commands() {
        let around = tempfile::tempdir().expect("a folder");
        let missing = around.path().join("none");
        assert!(Turn::take_existing(&missing, || {}).await._locked.is_none());
        assert!(Turn::take_existing(around.path(), || {}).await._locked.is_none());
        assert!(!missing.exists() && !around.path().join(FILE).exists());
        drop(Turn::take(around.path(), || {}).await);
        assert!(Turn::take_existing(around.path(), || {}).await._locked.is_some());
    }
}
