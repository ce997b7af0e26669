//! Updates the shown assets: they are read again after a change, but never while a write to one of them is in progress.

use std::sync::Arc;

use crate::change::fingerprint::lasting;
use crate::listing::rows::AssetRow;
use crate::sync::snapshot::PageSight;
use crate::sync::{RemoteChange, SyncContext};
use lunette_client::client::CallError;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetSnapshot, AssetSpecificAssetActivities, AssetSpecificAssetConversations};

/// What may be outdated in the pages.
#[derive(Debug, Default)]
pub(crate) struct Invalidation {
    pub record: bool,
    pub activities: bool,
    pub conversations: bool,
}

/// Updates the pages as long as the connection is used.
pub(super) async fn keep(context: Arc<SyncContext>) {
    let mut view = context.view.clone();
    loop {
        context.page.filled().await;
        let free = view.wait_for(|view| !view.pages.iter().any(|page| page.busy) && !view.running).await;
        let Ok(pages) = free.map(|view| view.pages.clone()) else { return };
        let Some(stale) = context.page.try_take() else { continue };
        for page in pages {
            update(&context, &stale, page).await;
        }
    }
}

/// Reads what may be outdated in a page.
async fn update(context: &SyncContext, stale: &Invalidation, page: PageSight) {
    if stale.record {
        read(context, &page).await;
    }
    if stale.activities && page.activities {
        let call = AssetSpecificAssetActivities { asset: page.id.clone(), transferables: Some(false) };
        if let Ok(activities) = context.client.call(call).await {
            context.send(RemoteChange::Activities(page.id.clone(), Arc::new(activities)));
        }
    }
    if stale.conversations && page.conversations {
        let call = AssetSpecificAssetConversations { asset: page.id.clone(), transferables: Some(false) };
        if let Ok(conversations) = context.client.call(call).await {
            context.send(RemoteChange::Conversations(page.id, Arc::new(conversations)));
        }
    }
}

/// Reads the asset. If that fails, the page stays as it is; the error is shown when the user reloads it.
async fn read(context: &SyncContext, page: &PageSight) {
    let read = context.client.call(AssetSnapshot { asset: page.id.clone(), transferables: Some(false) }).await;
    match read {
        Ok(record) => {
            if let Some(row) = AssetRow::of(record.view()) {
                context.rows.add(|stale| stale.read.push(Arc::new(row)));
            }
            compare(context, page, Arc::new(record));
        }
        Err(CallError::Status { status: 404 | 410, .. }) => {
            context.rows.add(|stale| {
                stale.gone.insert(page.id.clone());
            });
            context.send(RemoteChange::Gone(page.id.clone()));
        }
        Err(_) => {}
    }
}

/// Sends the record if it differs from the one shown.
fn compare(context: &SyncContext, page: &PageSight, record: Arc<Asset>) {
    let edited = match &page.record {
        Some(before) if before.tree() == record.tree() => return,
        Some(before) => lasting(before.tree()) != lasting(record.tree()),
        None => false,
    };
    context.send(RemoteChange::Asset { id: page.id.clone(), record, edited });
}
