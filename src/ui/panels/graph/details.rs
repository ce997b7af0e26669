//! The actions and links of the selected node, and the actions for marked nodes.

use egui::{ScrollArea, Ui};

use super::marks::Marks;
use super::{name_of, node_menu, page_of, paint};
use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::picker::{Picked, Picker, PickerEntry, PickerState};
use crate::ui::widgets::shown_short;
use lunette_inspector::action::GraphAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::change::Item;
use lunette_inspector::graph::{
    BATCH, Graph, Linkable, MAX_NODES, Node, NodeKey, NodeKind, ReadState, Start, linkable,
};
use lunette_inspector::runs::BulkOperation;
use lunette_inspector::{Action, State};

/// Height of a link in the list, in points.
const LINE: f32 = 26.0;

/// The minimum height of the list of links, in points.
const MIN_HEIGHT: f32 = 3.0 * LINE;

/// Draws the selected node in a scroll area of this height.
pub(super) fn ui(
    ui: &mut Ui,
    state: &State,
    graph: &Graph,
    (key, height): (&NodeKey, f32),
    marks: &mut Marks,
    actions: &mut Vec<Action>,
) {
    let Some(index) = graph.index_of(key) else { return };
    let bottom = ui.cursor().top() + height;
    let node = &graph.nodes[index];
    ui.horizontal(|ui| {
        ui.decoration(paint::icon(key.kind()).text());
        ui.add(egui::Label::new(egui::RichText::new(shown_short(&name_of(node), 120)).strong()).truncate());
    });
    for fact in facts(node) {
        ui.caption(&fact);
    }
    ui.add_space(SPACE_S);
    ui.horizontal_wrapped(|ui| buttons_ui(ui, state, graph, node, marks, actions));
    if key.kind() != NodeKind::More {
        ui.add_space(SPACE_S);
        links_ui(ui, state, graph, (index, bottom), marks, actions);
    }
}

fn facts(node: &Node) -> Vec<String> {
    let kind = node.key.kind();
    let mut facts = Vec::new();
    if let Some(url) = &node.url {
        facts.push(shown_short(url, 120).into_owned());
    }
    match &node.read {
        ReadState::Read => {}
        ReadState::Unread if kind == NodeKind::More => {}
        ReadState::Unread => facts.push("Its own links have not been read; open it to show more.".to_owned()),
        ReadState::Unreported if kind == NodeKind::Asset => {
            facts.push("Its record does not include all links; it may have more.".to_owned());
        }
        ReadState::Unreported => {
            facts.push("The service does not say which assets it has; it may have more.".to_owned())
        }
        ReadState::Failed(why) => facts.push(format!("It could not be read: {}", shown_short(why, 200))),
    }
    facts
}

fn buttons_ui(ui: &mut Ui, state: &State, graph: &Graph, node: &Node, marks: &mut Marks, actions: &mut Vec<Action>) {
    let full = (graph.nodes.len() >= MAX_NODES).then(|| {
        format!("A graph has at most {MAX_NODES} nodes; choose “Start here” on a node to see more of its links")
    });
    if let NodeKey::More(of) = &node.key {
        let title = format!("Draw {} more", node.more.min(BATCH));
        if enabled_unless(ui, full.as_deref(), |ui| ui.icon_text_button(Icon::ADD, &title)).clicked() {
            actions.push(GraphAction::Open(NodeKey::clone(of)).into());
        }
        return;
    }
    if ui.icon_text_button(Icon::SHOWN, "Open its page").clicked() {
        actions.extend(page_of(&node.key, graph));
    }
    let start = Start { key: node.key.clone(), name: node.name.clone(), url: node.url.clone() };
    if ui.icon_text_button(Icon::GRAPH, "Start here").clicked() {
        actions.push(GraphAction::Start(vec![start]).into());
    }
    if node.more > 0 || node.read == ReadState::Unread {
        let title = match node.more {
            0 => "Draw its links".to_owned(),
            more => format!("Draw {} more", more.min(BATCH)),
        };
        wrap_before(ui, &title);
        if enabled_unless(ui, full.as_deref(), |ui| ui.icon_text_button(Icon::ADD, &title)).clicked() {
            actions.push(GraphAction::Open(node.key.clone()).into());
        }
    }
    let pinned = state.graph.is_pinned(&node.key);
    if ui.icon_text_button(Icon::PINNED, if pinned { "Unpin" } else { "Pin" }).clicked() {
        actions.extend(node_menu::pin_toggled(state, &node.key));
    }
    let marked = marks.marked.contains(&node.key);
    if ui.icon_text_button(Icon::CHECK, if marked { "Unmark" } else { "Mark" }).clicked() {
        marks.toggle(&node.key);
    }
    link_to_ui(ui, state, graph, node, actions);
}

