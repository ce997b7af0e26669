//! A service that leaves links out of its answers: what it does not tell is not taken for none, and nothing is lost by it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lunette_client::client::Limits;
use lunette_client::model::id::{AssetId, TagId};
use lunette_client::model::record::Record as _;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetSnapshot, AssetsTrashSnapshot, TagsSpecificTagSnapshot,
};
use lunette_inspector::Action;
use lunette_inspector::CallError;
use lunette_inspector::Vendor;
use lunette_inspector::action::{AssetsAction, BulkAction, HistoryAction, LinksAction, WriteAction};
use lunette_inspector::change::{Change, Item, LinkKind, Recovery};
use lunette_inspector::filter::{Filterable as _, Flag};
use lunette_inspector::history::ItemWrite;
use lunette_inspector::journal::EntryRelation;
use lunette_inspector::links::headless;
use lunette_inspector::runs::BulkOperation;
use lunette_inspector::sync::SyncIntervals;
use lunette_inspector::write::headless::{HeadlessService, HeadlessWriter};
use lunette_inspector::write::plan::{Reconciled, UndoKind, reconcile};
use lunette_inspector::write::recovery::DeletedAssets;
use serde_json::Value;

use crate::stage::Stage;
use crate::support;
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction, Reply};

/// A stage with an asset and a tag, whose service leaves links out once it is told to.
struct Silent {
    stage: Stage,
    silent: Arc<AtomicBool>,
    asset: AssetId,
    tag: Item,
}

impl Silent {
    fn new() -> Self {
        let silent = Arc::new(AtomicBool::new(false));
        let decided = Arc::clone(&silent);
        let stage = Stage::behind(Duration::from_secs(30), move |port| {
            let proxy = MutatingProxy::start(port, move |asked| {
                let left_out = match asked.path.split('/').nth(1) {
                    _ if asked.path.starts_with(AssetsTrashSnapshot::INFO.path) => {
                        let (content_type, body) = ("text/plain".to_owned(), b"there is no Trash".to_vec());
                        return ProxyAction::Respond(Reply { status: 404, content_type, body });
                    }
                    _ if !decided.load(Ordering::SeqCst) || asked.method != "GET" => return ProxyAction::Pass,
                    Some("asset") => "tags",
                    Some("tag") => "assets",
                    _ => return ProxyAction::Pass,
                };
                ProxyAction::Change(Box::new(move |reply| reply.json(|tree| leave_out(tree, left_out))))
            });
            proxy.url()
        });
        let asset = stage.asset("a.txt", "text");
        let id: TagId = stage.tag("rust");
        let tag = Item::new(LinkKind::Tag, &id.to_string(), "rust", None);
        Self { stage, silent, asset, tag }
    }

    /// From now on links are left out.
    fn fall_silent(&self) {
        self.silent.store(true, Ordering::SeqCst);
    }

    fn link(&self) -> Change {
        Change::Link { asset: self.asset.clone(), item: self.tag.clone() }
    }

    fn unlink(&self) -> Change {
        Change::Unlink { asset: self.asset.clone(), item: self.tag.clone() }
    }

    fn perform(&mut self, change: Change) {
        self.stage.perform(WriteAction::Change(change));
    }

    /// Whether the service has the link, whatever it tells.
    fn is_linked(&self) -> bool {
        let tree = self.stage.tree(&self.asset);
        tree.pointer("/tags/iterable").and_then(Value::as_array).is_some_and(|tags| !tags.is_empty())
    }

    fn linked_and_silent() -> Self {
        let silent = Self::new();
        let tag = silent.tag.id.parse().expect("an id");
        silent.stage.call(AssetAssociateTag { asset: silent.asset.clone(), tag }).expect("linked");
        silent.fall_silent();
        silent
    }
}

fn leave_out(tree: &mut Value, field: &str) {
    if let Some(fields) = tree.as_object_mut() {
        fields.remove(field);
    }
}

#[test]
fn an_unreported_link_is_not_removed_and_the_reason_is_shown() {
    let mut silent = Silent::linked_and_silent();
    silent.perform(silent.unlink());
    assert!(silent.is_linked());
    let notice = silent.stage.notice();
    assert!(notice.contains("does not say which tags") && !notice.contains("no longer linked"), "{notice}");
    assert_eq!(silent.stage.writes(), 0);
}

