//! Follows one stream: its changes are collected for a short interval and forwarded to the affected views; a broken
//! stream is reopened.
//!
//! A stream begins with a snapshot of all items and does not mark its end. So the first message about an id while the
//! stream starts says that the item exists, and a further one says that it changed.
//!
//! What must hold: a stream that reports new items without end takes no more memory than its limit.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout, timeout_at};

use crate::sync::ids::Ids;
use crate::sync::{RemoteChange, StreamStatus, SyncContext};
use lunette_client::client::{CallError, Change, Stream, StreamKind, Target};
use lunette_client::model::id::AssetId;
use lunette_client::operation::Method;

/// After this much silence the initial snapshot of a stream is complete.
const QUIET: Duration = Duration::from_millis(150);
/// After this time, a stream without a snapshot is considered to send only changes.
const SILENT: Duration = Duration::from_millis(1_500);

/// Our choice: longer ids are invalid and skipped; those of the interface are UUIDs.
const LONGEST: usize = 128;

/// The changes of a stream within a short interval.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct StreamBatch {
    pub changed: Ids,
    pub gone: Ids,
    /// The snapshot, once it is complete.
    pub snapshot_ids: Option<Ids>,
}

/// The snapshot while it is received.
type Beginning = Option<Ids>;

/// Follows a stream as long as the connection is used; ends if the service has no such stream.
pub(super) async fn follow(kind: StreamKind, context: Arc<SyncContext>) {
    let pace = context.pace;
    let (mut wait, mut broke, mut first) = (pace.again, false, true);
    loop {
        // Another service may have taken the address while the stream was broken.
        let same = if std::mem::take(&mut first) { Ok(()) } else { context.expect_same_service().await };
        let is_same = same.is_ok();
        let opened = match same {
            Ok(()) if skips_snapshot(kind, &context) => context.client.follow_changes(kind).await,
            Ok(()) => context.client.follow(kind).await,
            Err(error) => Err(error),
        };
        let why = match opened {
            Ok(stream) => {
                context.set_stream_status(kind, StreamStatus::Followed);
                if std::mem::replace(&mut broke, true) {
                    context.reload_after_gap(kind);
                }
                let begun = Instant::now();
                let why = listen(kind, stream, &context).await;
                // A stream that ends as soon as it began is not reopened at once.
                if begun.elapsed() > pace.again_most {
                    wait = pace.again;
                }
                why.map_or_else(|| "closed by the service".to_owned(), |error| error.reason())
            }
            Err(error) if is_same && !offered(&error) => {
                return context.set_stream_status(kind, StreamStatus::NotOffered);
            }
            Err(error) => {
                broke = true;
                if matches!(error, CallError::Refused { .. }) {
                    context.send(RemoteChange::Down);
                }
                error.reason()
            }
        };
        context.set_stream_status(kind, StreamStatus::Broken(why));
        tokio::time::sleep(jittered(wait, kind)).await;
        wait = (wait * 2).min(pace.again_most);
    }
}

/// Whether the snapshot of a stream is not needed: our own service lists its assets after the stream began, and of
/// activities and conversations only changes are used. There may be millions of them.
fn skips_snapshot(kind: StreamKind, context: &SyncContext) -> bool {
    match kind {
        StreamKind::Assets | StreamKind::Activities | StreamKind::Conversations => {
            context.identity.vendor().is_lunette()
        }
        StreamKind::Tags | StreamKind::Websites | StreamKind::WorkstreamSummaries | StreamKind::Applications => false,
    }
}

/// Whether the service has the stream, as far as its rejection shows. A plain response is not a stream.
fn offered(error: &CallError) -> bool {
    match error {
        CallError::Status { status, .. } => *status >= 500 && *status != 501 || matches!(status, 408 | 429),
        CallError::NotThisService { .. } => false,
        _ => true,
    }
}

/// The wait with up to a quarter of jitter, so that many windows do not reopen their streams at the same time.
fn jittered(wait: Duration, kind: StreamKind) -> Duration {
    let moment = jiff::Timestamp::now().subsec_nanosecond().unsigned_abs().wrapping_add(kind as u32 * 7_919);
    wait + wait / 4 * (moment % 1_000) / 1_000
}

