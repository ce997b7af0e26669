//! The assets on the page of a tag, a website or a workstream summary: a list with all that lists can, in each of its
//! states.

use std::sync::Arc;

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetsRowsSnapshot, TagAssociateAsset, TagsSpecificTagSnapshot,
};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Remote, State};

use crate::dialogs::plan::{stand, writes};
use crate::panels::graph::tag;
use crate::panels::link_activity::{leave_out_assets, tagged};
use crate::stage::Stage;
use crate::support::gate::Gate;
use crate::support::mutating_proxy::{Asked, MutatingProxy, ProxyAction, Reply};
use crate::support::unsupported_proxy::UnsupportedProxy;

/// The names of the listed assets, in their order.
fn names(state: &State) -> Vec<String> {
    let list = &state.links.assets.list;
    (0..list.order.len()).filter_map(|index| Some(list.shown(index)?.title().into_owned())).collect()
}

/// Opens the page of the tag in a window on the service at this address.
fn open(url: &str) -> Stage {
    let mut stage = Stage::patient(url);
    stage.until_idle();
    stage.ctrl(Key::Num4);
    stage.until("the tag is listed", |state| state.links.shown().count() > 0);
    stand(&mut stage);
    stage.find(Role::Row, "blue").click();
    stage.until("its page is open", |state| state.links.open.is_some());
    stage
}

/// A tag on five assets, of which the page is open, and one on none.
fn with_five() -> Stage {
    let mut stage = Stage::embedded();
    let blue = tag(&stage, "blue");
    tag(&stage, "spare");
    for name in ["e.rs", "d.txt", "c.txt", "b.rs", "a.txt"] {
        let asset = stage.asset(name, name);
        stage.call(AssetAssociateTag { asset, tag: blue.clone() }).expect("linked");
    }
    stage.asset("other.txt", "other");
    stage.until("all are listed", |state| state.assets.list.count() == 6);
    stage.ctrl(Key::Num4);
    stage.until("the tags are listed", |state| state.links.shown().count() == 2);
    stand(&mut stage);
    stage.find(Role::Row, "blue").click();
    stage.until("its assets are listed", |state| names(state).len() == 5);
    stand(&mut stage);
    stage
}

#[test]
fn the_page_of_a_tag_is_its_assets_and_its_record_is_behind_a_tab() {
    let mut stage = with_five();
    assert!(stage.draws(Role::Row, "a.txt") && !stage.draws(Role::Row, "other.txt"));
    assert!(!stage.draws(Role::Button, "Rename"));
    stage.find(Role::Tab, "Record").click();
    stage.settle();
    assert!(stage.draws(Role::Button, "Rename") && !stage.draws(Role::Row, "a.txt"));
    let tabs: Vec<_> = Queryable::query_all_by_role_and_label(&stage.harness, Role::Tab, "Assets").collect();
    // The other one is that of the panel.
    tabs.last().expect("a tab").click();
    drop(tabs);
    stage.settle();
    assert!(stage.draws(Role::Row, "a.txt"));
    stage.find(Role::Row, "spare").click();
    stage.until_label("No asset is linked to it");
}

#[test]
fn an_asset_of_a_tag_is_opened_by_enter_and_a_click_only_selects_it() {
    let mut stage = with_five();
    stage.find(Role::Row, "c.txt").click();
    stage.settle();
    assert_eq!((stage.state().navigation.panel, stage.state().page().is_some()), (Panel::Links, false));
    stage.key(Key::Enter);
    stage.until("it is open", |state| {
        state.page().is_some_and(|(_, page)| page.record.value().is_some()) && state.navigation.panel == Panel::Assets
    });
    stage.ctrl(Key::Num4);
    stage.until_label("c.txt");
    stage.find(Role::Row, "c.txt").click();
    stage.settle();
    stage.key(Key::Enter);
    stage.until("it is open again", |state| state.navigation.panel == Panel::Assets);
}

#[test]
fn the_assets_of_a_tag_are_filtered_and_sorted_like_all_assets() {
    let mut stage = with_five();
    stage.type_into("Filter the assets of the link", "language:rust");
    stage.until("they are filtered", |state| names(state).len() == 2);
    assert!(stage.says("2 of 5"));
    assert!(stage.state().assets.list.query.filter.is_empty(), "the list of all assets has a filter of its own");
    stage.find(Role::TextInput, "Filter the assets of the link").focus();
    stage.settle();
    stage.ctrl(Key::A);
    stage.key(Key::Delete);
    stage.until("all are shown", |state| names(state).len() == 5);
    stage.find(Role::ColumnHeader, "Language").click();
    stage.until("they are sorted", |state| {
        state.links.assets.list.query.sort.as_ref().is_some_and(|sort| sort.column == "language")
    });
    assert_eq!(stage.state().assets.list.query.sort, None);
}

