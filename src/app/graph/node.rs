//! The nodes and links of a graph.

use crate::app::change::{Item, LinkKind};
use lunette_client::model::id::AssetId;

/// What a node stands for; the same in every graph.
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

/// What kind of thing a node is.
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

/// What a graph begins with, and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// What it is.
    pub key: NodeKey,
    /// Its name as the user saw it.
    pub name: String,
    /// An item's address, where it is a website.
    pub url: Option<String>,
}

/// What is known of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadState {
    /// Its links are known as far as the service tells them.
    Read,
    /// It lies at the edge of the graph: its links were not read.
    Unread,
    /// The service does not say which assets it has, or leaves links out of its record.
    Untold,
    /// It could not be read, and why.
    Failed(String),
}

/// One node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it stands for.
    pub key: NodeKey,
    /// Its name; never empty.
    pub name: String,
    /// A website's address.
    pub url: Option<String>,
    /// The language of an asset, as the interface's word; empty where it is not known.
    pub language: String,
    /// When an asset was last changed (RFC 3339); empty where it is not known.
    pub updated: String,
    /// How many links it is from the start.
    pub hop: u8,
    /// What is known of it.
    pub read: ReadState,
    /// How many neighbours it has that are not drawn and can be opened.
    pub more: usize,
}

/// A link, by the places of its nodes; the first is the asset where one end is an asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// One end.
    pub from: usize,
    /// The other.
    pub to: usize,
}

/// Nodes and links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The nodes; those that it begins with come first.
    pub nodes: Vec<Node>,
    /// The links, each once.
    pub edges: Vec<Edge>,
    /// What is not told or was not looked at, in sentences.
    pub notes: Vec<String>,
}

impl NodeKey {
    /// The kind of thing it is.
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

    /// The id of what it stands for.
    pub fn id(&self) -> &str {
        match self {
            Self::Asset(id) => id.as_str(),
            Self::Item(_, id) | Self::Application(id) => id,
            Self::More(of) => of.id(),
        }
    }

    /// The asset, if it is one.
    pub fn asset(&self) -> Option<&AssetId> {
        match self {
            Self::Asset(id) => Some(id),
            Self::Item(..) | Self::Application(_) | Self::More(_) => None,
        }
    }

    /// Its name in the settings.
    pub(in crate::app) fn stored(&self) -> String {
        format!("{}:{}", self.kind().word(), self.id())
    }
}

impl NodeKind {
    /// The kinds that can be shown and hidden, in the order of the chips.
    pub const ALL: [Self; 5] = [Self::Asset, Self::Tag, Self::Website, Self::Summary, Self::Application];

    /// Its word in the settings; it never changes.
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

    /// One of it, in a sentence.
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

    /// The name of many.
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
        let key = NodeKey::Item(item.kind, item.id.clone());
        Self { key, name: item.name().to_owned(), url: item.url.clone() }
    }

    /// An application.
    pub fn application(id: &str, name: &str) -> Self {
        Self { key: NodeKey::Application(id.to_owned()), name: name.to_owned(), url: None }
    }
}

impl Node {
    /// The item, if it is one.
    pub fn item(&self) -> Option<Item> {
        match &self.key {
            NodeKey::Item(kind, id) => {
                Some(Item { kind: *kind, id: id.clone(), text: self.name.clone(), url: self.url.clone() })
            }
            NodeKey::Asset(_) | NodeKey::Application(_) | NodeKey::More(_) => None,
        }
    }
}

impl Graph {
    /// The place of a node.
    pub fn place(&self, key: &NodeKey) -> Option<usize> {
        self.nodes.iter().position(|node| node.key == *key)
    }

    /// The node of a key.
    pub fn node(&self, key: &NodeKey) -> Option<&Node> {
        self.nodes.get(self.place(key)?)
    }

    /// The places of the nodes that a node is linked to.
    pub fn neighbours(&self, place: usize) -> impl Iterator<Item = usize> + '_ {
        self.edges.iter().filter_map(move |edge| match (edge.from == place, edge.to == place) {
            (true, _) => Some(edge.to),
            (_, true) => Some(edge.from),
            (false, false) => None,
        })
    }

    /// How many nodes stand for something, and how many links there are between them.
    pub fn counts(&self) -> (usize, usize) {
        let more = self.nodes.iter().filter(|node| node.key.kind() == NodeKind::More).count();
        (self.nodes.len() - more, self.edges.len() - more)
    }
}
