//! Updates the short lists: tracked applications, and the items that assets can be linked to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::time::Instant;

use crate::applications::read;
use crate::assets::linkable;
use crate::change::{Item, LinkKind};
use crate::sync::ids::Ids;
use crate::sync::snapshot::ViewSnapshot;
use crate::sync::{LiveUpdates, RemoteChange, SyncContext, SyncStatus};
use lunette_client::client::StreamKind;
use lunette_client::model::id::ApplicationId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::ApplicationsSpecificApplicationSnapshot;

/// Up to this many items of a list are read one by one.
const SINGLE: usize = 8;
/// Our choice: more changes than this are not collected one by one while a list is read.
const KEPT: usize = 10_000;

/// What may be outdated in the lists.
#[derive(Debug, Default)]
pub(crate) struct Invalidation {
    /// Lists that must be reloaded.
    pub kinds: BTreeSet<StreamKind>,
    /// Items that were changed or created.
    pub changed: BTreeMap<StreamKind, Ids>,
    /// Items that were deleted.
    pub gone: BTreeMap<StreamKind, Ids>,
    /// The initial snapshot of a stream.
    pub snapshot_ids: BTreeMap<StreamKind, Ids>,
}

impl Invalidation {
    /// Drops single changes of a list if there are too many, and marks the whole list as outdated instead.
    pub fn bound(&mut self, kind: StreamKind) {
        let count = |changes: &BTreeMap<StreamKind, Ids>| changes.get(&kind).map_or(0, Ids::len);
        if count(&self.changed) + count(&self.gone) > KEPT {
            self.changed.remove(&kind);
            self.gone.remove(&kind);
            self.kinds.insert(kind);
        }
    }
}

/// Updates the lists as long as the connection is used.
pub(super) async fn keep(context: Arc<SyncContext>) {
    loop {
        context.lists.filled().await;
        let Some(Invalidation { mut kinds, changed, mut gone, snapshot_ids }) = context.lists.try_take() else {
            continue;
        };
        let view = context.view.borrow().clone();
        kinds.extend(
            snapshot_ids
                .into_iter()
                .filter(|(kind, snapshot_ids)| !knows(&view, *kind, snapshot_ids))
                .map(|(kind, _)| kind),
        );
        let begun = Instant::now();
        for (kind, changed) in changed {
            let gone = gone.remove(&kind).unwrap_or_default();
            if !kinds.contains(&kind) && !read_single(&context, kind, changed, gone, &view).await {
                kinds.insert(kind);
            }
        }
        for kind in kinds {
            match link_kind(kind) {
                Some(link) => read_items(&context, link, &view).await,
                None => read_applications(&context, &view).await,
            }
        }
        // For a list that changes all the time, half of the time is spent waiting.
        tokio::time::sleep(context.pace.gather.max(begun.elapsed() * 2)).await;
    }
}

fn link_kind(kind: StreamKind) -> Option<LinkKind> {
    match kind {
        StreamKind::Tags => Some(LinkKind::Tag),
        StreamKind::Websites => Some(LinkKind::Website),
        StreamKind::WorkstreamSummaries => Some(LinkKind::Summary),
        StreamKind::Applications | StreamKind::Assets | StreamKind::Conversations | StreamKind::Activities => None,
    }
}

impl LiveUpdates {
    /// Whether a stream keeps the items of a kind current.
    pub(crate) fn follows_items(&self, kind: LinkKind) -> bool {
        let of_kind = |stream: &StreamKind| link_kind(*stream) == Some(kind);
        SyncStatus::KINDS.into_iter().filter(of_kind).any(|stream| self.status.follows(stream))
    }
}

/// Whether a list has exactly these items. A list that is not loaded yet counts as current.
fn knows(view: &ViewSnapshot, kind: StreamKind, snapshot_ids: &Ids) -> bool {
    let same = |ids: BTreeSet<&str>| ids.into_iter().eq(snapshot_ids.iter().map(String::as_str));
    match link_kind(kind) {
        Some(link) => {
            view.linkable.get(&link).is_none_or(|items| same(items.iter().map(|item| item.id.as_str()).collect()))
        }
        None => {
            let rows = view.applications.as_ref();
            rows.is_none_or(|rows| same(rows.iter().map(|row| row.id.as_str()).collect()))
        }
    }
}

async fn read_items(context: &SyncContext, kind: LinkKind, view: &ViewSnapshot) {
    let Some(known) = view.linkable.get(&kind) else { return };
    if let Ok(items) = linkable::items(&context.client, kind, context.identity.vendor()).await
        && **known != items
    {
        context.send(RemoteChange::Linkable(kind, Arc::new(items)));
    }
}

/// Updates single items: a link that was added or removed changes its item, and the whole list may name every asset.
/// Returns false if the list must be reloaded after all.
async fn read_single(context: &SyncContext, kind: StreamKind, changed: Ids, gone: Ids, view: &ViewSnapshot) -> bool {
    let Some(link) = link_kind(kind) else { return false };
    let Some(known) = view.linkable.get(&link) else { return true };
    // The service decides where a new item belongs in the list.
    let listed = changed.iter().all(|id| known.iter().any(|item| item.id == **id));
    if changed.len() > SINGLE || !listed {
        return false;
    }
    let mut items: Vec<Item> = known.iter().filter(|item| !gone.contains(&item.id)).cloned().collect();
    for item in items.iter_mut().filter(|item| changed.contains(&item.id)) {
        match linkable::item(&context.client, link, &item.id, context.identity.vendor()).await {
            Ok(now) => *item = now,
            Err(_) => return false,
        }
    }
    if **known != items {
        context.send(RemoteChange::Linkable(link, Arc::new(items)));
    }
    true
}

async fn read_applications(context: &SyncContext, view: &ViewSnapshot) {
    if let Some(known) = &view.applications
        && let Ok(rows) = read::applications(&context.client).await
        && !known.iter().eq(&rows)
    {
        context.send(RemoteChange::Applications(rows.into()));
    }
    if let Some((id, before)) = &view.application
        && let Ok(application) = id.parse::<ApplicationId>()
        && let Ok(record) = context.client.call(ApplicationsSpecificApplicationSnapshot { application }).await
        && before.as_ref().is_none_or(|before| before.tree() != record.tree())
    {
        context.send(RemoteChange::Application(id.clone(), Arc::new(record)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_changes_of_a_list_become_a_reload_of_it() {
        let ids = |count: usize| (0..count).map(|id| id.to_string()).collect::<Ids>();
        let mut stale = Invalidation::default();
        stale.changed.insert(StreamKind::Tags, ids(KEPT));
        stale.bound(StreamKind::Tags);
        assert!(stale.kinds.is_empty());
        stale.gone.insert(StreamKind::Tags, ids(1));
        stale.bound(StreamKind::Websites);
        stale.bound(StreamKind::Tags);
        assert_eq!((stale.kinds.len(), stale.changed.len(), stale.gone.len()), (1, 0, 0));
    }
}
