//! The columns of a list, saved for each connection: their widths, which are visible, and the sort order.

use egui::Ui;

use lunette_inspector::action::SettingsAction;
use lunette_inspector::filter::List;
use lunette_inspector::listing::{Change, ListView, Sort};
use lunette_inspector::{Action, State};

use crate::ui::widgets::table::{self, TableState};

/// Saves and restores the layout of one list.
#[derive(Default)]
pub struct ListLayout {
    /// The saved layout, as far as known here.
    restore: ListView,
    /// The view it was restored from; `None` before the first frame.
    view: Option<u64>,
}

impl ListLayout {
    /// Restores the table if the view changed; must be called before the list is drawn.
    pub fn restore(&mut self, name: &str, table: &mut TableState, state: &State) {
        if self.view != Some(state.preferences.view_number) {
            let restore = state.preferences.view.list(name).clone();
            table.widths.clone_from(&restore.widths);
            table.visible.clone_from(&restore.visible);
            table.tiles = restore.tiles;
            let sort = |sort: &Option<Sort>| {
                sort.clone().map(|Sort { column, descending }| table::Sort { column, descending })
            };
            (table.sort, table.secondary_sort) = (sort(&restore.sort), sort(&restore.then));
            *self = Self { restore, view: Some(state.preferences.view_number) };
        }
    }

    /// Saves what changed, once the mouse button is released.
    pub fn save(&mut self, ui: &Ui, name: &str, table: &TableState, actions: &mut Vec<Action>) {
        if self.view.is_none() || ui.input(|input| input.pointer.any_down()) {
            return;
        }
        let Self { restore: ListView { widths, visible, tiles, .. }, .. } = self;
        if (&table.widths, &table.visible, &table.tiles) != (widths, visible, tiles) {
            (*widths, *visible, *tiles) = (table.widths.clone(), table.visible.clone(), table.tiles);
            actions.push(SettingsAction::Layout(name.to_owned(), Box::new(self.restore.clone())).into());
        }
    }
}

/// Returns the action that sorts a list as the header of its table shows.
pub fn sorted(list: List, table: &TableState) -> Action {
    let sort =
        |sort: &Option<table::Sort>| sort.clone().map(|table::Sort { column, descending }| Sort { column, descending });
    Action::List(list, Change::Sort(sort(&table.sort), sort(&table.secondary_sort)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_layout_is_restored_once_for_each_view() {
        let mut state = State::default();
        let mut list = ListView::default();
        list.widths.insert("name".to_owned(), 300.0);
        list.visible.insert("size".to_owned(), false);
        state.preferences.view.lists.insert("assets".to_owned(), list);
        let (mut keeper, mut table) = (ListLayout::default(), TableState::default());
        keeper.restore("assets", &mut table, &state);
        assert_eq!((table.widths.get("name"), table.visible.get("size")), (Some(&300.0), Some(&false)));
        table.widths.insert("name".to_owned(), 200.0);
        keeper.restore("assets", &mut table, &state);
        assert_eq!(table.widths.get("name"), Some(&200.0), "what the user does stays");
        state.preferences.view = Default::default();
        state.preferences.view_number += 1;
        keeper.restore("assets", &mut table, &state);
        assert_eq!(table, TableState::default());
    }
}
