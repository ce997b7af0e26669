//! What was searched for appears in the empty field of the list of assets.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::Action;
use lunette_inspector::action::{AssetsAction, SettingsAction};
use lunette_inspector::filter::{List, Saved};
use lunette_inspector::panel::Panel;

use crate::stage::Stage;

const FIELD: &str = "Filter assets";

fn filled() -> Stage {
    let mut stage = Stage::embedded();
    stage.asset("a needle", "x");
    stage.asset("held", "the needle in the haystack");
    stage.asset("other", "x");
    stage.perform(Action::Refresh(Panel::Assets));
    stage.ctrl(Key::Num3);
    stage.until("they are listed", |state| state.assets.list.count() == 3 && !state.assets.list.rows.loading());
    stage
}

fn texts(stage: &Stage) -> Vec<&str> {
    stage.state().searches().iter().map(|search| search.text.as_str()).collect()
}

fn suggested(stage: &Stage) -> Vec<String> {
    let nodes = stage.harness.query_all_by_role(Role::ListBoxOption);
    nodes.filter_map(|node| node.accesskit_node().label()).collect()
}

/// Clears the field and focuses it anew.
fn focus_empty(stage: &mut Stage) {
    if stage.draws(Role::Button, "Clear Filter assets") {
        stage.press("Clear Filter assets");
    }
    stage.find(Role::ColumnHeader, "Name").focus();
    stage.settle();
    stage.find(Role::TextInput, FIELD).focus();
    stage.settle();
}

#[test]
fn what_was_confirmed_is_suggested_in_the_empty_field_and_what_was_only_typed_is_not() {
    let mut stage = filled();
    stage.type_into(FIELD, "nee");
    focus_empty(&mut stage);
    assert_eq!(suggested(&stage), [""; 0]);
    stage.type_into(FIELD, "other");
    stage.key(Key::Enter);
    focus_empty(&mut stage);
    stage.type_into(FIELD, "needle");
    stage.ctrl(Key::Enter);
    stage.until("it is searched", |state| state.assets.found.is_some());
    let saved = Saved { name: "Rust".to_owned(), filter: "language:Rust".to_owned() };
    stage.perform(SettingsAction::KeepFilters(List::Assets, vec![saved]));
    focus_empty(&mut stage);
    assert_eq!(suggested(&stage), ["needle", "other", "language:Rust"]);
    assert_eq!(texts(&stage), ["needle", "other"]);
    stage.key(Key::ArrowDown);
    stage.key(Key::Enter);
    assert_eq!(stage.value_of(FIELD), "needle");
    stage.until("the contents are searched again", |state| {
        state.assets.found.as_ref().is_some_and(|found| found.hits.value().is_some_and(|hits| hits.count() == 2))
    });
}

#[test]
fn escape_closes_the_suggestions_and_tab_leaves_the_field() {
    let mut stage = filled();
    stage.type_into(FIELD, "other");
    stage.key(Key::Enter);
    focus_empty(&mut stage);
    assert_eq!(suggested(&stage), ["other"]);
    stage.key(Key::Escape);
    assert_eq!(suggested(&stage), [""; 0]);
    assert!(stage.find(Role::TextInput, FIELD).accesskit_node().is_focused());
    focus_empty(&mut stage);
    assert_eq!(suggested(&stage), ["other"]);
    stage.key(Key::Tab);
    assert_eq!((suggested(&stage).len(), stage.value_of(FIELD)), (0, String::new()));
    assert!(!stage.find(Role::TextInput, FIELD).accesskit_node().is_focused());
}

#[test]
fn opening_an_asset_keeps_what_found_it_until_the_searches_are_forgotten() {
    let mut stage = filled();
    stage.type_into(FIELD, "held");
    stage.until("it is filtered", |state| state.assets.list.order.len() == 1);
    stage.find(Role::Row, "held").click();
    stage.until("it is open", |state| state.page().is_some());
    stage.settle();
    assert_eq!(texts(&stage), ["held"]);
    stage.perform(AssetsAction::Close);
    stage.press("Saved filters");
    stage.find(Role::MenuItem, "Forget recent searches").click_accesskit();
    stage.settle();
    assert_eq!(texts(&stage), [""; 0]);
    focus_empty(&mut stage);
    assert_eq!(suggested(&stage), [""; 0]);
}
