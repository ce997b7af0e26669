//! Places the nodes of a graph that was read: where they were, where they were pinned, or where forces move them.

use std::collections::BTreeMap;

use super::layout::layout;
use super::node::{Graph, NodeKey};
use super::state::Shown;

/// One number for all graphs: the same graph is the same picture in every window.
const SEED: u64 = 19;

/// Places the nodes. Those of `before` stay, unless they are pinned elsewhere.
pub(super) fn place(graph: Graph, before: Option<&Shown>, pinned: &BTreeMap<String, [f32; 2]>) -> Shown {
    let mut places = BTreeMap::new();
    if let Some(before) = before {
        places.extend(before.graph.nodes.iter().map(|node| &node.key).zip(before.places.iter().copied()));
    }
    let pinned = |key: &NodeKey| pinned.get(&key.stored()).copied();
    let placed = |key: &NodeKey| pinned(key).or_else(|| places.get(key).copied());
    let placed: Vec<_> = graph.nodes.iter().map(|node| placed(&node.key)).collect();
    let edges: Vec<_> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let places = layout(graph.nodes.len(), &edges, &placed, SEED);
    Shown { graph, places }
}
