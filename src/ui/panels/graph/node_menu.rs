//! The context menu of a node, the same in the picture and in the list.

use egui::Ui;

use super::marks::Marks;
use super::{name_of, page_of};
use crate::ui::list::copy_as;
use crate::ui::theme::Icon;
use crate::ui::widgets::context_menu::{Entry, entry, separator};
use lunette_inspector::action::GraphAction;
use lunette_inspector::graph::{BATCH, Graph, MAX_NODES, Node, NodeKey, ReadState, Start};
use lunette_inspector::{Action, State};

/// Draws the entries of a node.
pub(super) fn ui(
    ui: &mut Ui,
    state: &State,
    graph: &Graph,
    key: &NodeKey,
    marks: &mut Marks,
    actions: &mut Vec<Action>,
) {
    let Some(node) = graph.node(key) else { return };
    if let NodeKey::More(of) = key {
        more_ui(ui, graph, node, of, actions);
        return;
    }
    if entry(ui, Icon::SHOWN, "Open its page") {
        actions.extend(page_of(key, graph));
    }
    if entry(ui, Icon::GRAPH, "Start here") {
        let start = Start { key: key.clone(), name: node.name.clone(), url: node.url.clone() };
        actions.push(GraphAction::Start(vec![start]).into());
    }
    if node.more > 0 || node.read == ReadState::Unread {
        more_ui(ui, graph, node, key, actions);
    }
    separator(ui);
    let pinned = state.graph.is_pinned(key);
    if entry(ui, Icon::PINNED, if pinned { "Unpin" } else { "Pin" }) {
        actions.extend(pin_toggled(state, key));
    }
    let marked = marks.marked.contains(key);
    if entry(ui, Icon::CHECK, if marked { "Unmark" } else { "Mark" }) {
        marks.toggle(key);
    }
    separator(ui);
    let name = name_of(node).into_owned();
    copy_as::entry_ui(ui, "name", Some(&name), actions);
    copy_as::entry_ui(ui, "id", Some(&key.id().to_owned()), actions);
}

fn more_ui(ui: &mut Ui, graph: &Graph, node: &Node, of: &NodeKey, actions: &mut Vec<Action>) {
    let title = match node.more {
        0 => "Draw its links".to_owned(),
        more => format!("Draw {} more", more.min(BATCH)),
    };
    let full = (graph.nodes.len() >= MAX_NODES).then_some("The graph has the maximum number of nodes");
    if Entry::new(Icon::ADD, &title).disabled_reason(full).show(ui) {
        actions.push(GraphAction::Open(of.clone()).into());
    }
}

/// Returns the action that pins a node where it is, or unpins it.
pub(super) fn pin_toggled(state: &State, key: &NodeKey) -> Option<Action> {
    if state.graph.is_pinned(key) {
        return Some(GraphAction::Unpin(key.clone()).into());
    }
    let shown = state.graph.shown.value()?;
    let at = shown.positions.get(shown.graph.index_of(key)?)?;
    Some(GraphAction::Pin(key.clone(), *at).into())
}
