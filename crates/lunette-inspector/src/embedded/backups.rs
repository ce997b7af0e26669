//! Backups of the embedded service: creating, listing and restoring them; quarantine of data that cannot be opened.
//!
//! What must hold: nothing is restored or quarantined before the user has confirmed what happens to the files; nothing
//! is deleted; afterwards a message names the path of the previous data, and the service starts again.

use crate::action::EmbeddedAction;
use crate::runs::BatchAnswer;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::tz::TimeZone;

use crate::confirm::Confirmation;
use crate::context::Context;
use crate::embedded::{Backup, EmbeddedState, Output, Ownership};
use crate::event::{ConnectionEvent, NotBackedUp, RunEvent};
use crate::notifications::{Severity, Topic};
use crate::settings::Target;
use crate::setup::EmbeddedError;

impl Backup {
    /// When it was created, to the minute, in the local time zone.
    pub fn day(&self) -> String {
        self.taken.to_zoned_datetime(TimeZone::system()).strftime("%-d %b %Y, %H:%M").to_string()
    }
}

impl EmbeddedState {
    /// Why this window cannot create and restore backups, if it cannot.
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

impl EmbeddedState {
    /// Lists the backups.
    pub(crate) fn look_for_backups(&mut self, cx: &mut Context<'_>) {
        self.backups.start_loading();
        let backups = cx.setup().embed.backups();
        cx.run(backups, Output::Backups);
    }

    /// Shows the listed backups.
    pub(crate) fn backups_found(&mut self, found: Result<Vec<Backup>, EmbeddedError>) {
        self.backups.resolve(found.map(Arc::new).map_err(|error| error.to_string()));
    }

    /// Creates a backup.
    pub(crate) fn back_up(&mut self, cx: &mut Context<'_>) {
        if let Some(obstacle) = self.obstacle() {
            return cx.notify_failed(Topic::Backup, format!("Backup failed: {obstacle}"), Vec::new());
        }
        self.busy = Some("Backing up");
        let work = cx.setup().embed.back_up();
        cx.run(work, Output::BackedUp);
    }

    pub(crate) fn backed_up(&mut self, end: Result<Backup, EmbeddedError>, cx: &mut Context<'_>) {
        self.busy = None;
        match end {
            Ok(backup) => {
                cx.resolve(Topic::Backup);
                cx.notify(Severity::Done, format!("Backed up: {}", backup.path.display()));
            }
            Err(problem) => cx.notify_failed(Topic::Backup, format!("Backup failed: {problem}"), Vec::new()),
        }
        self.look_for_backups(cx);
    }

    /// Creates a backup before a run that deletes many assets; the run gets the result.
    pub(crate) fn back_up_first(&mut self, answer: Arc<BatchAnswer>, cx: &mut Context<'_>) {
        let generation = cx.generation();
        if let Some(obstacle) = self.obstacle() {
            return cx.emit(RunEvent::BackedUp(answer, Err(NotBackedUp::Obstacle(obstacle)), generation));
        }
        self.busy = Some("Backing up");
        let work = cx.setup().embed.back_up();
        let title = format!("Backing up before “{}”", answer.title);
        let task = cx.run(work, move |end| Output::BackedUpFirst(end, answer, generation));
        let number = cx.next_work();
        cx.show_work(number, task, title, None);
    }

    pub(crate) fn backed_up_first(
        &mut self,
        end: Result<Backup, EmbeddedError>,
        answer: Arc<BatchAnswer>,
        generation: u64,
        cx: &mut Context<'_>,
    ) {
        self.busy = None;
        self.look_for_backups(cx);
        if end.is_ok() {
            cx.resolve(Topic::Backup);
        }
        let end = end.map(drop).map_err(NotBackedUp::Failed);
        cx.emit(RunEvent::BackedUp(answer, end, generation));
    }

    /// Asks for confirmation to restore a backup.
    pub(crate) fn ask_restore(&mut self, backup: &Backup, cx: &mut Context<'_>) {
        let text = format!(
            "The built-in service stops, its data is replaced by the backup, and it starts again. Anything created \
             or changed since the backup is no longer shown. Nothing is deleted: the current data moves to a folder \
             next to it, and a message tells you where. Backup: {}",
            backup.path.display()
        );
        cx.ask_first(Confirmation::here(
            format!("Restore the backup of {}?", backup.day()),
            text,
            "Restore",
            |confirmed| EmbeddedAction::Restore(backup.path.clone(), confirmed),
        ));
    }

    /// Asks for confirmation to quarantine damaged data.
    pub(crate) fn ask_begin_empty(&mut self, cx: &mut Context<'_>) {
        let data = self.seen.data.as_ref().map(|data| data.display().to_string()).unwrap_or_default();
        let text = format!(
            "The database in {data} cannot be opened. It moves to a folder next to it, and a message tells you \
             where. Nothing is deleted. Lunette then starts without assets."
        );
        cx.ask_first(Confirmation::here(
            "Move the damaged data and start empty?".to_owned(),
            text,
            "Move and start empty",
            EmbeddedAction::BeginEmpty,
        ));
    }

    pub(crate) fn restore_now(&mut self, backup: PathBuf, cx: &mut Context<'_>) {
        if let Some(obstacle) = self.obstacle() {
            return cx.notify_failed(Topic::Restore, format!("Restore failed: {obstacle}"), Vec::new());
        }
        self.busy = Some("Restoring a backup");
        let work = cx.setup().embed.restore(backup);
        cx.run(work, Output::Restored);
    }

    pub(crate) fn begin_empty_now(&mut self, cx: &mut Context<'_>) {
        self.busy = Some("Moving the damaged data");
        let work = cx.setup().embed.begin_empty();
        cx.run(work, Output::Restored);
    }

    /// Handles the end of a restore or quarantine: the service starts with the current data.
    pub(crate) fn restored(&mut self, end: Result<Option<PathBuf>, EmbeddedError>, cx: &mut Context<'_>) {
        let done = self.busy.take();
        if end.is_ok() {
            cx.resolve(Topic::Restore);
        }
        match end {
            Ok(Some(aside)) => {
                cx.notify(Severity::Done, format!("Done. The previous data is in {}", aside.display()));
            }
            Ok(None) => cx.notify(Severity::Done, "Done. There was no previous data to keep".to_owned()),
            Err(problem) => {
                let what = done.unwrap_or("The operation");
                let text = format!("{what} failed; nothing was deleted: {problem}");
                cx.notify_failed(Topic::Restore, text, Vec::new());
            }
        }
        if cx.connection.target == Target::Embedded {
            cx.emit(ConnectionEvent::Chosen(Target::Embedded));
        }
        self.look_for_backups(cx);
    }

    /// If the data is damaged, the backups are listed at once.
    pub(crate) fn list_backups_if_damaged(&mut self, cx: &mut Context<'_>) {
        if self.seen.damaged && self.backups == crate::Remote::NotRequested {
            self.look_for_backups(cx);
        }
    }
}

/// The newest backup of data that cannot be opened.
pub fn newest(inside: &EmbeddedState) -> Option<&Backup> {
    inside.backups.value()?.first()
}
