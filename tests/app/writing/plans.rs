//! Plans for services of either kind, made and carried out through a plain client, as the command line does.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use lunette_client::client::{Client, Limits};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetSnapshot, AssetsDeleteAsset};
use lunette_client::operation::{Call, Reply as Response};
use lunette_inspector::Vendor;
use lunette_inspector::change::Recovery;
use lunette_inspector::change::{Change, Edit, Field, Item, LinkKind};
use lunette_inspector::write::plan::{self, Plan, PlanError, Preflight, Reconciled, execute, plan_on, reconcile};
use lunette_inspector::write::recovery::DeletedAssets;
use lunette_inspector::{CallError, Transport};
use serde_json::{Value, json};

use crate::support::assets::{self, text_asset, tree};
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction, Reply};
use crate::support::{TestService, client_at};

/// A client that remembers what it was asked to send.
#[derive(Clone)]
struct Noting {
    client: Client,
    sent: Arc<Mutex<Vec<Call>>>,
}

impl Noting {
    fn on(client: &Client) -> Self {
        Self { client: client.clone(), sent: Arc::default() }
    }

    fn sent(&self) -> Vec<Call> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Transport for Noting {
    async fn reply(&self, call: &Call) -> Result<Response, CallError> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).push(call.clone());
        self.client.reply(call).await
    }
}

async fn prepare<C: Transport>(client: &C, change: Change, vendor: Vendor) -> Result<Preflight, PlanError> {
    plan::prepare(client, &DeletedAssets::default(), change, vendor).await
}

fn ready(prepared: Preflight) -> Plan {
    match prepared {
        Preflight::Ready(plan) => *plan,
        other => panic!("a plan was expected, {other:?} came"),
    }
}

/// The body of the plan's only call.
fn body(plan: &Plan) -> Value {
    let [call] = plan.calls.as_slice() else { panic!("one call was expected: {:?}", plan.calls) };
    serde_json::from_slice(&call.parts().body.expect("a body")).expect("JSON")
}

fn rename(asset: &AssetId, to: &str) -> Change {
    Change::Edit { asset: asset.clone(), edits: vec![Edit { field: Field::Name, from: None, to: to.into() }] }
}

async fn seen(client: &Client, asset: &AssetId) -> Value {
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    client.call(call).await.expect("the asset").into_tree()
}

const CONTENT: &str = "/original/reference/fragment/string/raw";

fn rewrite(asset: &AssetId, from: &str, to: &str) -> Change {
    Change::Text { asset: asset.clone(), from: from.to_owned(), to: to.to_owned() }
}

#[tokio::test]
async fn a_text_is_sent_as_a_format_to_our_service_and_in_the_whole_record_to_others() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "a", "before").await;
    let own = ready(prepare(client, rewrite(&asset, "before", "after"), Vendor::Lunette).await.expect("a plan"));
    assert_eq!(own.calls[0].info().name, "formatUpdateValue");
    let foreign = ready(prepare(client, rewrite(&asset, "before", "after"), Vendor::Other).await.expect("a plan"));
    assert_eq!(foreign.calls[0].info().name, "assetUpdate");
    for pointer in [CONTENT, "/preview/base/reference/fragment/string/raw", "/formats/iterable/0/fragment/string/raw"] {
        assert_eq!(body(&foreign).pointer(pointer), Some(&"after".into()), "{pointer}");
    }
    // A service that leaves content out of an update, as ours does, is told of.
    let done = execute(client, &foreign).await.expect("sent");
    assert_eq!(done.message.as_deref(), Some("the service did not store the text as it was sent"));
    let change = rewrite(&asset, "before", "after");
    assert_eq!(reconcile(client, &change).await.expect("read"), Reconciled::NotApplied);
    let done = execute(client, &own).await.expect("sent");
    assert_eq!((done.message, done.change), (None, change.clone()));
    assert_eq!(reconcile(client, &change).await.expect("read"), Reconciled::Applied);
    let again = prepare(client, change, Vendor::Lunette).await.expect("a plan");
    assert!(matches!(again, Preflight::NoOp(_)), "{again:?}");
    let late = prepare(client, rewrite(&asset, "before", "other"), Vendor::Lunette).await.expect("a plan");
    assert!(matches!(late, Preflight::Conflict(_)), "{late:?}");
}

