//! The toolbar above the list: the filter, search, columns, Trash, refresh, import.

use egui::Ui;

use crate::ui::command::Command;
use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::list::filter_field::FilterField;
use crate::ui::list::grouping::{group_button, group_menu_ui};
use crate::ui::list::layout::sorted;
use crate::ui::list::list_view::{ListFrame, ListView};
use crate::ui::list::split::replaces_list;
use crate::ui::platform::with_key_names;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _, control};
use crate::ui::widgets::context_menu::Entry;
use crate::ui::widgets::grouped;
use crate::ui::widgets::table::{columns_button, columns_menu, tiles_button};
use lunette_client::model::id::AssetId;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{AssetsTrashSnapshot, SearchAssets};
use lunette_inspector::action::{AssetsAction, ImportAction, PreviewAction, SettingsAction, TrashAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::filter::List;
use lunette_inspector::import::known_libraries::Machine;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::panel::Panel;
use lunette_inspector::session::support::Support;
use lunette_inspector::settings::RecentSearch;
use lunette_inspector::{Action, State};

/// From this width on, in points, the toolbar takes one row.
const ONE_ROW: f32 = 458.0;
/// Below this width, in points, a toolbar of one row has its buttons in a menu, so that the filter is wide enough.
const ALL_BUTTONS: f32 = 600.0;
/// Below this width, in points, a toolbar of two rows has no room for the buttons beside the heading.
const BUTTONS_BESIDE_HEADING: f32 = 390.0;
/// Width of the menu of these buttons, in points.
const MORE: f32 = 210.0;
/// Width that the filter and the count must have together, in points; less is left to the filter.
const MIN_WIDTH_FOR_COUNT: f32 = 320.0;
/// From this width of the window on, in points, a list beside a page is wide enough for that.
const ONE_ROW_BESIDE: f32 = 1240.0;

/// What is asked in the toolbar of the panel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// The form for a new text.
    pub new_text: bool,
    /// The dialog for the past of the list.
    pub past: bool,
}

/// Draws the toolbar; returns what it asks of the panel.
pub fn ui(
    list: &mut ListView<AssetRow>,
    ui: &mut Ui,
    frame: &ListFrame<'_, AssetRow>,
    actions: &mut Vec<Action>,
) -> Asked {
    let (state, mut asked) = (frame.state, Asked::default());
    // The rows do not move when a page opens beside them.
    let beside = !replaces_list(ui.ctx());
    let width = ui.available_width();
    let one_row = width >= ONE_ROW && (!beside || ui.ctx().content_rect().width() >= ONE_ROW_BESIDE);
    let narrow = width < if one_row { ALL_BUTTONS } else { BUTTONS_BESIDE_HEADING };
    ui.horizontal(|ui| {
        ui.heading("Assets");
        if !one_row {
            count_ui(ui, state);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            asked.new_text = import_ui(ui, state, actions);
            if narrow {
                ui.icon_menu(Icon::MORE, "More for the list", |ui| {
                    asked.past = more_ui(list, ui, frame, actions);
                });
            } else {
                asked.past = buttons_ui(list, ui, frame, actions);
            }
            if one_row {
                // After the filter, whose left edge does not move with the count. The status bar has it too.
                if ui.available_width() >= MIN_WIDTH_FOR_COUNT {
                    count_ui(ui, state);
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    filter_ui(list, ui, state, actions);
                });
            }
        });
    });
    ui.add_space(SPACE_S);
    if !one_row {
        ui.horizontal(|ui| filter_ui(list, ui, state, actions));
        ui.add_space(SPACE_S);
    }
    if list.filter.fault_ui(ui, actions) {
        query_changed(&list.filter, state, actions);
    }
    typed_id_ui(ui, &list.filter, actions);
    asked
}

/// Offers to open the asset whose UUID is typed.
fn typed_id_ui(ui: &mut Ui, filter: &FilterField, actions: &mut Vec<Action>) {
    if let Ok(id) = filter.text().trim().parse::<AssetId>() {
        id_ui(ui, id, actions);
    }
}

