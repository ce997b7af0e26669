//! Cancelling a write whose response is awaited.
//!
//! What must hold: a cancelled write is never reported as undone. If its call may have been sent, its outcome is
//! unknown until the asset was read again, which is done at once; the input for it is kept.

use crate::change::Change;
use crate::context::Context;
use crate::journal::{EntryKind, Outcome};
use crate::tasks::TaskId;
use crate::write::Writes;
use crate::write::plan::Reconciled;

impl Writes {
    /// Records that the user cancelled a write.
    pub(crate) fn record_cancelled(&mut self, task: TaskId, cx: &mut Context<'_>) {
        let savings = cx.pages.of.values_mut().filter_map(|page| page.saving.as_mut());
        savings.filter(|saving| saving.task == task).for_each(|saving| saving.cancelled = true);
    }

    /// Reports the result of a cancelled write; `unknown` says that its call may have been sent.
    pub(crate) fn write_cancelled(&mut self, intended: &Change, unknown: bool, cx: &mut Context<'_>) {
        let id = intended.asset();
        let message = match unknown {
            true => "Cancelled. The change may still have been saved. Checking…",
            false => "Cancelled; nothing was sent",
        };
        if let Some(page) = cx.pages.of.get_mut(id) {
            (page.refused, page.unsure, page.cancelled) = (Some(message.to_owned()), unknown, !unknown);
        }
        cx.show_success(message.to_owned());
        if unknown {
            self.reconcile_newest(intended, cx);
        }
        self.reload_linkable(intended, cx);
    }

    /// Reconciles the newest step of unknown outcome, if it changed the same asset.
    fn reconcile_newest(&mut self, intended: &Change, cx: &mut Context<'_>) {
        let of_asset =
            |kind: &EntryKind| matches!(kind, EntryKind::Change(change) if change.asset() == intended.asset());
        let entries = cx.history.entries.iter().rev();
        let step = entries.filter(|entry| of_asset(&entry.kind)).map(|entry| (entry.id, &entry.outcome)).next();
        if let Some((id, Outcome::Unknown(_))) = step {
            self.reconcile(id, cx);
        }
    }

    /// Updates the page once it is known whether the change was saved.
    pub(crate) fn reconcile_page(&mut self, change: &Change, end: &Result<Reconciled, String>, cx: &mut Context<'_>) {
        let saved = match end {
            Ok(Reconciled::Applied) => true,
            Ok(Reconciled::NotApplied) => false,
            Ok(Reconciled::Unclear(_)) | Err(_) => return,
        };
        let Some(page) = cx.pages.of.get_mut(change.asset()).filter(|page| page.unsure) else { return };
        page.unsure = false;
        page.refused = (!saved).then(|| "The service did not save the change; what was typed is kept".to_owned());
    }
}
