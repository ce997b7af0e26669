//! Updates the list of assets: few rows are read one by one, many by pages.
//!
//! What must hold: a long list is not compared, merged or sorted on the window's thread; for a list that changes all
//! the time, at most half of the time is spent reading.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use tokio::time::Instant;

use crate::assets::load::{PagedList, apply_query_and_hits};
use crate::assets::row_updates::{RowUpdates, merged};
use crate::assets::search::Hits;
use crate::listing::rows::AssetRow;
use crate::listing::{Arrangement, Query};
use crate::sync::snapshot::{Rows, ViewSnapshot};
use crate::sync::{RemoteChange, SyncContext};
use crate::tasks::{Ended, blocking};
use lunette_client::client::CallError;
use lunette_client::model::id::{AssetId, CompactId};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;

/// Up to this many rows are read one by one.
const SINGLE: usize = 200;
/// How many are read concurrently.
const IN_FLIGHT: usize = 4;
/// Our choice: more changes than this are not collected one by one while the list is read.
const KEPT: usize = 100_000;
/// In a reloaded list of more rows than this, links are not compared and count as changed.
const MAX_COMPARED: usize = 10_000;
/// The minimum time between two reloads of the whole list.
const BETWEEN: Duration = Duration::from_secs(1);

/// Updated rows, and which of them are shown.
pub struct NewRows {
    /// The rows before the update.
    pub(crate) base: Rows,
    pub(crate) rows: Rows,
    /// The query that they are shown for.
    pub(crate) query: Query,
    pub(crate) hits: Option<Arc<Hits>>,
    /// The rows that are shown.
    pub(crate) shown: Arrangement,
    /// What to read again if the rows changed meanwhile.
    pub(crate) again: Invalidation,
    /// Whether assets are linked to other items than before, as far as that is known.
    pub(crate) linked: bool,
}

impl NewRows {
    /// How many rows there are.
    pub fn count(&self) -> usize {
        self.rows.len()
    }
}

/// What may be outdated in the list.
#[derive(Debug, Default)]
pub(crate) struct Invalidation {
    pub changed: HashSet<AssetId>,
    pub gone: HashSet<AssetId>,
    /// Rows that were read already.
    pub read: Vec<Arc<AssetRow>>,
    /// The initial snapshot of a stream.
    pub snapshot_ids: Option<HashSet<AssetId>>,
    /// Anything may have changed.
    pub whole: bool,
    /// The first page of the list must be reloaded.
    pub beginning: bool,
}

impl Invalidation {
    /// Drops single changes if there are too many, and marks the whole list as outdated instead.
    pub fn bound(&mut self) {
        if self.changed.len() + self.gone.len() > KEPT {
            self.changed = HashSet::new();
            self.gone = HashSet::new();
            self.whole = true;
        }
    }

    /// Adds earlier changes; later ones take precedence.
    pub fn add(&mut self, earlier: Self) {
        let Self { changed, gone, mut read, snapshot_ids, whole, beginning } = earlier;
        self.gone.extend(gone.into_iter().filter(|id| !self.changed.contains(id)));
        self.changed.extend(changed.into_iter().filter(|id| !self.gone.contains(id)));
        read.append(&mut self.read);
        self.read = read;
        self.snapshot_ids = self.snapshot_ids.take().or(snapshot_ids);
        self.whole |= whole;
        self.beginning |= beginning;
    }
}

/// Updates the list as long as the connection is used.
pub(super) async fn keep(context: Arc<SyncContext>) {
    let mut view = context.view.clone();
    let mut whole_read: Option<Instant> = None;
    loop {
        context.rows.filled().await;
        let Ok(now) = view.wait_for(|view| view.rows.is_some() && !view.running).await.map(|now| now.clone()) else {
            return;
        };
        let (Some(stale), Some(base)) = (context.rows.try_take(), now.rows.clone()) else { continue };
        let Some(wanted) = wanted(&now, base, stale).await else { continue };
        let whole = wanted.whole;
        if whole && let Some(until) = whole_read {
            tokio::time::sleep_until(until).await;
            // The same reload covers the changes that arrived meanwhile.
            context.rows.try_take();
        }
        let begun = Instant::now();
        let better = match whole {
            true => read_whole(&context).await,
            false => read_single(&context, wanted, &now).await,
        };
        if let Some(better) = better {
            show(&context, better).await;
        }
        let took = begun.elapsed();
        if whole {
            whole_read = Some(Instant::now() + took.max(BETWEEN));
        } else {
            tokio::time::sleep(took).await;
        }
    }
}

/// What to read.
#[derive(Default)]
struct Wanted {
    single: Vec<AssetId>,
    better: RowUpdates,
    whole: bool,
    beginning: bool,
}

/// Determines what to read; `None` if nothing.
async fn wanted(now: &ViewSnapshot, base: Rows, stale: Invalidation) -> Option<Wanted> {
    let lists = now.lists_assets;
    let work = move || {
        let Invalidation { changed, mut gone, mut read, snapshot_ids, whole, beginning } = stale;
        let mut single: HashSet<AssetId> = changed;
        let is_known = |id: &AssetId| base.index_of(id).is_some();
        read.retain(|row| !row.pseudo || is_known(&row.id()));
        if let Some(snapshot_ids) = snapshot_ids {
            let known: HashSet<CompactId> = base.iter().map(|row| row.compact_id()).collect();
            gone.extend(base.iter().map(|row| row.id()).filter(|id| !snapshot_ids.contains(id)));
            single.extend(snapshot_ids.into_iter().filter(|id| !known.contains(&id.into())));
        }
        if !lists {
            single.retain(is_known);
        }
        let whole = lists && (whole || single.len() > SINGLE);
        let better = RowUpdates { read, gone, whole: false, adds: lists };
        Wanted { single: single.into_iter().take(SINGLE).collect(), better, whole, beginning: beginning && lists }
    };
    let wanted = off_thread(work).await?;
    let Wanted { single, better, whole, beginning } = &wanted;
    let nothing = single.is_empty() && better.read.is_empty() && better.gone.is_empty() && !whole && !beginning;
    (!nothing).then_some(wanted)
}

