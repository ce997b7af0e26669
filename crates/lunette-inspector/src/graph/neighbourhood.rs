//! Builds the nodes and links of a graph from records.
//!
//! What must hold: at most [`MAX_NODES`] nodes, whatever is linked; neighbours that are not drawn are counted; the same
//! records give the same graph. Missing records are listed, so that they can be read.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;
use lunette_client::model::id::{AssetId, CompactId};
use lunette_client::model::time::moment;

use super::facts::{AssetFact, Fact, Facts, GraphContext};
use super::node::{Edge, Graph, Node, NodeKey, NodeKind, ReadState, Start};
use super::notes::notes;
use crate::change::Item;
use crate::settings::GraphFilter;

/// The maximum number of nodes of a graph.
pub const MAX_NODES: usize = 150;
/// The number of neighbours added when a node is expanded.
pub const BATCH: usize = 20;
/// The maximum number of nodes before any is expanded, so that there is room for more.
const INITIAL_NODES: usize = 110;
/// The number of neighbours drawn for all start nodes together, and the minimum for each.
const START_NEIGHBOURS: usize = 48;
const MIN_START_NEIGHBOURS: usize = 6;
/// The number of neighbours drawn for any other node.
const OTHER_NEIGHBOURS: usize = 6;

/// The requested graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The start nodes.
    pub start: Vec<Start>,
    /// Its depth in links.
    pub hops: u8,
    /// The filter.
    pub filter: GraphFilter,
    /// The expanded nodes in order, each as often as it was expanded.
    pub opened: Vec<NodeKey>,
}

/// A graph as far as its records are known.
pub(super) struct Neighbourhood {
    pub graph: Graph,
    /// The records that are missing.
    pub missing: BTreeSet<NodeKey>,
}

/// The filter, applied to the list of assets.
pub(super) struct Matching {
    by_row: Option<HashMap<CompactId, bool>>,
    since: Option<Timestamp>,
    language: Option<String>,
    hidden: Vec<NodeKind>,
}

impl Matching {
    pub fn of(filter: &GraphFilter, known: &GraphContext) -> Self {
        let since = filter.days.map(|days| {
            let seconds = i64::from(days) * 86_400;
            known.now.checked_sub(jiff::SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MIN)
        });
        let hidden = NodeKind::ALL.into_iter().filter(|kind| filter.hidden.contains(kind.word())).collect();
        let mut matching = Self { by_row: None, since, language: filter.language.clone(), hidden };
        if matching.is_active() {
            let matches =
                known.rows.iter().map(|row| (row.compact_id(), matching.shows(row.specific(), &row.updated())));
            matching.by_row = Some(matches.collect());
        }
        matching
    }

    fn is_active(&self) -> bool {
        self.since.is_some() || self.language.is_some()
    }

    fn shows(&self, language: &str, updated: &str) -> bool {
        let recent = self.since.is_none_or(|since| moment(updated).is_some_and(|at| at >= since));
        recent && self.language.as_deref().is_none_or(|wanted| wanted == language)
    }

    fn shows_asset(&self, id: &AssetId, facts: &Facts) -> bool {
        if !self.is_active() {
            return true;
        }
        // Unknown assets are read first.
        match (facts.asset(id), self.by_row.as_ref().and_then(|rows| rows.get(&id.into()))) {
            (Some(fact), _) => self.shows(&fact.language, &fact.updated),
            (None, Some(shown)) => *shown,
            (None, None) => true,
        }
    }

    fn shows_node(&self, key: &NodeKey, facts: &Facts) -> bool {
        !self.hidden.contains(&key.kind()) && key.asset().is_none_or(|id| self.shows_asset(id, facts))
    }
}

/// A neighbour, as the record at the other end describes it.
struct Neighbour {
    key: NodeKey,
    name: String,
    url: Option<String>,
}

impl Neighbour {
    fn item(item: &Item) -> Self {
        let key = NodeKey::Item(item.kind, item.id.to_string());
        Self { key, name: item.name().to_owned(), url: item.url.clone() }
    }

    fn asset(id: AssetId) -> Self {
        Self { key: NodeKey::Asset(id), name: String::new(), url: None }
    }
}

