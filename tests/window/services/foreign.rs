//! A service of another program that has the 27 operations of the interface and tells what it likes.

use std::sync::{Arc, Mutex, PoisonError};

use egui::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::client::WritePolicy;
use lunette_client::model::id::AssetId;
use lunette_inspector::action::{ApplicationsAction, AssetsAction, NavigationAction, SessionAction, WriteAction};
use lunette_inspector::change::{Change, Counter, Item, LinkKind};
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::session::support::Support;
use serde_json::{Value, json};

use crate::stage::Stage;
use crate::support::mutating_proxy::{Asked, MutatingProxy, ProxyAction, Reply};
use crate::support::partial::{Numbers, example, partial};

const ID: &str = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

/// What the service answers to each operation that reads.
#[derive(Clone)]
struct Answers {
    asset: Value,
    formats: Value,
    activities: Value,
    conversations: Value,
    applications: Value,
    application: Value,
    external: Value,
}

impl Answers {
    /// An asset of this shape, and nothing else.
    fn with_asset(asset: Value) -> Self {
        let none = json!({ "iterable": [] });
        let [formats, activities, conversations] = [json!({}), json!({}), json!({})];
        Self {
            asset,
            formats,
            activities,
            conversations,
            applications: none.clone(),
            application: json!({}),
            external: none,
        }
    }

    fn to(&self, asked: &Asked) -> Option<&Value> {
        let parts: Vec<&str> = asked.path.trim_matches('/').split('/').collect();
        Some(match (asked.method.as_str(), parts.as_slice()) {
            ("GET", ["asset", _]) | ("POST", ["asset", "update" | "reclassify"]) => &self.asset,
            ("GET", ["asset", _, "formats"]) => &self.formats,
            ("GET", ["asset", _, "activities"]) => &self.activities,
            ("GET", ["asset", _, "conversations"]) => &self.conversations,
            ("GET", ["applications"]) => &self.applications,
            ("GET", ["applications", "external", ..]) => &self.external,
            ("GET", ["applications", _]) => &self.application,
            _ => return None,
        })
    }
}

/// The service, whose answers can be replaced.
fn service(answers: Answers) -> (MutatingProxy, Arc<Mutex<Answers>>) {
    let held = Arc::new(Mutex::new(answers));
    let answers = Arc::clone(&held);
    let decide = move |asked: &Asked| {
        let answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
        let linked = asked.path.contains("/associate/") || asked.path.contains("/disassociate/");
        let (status, body) = match answers.to(asked) {
            Some(record) => (200, record.to_string()),
            None if linked || asked.path.ends_with("/scores/increment") => (204, String::new()),
            None => (404, "route not found".to_owned()),
        };
        let content_type = if status == 200 { "application/json" } else { "text/plain" }.to_owned();
        ProxyAction::Respond(Reply { status, content_type, body: body.into_bytes() })
    };
    (MutatingProxy::named("stub/1", 1, decide), held)
}

fn id() -> AssetId {
    ID.parse().expect("an id")
}

/// A window on the service, with its asset open.
fn looking(service: &MutatingProxy) -> Stage {
    let mut stage = Stage::patient(&service.url());
    stage.until("it is connected", |state| state.connection.status == Status::Up);
    stage.harness.set_size(egui::vec2(1280.0, 1400.0));
    stage.perform(SessionAction::SetWritePolicy(WritePolicy::Allow));
    stage.perform(AssetsAction::Open(id()));
    stage.until("its record is there", |state| {
        state.assets.pages.of.get(&id()).is_some_and(|page| page.record.value().is_some())
    });
    stage
}

fn is_connected(stage: &Stage) {
    assert_eq!(stage.state().connection.calls.fault(), None);
    let chip = stage.harness.get_by_label_contains("Connection: ").accesskit_node().label().unwrap_or_default();
    assert!(chip.contains("connected"), "{chip}");
}

/// The record of the smallest service: the fields that the interface describes.
fn small() -> Value {
    let moment = json!({ "value": "2026-11-20T12:00:00Z" });
    json!({ "id": ID, "name": "notes.md", "creator": "someone", "created": moment, "updated": moment, "original": "f" })
}

