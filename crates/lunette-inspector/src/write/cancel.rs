//! Cancelling a write whose response is awaited.
//!
//! What must hold: a cancelled write is never reported as undone. If its call may have been sent, its outcome is
//! unknown until the asset was read again, which is done at once; the input for it is kept.

use std::sync::Arc;

use crate::CallError;
use crate::change::Change;
use crate::context::WideContext;
use crate::journal::{EntryKind, Outcome};
use crate::tasks::TaskId;
use crate::write::Writes;
use crate::write::plan::Reconciled;

/// How a cancelled write ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CancelledWrite {
    /// Nothing was sent.
    NotSent,
    /// Its call may have been sent.
    Unknown,
}

impl Writes {
    /// Records that the user cancelled a write.
    pub(crate) fn record_cancelled(&mut self, task: TaskId) {
        let savings = self.assets.values_mut().filter_map(|write| write.saving.as_mut());
        savings.filter(|saving| saving.task == task).for_each(|saving| saving.cancelled = true);
    }

    /// Reports the result of a cancelled write.
    pub(crate) fn write_cancelled(&mut self, intended: &Change, end: CancelledWrite, cx: &mut WideContext<'_>) {
        let id = intended.asset();
        let unknown = end == CancelledWrite::Unknown;
        let message = match end {
            CancelledWrite::Unknown => "Cancelled. The change may still have been saved. Checking…",
            CancelledWrite::NotSent => "Cancelled; nothing was sent",
        };
        if let Some(write) = self.assets.get_mut(id) {
            (write.refused, write.unsure, write.cancelled) = (Some(message.to_owned()), unknown, !unknown);
        }
        cx.show_success(message.to_owned());
        if unknown {
            self.reconcile_newest(intended, cx);
        }
        self.reload_linkable(intended, cx);
    }

    /// Reconciles the newest step of unknown outcome, if it changed the same asset.
    fn reconcile_newest(&mut self, intended: &Change, cx: &mut WideContext<'_>) {
        let of_asset =
            |kind: &EntryKind| matches!(kind, EntryKind::Change(change) if change.asset() == intended.asset());
        let step = cx.history.entries.iter().rev().find(|entry| of_asset(&entry.kind));
        if let Some(entry) = step.filter(|entry| matches!(entry.outcome, Outcome::Unknown(_))) {
            self.reconcile(Arc::clone(entry), cx);
        }
    }

    /// Updates the page once it is known whether the change was saved.
    pub(crate) fn reconcile_page(&mut self, change: &Change, end: &Result<Reconciled, CallError>) {
        let saved = match end {
            Ok(Reconciled::Applied) => true,
            Ok(Reconciled::NotApplied) => false,
            Ok(Reconciled::Unclear(_)) | Err(_) => return,
        };
        let Some(write) = self.assets.get_mut(change.asset()).filter(|write| write.unsure) else { return };
        write.unsure = false;
        write.refused = (!saved).then(|| "The service did not save the change; what was typed is kept".to_owned());
    }
}
