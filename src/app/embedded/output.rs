//! What background work about the built-in service returns, and what it changes.

use crate::app::App;
use crate::app::embedded::Backup;
use crate::app::embedded::ServiceStatus;
use std::path::PathBuf;

/// What a task about the built-in service ended with.
pub(in crate::app) enum Output {
    /// How the service inside stands.
    Status(ServiceStatus),
    /// Which backups there are.
    Backups(Result<Vec<Backup>, String>),
    BackedUp(Result<Backup, String>),
    /// Data of the service inside was exchanged; where what was there is kept.
    Restored(Result<Option<PathBuf>, String>),
}

impl App {
    /// Takes in what a task ended with.
    pub(in crate::app) fn handle_embedded(&mut self, output: Output) {
        match output {
            Output::Status(seen) => self.take_inside(seen),
            Output::Backups(found) => self.backups_found(found),
            Output::BackedUp(end) => self.backed_up(end),
            Output::Restored(end) => self.restored(end),
        }
    }
}
