//! Reads the lists, and the record of the item that is open.
//!
//! What must hold: however often other clients change something, the shown list is read at a limited rate, and others
//! when they are shown: the service counts the assets of each item.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Links, read};
use crate::change::LinkKind;
use crate::context::Context;
use crate::output::{LinksOutput, TaskOutput};
use crate::request_versions::ResourceKey;
use crate::{Remote, broken};

/// The minimum time between two reads of a list that other clients change.
const MIN_INTERVAL: Duration = Duration::from_secs(1);

impl Links {
    pub(crate) fn load(&mut self, kind: LinkKind, cx: &mut Context<'_>) {
        self.outdated.remove(&kind);
        self.read_at = Some(Instant::now());
        self.list_mut(kind).rows.ask();
        let what =
            cx.numbered(ResourceKey::Links(kind), move |rows| TaskOutput::Links(LinksOutput::Listed(kind, rows)));
        let (client, own, failed) = (cx.client(), cx.connection.own, what.clone());
        let read = async move {
            what(match client {
                Ok(client) => read::list(&client.with_json_limit(read::LONG_LIST), kind, own).await,
                Err(error) => Err(error),
            })
        };
        cx.start(read, |error| failed(Err(error)));
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
        let read = kinds.into_iter().filter(|kind| self.lists[kind].rows != Remote::Unasked);
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
        let due = || TaskOutput::Links(LinksOutput::Due);
        let sleep = async move {
            tokio::time::sleep(wait).await;
            due()
        };
        cx.start(sleep, move |_| due());
    }

    /// Reads the record of the item that is open.
    pub(super) fn load_record(&mut self, cx: &mut Context<'_>) {
        let Some(page) = &mut self.open else { return };
        page.record.ask();
        let id = page.item.id.clone();
        let what = cx.numbered(ResourceKey::Link, |record| TaskOutput::Links(LinksOutput::Read(record)));
        let (client, own, failed) = (cx.client(), cx.connection.own, what.clone());
        let read = async move {
            what(
                async {
                    let call = id.read_call(own.then_some(false)).map_err(|problem| broken(problem.to_string()))?;
                    Ok(Arc::new(client?.with_json_limit(read::LONG_LIST).exchange(&call).await.outcome?.to_tree()))
                }
                .await,
            )
        };
        cx.start(read, |error| failed(Err(error)));
    }
}
