//! Follows a folder through the system, and tells of its changes in batches.
//!
//! What must hold: a burst of changes is one batch; a folder that goes away is told and ends it; it ends when it is
//! dropped; it reads and writes nothing.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use notify::event::EventKind;
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::gather::{Gathered, Pauses};
use crate::import::detect::{Changes, MissingFolder};
use crate::tasks::{blocking, spawn_supervised};

/// What is told of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FolderEvent {
    /// These files may be new or changed; at first all of them.
    Changed(Changes),
    /// Watching it has stopped, with the reason.
    Ended(String),
}

/// A folder that is followed until this is dropped.
#[derive(Debug)]
pub struct Follower(AbortHandle);

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The changes that wait, and a wake for whoever waits for them.
#[derive(Debug, Default)]
struct Inbox {
    gathered: Mutex<Gathered>,
    changed: Notify,
}

/// Follows a folder from now on.
pub fn follow(
    runtime: &Handle,
    folder: PathBuf,
    pauses: Pauses,
    tell: impl Fn(FolderEvent) + Clone + Send + Sync + 'static,
) -> Follower {
    let report_panic = tell.clone();
    let work = async move {
        let inbox = Arc::new(Inbox::default());
        let (of, into) = (folder.clone(), Arc::clone(&inbox));
        // A large folder takes a while.
        let watcher = match blocking(move || watch(&of, into)).await {
            Ok(Ok(watcher)) => watcher,
            Ok(Err(error)) => return tell(FolderEvent::Ended(error.to_string())),
            Err(ended) => {
                let error = NotFollowed::System { folder, problem: ended.to_string() };
                return tell(FolderEvent::Ended(error.to_string()));
            }
        };
        tell(FolderEvent::Changed(Changes::All));
        loop {
            inbox.changed.notified().await;
            loop {
                let rest = inbox.gathered().rest(&pauses, Instant::now());
                match rest {
                    Some(rest) => tokio::time::sleep(rest).await,
                    None => break,
                }
            }
            let Some(changes) = inbox.take() else { continue };
            if !folder.is_dir() {
                drop(watcher);
                return tell(FolderEvent::Ended(MissingFolder(folder).to_string()));
            }
            tell(FolderEvent::Changed(changes));
        }
    };
    Follower(spawn_supervised(runtime, work, move |panic| report_panic(FolderEvent::Ended(panic))))
}

/// Why a folder is not followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum NotFollowed {
    /// It does not exist.
    #[error(transparent)]
    Missing(#[from] MissingFolder),
    /// The system does not tell of its changes, and why.
    #[error("cannot watch {}: {problem}", folder.display())]
    System { folder: PathBuf, problem: String },
}

/// Asks the system to tell of changes. Blocks.
fn watch(folder: &Path, inbox: Arc<Inbox>) -> Result<RecommendedWatcher, NotFollowed> {
    if !folder.is_dir() {
        return Err(MissingFolder(folder.to_owned()).into());
    }
    let failed = |problem: String| NotFollowed::System { folder: folder.to_owned(), problem };
    // The system names files by where they are, whatever link leads there.
    let real = folder.canonicalize().map_err(|error| failed(error.to_string()))?;
    let (below, named) = (real.clone(), folder.to_owned());
    let take_in = move |event| {
        inbox.take_in(event, |path| path.strip_prefix(&below).map_or_else(|_| path.clone(), |rest| named.join(rest)));
    };
    let mut watcher = notify::recommended_watcher(take_in).map_err(|error| failed(error.to_string()))?;
    watcher.watch(&real, RecursiveMode::Recursive).map_err(|error| failed(error.to_string()))?;
    Ok(watcher)
}

impl Inbox {
    /// What is only read has not changed.
    fn take_in(&self, event: notify::Result<notify::Event>, named: impl Fn(&PathBuf) -> PathBuf) {
        let now = Instant::now();
        match event {
            Ok(event) if matches!(event.kind, EventKind::Access(_)) => return,
            Ok(event) if event.need_rescan() || event.paths.is_empty() => self.gathered().note_all(now),
            Ok(event) => event.paths.iter().for_each(|path| self.gathered().note(named(path), now)),
            // The system could not tell everything.
            Err(_) => self.gathered().note_all(now),
        }
        self.changed.notify_one();
    }

    fn take(&self) -> Option<Changes> {
        self.gathered().take()
    }

    fn gathered(&self) -> MutexGuard<'_, Gathered> {
        // Nothing panics half-way through a change.
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::Duration;

    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

    use super::*;

    const PAUSES: Pauses = Pauses { quiet: Duration::from_millis(500), longest: Duration::from_secs(60) };

    fn followed(folder: &Path) -> (Follower, UnboundedReceiver<FolderEvent>) {
        let (send, receive) = unbounded_channel();
        let follower = follow(&Handle::current(), folder.to_owned(), PAUSES, move |event| drop(send.send(event)));
        (follower, receive)
    }

    #[tokio::test]
    async fn a_burst_of_many_files_is_one_batch() {
        let folder = tempfile::tempdir().expect("a folder");
        let (_follower, mut event) = followed(folder.path());
        assert_eq!(event.recv().await, Some(FolderEvent::Changed(Changes::All)));
        // The runtime of this test has one thread, so that nothing is told before all are written.
        for number in 0..10_000 {
            fs::write(folder.path().join(format!("{number}.txt")), "text").expect("written");
        }
        let Some(FolderEvent::Changed(changes)) = event.recv().await else { panic!("no batch") };
        assert!((0..10_000).all(|number| changes.affect(&folder.path().join(format!("{number}.txt")))));
        assert!(event.try_recv().is_err(), "one batch");
    }

    #[tokio::test]
    async fn a_removed_folder_is_reported_and_ends_watching() {
        let below = tempfile::tempdir().expect("a folder");
        let folder = below.path().join("watched");
        fs::create_dir(&folder).expect("made");
        fs::write(folder.join("a.txt"), "text").expect("written");
        let (_follower, mut event) = followed(&folder);
        assert_eq!(event.recv().await, Some(FolderEvent::Changed(Changes::All)));
        fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(event.recv().await, Some(FolderEvent::Ended(MissingFolder(folder).to_string())));
        assert_eq!(event.recv().await, None);
    }

    #[tokio::test]
    async fn a_missing_folder_is_reported_at_once() {
        let below = tempfile::tempdir().expect("a folder");
        let (_follower, mut event) = followed(&below.path().join("missing"));
        assert!(matches!(event.recv().await, Some(FolderEvent::Ended(_))));
    }
}
