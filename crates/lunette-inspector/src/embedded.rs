//! The interface between the window and the embedded service.
//!
//! What must hold: [`crate::EmbeddedService::look`] is called in the background once a second, and wakes the
//! window only if the status changed. A service of another program is never stopped, restored or opened to web pages
//! from here.

mod actions;
pub mod backups;
pub mod origin_prompt;
pub(crate) mod origins;
mod output;
pub mod storage_alert;

pub use actions::Action;
pub(crate) use output::Output;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::AbortHandle;

use crate::Remote;
use crate::context::Context;
use crate::embedded::origin_prompt::Guard;
use crate::embedded::storage_alert::StorageAlert;
use crate::notifications::Severity;
use crate::output::ProgressEvent;
use crate::tasks::spawn_supervised;

/// How often the embedded service is polled.
const LOOK: Duration = Duration::from_secs(1);

/// The status of the embedded service.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceStatus {
    /// The owner.
    pub whose: Ownership,
    /// The requests that its browser guard rejected.
    pub blocked: Blocked,
    /// Origins that were allowed when the program was started; they cannot be removed in the window.
    pub given: Vec<String>,
    /// The health of its store.
    pub health: Health,
    /// Why the last daily backup failed, if it did.
    pub daily_failure: Option<String>,
    /// The number of damaged records found since it started.
    pub damaged_records: usize,
    /// Who else may write into its data folder; `None` if nobody may.
    pub other_writers: Option<&'static str>,
    /// Whether it could not start because its store is damaged.
    pub damaged: bool,
    /// Its data folder.
    pub data: Option<PathBuf>,
}

/// The owner of the embedded service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ownership {
    /// No service runs.
    #[default]
    Nobody,
    /// The service of this window.
    Own,
    /// The service of another program with the same data, which this window uses.
    Another,
}

/// The requests that a browser guard rejected since its service started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocked {
    /// The number of requests.
    pub requests: u64,
    /// The `Origin` of the last one, if it had one, as displayed text.
    pub origin: Option<String>,
    /// The `Host` of the last one, if it had one, as displayed text.
    pub host: Option<String>,
}

/// The health of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Health {
    /// It accepts writes.
    #[default]
    Healthy,
    /// Its disk is full.
    Full,
    /// It is read-only.
    ReadOnly,
    /// The disk failed.
    Failed,
}

/// A backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// Its path.
    pub path: PathBuf,
    /// When it was created.
    pub taken: jiff::Timestamp,
    /// Its size in bytes.
    pub bytes: u64,
    /// Why it was created, in a word or two.
    pub cause: &'static str,
}

/// What the window shows of the embedded service.
#[derive(Default)]
pub struct EmbeddedState {
    /// Its last known status.
    pub seen: ServiceStatus,
    /// Rejected requests of web pages, and the user's decisions about them.
    pub guard: Guard,
    /// A problem with the store of the connected service.
    pub trouble: Option<StorageAlert>,
    /// The backups; loaded when they are first shown.
    pub backups: Remote<Arc<Vec<Backup>>, String>,
    /// The operation on its data that is in progress, in a few words.
    pub busy: Option<&'static str>,
    /// Polls it.
    pub(crate) watch: Option<Watch>,
}

/// Polls the embedded service until it is dropped.
pub(crate) struct Watch(AbortHandle);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl EmbeddedState {
    /// Starts polling the embedded service.
    pub(crate) fn watch(&mut self, cx: &mut Context<'_>) {
        let (embed, events) = (Arc::clone(&cx.setup().embed), cx.reporter());
        let unwatched = events.clone();
        let look = async move {
            let mut status = ServiceStatus::default();
            loop {
                tokio::time::sleep(LOOK).await;
                let seen = embed.look();
                if seen != status {
                    status.clone_from(&seen);
                    events.report(ProgressEvent::Embedded(Box::new(seen)));
                }
            }
        };
        self.watch = Some(Watch(spawn_supervised(&cx.setup().runtime, look, move |panic| {
            unwatched.report(ProgressEvent::Unwatched(panic));
        })));
    }

    /// Reports that it is no longer monitored.
    pub(crate) fn unwatched(&mut self, why: &str, cx: &mut Context<'_>) {
        let todo = "restart Lunette to monitor it again";
        cx.notify(Severity::Failed, format!("The built-in service is no longer monitored: {why}; {todo}"));
    }

    /// Polls at once, because something has just changed.
    pub(crate) fn look_inside(&mut self, cx: &mut Context<'_>) {
        let seen = cx.setup().embed.look();
        self.apply_status(seen, cx);
    }

    /// Handles a new status of the embedded service.
    pub(crate) fn apply_status(&mut self, seen: ServiceStatus, cx: &mut Context<'_>) {
        if seen.whose == Ownership::Own {
            let settings = &cx.preferences.settings;
            self.guard.hear(&seen.blocked, |origin| {
                settings.allowed_origins.iter().chain(&seen.given).any(|known| known == origin)
            });
        }
        cx.connection.of_this_window = seen.whose == Ownership::Own;
        self.seen = seen;
        self.update_alert();
        self.list_backups_if_damaged(cx);
    }

    /// Passes the allowed origins to the embedded service.
    pub(crate) fn hold_origins(&mut self, cx: &mut Context<'_>) {
        let (embed, origins) = (Arc::clone(&cx.setup().embed), cx.newest_origins());
        let looked = Arc::clone(&embed);
        let hold = async move {
            origins.hand_over(embed.as_ref()).await;
            Ok(embed.look())
        };
        let failure = "Could not tell the built-in service which web pages are allowed";
        cx.run_reporting(failure, hold, move |seen| Output::Status(seen.unwrap_or_else(|_| looked.look())));
    }
}