/// Receives until the stream ends; returns why, if it was not closed properly.
async fn listen(kind: StreamKind, mut stream: Stream, context: &SyncContext) -> Option<CallError> {
    let mut beginning: Beginning = stream.has_snapshot().then(Ids::default);
    let mut heard = false;
    let most = most_bytes(kind, context);
    loop {
        let first = if beginning.is_some() {
            let limit = if heard { QUIET } else { SILENT };
            match timeout(limit, stream.next()).await {
                Ok(first) => first,
                Err(_) => {
                    // Without a snapshot, nothing is known to be deleted.
                    let snapshot_ids = beginning.take().filter(|_| heard);
                    put(kind, StreamBatch { snapshot_ids, ..StreamBatch::default() }, context);
                    continue;
                }
            }
        } else {
            stream.next().await
        };
        heard = true;
        let mut batch = StreamBatch::default();
        let end = match first {
            Some(Ok(changes)) => {
                take(changes, &mut beginning, &mut batch);
                gather(&mut stream, Instant::now() + context.pace.gather, most, &mut beginning, &mut batch).await
            }
            Some(Err(error)) => Some(Some(error)),
            None => Some(None),
        };
        if too_large(&beginning, &batch, most) {
            return Some(endless(kind, most));
        }
        put(kind, batch, context);
        if let Some(why) = end {
            return why;
        }
    }
}

/// The maximum memory of the ids of a stream: there are more assets than there are items of another kind.
fn most_bytes(kind: StreamKind, context: &SyncContext) -> usize {
    match kind {
        StreamKind::Assets => context.pace.most_bytes,
        StreamKind::Tags
        | StreamKind::Websites
        | StreamKind::WorkstreamSummaries
        | StreamKind::Conversations
        | StreamKind::Applications
        | StreamKind::Activities => context.pace.most_bytes / 4,
    }
}

/// Whether the batch and the snapshot exceed the limit.
fn too_large(beginning: &Beginning, batch: &StreamBatch, most: usize) -> bool {
    beginning.as_ref().map_or(0, Ids::bytes) + batch.changed.bytes() + batch.gone.bytes() > most
}

/// The reason for closing a stream that exceeds its limit.
fn endless(kind: StreamKind, most: usize) -> CallError {
    CallError::SchemaError {
        target: Target { method: Method::Get, url: kind.info().path.to_owned(), writes: false, content: false },
        path: "$".to_owned(),
        problem: format!("closed after its ids took more than {} KiB without a pause", most >> 10),
    }
}

/// Receives more changes until then; returns the end of the stream if it comes first.
async fn gather(
    stream: &mut Stream,
    until: Instant,
    most: usize,
    beginning: &mut Beginning,
    batch: &mut StreamBatch,
) -> Option<Option<CallError>> {
    loop {
        if too_large(beginning, batch, most) {
            return None;
        }
        match timeout_at(until, stream.next()).await {
            Ok(Some(Ok(changes))) => take(changes, beginning, batch),
            Ok(Some(Err(error))) => return Some(Some(error)),
            Ok(None) => return Some(None),
            Err(_) => return None,
        }
    }
}

/// Adds a message; the last change of an item counts.
fn take(changes: Vec<Change>, beginning: &mut Beginning, batch: &mut StreamBatch) {
    for Change { id, deleted, .. } in changes.into_iter().filter(|change| change.id.len() <= LONGEST) {
        if deleted {
            if let Some(snapshot_ids) = beginning {
                snapshot_ids.remove(&id);
            }
            batch.changed.remove(&id);
            batch.gone.insert(id);
            continue;
        }
        batch.gone.remove(&id);
        match beginning {
            Some(snapshot_ids) if !snapshot_ids.contains(&id) => {
                snapshot_ids.insert(id);
            }
            Some(_) | None => {
                batch.changed.insert(id);
            }
        }
    }
}

/// Forwards a batch to the affected views.
fn put(kind: StreamKind, batch: StreamBatch, context: &SyncContext) {
    let moved = !batch.changed.is_empty() || !batch.gone.is_empty();
    match kind {
        StreamKind::Assets => forward_assets(batch, context),
        StreamKind::Activities if moved => context.page.add(|stale| stale.activities = true),
        StreamKind::Conversations if moved => context.page.add(|stale| stale.conversations = true),
        StreamKind::Activities | StreamKind::Conversations => {}
        StreamKind::Applications => forward_list(kind, batch, moved, context),
        StreamKind::Tags | StreamKind::Websites | StreamKind::WorkstreamSummaries => {
            forward_list(kind, batch, moved, context);
            if moved {
                // The items linked to the open asset were renamed or deleted.
                context.page.add(|stale| stale.record = true);
            }
        }
    }
}

