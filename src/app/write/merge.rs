//! A conflict in the window: shown, decided, merged or put away.
//!
//! What must hold: until a conflict has ended the write has not, so that what was typed for it stays where it was typed.

use crate::app::App;
use crate::app::change::Change;
use crate::app::drafts::DraftKey;
use crate::app::write::conflict::{Choice, Conflict, Resolved};

impl App {
    /// Shows a conflict. Until it has ended the write has not: what was typed for it stays where it was typed.
    pub(in crate::app) fn contest(&mut self, conflict: Conflict) {
        self.dismiss_conflict();
        self.state.pages.of.entry(conflict.asset.clone()).or_default().writing = true;
        self.state.write.conflict = Some(conflict);
    }

    pub(in crate::app) fn decide(&mut self, place: usize, choice: Choice) {
        if let Some(conflict) = &mut self.state.write.conflict {
            conflict.decide(place, choice);
        }
    }

    /// Puts the conflict away; nothing was sent, and the page shows what the service holds.
    pub(in crate::app) fn dismiss_conflict(&mut self) {
        let Some(Conflict { asset, .. }) = self.state.write.conflict.take() else { return };
        self.end_writing(&asset);
        self.refuse(&asset, "the asset changed in the meantime".to_owned());
        self.load_asset(&asset);
    }

    /// Writes what was decided, on what the service holds now. Where that moved on once more there is a conflict anew.
    pub(in crate::app) fn merge_conflict(&mut self) {
        let feature = self.state.write.conflict.as_ref().map(|conflict| conflict.change.feature());
        if feature.is_some_and(|feature| self.blocks_write(feature, "Not saved")) {
            return;
        }
        let Some(conflict) = self.state.write.conflict.take_if(|conflict| conflict.decided()) else { return };
        self.end_writing(&conflict.asset);
        match conflict.resolved() {
            Resolved::Change(change) => self.change(*change),
            Resolved::Open(_) | Resolved::Nothing => {
                if let Change::Record { asset, .. } = &conflict.change {
                    self.keep_draft(DraftKey::Record(asset.clone()), None);
                }
                if let Change::Text { asset, .. } = &conflict.change {
                    self.keep_draft(DraftKey::Text(asset.clone()), None);
                }
                self.say("Kept the version of the service".to_owned());
                self.load_asset(&conflict.asset);
            }
        }
    }
}
