//! The care of tags, websites and workstream summaries: merged, renamed, removed, deleted, and each of it undone.

use std::sync::Arc;
use std::time::Instant;

use lunette_client::model::id::{AssetId, TagId};
use lunette_client::model::linked::Tag;
use lunette_client::model::record::Record as _;
use lunette_client::model::time::moment;
use lunette_client::operation::Operation;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetSpecificAssetActivities, TagUpdate, TagsSnapshot, TagsSpecificTagSnapshot,
    WebsitesCreateNewWebsite, WebsitesSnapshot,
};
use lunette_inspector::Action;
use lunette_inspector::action::{BulkAction, HistoryAction, LinksAction, NavigationAction};
use lunette_inspector::change::fingerprint::Fingerprint;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::history::ItemWrite;
use lunette_inspector::journal::Outcome;
use lunette_inspector::links::{ItemActivity, ItemEvent};
use lunette_inspector::listing::rows::LinkRow;
use lunette_inspector::panel::Panel;
use lunette_inspector::runs::BulkOperation;
use serde_json::{Value, json};

use crate::services::live::{rename, row, settled};
use crate::stage::Stage;

/// Assets of each of three kinds: with the first tag, with the second, with both.
const EACH: usize = 20;

/// How often a list was read.
fn reads<O: Operation>(stage: &Stage) -> usize {
    stage.state().session.log.iter().filter(|call| call.info == O::INFO).count()
}

#[test]
fn visible_lists_are_reloaded_only_if_links_changed_and_at_a_limited_rate() {
    let mut tagged = tagged();
    let stage = &mut tagged.stage;
    stage.perform(NavigationAction::Show(Panel::Links));
    for kind in [LinkKind::Website, LinkKind::Tag] {
        stage.perform(LinksAction::Show(kind));
    }
    settled(stage);
    stage.idle();
    // The links that were made before the panel was shown may still be reported.
    stage.until("the list is up to date", |state| state.links.up_to_date());
    let before = (reads::<TagsSnapshot>(stage), reads::<WebsitesSnapshot>(stage));
    for (number, asset) in tagged.assets.iter().enumerate() {
        rename(stage, asset, &format!("renamed {number}"));
    }
    let last = tagged.assets.last().expect("an asset").clone();
    stage.until("the last name is shown", |state| row(state, &last).is_some_and(|row| row.name() == "renamed 59"));
    stage.idle();
    // Links of the setup may show only in the rows that are read now; that is one reading, not one for each name.
    let renamed = (reads::<TagsSnapshot>(stage), reads::<WebsitesSnapshot>(stage));
    assert!(renamed.0 <= before.0 + 1 && renamed.1 == before.1, "{renamed:?} after {before:?}: nothing is linked anew");
    let before = renamed;
    let began = Instant::now();
    let spare: TagId = tagged.tags[2].id.parse().expect("an id");
    for asset in &tagged.assets {
        stage.call(AssetAssociateTag { asset: asset.clone(), tag: spare.clone() }).expect("linked");
        stage.app.step();
    }
    let item = tagged.tags[2].clone();
    let all = tagged.assets.len() as u64;
    stage.until("all are counted", |state| state.links.row(&item).is_some_and(|row| row.assets == Some(all)));
    let most = 2 + usize::try_from(began.elapsed().as_secs()).expect("a few");
    let after = (reads::<TagsSnapshot>(stage) - before.0, reads::<WebsitesSnapshot>(stage));
    assert!(after.0 <= most && after.1 == before.1, "{after:?} of at most {most}");
    stage.perform(LinksAction::Show(LinkKind::Website));
    assert_eq!(reads::<WebsitesSnapshot>(stage), before.1 + 1, "it is read when it is shown");
}

/// A stage with two tags on many assets and one on none.
struct Tagged {
    stage: Stage,
    tags: [Item; 3],
    assets: Vec<AssetId>,
}

fn item(id: &TagId, text: &str) -> Item {
    Item::new(LinkKind::Tag, &id.to_string(), text, None)
}

fn tagged() -> Tagged {
    let mut stage = Stage::new();
    let tags = ["Rust", "rust-lang", "spare"].map(|text| item(&stage.tag(text), text));
    let mut assets = Vec::new();
    for number in 0..EACH * 3 {
        let asset = stage.asset(&format!("{number}.txt"), "text");
        for (index, wanted) in [number % 3 != 1, number % 3 != 0].into_iter().enumerate() {
            if wanted {
                let tag = tags[index].id.parse().expect("an id");
                stage.call(AssetAssociateTag { asset: asset.clone(), tag }).expect("linked");
            }
        }
        assets.push(asset);
    }
    stage.perform(Action::Refresh(Panel::Assets));
    stage.perform(LinksAction::Enter);
    Tagged { stage, tags, assets }
}