/// Returns the neighbours of a node in the order of the service, or `None` if its record was not read. The iterator is
/// lazy, since a tag may be linked to all assets.
fn neighbours<'a>(key: &'a NodeKey, facts: &'a Facts) -> Option<Box<dyn Iterator<Item = Neighbour> + 'a>> {
    let fact = facts.get(key)?;
    let of_assets = |linked: &dyn Fn(&AssetFact) -> bool| -> Vec<AssetId> {
        facts.assets().filter(|(_, asset)| linked(asset)).map(|(id, _)| id.clone()).collect()
    };
    Some(match (key, fact) {
        (NodeKey::Asset(_), Fact::Asset(asset)) => {
            let items = asset.links.iter().filter_map(|(_, items)| items.as_ref()).flatten();
            let application = asset.application.iter().map(|(id, name)| Neighbour {
                key: NodeKey::Application(id.clone()),
                name: name.clone(),
                url: None,
            });
            Box::new(items.map(Neighbour::item).chain(application))
        }
        (NodeKey::Item(kind, id), Fact::Item(item)) => match &item.assets {
            Some(assets) => Box::new(assets.iter().map(|id| Neighbour::asset(AssetId::from(*id)))),
            None => {
                let has = |items: &Option<Vec<Item>>| items.iter().flatten().any(|item| item.id == **id);
                let linked = |asset: &AssetFact| asset.links.iter().any(|(linked, items)| linked == kind && has(items));
                Box::new(of_assets(&linked).into_iter().map(Neighbour::asset))
            }
        },
        (NodeKey::Application(id), Fact::Application(_)) => {
            let made = |asset: &AssetFact| asset.application.as_ref().is_some_and(|(of, _)| of == id);
            Box::new(of_assets(&made).into_iter().map(Neighbour::asset))
        }
        _ => Box::new(std::iter::empty()),
    })
}

/// A graph that is being built.
struct Builder<'a> {
    query: &'a Query,
    facts: &'a Facts,
    matching: &'a Matching,
    nodes: Vec<Node>,
    index: HashMap<NodeKey, usize>,
    /// The nodes whose neighbours are drawn.
    expanded: BTreeSet<usize>,
    missing: BTreeSet<NodeKey>,
}

/// How to handle missing records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MissingRecords {
    /// Build the graph without them.
    BuildWithout,
    /// Only list them.
    ListOnly,
}

/// Builds the graph as far as the records are known.
pub(super) fn neighbourhood(
    query: &Query,
    known: &GraphContext,
    facts: &Facts,
    matching: &Matching,
    if_missing: MissingRecords,
) -> Neighbourhood {
    let mut total = MAX_NODES;
    loop {
        let mut builder = Builder {
            query,
            facts,
            matching,
            nodes: Vec::new(),
            index: HashMap::new(),
            expanded: BTreeSet::new(),
            missing: BTreeSet::new(),
        };
        builder.begin(total);
        builder.expand(total.min(INITIAL_NODES));
        builder.open(total);
        builder.request_opened(known);
        builder.describe_all(known);
        if !builder.missing.is_empty() && if_missing == MissingRecords::ListOnly {
            return Neighbourhood { graph: Graph::default(), missing: builder.missing };
        }
        builder.count_more();
        let nodes = builder.nodes.len() + builder.nodes.iter().filter(|node| node.more > 0).count();
        let Some(surplus) = nodes.checked_sub(MAX_NODES).filter(|surplus| *surplus > 0) else {
            return builder.finish();
        };
        // Hidden neighbours are represented by a node, which needs room too.
        total = total.saturating_sub(surplus).max(1);
        if total == 1 {
            return builder.finish();
        }
    }
}

