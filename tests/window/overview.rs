//! What is here at a glance: the first page, and the counts of saved filters.

use egui::{Key, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette::app::State;
use lunette::ui::Window;

use crate::stage::Stage;

/// A window with two Rust files and a text, showing the welcome page.
fn welcome() -> Stage {
    let mut stage = Stage::embedded();
    for (name, text) in [("a.rs", "fn main() {}"), ("b.rs", "fn other() {}"), ("notes.txt", "to do")] {
        stage.asset(name, text);
    }
    stage.until("they are listed", |state| state.assets.list.count() == 3 && !state.assets.list.rows.loading());
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", "Welcome page");
    stage.until_drawn("the command is found", |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, "Welcome page").is_some()
    });
    stage.find(Role::ListBoxOption, "Welcome page").click();
    stage.until_label("Welcome to Lunette");
    stage
}

fn shown(state: &State) -> usize {
    state.assets.list.order.len()
}

#[test]
fn the_first_page_counts_what_is_here_and_each_count_is_a_click_to_its_list() {
    let mut stage = welcome();
    stage.until("all are counted", |state| {
        state.overview.summary.as_ref().is_some_and(|summary| summary.assets == 3 && summary.untagged == 3)
    });
    stage.press_once_enabled("Rust 2");
    stage.until("the list is filtered", |state| shown(state) == 2);
    assert!(stage.harness.query_by_label("Welcome to Lunette").is_none(), "the list is shown");
}

#[test]
fn the_newest_asset_is_a_click_away() {
    let mut stage = welcome();
    let newest = |harness: &Harness<'static, Window>| {
        let links = harness.query_all_by_role(Role::Link).map(|node| node.accesskit_node().label());
        links.flatten().find(|label| label.starts_with("notes.txt · "))
    };
    stage.until_drawn("it is named", move |harness| newest(harness).is_some());
    let name = newest(&stage.harness).expect("the link");
    stage.find(Role::Link, &name).click();
    stage.until("it is open", |state| state.page().is_some());
}

#[test]
fn a_saved_filter_shows_in_the_sidebar_how_many_assets_it_takes() {
    let mut stage = Stage::embedded();
    for name in ["a.rs", "b.rs", "c.txt"] {
        stage.asset(name, name);
    }
    stage.until("they are listed", |state| state.assets.list.count() == 3);
    stage.ctrl(Key::Num3);
    stage.type_into("Filter assets", "name:.rs");
    stage.press("Saved filters");
    stage.type_into("Name of the filter", "Mine");
    stage.key(Key::Enter);
    stage.key(Key::Escape);
    let count = |harness: &Harness<'static, Window>| {
        let link = harness.query_by_role_and_label(Role::Link, "Mine");
        link.and_then(|link| link.accesskit_node().description())
    };
    stage.until_drawn("two are counted", move |harness| count(harness).as_deref() == Some("2"));
    stage.asset("d.rs", "fn d() {}");
    stage.until_drawn("a new one is counted", move |harness| count(harness).as_deref() == Some("3"));
}

#[test]
fn the_page_fits_the_smallest_window() {
    let mut stage = welcome();
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.until_said("Created, last 30 days");
    for name in ["All assets (3)", "Untagged (3)", "Rust 2"] {
        assert!(stage.find(Role::Button, name).rect().right() <= 800.0, "{name}");
    }
}
