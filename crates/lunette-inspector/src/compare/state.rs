//! The open comparisons.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::choosing::Choice;
use super::source::{Source, SourceError};
use super::{Comparison, Whitespace};
use crate::Remote;
use crate::listing::RowList;
use crate::listing::rows::AssetRow;
use crate::tasks::TaskId;
use lunette_client::model::id::AssetId;

/// The most comparisons that are open: another one takes the place of the first.
pub(super) const MAX_TABS: usize = 12;

/// The open comparisons, and what is selected to be compared.
#[derive(Debug, Default)]
pub struct Compare {
    /// What the next one is compared with.
    pub selected: Option<Source>,
    /// What is to be compared with what is chosen in a dialog.
    pub choosing: Option<Source>,
    /// The version of which parts are chosen to be restored.
    pub choice: Option<Choice>,
    /// The open comparisons, in the order of their tabs.
    pub tabs: Vec<Tab>,
    /// The number of the one that is shown.
    pub open: Option<u64>,
    /// The number of the last one.
    pub(super) last: u64,
}

/// An open comparison.
#[derive(Debug)]
pub struct Tab {
    /// Its number, which no other one has.
    pub number: u64,
    /// What is compared.
    pub sources: [Source; 2],
    /// How whitespace is compared.
    pub whitespace: Whitespace,
    /// The comparison.
    pub shown: Remote<Arc<Comparison>, Arc<SourceError>>,
    /// The task that makes it.
    pub(super) task: Option<TaskId>,
}

impl Compare {
    /// The comparison that is shown.
    pub fn tab(&self) -> Option<&Tab> {
        let open = self.open?;
        self.tabs.iter().find(|tab| tab.number == open)
    }

    pub(super) fn tab_mut(&mut self, number: u64) -> Option<&mut Tab> {
        self.tabs.iter_mut().find(|tab| tab.number == number)
    }

    /// The compared assets that are among these rows, each once.
    pub(crate) fn assets_among(&self, rows: &RowList<AssetRow>) -> Vec<AssetId> {
        let sources = self.tabs.iter().flat_map(|tab| &tab.sources);
        let assets = sources.filter_map(|source| match source {
            Source::Asset(id, _) => Some(id),
            Source::Version(..) | Source::Item(_) | Source::File(_) | Source::Ready(_) => None,
        });
        let changed: BTreeSet<&AssetId> = assets.filter(|id| rows.find(id).is_some()).collect();
        changed.into_iter().cloned().collect()
    }

    /// Clears the data of a connection; numbers are not used again.
    pub(crate) fn leave(&mut self) {
        *self = Self { last: self.last, ..Self::default() };
    }
}

impl Tab {
    /// Its title: the names of both sides.
    pub fn title(&self) -> String {
        let [left, right] = &self.sources;
        format!("{} ↔ {}", left.name(), right.name())
    }
}
