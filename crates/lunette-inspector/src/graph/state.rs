//! The state of the graph.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::facts::Facts;
use super::neighbourhood::Query;
use super::node::{Graph, NodeKey, Start};
use crate::Remote;
use crate::settings::GraphFilter;

/// The shown graph.
#[derive(Clone, Debug)]
pub struct LinkGraph {
    /// Its start nodes; empty before the first graph.
    pub start: Vec<Start>,
    /// Its depth in links.
    pub hops: u8,
    /// Its filter.
    pub filter: GraphFilter,
    /// The nodes that were expanded, in order.
    pub opened: Vec<NodeKey>,
    /// The graph and the positions of its nodes.
    pub shown: Remote<Arc<Shown>>,
    /// The positions of pinned nodes, by their names in the settings.
    pub(super) pinned: BTreeMap<String, [f32; 2]>,
    /// The positions of nodes when the graph was last shown, by their names in the settings.
    pub(super) placed: BTreeMap<String, [f32; 2]>,
    /// Counts the graphs: the window resets its view for each.
    pub generation: u64,
    /// The records that were read for it.
    pub(super) facts: Facts,
    /// Whether something changed during a read, so that another is needed.
    pub(super) reload_pending: bool,
}

/// A graph with the positions of its nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// The nodes and links.
    pub graph: Graph,
    /// The position of each node, in points at a zoom of 1.
    pub positions: Vec<[f32; 2]>,
}

impl Default for LinkGraph {
    fn default() -> Self {
        Self {
            start: Vec::new(),
            hops: 2,
            filter: GraphFilter::default(),
            opened: Vec::new(),
            shown: Remote::NotRequested,
            pinned: BTreeMap::new(),
            placed: BTreeMap::new(),
            generation: 0,
            facts: Facts::default(),
            reload_pending: false,
        }
    }
}

impl LinkGraph {
    /// Returns the graph, if there is one.
    pub fn graph(&self) -> Option<&Graph> {
        self.shown.value().map(|shown| &shown.graph)
    }

    /// Returns the title: the names of the start nodes.
    pub fn title(&self) -> String {
        match self.start.as_slice() {
            [] => "Graph".to_owned(),
            [one] => one.name.clone(),
            [first, rest @ ..] => format!("{} and {} more", first.name, rest.len()),
        }
    }

    /// Returns the number of nodes and links as text; empty before the first graph.
    pub fn counts_text(&self) -> String {
        let count = |count: usize, one: &str| if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") };
        let counts = self.graph().map(Graph::counts);
        counts.map_or_else(String::new, |(nodes, links)| format!("{}, {}", count(nodes, "node"), count(links, "link")))
    }

    /// Returns whether a node is pinned.
    pub fn is_pinned(&self, key: &NodeKey) -> bool {
        self.pinned.contains_key(&key.stored())
    }

    pub(super) fn query(&self) -> Query {
        let Self { start, hops, filter, opened, .. } = self.clone();
        Query { start, hops, filter, opened }
    }

    /// Returns the name of the graph in the settings.
    pub(super) fn stored(&self) -> String {
        self.start.iter().map(|start| start.key.stored()).collect::<Vec<_>>().join(" ")
    }

    /// Clears the data of a connection; the count of graphs continues.
    pub(crate) fn leave(&mut self) {
        *self = Self { generation: self.generation, ..Self::default() };
    }
}
