//! How lists are laid out, kept for each connection: widths of columns, columns shown, the sort, the edge of a split.

use egui::Ui;

use crate::app::filter::Filter;
use crate::app::listing::{Column, Direction, Query};
use crate::app::settings::{ListView, Sorted};
use crate::app::{Action, State};

use crate::ui::widgets::table::{Sort, TableState};

/// What is kept of a split.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SplitLayout {
    /// How wide the page is, in points; None where nobody moved its edge.
    pub page: Option<f32>,
    /// Which view it is of, so that the toolkit does not take the width of another.
    pub view: u64,
}

/// Keeps the layout of one list.
#[derive(Default)]
pub struct ListLayout {
    /// What is kept, as far as known here.
    restore: ListView,
    /// The view it was taken from; None before the first frame.
    view: Option<u64>,
    /// How wide the page was drawn last.
    page: Option<f32>,
    /// How wide it was before the user dragged its edge.
    undragged: Option<f32>,
}

impl ListLayout {
    /// What is kept of the split; asked before the list is drawn. A view that was taken up since is put into the table.
    pub fn restore(&mut self, name: &str, table: &mut TableState, state: &State) -> SplitLayout {
        if self.view != Some(state.view_number) {
            let restore = state.view.list(name).clone();
            table.widths.clone_from(&restore.widths);
            table.visible.clone_from(&restore.visible);
            table.sort = restore.sort.clone().map(|Sorted { column, descending }| Sort { column, descending });
            table.then = restore.then.clone().map(|Sorted { column, descending }| Sort { column, descending });
            *self = Self { restore, view: Some(state.view_number), page: None, undragged: None };
        }
        SplitLayout { page: self.restore.page, view: state.view_number }
    }

    /// Notes how wide the page was drawn.
    pub fn page_drawn(&mut self, page: Option<f32>) {
        self.page = page.or(self.page);
        self.undragged = self.undragged.or(self.page);
    }

    /// Keeps what changed, once the mouse lets go.
    pub fn save(&mut self, ui: &Ui, name: &str, table: &TableState, actions: &mut Vec<Action>) {
        if self.view.is_none() || ui.input(|input| input.pointer.any_down()) {
            return;
        }
        let moved =
            self.page.zip(self.undragged).is_some_and(|(page_drawn, undragged)| (page_drawn - undragged).abs() > 1.0);
        let page = if moved { self.page.map(f32::round) } else { self.restore.page };
        self.undragged = self.page;
        let restore =
            |sort: &Option<Sort>| sort.clone().map(|Sort { column, descending }| Sorted { column, descending });
        let (sort, then) = (restore(&table.sort), restore(&table.then));
        let (widths, visible) = (table.widths.clone(), table.visible.clone());
        // The filter is kept by its field.
        let now = ListView { widths, visible, page, sort, then, filter: String::new() };
        if now != (ListView { filter: String::new(), ..self.restore.clone() }) {
            actions.push(Action::Layout(name.to_owned(), Box::new(now.clone())));
            self.restore = now;
        }
    }
}

/// The order that the header of a table asks for, of what a filter leaves.
pub fn query<C: Column>(table: &TableState, filter: Filter) -> Query<C> {
    let key = |sort: &Option<Sort>| {
        let Sort { column, descending } = sort.as_ref()?;
        let direction = if *descending { Direction::Down } else { Direction::Up };
        Some((C::named(column)?, direction))
    };
    Query { filter, sort: key(&table.sort), then: key(&table.then) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_layout_is_put_into_the_table_once_for_each_view() {
        let mut state = State::default();
        let mut list = ListView { page: Some(420.0), ..ListView::default() };
        list.widths.insert("name".to_owned(), 300.0);
        list.visible.insert("size".to_owned(), false);
        state.view.lists.insert("assets".to_owned(), list);
        let (mut keeper, mut table) = (ListLayout::default(), TableState::default());
        assert_eq!(keeper.restore("assets", &mut table, &state).page, Some(420.0));
        assert_eq!((table.widths.get("name"), table.visible.get("size")), (Some(&300.0), Some(&false)));
        table.widths.insert("name".to_owned(), 200.0);
        keeper.restore("assets", &mut table, &state);
        assert_eq!(table.widths.get("name"), Some(&200.0), "what the user does stays");
        state.view = Default::default();
        state.view_number += 1;
        assert_eq!(keeper.restore("assets", &mut table, &state).page, None);
        assert_eq!(table, TableState::default());
    }
}
