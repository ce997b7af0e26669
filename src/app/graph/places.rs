//! Places the nodes of a graph that was read: where they were, where they were pinned, or where forces move them.

use std::collections::BTreeMap;

use super::layout::layout;
use super::node::{Graph, NodeKey};
use super::state::Shown;

/// One number for all graphs: the same graph is the same picture in every window.
const SEED: u64 = 19;

/// Where nodes were kept, by their names in the settings.
pub(super) struct Kept {
    /// Where they were when the graph was looked at last.
    pub placed: BTreeMap<String, [f32; 2]>,
    /// Where the user pinned them.
    pub pinned: BTreeMap<String, [f32; 2]>,
}

/// Places the nodes. Those of `before`, and those that were kept, stay, unless they are pinned elsewhere.
pub(super) fn place(graph: Graph, before: Option<&Shown>, kept: &Kept) -> Shown {
    let mut places = BTreeMap::new();
    if let Some(before) = before {
        places.extend(before.graph.nodes.iter().map(|node| &node.key).zip(before.places.iter().copied()));
    }
    let placed = |key: &NodeKey| {
        let name = key.stored();
        let pinned = kept.pinned.get(&name).copied();
        pinned.or_else(|| places.get(key).copied()).or_else(|| kept.placed.get(&name).copied())
    };
    let placed: Vec<_> = graph.nodes.iter().map(|node| placed(&node.key)).collect();
    let edges: Vec<_> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let places = layout(graph.nodes.len(), &edges, &placed, SEED);
    Shown { graph, places }
}
