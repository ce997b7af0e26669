//! The selection and the marked nodes, shared by picture and list.

use std::collections::BTreeSet;

use lunette_client::model::id::AssetId;
use lunette_inspector::change::Item;
use lunette_inspector::graph::{Graph, NodeKey, NodeKind};

/// The selection and the marked nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    /// The selected node.
    pub selected: Option<NodeKey>,
    /// The selected link, by its ends.
    pub edge: Option<(NodeKey, NodeKey)>,
    /// The nodes that commands act on together.
    pub marked: BTreeSet<NodeKey>,
}

impl Marks {
    /// Selects a node and nothing else.
    pub fn select(&mut self, key: NodeKey) {
        self.selected = Some(key);
        self.edge = None;
    }

    /// Marks or unmarks a node.
    pub fn toggle(&mut self, key: &NodeKey) {
        if key.kind() != NodeKind::More && !self.marked.remove(key) {
            self.marked.insert(key.clone());
        }
    }

    /// Removes what is no longer in the graph.
    pub fn sync(&mut self, graph: &Graph) {
        let exists = |key: &NodeKey| graph.index_of(key).is_some();
        self.marked.retain(exists);
        self.selected.take_if(|key| !exists(key));
        let linked = |(from, to): &(NodeKey, NodeKey)| {
            let (from, to) = (graph.index_of(from), graph.index_of(to));
            graph.edges.iter().any(|edge| (Some(edge.from), Some(edge.to)) == (from, to))
        };
        self.edge.take_if(|edge| !linked(edge));
    }

    /// The marked assets.
    pub fn assets(&self) -> Vec<AssetId> {
        self.marked.iter().filter_map(|key| key.asset().cloned()).collect()
    }

    /// Returns the items that the marked assets could be linked to: the marked ones, or all in the graph if none is
    /// marked.
    pub fn items(&self, graph: &Graph) -> Vec<Item> {
        let items = |marked: bool| -> Vec<Item> {
            let nodes = graph.nodes.iter().filter(|node| !marked || self.marked.contains(&node.key));
            nodes.filter_map(lunette_inspector::graph::Node::item).collect()
        };
        let marked = items(true);
        if marked.is_empty() { items(false) } else { marked }
    }
}
