//! The palette finds what the service finds, in the sections of its search, and begins filters of the list.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::Action;
use lunette_inspector::panel::Panel;

use crate::stage::Stage;
use crate::support::gate::held;

const FIELD: &str = "Search or run a command";

fn filled() -> Stage {
    let mut stage = Stage::embedded();
    stage.asset("haystack", "first line\nthe needle in it");
    stage.asset("pin", "a needle alone");
    stage.asset("other", "x");
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("they are listed", |state| state.assets.list.count() == 3 && !state.assets.list.rows.loading());
    stage
}

fn entries(stage: &Stage) -> Vec<String> {
    let nodes = stage.harness.query_all_by_role(Role::ListBoxOption);
    nodes.filter_map(|node| node.accesskit_node().label()).collect()
}

#[test]
fn hits_stand_under_what_they_lack_and_say_it_themselves() {
    let mut stage = filled();
    stage.ctrl(Key::K);
    stage.type_into(FIELD, "first needle absent");
    stage.until_label("No asset has all 3 words as typed. These have 2 of the 3 words");
    stage.until_label("These have 1 of the 3 words");
    let found: Vec<String> = entries(&stage).into_iter().filter(|entry| entry.contains("without")).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("haystack") && found[0].ends_with("without absent"), "{found:?}");
    assert!(found[1].starts_with("pin") && found[1].ends_with("without first, without absent"), "{found:?}");
    stage.key(Key::Enter);
    stage.until("the best hit is open", |state| state.page().is_some());
    let open = stage.state().assets.pages.open.clone().expect("an open asset");
    assert_eq!(stage.state().assets.row(&open).map(|row| row.name().to_owned()).as_deref(), Some("haystack"));
    assert!(stage.state().assets.palette_found.is_none(), "the search ends with the palette");
}

#[test]
fn a_word_that_was_replaced_is_searched_for_as_typed_by_its_entry() {
    let mut stage = filled();
    stage.ctrl(Key::K);
    stage.type_into(FIELD, "nedele");
    let entry = "Search for “nedele”, Searched for needle instead of nedele.";
    stage.until_drawn("the way back is offered", |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, entry).is_some()
    });
    let first = entries(&stage).remove(0);
    assert!(first.starts_with("pin"), "Enter opens the best hit: {first}");
    stage.find(Role::ListBoxOption, entry).click();
    stage.settle();
    assert_eq!(stage.value_of(FIELD), "\"nedele\"", "the palette stays open");
    stage.until("it is searched as typed", |state| {
        state.assets.palette_found.as_ref().is_some_and(|search| {
            search.text == "\"nedele\"" && search.hits.value().is_some_and(|hits| hits.count() == 0)
        })
    });
}

#[test]
fn the_next_letter_cancels_the_search_and_a_late_response_is_not_shown() {
    let behind = filled();
    let (proxy, gate) = held(behind.port(), "/assets/search".to_owned());
    let mut stage = Stage::at(&proxy.url());
    stage.until("they are listed", |state| state.assets.list.count() == 3 && !state.assets.list.rows.loading());
    stage.ctrl(Key::K);
    stage.type_into(FIELD, "absent needle");
    stage.type_into(FIELD, "s");
    gate.open();
    stage.until_label("No asset has all 2 words as typed. These have 1 of the 2 words");
    let search = stage.state().assets.palette_found.as_ref().expect("a search");
    assert_eq!(search.text, "absent needles");
    let asked = proxy.asked().into_iter().filter(|asked| asked.path == "/assets/search").count();
    assert!(asked <= 2, "{asked}");
}

#[test]
fn a_field_and_a_value_begin_a_filter_of_the_list() {
    for (typed, entry, filter) in [
        ("tag red", "Assets with the tag “red”, Filter the list", "tag:red"),
        ("language Rust", "Assets with the language “Rust”, Filter the list", "language:Rust"),
        ("application Code", "Assets with the application “Code”, Filter the list", "application:Code"),
    ] {
        let mut stage = filled();
        stage.ctrl(Key::K);
        stage.type_into(FIELD, typed);
        stage.find(Role::ListBoxOption, entry).click();
        stage.settle();
        assert_eq!(stage.value_of("Filter assets"), filter);
        assert_eq!(stage.state().navigation.panel, Panel::Assets);
    }
}
