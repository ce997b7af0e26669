//! The conformance check against a service that is right, and against the same one with its answers changed on the way.

use std::time::Duration;

use lunette_client::client::Limits;
use lunette_client::model::Record as _;
use lunette_client::operation::table::{
    ActivitiesSnapshot, ApplicationsSnapshot, AssetsIdentifiersSnapshot, TagsSnapshot,
};
use lunette_client::operation::{Group, OPERATIONS, OperationInfo};
use lunette_inspector::check::{CheckRow, Options, Report, Verdict, check};
use lunette_inspector::tasks::CancelFlag;
use serde_json::{Value, json};

use crate::support::hostile::{Behaviour, Hostile};
use crate::support::mutating_proxy::{Asked, MutatingProxy, ProxyAction, Reply};
use crate::support::{TestService, assets, client_at};

fn interface() -> Vec<&'static OperationInfo> {
    OPERATIONS.iter().copied().filter(|info| info.group != Group::Extension).collect()
}

fn quick() -> Options {
    Options { samples: 2, ..Options::default() }
}

async fn report(url: &str, options: &Options) -> Report {
    check(&client_at(url, Limits::default()), options, &CancelFlag::default(), &|_, _| {}).await
}

fn row<'a>(report: &'a Report, name: &str) -> &'a CheckRow {
    report.rows.iter().find(|row| row.info.name == name).expect("a row of this name")
}

/// The paths at which an operation differs.
fn paths(report: &Report, name: &str) -> Vec<String> {
    match &row(report, name).verdict {
        Verdict::Differs(differences) => differences.iter().map(|difference| difference.path.clone()).collect(),
        other => panic!("{name}: {other:?}"),
    }
}

/// Whether a request is one to this operation: its template fits, and no literal path is meant.
fn is(asked: &Asked, info: &OperationInfo) -> bool {
    let (path, template) = (asked.path.split('/'), info.path.split('/'));
    let fits = |(part, row): (&str, &str)| part == row || row.starts_with('{') && part.len() == 36;
    asked.method == info.method.as_str()
        && path.clone().count() == template.clone().count()
        && path.zip(template).all(fits)
}

/// The report on a service one of whose operations has its answers changed.
async fn with(info: &'static OperationInfo, change: fn(&mut Reply)) -> Report {
    let service = TestService::start().await;
    let wire = MutatingProxy::start(service.port(), move |asked| match is(asked, info) {
        true => ProxyAction::Change(Box::new(change)),
        false => ProxyAction::Pass,
    });
    report(&wire.url(), &quick()).await
}

/// The applications with their usage, and what the service remembers of what happened.
async fn left_behind(service: &TestService) -> (Value, Value) {
    let applications = service.client.call(ApplicationsSnapshot {}).await.expect("applications");
    let activities = ActivitiesSnapshot { transferables: None, pseudo: Some(true) };
    let activities = service.client.call(activities).await.expect("activities");
    (applications.into_tree(), activities.into_tree())
}

#[tokio::test]
async fn the_check_gives_up_on_an_unresponsive_service_after_three_calls() {
    let server = Hostile::start(Behaviour::Never);
    let limits = Limits { total: Duration::from_millis(200), ..Limits::default() };
    let client = client_at(&server.url(), limits);
    let report = check(&client, &Options::default(), &CancelFlag::default(), &|_, _| {}).await;
    assert!(report.stopped && !report.passed(), "{}", report.summary());
    assert!(report.summary().ends_with("the check stopped because 3 calls in a row got no response"));
    assert_eq!(server.requests().len(), 3, "{:?}", server.requests());
}

#[tokio::test]
async fn a_void_operation_with_an_unexpected_body_does_not_pass() {
    for info in interface().into_iter().filter(|info| info.answer == "void") {
        let report = with(info, |reply| reply.body = b"x".repeat(1_000)).await;
        assert_eq!(paths(&report, info.name), ["body"], "{}", info.name);
    }
}

#[tokio::test]
async fn the_embedded_service_passes_the_full_check_and_keeps_no_test_data() {
    let service = TestService::start().await;
    let before = left_behind(&service).await;
    let report = report(&service.running.url(), &quick()).await;
    for row in &report.rows {
        assert_eq!(row.verdict, Verdict::Works, "{}", row.info.name);
        assert!(row.unknown.is_empty(), "{}: {:?}", row.info.name, row.unknown);
        assert!(row.p50.is_some() && row.p50 <= row.p95, "{}", row.info.name);
    }
    assert_eq!(report.rows.iter().map(|row| row.info).collect::<Vec<_>>(), interface());
    assert_eq!((report.passed(), report.left.as_slice()), (true, [].as_slice()));
    assert_eq!(report.export_type, ["query export_type", "query exportType"]);
    assert_eq!(report.transferables, ["query transferables"]);
    assert_eq!(left_behind(&service).await, before, "no activity, no session, no event of another application");
    let assets = service.client.call(AssetsIdentifiersSnapshot { pseudo: Some(true) }).await.expect("ids");
    let tags =
        service.client.call(TagsSnapshot { transferables: None, assets: None, counts: None }).await.expect("tags");
    assert_eq!((assets.view().iterable().map_or(0, |list| list.len()), tags.view().iterable().len()), (0, 0));
}

