//! What the window shows of the graph.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::facts::Facts;
use super::neighbourhood::Query;
use super::node::{Graph, NodeKey, Start};
use crate::app::Remote;
use crate::app::settings::GraphFilter;

/// The graph that is shown.
#[derive(Clone, Debug)]
pub struct LinkGraph {
    /// What it begins with; empty before the first one.
    pub start: Vec<Start>,
    /// How many links it goes.
    pub hops: u8,
    /// What it leaves out.
    pub filter: GraphFilter,
    /// The nodes that were opened, in that order.
    pub opened: Vec<NodeKey>,
    /// The graph, and where its nodes are.
    pub shown: Remote<Arc<Shown>>,
    /// The nodes that the user pinned, by their names in the settings, and where.
    pub(super) pinned: BTreeMap<String, [f32; 2]>,
    /// Where nodes were when the graph was looked at last, by their names in the settings.
    pub(super) placed: BTreeMap<String, [f32; 2]>,
    /// How many graphs were begun: the window looks at each anew.
    pub begun: u64,
    /// What was read for it.
    pub(super) facts: Facts,
    /// Whether it changed while it was read, so that it has to be read again.
    pub(super) again: bool,
}

/// A graph and its picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// Nodes and links.
    pub graph: Graph,
    /// Where each node is, in points at a zoom of 1.
    pub places: Vec<[f32; 2]>,
}

impl Default for LinkGraph {
    fn default() -> Self {
        Self {
            start: Vec::new(),
            hops: 2,
            filter: GraphFilter::default(),
            opened: Vec::new(),
            shown: Remote::Unasked,
            pinned: BTreeMap::new(),
            placed: BTreeMap::new(),
            begun: 0,
            facts: Facts::default(),
            again: false,
        }
    }
}

impl LinkGraph {
    /// The graph, if there is one.
    pub fn graph(&self) -> Option<&Graph> {
        self.shown.value().map(|shown| &shown.graph)
    }

    /// What it begins with, for people.
    pub fn title(&self) -> String {
        match self.start.as_slice() {
            [] => "Graph".to_owned(),
            [one] => one.name.clone(),
            [first, rest @ ..] => format!("{} and {} more", first.name, rest.len()),
        }
    }

    /// How many nodes and links there are, for people; empty before the first graph.
    pub fn counted(&self) -> String {
        let count = |count: usize, one: &str| if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") };
        let counts = self.graph().map(Graph::counts);
        counts.map_or_else(String::new, |(nodes, links)| format!("{}, {}", count(nodes, "node"), count(links, "link")))
    }

    /// Whether the user pinned a node.
    pub fn is_pinned(&self, key: &NodeKey) -> bool {
        self.pinned.contains_key(&key.stored())
    }

    pub(super) fn query(&self) -> Query {
        let Self { start, hops, filter, opened, .. } = self.clone();
        Query { start, hops, filter, opened }
    }

    /// The name of the graph in the settings.
    pub(super) fn stored(&self) -> String {
        self.start.iter().map(|start| start.key.stored()).collect::<Vec<_>>().join(" ")
    }

    /// Forgets what is shown of a connection; a number of a graph is never given twice all the same.
    pub(in crate::app) fn leave(&mut self) {
        *self = Self { begun: self.begun, ..Self::default() };
    }
}