#[test]
fn a_link_that_undo_could_not_remove_shows_its_plan_before_it_is_sent() {
    let mut silent = Silent::new();
    silent.fall_silent();
    silent.perform(silent.link());
    assert!(!silent.is_linked());
    let planned = silent.stage.state().write.planned.as_ref().expect("a plan");
    assert!(matches!(&planned.plan.value().expect("planned").undo, UndoKind::Never(_)));
    silent.stage.perform(WriteAction::ApplyPlan);
    assert!(silent.is_linked());
    assert_eq!(silent.stage.writes(), 1);
}

#[test]
fn a_run_does_not_remove_unreported_links() {
    let mut silent = Silent::linked_and_silent();
    let assets = Arc::new(vec![(silent.asset.clone(), "a.txt".to_owned())]);
    silent.stage.perform(BulkAction::Plan(BulkOperation::Unlink(silent.tag.clone()), assets));
    silent.stage.perform(BulkAction::Start);
    assert!(silent.is_linked());
    assert_eq!(silent.stage.writes(), 0);
}

#[test]
fn undoing_a_link_that_is_no_longer_reported_keeps_it_and_says_why() {
    let mut silent = Silent::new();
    silent.perform(silent.link());
    assert!(silent.is_linked());
    silent.fall_silent();
    silent.stage.perform(HistoryAction::Undo);
    assert!(silent.is_linked());
    assert!(silent.stage.notice().contains("does not say which tags"), "{}", silent.stage.notice());
    silent.silent.store(false, Ordering::SeqCst);
    silent.stage.perform(HistoryAction::Undo);
    assert!(!silent.is_linked(), "it is undone once the link is told again");
}

#[test]
fn an_asset_with_unreported_links_can_be_linked_and_the_plan_says_that_undo_cannot_remove_the_link() {
    let silent = Silent::new();
    silent.fall_silent();
    let client = support::client_at(silent.stage.url(), Limits::default());
    let plan = silent.stage.wait_for(lunette_inspector::write::plan::prepare(
        &client,
        &DeletedAssets::default(),
        silent.link(),
        Vendor::Lunette,
    ));
    let Ok(lunette_inspector::write::plan::Preflight::Ready(plan)) = plan else { panic!("a plan: {plan:?}") };
    assert!(matches!(&plan.undo, UndoKind::Never(why) if why.contains("does not say which tags")), "{:?}", plan.undo);
}

#[test]
fn a_write_of_unknown_outcome_stays_unknown_if_links_are_not_reported() {
    let silent = Silent::linked_and_silent();
    let client = support::client_at(silent.stage.url(), Limits::default());
    let new = Change::LinkNew {
        asset: silent.asset.clone(),
        kind: LinkKind::Tag,
        text: "rust".to_owned(),
        url: None,
        unlink: Vec::new(),
    };
    for change in [silent.link(), silent.unlink(), new] {
        let end = silent.stage.wait_for(reconcile(&client, &change)).expect("read");
        assert!(matches!(&end, Reconciled::Unclear(why) if why.contains("which tags")), "{change:?}: {end:?}");
    }
}

#[test]
fn a_tag_with_unreported_assets_is_not_deleted() {
    let mut silent = Silent::linked_and_silent();
    silent.stage.perform(LinksAction::Write(ItemWrite::Delete(silent.tag.clone())));
    assert!(silent.stage.state().notifications.confirmation.is_none(), "nothing is asked");
    assert!(silent.stage.notice().contains("does not say which assets"), "{}", silent.stage.notice());
    let tag = silent.tag.id.parse().expect("an id");
    let snapshot = silent.stage.call(TagsSpecificTagSnapshot { tag, transferables: None, assets: Some(false) });
    assert_eq!(snapshot.expect("it is there").view().text(), "rust");
    assert_eq!(silent.stage.writes(), 0);
}

