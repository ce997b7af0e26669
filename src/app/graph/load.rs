//! Reads the graph and places its nodes, both away from the window's thread.

use std::sync::Arc;

use super::facts::{Facts, Known};
use super::gather::gather;
use super::places::{Kept, place};
use super::state::LinkGraph;
use crate::app::context::{Context, Request};
use crate::app::listing::RowList;
use crate::app::listing::rows::AssetRow;
use crate::app::output::{GraphOutput, TaskOutput};
use crate::app::request_versions::ResourceKey;
use crate::app::{CallError, broken};

/// More opened assets are not looked at.
const MOST_OPENED: usize = 100;

impl LinkGraph {
    /// Reads everything anew.
    pub(in crate::app) fn reload(&mut self, cx: &mut Context<'_>) {
        self.facts = Facts::default();
        self.read(cx);
    }

    /// Reads what is missing; what was read stays.
    pub(super) fn read(&mut self, cx: &mut Context<'_>) {
        cx.request_later(Request::ReadGraph);
    }

    /// The same, with the list of assets, which names most of them.
    pub(in crate::app) fn read_with(&mut self, rows: RowList<AssetRow>, cx: &mut Context<'_>) {
        if self.start.is_empty() {
            return;
        }
        self.again = false;
        // Where everything was, so that nothing jumps; a graph that begins has no such.
        let before = self.shown.value().map(Arc::clone);
        self.shown.ask();
        let opened = cx.pages.of.iter().filter(|(_, page)| !page.gone && page.record.value().is_some());
        let opened = opened.map(|(id, _)| id.clone()).take(MOST_OPENED).collect();
        let known = Known { rows, opened, own: cx.connection.own, now: jiff::Timestamp::now() };
        let (query, mut facts) = (self.query(), self.facts.clone());
        let kept = Kept { placed: self.placed.clone(), pinned: self.pinned.clone() };
        let what = cx.numbered(ResourceKey::Graph, |read| TaskOutput::Graph(GraphOutput::Read(read)));
        let (client, failed, runtime) = (cx.client(), what.clone(), cx.runtime.setup.runtime.clone());
        let read = async move {
            let read = async {
                let graph = gather(&client?, &query, &known, &mut facts).await?;
                let placed = runtime.spawn_blocking(move || place(graph, before.as_deref(), &kept)).await;
                let shown = placed.map_err(|error| broken(format!("the nodes could not be placed: {error}")))?;
                Ok::<_, CallError>(Box::new((facts, shown)))
            };
            what(read.await)
        };
        cx.start(read, |error| failed(Err(error)));
    }

    /// Reads once more what may have changed; if it is being read, as soon as that ends.
    pub(super) fn read_again(&mut self, cx: &mut Context<'_>) {
        match self.shown.loading() {
            true => self.again = true,
            false => self.read(cx),
        }
    }
}
