//! What an asset from an archive has beyond a new one: workstream summaries, conversations, persons, anchors and hints
//! under the ids that they had, counters of its score, and its activities.
//!
//! What must hold: what already exists under such an id is linked and not changed, so that assets of one archive share it
//! again; the scores `manual` and `automatic` of the asset stay the sums of the ranks of its activities.

use rusqlite::Connection;

use super::activity::{self, ArchivedActivity};
use super::asset::{Counted, Counter};
use super::conversation::{self, ConversationSeed};
use super::item::{self, NewItem};
use super::link;
use super::related::{self, NewRelated};
use crate::store::StoreError;

/// What an archive says of an asset.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Archived {
    /// The id that the asset had.
    pub(crate) id: String,
    /// Workstream summaries with their ids.
    pub(crate) summaries: Vec<(String, NewItem)>,
    /// Persons, anchors and hints with their ids.
    pub(crate) related: Vec<(String, NewRelated)>,
    /// Conversations with their ids. They name no assets.
    pub(crate) conversations: Vec<(String, ConversationSeed)>,
    /// Counters of the score.
    pub(crate) counters: Vec<(Counter, i64)>,
    /// All activities, oldest first; None if the archive has none, which keeps those that the creation records.
    pub(crate) activities: Option<Vec<ArchivedActivity>>,
}

impl Archived {
    /// About how many bytes the record of the asset has more for it, with so many for each entry beside its own text.
    pub(crate) fn record_bytes(&self, entry: usize) -> usize {
        let summaries = self.summaries.iter().map(|(_, new)| entry + new.name.len() + new.document.len());
        let related = self.related.iter().map(|(_, new)| entry + new.document.len());
        let messages =
            |seed: &ConversationSeed| seed.messages.iter().map(|one| entry + one.document.len()).sum::<usize>();
        let conversations = self.conversations.iter().map(|(_, seed)| entry + seed.document.len() + messages(seed));
        summaries.chain(related).chain(conversations).sum()
    }
}

/// Adds all of it to a new asset, given by its row and id.
pub(in crate::store) fn attach(
    db: &Connection,
    (asset, id): (i64, &str),
    archived: &Archived,
) -> Result<(), StoreError> {
    for (id, summary) in &archived.summaries {
        link::add_to_row(db, asset, (item::make_with_id(db, id, summary)?, &summary.mechanism))?;
    }
    for (id, new) in &archived.related {
        let row = related::make_with_id(db, id, new)?;
        related::add(db, asset, row, &new.mechanism, &new.link)?;
    }
    for (id, seed) in &archived.conversations {
        conversation::link_with_id(db, asset, id, seed)?;
    }
    for (counter, count) in &archived.counters {
        counter.set(db, Counted::Asset, asset, *count)?;
    }
    if let Some(activities) = &archived.activities {
        activity::replace_all(db, (asset, id), &archived.id, activities)?;
    }
    Ok(())
}
