//! The notice of the status bar that applications changed: a click opens their list, and it goes once that was drawn.

use egui::Ui;

use super::small_button;
use crate::ui::widgets::grouped;
use lunette_inspector::action::{InventoryAction, NavigationAction};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

/// Draws that applications changed, until their list was opened.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let words = match state.inventory.unseen {
        0 => return,
        1 => "1 application change".to_owned(),
        count => format!("{} application changes", grouped(count as u64)),
    };
    if small_button(ui, &words, &words).on_hover_text("Shows the applications that changed").clicked() {
        actions.extend([
            Action::Navigation(NavigationAction::Show(Panel::Applications)),
            Action::Inventory(InventoryAction::ShowChanged),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    fn bar(unseen: usize) -> Harness<'static, (State, Vec<Action>)> {
        let mut state = State::default();
        state.inventory.unseen = unseen;
        Harness::builder().with_context_setup(crate::ui::theme::install).build_ui_state(
            |ui, (state, actions): &mut (State, Vec<Action>)| super::ui(ui, state, actions),
            (state, Vec::new()),
        )
    }

    #[test]
    fn a_change_is_announced_until_it_is_seen_and_links_to_the_changes() {
        let mut none = bar(0);
        none.run();
        assert!(none.query_by_label_contains("application change").is_none());
        let mut one = bar(1);
        one.run();
        one.get_by_label("1 application change").click();
        one.run();
        assert_eq!(one.state().1.last(), Some(&Action::Inventory(InventoryAction::ShowChanged)));
    }
}
