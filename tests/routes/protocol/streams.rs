//! Streams over real sockets: what they tell, who may open one, how many there may be, and how they end.

mod hostile;
mod wire;

use std::collections::HashSet;
use std::time::Duration;

use lunette_client::client::{CallError, Change, Stream, StreamKind};
use lunette_client::model::id::{AssetId, TagId};
use lunette_client::operation::STREAMS;
use lunette_client::operation::table::{
    ApplicationsRegister, ApplicationsSessionOpen, AssetAssociateTag, AssetDisassociateTag, AssetsDeleteAsset,
    GetWellKnownHealth, TagsDeleteSpecificTag,
};
use lunette_service::HttpLimits;
use serde_json::json;

use crate::support::TestService;
use crate::support::assets::{application, record, refusal, summary, tag, text_asset, website};

async fn follow(service: &TestService, kind: StreamKind) -> Stream {
    service.client.follow(kind).await.expect("a stream")
}

/// The next message. One that never comes fails the test instead of hanging it.
async fn next(stream: &mut Stream) -> Option<Result<Vec<Change>, CallError>> {
    tokio::time::timeout(Duration::from_secs(60), stream.next()).await.expect("a message, or an end")
}

async fn message(stream: &mut Stream) -> Vec<Change> {
    next(stream).await.expect("the stream goes on").expect("a message")
}

/// Ids of a message, each with whether it is gone.
async fn ids(stream: &mut Stream) -> Vec<(String, bool)> {
    message(stream).await.into_iter().map(|change| (change.id, change.deleted)).collect()
}

fn changed(id: impl ToString) -> Vec<(String, bool)> {
    vec![(id.to_string(), false)]
}

fn gone(id: impl ToString) -> Vec<(String, bool)> {
    vec![(id.to_string(), true)]
}

#[tokio::test]
async fn a_changes_only_stream_sends_no_existing_ids() {
    let service = TestService::start().await;
    let client = &service.client;
    let before = text_asset(client, "before", "text").await;
    let mut stream = client.follow_changes(StreamKind::Assets).await.expect("a stream");
    assert!(!stream.has_snapshot() && follow(&service, StreamKind::Assets).await.has_snapshot());
    // It began before its client knew of it, so nothing that happens from now on is missed.
    let made = text_asset(client, "made", "text").await;
    assert_eq!(ids(&mut stream).await, changed(made));
    client.call(AssetsDeleteAsset { asset: before.clone() }).await.expect("deleted");
    assert_eq!(ids(&mut stream).await, gone(before));
}

#[tokio::test]
async fn each_kind_of_stream_sends_a_snapshot_and_then_the_changes() {
    let service = TestService::start().await;
    let client = &service.client;
    let asset = text_asset(client, "a", "text").await;
    let mut streams = Vec::new();
    for info in &STREAMS {
        let mut stream = follow(&service, info.kind).await;
        let snapshot = message(&mut stream).await;
        assert!(snapshot.iter().all(|change| change.kind == info.kind && !change.deleted), "{snapshot:?}");
        // The asset, what happened to it, and the service's own application.
        let expected = match info.kind {
            StreamKind::Assets | StreamKind::Applications | StreamKind::Activities => 1,
            _ => 0,
        };
        assert_eq!(snapshot.len(), expected, "{}", info.name);
        streams.push(stream);
    }
    let [assets, tags, websites, summaries, _, applications, activities] = &mut streams[..] else {
        panic!("seven streams")
    };
    let made = tag(client, "t").await;
    assert_eq!(ids(tags).await, changed(made));
    let made = website(client, "https://example.test").await;
    assert_eq!(ids(websites).await, changed(made));
    let made = summary(client, "s").await;
    assert_eq!(ids(summaries).await, changed(made));
    let registered = application();
    client.call(ApplicationsRegister { application: Some(record(registered.clone())) }).await.expect("registered");
    assert_eq!(ids(applications).await, changed(registered["id"].as_str().expect("an id")));
    client.call(AssetsDeleteAsset { asset: asset.clone() }).await.expect("deleted");
    assert_eq!(ids(assets).await, gone(asset));
    assert_eq!(ids(activities).await.len(), 1, "its deletion");
}

#[tokio::test]
async fn linking_is_published_for_both_sides() {
    let service = TestService::start().await;
    let client = &service.client;
    let (asset, tag) = (text_asset(client, "a", "text").await, tag(client, "t").await);
    let (mut assets, mut tags) = (follow(&service, StreamKind::Assets).await, follow(&service, StreamKind::Tags).await);
    assert_eq!((ids(&mut assets).await, ids(&mut tags).await), (changed(&asset), changed(&tag)));
    client.call(AssetAssociateTag { asset: asset.clone(), tag: tag.clone() }).await.expect("linked");
    assert_eq!((ids(&mut assets).await, ids(&mut tags).await), (changed(&asset), changed(&tag)));
    client.call(AssetDisassociateTag { asset: asset.clone(), tag: tag.clone() }).await.expect("unlinked");
    assert_eq!((ids(&mut assets).await, ids(&mut tags).await), (changed(&asset), changed(&tag)));
}

#[tokio::test]
async fn deleting_a_tag_is_published_for_it_and_its_assets() {
    let service = TestService::start().await;
    let client = &service.client;
    let (asset, tag) = (text_asset(client, "a", "text").await, tag(client, "t").await);
    client.call(AssetAssociateTag { asset: asset.clone(), tag: tag.clone() }).await.expect("linked");
    let (mut assets, mut tags) = (follow(&service, StreamKind::Assets).await, follow(&service, StreamKind::Tags).await);
    assert_eq!((ids(&mut assets).await, ids(&mut tags).await), (changed(&asset), changed(&tag)));
    client.call(TagsDeleteSpecificTag { tag: tag.clone() }).await.expect("deleted");
    assert_eq!((ids(&mut assets).await, ids(&mut tags).await), (changed(&asset), gone(&tag)));
}

