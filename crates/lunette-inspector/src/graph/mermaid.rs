//! A graph as Mermaid text, which many editors and forges render.
//!
//! What must hold: whatever a name contains, it is rendered as one label.

use std::fmt::Write as _;

use super::node::{Graph, NodeKind};
use lunette_client::model::display::{beginning, is_hidden};

/// The maximum number of characters of a name.
const MAX_NAME_LENGTH: usize = 60;

/// Returns the graph as a Mermaid flowchart.
pub fn mermaid(graph: &Graph) -> String {
    let mut text = "graph LR\n".to_owned();
    for (index, node) in graph.nodes.iter().enumerate() {
        let (open, close) = match node.key.kind() {
            NodeKind::Asset => ("[", "]"),
            NodeKind::Tag => ("{{", "}}"),
            NodeKind::Website => ("([", "])"),
            NodeKind::Summary => ("[/", "/]"),
            NodeKind::Application => ("[[", "]]"),
            NodeKind::More => ("((", "))"),
        };
        // Writing to a string never fails.
        writeln!(text, "    n{index}{open}\"{}\"{close}", label(&node.name)).ok();
    }
    for edge in &graph.edges {
        let more = graph.nodes.get(edge.to).is_some_and(|node| node.key.kind() == NodeKind::More);
        writeln!(text, "    n{} {} n{}", edge.from, if more { "-.-" } else { "---" }, edge.to).ok();
    }
    text
}

/// Escapes a name: all but letters, digits and plain punctuation become character references.
fn label(name: &str) -> String {
    let mut label = String::new();
    for letter in beginning(name, MAX_NAME_LENGTH).chars() {
        match letter {
            letter if letter.is_alphanumeric() || " .,-_/:+…".contains(letter) => label.push(letter),
            letter if is_hidden(letter) => label.push(' '),
            letter => {
                write!(label, "#{};", u32::from(letter)).ok();
            }
        }
    }
    label
}

#[cfg(test)]
mod tests {
    use super::super::node::{Edge, Node, NodeKey, ReadState};
    use super::*;
    use crate::change::LinkKind;

    fn node(key: NodeKey, name: &str) -> Node {
        let name = name.to_owned();
        let (language, updated) = (String::new(), String::new());
        Node { key, name, url: None, language, updated, hop: 0, read: ReadState::Read, more: 0 }
    }

    #[test]
    fn a_graph_is_a_flowchart_with_a_shape_for_each_kind() {
        let asset = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159".parse().expect("an id");
        let nodes =
            vec![node(NodeKey::Asset(asset), "main.rs"), node(NodeKey::Item(LinkKind::Tag, "t".to_owned()), "rust")];
        let graph = Graph { nodes, edges: vec![Edge { from: 0, to: 1 }], notes: Vec::new() };
        assert_eq!(mermaid(&graph), "graph LR\n    n0[\"main.rs\"]\n    n1{{\"rust\"}}\n    n0 --- n1\n");
    }

    #[test]
    fn a_name_cannot_end_its_label() {
        let name = "a\"] --> n9\nend; <b>%% \u{202e}";
        let shown = label(name);
        assert!(!shown.contains(['"', ']', '>', '<', '\n', '%', '\u{202e}']), "{shown}");
        assert!(shown.starts_with("a#34;#93;"), "{shown}");
    }

    /// The text of a label, as a reader of Mermaid gives it.
    fn read(label: &str) -> String {
        let mut parts = label.split('#');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| {
            let (code, rest) = part.split_once(';').expect("an end of the reference");
            text + &char::from_u32(code.parse().expect("a number")).expect("a letter").to_string() + rest
        })
    }

    proptest::proptest! {
        #[test]
        fn any_name_round_trips_through_a_label(name in "([#;&\"'<>%\\[\\]{}()|`*]|#34;|\\PC){0,30}") {
            let shown: String = name.chars().map(|letter| if is_hidden(letter) { ' ' } else { letter }).collect();
            proptest::prop_assert_eq!(read(&label(&name)), shown);
        }
    }
}