impl Builder<'_> {
    fn begin(&mut self, total: usize) {
        for start in self.query.start.iter().take(total) {
            self.add(Neighbour { key: start.key.clone(), name: start.name.clone(), url: start.url.clone() }, 0);
        }
    }

    /// Adds the neighbours of all nodes, up to the depth of the graph.
    fn expand(&mut self, total: usize) {
        let starts = self.nodes.len().max(1);
        let mut index = 0;
        while index < self.nodes.len() {
            let (hop, kind) = (self.nodes[index].hop, self.nodes[index].key.kind());
            // Most assets come from few applications, so only start nodes that are applications are expanded.
            if hop < self.query.hops && (kind != NodeKind::Application || hop == 0) {
                let most =
                    if hop == 0 { (START_NEIGHBOURS / starts).max(MIN_START_NEIGHBOURS) } else { OTHER_NEIGHBOURS };
                self.add_neighbours(index, most, total);
            }
            index += 1;
        }
    }

    fn open(&mut self, total: usize) {
        for key in &self.query.opened {
            if let Some(index) = self.index.get(key) {
                self.add_neighbours(*index, BATCH, total);
            }
        }
    }

    fn add_neighbours(&mut self, index: usize, most: usize, total: usize) {
        let (key, hop) = (self.nodes[index].key.clone(), self.nodes[index].hop);
        self.expanded.insert(index);
        let Some(neighbours) = neighbours(&key, self.facts) else {
            self.missing.insert(key);
            return;
        };
        let new = |neighbour: &Neighbour| {
            !self.index.contains_key(&neighbour.key) && self.matching.shows_node(&neighbour.key, self.facts)
        };
        let mut added: Vec<Neighbour> = neighbours.filter(new).take(most + 2).collect();
        // A node for one hidden neighbour would take as much room as the neighbour.
        if added.len() > most + 1 {
            added.truncate(most);
        }
        for neighbour in added {
            if self.nodes.len() >= total {
                return;
            }
            self.add(neighbour, hop + 1);
        }
    }

    fn add(&mut self, neighbour: Neighbour, hop: u8) {
        let Neighbour { key, name, url } = neighbour;
        if self.index.contains_key(&key) {
            return;
        }
        self.index.insert(key.clone(), self.nodes.len());
        let (language, updated) = (String::new(), String::new());
        self.nodes.push(Node { key, name, url, language, updated, hop, read: ReadState::Unread, more: 0 });
    }

    /// If the service does not report the assets of an item, requests the records of the opened assets.
    fn request_opened(&mut self, known: &GraphContext) {
        let unreported = |index: &usize| {
            let fact = self.facts.get(&self.nodes[*index].key);
            matches!(fact, Some(Fact::Item(item)) if item.assets.is_none())
        };
        if self.expanded.iter().any(unreported) {
            let opened = known.opened.iter().map(|id| NodeKey::Asset(id.clone()));
            self.missing.extend(opened.filter(|key| self.facts.get(key).is_none()));
        }
    }

    fn count_more(&mut self) {
        for index in self.expanded.clone() {
            let Some(neighbours) = neighbours(&self.nodes[index].key, self.facts) else { continue };
            let left_out = |neighbour: &Neighbour| {
                !self.index.contains_key(&neighbour.key) && self.matching.shows_node(&neighbour.key, self.facts)
            };
            let more = neighbours.filter(left_out).count();
            self.nodes[index].more = more;
        }
    }

    fn describe_all(&mut self, known: &GraphContext) {
        for index in 0..self.nodes.len() {
            self.describe(index, known);
        }
    }

    fn finish(mut self) -> Neighbourhood {
        let mut edges = self.edges();
        let count = self.nodes.len();
        for index in 0..count {
            if self.nodes[index].more > 0 {
                edges.push(Edge { from: index, to: self.nodes.len() });
                self.nodes.push(more_node(&self.nodes[index]));
            }
        }
        let notes = notes(&self.nodes, self.facts);
        Neighbourhood { graph: Graph { nodes: self.nodes, edges, notes }, missing: self.missing }
    }

    /// Sets the name and the read state of a node.
    fn describe(&mut self, index: usize, known: &GraphContext) {
        let node = &mut self.nodes[index];
        let fact = self.facts.get(&node.key);
        match fact {
            Some(Fact::Asset(asset)) => {
                (node.language, node.updated) = (asset.language.clone(), asset.updated.clone());
                node.name = asset.name.clone();
            }
            // If the service does not have the operation, the name is unknown too.
            Some(Fact::Item(item)) if !item.name.is_empty() => {
                (node.name, node.url) = (item.name.clone(), item.url.clone());
            }
            Some(Fact::Item(_) | Fact::Application(_) | Fact::Failed(_)) | None => {}
        }
        let expanded = self.expanded.contains(&index);
        // A record that was read only for its name does not count as read, so that the same graph gives the same
        // picture.
        node.read = match fact.filter(|fact| expanded || matches!(fact, Fact::Failed(_))) {
            None => ReadState::Unread,
            Some(Fact::Asset(asset)) if asset.has_all_links() => ReadState::Read,
            Some(Fact::Item(item)) if item.assets.is_some() => ReadState::Read,
            Some(Fact::Asset(_) | Fact::Item(_) | Fact::Application(_)) => ReadState::Unreported,
            Some(Fact::Failed(why)) => ReadState::Failed(why.clone()),
        };
        if let (NodeKey::Asset(id), None) = (&node.key, fact) {
            match known.rows.find(id) {
                Some(row) => {
                    node.name = row.name().to_owned();
                    (node.language, node.updated) = (row.specific().to_owned(), row.updated().into_owned());
                }
                None => {
                    self.missing.insert(node.key.clone());
                }
            }
        }
        if node.name.trim().is_empty() {
            node.name = node.key.id().to_owned();
        }
    }

    /// Returns the known links between the nodes, each once.
    fn edges(&self) -> Vec<Edge> {
        let mut edges = BTreeSet::new();
        for index in self.expanded.iter().copied() {
            let node = &self.nodes[index];
            for neighbour in neighbours(&node.key, self.facts).into_iter().flatten() {
                let Some(other) = self.index.get(&neighbour.key) else { continue };
                let asset_first = node.key.kind() == NodeKind::Asset;
                let (from, to) = if asset_first { (index, *other) } else { (*other, index) };
                edges.insert(Edge { from, to });
            }
        }
        edges.into_iter().collect()
    }
}

/// Returns the node for the hidden neighbours of a node.
fn more_node(node: &Node) -> Node {
    Node {
        key: NodeKey::More(Box::new(node.key.clone())),
        name: format!("+{} more", lunette_client::model::size::grouped(node.more as u64)),
        url: None,
        language: String::new(),
        updated: String::new(),
        hop: node.hop.saturating_add(1),
        read: ReadState::Unread,
        more: node.more,
    }
}