#[test]
fn the_keys_act_on_the_assets_that_are_selected_on_the_page_of_a_tag() {
    let mut stage = with_five();
    for row in ["a.txt", "c.txt"] {
        stage.find(Role::Row, row).click_modifiers(Modifiers::COMMAND);
        stage.settle();
    }
    stage.until("both are selected", |state| state.assets.selected.count == 2);
    stage.ctrl(Key::Delete);
    stage.until("the plan is there", |state| {
        state.bulk.draft.as_ref().is_some_and(|draft| draft.assets.len() == 2 && draft.sample.value().is_some())
    });
    assert_eq!((stage.state().navigation.panel, writes(&stage)), (Panel::Links, 0));
    stage.key(Key::Escape);
    stage.settle();
    stage.find(Role::Row, "spare").click();
    stage.until("another page is open", |state| {
        state.links.open.as_ref().is_some_and(|page| page.item.text == "spare") && state.assets.selected.count == 0
    });
    stage.ctrl(Key::Delete);
    stage.until_said("Delete tag “spare”?");
}

#[test]
fn an_asset_that_is_tagged_elsewhere_appears_on_the_page_of_the_tag() {
    let mut stage = with_five();
    let open = stage.state().links.open.as_ref().expect("a page").item.id.to_string();
    let asset = stage.state().assets.list.iter().find(|row| row.name() == "other.txt").expect("a row").id();
    stage.call(TagAssociateAsset { tag: open.parse().expect("an id"), asset }).expect("linked");
    stage.until("it is listed", |state| names(state).iter().any(|name| name == "other.txt"));
}

#[test]
fn the_assets_say_that_they_are_read() {
    let (behind, _) = tagged();
    let gate = Arc::new(Gate::default());
    let wall = MutatingProxy::start(behind.port(), {
        let gate = Arc::clone(&gate);
        move |asked: &Asked| {
            if asked.path.starts_with("/tag/") {
                gate.wait();
            }
            ProxyAction::Pass
        }
    });
    let mut stage = open(&wall.url());
    stage
        .until_drawn("it says so", |harness| Queryable::query_all_by_label(harness, "Loading assets").next().is_some());
    gate.open();
    stage.until("they are listed", |state| names(state).len() == 2);
}

#[test]
fn assets_that_cannot_be_read_say_why_and_are_read_by_trying_again() {
    let (behind, _) = tagged();
    let wire = UnsupportedProxy::start(behind.port());
    wire.reject(TagsSpecificTagSnapshot::INFO, 500);
    let mut stage = open(&wire.url());
    stage.until_label("The assets could not be read");
    wire.accept_all();
    stage.press("Try again");
    stage.until("they are listed", |state| names(state).len() == 2);
}

#[test]
fn where_the_service_does_not_say_which_assets_a_tag_has_those_that_say_it_are_listed() {
    let (behind, _) = tagged();
    let decide = |asked: &Asked| match asked.path.starts_with("/tag") {
        true => ProxyAction::Change(Box::new(|reply| reply.json(leave_out_assets))),
        false => ProxyAction::Pass,
    };
    let proxy = MutatingProxy::start(behind.port(), decide);
    let mut stage = open(&proxy.url());
    stage.until("they are listed", |state| names(state).len() == 2);
    stage.until_said("This service does not say which assets have it. These are the ones in the list that say so.");
}

#[test]
fn what_nothing_tells_is_not_shown_as_none() {
    let (behind, _) = tagged();
    let decide = |asked: &Asked| match asked.path.as_str() {
        path if path == AssetsRowsSnapshot::INFO.path => ProxyAction::Respond(Reply {
            status: 404,
            content_type: "text/plain".to_owned(),
            body: b"there are no rows".to_vec(),
        }),
        path if path.starts_with("/tag") || path.starts_with("/assets") => ProxyAction::Change(Box::new(|reply| {
            reply.json(|tree| {
                leave_out_assets(tree);
                leave_out_tags(tree);
            });
        })),
        _ => ProxyAction::Pass,
    };
    let proxy = MutatingProxy::start(behind.port(), decide);
    let mut stage = open(&proxy.url());
    stage.until("it was chosen", |state| matches!(state.links.assets.list.rows, Remote::Known(_)));
    stage.until_said("Neither its record nor the list of assets says it.");
    assert!(!stage.says("No asset is linked to it"));
}

/// Removes what says which tags an asset has.
fn leave_out_tags(tree: &mut serde_json::Value) {
    match tree {
        serde_json::Value::Object(fields) => {
            fields.remove("tags");
            fields.values_mut().for_each(leave_out_tags);
        }
        serde_json::Value::Array(entries) => entries.iter_mut().for_each(leave_out_tags),
        _ => {}
    }
}
