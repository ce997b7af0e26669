//! How runs call a service of others.

use egui::{Slider, Ui};

use crate::ui::theme::UiExt as _;
use lunette_inspector::action::SettingsAction;
use lunette_inspector::session::MAX_CONCURRENCY;
use lunette_inspector::{Action, State};

/// Draws the choice of how many calls are on their way at once.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    ui.section_title("Services of other programs");
    let mut most = state.preferences.settings.in_flight;
    let slider = ui.add(Slider::new(&mut most, 1..=MAX_CONCURRENCY).text("parallel requests at most"));
    if slider.accessible_name("Most parallel requests to a service of another program").changed() {
        actions.push(SettingsAction::InFlight(most).into());
    }
    ui.muted(
        "Runs and imports start with one call at a time and send more only while responses stay quick. Lunette's own \
         service is not limited by this.",
    );
}
