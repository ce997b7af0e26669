//! What a user can ask of the graph.

use std::sync::Arc;

use super::drawing::drawing;
use super::facts::Facts;
use super::link::{Linkable, linkable};
use super::neighbourhood::TOTAL;
use super::node::{NodeKey, Start};
use super::state::LinkGraph;
use super::svg::svg;
use crate::app::Remote;
use crate::app::action::{NavigationAction, WriteAction};
use crate::app::bulk::BulkOperation;
use crate::app::change::Change;
use crate::app::context::{Context, Request};
use crate::app::export::picture::Picture;
use crate::app::navigation::Panel;
use crate::app::settings::GraphFilter;
use lunette_client::model::id::AssetId;

/// One request of the user about the graph.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Shows the graph of these.
    Start(Vec<Start>),
    /// Reads everything anew.
    Reload,
    /// Reads again what may have changed of it.
    Changed,
    /// An asset was written: its links are read again if it is drawn.
    Written(AssetId),
    /// Goes one or two links.
    Hops(u8),
    /// Leaves this out.
    Filter(GraphFilter),
    /// Draws more neighbours of a node.
    Open(NodeKey),
    /// Keeps a node at a place.
    Pin(NodeKey, [f32; 2]),
    /// Lets a node go where the forces move it.
    Unpin(NodeKey),
    /// Lets all nodes go, and places them anew.
    Arrange,
    /// Links two nodes: an asset, and what it is linked to.
    Link(NodeKey, NodeKey),
    /// Removes the link between two nodes.
    Unlink(NodeKey, NodeKey),
    /// Shows the plan of an operation on these assets.
    Plan(BulkOperation, Vec<AssetId>),
    /// Saves the graph as an SVG file, where the user says.
    SaveSvg,
    /// Saves the graph as a picture that was made of it, where the user says.
    SavePng(Arc<Picture>),
}

impl From<Action> for crate::app::Action {
    fn from(action: Action) -> Self {
        Self::Graph(action)
    }
}

impl LinkGraph {
    /// Carries out a request.
    pub(in crate::app) fn perform(&mut self, action: Action, cx: &mut Context<'_>) {
        match action {
            Action::Start(start) => self.begin(start, cx),
            Action::Reload => self.reload(cx),
            Action::Changed => self.changed(cx),
            Action::Written(asset) => self.written(&asset, cx),
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
                self.keep_pins(cx);
            }
            Action::Arrange => self.arrange(cx),
            Action::Link(one, other) => self.link(&one, &other, true, cx),
            Action::Unlink(one, other) => self.link(&one, &other, false, cx),
            Action::Plan(operation, assets) => cx.request_later(Request::PlanRun(operation, assets)),
            Action::SaveSvg => self.save_svg(cx),
            Action::SavePng(picture) => {
                cx.save_made("graph.png", move || picture.png().map_err(|error| error.to_string()));
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
        self.begun += 1;
        (self.pinned, self.placed) = (kept.pins(&self.stored()), kept.places(&self.stored()));
        // The panel reads the graph as it comes to the front.
        cx.request(NavigationAction::Show(Panel::Graph));
    }

    fn open(&mut self, key: NodeKey, cx: &mut Context<'_>) {
        if self.graph().is_some_and(|graph| graph.nodes.len() >= TOTAL) {
            let text =
                format!("A graph has at most {TOTAL} nodes; choose “Start here” on what you want to see more of");
            return cx.show_success(text);
        }
        self.opened.push(key);
        self.read(cx);
    }

    /// What is drawn may have changed elsewhere.
    fn changed(&mut self, cx: &mut Context<'_>) {
        if !self.start.is_empty() {
            self.facts = Facts::default();
            self.read_again(cx);
        }
    }

    fn written(&mut self, asset: &AssetId, cx: &mut Context<'_>) {
        self.facts.forget(asset);
        // Elsewhere nobody looks at it, and coming back to the panel reads it anew.
        if !self.start.is_empty() && cx.preferences.view.panel == Panel::Graph {
            self.read_again(cx);
        }
    }

    fn pin(&mut self, key: NodeKey, at: [f32; 2], cx: &mut Context<'_>) {
        if let Remote::Known(shown) | Remote::Loading { previous: Some(shown) } = &mut self.shown
            && let Some(place) = shown.graph.place(&key)
        {
            Arc::make_mut(shown).places[place] = at;
            self.pinned.insert(key.stored(), at);
            self.keep_pins(cx);
            self.keep_places(cx);
        }
    }

    fn arrange(&mut self, cx: &mut Context<'_>) {
        self.pinned.clear();
        self.placed.clear();
        self.keep_pins(cx);
        // Without the places of before, all are found anew.
        self.shown = Remote::Unasked;
        self.begun += 1;
        self.read(cx);
    }

    /// Keeps where all nodes are, for when the graph is looked at again.
    pub(super) fn keep_places(&mut self, cx: &mut Context<'_>) {
        let Some(shown) = self.shown.value() else { return };
        let names = shown.graph.nodes.iter().map(|node| node.key.stored());
        self.placed = names.zip(shown.places.iter().copied()).collect();
        let (places, start) = (self.placed.clone(), self.stored());
        cx.see(|view| view.graph.place(start, places));
    }

    fn keep_pins(&self, cx: &mut Context<'_>) {
        let (pins, start) = (self.pinned.clone(), self.stored());
        cx.see(|view| view.graph.pin(start, pins));
    }

    fn link(&mut self, one: &NodeKey, other: &NodeKey, on: bool, cx: &mut Context<'_>) {
        let Some(graph) = self.graph() else { return };
        let change = match (linkable(graph, one, other), on) {
            (Linkable::Yes(asset, item), true) => Change::Link { asset, item },
            (Linkable::Linked(asset, item), false) => Change::Unlink { asset, item },
            (Linkable::Linked(..), true) => return cx.show_success("Nothing to change: they are linked".to_owned()),
            (Linkable::Yes(..), false) => return cx.show_success("Nothing to change: they are not linked".to_owned()),
            (Linkable::No(why), _) => return cx.show_success(why.to_owned()),
        };
        cx.request(WriteAction::Change(change));
    }

    fn save_svg(&self, cx: &mut Context<'_>) {
        let Some(shown) = self.shown.value().cloned() else { return };
        cx.save_made("graph.svg", move || Ok(svg(&drawing(&shown)).into_bytes()));
    }
}
