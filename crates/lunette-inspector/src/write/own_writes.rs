//! What this window wrote to an opened asset, so that its own changes are told from those made elsewhere.
//!
//! What must hold: a change made elsewhere is never taken for an own one. An own change counts only where the record
//! that is compared holds the value that it replaced.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::change::Change;
use crate::change::fingerprint::lasting;
use crate::journal::Entry;
use lunette_client::model::asset::Asset;
use lunette_client::model::diff::{apply, diff};
use lunette_client::model::record::Record as _;

/// How many writes are kept; the oldest are dropped.
const KEPT: usize = 64;

/// What the user is editing of an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edited {
    /// Its text.
    Text,
    /// Its name, description and favourite.
    Fields,
    /// Its record, or a part of it that a plan or a conflict shows.
    Record,
}

/// The writes of this window to an asset since its page was opened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnWrites {
    /// The newest last.
    kept: VecDeque<OwnWrite>,
    /// How many there were in all.
    count: u64,
}

/// A write that was applied.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnWrite {
    before: Before,
    /// The change that was applied.
    change: Change,
    /// The record in the response, if it had one.
    after: Option<Arc<Asset>>,
}

/// Where the record is, as it was read before a write.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Before {
    /// In the entry of the journal.
    Entry(Arc<Entry>),
    /// Here: the write was one of a run.
    Record(Arc<Asset>),
}

/// A write of a row of a run that was applied.
#[derive(Clone, Debug)]
pub(crate) struct RowWrite {
    /// The record as it was read before.
    pub before: Arc<Asset>,
    pub change: Change,
    /// The record in the response, if it had one.
    pub after: Option<Arc<Asset>>,
}

impl Before {
    fn tree(&self) -> Option<&Value> {
        match self {
            Self::Entry(entry) => entry.before.as_ref(),
            Self::Record(record) => Some(record.tree()),
        }
    }
}

impl OwnWrites {
    /// No write.
    pub(super) const NONE: Self = Self { kept: VecDeque::new(), count: 0 };

    /// Adds a write. A new text is left out: it changes nothing of the record that an editor compares.
    pub(crate) fn record(&mut self, before: Before, change: &Change, after: Option<&Arc<Asset>>) {
        if matches!(change, Change::Text { .. }) {
            return;
        }
        self.kept.push_back(OwnWrite { before, change: change.clone(), after: after.cloned() });
        self.count += 1;
        let surplus = self.kept.len().saturating_sub(KEPT);
        self.kept.drain(..surplus);
    }

    /// How many writes there were, which identifies all of them.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The writes that change nothing of what is edited.
    pub fn besides(&self, edited: Edited) -> Vec<OwnWrite> {
        let besides = |write: &&OwnWrite| match edited {
            Edited::Text => true,
            Edited::Fields => !matches!(write.change, Change::Edit { .. } | Change::Record { .. }),
            Edited::Record => false,
        };
        self.kept.iter().filter(besides).cloned().collect()
    }
}

/// The lasting part of the record that an edit started from, with the own writes since then; `now` is the current
/// record.
pub fn with_own_writes(base: &Value, writes: &[OwnWrite], now: &Value) -> Value {
    writes.iter().fold(lasting(base), |base, write| {
        let Some(before) = write.before.tree() else { return base };
        let after = match &write.after {
            Some(after) => lasting(after.tree()),
            None => lasting(&with_links_of(before, &write.change, now)),
        };
        let own = diff(&lasting(before), &after);
        // Where the record holds another value, the write is in it already, or it was changed elsewhere.
        apply(&own, base.clone()).unwrap_or(base)
    })
}

/// The record before a change of links, with the changed links as the current record has them.
fn with_links_of(before: &Value, change: &Change, now: &Value) -> Value {
    let (linked, unlinked) = change.links();
    let mut record = before.clone();
    for item in linked.iter().chain(unlinked) {
        let field = item.kind.collection();
        let is_it = |entry: &Value| entry["id"].as_str().is_some_and(|id| id.eq_ignore_ascii_case(&item.id));
        let entries = now[field]["iterable"].as_array();
        let current = entries.and_then(|entries| entries.iter().find(|entry| is_it(entry)));
        if !record[field]["iterable"].is_array() {
            let mut collection = now[field].clone();
            collection["iterable"] = json!([]);
            record[field] = collection;
        }
        if let Some(entries) = record[field]["iterable"].as_array_mut() {
            entries.retain(|entry| !is_it(entry));
            entries.extend(current.filter(|_| linked.contains(item)).cloned());
        }
    }
    record
}
