//! Applications: tracked ones, or those of all lists as a table or as cards, and the page of the open application.

use egui::Ui;

use inventory::InventoryList;
use lunette_inspector::filter::Filter;
use lunette_inspector::inventory::Shown;
use lunette_inspector::navigation::in_view::InView;
use lunette_inspector::{Action, State};
use page::ApplicationPageView;
use tracked::TrackedList;

mod board;
mod changes;
mod head;
mod inventory;
mod inventory_page;
pub(in crate::ui) mod labels;
mod page;
mod tracked;
mod usage;

/// The panel and its view state.
#[derive(Default)]
pub struct ApplicationsPanel {
    tracked: TrackedList,
    inventory: InventoryList,
    page: ApplicationPageView,
}

impl ApplicationsPanel {
    /// Draws the panel; returns the filter of the assets to show.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Filter> {
        match state.inventory.shown {
            Shown::Tracked => self.tracked.ui(ui, &mut self.page, state, actions),
            Shown::All | Shown::Board => self.inventory.ui(ui, &mut self.page, state, actions),
        }
        self.page.wanted.take()
    }

    /// Returns what its list showed in the last frame.
    pub(in crate::ui) fn in_view(&self, state: &State) -> &InView {
        match state.inventory.shown {
            Shown::Tracked => self.tracked.in_view(),
            Shown::All | Shown::Board => self.inventory.in_view(),
        }
    }
}
