//! Answers that come in another order than they were asked for, and from a service that is no longer meant: what is shown
//! belongs to what is selected, and a write goes where it was meant for.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record;
use lunette_client::operation::OperationInfo;
use lunette_inspector::action::{AssetsAction, BulkAction, ExportAction, SessionAction, WriteAction};
use lunette_inspector::assets::page::AssetPage;
use lunette_inspector::change::{Change, Item, LinkKind};
use lunette_inspector::runs::BulkOperation;
use lunette_inspector::session::Status;
use lunette_inspector::settings::Target;
use lunette_inspector::{Action, Remote, State};
use serde_json::Value;

use crate::stage::Stage;
use crate::support::gate::{Gate, holding};
use crate::support::mutating_proxy::{Asked, MutatingProxy, ProxyAction, Reply};
use crate::support::{TestService, assets, least};

/// Numbers the answers for one path, and holds the first of them back until the gate opens.
fn numbering(path: String, gate: &Arc<Gate>) -> impl Fn(&Asked) -> ProxyAction + Send + Sync + 'static {
    holding(path, gate, |turn, reply| reply.json(|tree| tree["x_turn"] = turn.into()))
}

fn turn<R: Record>(remote: &Remote<Arc<R>>) -> Option<&Value> {
    remote.value().and_then(|record| record.tree().get("x_turn"))
}

/// A read of a page: what stands below the asset's path, what asks for it, and where its answer is shown.
type Read = (&'static str, fn(AssetId) -> Action, fn(&AssetPage) -> Option<&Value>);

#[test]
fn a_late_response_to_an_older_read_does_not_revert_newer_data() {
    let rows: [Read; 4] = [
        ("", |value| Action::Assets(AssetsAction::Reload(value)), |page| turn(&page.record)),
        ("/formats", |value| Action::Assets(AssetsAction::LoadFormats(value)), |page| turn(&page.formats)),
        ("/activities", |value| Action::Assets(AssetsAction::LoadActivities(value)), |page| turn(&page.activities)),
        (
            "/conversations",
            |value| Action::Assets(AssetsAction::LoadConversations(value)),
            |page| turn(&page.conversations),
        ),
    ];
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let service = runtime.block_on(TestService::start());
    for (below, read, shown) in rows {
        let asset = runtime.block_on(assets::text_asset(&service.client, "a.txt", "text"));
        let gate = Arc::new(Gate::default());
        let wall = MutatingProxy::start(service.port(), numbering(format!("/asset/{asset}{below}"), &gate));
        let mut stage = Stage::at(&wall.url());
        stage.app.perform(read(asset.clone()));
        // Asked for once more only when the first is on its way, or the second would be the first.
        let asked = || wall.asked().iter().filter(|asked| asked.path.ends_with(&format!("{asset}{below}"))).count();
        stage.until("it was asked for", |_| asked() == 1);
        stage.app.perform(read(asset.clone()));
        let is_second = |state: &State| state.assets.pages.of.get(&asset).and_then(shown) == Some(&2.into());
        stage.until("the second answer is shown", is_second);
        gate.open();
        stage.idle();
        assert!(is_second(stage.state()), "{below:?}: the first answer came last, and is older");
    }
}

#[test]
fn cancelling_an_unanswered_read_ends_it() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let service = runtime.block_on(TestService::start());
    let gate = Arc::new(Gate::default());
    let wall = MutatingProxy::start(service.port(), numbering("/tags/exists".to_owned(), &gate));
    let mut stage = Stage::at(&wall.url());
    let info = OperationInfo::named("tagsExists").expect("a row");
    stage.app.perform(WriteAction::Send(Box::new(least(info))));
    let asked = || wall.asked().iter().any(|asked| asked.path == "/tags/exists");
    stage.until("it is on its way", |state| asked() && !state.work.is_empty());
    let task = stage.state().work[0].task;
    stage.app.perform(Action::Cancel(task));
    // The answer is still held back, so that it is not what ended the call.
    stage.until("it has ended", |state| !state.write.console.waiting);
    let refused = stage.state().write.console.refused.clone().unwrap_or_default();
    assert!(refused.contains("cancelled"), "{refused}");
    assert!(stage.state().work.is_empty());
    gate.open();
    stage.idle();
}