/// A service of another program that stores a text or not, and answers an update without any content.
fn silent(service: &TestService, stores: bool, readable: bool) -> MutatingProxy {
    let asked = AtomicUsize::default();
    MutatingProxy::named("other/1.0", service.port(), move |request| {
        let without_content = |reply: &mut Reply| {
            reply.json(|record| {
                for pointer in ["/original/reference", "/preview/base/reference", "/formats/iterable/0"] {
                    if let Some(format) = record.pointer_mut(pointer).and_then(Value::as_object_mut) {
                        format.shift_remove("fragment");
                        format.shift_remove("file");
                    }
                }
            })
        };
        let written = |text: &'static str| {
            move |reply: &mut Reply| {
                reply.json(|record| {
                    for pointer in [CONTENT, "/preview/base/reference/fragment/string/raw"] {
                        record.pointer_mut(pointer).into_iter().for_each(|raw| *raw = text.into());
                    }
                })
            }
        };
        let is_write = request.method == "POST" && request.path == "/asset/update";
        match (is_write, asked.fetch_add(usize::from(is_write), Ordering::Relaxed)) {
            (true, _) => ProxyAction::Change(Box::new(without_content)),
            (false, 0) => ProxyAction::Pass,
            (false, _) if !readable => {
                ProxyAction::Respond(Reply { status: 500, content_type: String::new(), body: Vec::new() })
            }
            (false, _) if stores => ProxyAction::Change(Box::new(written("after"))),
            (false, _) => ProxyAction::Pass,
        }
    })
}

#[tokio::test]
async fn a_text_that_the_response_does_not_tell_is_read_again_before_it_counts_as_stored() {
    for (stores, readable) in [(true, true), (false, true), (true, false)] {
        let service = TestService::start().await;
        let asset = text_asset(&service.client, "a", "before").await;
        let proxy = silent(&service, stores, readable);
        let client = client_at(&proxy.url(), Limits::default());
        let plan = ready(prepare(&client, rewrite(&asset, "before", "after"), Vendor::Other).await.expect("a plan"));
        let done = execute(&client, &plan).await;
        match (stores, readable) {
            (true, true) => assert_eq!(done.expect("stored").message, None),
            (false, _) => {
                let error = done.expect_err("not stored");
                assert!(!error.unknown && error.reason().contains("the asset is as it was"), "{error:?}");
            }
            (true, false) => {
                let error = done.expect_err("not known");
                assert!(error.unknown && error.reason().contains("could not be read again"), "{error:?}");
            }
        }
        let writes = proxy.asked().into_iter().filter(|asked| asked.method == "POST").count();
        assert_eq!(writes, 1, "it is sent once");
    }
}

#[tokio::test]
async fn a_full_update_of_a_foreign_service_includes_the_content() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "a", "the content").await;
    let reclassify = Change::Reclassify { asset: asset.clone(), from: None, to: "rs".to_owned() };
    for (change, pointer) in [(rename(&asset, "b"), ""), (reclassify, "/asset")] {
        let pointer = format!("{pointer}{CONTENT}");
        let foreign = body(&ready(prepare(client, change.clone(), Vendor::Other).await.expect("a plan")));
        assert_eq!(foreign.pointer(&pointer), Some(&"the content".into()));
        let own = body(&ready(prepare(client, change, Vendor::Lunette).await.expect("a plan")));
        assert_eq!(own.pointer(&pointer), None);
    }
}

#[tokio::test]
async fn a_raw_edit_without_content_does_not_remove_it_from_a_foreign_service() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "a", "the content").await;
    let from = seen(client, &asset).await;
    let mut to = from.clone();
    to["name"] = "b".into();
    to["original"]["reference"]["x_mine"] = 1.into();
    let change = Change::Record { asset: asset.clone(), from, to };
    let plan = ready(prepare(client, change, Vendor::Other).await.expect("a plan"));
    let body = body(&plan);
    assert_eq!((&body["name"], body.pointer(CONTENT)), (&"b".into(), Some(&"the content".into())));
    assert_eq!(body["original"]["reference"]["x_mine"], 1);
    let paths: Vec<_> = plan.fields.iter().map(|change| change.path.to_string()).collect();
    assert_eq!(paths, ["$.name", "$.original.reference.x_mine"]);
}

#[tokio::test]
async fn applying_a_plan_sends_exactly_the_plan() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "a", "text").await;
    let plan = ready(prepare(client, rename(&asset, "b"), Vendor::Lunette).await.expect("a plan"));
    let noting = Noting::on(client);
    let done = execute(&noting, &plan).await.expect("done");
    assert_eq!((noting.sent(), done.message), (plan.calls, None));
    let Some(Change::Edit { edits, .. }) = done.change.inverse(Recovery::Trash) else { panic!("{:?}", done.change) };
    assert_eq!((&edits[0].from, &edits[0].to), (&Some("b".into()), &"a".into()));
}