#[tokio::test]
async fn application_usage_is_published_as_a_change() {
    let service = TestService::start().await;
    let client = &service.client;
    let registered = application();
    client.call(ApplicationsRegister { application: Some(record(registered.clone())) }).await.expect("registered");
    let mut applications = follow(&service, StreamKind::Applications).await;
    assert_eq!(ids(&mut applications).await.len(), 2);
    client.call(ApplicationsSessionOpen {}).await.expect("a session");
    assert_eq!(ids(&mut applications).await, changed(registered["id"].as_str().expect("an id")));
}

#[tokio::test]
async fn a_rejected_write_is_not_published() {
    let service = TestService::start().await;
    let client = &service.client;
    let asset = text_asset(client, "a", "text").await;
    let (mut assets, mut tags) = (follow(&service, StreamKind::Assets).await, follow(&service, StreamKind::Tags).await);
    assert_eq!((ids(&mut assets).await, ids(&mut tags).await), (changed(&asset), Vec::new()));
    // The first asset of a new tag is there, the second is not: neither tag nor link is kept.
    let seed = json!({ "text": "t", "asset": AssetId::random() }).to_string();
    assert_eq!(service.send("POST", "/tags/create", Some(&seed)).await.status, 404);
    let unknown = AssetAssociateTag { asset: asset.clone(), tag: "none".parse::<TagId>().expect("an id") };
    assert_eq!(refusal(client.call(unknown).await).0, 404);
    let (marker, made) = (text_asset(client, "marker", "text").await, tag(client, "marker").await);
    assert_eq!((ids(&mut assets).await, ids(&mut tags).await), (changed(marker), changed(made)));
}

#[tokio::test]
async fn a_slow_client_blocks_no_other_and_misses_nothing() {
    let service = TestService::start().await;
    let mut tags = follow(&service, StreamKind::Tags).await;
    assert_eq!(ids(&mut tags).await, []);
    let mut made = HashSet::new();
    let writers: Vec<_> = (0..20)
        .map(|writer| {
            let client = service.client.clone();
            tokio::spawn(async move {
                let mut ids = Vec::new();
                for number in 0..50 {
                    ids.push(tag(&client, &format!("{writer}/{number}")).await.to_string());
                }
                ids
            })
        })
        .collect();
    for writer in writers {
        made.extend(writer.await.expect("every write is answered"));
    }
    assert_eq!(made.len(), 1000);
    let mut heard = HashSet::new();
    while heard.len() < made.len() {
        heard.extend(message(&mut tags).await.into_iter().map(|change| change.id));
    }
    assert_eq!(heard, made);
}

#[tokio::test]
async fn the_interface_alone_has_no_streams() {
    let service = TestService::with(|settings| settings.interface_only = true).await;
    for info in &STREAMS {
        let error = service.client.follow(info.kind).await.err().expect("no stream");
        assert!(error.missing(), "{error}");
        assert_eq!(service.send("GET", info.path, None).await.status, 404);
    }
}

#[tokio::test]
async fn streams_are_limited_to_half_of_the_connections_and_never_idle() {
    let limits = HttpLimits { connections: 6, ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let mut streams = Vec::new();
    for _ in 0..3 {
        let mut stream = follow(&service, StreamKind::Tags).await;
        assert_eq!(ids(&mut stream).await, []);
        streams.push(stream);
    }
    let error = service.client.follow(StreamKind::Tags).await.err().expect("a refusal");
    assert!(matches!(error, CallError::Status { status: 503, .. }), "{error}");
    // Silent connections fill the other slots; they go, and streams stay.
    let connect = || std::net::TcpStream::connect((std::net::Ipv4Addr::LOCALHOST, service.port()));
    let silent: Vec<_> = (0..12).map(|_| connect().expect("a connection")).collect();
    assert!(service.client.call(GetWellKnownHealth {}).await.is_ok());
    let made = tag(&service.client, "t").await;
    for stream in &mut streams {
        assert_eq!(ids(stream).await, changed(&made));
    }
    drop(silent);
    // Another one leaves: its slot is free as soon as the service has heard of it.
    streams.pop();
    let mut again = service.client.follow(StreamKind::Tags).await;
    while matches!(again, Err(CallError::Status { status: 503, .. })) {
        again = service.client.follow(StreamKind::Tags).await;
    }
    assert_eq!(ids(&mut again.expect("a stream")).await, changed(made));
}

#[tokio::test]
async fn a_stopping_service_sends_a_close_frame() {
    let service = TestService::start().await;
    let mut assets = follow(&service, StreamKind::Assets).await;
    let mut tags = follow(&service, StreamKind::Tags).await;
    assert_eq!((ids(&mut assets).await, ids(&mut tags).await), (Vec::new(), Vec::new()));
    let listeners =
        tokio::spawn(async move { (next(&mut assets).await, next(&mut tags).await, next(&mut tags).await) });
    let TestService { running, folder, .. } = service;
    running.stop().await;
    assert_eq!(listeners.await.expect("it ends"), (None, None, None));
    // The store was closed too.
    assert!(lunette_service::store::Store::open(folder.path()).is_ok());
}
