//! The requests of the user to the graph.

use std::sync::Arc;

use super::drawing::drawing;
use super::facts::Facts;
use super::link::{Linkable, linkable};
use super::neighbourhood::MAX_NODES;
use super::node::{NodeKey, Start};
use super::state::LinkGraph;
use super::svg::svg;
use crate::Remote;
use crate::action::WriteAction;
use crate::change::Change;
use crate::context::Context;
use crate::event::{Event, RunEvent};
use crate::export::NotMade;
use crate::files::picture::Picture;
use crate::panel::Panel;
use crate::runs::BulkOperation;
use crate::settings::GraphFilter;
use lunette_client::model::id::AssetId;

/// A request of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Shows a graph with these start nodes.
    Start(Vec<Start>),
    /// Reads everything again.
    Reload,
    /// Sets the depth to one or two links.
    Hops(u8),
    /// Sets the filter.
    Filter(GraphFilter),
    /// Expands a node with more neighbours.
    Open(NodeKey),
    /// Pins a node at a position.
    Pin(NodeKey, [f32; 2]),
    /// Unpins a node.
    Unpin(NodeKey),
    /// Unpins all nodes and lays them out again.
    Arrange,
    /// Links two nodes: an asset and an item.
    Link(NodeKey, NodeKey),
    /// Removes the link between two nodes.
    Unlink(NodeKey, NodeKey),
    /// Shows the plan of an operation on these assets.
    Plan(BulkOperation, Vec<AssetId>),
    /// Saves the graph as an SVG file; the user chooses where.
    SaveSvg,
    /// Saves this picture of the graph; the user chooses where.
    SavePng(Arc<Picture>),
}

impl From<Action> for crate::Action {
    fn from(action: Action) -> Self {
        Self::Graph(action)
    }
}

impl LinkGraph {
    /// Carries out a request.
    pub(crate) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Start(start) => self.begin(start, cx),
            Action::Reload => self.reload(cx),
            Action::Hops(hops) => {
                self.hops = hops.clamp(1, 2);
                let hops = self.hops;
                cx.see(|view| view.graph.hops = hops);
                self.read(cx);
            }
            Action::Filter(filter) => {
                self.filter = filter.clone();
                cx.see(|view| view.graph.filter = filter);
                self.read(cx);
            }
            Action::Open(key) => self.open(key, cx),
            Action::Pin(key, at) => self.pin(key, at, cx),
            Action::Unpin(key) => {
                self.pinned.remove(&key.stored());
                self.save_pins(cx);
            }
            Action::Arrange => self.arrange(cx),
            Action::Link(one, other) => self.link(&one, &other, cx),
            Action::Unlink(one, other) => self.unlink(&one, &other, cx),
            Action::Plan(operation, assets) => cx.emit(RunEvent::Wanted(operation, assets)),
            Action::SaveSvg => self.save_svg(cx),
            Action::SavePng(picture) => {
                cx.save_made("graph.png", move || picture.png().map_err(NotMade::of_picture));
            }
        }
    }

    fn begin(&mut self, start: Vec<Start>, cx: &mut Context<'_>) {
        if start.is_empty() {
            return;
        }
        let kept = cx.preferences.view.graph.clone();
        self.leave();
        (self.start, self.hops, self.filter) = (start, kept.hops, kept.filter.clone());
        self.generation += 1;
        (self.pinned, self.placed) = (kept.pins(&self.stored()), kept.positions(&self.stored()));
        // The panel reads the graph when it is shown.
        cx.emit(Event::Show(Panel::Graph));
    }

    fn open(&mut self, key: NodeKey, cx: &mut Context<'_>) {
        if self.graph().is_some_and(|graph| graph.nodes.len() >= MAX_NODES) {
            let text = format!(
                "A graph has at most {MAX_NODES} nodes; choose “Start here” on a node to see more of its links"
            );
            return cx.show_hint(text);
        }
        self.opened.push(key);
        self.read(cx);
    }

    /// Reads the graph again, since it may have changed elsewhere.
    pub(crate) fn changed(&mut self, cx: &mut Context<'_>) {
        if !self.start.is_empty() {
            self.facts = Facts::default();
            self.schedule_reload(cx);
        }
    }

    /// Reads the links of a written asset again, if they are shown.
    pub(crate) fn written(&mut self, asset: &AssetId, cx: &mut Context<'_>) {
        self.facts.forget(asset);
        // If another panel is shown, the graph is read when the user returns.
        if !self.start.is_empty() && cx.preferences.view.panel == Panel::Graph {
            self.schedule_reload(cx);
        }
    }

    fn pin(&mut self, key: NodeKey, at: [f32; 2], cx: &mut Context<'_>) {
        if let Remote::Known(shown) | Remote::Loading { previous: Some(shown) } = &mut self.shown
            && let Some(index) = shown.graph.index_of(&key)
        {
            Arc::make_mut(shown).positions[index] = at;
            self.pinned.insert(key.stored(), at);
            self.save_pins(cx);
            self.save_positions(cx);
        }
    }

    fn arrange(&mut self, cx: &mut Context<'_>) {
        self.pinned.clear();
        self.placed.clear();
        self.save_pins(cx);
        // Without previous positions, all nodes are placed again.
        self.shown = Remote::NotRequested;
        self.generation += 1;
        self.read(cx);
    }

    /// Saves the positions of all nodes for the next time the graph is shown.
    pub(super) fn save_positions(&mut self, cx: &mut Context<'_>) {
        let Some(shown) = self.shown.value() else { return };
        let names = shown.graph.nodes.iter().map(|node| node.key.stored());
        self.placed = names.zip(shown.positions.iter().copied()).collect();
        let (positions, start) = (self.placed.clone(), self.stored());
        cx.see(|view| view.graph.save_positions(start, positions));
    }

    fn save_pins(&self, cx: &mut Context<'_>) {
        let (pins, start) = (self.pinned.clone(), self.stored());
        cx.see(|view| view.graph.pin(start, pins));
    }

    fn link(&mut self, one: &NodeKey, other: &NodeKey, cx: &mut Context<'_>) {
        match self.graph().map(|graph| linkable(graph, one, other)) {
            Some(Linkable::Yes(asset, item)) => cx.request(WriteAction::Change(Change::Link { asset, item })),
            Some(Linkable::Linked(..)) => cx.show_hint("They are already linked".to_owned()),
            Some(Linkable::No(why)) => cx.show_hint(why.to_owned()),
            None => {}
        }
    }

    fn unlink(&mut self, one: &NodeKey, other: &NodeKey, cx: &mut Context<'_>) {
        match self.graph().map(|graph| linkable(graph, one, other)) {
            Some(Linkable::Linked(asset, item)) => cx.request(WriteAction::Change(Change::Unlink { asset, item })),
            Some(Linkable::Yes(..)) => cx.show_hint("They are not linked".to_owned()),
            Some(Linkable::No(why)) => cx.show_hint(why.to_owned()),
            None => {}
        }
    }

    fn save_svg(&self, cx: &mut Context<'_>) {
        let Some(shown) = self.shown.value().cloned() else { return };
        cx.save_made("graph.svg", move || Ok(svg(&drawing(&shown)).into_bytes()));
    }
}
