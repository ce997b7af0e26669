//! How much of the past of assets is kept.

use egui::{DragValue, Ui};

use crate::ui::theme::{self, UiExt as _};
use lunette_inspector::action::SettingsAction;
use lunette_inspector::{Action, State, Vendor};

/// Bytes of a megabyte, in which the size is set.
const MEGABYTE: u64 = 1 << 20;

/// Draws the bounds, and whether versions are kept for this connection.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    ui.section_title("Versions");
    let mut bounds = state.preferences.settings.versions;
    let mut megabytes = bounds.bytes / MEGABYTE;
    ui.horizontal_wrapped(|ui| {
        ui.label("For");
        ui.add(DragValue::new(&mut bounds.days).range(1..=36_500).suffix(" days"))
            .accessible_name("Days to keep versions");
        ui.label(", of each asset");
        let versions = DragValue::new(&mut bounds.versions).range(1..=10_000).suffix(" versions");
        ui.add(versions).accessible_name("Versions to keep of each asset");
        ui.label(", in all");
        let size = DragValue::new(&mut megabytes).range(10..=1_000_000).suffix(" MB");
        ui.add(size).accessible_name("Megabytes of versions to keep");
    });
    bounds.bytes = megabytes * MEGABYTE;
    if bounds != state.preferences.settings.versions {
        actions.push(SettingsAction::VersionBounds(bounds).into());
    }
    if state.connection.vendor == Vendor::Other && state.connection.address.is_some() {
        let mut keeps = !state.preferences.settings.unrecorded.contains(&state.connection.key());
        if theme::checkbox(ui, &mut keeps, "Keep versions of the assets of this service").changed() {
            actions.push(SettingsAction::KeepVersions(keeps).into());
        }
    }
    ui.muted(
        "These bounds are for services of other programs, of whose assets Lunette keeps what it reads and writes anyway. \
         Lunette's own service keeps its versions itself, for 90 days, 200 of each asset, 1 GB in all.",
    );
}
