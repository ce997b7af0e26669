//! Searching on the service: the order of results, highlighted matches, and the status of a search.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::Action;
use lunette_inspector::action::{AssetsAction, SettingsAction};
use lunette_inspector::panel::Panel;
use lunette_inspector::settings::{Density, Look, Theme};

use crate::stage::Stage;
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction};

fn rows(stage: &Stage) -> Vec<String> {
    let nodes = stage.harness.query_all_by_role(Role::Row);
    nodes.filter_map(|node| node.accesskit_node().label()).collect()
}

/// A window on some assets; "needle" finds the last two.
fn with_needles() -> Stage {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num3);
    stage.asset("a needle in the name", "x");
    stage.asset("other", "nothing here");
    stage.asset("held", "first line\nthe needle in the haystack");
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("they are listed", |state| state.assets.list.count() == 3 && !state.assets.list.rows.loading());
    stage
}

fn searched(stage: &mut Stage, text: &str, count: usize) {
    let wanted = text.to_owned();
    stage.until("the search is done", move |state| {
        state.assets.found.as_ref().is_some_and(|found| {
            found.text == wanted
                && !found.hits.loading()
                && found.hits.value().is_some_and(|hits| hits.count() == count)
        })
    });
}

#[test]
fn hits_keep_the_order_of_the_service_until_a_column_is_sorted() {
    let mut stage = with_needles();
    stage.type_into("Filter assets", "needle");
    stage.ctrl(Key::Enter);
    searched(&mut stage, "needle", 2);
    stage.until_said("2 results for “needle”, best first");
    assert_eq!(rows(&stage), ["a needle in the name", "held"]);
    stage.find(Role::ColumnHeader, "Name").click();
    stage.harness.run_steps(3);
    stage.find(Role::ColumnHeader, "Name").click();
    stage.until_said("sorted by a column");
    assert_eq!(rows(&stage), ["held", "a needle in the name"]);
    stage.press("Back to all assets");
    stage.until("everything is back", |state| state.assets.list.order.len() == 3 && state.assets.found.is_none());
}

#[test]
fn content_hits_are_shown_below_the_name() {
    let mut stage = with_needles();
    stage.type_into("Filter assets", "needle");
    stage.ctrl(Key::Enter);
    stage.until_label("content: the needle in the haystack");
}

#[test]
fn an_active_search_follows_the_typed_text() {
    let mut stage = with_needles();
    stage.type_into("Filter assets", "need");
    stage.ctrl(Key::Enter);
    searched(&mut stage, "need", 2);
    stage.type_into("Filter assets", "le in the name");
    searched(&mut stage, "needle in the name", 2);
    let expected = ["With every word, 1", "a needle in the name", "These have 1 of the 2 words, 1", "held"];
    assert_eq!(rows(&stage), expected, "what has every word comes first");
    stage.press("Clear Filter assets");
    stage.until("everything is back", |state| state.assets.list.order.len() == 3 && state.assets.found.is_none());
}

#[test]
fn what_hits_lack_and_which_words_were_replaced_is_said() {
    let mut stage = with_needles();
    stage.type_into("Filter assets", "haystack nedele");
    stage.ctrl(Key::Enter);
    searched(&mut stage, "haystack nedele", 2);
    stage.until_said("Searched for needle instead of nedele.");
    stage.until_said("No asset has all 2 words as typed.");
    let middle = |role: Role, name: &str| stage.find(role, name).rect().center().y;
    let replaced = stage.harness.get_by_label_contains("Searched for needle").rect().center().y;
    assert!((middle(Role::Button, "Search for “nedele”") - replaced).abs() < 1.5);
    let first = "These have all of them, or something like them, 1";
    assert_eq!(rows(&stage), [first, "held", "These have 1 of the 2 words, 1", "a needle in the name"]);
    // The down arrow leads to the first hit, not to the line above it.
    stage.find(Role::TextInput, "Filter assets").focus();
    stage.settle();
    stage.key(Key::ArrowDown);
    stage.until_drawn("the first hit has the keyboard", |harness| {
        harness.query_by_role_and_label(Role::Row, "held").is_some_and(|row| row.accesskit_node().is_focused())
    });
}

