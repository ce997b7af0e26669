//! What is here at a glance: the first page, and the counts of saved filters.

use egui::{Key, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette::ui::Window;
use lunette_client::operation::table::AssetAssociateTag;
use lunette_inspector::State;
use lunette_inspector::action::{AssetsAction, WriteAction};
use lunette_inspector::change::{Change, LinkKind};

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
    stage.until("all are counted", |state| state.overview.summary.as_ref().is_some_and(|summary| summary.assets == 3));
    stage.until_drawn("no field has the keyboard", |harness| !harness.ctx.text_edit_focused());
    stage
}

fn shown(state: &State) -> usize {
    state.assets.list.order.len()
}

#[test]
fn the_first_page_shows_counts_that_link_to_their_lists() {
    let mut stage = welcome();
    stage.until("all are counted", |state| {
        state.overview.summary.as_ref().is_some_and(|summary| summary.assets == 3 && summary.untagged == 3)
    });
    stage.press_once_enabled("Rust (2)");
    stage.until("the list is filtered", |state| shown(state) == 2);
    assert!(stage.harness.query_by_label("Welcome to Lunette").is_none(), "the list is shown");
}

#[test]
fn languages_and_tags_of_the_sidebar_filter_the_list_and_ctrl_adds_them_to_the_filter() {
    let mut stage = Stage::embedded();
    let ids = [("a.rs", "fn main() {}"), ("b.rs", "fn other() {}"), ("notes.txt", "to do")];
    let ids = ids.map(|(name, text)| stage.asset(name, text));
    for id in &ids[1..] {
        let change = Change::LinkNew {
            asset: id.clone(),
            kind: LinkKind::Tag,
            text: "later".to_owned(),
            url: None,
            unlink: Vec::new(),
        };
        stage.perform(WriteAction::ChangeConfirmed(change));
    }
    stage.ctrl(Key::Num3);
    stage.until("they are counted", |state| {
        let summary = state.overview.summary.as_ref();
        summary.is_some_and(|summary| summary.tags.most == [("later".to_owned(), 2)] && summary.assets == 3)
    });
    stage.until_drawn("the groups are drawn", |harness| harness.query_by_role_and_label(Role::Link, "later").is_some());
    let is_on = |stage: &Stage, name: &str| stage.find(Role::Link, name).accesskit_node().is_selected();
    stage.find(Role::Link, "Rust").click_accesskit();
    stage.until("the Rust files are shown", |state| shown(state) == 2);
    stage.settle();
    assert_eq!((is_on(&stage, "Rust"), is_on(&stage, "later")), (Some(true), Some(false)));
    stage.find(Role::Link, "later").click_modifiers(egui::Modifiers::COMMAND);
    stage.until("those of them with the tag are shown", |state| shown(state) == 1);
    stage.settle();
    assert_eq!((is_on(&stage, "Rust"), is_on(&stage, "later")), (Some(true), Some(true)));
    stage.find(Role::Link, "Rust").click_modifiers(egui::Modifiers::COMMAND);
    stage.until("all with the tag are shown", |state| shown(state) == 2);
}

#[test]
fn the_tags_beyond_the_first_of_the_sidebar_are_shown_on_request() {
    let mut stage = Stage::embedded();
    let id = stage.asset("a.txt", "text");
    for number in 0..8 {
        stage
            .call(AssetAssociateTag {
                asset: id.clone(),
                tag: crate::input::dragging::tag(&stage, &format!("tag {number}")),
            })
            .expect("linked");
    }
    stage.ctrl(Key::Num3);
    stage.until("they are counted", |state| {
        state.overview.summary.as_ref().is_some_and(|summary| summary.tags.most.len() == 8)
    });
    stage.settle();
    assert!(stage.draws(Role::Link, "tag 4") && !stage.draws(Role::Link, "tag 5"));
    stage.find(Role::Link, "3 more").click_accesskit();
    stage.settle();
    assert!(stage.draws(Role::Link, "tag 7") && stage.draws(Role::Link, "Fewer"));
    stage.find(Role::Link, "Fewer").click_accesskit();
    stage.settle();
    assert!(!stage.draws(Role::Link, "tag 7"));
}