impl Tagged {
    fn row(&self, index: usize) -> &LinkRow {
        self.stage.state().links.row(&self.tags[index]).expect("the tag is listed")
    }

    /// The tags of an asset by their texts.
    fn texts(&self, asset: &AssetId) -> Vec<String> {
        let tree = self.stage.tree(asset);
        let tags = tree.pointer("/tags/iterable").and_then(Value::as_array).expect("tags");
        tags.iter().map(|tag| tag["text"].as_str().expect("a text").to_owned()).collect()
    }

    fn fingerprints(&self) -> Vec<Fingerprint> {
        self.assets.iter().map(|asset| Fingerprint::of(&self.stage.tree(asset))).collect()
    }

    /// What was read of the activity of the open tag.
    fn activity(&self) -> Option<ItemActivity> {
        let page = self.stage.state().links.open.as_ref().expect("a page");
        page.activity.value().map(|activity| activity.as_ref().clone())
    }

    fn name(&self, index: usize) -> String {
        let tag = self.tags[index].id.parse().expect("an id");
        let tag = self.stage.call(TagsSpecificTagSnapshot { tag, transferables: None, assets: Some(false) });
        tag.expect("the tag").view().text().to_owned()
    }
}

#[test]
fn each_item_says_how_many_assets_it_has() {
    let tagged = tagged();
    let counts = [0, 1, 2].map(|index| tagged.row(index).assets);
    assert_eq!(counts, [Some(2 * EACH as u64), Some(2 * EACH as u64), Some(0)]);
}

#[test]
fn merging_gives_the_exact_union_and_one_undo_restores_every_asset() {
    let mut tagged = tagged();
    let before = tagged.fingerprints();
    let [rust, other, _] = tagged.tags.clone();
    tagged.stage.perform(LinksAction::Merge(vec![other, rust]));
    let draft = tagged.stage.state().links.merging.as_ref().expect("a question");
    let target = draft.items.iter().position(|item| item.text == "Rust").expect("it can be chosen");
    tagged.stage.perform(LinksAction::MergeInto(target));
    tagged.stage.perform(LinksAction::PlanMerge);
    let draft = tagged.stage.state().bulk.draft.as_ref().expect("a plan");
    assert_eq!(
        (draft.assets.len(), draft.title.as_str()),
        (2 * EACH, "Replace tag “rust-lang” with “Rust” on 40 assets")
    );
    assert!(draft.assets.iter().all(|(_, name)| name.ends_with(".txt")), "assets are named");
    assert_eq!(tagged.stage.writes(), 0, "nothing is sent before the plan was seen");

    tagged.stage.perform(BulkAction::Start);
    for asset in &tagged.assets {
        assert_eq!(tagged.texts(asset), ["Rust"]);
    }
    tagged.stage.perform(LinksAction::Load(LinkKind::Tag));
    assert_eq!((tagged.row(0).assets, tagged.row(1).assets), (Some(3 * EACH as u64), Some(0)));

    tagged.stage.confirm(Action::History(HistoryAction::Undo));
    assert!(tagged.fingerprints() == before, "an asset is not as it was");
}

#[test]
fn an_unused_item_is_not_merged_but_reported_as_unused() {
    let mut tagged = tagged();
    let [rust, _, spare] = tagged.tags.clone();
    tagged.stage.perform(LinksAction::Merge(vec![rust, spare]));
    tagged.stage.perform(LinksAction::PlanMerge);
    let draft = tagged.stage.state().links.merging.as_ref().expect("the question stays");
    assert!(draft.failed.as_ref().is_some_and(|why| why.contains("No asset uses")), "{draft:?}");
    assert!(tagged.stage.state().bulk.draft.is_none());
}

#[test]
fn removing_a_tag_everywhere_is_one_run_and_one_undo() {
    let mut tagged = tagged();
    let before = tagged.fingerprints();
    tagged.stage.perform(LinksAction::RemoveEverywhere(tagged.tags[0].clone()));
    tagged.stage.perform(BulkAction::Start);
    assert!(tagged.assets.iter().all(|asset| !tagged.texts(asset).contains(&"Rust".to_owned())));
    tagged.stage.confirm(Action::History(HistoryAction::Undo));
    assert!(tagged.fingerprints() == before, "an asset is not as it was");
}

