//! The filter field, the same in every list.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::record::Record as _;
use lunette_inspector::Action;
use lunette_inspector::action::{
    ApplicationsAction, AssetsAction, HistoryAction, ImportAction, NavigationAction, WriteAction,
};
use lunette_inspector::change::{Change, Counter};
use lunette_inspector::listing::rows::ExternalKey;
use lunette_inspector::panel::Panel;

use crate::stage::Stage;

/// Three assets in the list, two of them Rust files.
fn full() -> Stage {
    let mut stage = Stage::embedded();
    for (name, text) in [("a.rs", "fn main() {}"), ("b.rs", "fn b() {}"), ("notes.md", "# Notes")] {
        stage.asset(name, text);
    }
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("they are listed", |state| state.assets.list.count() == 3 && !state.assets.list.rows.loading());
    stage
}

fn shown(stage: &Stage) -> usize {
    stage.state().assets.list.order.len()
}

#[test]
fn fields_and_values_are_suggested_and_accepted_by_keyboard() {
    let mut stage = full();
    stage.type_into("Filter assets", "lang");
    stage.find(Role::ListBoxOption, "language:");
    stage.key(Key::Tab);
    assert_eq!(stage.value_of("Filter assets"), "language:");
    stage.type_into("Filter assets", "rus");
    stage.find(Role::ListBoxOption, "Rust");
    stage.key(Key::ArrowDown);
    stage.key(Key::Enter);
    assert_eq!(stage.value_of("Filter assets"), "language:Rust ");
    assert_eq!((shown(&stage), stage.state().assets.found.is_some()), (2, false));
    assert!(stage.harness.query_all_by_role(Role::ListBoxOption).next().is_none());
}

#[test]
fn a_suggestion_is_accepted_by_a_click_and_dismissed_by_escape() {
    let mut stage = full();
    stage.type_into("Filter assets", "is:");
    stage.find(Role::ListBoxOption, "favourite").click();
    stage.settle();
    assert_eq!((stage.value_of("Filter assets"), shown(&stage)), ("is:favourite ".to_owned(), 0));
    stage.type_into("Filter assets", "s");
    stage.find(Role::ListBoxOption, "score:");
    stage.key(Key::Escape);
    assert!(stage.harness.query_all_by_role(Role::ListBoxOption).next().is_none());
    assert!(stage.find(Role::TextInput, "Filter assets").accesskit_node().is_focused());
}

#[test]
fn an_error_is_shown_with_its_fix_and_the_list_is_unchanged() {
    let mut stage = full();
    stage.type_into("Filter assets", "name:.rs");
    assert_eq!(shown(&stage), 2);
    stage.type_into("Filter assets", " scor:>0");
    assert!(stage.says("unknown field “scor”: did you mean “score”?"));
    assert_eq!(shown(&stage), 2);
    let field = stage.find(Role::TextInput, "Filter assets");
    assert!(field.accesskit_node().description().is_some_and(|message| message.contains("did you mean “score”")));
    stage.press("Use score");
    assert!(!stage.says("unknown field"));
    assert_eq!(stage.value_of("Filter assets"), "name:.rs score:>0");
    assert_eq!(shown(&stage), 0);
    stage.press("Clear Filter assets");
    assert_eq!(shown(&stage), 3);
}

#[test]
fn a_filter_can_be_saved_applied_renamed_and_deleted() {
    let mut stage = full();
    stage.type_into("Filter assets", "language:rust");
    stage.press("Saved filters");
    stage.type_into("Name of the filter", "Rusty");
    stage.key(Key::Enter);
    assert_eq!(stage.state().preferences.settings.filters["assets"].len(), 1);
    stage.key(Key::Escape);
    stage.press("Clear Filter assets");
    stage.press("Saved filters");
    stage.press("Rusty");
    assert_eq!((stage.value_of("Filter assets"), shown(&stage)), ("language:rust".to_owned(), 2));
    stage.press("Saved filters");
    stage.press("Rename Rusty");
    stage.type_into("New name of the filter", " code");
    stage.key(Key::Enter);
    assert_eq!(stage.state().preferences.settings.filters["assets"][0].name, "Rusty code");
    stage.press("Forget Rusty code");
    assert!(stage.state().preferences.settings.filters["assets"].is_empty());
    assert!(stage.says("No saved filters yet."));
}