#[test]
fn hits_that_lack_words_stand_under_a_line_that_says_so_and_exact_words_leave_them_out() {
    let mut stage = with_needles();
    stage.type_into("Filter assets", "needle name");
    stage.ctrl(Key::Enter);
    searched(&mut stage, "needle name", 2);
    stage.until_said("With every word");
    stage.until_said("These have 1 of the 2 words");
    stage.until_label("Without name");
    stage.find(Role::CheckBox, "Exact words only").click();
    searched(&mut stage, "needle name", 1);
    assert!(!stage.says("These have 1 of the 2 words"));
    assert!(stage.state().preferences.view.exact_search, "it is remembered for the connection");
}

#[test]
fn a_word_that_was_replaced_is_searched_for_as_typed_and_the_others_stay_replaced() {
    let mut stage = with_needles();
    stage.type_into("Filter assets", "haystakc nedele language:Text");
    stage.ctrl(Key::Enter);
    searched(&mut stage, "haystakc nedele", 2);
    stage.until_said("Searched for haystack instead of haystakc.");
    stage.find(Role::Button, "Search for “nedele”").focus();
    stage.harness.step();
    stage.key(Key::Enter);
    searched(&mut stage, "haystakc \"nedele\"", 1);
    assert_eq!(stage.value_of("Filter assets"), "haystakc \"nedele\" language:Text");
    assert!(stage.says("Searched for haystack instead of haystakc."));
    assert!(!stage.draws(Role::Button, "Search for “nedele”"));
}

#[test]
fn a_search_of_exact_words_without_a_result_offers_any_word_an_import_and_all_assets() {
    let mut stage = with_needles();
    stage.type_into("Filter assets", "needle absent");
    stage.ctrl(Key::Enter);
    searched(&mut stage, "needle absent", 2);
    stage.find(Role::CheckBox, "Exact words only").click();
    stage.until_label("The service found nothing for “needle absent”");
    assert!(stage.draws(Role::Button, "Import files…") && stage.draws(Role::Button, "Clear the filter"));
    stage.press("Search for any of the words");
    searched(&mut stage, "needle absent", 2);
    assert!(!stage.state().preferences.view.exact_search);
}

#[test]
fn a_search_in_quotation_marks_without_a_result_offers_any_of_its_words() {
    let mut stage = with_needles();
    stage.type_into("Filter assets", "\"needle absent\" language:Text");
    stage.ctrl(Key::Enter);
    stage.until_label("The service found nothing for “\"needle absent\"”");
    stage.press("Search for any of the words");
    searched(&mut stage, "needle absent", 2);
    assert_eq!(stage.value_of("Filter assets"), "needle absent language:Text");
}

#[test]
fn results_that_the_filter_leaves_out_are_said_to_be_there() {
    let mut stage = with_needles();
    stage.type_into("Filter assets", "needle");
    stage.ctrl(Key::Enter);
    searched(&mut stage, "needle", 2);
    stage.type_into("Filter assets", " tag:absent");
    stage.until_label("The filter leaves out every result for “needle”");
}

#[test]
fn the_last_of_several_quick_searches_is_shown() {
    let mut stage = with_needles();
    for text in ["n", "ne", "nee", "need", "nothing"] {
        stage.perform(AssetsAction::Search(text.to_owned()));
    }
    searched(&mut stage, "nothing", 1);
    stage.until_drawn("its hit is drawn", |harness| harness.query_all_by_role(Role::Row).count() == 1);
    assert_eq!(rows(&stage), ["other"]);
}

#[test]
fn a_search_without_hits_says_so_and_a_failed_one_keeps_the_previous_hits() {
    let mut stage = with_needles();
    stage.type_into("Filter assets", "zebra");
    stage.key(Key::Enter);
    stage.until_label("The service found nothing for “zebra”");
    stage.press("Clear the filter");
    stage.until("everything is back", |state| state.assets.list.order.len() == 3 && state.assets.found.is_none());
    stage.perform(AssetsAction::Search("needle".to_owned()));
    searched(&mut stage, "needle", 2);
    stage.stop_service();
    stage.perform(AssetsAction::Search("other".to_owned()));
    stage.until_said("The search failed");
    assert_eq!(rows(&stage), ["a needle in the name", "held"]);
}