#[test]
fn an_asset_with_few_fields_is_shown_with_what_it_tells_and_can_be_linked_and_scored() {
    let (service, _) = service(Answers::with_asset(small()));
    let mut stage = looking(&service);
    stage.until_label("Rename notes.md");
    stage.press("Details");
    stage.until_said("Not told by this service");
    is_connected(&stage);
    assert!(stage.says("someone") && !stage.says("could not be read"));
    let item = Item::new(LinkKind::Tag, "t1", "t1", None);
    for change in
        [Change::Link { asset: id(), item }, Change::Increment { asset: id(), counter: Counter::Reuse, from: None }]
    {
        stage.perform(WriteAction::ChangeConfirmed(change));
        stage.until("it was written", |state| {
            state.assets.pages.of.get(&id()).is_some_and(|page| !page.record.loading()) && !state.write.is_writing()
        });
        assert_eq!(stage.state().write.of(&id()).refused, None);
    }
    let sent: Vec<String> =
        service.asked().into_iter().filter(|asked| asked.method == "POST").map(|asked| asked.path).collect();
    let expected = ["tags/associate/t1", "scores/increment"].map(|end| format!("/asset/{ID}/{end}"));
    assert_eq!(sent, expected);
    is_connected(&stage);
}

#[test]
fn an_edit_of_an_asset_with_few_fields_sends_back_what_came_and_nothing_else() {
    let came = json!({ "id": ID, "name": "notes.md", "tags": 5, "formats": [{ "mine": 1 }], "mine": { "x": [1, 2] } });
    let (service, _) = service(Answers::with_asset(came.clone()));
    let mut stage = looking(&service);
    let edit = lunette_inspector::change::Edit {
        field: lunette_inspector::change::Field::Name,
        from: Some("notes.md".into()),
        to: "new.md".into(),
    };
    stage.perform(WriteAction::ChangeConfirmed(Change::Edit { asset: id(), edits: vec![edit] }));
    stage.until("it was sent", |state| state.session.log.iter().any(|line| line.info.name == "assetUpdate"));
    let log = &stage.state().session.log;
    let sent = log.iter().find(|line| line.info.name == "assetUpdate").and_then(|line| line.request_body.clone());
    let sent: Value = serde_json::from_str(&sent.expect("a body")).expect("JSON");
    let mut expected = came;
    expected["name"] = "new.md".into();
    assert_eq!(sent, expected);
}

#[test]
fn a_list_that_is_not_told_is_no_empty_list() {
    let mut answers = Answers::with_asset(small());
    answers.applications = json!({ "iterable": 5 });
    let (service, _) = service(answers);
    let mut stage = looking(&service);
    stage.perform(NavigationAction::Show(Panel::Applications));
    stage.until("the answer is there", |state| state.applications.list.rows.error().is_some());
    assert_eq!(stage.state().applications.list.rows.value(), None, "nothing counts as untracked");
    is_connected(&stage);
    stage.perform(NavigationAction::Show(Panel::Assets));
    for (tab, text) in [
        ("Formats", "The service does not say which formats this asset has"),
        ("Activity", "The service does not say what happened to this asset"),
        ("Conversations", "The service does not say which conversations are about this asset"),
    ] {
        stage.harness.get_by_role_and_label(Role::Tab, tab).click();
        stage.until_label(text);
    }
    is_connected(&stage);
}

#[test]
fn neither_an_import_nor_the_trash_is_offered_by_a_service_with_the_interface_alone() {
    let (service, _) = service(Answers::with_asset(small()));
    let mut stage = looking(&service);
    stage.until("its lists were asked for", |state| {
        let rejected = |name| matches!(state.connection.capabilities.of(name), Support::Unsupported(_));
        ["assetsSnapshot", "tagsSnapshot", "websitesSnapshot", "workstreamSummariesSnapshot"].into_iter().all(rejected)
    });
    stage.settle();
    let import = stage.find(Role::Button, "Import");
    assert!(import.accesskit_node().is_disabled());
    let reason = import.accesskit_node().description().unwrap_or_default();
    assert!(reason.contains("does not offer assetsCreateNewAsset"), "{reason}");
    assert!(!stage.draws(Role::Button, "Show Trash"));
    stage.ctrl(egui::Key::K);
    stage.type_into("Search or run a command", "Show Trash");
    stage.key(egui::Key::Enter);
    stage.settle();
    assert!(!stage.draws(Role::Dialog, "Trash"));
    let asked = service.asked();
    assert!(asked.iter().all(|asked| !asked.path.contains("trash") && asked.path != "/assets/create"), "{asked:?}");
}

