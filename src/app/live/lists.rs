//! The short lists, kept as the service has them: tracked applications, and what assets can be linked to.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::time::Instant;

use crate::app::change::LinkKind;
use crate::app::live::sight::Sight;
use crate::app::live::{Desk, News};
use crate::app::load;
use crate::client::StreamKind;
use crate::model::id::ApplicationId;
use crate::model::record::Record as _;
use crate::operation::table::ApplicationsSpecificApplicationSnapshot;

/// What of the lists may no longer be so.
#[derive(Debug, Default)]
pub(in crate::app) struct Stale {
    pub kinds: BTreeSet<StreamKind>,
    /// All that is there, as a stream told it when it began.
    pub there: BTreeMap<StreamKind, BTreeSet<String>>,
}

/// Keeps the lists as long as the connection is used.
pub(super) async fn keep(desk: Arc<Desk>) {
    loop {
        desk.lists.filled().await;
        let Some(Stale { mut kinds, there }) = desk.lists.try_take() else { continue };
        let sight = desk.sight.borrow().clone();
        kinds.extend(there.into_iter().filter(|(kind, there)| !knows(&sight, *kind, there)).map(|(kind, _)| kind));
        let begun = Instant::now();
        for kind in kinds {
            match link_kind(kind) {
                Some(link) => read_items(&desk, link, &sight).await,
                None => read_applications(&desk, &sight).await,
            }
        }
        // A list that changes all the time is read a part of the time.
        tokio::time::sleep(desk.pace.gather.max(begun.elapsed() * 2)).await;
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

/// Whether a list has the things there are and no other; one that is not read yet will have them.
fn knows(sight: &Sight, kind: StreamKind, there: &BTreeSet<String>) -> bool {
    let same = |ids: BTreeSet<&str>| ids.into_iter().eq(there.iter().map(String::as_str));
    match link_kind(kind) {
        Some(link) => {
            sight.linkable.get(&link).is_none_or(|items| same(items.iter().map(|item| item.id.as_str()).collect()))
        }
        None => {
            let rows = sight.applications.as_ref();
            rows.is_none_or(|rows| same(rows.iter().map(|row| row.id.as_str()).collect()))
        }
    }
}

async fn read_items(desk: &Desk, kind: LinkKind, sight: &Sight) {
    let Some(known) = sight.linkable.get(&kind) else { return };
    if let Ok(items) = load::items(&desk.wire, kind).await
        && **known != items
    {
        desk.tell(News::Linkable(kind, Arc::new(items)));
    }
}

async fn read_applications(desk: &Desk, sight: &Sight) {
    if let Some(known) = &sight.applications
        && let Ok(rows) = load::applications(&desk.wire).await
        && **known != rows
    {
        desk.tell(News::Applications(Arc::new(rows)));
    }
    if let Some((id, before)) = &sight.application
        && let Ok(application) = id.parse::<ApplicationId>()
        && let Ok(record) = desk.wire.call(ApplicationsSpecificApplicationSnapshot { application }).await
        && before.as_ref().is_none_or(|before| before.tree() != record.tree())
    {
        desk.tell(News::Application(id.clone(), Arc::new(record)));
    }
}
