//! Reads the graph and places its nodes in the background.

use std::sync::Arc;

use super::Output;
use super::facts::{Facts, GraphContext};
use super::gather::gather;
use super::positions::{SavedPositions, place};
use super::state::LinkGraph;
use crate::CallError;
use crate::assets::page::OpenAssets;
use crate::context::Context;
use crate::event::Event;
use crate::listing::RowList;
use crate::listing::rows::AssetRow;
use crate::request_versions::ResourceKey;
use crate::tasks::blocking;

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
        cx.emit(Event::ReadGraph);
    }

    /// Does the same with the list of assets, which has most names.
    pub(crate) fn read_with(&mut self, rows: RowList<AssetRow>, pages: &OpenAssets, cx: &mut Context<'_>) {
        if self.start.is_empty() {
            return;
        }
        self.reload_pending = false;
        // The previous positions, so that nodes do not jump; a new graph has none.
        let before = self.shown.value().map(Arc::clone);
        self.shown.start_loading();
        let opened = pages.of.iter().filter(|(_, page)| !page.gone && page.record.value().is_some());
        let opened = opened.map(|(id, _)| id.clone()).take(MAX_OPENED).collect();
        let known = GraphContext { rows, opened, vendor: cx.connection.vendor, now: jiff::Timestamp::now() };
        let (query, mut facts) = (self.query(), self.facts.clone());
        let kept = SavedPositions { placed: self.placed.clone(), pinned: self.pinned.clone() };
        let client = cx.client();
        let read = async move {
            let graph = gather(&client?.for_run(), &query, &known, &mut facts).await?;
            let shown = blocking(move || place(graph, before.as_deref(), &kept)).await?;
            Ok::<_, CallError>(Box::new((facts, shown)))
        };
        cx.read(ResourceKey::Graph, read, Output::Read);
    }

    /// Reads the graph again; if a read is running, after it.
    pub(super) fn schedule_reload(&mut self, cx: &mut Context<'_>) {
        match self.shown.loading() {
            true => self.reload_pending = true,
            false => self.read(cx),
        }
    }
}