#[test]
fn at_800_by_600_the_first_page_keeps_its_distance_from_the_edges() {
    let mut stage = welcome();
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.harness.run_steps(4);
    let sidebar = stage.find(Role::Tab, "Assets").rect().right();
    let drawn = ["All assets (3)", "Close the welcome page"].map(|name| stage.find(Role::Button, name).rect());
    assert!(drawn[0].left() >= sidebar + 12.0 && drawn[1].right() <= 790.0, "{drawn:?} beside {sidebar}");
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

/// Presses a choice of the page, and returns the filter and the number of assets that it leads to.
fn chosen(stage: &mut Stage, choice: &str) -> (String, usize) {
    stage.press_once_enabled(choice);
    stage.until_label("Filter assets");
    (stage.value_of("Filter assets"), shown(stage.state()))
}

#[test]
fn untagged_assets_and_those_of_a_day_are_one_click_away() {
    let mut stage = welcome();
    assert_eq!(chosen(&mut stage, "Untagged (3)"), ("-is:tagged".to_owned(), 3));
    let mut stage = welcome();
    assert_eq!(chosen(&mut stage, "Today (3)"), ("created:today".to_owned(), 3));
    let mut stage = welcome();
    stage.press_once_enabled("One day");
    let today = jiff::ZonedDateTime::now().date();
    crate::input::row_menu::choose(&mut stage, &format!("{today}: 3 assets"));
    stage.until_label("Filter assets");
    assert_eq!((stage.value_of("Filter assets"), shown(stage.state())), (format!("created:{today}"), 3));
}

#[test]
fn a_click_on_a_day_of_the_plot_shows_what_was_created_on_it() {
    let mut stage = welcome();
    stage.until_said("Created, last 30 days: 3 assets");
    let plot = stage.harness.query_all_by_label_contains("Created, last 30 days: 3 assets").next().expect("the plot");
    let at = plot.rect().right_top() + egui::vec2(-4.0, 30.0);
    stage.harness.event(egui::Event::PointerMoved(at));
    stage.harness.step();
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, egui::Modifiers::NONE);
        stage.harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
        stage.harness.step();
    }
    stage.until_label("Filter assets");
    let today = jiff::ZonedDateTime::now().date();
    assert_eq!(stage.value_of("Filter assets"), format!("created:{today}"));
}

#[test]
fn the_most_used_asset_is_named_and_its_menu_has_its_graph() {
    let mut stage = Stage::embedded();
    let id = stage.asset("used.rs", "fn main() {}");
    stage.asset("other.rs", "fn main() {}");
    stage.until("they are listed", |state| state.assets.list.count() == 2);
    // What is counted by the service, as a link is, is no use.
    let linked = stage.asset("linked.rs", "fn main() {}");
    let tag = crate::panels::graph::tag(&stage, "blue");
    stage.call(AssetAssociateTag { asset: linked, tag }).expect("linked");
    stage.until("it is scored", |state| state.assets.list.iter().any(|row| row.score() > Some(0)));
    stage.perform(AssetsAction::Open(id.clone()));
    stage.until("it is open", |state| state.page().is_some_and(|(_, page)| page.content.value().is_some()));
    stage.press_once_enabled("Copy the text shown");
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", "Welcome page");
    stage.until_drawn("the command is found", |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, "Welcome page").is_some()
    });
    stage.find(Role::ListBoxOption, "Welcome page").click();
    stage.until_label("Most used");
    let links = stage.harness.query_all_by_role(Role::Link).filter_map(|node| node.accesskit_node().label());
    let name = links.into_iter().find(|name| name.starts_with("used.rs · 2 times")).expect("the link");
    assert!(!stage.says("linked.rs · once"));
    crate::input::row_menu::right_click(&mut stage, Role::Link, &name);
    crate::input::row_menu::choose(&mut stage, "Show graph");
    stage.until("its graph is shown", move |state| {
        state.graph.start.first().is_some_and(|start| start.key.asset() == Some(&id))
    });
}

