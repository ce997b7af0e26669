//! A service that fails at one operation: the part that shows its answer says so, and every other part works.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lunette_client::model::id::AssetId;
use lunette_client::operation::Operation as _;
use lunette_client::operation::OperationInfo;
use lunette_client::operation::table::{
    ApplicationsExternalRelated, ApplicationsExternalSnapshot, ApplicationsSnapshot, AssetFormats, AssetSnapshot,
    AssetSpecificAssetActivities, AssetSpecificAssetConversations, AssetsRowsSnapshot, TagsSnapshot, WebsitesSnapshot,
    WorkstreamSummariesSnapshot,
};
use lunette_inspector::action::{AssetsAction, WriteAction};
use lunette_inspector::change::{Change, Edit, Field, LinkKind};
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::{Action, State};

use crate::stage::Stage;
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction, Reply};

/// Which path is answered with what; nothing else is.
type Wrong = Arc<Mutex<Option<(String, Reply)>>>;

/// The operations that are read to be shown, and the part each of them fills alone.
const ROWS: [(&OperationInfo, &[&str]); 11] = [
    (ApplicationsSnapshot::INFO, &["applications"]),
    (AssetsRowsSnapshot::INFO, &["assets"]),
    (AssetSnapshot::INFO, &["asset"]),
    (AssetFormats::INFO, &["formats"]),
    (AssetSpecificAssetActivities::INFO, &["activities"]),
    (AssetSpecificAssetConversations::INFO, &["conversations"]),
    (TagsSnapshot::INFO, &["tags"]),
    (WebsitesSnapshot::INFO, &["websites"]),
    (WorkstreamSummariesSnapshot::INFO, &["summaries"]),
    // Either of these two fills the list alone.
    (ApplicationsExternalSnapshot::INFO, &[]),
    (ApplicationsExternalRelated::INFO, &[]),
];

fn failing(state: &State, asset: &AssetId) -> Vec<&'static str> {
    let page = &state.assets.pages.of[asset];
    let linkable = |kind| state.assets.linkable.get(&kind).is_some_and(|items| items.error().is_some());
    let parts = [
        ("applications", state.applications.list.rows.error().is_some()),
        ("external", state.applications.external.rows.error().is_some()),
        ("assets", state.assets.list.rows.error().is_some()),
        ("asset", page.record.error().is_some()),
        ("formats", page.formats.error().is_some()),
        ("activities", page.activities.error().is_some()),
        ("conversations", page.conversations.error().is_some()),
        ("tags", linkable(LinkKind::Tag)),
        ("websites", linkable(LinkKind::Website)),
        ("summaries", linkable(LinkKind::Summary)),
    ];
    parts.into_iter().filter_map(|(name, fails)| fails.then_some(name)).collect()
}

fn read_all(stage: &mut Stage, asset: &AssetId) {
    let page = [
        |value| Action::Assets(AssetsAction::Reload(value)),
        |value| Action::Assets(AssetsAction::LoadFormats(value)),
        |value| Action::Assets(AssetsAction::LoadActivities(value)),
        |value| Action::Assets(AssetsAction::LoadConversations(value)),
    ];
    let panels = [Panel::Applications, Panel::External, Panel::Assets].map(Action::Refresh);
    let lists = LinkKind::ALL.map(|value| Action::Assets(AssetsAction::LoadLinkable(value)));
    let page = page.into_iter().map(|read| read(asset.clone()));
    for action in page.chain(panels).chain(lists) {
        stage.app.perform(action);
    }
    stage.idle();
}

#[test]
fn a_failed_operation_is_reported_only_at_its_result() {
    let wrong = Wrong::default();
    let decided = Arc::clone(&wrong);
    let mut stage = Stage::behind(Duration::from_secs(30), |port| {
        let wall = MutatingProxy::start(port, move |asked| {
            let wrong = decided.lock().unwrap_or_else(PoisonError::into_inner).clone();
            match wrong.filter(|(path, _)| *path == asked.path && asked.method == "GET") {
                Some((_, reply)) => ProxyAction::Respond(reply),
                None => ProxyAction::Pass,
            }
        });
        wall.url()
    });
    let old: Vec<_> =
        stage.state().session.log.iter().filter(|line| line.info.deprecated).map(|line| line.info.name).collect();
    assert_eq!(old, [""; 0], "the start calls nothing that is deprecated");
    let asset = stage.asset("a.txt", "text");
    stage.perform(AssetsAction::Open(asset.clone()));
    read_all(&mut stage, &asset);
    assert_eq!(failing(stage.state(), &asset), [""; 0]);
    for (info, parts) in ROWS {
        for (status, kind, body) in [
            (500, "text/plain", "it is broken"),
            (500, "text/html", "<!doctype html><title>Oops</title>"),
            (200, "text/html", "<html><body>Welcome</body></html>"),
            (200, "application/json", "[7]"),
        ] {
            let path = info.path.replace("{asset}", asset.as_str());
            let reply = Reply { status, content_type: kind.to_owned(), body: body.into() };
            *wrong.lock().unwrap_or_else(PoisonError::into_inner) = Some((path, reply));
            read_all(&mut stage, &asset);
            assert_eq!(failing(stage.state(), &asset), parts, "{} answers {status} {kind}", info.name);
            assert_eq!(stage.state().connection.status, Status::Up);
        }
    }
    *wrong.lock().unwrap_or_else(PoisonError::into_inner) = None;
    read_all(&mut stage, &asset);
    assert_eq!(failing(stage.state(), &asset), [""; 0], "and it works again once the service does");
}

#[test]
fn a_name_of_a_million_letters_from_the_service_is_shortened_in_messages() {
    let mut stage = Stage::behind(Duration::from_secs(30), |port| {
        let wall = MutatingProxy::start(port, |asked| match asked.path.as_str() {
            "/asset/update" => {
                ProxyAction::Change(Box::new(|reply| reply.json(|asset| asset["name"] = "x".repeat(1_000_000).into())))
            }
            _ => ProxyAction::Pass,
        });
        wall.url()
    });
    let asset = stage.asset("a.txt", "text");
    let edit = Edit { field: Field::Name, from: Some("a.txt".into()), to: "b.txt".into() };
    stage.perform(WriteAction::Change(Change::Edit { asset, edits: vec![edit] }));
    let message = stage.notice();
    assert!(message.contains("the service set the name to \"xxx"), "{message:.200}");
    assert!(message.len() < 500, "{} bytes: {message:.300}", message.len());
}
