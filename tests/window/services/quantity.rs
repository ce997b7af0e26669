//! An asset with ten thousand of everything: what is drawn and prepared does not grow with it.
//!
//! Answers of the service are multiplied on their way, so that no test makes ten thousand records.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::record::Record as _;
use lunette_client::model::size::grouped;
use lunette_client::operation::table::{AssetAssociateTag, TagsCreateNewTag};
use serde_json::{Value, json};

use crate::panels::asset_page::open;
use crate::stage::Stage;
use crate::support::assets::record;
use crate::support::mutating_proxy::MutatingProxy;

/// How many records each list has.
const MANY: usize = 10_000;

/// Far more rows than are ever in sight.
const IN_SIGHT: usize = 100;

/// A stage whose answers are changed, with an open asset.
struct Multiplied {
    stage: Stage,
    /// The service behind the proxy, and the proxy.
    _behind: (Stage, MutatingProxy),
}

/// Opens an asset, with a tag, of a service whose JSON answers at paths that end like this are changed.
fn multiplied(path: &'static str, change: fn(&mut Value)) -> Multiplied {
    let behind = Stage::embedded();
    let id = behind.asset("a.rs", "fn main() {}");
    let tag = behind.call(TagsCreateNewTag { transferables: None, tag: Some(record(json!({ "text": "first" }))) });
    let tag = tag.expect("a tag").view().id().parse().expect("an id");
    behind.call(AssetAssociateTag { asset: id.clone(), tag }).expect("linked");
    let path = path.replace("{asset}", id.as_str());
    let proxy = MutatingProxy::changing(behind.port(), &path, change);
    let mut stage = Stage::patient(&proxy.url());
    stage.until_idle();
    open(&mut stage, &id);
    // What is below the content moves once the content is loaded.
    stage.until("its content is there", |state| state.page().is_some_and(|(_, page)| page.content.value().is_some()));
    stage.until_drawn("it is drawn", |harness| harness.query_by_label("Loading the content").is_none());
    Multiplied { stage, _behind: (behind, proxy) }
}

/// Repeats the first record of a list; `number` makes each of them another one.
fn repeat(list: &mut Value, number: impl Fn(&mut Value, usize)) {
    let first = list["iterable"][0].clone();
    let copies = (0..MANY).map(|index| {
        let mut copy = first.clone();
        number(&mut copy, index);
        copy
    });
    list["iterable"] = copies.collect();
}

fn id(index: usize) -> Value {
    format!("00000000-0000-4000-8000-{index:012}").into()
}

fn rows(stage: &Stage) -> Vec<String> {
    let items = stage.harness.query_all_by_role(Role::ListItem);
    items.filter_map(|item| item.accesskit_node().label()).collect()
}

/// Focuses a list, and goes to its last row and back.
fn go_to_both_ends(stage: &mut Stage, list: &str, first: &str, last: &str) {
    stage.until_drawn("the list is drawn", |harness| harness.query_by_role_and_label(Role::List, list).is_some());
    let drawn = rows(stage);
    assert!(!drawn.is_empty() && drawn.len() < IN_SIGHT, "{}", drawn.len());
    assert_eq!(drawn[0], first);
    stage.find(Role::List, list).focus();
    stage.harness.step();
    stage.key(Key::End);
    let drawn = rows(stage);
    assert!(drawn.len() < IN_SIGHT && drawn.last().is_some_and(|drawn| drawn == last), "{drawn:?}");
    stage.key(Key::Home);
    assert_eq!(rows(stage)[0], first);
    stage.key(Key::ArrowDown);
    stage.key(Key::PageDown);
    stage.key(Key::ArrowUp);
    assert!(rows(stage).len() < IN_SIGHT);
}

#[test]
fn only_the_visible_ones_of_ten_thousand_formats_are_drawn() {
    let many = |formats: &mut Value| {
        repeat(formats, |format, index| {
            format["id"] = id(index);
            format["classification"]["specific"] = format!("x{index}").into();
        });
    };
    let mut with = multiplied("/formats", many);
    with.stage.find(Role::Tab, "Formats").click();
    go_to_both_ends(&mut with.stage, "Formats", "x0 Both", "x9999 Both");
    // Each row has its button, named by the id.
    let last = format!("Copy the id {}", id(0).as_str().expect("a text"));
    with.stage.key(Key::Home);
    with.stage.find(Role::Button, &last);
}

