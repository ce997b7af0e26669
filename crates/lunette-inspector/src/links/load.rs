//! Reads the lists, and the record of the item that is open.
//!
//! What must hold: however often other clients change something, the shown list is read at a limited rate, and others
//! when they are shown: the service counts the assets of each item.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Links, Output, read};
use crate::change::LinkKind;
use crate::context::Context;
use crate::request_versions::ResourceKey;
use crate::tasks;
use crate::{CallError, Remote, internal_error};

/// The minimum time between two reads of a list that other clients change.
const MIN_INTERVAL: Duration = Duration::from_secs(1);

impl Links {
    pub(crate) fn load(&mut self, kind: LinkKind, cx: &mut Context<'_>) {
        self.outdated.remove(&kind);
        self.read_at = Some(Instant::now());
        self.list_mut(kind).rows.start_loading();
        let (client, vendor) = (cx.client(), cx.connection.vendor);
        let read = async move { read::list(&client?.with_json_limit(read::LONG_LIST), kind, vendor).await };
        cx.read(ResourceKey::Links(kind), read, move |rows| Output::Listed(kind, rows));
    }

    /// Reads the shown list again, and the others when they are shown.
    pub(crate) fn reload(&mut self, cx: &mut Context<'_>) {
        self.mark_outdated(LinkKind::ALL);
        if self.outdated.contains(&self.kind) {
            self.load(self.kind, cx);
        }
        self.load_record(cx);
        self.reload_activity(cx);
    }

    /// Marks these lists as changed by other clients.
    pub(crate) fn mark_outdated(&mut self, kinds: impl IntoIterator<Item = LinkKind>) {
        let read = kinds.into_iter().filter(|kind| self.lists[kind].rows != Remote::NotRequested);
        self.outdated.extend(read);
    }

    /// Reads the shown list if it changed: now, or once the minimum time has passed.
    pub(crate) fn catch_up(&mut self, cx: &mut Context<'_>) {
        if self.due || !self.outdated.contains(&self.kind) || self.shown().rows.loading() {
            return;
        }
        let wait = self.read_at.map_or(Duration::ZERO, |at| MIN_INTERVAL.saturating_sub(at.elapsed()));
        if wait.is_zero() {
            self.load(self.kind, cx);
            self.load_record(cx);
            return self.reload_activity(cx);
        }
        self.due = true;
        cx.run(tasks::wait(wait), |_| Output::Due);
    }

    /// Reads the record of the item that is open, and which assets it has.
    pub(super) fn load_record(&mut self, cx: &mut Context<'_>) {
        self.load_assets(cx);
        let Some(page) = &mut self.open else { return };
        page.record.start_loading();
        let id = page.item.id.clone();
        let (client, vendor) = (cx.client(), cx.connection.vendor);
        let read = async move {
            let call = id
                .read_call(vendor.is_lunette().then_some(false))
                .map_err(|problem| internal_error(problem.to_string()))?;
            let exchange = client?.with_json_limit(read::LONG_LIST).exchange(&call).await;
            Ok::<_, CallError>(Arc::new(exchange.outcome?.to_tree()))
        };
        cx.read(ResourceKey::Link, read, Output::Read);
    }
}
