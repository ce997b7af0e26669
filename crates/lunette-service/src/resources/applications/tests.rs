//! Handlers of the whole group, on a store in memory.

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::detect::{Detect, Detected, Evidence, NoDetector};
use crate::resources::{sessions, usage};
use crate::store::Store;
use lunette_client::model::application::{
    SeededTrackedInteractionEvent, SeededTrackedKeyboardEvent, TrackedApplicationInstall, TrackedApplicationUpdate,
};
use lunette_client::operation::table::{
    ApplicationsSessionClose, ApplicationsSessionOpen, ApplicationsUsageEngagementInteraction,
    ApplicationsUsageEngagementKeyboard, ApplicationsUsageInstallation, PostApplicationsUsageUpdated,
};

const EDITOR: &str = "00000003-0000-4000-8000-000000000003";

struct Planted(Vec<Detected>);

impl Detect for Planted {
    fn detect(&self) -> Vec<Detected> {
        self.0.clone()
    }

    fn sources(&self) -> Vec<std::path::PathBuf> {
        Vec::new()
    }
}

fn service_on(detector: impl Detect + 'static) -> Service {
    Service::new(Store::in_memory().expect("a store"), Arc::new(detector)).expect("a service")
}

fn service() -> Service {
    service_on(NoDetector)
}

fn caller(user_agent: &str) -> RequestContext {
    RequestContext { user_agent: Some(user_agent.to_owned()), ..RequestContext::default() }
}

fn application(version: &str) -> Value {
    json!({ "id": EDITOR, "name": "VS_CODE", "version": version, "platform": "LINUX", "onboarded": true, "privacy": "OPEN" })
}

fn with(mut tree: Value, field: &str, value: Value) -> Value {
    tree[field] = value;
    tree
}

fn registered(service: &Service, caller: &RequestContext, tree: Value) -> Value {
    let application = Application::from_tree(tree).expect("an application");
    let answer = register(service, caller, ApplicationsRegister { application: Some(application) });
    answer.expect("registered").into_tree()
}

fn read(service: &Service) -> Value {
    let operation = ApplicationsSpecificApplicationSnapshot { application: EDITOR.parse().expect("an id") };
    specific(service, &RequestContext::default(), operation).expect("it is tracked").into_tree()
}

fn click(service: &Service, caller: &RequestContext) {
    let event = SeededTrackedInteractionEvent::from_tree(json!({ "description": "click" })).expect("an event");
    usage::interaction(service, caller, ApplicationsUsageEngagementInteraction { event: Some(event) }).expect("kept");
}

fn update(service: &Service, previous: Option<&str>, current: &str) {
    let mut tree = json!({ "current": application(current) });
    if let Some(previous) = previous {
        tree["previous"] = application(previous);
    }
    let update = TrackedApplicationUpdate::from_tree(tree).expect("an update");
    usage::updated(service, &RequestContext::default(), PostApplicationsUsageUpdated { update: Some(update) })
        .expect("kept");
}

fn versions(application: &Value) -> Vec<(Option<&str>, Option<&str>)> {
    let changes = application["engagement"]["versions"].as_array().expect("versions");
    changes.iter().map(|change| (change["previous"].as_str(), change["current"].as_str())).collect()
}

