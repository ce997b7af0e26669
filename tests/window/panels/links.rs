//! The panel of tags, websites and workstream summaries: lists, filters, merging, renaming, deleting, and its states.

use egui::{Key, Modifiers, Role};
use lunette_client::model::id::TagId;
use lunette_client::model::linked::{SeededTag, SeededWebsite};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, TagsCreateNewTag, WebsitesCreateNewWebsite};
use lunette_inspector::action::LinksAction;
use lunette_inspector::change::LinkKind;
use lunette_inspector::settings::{Settings, TagColor};

use crate::dialogs::plan::{stand, writes};
use crate::stage::Stage;

/// Makes a tag past the window.
fn tag(stage: &Stage, text: &str) -> TagId {
    let tag = Some(SeededTag::from_tree(serde_json::json!({ "text": text })).expect("a tag"));
    let made = stage.call(TagsCreateNewTag { transferables: None, tag }).expect("it was made");
    made.view().id().parse().expect("an id")
}

/// A stage with two tags of one meaning on an asset each, and one on none, showing the panel.
pub fn with_tags() -> Stage {
    let mut stage = Stage::embedded();
    for (name, text) in [("a.txt", "to do"), ("b.txt", "to-do")] {
        let asset = stage.asset(name, name);
        let tag = tag(&stage, text);
        stage.call(AssetAssociateTag { asset, tag }).expect("linked");
    }
    tag(&stage, "spare");
    stage.ctrl(Key::Num4);
    stage.until("the tags are listed", |state| state.links.shown().count() == 3);
    stand(&mut stage);
    stage
}

/// Shows the record of the open item.
pub fn show_record(stage: &mut Stage) {
    stage.find(Role::Tab, "Record").click();
    stage.settle();
}

fn names(stage: &Stage) -> Vec<String> {
    let listing = stage.state().links.shown();
    (0..listing.order.len()).filter_map(|index| Some(listing.shown(index)?.item.text.clone())).collect()
}

#[test]
fn without_links_the_panel_says_how_to_add_one() {
    let mut stage = Stage::embedded();
    stage.ctrl(Key::Num4);
    stage.until_label("There are no tags yet");
    stage.find(Role::RadioButton, "Websites").click();
    stage.settle();
    stage.until_label("There are no websites yet");
    assert_eq!(stage.state().links.kind, LinkKind::Website);
}

#[test]
fn the_list_shows_asset_counts_and_similar_items() {
    let mut stage = with_tags();
    assert!(stage.says("similar to “to-do”"));
    stage.press("Unused");
    assert_eq!(names(&stage), ["spare"]);
    stage.press("Used once");
    assert_eq!(names(&stage), ["to do", "to-do"]);
    let tag = stage.state().links.shown().iter().find(|row| row.item.text == "to do").expect("a row").item.id.clone();
    let asset = stage.asset("c.txt", "c.txt");
    stage.call(AssetAssociateTag { asset, tag: tag.parse().expect("an id") }).expect("linked");
    stage.until("it is used twice", |state| state.links.shown().iter().any(|row| row.assets == Some(2)));
    assert_eq!(names(&stage), ["to-do"]);
    stage.press("Similar");
    assert_eq!(names(&stage), ["to do", "to-do"]);
    stage.press("Similar");
    assert_eq!(names(&stage).len(), 3, "a second click ends the filter");
}

#[test]
fn two_selected_tags_are_merged_by_point_and_click_after_the_plan_was_seen() {
    let mut stage = with_tags();
    for row in ["to do", "to-do"] {
        stage.find(Role::Row, row).click_modifiers(Modifiers::COMMAND);
        stage.settle();
    }
    stage.press("Merge…");
    stage.until_label("Merge 2 tags");
    stand(&mut stage);
    stage.find(Role::RadioButton, "to-do · 1 asset").click();
    stage.settle();
    stage.press("Show plan");
    stage.until("the plan is there", |state| {
        state.bulk.draft.as_ref().is_some_and(|draft| draft.sample.value().is_some())
    });
    assert!(stage.says("Replace tag “to do” with “to-do” on 1 asset"));
    assert_eq!(writes(&stage), 0);
    stage.press_once_enabled("Apply to 1 asset");
    stage.until("it is merged", |state| {
        let counts =
            |text: &str| state.links.shown().iter().find(|row| row.item.text == text).and_then(|row| row.assets);
        (counts("to do"), counts("to-do")) == (Some(0), Some(2))
    });
}