#[test]
fn assets_of_a_tag_move_to_a_new_one_in_one_run_that_one_undo_reverts() {
    let mut tagged = tagged();
    let before = tagged.fingerprints();
    let marked: Vec<_> = tagged.assets[..6].iter().map(|asset| (asset.clone(), String::new())).collect();
    let [rust, ..] = tagged.tags.clone();
    let (kind, text) = (LinkKind::Tag, "Rust 2024".to_owned());
    let split = BulkOperation::LinkNew { kind, text, url: None, unlink: vec![rust] };
    tagged.stage.perform(BulkAction::Plan(split, Arc::new(marked)));
    let draft = tagged.stage.state().bulk.draft.as_ref().expect("a plan");
    assert_eq!(draft.title, "Replace tag “Rust” with the new tag “Rust 2024” on 6 assets");
    assert_eq!(tagged.stage.writes(), 0, "not even the tag is created before the plan was seen");
    tagged.stage.perform(BulkAction::Start);
    for (number, asset) in tagged.assets.iter().enumerate() {
        let (texts, had) = (tagged.texts(asset), number % 3 != 1);
        let moved = (number < 6 && had, number >= 6 && had);
        let has = (texts.contains(&"Rust 2024".to_owned()), texts.contains(&"Rust".to_owned()));
        assert_eq!(has, moved, "asset {number}: what did not have the old tag does not get the new one");
    }
    tagged.stage.confirm(Action::History(HistoryAction::Undo));
    assert!(tagged.fingerprints() == before, "an asset is not as it was");
}

#[test]
fn a_renamed_tag_keeps_its_id_and_assets_and_undo_and_redo_follow() {
    let mut tagged = tagged();
    let from = tagged.tags[0].clone();
    let to = Item { text: "rust".to_owned(), ..from.clone() };
    tagged.stage.perform(LinksAction::Open(from.clone()));
    tagged.stage.perform(LinksAction::Write(ItemWrite::Rename { item: from.clone(), to }));
    assert_eq!((tagged.name(0).as_str(), tagged.texts(&tagged.assets[0])), ("rust", vec!["rust".to_owned()]));
    let step = tagged.stage.last();
    assert_eq!((step.title.as_str(), &step.outcome), ("Renamed tag “Rust” to “rust”", &Outcome::Done));
    let open = tagged.stage.state().links.open.as_ref().expect("the page");
    assert_eq!((open.item.text.as_str(), open.writing), ("rust", false), "the page follows");

    tagged.stage.perform(HistoryAction::Undo);
    assert_eq!(tagged.name(0), "Rust");
    tagged.stage.perform(HistoryAction::Redo);
    assert_eq!(tagged.name(0), "rust");
    tagged.stage.restart();
    tagged.stage.perform(HistoryAction::Undo);
    assert_eq!(tagged.name(0), "Rust", "a step of before the restart is undone too");
}

#[test]
fn a_tag_that_was_renamed_in_the_meantime_is_not_renamed_over_that() {
    let mut tagged = tagged();
    let from = tagged.tags[0].clone();
    let tag = from.id.parse().expect("an id");
    let theirs = tagged.stage.call(TagsSpecificTagSnapshot { tag, transferables: None, assets: None });
    let mut theirs = theirs.expect("the tag").into_tree();
    theirs["text"] = "theirs".into();
    let theirs = Tag::from_tree(theirs).expect("a tag");
    tagged.stage.call(TagUpdate { transferables: None, tag: Some(theirs) }).expect("renamed");
    let to = Item { text: "mine".to_owned(), ..from.clone() };
    tagged.stage.perform(LinksAction::Write(ItemWrite::Rename { item: from, to }));
    assert_eq!((tagged.name(0).as_str(), tagged.stage.writes()), ("theirs", 0));
    assert!(tagged.stage.notice().contains("renamed to “theirs” in the meantime"), "{}", tagged.stage.notice());
}

#[test]
fn only_an_unused_item_is_deleted_after_its_request_was_seen_and_undo_creates_it_again() {
    let mut tagged = tagged();
    let [rust, _, spare] = tagged.tags.clone();
    tagged.stage.perform(LinksAction::Write(ItemWrite::Delete(rust)));
    assert!(tagged.stage.notice().contains("40 assets are linked to it"), "{}", tagged.stage.notice());
    tagged.stage.perform(LinksAction::Write(ItemWrite::Delete(spare)));
    assert_eq!(tagged.stage.writes(), 0);
    assert!(tagged.stage.state().notifications.confirmation.as_ref().is_some_and(|asked| asked.call.is_some()));
    tagged.stage.perform(Action::Confirm);
    assert_eq!(tagged.stage.last().title, "Deleted tag “spare”");
    let texts = |tagged: &Tagged| -> Vec<String> {
        tagged.stage.state().links.list(LinkKind::Tag).iter().map(|row| row.item.text.clone()).collect()
    };
    assert_eq!(texts(&tagged), ["Rust", "rust-lang"]);
    tagged.stage.perform(HistoryAction::Undo);
    assert_eq!(texts(&tagged), ["Rust", "rust-lang", "spare"]);
}

