//! The changes of one commit.

use std::time::{Duration, Instant};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::queue::{Change, Shares, Waiting, Work, catch};
use super::recovery;
use crate::store::feed::{self, CommittedChanges};
use crate::store::link_change::{LinkChange, LinkOutcome};
use crate::store::records::link;
use crate::store::{StoreError, past, search};

/// The most changes per commit, so that none waits long.
const MAX_CHANGES_PER_COMMIT: usize = 512;
/// A commit running this long takes no further change.
const MAX_COMMIT_TIME: Duration = Duration::from_millis(50);

/// What one commit did.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) changes: Vec<Change>,
    /// An error that indicates a disk failure, of a change that was rolled back alone.
    pub(super) disk_failure: Option<StoreError>,
}

/// The changes of one commit: the first, and those queued while it runs if they share it.
pub(super) fn next_changes(first: Change, waiting: &mut Waiting) -> impl Iterator<Item = Change> {
    let most = if first.shares == Shares::Commit { MAX_CHANGES_PER_COMMIT } else { 1 };
    let (began, mut first, mut taken) = (Instant::now(), Some(first), 0);
    std::iter::from_fn(move || {
        taken += 1;
        let more = taken <= most && began.elapsed() < MAX_COMMIT_TIME;
        first.take().or_else(|| if more { waiting.next_sharing() } else { None })
    })
}

/// Runs changes in one transaction, and commits it.
pub(super) fn run_changes(
    connection: &mut Connection,
    changes: &mut dyn Iterator<Item = Change>,
    done: &mut Batch,
    check: impl FnOnce(&Transaction) -> Result<(), StoreError>,
) -> Result<CommittedChanges, StoreError> {
    let transaction = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => {
            done.changes.extend(changes.next());
            return Err(error.into());
        }
    };
    feed::begin();
    while run_next(&transaction, changes, done)? {}
    search::refresh(&transaction)?;
    check(&transaction)?;
    transaction.commit()?;
    Ok(feed::take_changes())
}

/// Runs the next change, or the links that come next; returns false without any. Fails if the whole transaction is lost
/// or must be abandoned.
fn run_next(
    transaction: &Transaction,
    changes: &mut dyn Iterator<Item = Change>,
    done: &mut Batch,
) -> Result<bool, StoreError> {
    let first = done.changes.len();
    let mut run_after = None;
    for change in &mut *changes {
        if !matches!(change.work, Work::Link(_)) {
            run_after = Some(change);
            break;
        }
        done.changes.push(change);
    }
    let any = run_after.is_some() || done.changes.len() > first;
    let linked = run_links(transaction, first == 0, &mut done.changes[first..], &mut done.disk_failure);
    let Some(mut change) = run_after else { return linked.map(|()| any) };
    let begins = done.changes.is_empty();
    let run = linked.and_then(|()| run_alone(transaction, begins, &mut change, &mut done.disk_failure));
    done.changes.push(change);
    run.map(|()| any)
}

/// Runs one change so that it fails alone; `begins` is whether nothing was done in this transaction before.
fn run_alone(
    transaction: &Transaction,
    begins: bool,
    change: &mut Change,
    disk_failure: &mut Option<StoreError>,
) -> Result<(), StoreError> {
    let Change { work, result, client, .. } = change;
    let mut outcome = || {
        past::begin(transaction, client.clone())?;
        let outcome = match work {
            Work::Run(run) => run(transaction).map(|()| LinkOutcome::Done),
            Work::Link(link) => link::apply(transaction, &[link]).and_then(only),
            Work::Rebuild => Err(StoreError::Broken("a file cannot be written anew in a transaction".to_owned())),
        }?;
        past::end_change(transaction).map(|()| outcome)
    };
    let run = || catch(&mut outcome);
    let run = if begins { in_transaction(transaction, run) } else { in_savepoint(transaction, run) };
    *result = Some(run.clone().unwrap_or_else(Err));
    let undone = run?.err();
    *disk_failure = undone.filter(recovery::is_disk_failure).or(disk_failure.take());
    Ok(())
}

