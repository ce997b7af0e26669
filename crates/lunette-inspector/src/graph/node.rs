//! The nodes and links of a graph.

use crate::change::{Item, LinkKind};
use lunette_client::model::id::AssetId;

/// The identity of a node, the same in every graph.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKey {
    /// An asset.
    Asset(AssetId),
    /// A tag, a website or a workstream summary, by its id.
    Item(LinkKind, String),
    /// An application, by its id.
    Application(String),
    /// The neighbours of a node that are not drawn.
    More(Box<NodeKey>),
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is the thing of its name")]
pub enum NodeKind {
    Asset,
    Tag,
    Website,
    Summary,
    Application,
    /// Neighbours that are not drawn.
    More,
}

/// A start node of a graph, with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Its identity.
    pub key: NodeKey,
    /// Its name as the user saw it.
    pub name: String,
    /// The address of a website.
    pub url: Option<String>,
}

/// What is known about a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadState {
    /// Its links were read.
    Read,
    /// Its links were not read, since it is at the maximum depth.
    Unread,
    /// The service does not report its assets, or omits links from its record.
    Unreported,
    /// Reading it failed, with the reason.
    Failed(String),
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its identity.
    pub key: NodeKey,
    /// Its name; never empty.
    pub name: String,
    /// A website's address.
    pub url: Option<String>,
    /// The language of an asset, as an enum value of the interface; empty if unknown.
    pub language: String,
    /// When an asset was last changed (RFC 3339); empty if unknown.
    pub updated: String,
    /// Its distance from the start, in links.
    pub hop: u8,
    /// What is known about it.
    pub read: ReadState,
    /// The number of its neighbours that are not drawn.
    pub more: usize,
}

/// A link, by the indices of its nodes. If one end is an asset, it is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// One end.
    pub from: usize,
    /// The other.
    pub to: usize,
}

/// The nodes and links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The nodes; the start nodes come first.
    pub nodes: Vec<Node>,
    /// The links, each once.
    pub edges: Vec<Edge>,
    /// What is unknown or was not read, in sentences.
    pub notes: Vec<String>,
}

impl NodeKey {
    /// Returns the kind.
    pub fn kind(&self) -> NodeKind {
        match self {
            Self::Asset(_) => NodeKind::Asset,
            Self::Item(LinkKind::Tag, _) => NodeKind::Tag,
            Self::Item(LinkKind::Website, _) => NodeKind::Website,
            Self::Item(LinkKind::Summary, _) => NodeKind::Summary,
            Self::Application(_) => NodeKind::Application,
            Self::More(_) => NodeKind::More,
        }
    }

    /// Returns the id of the asset, item or application.
    pub fn id(&self) -> &str {
        match self {
            Self::Asset(id) => id.as_str(),
            Self::Item(_, id) | Self::Application(id) => id,
            Self::More(of) => of.id(),
        }
    }

    /// Returns the id of the asset, if it is one.
    pub fn asset(&self) -> Option<&AssetId> {
        match self {
            Self::Asset(id) => Some(id),
            Self::Item(..) | Self::Application(_) | Self::More(_) => None,
        }
    }

    /// Returns its name in the settings.
    pub(crate) fn stored(&self) -> String {
        format!("{}:{}", self.kind().word(), self.id())
    }
}

impl NodeKind {
    /// The kinds that can be shown and hidden, in the order of the chips.
    pub const ALL: [Self; 5] = [Self::Asset, Self::Tag, Self::Website, Self::Summary, Self::Application];

    /// Its stable name in the settings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Asset => "asset",
            Self::Tag => "tag",
            Self::Website => "website",
            Self::Summary => "summary",
            Self::Application => "application",
            Self::More => "more",
        }
    }

    /// The singular, for sentences.
    pub fn one(self) -> &'static str {
        match self {
            Self::Asset => "asset",
            Self::Tag => "tag",
            Self::Website => "website",
            Self::Summary => "workstream summary",
            Self::Application => "application",
            Self::More => "more",
        }
    }

    /// The plural, for labels.
    pub fn many(self) -> &'static str {
        match self {
            Self::Asset => "Assets",
            Self::Tag => "Tags",
            Self::Website => "Websites",
            Self::Summary => "Summaries",
            Self::Application => "Applications",
            Self::More => "More",
        }
    }
}

impl Start {
    /// An asset.
    pub fn asset(id: AssetId, name: &str) -> Self {
        Self { key: NodeKey::Asset(id), name: name.to_owned(), url: None }
    }

    /// A tag, a website or a workstream summary.
    pub fn item(item: &Item) -> Self {
        let key = NodeKey::Item(item.kind, item.id.to_string());
        Self { key, name: item.name().to_owned(), url: item.url.clone() }
    }

    /// An application.
    pub fn application(id: &str, name: &str) -> Self {
        Self { key: NodeKey::Application(id.to_owned()), name: name.to_owned(), url: None }
    }
}

impl Node {
    /// Returns the item, if it is one.
    pub fn item(&self) -> Option<Item> {
        match &self.key {
            NodeKey::Item(kind, id) => Some(Item::new(*kind, id, self.name.clone(), self.url.clone())),
            NodeKey::Asset(_) | NodeKey::Application(_) | NodeKey::More(_) => None,
        }
    }
}

impl Graph {
    /// Returns the index of a node.
    pub fn index_of(&self, key: &NodeKey) -> Option<usize> {
        self.nodes.iter().position(|node| node.key == *key)
    }

    /// Returns the node with a key.
    pub fn node(&self, key: &NodeKey) -> Option<&Node> {
        self.nodes.get(self.index_of(key)?)
    }

    /// Returns the indices of the nodes that a node is linked to.
    pub fn neighbours(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        self.edges.iter().filter_map(move |edge| match (edge.from == index, edge.to == index) {
            (true, _) => Some(edge.to),
            (_, true) => Some(edge.from),
            (false, false) => None,
        })
    }

    /// Returns the number of nodes and of links, without the nodes for hidden neighbours.
    pub fn counts(&self) -> (usize, usize) {
        let more = self.nodes.iter().filter(|node| node.key.kind() == NodeKind::More).count();
        (self.nodes.len() - more, self.edges.len() - more)
    }
}