/// The name of the button and the entry that open the past of the list.
const PAST: &str = "The list as it was";

/// Draws the buttons for the list, from the right; returns whether its past was asked for.
fn buttons_ui(
    list: &mut ListView<AssetRow>,
    ui: &mut Ui,
    frame: &ListFrame<'_, AssetRow>,
    actions: &mut Vec<Action>,
) -> bool {
    let tip = Command::Refresh.with_keys("Refresh the assets", frame.state);
    if ui.icon_button_with(Icon::REFRESH, "Refresh the assets", &tip).clicked() {
        actions.push(Action::Refresh(Panel::Assets));
    }
    columns_button(ui, frame.columns, &mut list.table);
    tiles_button(ui, &mut list.table);
    group_button(ui, frame.list, actions);
    trash_ui(ui, frame.state, actions);
    let tip = "The list as it was on a day, and checkpoints";
    ui.icon_button_with(Icon::HISTORY, PAST, tip).clicked()
}

/// Draws the menu of the buttons that have no room; returns whether the past of the list was asked for.
fn more_ui(
    list: &mut ListView<AssetRow>,
    ui: &mut Ui,
    frame: &ListFrame<'_, AssetRow>,
    actions: &mut Vec<Action>,
) -> bool {
    ui.set_width(MORE);
    ui.sub_menu("Group by", "Group by", |ui| group_menu_ui(ui, frame.list, actions));
    ui.sub_menu("Columns", "Columns", |ui| columns_menu(ui, frame.columns, &mut list.table));
    if Entry::new(Icon::PICTURE, "Gallery").checked(list.table.tiles).show(ui) {
        list.table.toggle_tiles();
    }
    let why_disabled = disabled_reason(frame.state, Capability::Trash);
    let trash = Entry::new(Icon::DELETE, "Show Trash").disabled_reason(why_disabled.as_deref());
    if has_trash(frame.state) && trash.show(ui) {
        actions.push(TrashAction::Show(true).into());
    }
    let keys = Command::Refresh.keys_shown(frame.state);
    if Entry::new(Icon::REFRESH, "Refresh the assets").keys(&keys).show(ui) {
        actions.push(Action::Refresh(Panel::Assets));
    }
    Entry::new(Icon::HISTORY, PAST).show(ui)
}

fn filter_ui(list: &mut ListView<AssetRow>, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let searchable = state.connection.offers(SearchAssets::INFO);
    let enter = if searchable { "Enter goes to the list, Ctrl+Enter searches the contents." } else { "" };
    let enter = with_key_names(enter);
    let button = if searchable { control(ui) + SPACE_S } else { 0.0 };
    let width = ui.available_width() - button;
    let done = list.filter.ui(ui, state, width, &enter, actions);
    if done.changed {
        query_changed(&list.filter, state, actions);
    }
    let pressed = searchable && search_button(&list.filter, ui);
    let id = list.filter.text().trim().parse::<AssetId>();
    // If no row matches, Enter does what is offered.
    let offered = done.submitted && state.assets.list.order.is_empty() && state.assets.found.is_none();
    match id {
        Ok(id) if done.submitted => actions.push(AssetsAction::Open(id).into()),
        _ if searchable && (pressed || done.with_ctrl || done.searches || offered) => {
            search(list, state, actions);
            keep_search(&list.filter, !list.filter.searched().trim().is_empty(), actions);
        }
        _ if done.submitted => keep_search(&list.filter, state.assets.found.is_some(), actions),
        _ => {}
    }
}

/// Keeps what is typed as a recent search; `contents` is whether the service searched for it.
pub(super) fn keep_search(filter: &FilterField, contents: bool, actions: &mut Vec<Action>) {
    if !filter.text().trim().is_empty() {
        let search = RecentSearch { text: filter.text().to_owned(), contents };
        actions.push(SettingsAction::KeepSearch(search).into());
    }
}