#[test]
fn a_passage_and_its_name_are_not_clipped_at_any_size_theme_and_zoom() {
    let mut stage = with_needles();
    stage.type_into("Filter assets", "needle");
    stage.ctrl(Key::Enter);
    searched(&mut stage, "needle", 2);
    for (size, zoom, theme) in [
        ([1280.0, 800.0], 1.0, Theme::Dark),
        ([800.0, 600.0], 1.0, Theme::Light),
        ([1920.0, 1080.0], 1.5, Theme::Light),
        ([1600.0, 1200.0], 2.0, Theme::Dark),
    ] {
        stage.harness.set_size(size.into());
        stage.perform(SettingsAction::Zoom(zoom));
        stage.perform(SettingsAction::Theme(theme));
        for density in [Density::Comfortable, Density::Compact] {
            let look = Look { density, ..stage.state().preferences.settings.look.clone() };
            stage.perform(SettingsAction::Look(look));
            stage.settle();
            let row = stage.find(Role::Row, "held").rect();
            let name = stage.find(Role::Label, "held").rect();
            let passage = stage.find(Role::Label, "content: the needle in the haystack").rect();
            assert!(name.height() >= 13.0 && passage.height() >= 12.0, "{name:?} {passage:?}");
            let whole = row.top() <= name.top() && name.bottom() <= passage.top() && passage.bottom() < row.bottom();
            assert!(whole, "{row:?} {name:?} {passage:?} at {size:?} {zoom} {density:?}");
        }
    }
}

#[test]
fn a_passage_runs_across_the_columns_and_shows_the_match() {
    let mut stage = with_needles();
    let words: Vec<String> = (0..30).map(|number| format!("word{number}")).collect();
    let words = words.join(" ");
    stage.asset("long", &format!("{words} haystack {words}"));
    stage.harness.set_size(egui::vec2(1280.0, 800.0));
    stage.type_into("Filter assets", "haystack");
    stage.ctrl(Key::Enter);
    stage.until_drawn("its passage is drawn", |harness| {
        let labels = harness.query_all_by_role(Role::Label);
        labels
            .filter_map(|label| label.accesskit_node().value())
            .any(|text| text.starts_with("content: ") && text.contains("word0"))
    });
    let labels: Vec<_> = stage.harness.query_all_by_role(Role::Label).collect();
    let passage = labels.iter().find(|label| {
        label.accesskit_node().value().is_some_and(|text| text.starts_with("content: ") && text.contains("word0"))
    });
    let passage = passage.expect("the passage");
    assert!(passage.accesskit_node().value().is_some_and(|text| text.contains("word29 haystack")), "{passage:?}");
    let column = stage.find(Role::ColumnHeader, "Name").rect();
    let row = stage.find(Role::Row, "long").rect();
    assert!(passage.rect().right() > column.right(), "{:?} {column:?}", passage.rect());
    assert!(row.contains_rect(passage.rect()), "{row:?} {:?}", passage.rect());
}

#[test]
fn a_search_says_how_many_contents_were_not_searched() {
    let behind = with_needles();
    let proxy = MutatingProxy::start(behind.port(), |asked| match asked.path.as_str() {
        "/assets/search" => {
            ProxyAction::Change(Box::new(|reply| reply.json(|found| found["unindexed"] = serde_json::json!(3))))
        }
        _ => ProxyAction::Pass,
    });
    let mut stage = Stage::at(&proxy.url());
    stage.until("they are listed", |state| state.assets.list.count() == 3 && !state.assets.list.rows.loading());
    stage.ctrl(Key::Num3);
    stage.type_into("Filter assets", "needle");
    stage.ctrl(Key::Enter);
    stage.until_said("2 results for “needle”, best first. The contents of 3 new assets are not searchable");
    stage.type_into("Filter assets", "nowhere");
    stage.until_said("The contents of 3 new assets are not searchable yet; search again shortly");
}
