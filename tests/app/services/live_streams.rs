//! The streams of a real service, followed: what another client does is seen, and what is our own disturbs nothing.

use std::cell::OnceCell;
use std::sync::Arc;
use std::time::Duration;

use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    ApplicationsRegister, AssetAssociateTag, AssetsDeleteAsset, TagUpdate, TagsSnapshot, TagsSpecificTagSnapshot,
};
use lunette_client::operation::{Operation as _, StreamKind};
use lunette_inspector::State;
use lunette_inspector::action::WriteAction;
use lunette_inspector::change::{Change, Edit, Field, LinkKind};
use lunette_inspector::session::log::LogEntry;
use serde_json::json;

use crate::services::live::{calls, open, open_name, rename, row, settled};
use crate::services::tunnel::Tunnel;
use crate::stage::Stage;
use crate::support::assets::{self, record};

fn live(stage: &mut Stage) {
    settled(stage);
    let live = &stage.state().sync.status;
    assert_eq!((live.word().as_str(), live.every), ("live", None), "{}", live.reason());
}

#[test]
fn changes_by_another_client_appear_without_user_action() {
    let mut stage = Stage::new();
    live(&mut stage);
    let asset = stage.asset("first.txt", "text");
    stage.until("it is listed", |state| row(state, &asset).is_some_and(|row| row.name() == "first.txt"));
    open(&mut stage, &asset);
    let (asked, _) = calls(&stage);
    rename(&stage, &asset, "second.txt");
    stage.until("its page has the new name", |state| open_name(state) == "second.txt");
    stage.until("its row has it too", |state| row(state, &asset).is_some_and(|row| row.name() == "second.txt"));
    assert!(stage.state().assets.pages.news.is_some());
    let tag = stage.tag("rust");
    stage.until("it can be linked", |state| state.assets.items(LinkKind::Tag).iter().any(|item| item.text == "rust"));
    stage.call(AssetAssociateTag { asset: asset.clone(), tag }).expect("linked");
    stage.until("the page has the tag", |state| {
        let record = state.page().and_then(|(_, page)| page.record.value());
        record.and_then(|record| record.view().tags()).is_some_and(|tags| tags.iterable().iter().count() == 1)
    });
    stage.until("the row has it", |state| {
        row(state, &asset).is_some_and(|row| row.tags().iter().map(|tag| &**tag).eq(["rust"]))
    });
    let before = stage.state().applications.list.count();
    stage.call(ApplicationsRegister { application: Some(record(assets::application())) }).expect("registered");
    stage.until("it is listed", |state| state.applications.list.count() == before + 1);
    stage.call(AssetsDeleteAsset { asset: asset.clone() }).expect("deleted");
    stage.until("its row is gone", |state| row(state, &asset).is_none());
    stage.until("its page says so", |state| state.page().is_some_and(|(_, page)| page.gone));
    assert_eq!(open_name(stage.state()), "second.txt", "what was read stays");
    assert_eq!(calls(&stage).0, asked, "no call that the user would have made");
}

#[test]
fn an_asset_that_is_not_open_is_read_once_for_its_row() {
    let mut stage = Stage::new();
    live(&mut stage);
    let asset = stage.asset("first.txt", "text");
    stage.until("it is listed", |state| row(state, &asset).is_some());
    rename(&stage, &asset, "second.txt");
    stage.until("its row has the new name", |state| row(state, &asset).is_some_and(|row| row.name() == "second.txt"));
    assert!(stage.state().page().is_none() && stage.state().assets.pages.news.is_none());
}

#[test]
fn our_own_write_is_not_a_remote_change_and_keeps_rows_visible() {
    let mut stage = Stage::new();
    live(&mut stage);
    let asset = stage.asset("first.txt", "text");
    stage.until("it is listed", |state| row(state, &asset).is_some());
    open(&mut stage, &asset);
    let (_, before) = calls(&stage);
    let edit = Edit { field: Field::Name, from: Some("first.txt".into()), to: "ours.txt".into() };
    stage.app.perform(WriteAction::Change(Change::Edit { asset: asset.clone(), edits: vec![edit] }));
    stage.until("it is told back and read", |state| {
        assert!(state.page().is_some_and(|(_, page)| page.record.value().is_some()), "the page is never blank");
        let (_, now) = (0, state.session.log.iter().filter(|line| line.background).count());
        now > before && row(state, &asset).is_some_and(|row| row.name() == "ours.txt")
    });
    // Another client's change is told after it: by then all of our own was taken in.
    let other = stage.asset("other.txt", "text");
    stage.until("another is listed", |state| row(state, &other).is_some());
    assert_eq!(stage.state().assets.pages.news, None);
    let (_, after) = calls(&stage);
    assert!(after - before <= 6, "{} calls", after - before);
}

#[test]
fn a_broken_stream_is_reopened_without_missing_changes() {
    let tunnel = OnceCell::new();
    let mut stage = Stage::behind(Duration::from_secs(30), |port| tunnel.get_or_init(|| Tunnel::start(port)).url());
    let tunnel = tunnel.into_inner().expect("a tunnel");
    live(&mut stage);
    let asset = stage.asset("first.txt", "text");
    stage.until("it is listed", |state| row(state, &asset).is_some());
    open(&mut stage, &asset);
    tunnel.shut();
    stage.until("it is no longer followed", |state| !state.sync.status.follows(StreamKind::Assets));
    rename(&stage, &asset, "second.txt");
    let made = stage.asset("made.txt", "text");
    tunnel.open();
    stage.until("what was missed is shown", |state| {
        open_name(state) == "second.txt"
            && row(state, &asset).is_some_and(|row| row.name() == "second.txt")
            && row(state, &made).is_some()
    });
    live(&mut stage);
}

#[test]
fn a_changed_tag_is_reloaded_alone_instead_of_the_whole_list() {
    let mut stage = Stage::new();
    live(&mut stage);
    let tag = stage.tag("before");
    let text = |state: &State| state.assets.items(LinkKind::Tag).first().map(|item| item.text.clone());
    stage.until("the tag is known", |state| text(state).as_deref() == Some("before"));
    assert!(!stage.state().needs_items(LinkKind::Tag), "a stream keeps the list, so a picker does not read it again");
    let lists = |stage: &Stage| stage.state().session.log.iter().filter(|line| line.info == TagsSnapshot::INFO).count();
    let before = lists(&stage);
    let mut tree =
        stage.call(TagsSpecificTagSnapshot { tag, transferables: None, assets: None }).expect("the tag").into_tree();
    tree["text"] = json!("after");
    stage.call(TagUpdate { transferables: None, tag: Some(record(tree)) }).expect("updated");
    stage.until("its new text is there", |state| text(state).as_deref() == Some("after"));
    assert_eq!(lists(&stage), before);
    let single = |line: &&Arc<LogEntry>| line.info == TagsSpecificTagSnapshot::INFO;
    assert_eq!(stage.state().session.log.iter().filter(single).count(), 1);
}