#[test]
fn calls_steps_and_applications_are_filtered_by_their_fields_too() {
    let mut stage = full();
    stage.ctrl(Key::Num6);
    stage.until_label("GET applicationsSnapshot, 200 OK");
    stage.type_into("Filter calls", "operation:=applicationsSnapshot status:<300 ");
    assert_eq!(stage.harness.query_all_by_role(Role::Row).count(), 1);
    stage.ctrl(Key::Num1);
    stage.until("they are listed", |state| state.applications.list.count() > 0);
    stage.type_into("Filter applications", "sessions:>1000 ");
    assert!(stage.state().applications.list.order.is_empty());
    stage.press("Clear the filter");
    assert!(!stage.state().applications.list.order.is_empty());
}

#[test]
fn values_are_suggested_with_their_counts_until_one_is_complete() {
    let mut stage = full();
    stage.type_into("Filter assets", "language:");
    let options = |stage: &Stage| -> Vec<(String, String)> {
        let options = stage.harness.query_all_by_role(Role::ListBoxOption).map(|option| option.accesskit_node());
        options.map(|node| (node.label().unwrap_or_default(), node.description().unwrap_or_default())).collect()
    };
    let counted = [("Rust".to_owned(), "2".to_owned()), ("Markdown".to_owned(), "1".to_owned())];
    assert_eq!(options(&stage), counted);
    stage.type_into("Filter assets", "rust");
    assert_eq!(options(&stage), [], "nothing covers the rows of a whole value");
    assert_eq!(shown(&stage), 2);
}

/// Returns whether the asset list, or one of its rows, has the focus.
fn list_has_keyboard(stage: &Stage) -> bool {
    let focused = |role| stage.harness.query_all_by_role(role).any(|node| node.accesskit_node().is_focused());
    focused(Role::Table) || focused(Role::Row)
}

#[test]
fn enter_and_down_arrow_focus_the_list_without_searching() {
    let mut stage = full();
    stage.ctrl(Key::Num3);
    for key in [Key::Enter, Key::ArrowDown] {
        stage.type_into("Filter assets", ".rs ");
        stage.key(key);
        stage.settle();
        assert!(list_has_keyboard(&stage), "after {key:?}");
        assert!(stage.state().assets.found.is_none());
        stage.key(Key::Enter);
        stage.until("the first row is opened", |state| state.assets.pages.open.is_some());
        stage.perform(AssetsAction::Close);
        stage.press("Clear Filter assets");
    }
}

#[test]
fn enter_searches_contents_where_offered_and_ctrl_enter_always() {
    let mut stage = full();
    stage.ctrl(Key::Num3);
    stage.type_into("Filter assets", "main");
    stage.until_label("Nothing matches “main”");
    stage.key(Key::Enter);
    stage.until_said("1 result for “main”");
    stage.press("Back to all assets");
    stage.type_into("Filter assets", "a.rs");
    stage.ctrl(Key::Enter);
    stage.until("it is searched for", |state| state.assets.found.is_some());
}

#[test]
fn ctrl_f_focuses_the_filter_of_the_list_behind_a_page_in_every_panel() {
    let mut stage = full();
    let id = stage.state().assets.list.rows.value().expect("rows")[0].id();
    stage.perform(WriteAction::Change(Change::Increment { asset: id.clone(), counter: Counter::Reuse, from: None }));
    stage.until_said("This cannot be undone");
    stage.settle();
    stage.ctrl(Key::Enter);
    stage.until("there is a step", |state| state.write.planned.is_none() && !state.history.entries.is_empty());
    stage.harness.set_size(egui::vec2(900.0, 700.0));
    stage.perform(AssetsAction::Open(id));
    stage.until("there is an application", |state| state.applications.list.count() > 0);
    let application = stage.state().applications.list.rows.value().expect("rows")[0].id.clone();
    stage.perform(ApplicationsAction::Open(application));
    let row = stage.state().applications.external.rows.value().expect("rows")[0].clone();
    stage.perform(ApplicationsAction::OpenExternal(Some(ExternalKey {
        name: row.name.clone(),
        version: row.version.clone(),
    })));
    let step = stage.state().history.entries[0].id;
    stage.perform(HistoryAction::Select(Some(step)));
    let panels = [
        (Panel::Applications, "Filter applications", None),
        (Panel::External, "Filter external applications", None),
        (Panel::Assets, "Filter assets", None),
        (Panel::Operations, "Find an operation", Some((Role::TreeItem, "assetSnapshot"))),
        (Panel::Log, "Filter calls", Some((Role::Row, "GET applicationsSnapshot, 200 OK"))),
        (Panel::History, "Filter steps", None),
    ];
    for (panel, field, opens) in panels {
        stage.perform(NavigationAction::Show(panel));
        stage.settle();
        if let Some((role, row)) = opens {
            stage.type_into(field, if panel == Panel::Log { "applicationsSnapshot" } else { row });
            stage.find(role, row).click();
            stage.settle();
        }
        stage.until_label("Back to the list");
        stage.ctrl(Key::F);
        stage.settle();
        assert!(stage.find(Role::TextInput, field).accesskit_node().is_focused(), "{field} has the keyboard");
    }
}