impl SyncContext {
    /// The pages of the list.
    fn pages(&self) -> PagedList {
        PagedList::new(self.client.clone()).of_vendor(self.identity.vendor())
    }
}

/// Reads the whole list. Returns `None` if that fails; the next change tries again.
async fn read_whole(context: &SyncContext) -> Option<RowUpdates> {
    let mut pages = context.pages();
    let mut read = Vec::new();
    while let Some(page) = pages.next().await {
        read.append(&mut page.ok()?);
    }
    // A row missing from the list may exist on its own.
    let whole = pages.left_out().is_empty();
    Some(RowUpdates { read, gone: HashSet::new(), whole, adds: true })
}

/// Reads single rows, a few at a time, and the first page of the list if it may be outdated.
async fn read_single(context: &SyncContext, wanted: Wanted, now: &ViewSnapshot) -> Option<RowUpdates> {
    let Wanted { single, mut better, beginning, .. } = wanted;
    if beginning {
        let mut pages = context.pages();
        let page = pages.next().await?.ok()?;
        better.whole = pages.over();
        better.read.extend(page);
    }
    let read = |id: AssetId| async move {
        let call = AssetSnapshot { asset: id.clone(), transferables: Some(false) };
        (id, context.client.call(call).await)
    };
    let mut answers = stream::iter(single.into_iter().map(read)).buffer_unordered(IN_FLIGHT);
    while let Some((id, answer)) = answers.next().await {
        match answer {
            Ok(asset) => better.read.extend(AssetRow::of(asset.view()).filter(|row| enters(row, now)).map(Arc::new)),
            Err(CallError::Status { status: 404 | 410, .. }) => {
                better.gone.insert(id);
            }
            Err(_) => {}
        }
    }
    Some(better)
}

/// Whether a single asset may be in the list: one that was never saved is there only if the service lists it.
fn enters(row: &AssetRow, now: &ViewSnapshot) -> bool {
    !row.pseudo || now.rows.as_ref().is_some_and(|rows| rows.index_of_compact(row.compact_id()).is_some())
}

/// Merges in the background, and sends the rows if they differ.
async fn show(context: &SyncContext, better: RowUpdates) {
    let now = context.view.borrow().clone();
    let again = Invalidation {
        gone: better.gone.clone(),
        read: if better.whole { Vec::new() } else { better.read.clone() },
        whole: better.whole,
        ..Invalidation::default()
    };
    let Some(base) = now.rows else {
        // The list is being reloaded, and its response may be older than these rows.
        return context.rows.add(|stale| stale.add(again));
    };
    let (query, hits) = (now.query, now.hits);
    let work = move || {
        let linked = links_differ(&base, &better);
        let rows = merged(&base, better)?;
        let shown = apply_query_and_hits(&rows, &query, hits.as_deref());
        Some(Box::new(NewRows { base, rows, query, hits, shown, again, linked }))
    };
    if let Some(Some(new)) = off_thread(work).await {
        context.send(RemoteChange::Rows(new));
    }
}

/// Whether the links of assets may have changed. A long list that was reloaded is not compared.
fn links_differ(base: &Rows, better: &RowUpdates) -> bool {
    let differ =
        |now: &AssetRow, before: Option<&AssetRow>| before.map_or(now.is_linked(), |before| !before.has_links_of(now));
    if !better.whole {
        let before = |row: &AssetRow| base.get(base.index_of_compact(row.compact_id())?).map(Arc::as_ref);
        return !better.gone.is_empty() || better.read.iter().any(|row| differ(row, before(row)));
    }
    if base.len().max(better.read.len()) > MAX_COMPARED {
        return true;
    }
    let now: HashMap<_, &AssetRow> = better.read.iter().map(|row| (row.compact_id(), row.as_ref())).collect();
    let mut before: HashMap<_, &AssetRow> = base.iter().map(|row| (row.compact_id(), row.as_ref())).collect();
    now.into_iter().any(|(id, row)| differ(row, before.remove(&id))) || before.values().any(|row| row.is_linked())
}

/// The result of work on a thread of its own; `None` when the program ends. A panic of it becomes a panic of this task,
/// which is reported.
async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    match blocking(work).await {
        Ok(result) => Some(result),
        Err(Ended::Panicked(text)) => std::panic::panic_any(text),
        Err(Ended::Cancelled) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_changes_become_a_full_reload() {
        let ids = |range: std::ops::Range<usize>| range.map(|index| AssetRow::sample(index).id()).collect();
        let mut stale = Invalidation { changed: ids(0..KEPT), ..Invalidation::default() };
        stale.bound();
        assert_eq!((stale.changed.len(), stale.whole), (KEPT, false));
        stale.gone = ids(KEPT..KEPT + 1);
        stale.bound();
        assert_eq!((stale.changed.len(), stale.gone.len(), stale.whole), (0, 0, true));
    }
}