fn only(mut outcomes: Vec<Result<LinkOutcome, StoreError>>) -> Result<LinkOutcome, StoreError> {
    outcomes.pop().unwrap_or_else(|| Err(StoreError::Broken("a link was not made".to_owned())))
}

/// Makes links together; if that fails, one after the other, so that each fails alone. `alone` is whether nothing else was
/// done in this transaction.
fn run_links(
    transaction: &Transaction,
    alone: bool,
    changes: &mut [Change],
    disk_failure: &mut Option<StoreError>,
) -> Result<(), StoreError> {
    let mut begins = alone;
    for changes in changes.chunk_by_mut(|one, next| one.client == next.client) {
        run_links_of_one(transaction, std::mem::take(&mut begins), changes, disk_failure)?;
    }
    Ok(())
}

/// Makes links together that one client asked for.
fn run_links_of_one(
    transaction: &Transaction,
    alone: bool,
    changes: &mut [Change],
    disk_failure: &mut Option<StoreError>,
) -> Result<(), StoreError> {
    if let [first, _, ..] = changes {
        let client = first.client.clone();
        let links: Vec<&LinkChange> = changes.iter().filter_map(link_of).collect();
        let make = || {
            catch(|| {
                past::begin(transaction, client)?;
                let outcomes = link::apply(transaction, &links)?;
                past::end_change(transaction).map(|()| outcomes)
            })
        };
        let made = if alone { in_transaction(transaction, make)? } else { in_savepoint(transaction, make)? };
        if let Ok(outcomes) = made {
            changes.iter_mut().zip(outcomes).for_each(|(change, outcome)| change.result = Some(outcome));
            return Ok(());
        }
    }
    let mut begins = alone;
    changes.iter_mut().try_for_each(|change| run_alone(transaction, std::mem::take(&mut begins), change, disk_failure))
}

/// Does what [`in_savepoint`] does where the transaction holds nothing else: it is begun again if the work fails. Without a
/// savepoint SQLite need not keep a copy of each page as it was; it looks through all copies at the end of each statement
/// that may fail halfway, which a change of many records would pay for with its square.
fn in_transaction<T>(
    transaction: &Transaction,
    work: impl FnOnce() -> Result<T, StoreError>,
) -> Result<Result<T, StoreError>, StoreError> {
    let result = work();
    if let Err(error) = &result {
        if transaction.is_autocommit() || error.is_of_the_disk() {
            return Err(error.clone());
        }
        transaction.execute_batch("ROLLBACK; BEGIN IMMEDIATE")?;
        feed::begin();
    }
    Ok(result)
}

fn link_of(change: &Change) -> Option<&LinkChange> {
    match &change.work {
        Work::Link(link) => Some(link),
        Work::Run(_) | Work::Rebuild => None,
    }
}

/// Runs work that is rolled back alone if it fails: the inner result. Fails if the whole transaction is lost, as SQLite
/// may decide on a full disk, or must be abandoned because the disk failed; the error then applies to all its changes.
fn in_savepoint<T>(
    transaction: &Transaction,
    work: impl FnOnce() -> Result<T, StoreError>,
) -> Result<Result<T, StoreError>, StoreError> {
    transaction.prepare_cached("SAVEPOINT change")?.execute([])?;
    let mark = feed::mark();
    let result = work();
    if let Err(error) = &result {
        if transaction.is_autocommit() || error.is_of_the_disk() {
            return Err(error.clone());
        }
        transaction.prepare_cached("ROLLBACK TO change")?.execute([])?;
        feed::forget_after(mark);
    }
    transaction.prepare_cached("RELEASE change")?.execute([])?;
    Ok(result)
}

#[cfg(test)]
mod tests;
