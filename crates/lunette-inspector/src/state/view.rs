//! What the window shows, for the sync tasks.

use std::sync::Arc;

use super::State;
use crate::Remote;
use crate::assets::page::AssetPage;
use crate::change::{Item, LinkKind};
use crate::run::RunStatus;
use crate::session::Status;
use crate::sync::{PageSight, ViewSnapshot};
use lunette_client::model::id::AssetId;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsSnapshot;

impl State {
    /// What is in view.
    pub(crate) fn in_view(&self) -> ViewSnapshot {
        let sight = |(id, page): (&AssetId, &AssetPage)| PageSight {
            id: id.clone(),
            record: page.record.value().cloned(),
            busy: self.write.of(id).writing || page.record.loading(),
            activities: page.activities.value().is_some(),
            conversations: page.conversations.value().is_some(),
        };
        let items = |(kind, items): (&LinkKind, &Remote<Arc<Vec<Item>>>)| Some((*kind, known(items)?));
        ViewSnapshot {
            panel: self.navigation.panel,
            up: self.connection.status == Status::Up,
            attended: self.sync.attended(),
            running: self.bulk.runs.values().any(|run| run.status == RunStatus::Running),
            rows: known(&self.assets.list.rows),
            lists_assets: self.connection.offers(AssetsSnapshot::INFO),
            query: self.assets.list.query.clone(),
            hits: self.assets.hits(),
            pages: self.assets.pages.shown().map(sight).collect(),
            linkable: self.assets.linkable.iter().filter_map(items).collect(),
            applications: known(&self.applications.list.rows),
            application: self.applications.open.as_ref().map(|page| (page.id.clone(), page.record.value().cloned())),
        }
    }
}

fn known<T: Clone>(remote: &Remote<T>) -> Option<T> {
    match remote {
        Remote::Known(value) => Some(value.clone()),
        Remote::NotRequested | Remote::Loading { .. } | Remote::Failed { .. } => None,
    }
}
