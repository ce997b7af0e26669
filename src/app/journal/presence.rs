//! Which windows of a data folder are open now: each holds a lock of its own for as long as it writes to a journal.
//!
//! What must hold: the lock goes with the program however it ends, so that a step of a program that is gone never reads
//! as in progress.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::app::db::lock::NamedLock;

/// Names a window, or any other program that writes to a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(in crate::app) struct WindowId(uuid::Uuid);

/// This window, as the others see it; dropped, it is gone.
#[derive(Debug)]
pub(super) struct Presence {
    pub id: WindowId,
    _lock: NamedLock,
}

impl WindowId {
    fn lock(self) -> String {
        format!("window-{}", self.0)
    }

    /// Whether its program still runs.
    pub fn is_open(self, data: &Path) -> bool {
        NamedLock::is_held(data, &self.lock())
    }
}

impl Presence {
    /// Makes this window known.
    pub fn announce(data: &Path) -> io::Result<Self> {
        NamedLock::remove_abandoned(data);
        loop {
            let id = WindowId(uuid::Uuid::new_v4());
            // Another window may be removing its file just now, as one that was left behind.
            if let Some(lock) = NamedLock::try_take(data, &id.lock())? {
                return Ok(Self { id, _lock: lock });
            }
        }
    }
}
