//! How much of the past of assets is kept: by the service of this program, and by this program of others.

use egui::{DragValue, Ui};

use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::theme::{self, SPACE_S, UiExt as _};
use lunette_inspector::action::{SettingsAction, VersionsAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::settings::VersionBounds;
use lunette_inspector::{Action, State, Vendor};

/// Bytes of a megabyte, in which the size is set.
const MEGABYTE: u64 = 1 << 20;

/// The bounds of the service while they are edited.
#[derive(Default)]
pub(super) struct VersionsSection {
    /// Whether they were asked for since the dialog was opened.
    asked: bool,
    /// The bounds that the service told, and what is to be set.
    edited: Option<(VersionBounds, VersionBounds)>,
}

impl VersionsSection {
    /// Draws the bounds, and whether versions are kept for this connection.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        ui.section_title("Versions");
        if state.connection.address.is_some() && state.connection.vendor != Vendor::Other {
            self.of_service_ui(ui, state, actions);
            ui.add_space(SPACE_S);
        }
        let mut bounds = state.preferences.settings.versions;
        ui.label("Kept by Lunette for services of other programs:");
        ui.horizontal_wrapped(|ui| bounds_ui(ui, &mut bounds, ("", 1, 10)));
        if bounds != state.preferences.settings.versions {
            actions.push(SettingsAction::VersionBounds(bounds).into());
        }
        if state.connection.vendor == Vendor::Other && state.connection.address.is_some() {
            let mut keeps = !state.preferences.settings.unrecorded.contains(&state.connection.key());
            if theme::checkbox(ui, &mut keeps, "Keep versions of the assets of this service").changed() {
                actions.push(SettingsAction::KeepVersions(keeps).into());
            }
        }
        ui.muted("Services of other programs keep no versions, so Lunette keeps what it sees of their assets in its own database.");
    }

    /// Draws the bounds of the connected service of this program, which a button sets.
    fn of_service_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        if let Some(reason) = disabled_reason(state, Capability::VersionBounds) {
            ui.muted(&format!("How many versions this service keeps is not known. {reason}"));
            return;
        }
        let known = &state.versions.bounds;
        if !std::mem::replace(&mut self.asked, true) && !known.loading() {
            actions.push(VersionsAction::LoadBounds.into());
        }
        if let Some(error) = known.error() {
            ui.error_text(&format!("How many versions this service keeps could not be read: {error}"));
            if ui.line_button("Try again").clicked() {
                actions.push(VersionsAction::LoadBounds.into());
            }
        }
        let Some(told) = known.value().copied() else {
            if known.error().is_none() {
                ui.muted("Reading how many versions this service keeps…");
            }
            return;
        };
        let (_, wanted) = self.edited.get_or_insert((told, told));
        let mut wanted = *wanted;
        ui.label("Kept by the connected service:");
        ui.horizontal_wrapped(|ui| {
            bounds_ui(ui, &mut wanted, (" at the service", 0, 0));
            let same = (wanted == told).then(|| "The service has these limits already".to_owned());
            let why_not = same.or_else(|| disabled_reason(state, Capability::SetVersionBounds));
            if enabled_unless(ui, why_not.as_deref(), |ui| ui.button("Set at the service")).clicked() {
                actions.push(VersionsAction::SetBounds(wanted).into());
            }
        });
        self.edited = match self.edited {
            // What was set elsewhere, or is set now, takes the place of what was told before.
            Some((before, _)) if before != told => Some((told, told)),
            _ => Some((told, wanted)),
        };
        if wanted.versions == 0 {
            ui.warning_text("With 0 versions of each asset, none are kept.");
        }
    }
}

/// Draws three numbers; the text follows each accessible name, and the numbers are the fewest versions and megabytes.
fn bounds_ui(ui: &mut Ui, bounds: &mut VersionBounds, (of, versions, size): (&str, u32, u64)) {
    let mut megabytes = bounds.bytes / MEGABYTE;
    ui.label("For");
    ui.add(DragValue::new(&mut bounds.days).range(1..=36_500).suffix(" days"))
        .accessible_name(format!("Days to keep versions{of}"));
    let versions = DragValue::new(&mut bounds.versions).range(versions..=10_000).suffix(" versions");
    ui.add(versions).accessible_name(format!("Versions to keep of each asset{of}"));
    ui.label("of each asset,");
    let size = DragValue::new(&mut megabytes).range(size..=1_000_000).suffix(" MB");
    if ui.add(size).accessible_name(format!("Megabytes of versions to keep{of}")).changed() {
        bounds.bytes = megabytes * MEGABYTE;
    }
    ui.label("in all");
}
