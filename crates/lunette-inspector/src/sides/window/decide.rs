//! Deciding of rows that both sides changed.

use std::sync::Arc;

use super::{Output, SidesPage};
use crate::Remote;
use crate::compare::Position;
use crate::context::Context;
use crate::sides::{Decided, Decision, RowKey, RowState, SideError};

/// The row that is being decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Deciding {
    /// The row.
    pub key: RowKey,
    /// What is decided of it so far; why it cannot be read.
    pub decision: Remote<Arc<Decision>, String>,
}

/// A decision of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// A changed part of the text, by its index.
    Hunk(usize, Position),
    /// Another part, by its index.
    Part(usize, Position),
    /// Everything.
    All(Position),
}

impl SidesPage {
    /// What was decided of a row.
    pub fn decided(&self, key: &RowKey) -> Option<&Decided> {
        self.decisions.of.get(key)
    }

    /// Opens a row to decide it; what was decided of it before is kept.
    pub(super) fn decide(&mut self, key: RowKey, cx: &mut Context<'_>) {
        if let Some(Decided::Parts(known)) = self.decisions.of.get(&key) {
            self.deciding = Some(Deciding { decision: Remote::Known(Arc::clone(known)), key });
            return;
        }
        let (Some(row), Some(comparison)) = (self.row(&key).cloned(), self.comparison.clone()) else { return };
        let mut decision = Remote::NotRequested;
        decision.start_loading();
        self.deciding = Some(Deciding { key: key.clone(), decision });
        let read = async move { Decision::read(&comparison.sides, &row).await };
        cx.run(read, move |read| Output::Deciding(key, read));
    }

    pub(super) fn deciding_read(&mut self, key: &RowKey, read: Result<Decision, SideError>) {
        if let Some(deciding) = self.deciding.as_mut().filter(|deciding| deciding.key == *key) {
            deciding.decision.resolve(read.map(Arc::new).map_err(|error| error.to_string()));
        }
    }

    /// Decides a part of the open row.
    pub(super) fn choose(&mut self, chosen: Chosen) {
        let Some(Deciding { key, decision: Remote::Known(decision) }) = &mut self.deciding else { return };
        let changed = Arc::make_mut(decision);
        match chosen {
            Chosen::Hunk(index, from) => {
                if let Some(hunk) = changed.hunks.get_mut(index) {
                    *hunk = Some(from);
                }
            }
            Chosen::Part(index, from) => {
                if let Some((_, part)) = changed.parts.get_mut(index) {
                    *part = Some(from);
                }
            }
            Chosen::All(from) => changed.decide_all(from),
        }
        self.decisions.of.insert(key.clone(), Decided::Parts(Arc::clone(decision)));
    }

    /// Decides that a side is right in all of these rows that both sides changed.
    pub(super) fn decide_rows(&mut self, keys: &[RowKey], side: Position) {
        for key in keys {
            if self.row(key).is_some_and(|row| row.state == RowState::Conflict) {
                self.decisions.of.insert(key.clone(), Decided::Side(side));
            }
        }
    }
}