#[test]
fn only_the_visible_ones_of_ten_thousand_activities_are_drawn_newest_first() {
    let many = |activities: &mut Value| {
        repeat(activities, |activity, index| {
            activity["id"] = id(index);
            activity["created"]["value"] = format!("2026-01-01T{:02}:{:02}:00Z", index / 600, index / 10 % 60).into();
            activity["event"] = json!({ "interaction": { "description": format!("Clicked {index}") } });
        });
    };
    let mut with = multiplied("/activities", many);
    with.stage.find(Role::Tab, "Activity").click();
    // Those of one minute stay in the order of the service.
    go_to_both_ends(&mut with.stage, "Activities", "Clicked 9990", "Clicked 9");
}

#[test]
fn only_the_visible_ones_of_ten_thousand_conversations_are_drawn() {
    let many = |conversations: &mut Value| {
        let time = json!({ "value": "2026-01-01T00:00:00Z" });
        let conversation = |index: usize| {
            json!({ "id": id(index), "name": format!("talk {index}"), "created": time, "updated": time,
                "messages": { "iterable": [] }, "type": "COPILOT" })
        };
        conversations["iterable"] = (0..MANY).map(conversation).collect();
    };
    let mut with = multiplied("/conversations", many);
    with.stage.find(Role::Tab, "Conversations").click();
    go_to_both_ends(&mut with.stage, "Conversations", "talk 0", "talk 9999");
}

fn number_tag(tag: &mut Value, index: usize) {
    tag["id"] = id(index);
    tag["text"] = format!("tag {index}").into();
}

#[test]
fn only_the_visible_ones_of_ten_thousand_links_are_drawn() {
    let many = |asset: &mut Value| repeat(&mut asset["tags"], number_tag);
    let mut with = multiplied("/asset/{asset}", many);
    let drawn = with.stage.harness.query_all_by_label_contains("Remove tag tag").count();
    let more = format!("{} more links", grouped((MANY - drawn) as u64));
    with.stage.press(&more);
    go_to_both_ends(&mut with.stage, "Tags", "tag 0", "tag 9999");
    let crosses = with.stage.harness.query_all_by_label_contains("Remove tag tag").count();
    assert!((1..IN_SIGHT).contains(&crosses), "{crosses}");
    with.stage.key(Key::Home);
    // The menu is that of the chip in the row.
    with.stage.key(Key::Menu);
    let names: Vec<String> = crate::input::row_menu::entries(&with.stage).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["List assets with this tag", "Copy name", "Remove tag"]);
    with.stage.key(Key::Escape);
    // Enter does what a click on a tag does: the list shows the assets that have it.
    with.stage.key(Key::Enter);
    with.stage.until_drawn("it is filtered by", |harness| {
        let field = harness.query_by_role_and_label(Role::TextInput, "Filter assets");
        field.and_then(|field| field.accesskit_node().value()).is_some_and(|value| value.contains("tag 0"))
    });
}

#[test]
fn ten_thousand_tags_to_choose_from_are_found_by_typing_without_those_that_are_linked() {
    let mut with = multiplied("/tags", |tags| {
        let first = tags["iterable"][0].clone();
        repeat(tags, number_tag);
        tags["iterable"].as_array_mut().expect("a list").push(first);
    });
    let stage = &mut with.stage;
    stage.press("Add a tag");
    let offers = |stage: &Stage| {
        let options = stage.harness.query_all_by_role(Role::ListBoxOption);
        options.filter_map(|option| option.accesskit_node().label()).collect::<Vec<_>>()
    };
    stage.until_drawn("tags are offered", |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, "tag 0").is_some()
    });
    assert!(offers(stage).len() < IN_SIGHT);
    stage.find(Role::TextInput, "Add a tag").type_text("tag 9999");
    stage.until_drawn("it is found", |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, "tag 9999").is_some()
    });
    assert_eq!(offers(stage), ["tag 9999"], "and as it is there, none is created");
    stage.ctrl(Key::A);
    stage.find(Role::TextInput, "Add a tag").type_text("first");
    // The only tag of that name is linked already.
    stage.until_drawn("none is found", |harness| {
        harness.query_by_role_and_label(Role::ListBoxOption, "Create tag “first”").is_some()
    });
    assert_eq!(offers(stage), ["Create tag “first”"]);
}
