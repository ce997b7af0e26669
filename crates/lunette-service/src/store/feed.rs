//! What was committed, told to those who follow: which record was made, changed or deleted.
//!
//! What must hold: a change is told after its COMMIT, and one that was rolled back is not; no way to write can forget it,
//! since triggers of the writer's own connection note it; who is told cannot hold the writer up, nor make it keep
//! without end what was not yet heard. One who cannot keep up is told to look at everything again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use rusqlite::{Connection, Transaction};
use tokio::sync::Notify;

use super::{Store, StoreError};

/// What can be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Asset,
    Tag,
    Website,
    Summary,
    Conversation,
    Application,
    Activity,
}

impl Kind {
    const ALL: [Self; 7] =
        [Self::Asset, Self::Tag, Self::Website, Self::Summary, Self::Conversation, Self::Application, Self::Activity];

    /// As the triggers note it.
    fn changes(self) -> &'static str {
        match self {
            Self::Asset => "asset",
            Self::Tag => "tag",
            Self::Website => "website",
            Self::Summary => "summary",
            Self::Conversation => "conversation",
            Self::Application => "application",
            Self::Activity => "activity",
        }
    }

    /// A page of those that are there, newest first: below a row, and so many at most.
    fn page(self) -> &'static str {
        match self {
            Self::Asset => "SELECT row, id FROM asset WHERE deleted IS NULL AND row < ?1 ORDER BY row DESC LIMIT ?2",
            Self::Tag => "SELECT row, id FROM item WHERE kind = 'tag' AND row < ?1 ORDER BY row DESC LIMIT ?2",
            Self::Website => "SELECT row, id FROM item WHERE kind = 'website' AND row < ?1 ORDER BY row DESC LIMIT ?2",
            Self::Summary => "SELECT row, id FROM item WHERE kind = 'summary' AND row < ?1 ORDER BY row DESC LIMIT ?2",
            Self::Conversation => "SELECT row, id FROM conversation WHERE row < ?1 ORDER BY row DESC LIMIT ?2",
            Self::Application => "SELECT row, id FROM application WHERE row < ?1 ORDER BY row DESC LIMIT ?2",
            Self::Activity => "SELECT row, id FROM activity WHERE row < ?1 ORDER BY row DESC LIMIT ?2",
        }
    }
}

/// Readies the writer's connection: from now on it notes what it changes.
pub(super) fn install_triggers(writer: &Connection) -> Result<(), StoreError> {
    Ok(writer.execute_batch(include_str!("feed/triggers.sql"))?)
}

/// What one transaction changed: each record once, as it is in the end, in the order of their last changes.
#[derive(Debug, Default)]
pub(super) struct CommittedChanges(Vec<(Kind, String, bool)>);

/// Takes out what was noted, so that the next transaction begins with nothing. To be asked for just before COMMIT.
pub(super) fn take_changes(transaction: &Transaction) -> Result<CommittedChanges, StoreError> {
    let mut changes = CommittedChanges::default();
    {
        let mut statement = transaction.prepare_cached(
            "SELECT kind, id, deleted, max(rowid) FROM changed_record GROUP BY kind, id ORDER BY max(rowid)",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let word: String = row.get(0)?;
            // Kinds that nobody can follow are not an error: a table may hold more than is told of.
            if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.changes() == word) {
                changes.0.push((kind, row.get(1)?, row.get(2)?));
            }
        }
    }
    transaction.prepare_cached("DELETE FROM changed_record")?.execute([])?;
    Ok(changes)
}

/// Those who follow.
#[derive(Debug, Default)]
pub(super) struct ChangeFeed {
    subscribers: Mutex<Vec<Weak<Subscriber>>>,
}

impl ChangeFeed {
    /// Tells what was committed. Takes no longer than to note it for each who follows.
    pub(super) fn publish(&self, changes: CommittedChanges) {
        if changes.0.is_empty() {
            return;
        }
        self.lock().retain(|subscriber| {
            let Some(subscriber) = subscriber.upgrade() else { return false };
            subscriber.push(&changes);
            true
        });
    }