#[test]
fn the_service_tracks_itself_from_the_start() {
    let all = snapshot(&service(), &RequestContext::default(), ApplicationsSnapshot {}).expect("a list").into_tree();
    let own = &all["iterable"][0];
    assert_eq!(own["name"], "OPEN_SOURCE");
    assert_eq!(own["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(own["onboarded"], true);
    assert_eq!(own["status"], "Idle");
    assert!(own["id"].as_str().expect("an id").parse::<ApplicationId>().is_ok());
    assert_eq!(all["iterable"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_restart_keeps_the_id_and_records_a_new_version() {
    let folder = tempfile::tempdir().expect("a folder");
    let start = |version: &str| {
        let store = Store::open(folder.path()).expect("a store");
        store
            .register_own(with(Value::Object(own()), "version", version.into()).as_object().expect("fields").clone(), 1)
            .expect("registered");
        store.applications(1).expect("a list").remove(0)
    };
    let (before, after) = (start("1"), start("2"));
    assert_eq!(before.document["id"], after.document["id"]);
    assert_eq!(after.engagement.versions.len(), 1);
}

#[test]
fn registering_again_merges_and_loses_nothing() {
    let service = service();
    let first =
        with(with(application("1"), "enrichment", json!({ "a": 1.50, "b": [1] })), "capabilities", "LOCAL".into());
    registered(&service, &caller("x"), first);
    let second = with(with(application("1"), "enrichment", json!({ "b": [2] })), "capabilities", Value::Null);
    let after = registered(&service, &caller("x"), with(second, "onboarded", false.into()));
    assert_eq!(after["enrichment"].to_string(), r#"{"a":1.5,"b":[2]}"#.replace("1.5", &json!(1.50).to_string()));
    assert_eq!((&after["capabilities"], &after["onboarded"]), (&json!("LOCAL"), &json!(false)));
    assert_eq!(read(&service), after);
}

#[test]
fn an_application_does_not_grow_without_bound() {
    let service = service();
    let grown = |name: String| with(application("1"), &name, "x".repeat(100_000).into());
    let register_with = |tree| {
        let application = Some(Application::from_tree(tree).expect("an application"));
        register(&service, &caller("x"), ApplicationsRegister { application })
    };
    register_with(grown("a".to_owned())).expect("it fits");
    register_with(grown("b".to_owned())).expect("it fits");
    let refused = register_with(grown("c".to_owned())).expect_err("too large");
    assert!(refused.to_string().contains("the limit for the record of an application"), "{refused}");
    assert_eq!(read(&service).get("c"), None);
}

#[test]
fn an_id_in_another_case_is_the_same_application() {
    let service = service();
    let id = "abcdef03-0000-4000-8000-000000000003";
    registered(&service, &caller("x"), with(application("1"), "id", id.into()));
    let after = registered(&service, &caller("x"), with(application("2"), "id", id.to_uppercase().into()));
    assert_eq!((&after["id"], &after["version"]), (&json!(id), &json!("2")));
}

#[test]
fn status_and_engagement_are_never_taken_from_a_client() {
    let service = service();
    let given = with(with(application("1"), "status", "Broken".into()), "engagement", json!({ "sessions": 7 }));
    let after = registered(&service, &caller("x"), given);
    assert_eq!((&after["status"], &after["engagement"]["sessions"]), (&json!("Idle"), &json!(0)));
}

#[test]
fn an_application_without_a_uuid_is_refused_and_not_kept() {
    let service = service();
    for id in ["", "..", "not a uuid", "ü"] {
        let given = Application::from_tree(with(application("1"), "id", id.into())).expect("an application");
        let refused = register(&service, &RequestContext::default(), ApplicationsRegister { application: Some(given) });
        let refused = refused.expect_err("a refusal");
        assert_eq!(refused.status(), 400);
        assert!(refused.sentence().contains("`id`"), "{refused}");
    }
    let all = snapshot(&service, &RequestContext::default(), ApplicationsSnapshot {}).expect("a list");
    assert_eq!(all.view().iterable().len(), 1);
}

#[test]
fn values_that_older_clients_do_not_know_are_stored_and_returned_as_unknown() {
    let service = service();
    let after = registered(&service, &caller("x"), with(application("1"), "name", "MCP_CLIENT".into()));
    assert_eq!(after["name"], "UNKNOWN");
    let kept = service.store.application(EDITOR, 0).expect("tracked");
    assert_eq!(kept.document["name"], "MCP_CLIENT");
}

#[test]
fn status_follows_sessions_and_onboarding() {
    let service = service();
    let caller = caller("editor/1");
    let status = |service: &Service| read(service)["status"].as_str().map(str::to_owned);
    registered(&service, &caller, with(application("1"), "onboarded", false.into()));
    assert_eq!(status(&service).as_deref(), Some("Not onboarded"));
    sessions::open(&service, &caller, ApplicationsSessionOpen {}).expect("opened");
    assert_eq!(status(&service).as_deref(), Some("Open"));
    sessions::close(&service, &caller, ApplicationsSessionClose { session: None }).expect("closed");
    registered(&service, &caller, application("1"));
    assert_eq!(status(&service).as_deref(), Some("Idle"));
}

#[test]
fn usage_is_counted_for_the_application_last_registered_by_the_same_user_agent() {
    let service = service();
    let (editor, other) = (caller("editor/1"), caller("other/1"));
    click(&service, &editor);
    registered(&service, &editor, application("1"));
    click(&service, &editor);
    click(&service, &editor);
    click(&service, &other);
    click(&service, &RequestContext::default());
    let event = json!({ "description": "save", "shortcut": [17, 83] });
    let event = SeededTrackedKeyboardEvent::from_tree(event).expect("an event");
    usage::keyboard(&service, &editor, ApplicationsUsageEngagementKeyboard { event: Some(event) }).expect("kept");
    let engagement = read(&service)["engagement"].clone();
    assert_eq!((&engagement["interactions"], &engagement["keyboard"]), (&json!(2), &json!(1)));
    assert_eq!(engagement["days"][0]["events"], 3);
    assert!(engagement["last_active"].as_str().expect("a time").parse::<Timestamp>().is_ok());
}

#[test]
fn an_application_that_was_never_used_was_never_active() {
    let service = service();
    let after = registered(&service, &caller("x"), application("1"));
    assert_eq!(after["engagement"].get("last_active"), None);
    assert_eq!(after["engagement"]["days"], json!([]));
}

#[test]
fn an_installation_counts_for_the_application_it_names_before_it_is_tracked() {
    let service = service();
    let install = TrackedApplicationInstall::from_tree(json!({ "application": application("1") })).expect("an event");
    let operation = ApplicationsUsageInstallation { install: Some(install) };
    usage::installation(&service, &caller("installer"), operation).expect("kept");
    let after = registered(&service, &caller("x"), application("1"));
    assert_eq!(after["engagement"]["installs"], 1);
}

#[test]
fn versions_come_from_updates_and_from_registrations() {
    let service = service();
    registered(&service, &caller("x"), application("1.0"));
    registered(&service, &caller("x"), application("1.1"));
    update(&service, Some("1.1"), "2.0");
    registered(&service, &caller("x"), application("2.0"));
    let after = read(&service);
    assert_eq!(after["version"], "2.0");
    assert_eq!(after["engagement"]["updates"], 1);
    assert_eq!(versions(&after), [(Some("1.0"), Some("1.1")), (Some("1.1"), Some("2.0"))]);
}

#[test]
fn an_update_reported_after_its_registration_is_one_change() {
    let service = service();
    registered(&service, &caller("x"), application("1.0"));
    registered(&service, &caller("x"), application("1.1"));
    update(&service, Some("1.0"), "1.1");
    update(&service, None, "1.1");
    let after = read(&service);
    assert_eq!(versions(&after), [(Some("1.0"), Some("1.1"))]);
    assert_eq!(after["engagement"]["updates"], 2);
}

#[test]
fn open_time_is_the_sum_of_sessions_including_open_ones() {
    const SECOND: i64 = 1_000_000;
    let service = service();
    registered(&service, &caller("x"), application("1"));
    let user_agent = || Some("x".to_owned());
    let store = &service.store;
    let first = store.open_session(user_agent(), 100 * SECOND).expect("opened");
    store.close_session(Some(first.id), 160 * SECOND).expect("closed");
    store.open_session(user_agent(), 200 * SECOND).expect("opened");
    let engagement = store.application(EDITOR, 230 * SECOND).expect("tracked").engagement;
    assert_eq!((engagement.sessions, engagement.open, engagement.open_micros), (2, 1, 90 * SECOND));
    assert_eq!(engagement.days, [("1970-01-01".to_owned(), 2)]);
    assert_eq!(engagement.last_active, Some(200 * SECOND));
}

#[test]
fn days_are_utc_and_the_last_thirty_with_events() {
    const DAY: i64 = 86_400_000_000;
    let service = service();
    registered(&service, &caller("x"), application("1"));
    for day in 0..40 {
        service.store.open_session(Some("x".to_owned()), day * DAY + DAY - 1).expect("opened");
    }
    let days = service.store.application(EDITOR, 0).expect("tracked").engagement.days;
    assert_eq!(days.len(), 30);
    assert_eq!((days[0].0.as_str(), days[29].0.as_str()), ("1970-01-11", "1970-02-09"));
}

#[test]
fn external_applications_have_a_state() {
    let firefox = Detected {
        identifier: Some("firefox".to_owned()),
        found_by: Some(Evidence::Snap),
        path: Some("/var/lib/snapd/desktop/firefox.desktop".into()),
        ..Detected::named("Firefox", Some("143.0"))
    };
    let service = service_on(Planted(vec![firefox, Detected::named("Tool ü", None)]));
    let found =
        detected(&service, &RequestContext::default(), ApplicationsExternalSnapshot {}).expect("a list").into_tree();
    let expected = json!([
        { "name": "Firefox", "version": "143.0", "state": "installed", "identifier": "FIREFOX_ADDON_MV3",
          "found_by": "snap", "path": "/var/lib/snapd/desktop/firefox.desktop" },
        { "name": "Tool ü", "state": "installed" },
    ]);
    assert_eq!(found["iterable"], expected);
    let related =
        related(&service, &RequestContext::default(), ApplicationsExternalRelated {}).expect("a list").into_tree();
    assert_eq!(related["iterable"][0], expected[0]);
    let states: Vec<_> = related["iterable"].as_array().expect("records").iter().map(|one| &one["state"]).collect();
    assert!(states.contains(&&json!("not_installed")) && states.contains(&&json!("anticipated")));
}