/// Begins a line if a button with an icon and this text does not fit into the current one. One that can be disabled does
/// not wrap by itself: the panel would become wider, and the nodes would move away from the pointer that selected one.
fn wrap_before(ui: &mut Ui, text: &str) {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let icon = font.size + ui.spacing().icon_spacing;
    let text = ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::PLACEHOLDER).size().x;
    if ui.available_rect_before_wrap().width() < icon + text + 2.0 * ui.spacing().button_padding.x + SPACE_S {
        ui.end_row();
    }
}

/// Draws the picker of the nodes in the graph that the node can be linked to.
fn link_to_ui(ui: &mut Ui, state: &State, graph: &Graph, node: &Node, actions: &mut Vec<Action>) {
    let capability = |other: &Node| {
        let item = node.item().or_else(|| other.item())?;
        Some(Capability::Link(item.kind))
    };
    let others: Vec<&Node> = graph
        .nodes
        .iter()
        .filter(|other| matches!(linkable(graph, &node.key, &other.key), Linkable::Yes(..)))
        .filter(|other| capability(other).is_some_and(|capability| state.connection.can_do(capability).is_ok()))
        .collect();
    let blocked = match node.key.kind() {
        NodeKind::Application | NodeKind::More => return,
        NodeKind::Asset => lunette_inspector::change::LinkKind::ALL
            .map(Capability::Link)
            .into_iter()
            .find_map(|capability| disabled_reason(state, capability).filter(|_| others.is_empty())),
        NodeKind::Tag | NodeKind::Website | NodeKind::Summary => {
            node.item().and_then(|item| disabled_reason(state, Capability::Link(item.kind)))
        }
    };
    let none = others.is_empty().then(|| "Everything in the graph that can be linked to it already is".to_owned());
    let reason = blocked.or(none);
    wrap_before(ui, "Link to…");
    let button = enabled_unless(ui, reason.as_deref(), |ui| ui.icon_text_button(Icon::LINK, "Link to…"));
    let entry = |index: usize| PickerEntry {
        name: others[index].name.as_str().into(),
        detail: others[index].key.kind().one().into(),
    };
    let id = ui.make_persistent_id(("link to", &node.key));
    let mut picker = ui.data_mut(|data| data.get_temp::<PickerState>(id)).unwrap_or_default();
    if let Some(Picked::Entry(index)) = Picker::new("Link to", others.len(), &entry).popup(&button, &mut picker) {
        actions.push(GraphAction::Link(node.key.clone(), others[index].key.clone()).into());
    }
    ui.data_mut(|data| data.insert_temp(id, picker));
}

/// Draws the links of a node down to `bottom`, each with its other end and a button that removes it.
fn links_ui(
    ui: &mut Ui,
    state: &State,
    graph: &Graph,
    (index, bottom): (usize, f32),
    marks: &mut Marks,
    actions: &mut Vec<Action>,
) {
    let node = &graph.nodes[index];
    let others: Vec<usize> =
        graph.neighbours(index).filter(|other| graph.nodes[*other].key.kind() != NodeKind::More).collect();
    ui.section_title(&match others.len() {
        0 => "No links are known".to_owned(),
        1 => "1 link".to_owned(),
        count => format!("{count} links"),
    });
    let height = (bottom - ui.cursor().top()).max(MIN_HEIGHT);
    let area = ScrollArea::vertical().id_salt("links").auto_shrink(false).max_height(height);
    area.min_scrolled_height(MIN_HEIGHT).show_rows(ui, LINE, others.len(), |ui, rows| {
        for index in rows {
            let other = &graph.nodes[others[index]];
            ui.push_id(&other.key, |ui| link_ui(ui, state, node, other, marks, actions));
        }
    });
}

