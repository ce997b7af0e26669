//! Reads the graph and places its nodes in the background.

use std::sync::Arc;

use super::facts::{Facts, GraphContext};
use super::gather::gather;
use super::positions::{SavedPositions, place};
use super::state::LinkGraph;
use crate::context::{Context, Request};
use crate::listing::RowList;
use crate::listing::rows::AssetRow;
use crate::output::{GraphOutput, TaskOutput};
use crate::request_versions::ResourceKey;
use crate::{CallError, broken};

/// The maximum number of opened assets that are read.
const MAX_OPENED: usize = 100;

impl LinkGraph {
    /// Reads everything again.
    pub(crate) fn reload(&mut self, cx: &mut Context<'_>) {
        self.facts = Facts::default();
        self.read(cx);
    }

    /// Reads the missing records.
    pub(super) fn read(&mut self, cx: &mut Context<'_>) {
        cx.request_later(Request::ReadGraph);
    }

    /// Does the same with the list of assets, which has most names.
    pub(crate) fn read_with(&mut self, rows: RowList<AssetRow>, cx: &mut Context<'_>) {
        if self.start.is_empty() {
            return;
        }
        self.reload_pending = false;
        // The previous positions, so that nodes do not jump; a new graph has none.
        let before = self.shown.value().map(Arc::clone);
        self.shown.ask();
        let opened = cx.pages.of.iter().filter(|(_, page)| !page.gone && page.record.value().is_some());
        let opened = opened.map(|(id, _)| id.clone()).take(MAX_OPENED).collect();
        let known = GraphContext { rows, opened, own: cx.connection.own, now: jiff::Timestamp::now() };
        let (query, mut facts) = (self.query(), self.facts.clone());
        let kept = SavedPositions { placed: self.placed.clone(), pinned: self.pinned.clone() };
        let what = cx.numbered(ResourceKey::Graph, |read| TaskOutput::Graph(GraphOutput::Read(read)));
        let (client, failed, runtime) = (cx.client(), what.clone(), cx.runtime.setup.runtime.clone());
        let read = async move {
            let read = async {
                let graph = gather(&client?.for_run(), &query, &known, &mut facts).await?;
                let placed = runtime.spawn_blocking(move || place(graph, before.as_deref(), &kept)).await;
                let shown = placed.map_err(|error| broken(format!("the nodes could not be placed: {error}")))?;
                Ok::<_, CallError>(Box::new((facts, shown)))
            };
            what(read.await)
        };
        cx.start(read, |error| failed(Err(error)));
    }

    /// Reads the graph again; if a read is running, after it.
    pub(super) fn schedule_reload(&mut self, cx: &mut Context<'_>) {
        match self.shown.loading() {
            true => self.reload_pending = true,
            false => self.read(cx),
        }
    }
}