fn forward_list(kind: StreamKind, batch: StreamBatch, moved: bool, context: &SyncContext) {
    if moved || batch.snapshot_ids.is_some() {
        context.lists.add(|stale| {
            if kind == StreamKind::Applications && moved {
                stale.kinds.insert(kind);
            } else if moved {
                // Deletions are sent along with the changes, even if there are none.
                stale.changed.entry(kind).or_default().extend(batch.changed);
                stale.gone.entry(kind).or_default().extend(batch.gone);
                stale.bound(kind);
            }
            if let Some(snapshot_ids) = batch.snapshot_ids {
                stale.snapshot_ids.insert(kind, snapshot_ids);
            }
        });
    }
}

fn forward_assets(batch: StreamBatch, context: &SyncContext) {
    let shown = context.view.borrow().shown();
    let ids = |names: Ids| names.into_iter().filter_map(|name| name.parse::<AssetId>().ok());
    let is_shown = |name: &String| shown.iter().any(|shown| shown.as_str() == name.as_str());
    let StreamBatch { changed, gone, snapshot_ids } = batch;
    if !gone.is_empty() {
        context.recorder.gone(gone.iter().filter_map(|name| name.parse().ok()));
    }
    if let Some(snapshot_ids) = &snapshot_ids {
        context.recorder.present(snapshot_ids.iter().filter_map(|name| name.parse().ok()));
    }
    // The page reads its asset, and passes the row on.
    let is_missing = |ids: &Ids| shown.iter().any(|shown| !ids.iter().any(|name| name.as_str() == shown.as_str()));
    if changed.iter().chain(gone.iter()).any(is_shown) || snapshot_ids.as_ref().is_some_and(is_missing) {
        context.page.add(|stale| stale.record = true);
    }
    if changed.iter().any(|name| !is_shown(name)) || !gone.is_empty() || snapshot_ids.is_some() {
        context.rows.add(|stale| {
            for id in ids(changed).filter(|id| !shown.contains(id)) {
                stale.gone.remove(&id);
                stale.changed.insert(id);
            }
            for id in ids(gone) {
                stale.changed.remove(&id);
                stale.gone.insert(id);
            }
            if let Some(snapshot_ids) = snapshot_ids {
                stale.snapshot_ids = Some(ids(snapshot_ids).collect());
            }
            stale.bound();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(id: &str, deleted: bool) -> Change {
        Change { kind: StreamKind::Tags, id: id.to_owned(), deleted }
    }

    fn names(names: &[&str]) -> Ids {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_change_repeated_while_a_stream_starts_counts_as_changed() {
        let (mut beginning, mut batch) = (Some(Ids::default()), StreamBatch::default());
        take(vec![change("a", false), change("b", false), change("c", false)], &mut beginning, &mut batch);
        take(vec![change("a", false), change("b", true), change("d", false)], &mut beginning, &mut batch);
        assert_eq!(beginning, Some(names(&["a", "c", "d"])));
        assert_eq!(batch, StreamBatch { changed: names(&["a"]), gone: names(&["b"]), snapshot_ids: None });
    }

    #[test]
    fn overlong_ids_are_skipped() {
        let (mut beginning, mut batch) = (Some(Ids::default()), StreamBatch::default());
        let long = "a".repeat(LONGEST + 1);
        take(vec![change(&long, false), change(&long, true), change("b", false)], &mut beginning, &mut batch);
        assert_eq!((beginning, batch), (Some(names(&["b"])), StreamBatch::default()));
    }

    #[test]
    fn the_ids_of_a_stream_are_bounded_by_their_memory() {
        let batch = StreamBatch { changed: names(&["a"]), gone: names(&["b"]), snapshot_ids: None };
        let one = names(&["a"]).bytes();
        let beginning = Some(names(&["c"]));
        assert!(too_large(&beginning, &batch, one * 3 - 1) && !too_large(&beginning, &batch, one * 3));
        assert!(!too_large(&None, &batch, one * 2));
        let mut ids = names(&["a", "bb"]);
        ids.insert("bb".to_owned());
        ["bb", "c"].iter().for_each(|id| ids.remove(id));
        assert_eq!(ids.bytes(), one, "an id that is there twice is counted once");
    }

    #[test]
    fn the_last_change_of_an_item_counts() {
        let (mut beginning, mut batch) = (None, StreamBatch::default());
        take(
            vec![change("a", true), change("a", false), change("b", false), change("b", true)],
            &mut beginning,
            &mut batch,
        );
        assert_eq!(batch, StreamBatch { changed: names(&["a"]), gone: names(&["b"]), snapshot_ids: None });
    }

    #[test]
    fn backoff_jitter_adds_at_most_a_quarter() {
        let wait = Duration::from_secs(8);
        let jittered = jittered(wait, StreamKind::Tags);
        assert!(jittered >= wait && jittered < wait + wait / 4 + Duration::from_millis(1), "{jittered:?}");
    }
}
