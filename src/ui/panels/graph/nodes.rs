//! The nodes of the graph as a list.

use std::borrow::Cow;

use egui::{Rect, Ui, vec2};

use super::marks::Marks;
use super::{described, name_of, node_menu, paint};
use crate::ui::app_icon;
use crate::ui::command::filter_field;
use crate::ui::theme::{Icon, SPACE_S, Tokens, UiExt as _};
use crate::ui::widgets::row_list::{RowList, RowListState};
use crate::ui::widgets::shown_short;
use crate::ui::widgets::text_field::TextField;
use lunette_inspector::graph::{Graph, NodeKey};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

/// The list and its search text.
#[derive(Default)]
pub(super) struct NodeList {
    rows: RowListState,
    text: String,
    /// The current row when the list was last drawn.
    row: Option<NodeKey>,
    /// A node selected elsewhere, to scroll to.
    wanted: Option<NodeKey>,
}

impl NodeList {
    /// Scrolls to a node that was selected elsewhere.
    pub fn follow(&mut self, marks: &Marks) {
        if marks.selected.is_some() && marks.selected != self.row {
            self.wanted.clone_from(&marks.selected);
        }
    }

    /// Draws the field and the list, at most so high together; returns the node that is to be opened.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        graph: &Graph,
        height: f32,
        marks: &mut Marks,
        actions: &mut Vec<Action>,
    ) -> Option<NodeKey> {
        let top = ui.cursor().top();
        let field = TextField::search("Find a node").width(f32::INFINITY).limit(200).id(filter_field(Panel::Graph));
        let typed = field.show(ui, &mut self.text).response.changed();
        ui.add_space(SPACE_S);
        let lower = self.text.trim().to_lowercase();
        let matching = |index: &usize| lower.is_empty() || graph.nodes[*index].name.to_lowercase().contains(&lower);
        let indices: Vec<usize> = (0..graph.nodes.len()).filter(matching).collect();
        if indices.is_empty() {
            ui.muted("No matching nodes.");
            return None;
        }
        if typed {
            self.rows.reset();
        }
        let key = |row: usize| &graph.nodes[indices[row]].key;
        let row_of = |wanted: &NodeKey| (0..indices.len()).find(|row| key(*row) == wanted);
        if let Some(row) = self.wanted.take().as_ref().and_then(row_of) {
            self.rows.go_to(row);
            self.row = Some(key(row).clone());
        }
        let left = (height - (ui.cursor().top() - top)).max(80.0).min(self.rows.height_of(ui, indices.len()));
        let rect = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), left));
        let name = |row: usize| {
            let marked = if marks.marked.contains(key(row)) { ", marked" } else { "" };
            Cow::Owned(format!("{}{marked}", described(graph, indices[row])))
        };
        let list = RowList { name: "Nodes", rect, rows: indices.len(), row_name: &name, drags: false };
        let shown = list.show(ui, &mut self.rows, |ui, row| row_ui(ui, state, graph, indices[row], marks));
        let at = key(shown.row).clone();
        let clicked = shown.clicked || shown.menu_of.is_some();
        if self.row.as_ref() != Some(&at) || clicked {
            // The first row only is the initial position of the keyboard.
            if self.row.is_some() || clicked || shown.response.has_focus() {
                marks.select(at.clone());
            }
            self.row = Some(at.clone());
        }
        shown.menu(&format!("Menu of {}", described(graph, indices[shown.row])), |ui| {
            node_menu::ui(ui, state, graph, &at, marks, actions);
        });
        (shown.opened || shown.response.double_clicked()).then_some(at)
    }
}

fn row_ui(ui: &mut Ui, state: &State, graph: &Graph, index: usize, marks: &Marks) {
    let (t, node) = (Tokens::of(ui), &graph.nodes[index]);
    let selected = marks.selected.as_ref() == Some(&node.key);
    let row = Rect::from_min_size(ui.max_rect().min, vec2(ui.max_rect().width(), 26.0));
    if selected {
        ui.painter().rect_filled(row, 4.0, t.selected_row);
    }
    ui.horizontal(|ui| {
        ui.set_height(26.0);
        ui.add_space(4.0);
        let own = match &node.key {
            NodeKey::Application(id) => app_icon::own_ui(ui, app_icon::path_of_tracked(state, id), state),
            NodeKey::Asset(_) | NodeKey::Item(..) | NodeKey::More(_) => false,
        };
        if !own {
            ui.decoration(paint::icon(node.key.kind()).text().color(t.muted));
        }
        if marks.marked.contains(&node.key) {
            ui.decoration(Icon::CHECK.text().color(t.accent));
        }
        ui.add(egui::Label::new(shown_short(&name_of(node), 80).into_owned()).truncate().selectable(false));
    });
}