/// Numbers that look drawn, the same at every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A service with some assets whose names say whose they are, behind a wire that takes its time.
struct Server {
    wall: MutatingProxy,
    /// Each asset with its name.
    assets: BTreeMap<AssetId, String>,
    tag: Item,
}

impl Server {
    async fn new(service: &TestService, name: &str) -> Self {
        let mut made = BTreeMap::new();
        for number in 0..20 {
            let title = format!("{name}{number}.txt");
            made.insert(assets::text_asset(&service.client, &title, &title).await, title);
        }
        let tag = assets::tag(&service.client, name).await;
        let tag = Item::new(LinkKind::Tag, &tag.to_string(), name, None);
        let draw = Mutex::new(Draw(made.len() as u64));
        let wall = MutatingProxy::start(service.port(), move |_| {
            let delay = draw.lock().unwrap_or_else(PoisonError::into_inner).below(12);
            ProxyAction::Change(Box::new(move |_| std::thread::sleep(Duration::from_millis(delay))))
        });
        Self { wall, assets: made, tag }
    }

    fn asset(&self, draw: &mut Draw) -> AssetId {
        let index = usize::try_from(draw.below(self.assets.len() as u64)).expect("small");
        self.assets.keys().nth(index).expect("an asset").clone()
    }

    /// Whatever is shown is of this service, and each page is of its own asset.
    fn check(&self, state: &State) {
        for (id, page) in &state.assets.pages.of {
            let Some(record) = page.record.value() else { continue };
            assert_eq!(record.view().id(), id.as_str(), "a page shows its own asset");
            assert_eq!(record.view().name(), self.assets.get(id).map(String::as_str), "of the service that is meant");
        }
        let rows = state.assets.list.rows.value().into_iter().flat_map(|rows| rows.iter());
        assert!(rows.into_iter().all(|row| self.assets.contains_key(&row.id())), "the list is of the service meant");
    }
}

#[test]
fn quick_selections_and_address_changes_always_show_the_current_data() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (one, other) = runtime.block_on(async { (TestService::start().await, TestService::start().await) });
    let servers = runtime.block_on(async { [Server::new(&one, "one").await, Server::new(&other, "other").await] });
    let mut stage = Stage::at(&servers[0].wall.url());
    let mut draw = Draw(22);
    for change in 0..50 {
        let server = &servers[change % 2];
        stage.app.perform(SessionAction::Connect(Target::Url(server.wall.url())));
        server.check(stage.state());
        // Half of the changes come while the one before is still under way.
        if change % 4 >= 2 || change == 49 {
            stage.until("it is up", |state| state.connection.status == Status::Up);
        }
        for selection in 0..20 {
            let asset = server.asset(&mut draw);
            stage.app.perform(AssetsAction::Open(asset.clone()));
            if selection % 5 == 4 {
                stage.app.perform(WriteAction::Change(Change::Link { asset: asset.clone(), item: server.tag.clone() }));
            }
            stage.app.step();
            assert_eq!(stage.state().assets.pages.open.as_ref(), Some(&asset));
            server.check(stage.state());
        }
    }
    stage.idle();
    servers[1].check(stage.state());
    let (selected, page) = stage.state().page().expect("an asset is looked at");
    assert_eq!(page.record.value().map(|record| record.view().id()), Some(selected.as_str()));
    let mut writes = 0;
    for server in &servers {
        for asked in server.wall.asked().iter().filter(|asked| asked.method == "POST") {
            let named = server.assets.keys().any(|id| asked.path.contains(id.as_str()));
            assert!(named && asked.path.contains(server.tag.id.as_str()), "a write of the other service: {asked:?}");
            writes += 1;
        }
    }
    println!("{writes} writes");
    assert!(writes > 0, "none was let through");
}

