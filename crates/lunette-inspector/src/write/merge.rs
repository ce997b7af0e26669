//! Conflicts in the window: showing, deciding, merging and closing them.
//!
//! What must hold: a write has not ended before its conflict has, so that the form keeps its input.

use crate::action::AssetsAction;
use crate::action::DraftsAction;
use crate::change::Change;
use crate::context::WideContext;
use crate::drafts::DraftKey;
use crate::write::Writes;
use crate::write::conflict::{Choice, Conflict, Resolved};

impl Writes {
    /// Shows a conflict. The form keeps its input until the conflict has ended.
    pub(crate) fn open_conflict(&mut self, conflict: Conflict, cx: &mut WideContext<'_>) {
        self.dismiss_conflict(cx);
        self.assets.entry(conflict.asset.clone()).or_default().writing = true;
        self.conflict = Some(conflict);
    }

    pub(crate) fn decide(&mut self, index: usize, choice: Choice) {
        if let Some(conflict) = &mut self.conflict {
            conflict.decide(index, choice);
        }
    }

    /// Closes the conflict; nothing was sent, and the page shows the version of the service.
    pub(crate) fn dismiss_conflict(&mut self, cx: &mut WideContext<'_>) {
        let Some(Conflict { asset, .. }) = self.conflict.take() else { return };
        self.end_writing(&asset);
        self.refuse(&asset, "the asset changed in the meantime".to_owned(), cx);
        cx.request(AssetsAction::Reload(asset.clone()));
    }

    /// Writes the merged change on the version of the service. If that changed again, there is a new conflict.
    pub(crate) fn merge_conflict(&mut self, cx: &mut WideContext<'_>) {
        let capability = self.conflict.as_ref().map(|conflict| conflict.change.capability());
        if capability.is_some_and(|capability| cx.blocks_write(capability, "Not saved")) {
            return;
        }
        let Some(conflict) = self.conflict.take_if(|conflict| conflict.decided()) else { return };
        self.end_writing(&conflict.asset);
        match conflict.resolved() {
            Resolved::Change(change) => self.submit(*change, cx),
            Resolved::Open(_) | Resolved::Nothing => {
                if let Change::Record { asset, .. } = &conflict.change {
                    cx.request(DraftsAction::Save(DraftKey::Record(asset.clone()), None));
                }
                if let Change::Text { asset, .. } = &conflict.change {
                    cx.request(DraftsAction::Save(DraftKey::Text(asset.clone()), None));
                }
                cx.show_success("Kept the version of the service".to_owned());
                cx.request(AssetsAction::Reload(conflict.asset.clone()));
            }
        }
    }
}