    fn subscribe(&self, kind: Kind, limit: usize) -> Subscription {
        let subscriber = Arc::new(Subscriber { kind, limit, pending: Mutex::default(), wake: Notify::new() });
        let mut subscribers = self.lock();
        // Those who left are else only forgotten when something is written.
        subscribers.retain(|subscriber| subscriber.strong_count() > 0);
        subscribers.push(Arc::downgrade(&subscriber));
        Subscription(subscriber)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Subscriber>>> {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The store closes: nothing more can come.
impl Drop for ChangeFeed {
    fn drop(&mut self) {
        for subscriber in self.lock().iter().filter_map(Weak::upgrade) {
            subscriber.end(FeedEnd::Closed);
        }
    }
}

/// One who follows a kind, and what was not yet heard.
#[derive(Debug)]
struct Subscriber {
    kind: Kind,
    /// How many records are kept until they are heard.
    limit: usize,
    pending: Mutex<PendingChanges>,
    wake: Notify,
}

/// What was told and not yet heard. A record that changed again is kept once.
#[derive(Debug, Default)]
struct PendingChanges {
    /// By id: when it was told, and whether the record is gone.
    records: HashMap<String, (u64, bool)>,
    sequence: u64,
    /// There were too many: of those that are there nothing is kept any more, they are to be looked up.
    behind: bool,
    end: Option<FeedEnd>,
}

impl Subscriber {
    fn push(&self, changes: &CommittedChanges) {
        let mut pending = self.lock();
        for (_, id, deleted) in changes.0.iter().filter(|(kind, ..)| *kind == self.kind) {
            pending.push(id, *deleted, self.limit);
        }
        let event = pending.any();
        drop(pending);
        if event {
            self.wake.notify_one();
        }
    }

    fn end(&self, end: FeedEnd) {
        self.lock().end.get_or_insert(end);
        self.wake.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, PendingChanges> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingChanges {
    fn any(&self) -> bool {
        self.behind || self.end.is_some() || !self.records.is_empty()
    }

    fn push(&mut self, id: &str, deleted: bool, limit: usize) {
        if self.end.is_some() {
            return;
        }
        self.sequence += 1;
        if self.behind && !deleted {
            self.records.remove(id);
            return;
        }
        self.records.insert(id.to_owned(), (self.sequence, deleted));
        if self.records.len() <= limit {
            return;
        }
        // What is gone cannot be looked up later, so it is kept a while longer.
        if !self.behind {
            self.behind = true;
            self.records.retain(|_, (_, deleted)| *deleted);
        }
        if self.records.len() > limit {
            self.end = Some(FeedEnd::TooFarBehind);
            self.records = HashMap::new();
        }
    }

    fn take(&mut self) -> Option<FeedEvent> {
        if let Some(end) = self.end {
            return Some(FeedEvent::FeedEnd(end));
        }
        if !self.any() {
            return None;
        }
        let behind = std::mem::take(&mut self.behind);
        let mut records: Vec<_> = std::mem::take(&mut self.records).into_iter().collect();
        records.sort_unstable_by_key(|(_, (sequence, _))| *sequence);
        Some(FeedEvent::Changed {
            records: records.into_iter().map(|(id, (_, deleted))| (id, deleted)).collect(),
            behind,
        })
    }
}

/// What there is to hear.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FeedEvent {
    /// These records changed, or are gone (true). Where it fell behind, there were more: all that are gone are named,
    /// the others are to be looked up from the start.
    Changed { records: Vec<(String, bool)>, behind: bool },
    /// Nothing more will come.
    FeedEnd(FeedEnd),
}

/// Why nothing more comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FeedEnd {
    /// More was deleted than is kept for one who does not listen.
    TooFarBehind,
    /// The store is closed.
    Closed,
}

/// What one who follows hears. Dropped, it follows no more.
#[derive(Debug)]
pub(crate) struct Subscription(Arc<Subscriber>);

impl Subscription {
    /// Waits for news. It may be dropped while it waits: nothing is lost.
    pub(crate) async fn next(&mut self) -> FeedEvent {
        loop {
            // A wake that came before it is waited for is kept.
            let woken = self.0.wake.notified();
            if let Some(event) = self.0.lock().take() {
                return event;
            }
            woken.await;
        }
    }
}

impl Store {
    /// Follows what is committed of a kind from now on; so many records are kept until they are heard. Who looks at what
    /// is there after this misses nothing.
    pub(crate) fn subscribe(&self, kind: Kind, limit: usize) -> Subscription {
        self.feed.subscribe(kind, limit)
    }

    /// The ids of those that are there, newest first, with their rows: those below a row, and so many at most.
    pub(crate) fn page_of_ids(&self, kind: Kind, below: i64, limit: usize) -> Result<Vec<(i64, String)>, StoreError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.read(|db| {
            let mut statement = db.prepare_cached(kind.page())?;
            let rows = statement.query_map((below, limit), |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }
}

#[cfg(test)]
mod tests;