#[tokio::test]
async fn the_item_of_a_new_link_is_created_once_and_then_linked() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "a", "text").await;
    let change = Change::LinkNew {
        asset: asset.clone(),
        kind: LinkKind::Summary,
        text: "s".to_owned(),
        url: None,
        unlink: Vec::new(),
    };
    let plan = ready(prepare(client, change.clone(), Vendor::Lunette).await.expect("a plan"));
    let noting = Noting::on(client);
    let done = execute(&noting, &plan).await.expect("done");
    let sent: Vec<_> = noting.sent().iter().map(|call| call.info().name).collect();
    assert_eq!(sent, ["workstreamSummariesCreateNewWorkstreamSummary", "assetAssociateWorkstreamSummary"]);
    assert!(matches!(&done.change, Change::Link { item, .. } if item.text == "s" && !item.id.is_empty()));
    let again = prepare(client, change, Vendor::Lunette).await.expect("looked at");
    assert_eq!(again, Preflight::NoOp("a workstream summary “s” is already linked".to_owned()));
}

#[tokio::test]
async fn an_invalid_id_is_refused_before_anything_is_sent() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "a", "text").await;
    let item = Item::new(LinkKind::Tag, "..", "x", None);
    let refused = plan_on(Change::Link { asset, item }, None).expect_err("a refusal").to_string();
    assert!(refused.starts_with("the tag has no usable id"), "{refused}");
}

#[tokio::test]
async fn reconciling_distinguishes_applied_not_applied_and_unknown_writes() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "a", "text").await;
    let edit = |from: &str, to: &str| Change::Edit {
        asset: asset.clone(),
        edits: vec![Edit { field: Field::Name, from: Some(from.into()), to: to.into() }],
    };
    let unclear = |settled: &Reconciled| matches!(settled, Reconciled::Unclear(_));
    let outcome = async |change: Change| reconcile(client, &change).await.expect("read");
    assert_eq!(outcome(edit("x", "a")).await, Reconciled::Applied);
    assert_eq!(outcome(edit("a", "x")).await, Reconciled::NotApplied);
    assert!(unclear(&outcome(edit("x", "y")).await));
    let count =
        |from| Change::Increment { asset: asset.clone(), counter: lunette_inspector::change::Counter::Reuse, from };
    assert_eq!(outcome(count(Some(-1))).await, Reconciled::Applied);
    assert_eq!(outcome(count(Some(0))).await, Reconciled::NotApplied);
    assert!(unclear(&outcome(count(Some(7))).await) && unclear(&outcome(count(None)).await));
    let id = assets::tag(client, "t").await.to_string();
    let item = Item::new(LinkKind::Tag, &id, "t", None);
    assert_eq!(outcome(Change::Link { asset: asset.clone(), item: item.clone() }).await, Reconciled::NotApplied);
    assert_eq!(outcome(Change::Unlink { asset: asset.clone(), item }).await, Reconciled::Applied);
    let from = seen(client, &asset).await;
    let mut to = from.clone();
    to["x_new"] = json!([1]);
    let raw = |from: &Value, to: &Value| Change::Record { asset: asset.clone(), from: from.clone(), to: to.clone() };
    assert_eq!(outcome(raw(&from, &to)).await, Reconciled::NotApplied);
    assert_eq!(outcome(raw(&to, &from)).await, Reconciled::Applied);
    let delete = Change::Delete { asset: asset.clone(), name: String::new(), made: None };
    assert_eq!(outcome(delete.clone()).await, Reconciled::NotApplied);
    client.call(AssetsDeleteAsset { asset: asset.clone() }).await.expect("deleted");
    assert_eq!(outcome(delete).await, Reconciled::Applied);
    assert!(unclear(&outcome(edit("a", "x")).await));
}

#[tokio::test]
async fn planning_sends_no_write() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "a", "text").await;
    let before = tree(client, &asset).await;
    let noting = Noting::on(client);
    for vendor in [Vendor::Lunette, Vendor::Other] {
        prepare(&noting, rename(&asset, "b"), vendor).await.expect("a plan");
        prepare(&noting, Change::Delete { asset: asset.clone(), name: String::new(), made: None }, vendor)
            .await
            .expect("a plan");
    }
    assert!(noting.sent().iter().all(|call| !call.info().writes()));
    assert_eq!(tree(client, &asset).await, before);
}

#[tokio::test]
async fn a_suspended_client_sends_nothing_and_all_clones_resume_together() {
    let TestService { client, .. } = &TestService::start().await;
    let asset = text_asset(client, "a", "text").await;
    let copy = client.clone();
    client.suspend();
    let read = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    for refused in [copy.call(read.clone()).await.map(drop), copy.call(AssetsDeleteAsset { asset }).await.map(drop)] {
        assert!(matches!(refused, Err(CallError::Disconnected { .. })), "{refused:?}");
    }
    copy.resume();
    client.call(read).await.expect("it is there still");
}