/// The text of the document that is looked at.
fn document(state: &State, asset: &AssetId) -> Option<String> {
    let document = state.export.document(asset)?;
    document.text.as_deref().map(str::to_owned)
}

#[test]
fn the_response_to_an_earlier_document_request_is_ignored() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let service = runtime.block_on(TestService::start());
    let asset = runtime.block_on(assets::text_asset(&service.client, "a.txt", "text"));
    let (path, gates) = (format!("/asset/{asset}/export"), [(); 2].map(|()| Arc::new(Gate::default())));
    let second = Arc::clone(&gates[1]);
    let message = move |turn: usize, reply: &mut Reply| {
        reply.json(|tree| tree["raw"] = serde_json::json!({ "string": { "raw": format!("turn {turn}") } }));
        if turn == 2 {
            second.wait();
        }
    };
    let wall = MutatingProxy::start(service.port(), holding(path.clone(), &gates[0], message));
    let mut stage = Stage::at(&wall.url());
    let asked = || wall.asked().iter().filter(|asked| asked.path == path).count();
    stage.app.perform(ExportAction::Export(asset.clone(), ExportType::Html));
    stage.until("it was asked for", |_| asked() == 1);
    stage.app.perform(ExportAction::Close(asset.clone()));
    stage.app.perform(ExportAction::Export(asset.clone(), ExportType::Html));
    stage.until("it was asked for again", |_| asked() == 2);
    gates[0].open();
    stage.until("the first answer came", |state| state.session.log.iter().any(|line| line.url.contains(&path)));
    gates[1].open();
    stage.until("there is a document", |state| document(state, &asset).is_some());
    stage.idle();
    assert_eq!(document(stage.state(), &asset).as_deref(), Some("turn 2"));
}

#[test]
fn a_plan_for_a_previous_selection_is_not_shown() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let service = runtime.block_on(TestService::start());
    let [before, now] = ["a.txt", "b.txt"].map(|name| {
        let asset = runtime.block_on(assets::text_asset(&service.client, name, "text"));
        (asset, name.to_owned())
    });
    let gates = [(); 2].map(|()| Arc::new(Gate::default()));
    let paths = [&before, &now].map(|(asset, _)| format!("/asset/{asset}"));
    let held: Vec<_> =
        std::iter::zip(&paths, &gates).map(|(path, gate)| holding(path.clone(), gate, |_, _| {})).collect();
    let (of_now, both) = (paths[1].clone(), held);
    let wall = MutatingProxy::start(service.port(), move |asked| both[usize::from(asked.path == of_now)](asked));
    let mut stage = Stage::at(&wall.url());
    let asked = |path: &str| wall.asked().iter().any(|asked| asked.path == path);
    stage.app.perform(BulkAction::Plan(BulkOperation::Delete, Arc::new(vec![before])));
    stage.until("the first is read", |_| asked(&paths[0]));
    stage.app.perform(BulkAction::Dismiss);
    stage.app.perform(BulkAction::Plan(BulkOperation::Delete, Arc::new(vec![now.clone()])));
    stage.until("the second is read", |_| asked(&paths[1]));
    gates[0].open();
    stage.until("the first answer came", |state| state.session.log.iter().any(|line| line.url.contains(&paths[0])));
    gates[1].open();
    stage.until("there are plans", |state| {
        state.bulk.draft.as_ref().is_some_and(|draft| draft.sample.value().is_some())
    });
    stage.idle();
    let sample = stage.state().bulk.draft.as_ref().and_then(|draft| draft.sample.value()).expect("plans");
    assert_eq!(sample.iter().map(|(asset, _)| asset).collect::<Vec<_>>(), [&now.0]);
}
