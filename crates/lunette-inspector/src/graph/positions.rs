//! Places the nodes of a graph: where they were, where they were pinned, or where the layout moves them.

use std::collections::BTreeMap;

use super::layout::layout;
use super::node::{Graph, NodeKey};
use super::state::Shown;

/// The seed of all layouts, so that a graph looks the same in every window.
const SEED: u64 = 19;

/// The saved positions of nodes, by their names in the settings.
pub(super) struct SavedPositions {
    /// The positions when the graph was last shown.
    pub placed: BTreeMap<String, [f32; 2]>,
    /// The positions of pinned nodes.
    pub pinned: BTreeMap<String, [f32; 2]>,
}

/// Places the nodes. Those of `before` and those with a saved position stay, unless they are pinned elsewhere.
pub(super) fn place(graph: Graph, before: Option<&Shown>, kept: &SavedPositions) -> Shown {
    let mut positions = BTreeMap::new();
    if let Some(before) = before {
        positions.extend(before.graph.nodes.iter().map(|node| &node.key).zip(before.positions.iter().copied()));
    }
    let placed = |key: &NodeKey| {
        let name = key.stored();
        let pinned = kept.pinned.get(&name).copied();
        pinned.or_else(|| positions.get(key).copied()).or_else(|| kept.placed.get(&name).copied())
    };
    let placed: Vec<_> = graph.nodes.iter().map(|node| placed(&node.key)).collect();
    let edges: Vec<_> = graph.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let positions = layout(graph.nodes.len(), &edges, &placed, SEED);
    Shown { graph, positions }
}
