//! Whether two nodes can be linked, and the change that links them.

use super::node::{Graph, NodeKey};
use crate::change::Item;
use lunette_client::model::id::AssetId;

/// Whether two nodes can be linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Linkable {
    /// The item is linked to the asset.
    Yes(AssetId, Item),
    /// They are linked already.
    Linked(AssetId, Item),
    /// They cannot be linked, with the reason.
    No(&'static str),
}

/// Whether two nodes can be linked.
pub fn linkable(graph: &Graph, one: &NodeKey, other: &NodeKey) -> Linkable {
    let (asset, item) = match (one, other) {
        (NodeKey::Asset(asset), NodeKey::Item(..)) => (asset, other),
        (NodeKey::Item(..), NodeKey::Asset(asset)) => (asset, one),
        (NodeKey::Application(_), _) | (_, NodeKey::Application(_)) => {
            return Linkable::No("The application of an asset cannot be changed");
        }
        (NodeKey::More(_), _) | (_, NodeKey::More(_)) => return Linkable::No("Open the node first"),
        (NodeKey::Asset(_), NodeKey::Asset(_)) => {
            return Linkable::No("Two assets cannot be linked; link both to the same tag");
        }
        (NodeKey::Item(..), NodeKey::Item(..)) => {
            return Linkable::No("Only an asset can be linked to a tag, a website or a summary");
        }
    };
    let Some(named) = graph.node(item).and_then(super::node::Node::item) else {
        return Linkable::No("It is no longer in the graph");
    };
    let (from, to) = (graph.index_of(&NodeKey::Asset(asset.clone())), graph.index_of(item));
    let linked = graph.edges.iter().any(|edge| (Some(edge.from), Some(edge.to)) == (from, to));
    if linked { Linkable::Linked(asset.clone(), named) } else { Linkable::Yes(asset.clone(), named) }
}