#[test]
fn all_unused_items_are_deleted_after_a_question_and_those_with_assets_are_left() {
    let mut tagged = tagged();
    for number in 0..3 {
        tagged.stage.tag(&format!("empty {number}"));
    }
    tagged.stage.perform(LinksAction::Load(LinkKind::Tag));
    let all = tagged.stage.state().links.shown().iter().map(|row| row.item.clone()).collect();
    tagged.stage.perform(LinksAction::Delete(all));
    let asked = tagged.stage.state().notifications.confirmation.as_ref().expect("a question");
    assert_eq!((asked.title.as_str(), tagged.stage.writes()), ("Delete 4 unused tags?", 0));
    // One of them gets an asset before the answer.
    let tag = tagged.tags[2].id.parse().expect("an id");
    tagged.stage.call(AssetAssociateTag { asset: tagged.assets[0].clone(), tag }).expect("linked");
    tagged.stage.perform(Action::Confirm);
    let left: Vec<_> = tagged.stage.state().links.shown().iter().map(|row| row.item.text.clone()).collect();
    assert_eq!(left, ["Rust", "rust-lang", "spare"]);
    assert!(tagged.stage.notice().contains("1 could not be deleted") && tagged.stage.notice().contains("one asset"));
    tagged.stage.perform(HistoryAction::Undo);
    let left: Vec<_> = tagged.stage.state().links.shown().iter().map(|row| row.item.text.clone()).collect();
    assert_eq!(left.len(), 6, "one undo creates all of them again: {left:?}");
    tagged.stage.perform(HistoryAction::Undo);
    assert_eq!(tagged.stage.state().links.shown().count(), 6, "nothing is undone twice");
}

#[test]
fn websites_whose_addresses_lead_to_the_same_page_are_named_as_similar() {
    let mut stage = Stage::new();
    for url in ["https://docs.rs/tokio", "http://www.docs.rs/tokio/?utm_source=x", "https://docs.rs/serde"] {
        let seed = json!({ "url": url, "name": "docs" });
        let website = Some(lunette_client::model::linked::SeededWebsite::from_tree(seed).expect("a website"));
        stage.call(WebsitesCreateNewWebsite { transferables: None, website }).expect("created");
    }
    stage.perform(LinksAction::Show(LinkKind::Website));
    let similar: Vec<_> = stage.state().links.shown().iter().map(|row| row.similar.is_some()).collect();
    assert_eq!(similar, [true, false, true], "of the same name they are sorted by address");
}

#[test]
fn the_page_of_a_tag_shows_the_activity_and_the_number_of_its_assets() {
    let mut tagged = tagged();
    let [rust, _, spare] = tagged.tags.clone();
    tagged.stage.perform(LinksAction::Open(rust));
    assert_eq!(tagged.activity(), None, "nothing is read before it is asked for");
    tagged.stage.perform(LinksAction::LoadActivity);
    let activity = tagged.activity().expect("the activity");
    assert_eq!((activity.assets_read_count, activity.of, activity.failed, activity.reported), (24, 2 * EACH, 0, true));
    let reads = reads::<AssetSpecificAssetActivities>(&tagged.stage);
    assert_eq!(reads, 24, "as many calls as assets are looked at");
    let is_added = |event: &&ItemEvent| event.view().event().tree().to_string().contains("asset_tag_added");
    assert!(activity.events.iter().filter(is_added).count() >= 24, "each of them got the tag");
    assert!(activity.events.iter().all(|event| event.name.ends_with(".txt")), "assets are named");
    let times: Vec<_> = activity.events.iter().map(|event| moment(event.view().created().value())).collect();
    assert!(times.is_sorted_by(|one, other| one >= other), "the newest come first");

    tagged.stage.perform(LinksAction::Open(spare));
    tagged.stage.perform(LinksAction::LoadActivity);
    let activity = tagged.activity().expect("the activity");
    assert_eq!((activity.events.len(), activity.of, activity.reported), (0, 0, true));
}

#[test]
fn the_activity_of_a_tag_follows_a_change_of_its_assets() {
    let mut tagged = tagged();
    let spare = tagged.tags[2].clone();
    tagged.stage.perform(NavigationAction::Show(Panel::Links));
    tagged.stage.perform(LinksAction::Open(spare.clone()));
    tagged.stage.perform(LinksAction::LoadActivity);
    let tag = spare.id.parse().expect("an id");
    tagged.stage.call(AssetAssociateTag { asset: tagged.assets[0].clone(), tag }).expect("linked");
    tagged.stage.until("the link is among the activities", |state| {
        let activity = state.links.open.as_ref().and_then(|page| page.activity.value());
        activity.is_some_and(|activity| activity.of == 1 && !activity.events.is_empty())
    });
}
