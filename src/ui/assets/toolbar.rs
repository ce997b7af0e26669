//! What stands above the list: the filter, going to an asset by its id, columns, import, refresh.

use egui::Ui;

use crate::app::feature::Feature;
use crate::app::filter::List;
use crate::app::listing::Query;
use crate::app::state::Panel;
use crate::app::{Action, State};
use crate::model::id::AssetId;
use crate::ui::command::{Command, id_field};
use crate::ui::filter_field::FilterField;
use crate::ui::obstacle::{obstacle, unless};
use crate::ui::theme::{Icon, SPACE_S, UiExt as _, control};
use crate::ui::widget::grouped;
use crate::ui::widget::table::{Column, TableState, columns_button};
use crate::ui::widget::text_field::TextField;

/// What is typed above the list.
pub struct Toolbar {
    /// The filter.
    pub(in crate::ui) filter: FilterField,
    /// The id to go to.
    id: String,
    /// Whether Go was pressed on what the field holds.
    tried: bool,
}

impl Default for Toolbar {
    fn default() -> Self {
        let (id, tried) = Default::default();
        Self { filter: FilterField::new(List::Assets, "Filter assets"), id, tried }
    }
}

impl Toolbar {
    /// Draws it; true when text for a new asset is wanted.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        state: &State,
        columns: &[Column],
        table: &mut TableState,
        actions: &mut Vec<Action>,
    ) -> bool {
        let mut wants_new = false;
        ui.horizontal(|ui| {
            ui.heading("Assets");
            count_ui(ui, state);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                wants_new = self.import_ui(ui, state, actions);
                let tip = Command::Refresh.with_keys("Refresh the assets", state);
                if ui.icon_button_with(Icon::REFRESH, "Refresh the assets", &tip).clicked() {
                    actions.push(Action::Refresh(Panel::Assets));
                }
                columns_button(ui, columns, table);
                trash_ui(ui, state, actions);
            });
        });
        ui.add_space(SPACE_S);
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            let go_to = (ui.available_width() * 0.36).clamp(110.0, 310.0);
            let filter = ui.available_width() - go_to - SPACE_S;
            self.filter_ui(ui, filter, state, table, actions);
            self.go_to_ui(ui, go_to, actions);
        });
        if self.filter.fault_ui(ui, actions) {
            self.arrange(state, actions);
        }
        ui.add_space(SPACE_S);
        wants_new
    }

    fn filter_ui(&mut self, ui: &mut Ui, width: f32, state: &State, table: &mut TableState, actions: &mut Vec<Action>) {
        let searchable = state.connection.offers("searchAssets");
        let enter = if searchable { "Enter searches the contents." } else { "" };
        let done = self.filter.ui(ui, state, width, enter, actions);
        if done.changed {
            self.arrange(state, actions);
        }
        if !done.submitted {
            return;
        }
        match self.filter.text().trim().parse::<AssetId>() {
            Ok(id) => actions.push(Action::OpenAsset(id)),
            Err(_) if searchable => self.search(state, table, actions),
            Err(_) => {}
        }
    }

    fn arrange(&self, state: &State, actions: &mut Vec<Action>) {
        let filter = self.filter.filter().clone();
        actions.push(Action::ArrangeAssets(state.assets.query.filtered(filter)));
        // A search that is on follows what is typed; each one ends the one before.
        if state.found.is_some() {
            actions.push(Action::Search(self.filter.searched()));
        }
    }

    /// Has the service search for what is typed. What it finds comes best first, so a column that was sorted by is not
    /// any more; it can be again.
    pub(super) fn search(&self, state: &State, table: &mut TableState, actions: &mut Vec<Action>) {
        if state.found.is_none() && !self.filter.text().trim().is_empty() {
            (table.sort, table.then) = (None, None);
            let filter = self.filter.filter().clone();
            actions.push(Action::ArrangeAssets(Query { filter, ..Query::default() }));
        }
        actions.push(Action::Search(self.filter.searched()));
    }

    fn go_to_ui(&mut self, ui: &mut Ui, width: f32, actions: &mut Vec<Action>) {
        let parsed = self.id.trim().parse::<AssetId>();
        let fault = parsed.as_ref().err().map(ToString::to_string).filter(|_| self.tried && !self.id.is_empty());
        let field = TextField::new("Go to UUID")
            .id(id_field())
            .label_hidden()
            .hint("Go to UUID")
            .mono()
            .limit(100)
            .width(width)
            .error(fault.as_deref())
            .show(ui, &mut self.id);
        if field.response.changed() {
            self.tried = false;
        }
        if !field.submitted {
            return;
        }
        match self.id.trim().parse::<AssetId>() {
            Ok(id) => {
                self.id.clear();
                self.tried = false;
                actions.push(Action::OpenAsset(id));
            }
            Err(_) => self.tried = true,
        }
    }

    /// The ways to bring assets in. True when text for a new one is wanted.
    fn import_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> bool {
        let obstacle = obstacle(state, Feature::Make);
        let mut wants_new = false;
        unless(ui, obstacle.as_deref(), |ui| {
            ui.icon_menu_button(Icon::IMPORT, "Import", |ui| {
                ui.set_min_width(control(ui) * 6.0);
                let choice = |ui: &mut Ui, icon: Icon, name: &str| {
                    let chosen = ui.icon_text_button(icon, name).clicked();
                    if chosen {
                        ui.close();
                    }
                    chosen
                };
                if choice(ui, Icon::FILE, "Files…") {
                    actions.push(Action::PickFiles);
                }
                if choice(ui, Icon::FOLDER, "Folder…") {
                    actions.push(Action::PickFolder);
                }
                if choice(ui, Icon::ENTER, "From a path…") {
                    actions.push(Action::AskForPath);
                }
                if choice(ui, Icon::SAMPLES, "Samples") {
                    actions.push(Action::ImportSamples);
                }
                wants_new = choice(ui, Icon::ADD, "New from text…");
            })
            .accessible_name("Import")
        });
        wants_new
    }
}

fn trash_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let held = obstacle(state, Feature::Trash);
    let tip = Command::Trash.with_keys("Deleted assets, to restore them", state);
    if unless(ui, held.as_deref(), |ui| ui.icon_button_with(Icon::DELETE, "Show Trash", &tip)).clicked() {
        actions.push(Action::ShowTrash(true));
    }
}

fn count_ui(ui: &mut Ui, state: &State) {
    let (shown, all) = (state.assets.order.len(), state.assets.count());
    let mut said = if shown == all {
        grouped(all as u64)
    } else {
        format!("{} of {}", grouped(shown as u64), grouped(all as u64))
    };
    if state.assets.rows.loading() {
        said.push_str(", loading…");
    }
    ui.caption(&said);
}