#[tokio::test]
async fn a_missing_first_field_is_reported_by_its_path_for_every_operation() {
    for info in interface().into_iter().filter(|info| info.answer != "void") {
        let report = with(info, |reply| {
            reply.json(|tree| {
                let first = tree.as_object_mut().and_then(|object| object.values_mut().next());
                *first.expect("a field") = json!({ "not": "this" });
            })
        })
        .await;
        let paths = paths(&report, info.name);
        let first = ["$.iterable", "$.id", "$.opened", "$.description", "$.name"];
        assert!(paths.iter().any(|path| first.contains(&path.as_str())), "{}: {paths:?}", info.name);
    }
}

#[tokio::test]
async fn a_void_operation_with_a_body_or_another_status_is_reported() {
    for info in interface().into_iter().filter(|info| info.answer == "void") {
        let report = with(info, |reply| {
            reply.status = 202;
            reply.body = b"done".to_vec();
        })
        .await;
        assert_eq!(paths(&report, info.name), ["status", "body"], "{}", info.name);
    }
}

#[tokio::test]
async fn an_unsupported_operation_is_reported_as_missing_with_its_status() {
    for (info, status) in interface().into_iter().zip([404, 405, 501].into_iter().cycle()) {
        let service = TestService::start().await;
        let wire = MutatingProxy::start(service.port(), move |asked| match is(asked, info) {
            true => {
                ProxyAction::Respond(Reply { status, content_type: "text/plain".to_owned(), body: b"none".to_vec() })
            }
            false => ProxyAction::Pass,
        });
        let report = report(&wire.url(), &quick()).await;
        assert_eq!(row(&report, info.name).verdict, Verdict::Missing(status), "{}", info.name);
        assert!(!report.passed());
    }
}

#[tokio::test]
async fn a_write_without_effect_is_reported_where_its_effect_is_missing() {
    for (name, path) in [
        ("assetAssociateTag", "$.tags.iterable[*].id"),
        ("assetAssociateWebsite", "$.websites.iterable[*].id"),
        ("assetAssociateWorkstreamSummary", "$.summaries.iterable[*].id"),
        ("assetDisassociateTag", "$.tags.iterable[*].id"),
        ("assetDisassociateWebsite", "$.websites.iterable[*].id"),
        ("assetDisassociateWorkstreamSummary", "$.summaries.iterable[*].id"),
        ("assetScoresIncrement", "$.score.reuse"),
    ] {
        let info = OperationInfo::named(name).expect("a row");
        let service = TestService::start().await;
        let wire = MutatingProxy::start(service.port(), move |asked| match is(asked, info) {
            true => ProxyAction::Respond(Reply { status: 204, content_type: String::new(), body: Vec::new() }),
            false => ProxyAction::Pass,
        });
        assert_eq!(paths(&report(&wire.url(), &quick()).await, name), [path], "{name}");
    }
}

#[tokio::test]
async fn a_stored_value_that_differs_from_the_sent_one_is_reported() {
    for (name, field, path) in [
        ("applicationsSpecificApplicationSnapshot", "/id", "$.id"),
        ("applicationsRegister", "/version", "$.version"),
        ("applicationsSessionSnapshot", "/id", "$.id"),
        ("applicationsUsageEngagementInteraction", "/description", "$.description"),
        ("applicationsUsageEngagementKeyboard", "/description", "$.description"),
        ("assetSnapshot", "/id", "$.id"),
        ("assetSnapshotPost", "/id", "$.id"),
        ("assetUpdate", "/name", "$.name"),
        (
            "assetReclassify",
            "/original/reference/classification/specific",
            "$.original.reference.classification.specific",
        ),
    ] {
        let info = OperationInfo::named(name).expect("a row");
        let service = TestService::start().await;
        let wire = MutatingProxy::start(service.port(), move |asked| match is(asked, info) {
            false => ProxyAction::Pass,
            true => ProxyAction::Change(Box::new(move |reply| {
                reply.json(|tree| *tree.pointer_mut(field).expect("the field") = json!("another"))
            })),
        });
        let report = report(&wire.url(), &quick()).await;
        assert_eq!(paths(&report, name), [path], "{name}");
    }
}