/// Draws the button that searches the contents.
fn search_button(filter: &FilterField, ui: &mut Ui) -> bool {
    let nothing = filter.text().trim().is_empty().then_some("Type what to search for first");
    let tip = with_key_names("Search the contents for these words (Ctrl+Enter)");
    enabled_unless(ui, nothing, |ui| ui.icon_button_with(Icon::CONTENTS, "Search contents", &tip)).clicked()
}

fn query_changed(filter: &FilterField, state: &State, actions: &mut Vec<Action>) {
    // An active search follows what is typed; each search cancels the one before.
    if state.assets.found.is_some() {
        actions.push(AssetsAction::Search(filter.searched()).into());
    }
}

/// Searches the contents on the service. Results come best first, so sorting by a column is turned off; it can be
/// turned on again.
pub(super) fn search(list: &mut ListView<AssetRow>, state: &State, actions: &mut Vec<Action>) {
    if state.assets.found.is_none() && !list.filter.text().trim().is_empty() {
        (list.table.sort, list.table.secondary_sort) = (None, None);
        actions.push(sorted(List::Assets, &list.table));
    }
    actions.push(AssetsAction::Search(list.filter.searched()).into());
}

/// Draws the ways to import. Returns whether the form for a new text was requested.
fn import_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> bool {
    let disabled_reason = disabled_reason(state, Capability::CreateAsset);
    let mut wants_new = false;
    enabled_unless(ui, disabled_reason.as_deref(), |ui| {
        // It is not what to do first where it cannot be done.
        let button = match disabled_reason {
            Some(_) => ui.button("Import"),
            None => ui.primary_button("Import"),
        };
        egui::Popup::menu(&button).accessible_name("Import").show(|ui| {
            ui.set_min_width(control(ui) * 6.0);
            let choice = |ui: &mut Ui, icon: Icon, name: &str| {
                let chosen = ui.icon_text_button(icon, name).clicked();
                if chosen {
                    ui.close();
                }
                chosen
            };
            if choice(ui, Icon::FILE, "Files…") {
                actions.push(ImportAction::PickFiles.into());
            }
            if choice(ui, Icon::FOLDER, "Folder…") {
                actions.push(ImportAction::PickFolder.into());
            }
            if choice(ui, Icon::ENTER, "From a path…") {
                actions.push(ImportAction::AskForPath.into());
            }
            if choice(ui, Icon::SHOWN, "With a preview…") {
                actions.push(PreviewAction::ShowPage(Machine::here()).into());
            }
            if choice(ui, Icon::SAMPLES, "Samples") {
                actions.push(ImportAction::Samples.into());
            }
            wants_new = choice(ui, Icon::ADD, "New from text…");
        });
        button
    });
    wants_new
}

/// Offers to open the asset whose id was typed as a filter.
fn id_ui(ui: &mut Ui, id: AssetId, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.caption("Enter opens the asset with this UUID.");
        if ui.line_button("Open asset").clicked() {
            actions.push(AssetsAction::Open(id).into());
        }
    });
    ui.add_space(SPACE_S);
}

/// Whether the service has a Trash: only services of this program are known to have one.
fn has_trash(state: &State) -> bool {
    state.connection.vendor.is_lunette()
        || state.connection.capabilities.of(AssetsTrashSnapshot::INFO.name) == Support::Offered
}

fn trash_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    if !has_trash(state) {
        return;
    }
    let why_disabled = disabled_reason(state, Capability::Trash);
    let tip = Command::Trash.with_keys("Deleted assets, to restore them", state);
    if enabled_unless(ui, why_disabled.as_deref(), |ui| ui.icon_button_with(Icon::DELETE, "Show Trash", &tip)).clicked()
    {
        actions.push(TrashAction::Show(true).into());
    }
}

fn count_ui(ui: &mut Ui, state: &State) {
    let (shown, all) = (state.assets.list.order.len(), state.assets.list.count());
    let mut message = if shown == all {
        grouped(all as u64)
    } else {
        format!("{} of {}", grouped(shown as u64), grouped(all as u64))
    };
    if state.assets.list.rows.loading() {
        message.push_str(", loading…");
    }
    ui.caption(&message);
}