#[test]
fn applications_that_changed_are_a_click_away() {
    let mut stage = crate::panels::inventory::with_a_change();
    stage.asset("a.rs", "fn main() {}");
    stage.until("it is listed", |state| state.assets.list.count() == 1);
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", "Welcome page");
    stage.until_drawn("the command is found", |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, "Welcome page").is_some()
    });
    stage.find(Role::ListBoxOption, "Welcome page").click();
    stage.press_once_enabled("Changed applications (1)");
    let state = stage.state();
    assert_eq!(state.navigation.panel, lunette_inspector::panel::Panel::Applications);
    assert_eq!(state.inventory.shown, lunette_inspector::inventory::Shown::All);
    stage.until("only they are shown", |state| state.inventory.list.order.len() == 1);
    assert_eq!(stage.value_of("Filter applications"), "is:changed");
}

#[test]
fn the_page_asks_nothing_of_the_service() {
    let mut stage = welcome();
    stage.until("all are counted", |state| {
        state.overview.summary.as_ref().is_some_and(|summary| summary.assets == 3) && state.work.is_empty()
    });
    stage.until("the other services are known", |state| !state.connection.probes.loading());
    let calls = |stage: &Stage| stage.state().session.log.count();
    let before = calls(&stage);
    stage.harness.run_steps(60);
    assert_eq!(calls(&stage), before);
}

#[test]
fn the_page_fits_the_smallest_window() {
    let mut stage = welcome();
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.until_said("Created, last 30 days");
    for name in ["All assets (3)", "Untagged (3)", "Rust (2)"] {
        assert!(stage.find(Role::Button, name).rect().right() <= 800.0, "{name}");
    }
}

/// Returns whether the welcome page covers the assets.
fn covers(stage: &Stage) -> bool {
    stage.says("Welcome to Lunette")
}

#[test]
fn every_navigation_leaves_the_welcome_page() {
    type Leave = fn(&mut Stage);
    let ways: [(&str, Leave); 8] = [
        ("the key of its panel", |stage| stage.ctrl(Key::Num3)),
        ("the tab of its panel", |stage| {
            stage.find(Role::Tab, "Assets").click();
            stage.settle();
        }),
        ("the key of another panel and back", |stage| {
            stage.ctrl(Key::Num6);
            stage.ctrl(Key::Num3);
        }),
        ("Escape", |stage| stage.key(Key::Escape)),
        ("Back", |stage| {
            stage.harness.key_press_modifiers(egui::Modifiers::ALT, Key::ArrowLeft);
            stage.settle();
            stage.ctrl(Key::Num3);
        }),
        ("the next asset", |stage| {
            stage.harness.key_press_modifiers(egui::Modifiers::ALT, Key::ArrowDown);
            stage.settle();
        }),
        ("the key of the filter", |stage| stage.ctrl(Key::F)),
        ("typing", |stage| {
            stage.harness.event(egui::Event::Text("n".to_owned()));
            stage.settle();
        }),
    ];
    for (way, leave) in ways {
        let mut stage = welcome();
        leave(&mut stage);
        stage.harness.run_steps(3);
        assert!(!covers(&stage), "{way}");
        assert!(stage.draws(Role::Table, "Assets"), "{way}");
    }
}

#[test]
fn a_slash_on_the_welcome_page_leads_to_the_filter() {
    let mut stage = welcome();
    stage.key(Key::Slash);
    stage.harness.run_steps(3);
    assert!(stage.find(Role::TextInput, "Filter assets").accesskit_node().is_focused() && !covers(&stage));
}

#[test]
fn what_is_typed_on_the_welcome_page_jumps_to_a_row_of_the_list() {
    let mut stage = welcome();
    stage.harness.event(egui::Event::Text("b".to_owned()));
    stage.until_drawn("the row is focused", |harness| {
        let row = harness.query_by_role_and_label(Role::Row, "b.rs");
        row.is_some_and(|row| row.accesskit_node().is_focused())
    });
}