#[test]
fn the_command_line_does_not_delete_a_tag_with_unreported_assets() {
    let silent = Silent::linked_and_silent();
    let folder = tempfile::tempdir().expect("a folder");
    let client = support::client_at(silent.stage.url(), Limits::default());
    let service = HeadlessService { client, vendor: Vendor::Lunette, recovery: Recovery::None };
    let writer = HeadlessWriter::open(folder.path(), "silent", service).expect("a journal");
    let delete = ItemWrite::Delete(silent.tag.clone());
    let refused = silent.stage.wait_for(headless::write(&writer, &delete, EntryRelation::None, None));
    let refused = refused.expect_err("nothing is deleted").to_string();
    assert!(refused.contains("does not say which assets"), "{refused}");
    assert!(silent.is_linked());
}

#[test]
fn without_a_list_of_tags_those_of_the_opened_assets_are_shown() {
    let (mut stage, assets) = Stage::interface_only_after(SyncIntervals::default(), async |client| {
        let tag = support::assets::tag(client, "rust").await;
        let mut made = Vec::new();
        for name in ["a.txt", "b.txt"] {
            let asset = support::assets::text_asset(client, name, name).await;
            client.call(AssetAssociateTag { asset: asset.clone(), tag: tag.clone() }).await.expect("linked");
            made.push(asset);
        }
        made
    });
    stage.perform(LinksAction::Enter);
    assert!(stage.state().links.shown().rows.error().is_some_and(CallError::missing), "nothing is known yet");
    for asset in assets {
        stage.perform(AssetsAction::Open(asset));
    }
    stage.perform(LinksAction::Enter);
    let rows: Vec<_> = stage.state().links.shown().iter().collect();
    let [row] = rows.as_slice() else { panic!("one tag: {rows:?}") };
    assert_eq!((row.item.text.as_str(), row.known_from, row.assets), ("rust", Some(2), None));
    assert!(!row.unused() && !row.knows(Flag::Unused), "how many assets it has is not told");
}

#[test]
fn an_asset_that_is_made_again_says_which_links_the_service_did_not_tell() {
    let mut silent = Silent::linked_and_silent();
    let delete = Change::Delete { asset: silent.asset.clone(), name: "a.txt".to_owned(), made: None };
    silent.perform(delete);
    let planned = silent.stage.state().write.planned.as_ref().expect("a plan");
    assert_eq!(planned.relation, EntryRelation::None);
    let undo = planned.plan.value().expect("planned").undo.clone();
    assert!(matches!(&undo, UndoKind::By(how) if how.contains("which tags the asset had")), "{undo:?}");
    silent.stage.perform(WriteAction::ApplyPlan);
    let gone = silent.stage.call(AssetSnapshot { asset: silent.asset.clone(), transferables: None });
    assert!(gone.is_err());
    silent.stage.perform(Action::History(HistoryAction::Undo));
    let notified =
        |part: &str| silent.stage.state().notifications.notices.iter().any(|notice| notice.text.contains(part));
    assert!(notified("which tags the asset had"), "{:?}", silent.stage.notice());
}

#[test]
fn the_activity_of_a_tag_with_unreported_assets_is_that_of_opened_ones() {
    let mut silent = Silent::linked_and_silent();
    silent.stage.perform(LinksAction::Open(silent.tag.clone()));
    silent.stage.perform(LinksAction::LoadActivity);
    let activity = |silent: &Silent| {
        let page = silent.stage.state().links.open.as_ref().expect("a page");
        page.activity.value().expect("the activity").as_ref().clone()
    };
    let unknown = activity(&silent);
    assert_eq!((unknown.of, unknown.reported), (0, false), "which is not said to be none");
    silent.silent.store(false, Ordering::SeqCst);
    silent.stage.perform(AssetsAction::Open(silent.asset.clone()));
    silent.fall_silent();
    silent.stage.perform(LinksAction::LoadActivity);
    let known = activity(&silent);
    assert_eq!((known.of, known.reported), (1, false));
    assert!(!known.events.is_empty(), "an opened asset tells that it has the tag");
}

#[test]
fn a_stored_step_of_an_earlier_version_is_read_and_written_in_the_same_form() {
    let asset = AssetId::random();
    let stored = format!(r#"{{"recreate":{{"asset":"{asset}","name":"a.txt","untold":["tag"]}}}}"#);
    let change = Change::Recreate { asset, name: "a.txt".to_owned(), links: vec![], unreported: vec![LinkKind::Tag] };
    assert_eq!(serde_json::from_str::<Change>(&stored).expect("a change"), change);
    assert_eq!(serde_json::to_string(&change).expect("JSON"), stored);
}