#[tokio::test]
async fn a_content_type_that_clients_would_misread_is_reported() {
    let info = OperationInfo::named("applicationsSnapshot").expect("a row");
    let report = with(info, |reply| reply.content_type = "text/html".to_owned()).await;
    assert_eq!(paths(&report, info.name), ["content type"]);
}

#[tokio::test]
async fn an_export_without_the_content_of_the_asset_is_reported() {
    let info = OperationInfo::named("assetSpecificAssetExport").expect("a row");
    let report = with(info, |reply| {
        reply.json(|tree| tree["raw"] = json!({ "string": { "raw": "not supported" } }));
    })
    .await;
    assert_eq!(paths(&report, info.name), ["$.raw.string.raw", "$.raw.string.raw"]);
}

#[tokio::test]
async fn unknown_fields_are_listed_and_are_not_failures() {
    let info = OperationInfo::named("assetSnapshot").expect("a row");
    let report = with(info, |reply| {
        reply.json(|tree| {
            tree["mood"] = json!("good");
            tree["formats"]["iterable"][0]["colour"] = json!("blue");
        });
    })
    .await;
    let row = row(&report, info.name);
    assert_eq!(row.verdict, Verdict::Works);
    assert_eq!(row.unknown, ["$.formats.iterable[*].colour", "$.mood"]);
}

#[tokio::test]
async fn a_read_only_check_sends_no_write() {
    let service = TestService::start().await;
    assets::text_asset(&service.client, "kept.txt", "kept").await;
    let wire = MutatingProxy::start(service.port(), |_| ProxyAction::Pass);
    let report = report(&wire.url(), &Options { read_only: true, ..quick() }).await;
    let snapshot_post = OperationInfo::named("assetSnapshotPost").expect("a row");
    for asked in wire.asked() {
        assert!(asked.method == "GET" || is(&asked, snapshot_post), "{asked:?}");
    }
    for row in &report.rows {
        let asked = matches!(row.verdict, Verdict::Works);
        let led_nowhere = row.info.name == "applicationsSessionSnapshot";
        assert_eq!(asked, !row.info.writes() && !led_nowhere, "{}: {:?}", row.info.name, row.verdict);
    }
    assert!(report.passed());
}

#[tokio::test]
async fn a_service_with_only_the_27_standard_operations_is_checked_as_far_as_possible() {
    let service = TestService::with(|settings| settings.interface_only = true).await;
    let report = report(&service.running.url(), &quick()).await;
    for row in &report.rows {
        match row.info.group {
            Group::Applications => assert_eq!(row.verdict, Verdict::Works, "{}", row.info.name),
            _ => assert!(matches!(row.verdict, Verdict::NotAsked(_)), "{}", row.info.name),
        }
    }
}

#[tokio::test]
async fn an_update_that_replaces_instead_of_merging_is_detected() {
    let service = TestService::start().await;
    let (update, snapshot) = ("assetUpdate", OperationInfo::named("assetSnapshot").expect("a row"));
    let info = OperationInfo::named(update).expect("a row");
    let updated = std::sync::atomic::AtomicBool::new(false);
    let wire = MutatingProxy::start(service.port(), move |asked| {
        if is(asked, info) {
            updated.store(true, std::sync::atomic::Ordering::SeqCst);
        }
        match is(asked, snapshot) && updated.load(std::sync::atomic::Ordering::SeqCst) {
            true => ProxyAction::Change(Box::new(|reply| {
                let text = String::from_utf8_lossy(&reply.body).replace("a test asset of lunette check", "");
                reply.body = text.into_bytes();
            })),
            false => ProxyAction::Pass,
        }
    });
    assert_eq!(paths(&report(&wire.url(), &quick()).await, update), ["$.original.reference.fragment"]);
}

#[tokio::test]
async fn report_formats_agree_and_escape_hostile_text() {
    let info = OperationInfo::named("applicationsSnapshot").expect("a row");
    let report = with(info, |reply| reply.content_type = "text/<b>x|".to_owned()).await;
    let (text, json, markdown) = (report.text(), report.json(), report.markdown());
    assert!(text.contains("differs   applicationsSnapshot"), "{text}");
    assert_eq!(json["operations"].as_array().map(Vec::len), Some(27));
    assert_eq!(json["operations"][2]["result"], "differs");
    assert!(!markdown.contains("<b>") && markdown.contains("\\|"), "{markdown}");
    assert!(text.ends_with("27 operations: 26 work, 1 differ\n"), "{text}");
}
