//! What a service may cost that never comes to an end, or sends more than it says.

use std::time::Duration;

use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;
use lunette_client::operation::StreamKind;
use lunette_inspector::action::{AssetsAction, ExportAction, SessionAction};
use lunette_inspector::assets::page::Content;
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::settings::Target;
use lunette_inspector::sync::{StreamStatus, SyncIntervals};
use lunette_inspector::{Action, CallError, Remote, State};
use serde_json::json;

use crate::services::endless::Endless;
use crate::services::flood::Flood;
use crate::stage::Stage;
use crate::support::TestService;
use crate::support::assets;
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction};

#[test]
fn an_endless_list_is_loaded_once_at_a_time_and_stops_when_it_is_closed() {
    let endless = Endless::start();
    let mut stage = Stage::new();
    let home = stage.state().connection.address.clone().expect("an address");
    stage.app.perform(SessionAction::Connect(Target::Url(endless.url().to_owned())));
    stage.until("it is up", |state| state.connection.status == Status::Up);
    for more in 1..3 {
        let before = endless.lists();
        stage.until("its list goes on", |_| endless.lists() > before + more);
        stage.app.perform(Action::Refresh(Panel::Assets));
    }
    stage.app.perform(SessionAction::Connect(Target::Url(home)));
    // A reading that goes on would never let it come to rest.
    stage.idle();
    let after = endless.lists();
    stage.perform(Action::Refresh(Panel::Assets));
    assert!(endless.lists() <= after + 1, "one may have been on its way");
    assert_eq!(stage.state().connection.status, Status::Up);
}

#[test]
fn a_stream_exceeding_its_limit_is_closed_with_an_error_naming_the_limit_and_the_list_is_polled() {
    let (flood, poll) = (Flood::start(3_000), Duration::from_millis(20));
    let mut stage =
        Stage::paced(flood.url(), SyncIntervals { most_bytes: 100 << 10, poll, ..SyncIntervals::default() });
    let broken = |state: &State| match state.sync.status.of(StreamKind::Assets) {
        StreamStatus::Broken(why) => Some(why.clone()),
        StreamStatus::Asked | StreamStatus::Followed | StreamStatus::NotOffered => None,
    };
    stage.until("the stream was ended", |state| broken(state).is_some());
    let why = broken(stage.state()).unwrap_or_default();
    assert!(why.contains("its ids took more than 100 KiB"), "{why}");
    assert_eq!(stage.state().assets.list.count(), 3_000, "the list is read all the same");
    assert!(stage.state().sync.status.reason().contains("its ids took more than 100 KiB"));
    let before = flood.lists();
    stage.until("the list is polled", |_| flood.lists() > before + 1);
}

/// An asset of four bytes behind a wire that answers its content with 25 million.
fn larger_than_reported() -> (Stage, AssetId, MutatingProxy) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let service = runtime.block_on(TestService::start());
    let seed = json!({ "type": "SEEDED_ASSET", "asset": {
        "application": assets::application(),
        "format": { "file": { "bytes": { "raw": [137, 80, 78, 71] } }, "classification":
            { "generic": "IMAGE", "specific": "png" } },
        "metadata": { "name": "small.png" },
    } });
    let made = runtime.block_on(assets::create(&service.client, seed)).expect("an asset");
    let asset: AssetId = lunette_client::model::record::Record::view(&made).id().parse().expect("an id");
    let path = format!("/asset/{asset}/export");
    let wall = MutatingProxy::start(service.port(), move |asked| match asked.path == path {
        false => ProxyAction::Pass,
        true => ProxyAction::Change(Box::new(|reply| {
            let text = "QUJD".repeat(8_000_000);
            reply.json(|tree| tree["raw"] = json!({ "string": { "base64": text } }));
        })),
    });
    let stage = Stage::at(&wall.url());
    // The service lives as long as the test.
    std::mem::forget((service, runtime));
    (stage, asset, wall)
}

#[test]
fn content_is_loaded_up_to_a_limit_and_completely_on_request() {
    let (mut stage, asset, wall) = larger_than_reported();
    stage.perform(AssetsAction::Open(asset.clone()));
    let content =
        |state: &State| state.assets.pages.of.get(&asset).map(|page| page.content.clone()).unwrap_or_default();
    let refused = content(stage.state());
    assert!(matches!(refused, Remote::Failed { error: CallError::TooLarge { .. }, .. }), "{refused:?}");
    stage.perform(AssetsAction::LoadContent(asset.clone()));
    let Remote::Known(Content::Bytes(bytes)) = content(stage.state()) else { panic!("it is there once asked for") };
    assert_eq!(bytes.len(), 24_000_000);
    drop(wall);
}

#[test]
fn a_document_is_dropped_when_it_or_its_asset_is_no_longer_viewed() {
    let mut stage = Stage::new();
    let [one, other] = ["a.txt", "b.txt"].map(|name| stage.asset(name, "text"));
    let held = |state: &State| {
        let export = state.export.of.get(&one).expect("an export");
        (export.kind.clone(), export.document.value().is_some())
    };
    for leave in [Action::Export(ExportAction::Close(one.clone())), Action::Assets(AssetsAction::Open(other.clone()))] {
        stage.perform(AssetsAction::Open(one.clone()));
        stage.perform(ExportAction::Export(one.clone(), ExportType::Md));
        assert_eq!(held(stage.state()), (ExportType::Md, true));
        stage.perform(leave);
        assert_eq!(held(stage.state()), (ExportType::Md, false), "its kind stays");
    }
}