#[test]
fn related_assets_are_compared_in_the_window_and_nothing_is_asked_for_them() {
    let (service, _) = service(Answers::with_asset(small()));
    let mut stage = looking(&service);
    stage.until_label("Rename notes.md");
    stage.until("nothing is loading", |state| !state.assets.list.rows.loading());
    stage.settle();
    let before = service.asked().len();
    stage.harness.get_by_role_and_label(Role::Tab, "Related").click();
    stage.until("they are compared", |state| state.assets.pages.of[&id()].related.value().is_some());
    stage.settle();
    assert!(stage.says("Nothing is related to it") && stage.says("This service does not say what is related."));
    stage.perform(NavigationAction::Show(Panel::Assets));
    stage.perform(AssetsAction::Close);
    stage.type_into("Filter assets", "is:near-duplicate");
    stage.until_said("This service does not say which assets are near duplicates.");
    let asked = service.asked();
    assert_eq!(asked.len(), before, "{:?}", &asked[before..]);
}

/// Replaces the answers, and reads the asset and the lists again.
fn show(stage: &mut Stage, held: &Mutex<Answers>, answers: Answers, seed: u64) {
    let asset = answers.asset.clone();
    *held.lock().unwrap_or_else(PoisonError::into_inner) = answers;
    stage.perform(AssetsAction::Reload(id()));
    stage.until(&format!("the record of seed {seed} is there"), |state| {
        let record = state.assets.pages.of.get(&id()).and_then(|page| page.record.value());
        record.is_some_and(|record| *lunette_client::model::record::Record::tree(record.as_ref()) == asset)
    });
    stage.perform(AssetsAction::LoadFormats(id()));
    stage.perform(AssetsAction::LoadActivities(id()));
    stage.perform(AssetsAction::LoadConversations(id()));
    stage.perform(ApplicationsAction::LoadList);
    stage.perform(ApplicationsAction::LoadExternal);
    stage.perform(ApplicationsAction::Open(ID.to_owned()));
    stage.until(&format!("everything of seed {seed} is there"), |state| {
        let page = &state.assets.pages.of[&id()];
        let lists = state.applications.list.rows.loading() || state.applications.external.rows.loading();
        let open = state.applications.open.as_ref().is_some_and(|page| page.record.loading());
        !page.formats.loading() && !page.activities.loading() && !page.conversations.loading() && !lists && !open
    });
}

#[test]
fn a_record_of_any_fields_of_any_types_gives_a_page() {
    let (service, held) = service(Answers::with_asset(small()));
    let mut stage = looking(&service);
    for seed in 0..24 {
        let mut numbers = Numbers::from(seed);
        let mut part = |name: &str| match partial(&example(name), &mut numbers) {
            Value::Object(fields) => Value::Object(fields),
            _ => json!({}),
        };
        let answers = Answers {
            asset: part("Asset__full"),
            formats: part("Formats__transferables"),
            activities: part("Activities__full"),
            conversations: part("Conversations"),
            applications: part("Applications"),
            application: part("Application__full"),
            external: part("DetectedExternalApplications"),
        };
        show(&mut stage, &held, answers, seed);
        for panel in [Panel::Assets, Panel::Applications, Panel::External] {
            stage.perform(NavigationAction::Show(panel));
            stage.settle();
        }
        stage.perform(NavigationAction::Show(Panel::Assets));
        for tab in ["Preview", "Formats", "Activity", "Conversations", "Related", "Record"] {
            stage.harness.get_by_role_and_label(Role::Tab, tab).click();
            stage.settle();
            assert!(!stage.says("This asset could not be read"), "seed {seed}");
        }
        is_connected(&stage);
    }
}
