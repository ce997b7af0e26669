//! Backups of the service inside: made, listed, restored; and data that cannot be opened set aside.
//!
//! What must hold: nothing is restored or set aside before the user was told what happens to the files and said so;
//! nothing is deleted; afterwards it is said where what was there is kept, and the service starts again.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::tz::TimeZone;

use crate::app::App;
use crate::app::confirm::{Confirmation, ConfirmedAction};
use crate::app::embedded::{Backup, EmbeddedState, Ownership};
use crate::app::notifications::{Grade, Topic};
use crate::app::output::EmbeddedOutput;
use crate::app::output::TaskOutput;
use crate::app::session::Target;

impl Backup {
    /// When it was made, to the minute, in the time zone of this machine.
    pub fn day(&self) -> String {
        self.taken.to_zoned(TimeZone::system()).strftime("%-d %b %Y, %H:%M").to_string()
    }
}

impl EmbeddedState {
    /// Why this window can make and restore no backups; None where it can.
    pub fn obstacle(&self) -> Option<&'static str> {
        match self.seen.whose {
            _ if self.busy.is_some() => Some("A backup or restore is in progress"),
            Ownership::Own => None,
            Ownership::Another => {
                Some("The built-in service belongs to another window or to lunette serve. Back up and restore there")
            }
            Ownership::Nobody if self.seen.damaged => None,
            Ownership::Nobody => {
                Some("The built-in service is not running: it failed to start, or this window uses another service")
            }
        }
    }
}

impl App {
    /// Looks which backups there are.
    pub(in crate::app) fn look_for_backups(&mut self) {
        self.state.inside.backups.ask();
        let backups = self.runtime.setup.embed.backups();
        self.start(async move { TaskOutput::Embedded(EmbeddedOutput::Backups(backups.await)) }, |error| {
            TaskOutput::Embedded(EmbeddedOutput::Backups(Err(error.to_string())))
        });
    }

    /// Takes in which backups there are.
    pub(in crate::app) fn backups_found(&mut self, found: Result<Vec<Backup>, String>) {
        self.state.inside.backups.answer(found.map(Arc::new));
    }

    /// Makes a backup.
    pub(in crate::app) fn back_up(&mut self) {
        if let Some(obstacle) = self.state.inside.obstacle() {
            return self.notify_failed(Topic::Backup, format!("Backup failed: {obstacle}"), Vec::new());
        }
        self.state.inside.busy = Some("Backing up");
        let work = self.runtime.setup.embed.back_up();
        self.start(async move { TaskOutput::Embedded(EmbeddedOutput::BackedUp(work.await)) }, |error| {
            TaskOutput::Embedded(EmbeddedOutput::BackedUp(Err(error.to_string())))
        });
    }

    pub(in crate::app) fn backed_up(&mut self, end: Result<Backup, String>) {
        self.state.inside.busy = None;
        match end {
            Ok(backup) => {
                self.resolve(Topic::Backup);
                self.notify(Grade::Done, format!("Backed up: {}", backup.path.display()));
            }
            Err(problem) => self.notify_failed(Topic::Backup, format!("Backup failed: {problem}"), Vec::new()),
        }
        self.look_for_backups();
    }

    /// Asks whether a backup is to be restored.
    pub(in crate::app) fn ask_restore(&mut self, backup: &Backup) {
        let text = format!(
            "The built-in service stops, its data is replaced by the backup, and it starts again. Anything created \
             or changed since the backup is no longer shown. Nothing is deleted: the current data moves to a folder \
             next to it, and a message tells you where. Backup: {}",
            backup.path.display()
        );
        self.ask_first(Confirmation::here(
            format!("Restore the backup of {}?", backup.day()),
            text,
            "Restore",
            ConfirmedAction::Restore(backup.path.clone()),
        ));
    }

    /// Asks whether damaged data is to be set aside.
    pub(in crate::app) fn ask_begin_empty(&mut self) {
        let data = self.state.inside.seen.data.as_ref().map(|data| data.display().to_string()).unwrap_or_default();
        let text = format!(
            "The database in {data} cannot be opened. It moves to a folder next to it, and a message tells you \
             where. Nothing is deleted. Lunette then starts without assets."
        );
        self.ask_first(Confirmation::here(
            "Move the damaged data and start empty?".to_owned(),
            text,
            "Move and start empty",
            ConfirmedAction::BeginEmpty,
        ));
    }

    pub(in crate::app) fn restore_now(&mut self, backup: PathBuf) {
        if let Some(obstacle) = self.state.inside.obstacle() {
            return self.notify_failed(Topic::Restore, format!("Restore failed: {obstacle}"), Vec::new());
        }
        self.state.inside.busy = Some("Restoring a backup");
        let work = self.runtime.setup.embed.restore(backup);
        self.start(async move { TaskOutput::Embedded(EmbeddedOutput::Restored(work.await)) }, |error| {
            TaskOutput::Embedded(EmbeddedOutput::Restored(Err(error.to_string())))
        });
    }

    pub(in crate::app) fn begin_empty_now(&mut self) {
        self.state.inside.busy = Some("Moving the damaged data");
        let work = self.runtime.setup.embed.begin_empty();
        self.start(async move { TaskOutput::Embedded(EmbeddedOutput::Restored(work.await)) }, |error| {
            TaskOutput::Embedded(EmbeddedOutput::Restored(Err(error.to_string())))
        });
    }

    /// Data was exchanged, or not: the service starts with what is there now.
    pub(in crate::app) fn restored(&mut self, end: Result<Option<PathBuf>, String>) {
        let done = self.state.inside.busy.take();
        if end.is_ok() {
            self.resolve(Topic::Restore);
        }
        match end {
            Ok(Some(aside)) => {
                self.notify(Grade::Done, format!("Done. The previous data is in {}", aside.display()));
            }
            Ok(None) => self.notify(Grade::Done, "Done. There was no previous data to keep".to_owned()),
            Err(problem) => {
                let what = done.unwrap_or("The operation");
                let text = format!("{what} failed; nothing was deleted: {problem}");
                self.notify_failed(Topic::Restore, text, Vec::new());
            }
        }
        if self.state.connection.target == Target::Embedded {
            self.connect(Target::Embedded);
        }
        self.look_for_backups();
    }

    /// Where data is damaged, what there is to bring back is looked for at once.
    pub(in crate::app) fn note_damage(&mut self) {
        if self.state.inside.seen.damaged && self.state.inside.backups == crate::app::Remote::Unasked {
            self.look_for_backups();
        }
    }
}

/// The newest backup of what cannot be opened.
pub fn newest(inside: &EmbeddedState) -> Option<&Backup> {
    inside.backups.value()?.first()
}