#[test]
fn a_typed_name_is_kept_until_it_is_applied() {
    let mut stage = with_tags();
    stage.find(Role::Row, "spare").click();
    stage.until("its page is open", |state| state.links.open.is_some());
    show_record(&mut stage);
    stage.press_once_enabled("Rename");
    stage.type_into("Name", "r");
    stage.press_once_enabled("Save");
    stage.until("it is renamed", |state| {
        state.links.shown().iter().any(|row| row.item.text == "rspare" || row.item.text == "sparer")
    });
    stage.until_drawn("the form is closed", |harness| {
        egui_kittest::kittest::Queryable::query_by_role_and_label(harness, Role::Button, "Save").is_none()
    });
    // The feed may tell of the change before its answer arrives.
    stage.until_said("Renamed tag “spare”");
}

#[test]
fn a_tag_with_assets_cannot_be_deleted_and_says_why() {
    let mut stage = with_tags();
    stage.find(Role::Row, "to do").click();
    stage.until("its page is open", |state| state.links.open.is_some());
    show_record(&mut stage);
    let button = stage.find(Role::Button, "Delete…");
    let node = egui_kittest::kittest::NodeT::accesskit_node(&button);
    assert!(node.is_disabled() && node.description().is_some_and(|why| why.contains("remove it from them first")));
}

#[test]
fn a_page_that_was_closed_opens_again_from_its_row() {
    for (width, close) in [(800.0, "Back to the list"), (1_280.0, "Close the page")] {
        let mut stage = with_tags();
        stage.harness.set_size(egui::vec2(width, 600.0));
        for _ in 0..2 {
            stage.find(Role::Row, "to do").click();
            stage.until("its page is open", |state| state.links.open.is_some());
            stage.press(close);
            stage.until("its page is closed", |state| state.links.open.is_none());
        }
    }
}

#[test]
fn the_row_of_the_open_page_is_selected_wherever_it_was_opened_from() {
    let mut stage = with_tags();
    let item = |stage: &Stage, index| stage.state().links.shown().shown(index).expect("a row").item.clone();
    let last = item(&stage, 1);
    stage.perform(LinksAction::Open(last.clone()));
    stage.until("its page is open", |state| state.links.open.is_some());
    let row = stage.find(Role::Row, last.name());
    assert_eq!(egui_kittest::kittest::NodeT::accesskit_node(&row).is_selected(), Some(true));
}

#[test]
fn the_assets_of_a_tag_are_shown_from_its_page() {
    let mut stage = with_tags();
    stage.find(Role::Row, "to do").click();
    stage.until("its page is open", |state| state.links.open.is_some());
    show_record(&mut stage);
    stage.press("Show among all assets");
    stage.until("they are shown", |state| state.assets.list.order.len() == 1);
    assert_eq!(stage.state().assets.list.shown(0).map(|row| row.name().to_owned()), Some("a.txt".to_owned()));
}

#[test]
fn the_panel_fits_the_smallest_window() {
    let mut stage = with_tags();
    stage.harness.set_size(egui::vec2(800.0, 600.0));
    stage.settle();
    for name in ["Unused", "Used once", "Similar"] {
        assert!(stage.find(Role::Button, name).rect().right() <= 800.0, "{name}");
    }
}

#[test]
fn all_assets_of_a_tag_move_to_another_after_the_plan_was_seen() {
    let mut stage = with_tags();
    stage.find(Role::Row, "to do").click();
    stage.until("its page is open", |state| state.links.open.is_some());
    show_record(&mut stage);
    stage.press_once_enabled("Move to…");
    stage.until_drawn("the others are offered", |harness| {
        let options = egui_kittest::kittest::Queryable::query_all_by_role(harness, Role::ListBoxOption);
        options.count() == 2
    });
    stage.find(Role::ListBoxOption, "spare").click();
    stage.until("the plan is there", |state| {
        state.bulk.draft.as_ref().is_some_and(|draft| draft.sample.value().is_some())
    });
    assert!(stage.says("Replace tag “to do” with “spare” on 1 asset"));
    assert_eq!(writes(&stage), 0);
    stage.press_once_enabled("Apply to 1 asset");
    stage.until("it is moved", |state| {
        let counts =
            |text: &str| state.links.shown().iter().find(|row| row.item.text == text).and_then(|row| row.assets);
        (counts("to do"), counts("spare")) == (Some(0), Some(1))
    });
}

#[test]
fn a_chosen_tag_colour_is_saved_and_follows_a_rename() {
    let mut stage = with_tags();
    stage.find(Role::Row, "spare").click();
    stage.until("its page is open", |state| state.links.open.is_some());
    show_record(&mut stage);
    stage.press("Teal");
    let color = |stage: &Stage, text: &str| stage.state().preferences.settings.look.tag_colors.of(text);
    assert_eq!(color(&stage, "spare"), Some(TagColor::Teal));
    let chosen =
        |stage: &Stage, name| egui_kittest::kittest::NodeT::accesskit_node(&stage.find(Role::Button, name)).toggled();
    stage.settle();
    let both = (chosen(&stage, "Teal"), chosen(&stage, "Blue"));
    assert_eq!(both, (Some(egui::accesskit::Toggled::True), Some(egui::accesskit::Toggled::False)));
    let folder = stage.folder.path().to_owned();
    stage.until_drawn("it is kept", |_| Settings::peek(&folder).look.tag_colors.of("spare").is_some());
    stage.press_once_enabled("Rename");
    stage.type_into("Name", "r");
    stage.press_once_enabled("Save");
    stage.until("the new name has it", |state| {
        ["rspare", "sparer"].iter().any(|text| state.preferences.settings.look.tag_colors.of(text).is_some())
    });
    assert_eq!(color(&stage, "spare"), None);
}