#[test]
fn escape_in_the_list_keeps_the_filter_and_selects_it_to_be_replaced() {
    let mut stage = full();
    stage.ctrl(Key::Num3);
    stage.type_into("Filter assets", ".rs");
    stage.key(Key::Enter);
    stage.settle();
    stage.key(Key::Escape);
    stage.settle();
    assert_eq!((stage.value_of("Filter assets").as_str(), shown(&stage)), (".rs", 2));
    assert!(stage.find(Role::TextInput, "Filter assets").accesskit_node().is_focused());
    stage.harness.event(egui::Event::Text("notes".to_owned()));
    stage.settle();
    assert_eq!((stage.value_of("Filter assets").as_str(), shown(&stage)), ("notes", 1));
}

/// Forty assets of each of two names, newest first, of which the oldest is open.
fn long() -> Stage {
    let mut stage = Stage::embedded();
    for number in 0..80 {
        let name = if number % 2 == 0 { "even" } else { "odd" };
        stage.asset(&format!("{name} {number:02}.txt"), &number.to_string());
    }
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("they are listed", |state| state.assets.list.count() == 80 && !state.assets.list.rows.loading());
    stage.find(Role::Row, "odd 79.txt").click();
    stage.settle();
    stage.key(Key::End);
    open(&mut stage, "even 00.txt");
    stage
}

/// Waits until the asset with this name is open.
fn open(stage: &mut Stage, name: &str) {
    stage.until(name, |state| {
        let named = state.page().and_then(|(_, page)| page.record.value()?.view().name());
        named == Some(name)
    });
}

#[test]
fn another_filter_shows_its_first_rows() {
    let mut stage = long();
    stage.type_into("Filter assets", "odd");
    stage.until("they are filtered", |state| state.assets.list.order.len() == 40);
    stage.until_drawn("the first row", |harness| harness.query_by_role_and_label(Role::Row, "odd 79.txt").is_some());
    assert!(!stage.draws(Role::Row, "odd 01.txt"));
}

#[test]
fn keys_go_on_from_the_open_asset_after_a_filter_that_hid_it() {
    let mut stage = long();
    (0..10).for_each(|_| stage.key(Key::ArrowUp));
    open(&mut stage, "even 10.txt");
    stage.type_into("Filter assets", "odd");
    stage.until("others are shown", |state| state.assets.list.order.len() == 40);
    stage.ctrl(Key::A);
    stage.type_into("Filter assets", "even");
    stage.until("they are filtered", |state| state.assets.list.order.len() == 40);
    stage.key(Key::Enter);
    stage.key(Key::ArrowUp);
    open(&mut stage, "even 12.txt");
}

#[test]
fn the_application_of_own_assets_has_one_name_in_suggestions_on_its_page_and_in_the_graph() {
    let mut stage = Stage::embedded();
    stage.perform(ImportAction::Create { name: "own.txt".to_owned(), text: "own".to_owned() });
    stage.until("it is open", |state| {
        state.page().is_some_and(|(_, page)| page.record.value().is_some()) && state.assets.list.count() == 1
    });
    stage.press("Details");
    stage.until_said("Lunette ");
    stage.type_into("Filter assets", "application:");
    stage.settle();
    stage.find(Role::ListBoxOption, "Lunette");
    assert!(stage.harness.query_by_role_and_label(Role::ListBoxOption, "OPEN_SOURCE").is_none());
    stage.type_into("Filter assets", "lunette");
    stage.settle();
    assert_eq!(shown(&stage), 1);
    stage.key(Key::Escape);
    stage.ctrl(Key::G);
    stage.until("the graph is read", |state| state.graph.shown.value().is_some());
    stage.until_said("application Lunette, 1 link");
    assert!(!stage.says("Open source"));
}
