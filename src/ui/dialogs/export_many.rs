//! The dialog that exports many assets: which ones, in which format, and to where.
//!
//! What must hold: the assets are those in the list when the export starts; a disabled button says why.

use std::sync::Arc;

use egui::{ComboBox, Context, Ui};

use lunette_inspector::action::ExportAction;
use lunette_inspector::export::ExportRequest;
use lunette_inspector::export::library::Format;
use lunette_inspector::import::typed_path;
use lunette_inspector::listing::Columns as _;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::{Action, State};

use super::parts::confirm_button;
use crate::ui::command::{CommandTarget, target};
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{self, UiExt as _};
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{buttons, confirm_key, counted, dialog};

/// Width of the dialog, in points.
const WIDTH: f32 = 560.0;

/// Which assets are exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Choice {
    #[default]
    All,
    Shown,
    Selected,
}

/// The dialog and its last choices.
#[derive(Default)]
pub(in crate::ui) struct ExportManyDialog {
    open: bool,
    format: Format,
    choice: Choice,
    target: String,
    /// How many exports were complete when `target` was used for another one.
    used: Option<u64>,
    /// The assets that were selected when it was opened.
    selected: Vec<Arc<AssetRow>>,
    /// The number of the last picked path that was applied.
    picked: u64,
    /// Whether to focus the path field.
    focus: bool,
}

impl ExportManyDialog {
    /// Opens the dialog. The assets that are seen are the default: several selected ones, or those that the filter shows.
    pub(in crate::ui) fn open(&mut self, state: &State, selected: Vec<Arc<AssetRow>>) {
        let in_view = state.navigation.panel == Panel::Assets && !state.navigation.welcome;
        self.choice = match target(state) {
            CommandTarget::Assets(_) => Choice::Selected,
            _ if in_view && !state.assets.list.query.filter.is_empty() => Choice::Shown,
            _ => Choice::All,
        };
        self.picked = state.export.picked_target().0;
        (self.open, self.focus, self.selected) = (true, true, selected);
        // Existing files are not replaced, so a path is of no use once it was written; after a failure it is.
        if self.used.take().is_some_and(|used| used != state.export.completed) {
            self.target.clear();
        }
    }

    /// Draws the dialog if it is open.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        if !self.open {
            return;
        }
        if let (count, Some(path)) = state.export.picked_target()
            && count != self.picked
        {
            (self.picked, self.target) = (count, path.display().to_string());
        }
        let (close, outside) = dialog(ctx, "export many", "Export to a folder or file", WIDTH, |ui| {
            let confirmed = confirm_key(ui);
            self.choice_ui(ui, state);
            self.format_ui(ui);
            let submitted = self.target_ui(ui, actions);
            ui.caption("A name that ends in .zip creates a zip file. Existing files are not replaced.");
            buttons(ui, |ui| {
                let reason = self.disabled_reason(state);
                let go =
                    confirm_button(ui, reason.as_deref(), confirmed || submitted, |ui| ui.primary_button("Export"));
                if go && let Ok(target) = typed_path(&self.target) {
                    self.used = Some(state.export.completed);
                    actions.push(ExportAction::Many(Box::new(self.request(state, target))).into());
                }
                let cancelled = ui.button("Cancel").clicked();
                if cancelled {
                    self.target.clear();
                }
                cancelled || go
            })
        });
        self.open &= !(close || outside);
    }

    fn choice_ui(&mut self, ui: &mut Ui, state: &State) {
        let all = state.assets.list.rows.value().map_or(0, |rows| rows.len());
        let shown = state.assets.list.order.len();
        ui.label("Which assets");
        for (choice, words, count) in [
            (Choice::All, "All", all),
            (Choice::Shown, "Filtered", shown),
            (Choice::Selected, "Selected", self.selected.len()),
        ] {
            let text = counted(words, count);
            let reason = (choice == Choice::Selected && count == 0).then_some("No asset is selected");
            if enabled_unless(ui, reason, |ui| theme::radio(ui, self.choice == choice, &text)).clicked() {
                self.choice = choice;
            }
        }
    }

    fn format_ui(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            let label = ui.label("Format");
            let combo = ComboBox::from_id_salt("export format").selected_text(self.format.title());
            let response = combo.show_ui(ui, |ui| {
                for format in Format::all() {
                    ui.selectable_value(&mut self.format, format, format.title());
                }
            });
            response.response.labelled_by(label.id);
        });
        if self.format == Format::Archive {
            ui.caption("Contains everything and can be imported again. Readable without Lunette.");
        }
    }

    /// Draws the field for the path; returns whether Enter was pressed in it.
    fn target_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) -> bool {
        let focus = std::mem::take(&mut self.focus);
        let field = TextField::new("New folder or file").hint("such as /home/you/assets.zip").focus(focus);
        let submitted = field.show(ui, &mut self.target).submitted;
        if ui.button("Choose…").accessible_name("Choose where to export to").clicked() {
            actions.push(ExportAction::PickTarget("assets.zip".to_owned()).into());
        }
        submitted
    }

    fn disabled_reason(&self, state: &State) -> Option<String> {
        if state.connection.status != Status::Up {
            return Some("The service does not respond".to_owned());
        }
        if state.assets.list.rows.loading() {
            return Some("The list of assets is being read".to_owned());
        }
        let count = match self.choice {
            Choice::All => state.assets.list.rows.value().map_or(0, |rows| rows.len()),
            Choice::Shown => state.assets.list.order.len(),
            Choice::Selected => self.selected.len(),
        };
        if count == 0 {
            return Some("There are no assets to export".to_owned());
        }
        typed_path(&self.target).err().map(str::to_owned)
    }

    fn rows(&self, state: &State) -> Vec<Arc<AssetRow>> {
        let list = &state.assets.list;
        match (self.choice, list.rows.value()) {
            (Choice::Selected, _) => self.selected.clone(),
            (Choice::All | Choice::Shown, None) => Vec::new(),
            (Choice::All, Some(rows)) => (0..rows.len()).filter_map(|index| rows.get(index)).cloned().collect(),
            (Choice::Shown, Some(rows)) => {
                list.order.iter().filter_map(|index| rows.get(*index as usize)).cloned().collect()
            }
        }
    }

    fn request(&self, state: &State, target: std::path::PathBuf) -> ExportRequest {
        let rows = self.rows(state);
        let what = match self.choice {
            Choice::All => "all".to_owned(),
            Choice::Shown => "those that the filter of the list showed".to_owned(),
            Choice::Selected => format!("{} that were selected", rows.len()),
        };
        let visible = &state.preferences.view.list("assets").visible;
        let columns = AssetRow::COLUMNS.iter().filter(|column| column.is_shown(visible.get(column.key).copied()));
        ExportRequest { format: self.format, target, rows, what, columns: columns.collect() }
    }
}
