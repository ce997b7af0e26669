//! What a graph cannot show, in sentences.

use super::facts::{Fact, Facts};
use super::node::{Node, NodeKey, NodeKind, ReadState};
use lunette_client::model::size::grouped;

/// What is not told of these nodes, or was not looked at.
pub(super) fn notes(nodes: &[Node], facts: &Facts) -> Vec<String> {
    let mut notes = Vec::new();
    let untold = |kind: NodeKind| {
        nodes.iter().filter(move |node| node.key.kind() == kind && node.read == ReadState::Untold).count()
    };
    for kind in [NodeKind::Tag, NodeKind::Website, NodeKind::Summary] {
        match untold(kind) {
            0 => {}
            1 => notes.push(format!(
                "The service does not say which assets 1 {} has; only links that opened assets tell are drawn.",
                kind.one()
            )),
            count => notes.push(format!(
                "The service does not say which assets {count} {} have; only links that opened assets tell are drawn.",
                kind.many().to_lowercase()
            )),
        }
    }
    match untold(NodeKind::Asset) {
        0 => {}
        1 => {
            notes.push("The record of 1 asset leaves links out; that they are not drawn does not mean none.".to_owned())
        }
        count => notes.push(format!(
            "The records of {count} assets leave links out; that they are not drawn does not mean none."
        )),
    }
    notes.extend(nodes.iter().filter_map(|node| looked_at(node, facts)));
    let failed = nodes.iter().filter(|node| matches!(node.read, ReadState::Failed(_))).count();
    match failed {
        0 => {}
        1 => notes.push("1 node could not be read; its links are missing.".to_owned()),
        count => notes.push(format!("{count} nodes could not be read; their links are missing.")),
    }
    notes
}

/// How many assets were looked at for those of an application, since no service lists them.
fn looked_at(node: &Node, facts: &Facts) -> Option<String> {
    let NodeKey::Application(_) = &node.key else { return None };
    let Some(Fact::Application(fact)) = facts.get(&node.key) else { return None };
    if fact.listed && fact.looked_at == fact.of {
        return None;
    }
    Some(if fact.listed {
        let (some, all) = (grouped(fact.looked_at as u64), grouped(fact.of as u64));
        format!(
            "Of the {all} assets of “{}” the {some} changed last are looked at; the list of assets has all.",
            node.name
        )
    } else if fact.of == 0 {
        format!("No service lists the assets of an application; those of “{}” are known from opened assets.", node.name)
    } else {
        let (some, all) = (grouped(fact.looked_at as u64), grouped(fact.of as u64));
        format!("The assets of “{}” were looked for among the {some} changed last of {all}.", node.name)
    })
}
