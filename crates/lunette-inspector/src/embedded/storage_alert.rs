//! Problems with a store: it is full, read-only, failing, partly damaged, or writable by others. The window shows them
//! until they are solved.
//!
//! What must hold: problems of the embedded service come from the store itself; those of any other service come from
//! its responses to writes only, in its own words. Reads continue meanwhile.

use jiff::Timestamp;

use crate::CallError;
use crate::Vendor;
use crate::context::Context;
use crate::embedded::EmbeddedState;
use crate::embedded::{Health, Ownership, ServiceStatus};
use crate::session::log::LogEntry;
use crate::settings::Target;
use lunette_client::model::display::capitalized;

/// A problem with a store, and since when.
#[derive(Clone, Debug, PartialEq)]
pub struct StorageAlert {
    /// The kind.
    pub kind: AlertKind,
    /// When it was first seen.
    pub since: Timestamp,
}

/// The kind of a problem.
#[derive(Clone, Debug, PartialEq)]
pub enum AlertKind {
    /// The health of the store of the embedded service.
    Own(Health),
    /// The number of damaged records of the embedded service.
    Damaged(usize),
    /// Other users may write into the data folder of the embedded service; who.
    Exposed(&'static str),
    /// The status and message of another service's response to a write.
    Said(u16, String),
}

impl AlertKind {
    /// Whether it is a problem of the embedded service.
    pub fn is_own(&self) -> bool {
        !matches!(self, Self::Said(..))
    }
}

impl StorageAlert {
    /// The problem in a word or two.
    pub fn word(&self) -> &'static str {
        match &self.kind {
            AlertKind::Own(Health::Full) | AlertKind::Said(507, _) => "Disk full",
            AlertKind::Own(Health::ReadOnly) => "Data folder read-only",
            AlertKind::Own(Health::Failed) => "Disk failed",
            AlertKind::Damaged(_) => "Damaged data",
            AlertKind::Exposed(_) => "Data folder not private",
            AlertKind::Own(Health::Healthy) | AlertKind::Said(..) => "Changes fail",
        }
    }

    /// The consequences and what to do, in a sentence or two.
    pub fn sentence(&self) -> String {
        let own = |what: &str, advice: &str| format!("{what}. {advice}");
        match &self.kind {
            AlertKind::Own(Health::Full) => own(
                "Nothing can be added; reading and deleting still work",
                "Free some disk space; changes then work again",
            ),
            AlertKind::Own(Health::ReadOnly) => own(
                "Changes cannot be saved; reading still works",
                "Allow this user to write to the data folder; changes then work again",
            ),
            AlertKind::Own(Health::Failed) => own(
                "Changes may fail; reading still works",
                "Check the disk, and make a backup on another disk while it can be read",
            ),
            AlertKind::Own(Health::Healthy) => String::new(),
            AlertKind::Damaged(1) => own("1 record is damaged and not listed", RESTORE),
            AlertKind::Damaged(count) => own(&format!("{count} records are damaged and not listed"), RESTORE),
            AlertKind::Exposed(who) => {
                format!("{} can write to it. Run “chmod go-w” on the data folder", capitalized(who))
            }
            AlertKind::Said(_, sentence) => format!("The service rejected a change: {sentence}"),
        }
    }
}

/// What to do about damaged records.
const RESTORE: &str = "Restore a backup, or delete the damaged records";

/// The worst problem with the store of the embedded service.
fn own_trouble(seen: &ServiceStatus) -> Option<AlertKind> {
    match (seen.whose, seen.health) {
        (Ownership::Own, Health::Healthy) if seen.damaged_records > 0 => Some(AlertKind::Damaged(seen.damaged_records)),
        (Ownership::Own, Health::Healthy) => seen.other_writers.map(AlertKind::Exposed),
        (Ownership::Own, health) => Some(AlertKind::Own(health)),
        (Ownership::Another | Ownership::Nobody, _) => None,
    }
}

impl EmbeddedState {
    /// Updates the alert from the status of the embedded service.
    pub(crate) fn update_alert(&mut self) {
        let inside = self;
        let known = inside.trouble.as_ref().map(|alert| &alert.kind);
        match own_trouble(&inside.seen) {
            Some(kind) if known == Some(&kind) => {}
            Some(kind) => inside.trouble = Some(StorageAlert { kind, since: Timestamp::now() }),
            None if known.is_some_and(AlertKind::is_own) => inside.trouble = None,
            None => {}
        }
    }

    /// Updates the alert from a response of another service.
    pub(crate) fn record_storage(&mut self, line: &LogEntry, vendor: Vendor, cx: &mut Context<'_>) {
        let inside = self.seen.whose == Ownership::Own && cx.connection.target == Target::Embedded;
        if inside || !line.info.writes() {
            return;
        }
        let alert = &mut self.trouble;
        match &line.error {
            Some(CallError::Status { status, sentence, .. })
                if *status == 507 || (*status == 503 && vendor.is_lunette()) =>
            {
                let kind = AlertKind::Said(*status, sentence.clone());
                if alert.as_ref().is_none_or(|known| known.kind != kind) {
                    let since = alert.as_ref().map_or_else(Timestamp::now, |known| known.since);
                    *alert = Some(StorageAlert { kind, since });
                }
            }
            None if matches!(alert, Some(StorageAlert { kind: AlertKind::Said(..), .. })) => *alert = None,
            _ => {}
        }
    }

    /// Drops the alert of the service that is left.
    pub(crate) fn leave_store(&mut self) {
        self.trouble.take_if(|alert| matches!(alert.kind, AlertKind::Said(..)));
    }
}
