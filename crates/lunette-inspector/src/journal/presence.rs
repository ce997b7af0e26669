//! The open windows of a data folder: each holds a lock as long as it writes to a journal.
//!
//! What must hold: the lock is released however the program ends, so that a step of an ended program is never read as
//! in progress.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::db::lock::NamedLock;

/// The id of a window, or of another program that writes to a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct WindowId(uuid::Uuid);

/// The presence of this window for other windows; it ends when this is dropped.
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
    /// Announces this window.
    pub fn announce(data: &Path) -> io::Result<Self> {
        NamedLock::remove_abandoned(data);
        loop {
            let id = WindowId(uuid::Uuid::new_v4());
            // Another window may be removing its file at this moment, as a leftover.
            if let Some(lock) = NamedLock::try_take(data, &id.lock())? {
                return Ok(Self { id, _lock: lock });
            }
        }
    }
}