#[test]
fn the_activity_of_a_tags_assets_is_on_its_page_and_leads_to_them() {
    let mut stage = with_tags();
    stage.find(Role::Row, "to do").click();
    stage.until("its page is open", |state| state.links.open.is_some());
    stage.find(Role::Tab, "Activity").click();
    stage.settle();
    stage.until_said("a.txt: Tag “to do” added");
    assert!(!stage.says("a.txt: Tag added"), "other tags are named too");
    assert!(stage.says("Activity of its 1 asset, newest first."));
    stage.find(Role::List, "Activity of its assets").focus();
    stage.settle();
    stage.key(Key::Enter);
    stage.until("the asset is open", |state| state.page().is_some());
}

#[test]
fn an_unused_tag_has_no_activity_and_no_error() {
    let mut stage = with_tags();
    stage.find(Role::Row, "spare").click();
    stage.until("its page is open", |state| state.links.open.is_some());
    stage.find(Role::Tab, "Activity").click();
    stage.settle();
    stage.until_said("What happens to its assets is listed here.");
}

/// Opens the page of the only item of a kind.
fn open_only(stage: &mut Stage, kind: &str, name: &str) {
    stage.ctrl(Key::Num4);
    stage.find(Role::RadioButton, kind).click();
    stage.until("it is listed", |state| state.links.shown().count() == 1);
    stand(stage);
    stage.find(Role::Row, name).click();
    stage.until("its page is open", |state| state.links.open.is_some());
    show_record(stage);
    stage.press_once_enabled("Rename");
}

#[test]
fn renaming_a_website_and_changing_its_address_can_be_undone() {
    let mut stage = Stage::embedded();
    let seed = serde_json::json!({ "url": "https://docs.rs/tokio", "name": "docs" });
    let website = Some(SeededWebsite::from_tree(seed).expect("a website"));
    stage.call(WebsitesCreateNewWebsite { transferables: None, website }).expect("created");
    open_only(&mut stage, "Websites", "docs");
    stage.type_into("Name", "tokio ");
    stage.type_into("Address", "https://example.org/");
    let typed = stage.value_of("Address");
    stage.press_once_enabled("Save");
    let item = |state: &lunette_inspector::State| state.links.shown().iter().next().map(|row| row.item.clone());
    stage.until("it is renamed", |state| item(state).is_some_and(|item| item.text.contains("tokio")));
    assert_eq!(item(stage.state()).and_then(|item| item.url), Some(typed), "one request changes both");
    assert_eq!(writes(&stage), 1);
    stage.until("it can be undone", |state| state.work.is_empty() && state.history.last().is_some());
    stage.ctrl(Key::Z);
    stage.until("both are as before", |state| {
        item(state)
            .is_some_and(|item| (item.text.as_str(), item.url.as_deref()) == ("docs", Some("https://docs.rs/tokio")))
    });
}

#[test]
fn a_workstream_summary_is_renamed_and_has_no_address_to_change() {
    let mut stage = Stage::embedded();
    stage.summary("Morning");
    open_only(&mut stage, "Workstream summaries", "Morning");
    assert!(!stage.draws(Role::TextInput, "Address"));
    stage.type_into("Name", "x");
    stage.press_once_enabled("Save");
    stage.until("it is renamed", |state| {
        state.links.shown().iter().any(|row| ["xMorning", "Morningx"].contains(&row.item.text.as_str()))
    });
    assert_eq!(writes(&stage), 1);
}

#[test]
fn the_lists_are_sorted_by_name_until_another_order_is_chosen() {
    let mut stage = Stage::embedded();
    for text in ["pear", "Apple", "fig", "apple pie", "Banana"] {
        tag(&stage, text);
    }
    stage.ctrl(Key::Num4);
    stage.until("the tags are listed", |state| state.links.shown().count() == 5);
    stand(&mut stage);
    let sorted = ["Apple", "apple pie", "Banana", "fig", "pear"];
    assert_eq!(names(&stage), sorted);
    tag(&stage, "cherry");
    stage.until("another one is listed", |state| state.links.shown().count() == 6);
    assert_eq!(names(&stage), ["Apple", "apple pie", "Banana", "cherry", "fig", "pear"]);
}
