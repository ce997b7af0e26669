//! The change feed: publishes committed changes to subscribers: which record was created, changed or deleted.
//!
//! What must hold: a change is published after its COMMIT, and a rolled back one never; no write can bypass it, since
//! triggers on the writer's connection record it, and what is rolled back is forgotten; a subscriber cannot block the writer, nor make it buffer without
//! bounds. A subscriber that falls behind must read everything again.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::types::Null;
use tokio::sync::Notify;

use super::versions::Versions;
use super::{Store, StoreError};

/// The kinds of records to subscribe to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FeedKind {
    Asset,
    Tag,
    Website,
    Summary,
    Conversation,
    Application,
    Activity,
}

impl FeedKind {
    const ALL: [Self; 7] =
        [Self::Asset, Self::Tag, Self::Website, Self::Summary, Self::Conversation, Self::Application, Self::Activity];

    /// The kind as recorded by the triggers.
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

    /// SQL for a page of existing ids, newest first: below a row, with a limit.
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

thread_local! {
    /// What the transaction of this thread has changed so far, in order. Only the writer's connection records anything.
    static RECORDED: RefCell<Vec<ChangedRecord>> = const { RefCell::new(Vec::new()) };
}

/// Installs the triggers that record changes on the writer's connection.
pub(super) fn install_triggers(writer: &Connection) -> Result<(), StoreError> {
    writer.create_scalar_function("record_change", 3, FunctionFlags::SQLITE_UTF8, |context| {
        let word = context.get_raw(0).as_str()?;
        let kind = FeedKind::ALL.into_iter().find(|kind| kind.changes() == word);
        let record = ChangedRecord { kind, id: context.get(1)?, deleted: context.get(2)? };
        RECORDED.with_borrow_mut(|recorded| recorded.push(record));
        Ok(Null)
    })?;
    Ok(writer.execute_batch(include_str!("feed/triggers.sql"))?)
}

/// A point of a transaction that it may be rolled back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

/// Marks the present point of the transaction on this thread.
pub(super) fn mark() -> Mark {
    Mark(RECORDED.with_borrow(Vec::len))
}

/// Forgets what was changed after the mark: it was rolled back.
pub(super) fn forget_after(mark: Mark) {
    RECORDED.with_borrow_mut(|recorded| recorded.truncate(mark.0));
}

/// Forgets what an earlier transaction of this thread changed; it was not committed.
pub(super) fn begin() {
    RECORDED.with_borrow_mut(Vec::clear);
}

/// The changes of one transaction: each record once, in its final state, ordered by last change.
#[derive(Debug, Default)]
pub(super) struct CommittedChanges(Vec<ChangedRecord>);

#[derive(Debug)]
struct ChangedRecord {
    /// `None` if the kind has no stream: a table may record more than is published.
    kind: Option<FeedKind>,
    id: String,
    deleted: bool,
}

/// Takes what the transaction on this thread has changed. To be called just before COMMIT.
pub(super) fn take_changes() -> CommittedChanges {
    let recorded = RECORDED.take();
    let mut seen = HashSet::with_capacity(recorded.len());
    let last: Vec<bool> = recorded.iter().rev().map(|record| seen.insert((record.kind, record.id.as_str()))).collect();
    let last = last.into_iter().rev();
    CommittedChanges(recorded.into_iter().zip(last).filter_map(|(record, last)| last.then_some(record)).collect())
}

/// The subscribers.
#[derive(Debug, Default)]
pub(super) struct ChangeFeed {
    versions: Versions,
    subscribers: Mutex<Vec<Weak<Subscriber>>>,
}

impl ChangeFeed {
    /// Returns when each record last changed.
    pub(super) fn versions(&self) -> &Versions {
        &self.versions
    }

    /// Publishes committed changes. Only queues them for each subscriber.
    pub(super) fn publish(&self, changes: CommittedChanges) {
        if changes.0.is_empty() {
            return;
        }
        self.versions.advance(changes.0.iter().map(|change| change.id.as_str()));
        self.lock().retain(|subscriber| {
            let Some(subscriber) = subscriber.upgrade() else { return false };
            subscriber.push(&changes);
            true
        });
    }

    fn subscribe(&self, kind: FeedKind, limit: usize) -> Subscription {
        let subscriber = Arc::new(Subscriber { kind, limit, pending: Mutex::default(), wake: Notify::new() });
        let mut subscribers = self.lock();
        // Otherwise dropped subscribers are only removed by the next write.
        subscribers.retain(|subscriber| subscriber.strong_count() > 0);
        subscribers.push(Arc::downgrade(&subscriber));
        Subscription(subscriber)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Subscriber>>> {
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The store closes: ends all subscriptions.
impl Drop for ChangeFeed {
    fn drop(&mut self) {
        for subscriber in self.lock().iter().filter_map(Weak::upgrade) {
            subscriber.end(FeedEnd::Closed);
        }
    }
}

/// A subscriber to one kind, with its pending changes.
#[derive(Debug)]
struct Subscriber {
    kind: FeedKind,
    /// How many records are buffered.
    limit: usize,
    pending: Mutex<PendingChanges>,
    wake: Notify,
}

/// Changes published and not yet received. A record is buffered once.
#[derive(Debug, Default)]
struct PendingChanges {
    /// By id: a sequence number, and whether the record was deleted.
    records: HashMap<String, (u64, bool)>,
    sequence: u64,
    /// The buffer overflowed: changes of existing records are dropped, and the subscriber must read all ids again.
    behind: bool,
    end: Option<FeedEnd>,
}

impl Subscriber {
    fn push(&self, changes: &CommittedChanges) {
        let mut pending = self.lock();
        for change in changes.0.iter().filter(|change| change.kind == Some(self.kind)) {
            pending.push(&change.id, change.deleted, self.limit);
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
        // Deletions cannot be looked up later, so they are kept longer.
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
            return Some(FeedEvent::End(end));
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

/// An event for a subscriber.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FeedEvent {
    /// These records changed, or were deleted (true). If `behind`, changes were dropped: all deletions are listed, the
    /// rest must be read again from the start.
    Changed { records: Vec<(String, bool)>, behind: bool },
    /// The subscription has ended.
    End(FeedEnd),
}

/// Why a subscription ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FeedEnd {
    /// More deletions were pending than are buffered.
    TooFarBehind,
    /// The store was closed.
    Closed,
}

/// A subscription; dropping it unsubscribes.
#[derive(Debug)]
pub(crate) struct Subscription(Arc<Subscriber>);

impl Subscription {
    /// Waits for the next event. Cancel-safe.
    pub(crate) async fn next(&mut self) -> FeedEvent {
        loop {
            // A notification before the await is not lost.
            let woken = self.0.wake.notified();
            if let Some(event) = self.0.lock().take() {
                return event;
            }
            woken.await;
        }
    }
}

impl Store {
    /// Subscribes to committed changes of a kind, buffering this many records. Reading all ids after this call misses
    /// nothing.
    pub(crate) fn subscribe(&self, kind: FeedKind, limit: usize) -> Subscription {
        self.feed.subscribe(kind, limit)
    }

    /// Existing ids with their rows, newest first: below a row, with a limit.
    pub(crate) fn page_of_ids(
        &self,
        kind: FeedKind,
        below: i64,
        limit: usize,
    ) -> Result<Vec<(i64, String)>, StoreError> {
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