fn link_ui(ui: &mut Ui, state: &State, node: &Node, other: &Node, marks: &mut Marks, actions: &mut Vec<Action>) {
    let name = shown_short(&name_of(other), 60).into_owned();
    ui.horizontal(|ui| {
        ui.set_height(LINE - 4.0);
        let item = node.item().or_else(|| other.item());
        let removable = item.filter(|_| node.key.asset().is_some() || other.key.asset().is_some());
        let reason = match &removable {
            Some(item) => disabled_reason(state, Capability::Unlink(item.kind)),
            None => Some("The application of an asset cannot be changed".to_owned()),
        };
        let remove = format!("Remove the link to {name}");
        if enabled_unless(ui, reason.as_deref(), |ui| ui.icon_button(Icon::UNLINK, &remove)).clicked() {
            actions.push(GraphAction::Unlink(node.key.clone(), other.key.clone()).into());
        }
        ui.decoration(paint::icon(other.key.kind()).text().color(ui.tokens().muted));
        if ui.add(egui::Button::new(name.as_str()).frame_when_inactive(false).truncate()).clicked() {
            marks.select(other.key.clone());
        }
    });
}

/// Draws the actions for the marked nodes.
pub(super) fn marked_ui(ui: &mut Ui, state: &State, graph: &Graph, marks: &mut Marks, actions: &mut Vec<Action>) {
    let assets = marks.assets();
    ui.horizontal_wrapped(|ui| {
        ui.strong(format!("{} marked", marks.marked.len()));
        let items = marks.items(graph);
        let none = assets.is_empty().then(|| "Mark the assets to change".to_owned());
        bulk_ui(ui, state, ["Link…", "Link marked to"], &items, none.clone(), |item| {
            (Capability::Link(item.kind), BulkOperation::Link(item.clone()))
        })
        .into_iter()
        .chain(bulk_ui(ui, state, ["Unlink…", "Unlink marked from"], &items, none, |item| {
            (Capability::Unlink(item.kind), BulkOperation::Unlink(item.clone()))
        }))
        .for_each(|operation| actions.push(GraphAction::Plan(operation, assets.clone()).into()));
        if ui.icon_text_button(Icon::GRAPH, "Graph of marked").clicked() {
            let nodes = graph.nodes.iter().filter(|node| marks.marked.contains(&node.key));
            let start =
                nodes.map(|node| Start { key: node.key.clone(), name: node.name.clone(), url: node.url.clone() });
            actions.push(GraphAction::Start(start.collect()).into());
        }
        if ui.ghost_button("Unmark all").clicked() {
            marks.marked.clear();
        }
    });
    ui.add_space(SPACE_S);
}

/// Draws a picker of items for an operation on the marked assets; returns it with the item that was chosen.
fn bulk_ui(
    ui: &mut Ui,
    state: &State,
    [title, picker_name]: [&str; 2],
    items: &[Item],
    none: Option<String>,
    operation: impl Fn(&Item) -> (Capability, BulkOperation),
) -> Option<BulkOperation> {
    let items: Vec<&Item> = items.iter().filter(|item| state.connection.can_do(operation(item).0).is_ok()).collect();
    let read_only = crate::ui::disabled_reason::write_disabled_reason(state);
    let nothing = items.is_empty().then(|| "No tag, website or summary in the graph fits".to_owned());
    let reason = read_only.or(none).or(nothing);
    let button = enabled_unless(ui, reason.as_deref(), |ui| ui.button(title));
    let entry = |index: usize| PickerEntry { name: items[index].name().into(), detail: items[index].kind.one().into() };
    let id = ui.make_persistent_id(title);
    let mut picker = ui.data_mut(|data| data.get_temp::<PickerState>(id)).unwrap_or_default();
    let picked = Picker::new(picker_name, items.len(), &entry).popup(&button, &mut picker);
    ui.data_mut(|data| data.insert_temp(id, picker));
    match picked {
        Some(Picked::Entry(index)) => Some(operation(items[index]).1),
        Some(Picked::New(_)) | None => None,
    }
}
