//! The activity on the page of a tag in each of its states: loading, failed, not offered, out of date, not told.

use std::sync::Arc;

use egui::{Key, Role};
use lunette_client::model::id::AssetId;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{AssetAssociateTag, AssetSpecificAssetActivities};
use lunette_inspector::Remote;

use crate::dialogs::plan::stand;
use crate::panels::graph::tag;
use crate::stage::Stage;
use crate::support::gate::{Gate, holding};
use crate::support::mutating_proxy::{Asked, MutatingProxy, ProxyAction, Reply};
use crate::support::unsupported_proxy::UnsupportedProxy;

/// A service with a tag on two assets.
pub fn tagged() -> (Stage, [AssetId; 2]) {
    let stage = Stage::embedded();
    let assets = ["a.txt", "b.txt"].map(|name| stage.asset(name, name));
    let tag = tag(&stage, "blue");
    for asset in &assets {
        stage.call(AssetAssociateTag { asset: asset.clone(), tag: tag.clone() }).expect("linked");
    }
    (stage, assets)
}

/// Opens the activity of the tag in a window on the service at this address.
fn open_activity(url: &str) -> Stage {
    let mut stage = Stage::patient(url);
    stage.until_idle();
    stage.ctrl(Key::Num4);
    stage.until("the tag is listed", |state| state.links.shown().count() == 1);
    stand(&mut stage);
    stage.find(Role::Row, "blue").click();
    stage.until("its page is open", |state| state.links.open.is_some());
    stage.find(Role::Tab, "Activity").click();
    stage.settle();
    stage
}

#[test]
fn a_placeholder_is_shown_while_the_activity_is_read() {
    let (behind, [_, second]) = tagged();
    let gate = Arc::new(Gate::default());
    let wall = MutatingProxy::start(behind.port(), holding(format!("/asset/{second}/activities"), &gate, |_, _| {}));
    let mut stage = open_activity(&wall.url());
    stage.until_drawn("it says so", |harness| {
        let mut drawn = egui_kittest::kittest::Queryable::query_all_by_label(harness, "Loading the activity");
        drawn.next().is_some()
    });
    assert!(!stage.says("a.txt: Created"), "what was read first waits for the rest");
    gate.open();
    stage.until_said("a.txt: Created");
    assert!(!stage.draws(Role::ProgressIndicator, "Loading the activity"));
    assert!(stage.says("Activity of its 2 assets, newest first."));
}

#[test]
fn an_activity_that_cannot_be_read_says_why_and_is_read_by_trying_again() {
    let (behind, _) = tagged();
    let wire = UnsupportedProxy::start(behind.port());
    wire.reject(AssetSpecificAssetActivities::INFO, 500);
    let mut stage = open_activity(&wire.url());
    stage.until_label("The activity could not be read");
    assert!(stage.says("500"), "the reason is said");
    wire.accept_all();
    stage.press("Try again");
    stage.until_said("b.txt: Created");
    assert!(!stage.says("could not be read"));
}

#[test]
fn an_unsupported_operation_is_reported_and_can_be_retried() {
    let (behind, _) = tagged();
    let wire = UnsupportedProxy::start(behind.port());
    wire.reject(AssetSpecificAssetActivities::INFO, 501);
    let mut stage = open_activity(&wire.url());
    stage.until_label("Not offered by this service");
    assert!(stage.says("Everything else still works."));
    wire.accept_all();
    stage.press("Ask again");
    stage.until_said("b.txt: Created");
    assert!(!stage.draws(Role::Label, "Not offered by this service"));
}

#[test]
fn an_activity_that_cannot_be_read_again_stays_and_says_that_it_is_out_of_date() {
    let (behind, _) = tagged();
    let wire = UnsupportedProxy::start(behind.port());
    let mut stage = open_activity(&wire.url());
    stage.until_said("a.txt: Created");
    wire.reject(AssetSpecificAssetActivities::INFO, 500);
    stage.press("Read again");
    stage.until_said("The activity could not be refreshed");
    assert!(stage.says("a.txt: Created"), "what was read stays");
    wire.accept_all();
    stage.press("Try again");
    stage.until("it is read", |state| {
        state.links.open.as_ref().is_some_and(|page| matches!(page.activity, Remote::Known(_)))
    });
    stand(&mut stage);
    assert!(!stage.says("could not be refreshed"));
}

#[test]
fn assets_whose_activity_cannot_be_read_are_counted() {
    let (behind, [_, second]) = tagged();
    let path = format!("/asset/{second}/activities");
    let decide = move |asked: &Asked| match asked.path == path {
        true => {
            ProxyAction::Respond(Reply { status: 500, content_type: "text/plain".to_owned(), body: b"no".to_vec() })
        }
        false => ProxyAction::Pass,
    };
    let proxy = MutatingProxy::start(behind.port(), decide);
    let mut stage = open_activity(&proxy.url());
    stage.until_said("The activity of 1 asset could not be read.");
    assert!(stage.says("a.txt: Created") && !stage.says("b.txt: Created"));
}

#[test]
fn the_page_says_if_the_service_does_not_report_the_assets_of_a_tag() {
    let (behind, [first, _]) = tagged();
    let decide = |asked: &Asked| match asked.path.starts_with("/tag") {
        true => ProxyAction::Change(Box::new(|reply| {
            reply.json(leave_out_assets);
        })),
        false => ProxyAction::Pass,
    };
    let proxy = MutatingProxy::start(behind.port(), decide);
    let mut stage = open_activity(&proxy.url());
    stage.until_said("The service does not say which assets have it");
    assert!(stage.says("the activity of opened assets can be shown"));
    crate::panels::asset_page::open(&mut stage, &first);
    stage.ctrl(Key::Num4);
    stage.press_once_enabled("Read again");
    stage.until_said("a.txt: Created");
    assert!(stage.says("Activity of 1 asset that you opened, newest first."));
}

/// Removes what says which assets an item has, and how many.
pub fn leave_out_assets(tree: &mut serde_json::Value) {
    match tree {
        serde_json::Value::Object(fields) => {
            for name in ["assets", "asset_count", "asset_updated"] {
                fields.remove(name);
            }
            fields.values_mut().for_each(leave_out_assets);
        }
        serde_json::Value::Array(entries) => entries.iter_mut().for_each(leave_out_assets),
        _ => {}
    }
}
