//! Notes about what a graph does not show.

use super::facts::{Fact, Facts};
use super::node::{Node, NodeKey, NodeKind, ReadState};
use lunette_client::model::size::grouped;

/// Returns notes about what is unknown or was not read.
pub(super) fn notes(nodes: &[Node], facts: &Facts) -> Vec<String> {
    let mut notes = Vec::new();
    let unreported = |kind: NodeKind| {
        nodes.iter().filter(move |node| node.key.kind() == kind && node.read == ReadState::Unreported).count()
    };
    for kind in [NodeKind::Tag, NodeKind::Website, NodeKind::Summary] {
        match unreported(kind) {
            0 => {}
            1 => notes.push(format!(
                "The service does not say which assets 1 {} has; only links of opened assets are shown.",
                kind.one()
            )),
            count => notes.push(format!(
                "The service does not say which assets {count} {} have; only links of opened assets are shown.",
                kind.many().to_lowercase()
            )),
        }
    }
    match unreported(NodeKind::Asset) {
        0 => {}
        1 => notes.push("The record of 1 asset does not include all links; it may have more than shown.".to_owned()),
        count => notes
            .push(format!("The records of {count} assets do not include all links; they may have more than shown.")),
    }
    notes.extend(nodes.iter().filter_map(|node| assets_read(node, facts)));
    let failed = nodes.iter().filter(|node| matches!(node.read, ReadState::Failed(_))).count();
    match failed {
        0 => {}
        1 => notes.push("1 node could not be read; its links are missing.".to_owned()),
        count => notes.push(format!("{count} nodes could not be read; their links are missing.")),
    }
    notes
}

/// Returns a note about how many assets were read to find those of an application, since no service lists them.
fn assets_read(node: &Node, facts: &Facts) -> Option<String> {
    let NodeKey::Application(_) = &node.key else { return None };
    let Some(Fact::Application(fact)) = facts.get(&node.key) else { return None };
    if fact.listed && fact.assets_read == fact.of {
        return None;
    }
    Some(if fact.listed {
        let (some, all) = (grouped(fact.assets_read as u64), grouped(fact.of as u64));
        format!(
            "Of the {all} assets of “{}”, the {some} that changed last are shown; the list of assets has all.",
            node.name
        )
    } else if fact.of == 0 {
        format!("Services do not list the assets of an application; those of “{}” come from opened assets.", node.name)
    } else {
        let (some, all) = (grouped(fact.assets_read as u64), grouped(fact.of as u64));
        format!("The assets of “{}” were searched for among the {some} of {all} assets that changed last.", node.name)
    })
}
