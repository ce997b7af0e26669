//! Asks for the assets to be counted while something draws what was counted.

use egui::Ui;

use lunette_inspector::action::OverviewAction;
use lunette_inspector::filter::{List, Saved};
use lunette_inspector::overview::Due;
use lunette_inspector::{Action, State};

/// The saved filters of the list of assets.
pub(in crate::ui) fn saved_filters(state: &State) -> &[Saved] {
    state.preferences.settings.filters.get(List::Assets.key()).map_or(&[], Vec::as_slice)
}

/// Has the assets counted, unless they were as they are now; a list that is loading is counted once it is there.
pub(in crate::ui) fn keep_counted(ui: &Ui, state: &State, actions: &mut Vec<Action>) {
    let list = &state.assets.list.rows;
    let Some(rows) = list.value().filter(|_| !list.loading()) else { return };
    let filters = saved_filters(state);
    match state.overview.due(rows, filters) {
        Due::No => {}
        Due::Now => actions.push(OverviewAction::Count(rows.clone(), filters.to_vec()).into()),
        Due::In(left) => ui.ctx().request_repaint_after(left),
    }
}