#[test]
fn back_and_forward_lead_from_the_welcome_page_and_to_it() {
    let mut stage = welcome();
    stage.ctrl(Key::Num6);
    assert!(!covers(&stage));
    let step = |stage: &mut Stage, key| {
        stage.harness.key_press_modifiers(egui::Modifiers::ALT, key);
        stage.settle();
        stage.harness.run_steps(2);
    };
    step(&mut stage, Key::ArrowLeft);
    assert!(covers(&stage), "back");
    step(&mut stage, Key::ArrowLeft);
    assert!(!covers(&stage), "what was shown before it");
    step(&mut stage, Key::ArrowRight);
    assert!(covers(&stage), "forward");
}

#[test]
fn no_key_acts_on_what_the_welcome_page_covers() {
    let mut stage = Stage::embedded();
    let id = stage.asset("a.rs", "fn main() {}");
    stage.perform(lunette_inspector::action::AssetsAction::Open(id));
    stage.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    stage.perform(lunette_inspector::action::NavigationAction::ShowWelcome);
    stage.until_label("Welcome to Lunette");
    for key in [Key::F2, Key::F4] {
        stage.key(key);
        stage.until_said("Open or select an asset first");
    }
    for key in [Key::T, Key::E, Key::D, Key::G, Key::I, Key::W, Key::Delete] {
        stage.ctrl(key);
        let state = stage.state();
        assert!(covers(&stage) && state.write.planned.is_none() && state.assets.pages.open.is_some(), "{key:?}");
        assert!(stage.harness.query_by_role(Role::Dialog).is_none(), "{key:?}");
    }
}

#[test]
fn the_folders_of_imports_are_a_tree_in_the_sidebar_that_filters_the_list() {
    let mut stage = Stage::embedded();
    for path in ["project/src/lib.rs", "project/src/parser/lib.rs", "project/README.md", "notes/a.txt"] {
        stage.imported(path, path);
    }
    stage.ctrl(Key::Num3);
    stage.until_drawn("the outermost folder is drawn", |harness| {
        let link = harness.query_by_role_and_label(Role::Link, "project");
        link.and_then(|link| link.accesskit_node().description()).as_deref() == Some("3")
    });
    assert!(!stage.draws(Role::Link, "parser"));
    stage.press("Unfold project");
    stage.press("Unfold project/src");
    stage.until_drawn("the innermost folder is drawn", |harness| {
        harness.query_by_role_and_label(Role::Link, "parser").is_some()
    });
    stage.find(Role::Link, "src").click_accesskit();
    stage.until("what is below the folder is shown", |state| shown(state) == 2);
    stage.settle();
    assert_eq!(stage.value_of("Filter assets"), "folder:project/src");
    assert_eq!(stage.find(Role::Link, "src").accesskit_node().is_selected(), Some(true));
    stage.press("Fold project");
    assert!(!stage.draws(Role::Link, "src"));
}

#[test]
fn how_often_assets_were_used_is_known_after_a_restart_and_sorts_the_list() {
    let mut stage = Stage::embedded();
    let ids = ["a.rs", "b.rs", "c.rs"].map(|name| stage.asset(name, "fn main() {}"));
    stage.until("they are listed", |state| state.assets.list.count() == 3);
    for id in [&ids[1], &ids[2], &ids[1]] {
        stage.perform(AssetsAction::Open(id.clone()));
        let open = id.clone();
        stage.until("it is open", move |state| {
            state.page().is_some_and(|(id, page)| *id == open && page.content.value().is_some())
        });
    }
    let mut stage = stage.reopened();
    stage.ctrl(Key::Num3);
    stage.until("they are listed", |state| state.assets.list.count() == 3 && !state.assets.list.rows.loading());
    stage.perform(lunette_inspector::Action::List(
        lunette_inspector::filter::List::Assets,
        lunette_inspector::listing::Change::Sort(Some(lunette_inspector::listing::Sort::down("used")), None),
    ));
    let names = |state: &State| {
        let list = &state.assets.list;
        (0..list.order.len()).filter_map(|index| Some(list.shown(index)?.name().to_owned())).collect::<Vec<_>>()
    };
    stage.until("they are sorted", move |state| names(state) == ["b.rs", "c.rs", "a.rs"]);
}
