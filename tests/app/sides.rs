//! Two sides compared and evened out, over real HTTP.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lunette_client::client::{Client, Limits, Vendor};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record;
use lunette_client::model::seed::{BATCH_SEEDS, Seeds};
use lunette_client::operation::table::{
    AssetAssociateTag, AssetAssociateWebsite, AssetAssociateWorkstreamSummary, AssetDisassociateTag, AssetUpdate,
    AssetsCreateBatch, FormatUpdateValue,
};
use lunette_inspector::bulk::headless::HeadlessRun;
use lunette_inspector::compare::Position;
use lunette_inspector::listing::Columns as _;
use lunette_inspector::runs::{Control, RowStatus, Run};
use lunette_inspector::sides::copy::{self, CopyPlan};
use lunette_inspector::sides::{Base, Comparison, Matches, Part, RowState, ServiceReader, Side, SideRow, Sides};
use lunette_inspector::tasks::CancelFlag;
use lunette_inspector::versions::VersionSource;
use serde_json::{Value, json};

use crate::support::assets::{create, summary, tag, text_asset, text_seed, tree, website};
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction, Reply};
use crate::support::{TestService, client_at};

mod foreign;
mod many;
mod never;
mod reading;

async fn side(name: &str, client: &Client, vendor: Vendor) -> Side {
    let mut reader = ServiceReader::new(client.clone(), vendor);
    reader.read(&|_| {}, &CancelFlag::default()).await.expect("the side is read");
    Side::of_service(name.to_owned(), client.clone(), vendor, reader)
}

async fn compared(left: &Client, right: &Client) -> Comparison {
    compared_as([(left, Vendor::Lunette), (right, Vendor::Lunette)]).await
}

async fn compared_as([left, right]: [(&Client, Vendor); 2]) -> Comparison {
    let sides = Sides { left: side("left", left.0, left.1).await, right: side("right", right.0, right.1).await };
    Comparison::of(Arc::new(sides), Matches::default(), Arc::new(Base::default()))
}

/// How many rows there are of each state that has any.
fn states(comparison: &Comparison) -> Vec<(RowState, usize)> {
    let count = |state| (state, comparison.counts.of(state));
    RowState::ALL.into_iter().map(count).filter(|(_, count)| *count > 0).collect()
}

async fn plan(comparison: &Comparison, wanted: impl Fn(&SideRow) -> bool, to: Position) -> CopyPlan {
    let rows: Vec<_> = comparison.rows.iter().filter(|row| wanted(row)).cloned().collect();
    copy::plan(&comparison.sides, &rows, to, &|_| {}, &CancelFlag::default()).await.expect("a plan")
}

async fn copied(folder: &Path, comparison: &Comparison, copy: &CopyPlan) -> Run {
    let (client, vendor) = comparison.sides.at(copy.to).client().expect("a service");
    let (client, url) = (client.clone(), client.address().to_string());
    let run = HeadlessRun::open(folder, &url, copy.record.clone(), true).expect("a run");
    copy.keep(&run.copies()).await.expect("kept");
    run.carry_out(client, &url, vendor, Control::new(4), |_| {}).await.expect("carried out").run
}

fn all_done(run: &Run) {
    let ended: Vec<_> = run.rows.iter().filter(|row| row.status != RowStatus::Done).collect();
    assert!(ended.is_empty(), "{ended:?}");
}

/// Creates so many assets with a tag each.
pub(crate) async fn fill(client: &Client, count: usize) {
    let numbers: Vec<usize> = (0..count).collect();
    for numbers in numbers.chunks(BATCH_SEEDS) {
        let seed = |number: &usize| {
            let mut seed = text_seed(&format!("{number}.txt"), &format!("the text of {number}\n").repeat(10));
            seed["asset"]["metadata"]["tags"] = json!([{ "text": format!("tag {}", number % 100) }]);
            seed
        };
        let seeds: Vec<_> = numbers.iter().map(seed).collect();
        let seeds = Some(Seeds::from_tree(json!({ "iterable": seeds })).expect("seeds"));
        client.call(AssetsCreateBatch { once: None, records: None, seeds }).await.expect("created");
    }
}

/// An asset with all that is compared.
async fn rich(client: &Client, name: &str, text: &str) -> AssetId {
    let mut seed = text_seed(name, text);
    seed["asset"]["metadata"]["annotations"] = json!([{ "type": "DESCRIPTION", "text": format!("about {name}") }]);
    seed["asset"]["favorited"] = true.into();
    let asset: AssetId = create(client, seed).await.expect("an asset").view().id().parse().expect("an id");
    let (tag, website) = (tag(client, "rust").await, website(client, "https://a.example/").await);
    let summary = summary(client, &format!("work on {name}")).await;
    client.call(AssetAssociateTag { asset: asset.clone(), tag }).await.expect("linked");
    client.call(AssetAssociateWebsite { asset: asset.clone(), website }).await.expect("linked");
    let workstream_summary = summary;
    client.call(AssetAssociateWorkstreamSummary { asset: asset.clone(), workstream_summary }).await.expect("linked");
    asset
}

async fn update(client: &Client, asset: &AssetId, change: impl FnOnce(&mut Value)) {
    let mut tree = tree(client, asset).await;
    change(&mut tree);
    let asset = Some(Asset::from_any(tree).expect("a record"));
    client.call(AssetUpdate { transferables: Some(false), asset }).await.expect("updated");
}

async fn set_text(client: &Client, asset: &AssetId, text: &str) {
    let mut format = tree(client, asset).await["formats"]["iterable"][0].take();
    format["fragment"]["string"]["raw"] = text.into();
    let call =
        FormatUpdateValue { transferable: Some(false), format: Some(Record::from_any(format).expect("a format")) };
    client.call(call).await.expect("updated");
}

#[tokio::test]
async fn after_copying_both_ways_a_second_comparison_finds_nothing() {
    let (left, right) = (TestService::start().await, TestService::start().await);
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..5 {
        rich(&left.client, &format!("left {number}.txt"), &format!("left {number}")).await;
        text_asset(&right.client, &format!("right {number}.txt"), &format!("right {number}")).await;
    }
    let comparison = compared(&left.client, &right.client).await;
    assert_eq!(states(&comparison), [(RowState::OnlyLeft, 5), (RowState::OnlyRight, 5)]);
    for to in Position::ALL {
        let copy = plan(&comparison, |_| true, to).await;
        assert_eq!((copy.record.run.rows.len(), copy.left.len()), (5, 0));
        let run = copied(folder.path(), &comparison, &copy).await;
        all_done(&run);
        assert_eq!(copy.mapping(&run), [], "the ids are kept");
    }
    let comparison = compared(&left.client, &right.client).await;
    assert_eq!(states(&comparison), [(RowState::Same, 10)]);

    // Everything of an asset that can differ.
    let ids: Vec<AssetId> = comparison.rows.iter().map(|row| row.first().id.parse().expect("an id")).collect();
    set_text(&left.client, &ids[0], "another text").await;
    update(&left.client, &ids[1], |asset| asset["name"] = "renamed.txt".into()).await;
    update(&left.client, &ids[2], |asset| asset["favorited"] = false.into()).await;
    update(&left.client, &ids[3], |asset| asset["annotations"]["iterable"][0]["text"] = "another".into()).await;
    for (asset, text) in [(&ids[4], "new here"), (&ids[5], "rust")] {
        let tag = tag(&left.client, text).await;
        left.client.call(AssetAssociateTag { asset: asset.clone(), tag }).await.expect("linked");
    }
    let rust = tag(&left.client, "rust").await;
    left.client.call(AssetDisassociateTag { asset: ids[3].clone(), tag: rust }).await.expect("unlinked");
    let summary = summary(&left.client, "more work").await;
    let linked = AssetAssociateWorkstreamSummary { asset: ids[6].clone(), workstream_summary: summary };
    left.client.call(linked).await.expect("linked");
    let comparison = compared(&left.client, &right.client).await;
    let differing: BTreeMap<_, _> = comparison
        .rows
        .iter()
        .filter(|row| row.state == RowState::Different)
        .map(|row| (lunette_inspector::listing::Row::key(row.as_ref()), row.differs))
        .collect();
    assert_eq!(differing.len(), 7, "{:?}", states(&comparison));
    let parts = |id: &AssetId| {
        let row = comparison.rows.iter().find(|row| *row.first().id == *id.as_str()).expect("a row");
        row.differs.iter().collect::<Vec<_>>()
    };
    assert_eq!(parts(&ids[0]), [Part::Content]);
    assert_eq!(parts(&ids[3]), [Part::Description, Part::Tags]);
    assert_eq!(parts(&ids[6]), [Part::Summaries]);
    let copy = plan(&comparison, |_| true, Position::Right).await;
    let run = copied(folder.path(), &comparison, &copy).await;
    all_done(&run);
    let comparison = compared(&left.client, &right.client).await;
    assert_eq!(states(&comparison), [(RowState::Same, 10)]);
}

#[tokio::test]
async fn a_plan_from_an_older_state_is_refused_row_by_row_and_what_was_copied_can_be_undone() {
    let (left, right) = (TestService::start().await, TestService::start().await);
    let folder = tempfile::tempdir().expect("a folder");
    let ids = [
        text_asset(&left.client, "a.txt", "a").await,
        text_asset(&left.client, "b.txt", "b").await,
        text_asset(&left.client, "c.txt", "c").await,
    ];
    let comparison = compared(&left.client, &right.client).await;
    all_done(&copied(folder.path(), &comparison, &plan(&comparison, |_| true, Position::Right).await).await);
    for id in &ids {
        set_text(&left.client, id, &format!("{id} on the left")).await;
    }
    let comparison = compared(&left.client, &right.client).await;
    let copy = plan(&comparison, |_| true, Position::Right).await;
    set_text(&right.client, &ids[1], "changed meanwhile").await;
    let run = copied(folder.path(), &comparison, &copy).await;
    let failed: Vec<_> = run.rows.iter().filter(|row| matches!(row.status, RowStatus::Failed(_))).collect();
    assert_eq!(failed.iter().map(|row| &row.asset).collect::<Vec<_>>(), [&ids[1]]);
    assert_eq!(run.counts().done, 2);
    let text = tree(&right.client, &ids[1]).await["original"]["reference"].to_string();
    assert!(!text.contains("on the left"), "{text}");
    let inverse = run.rows[0].done.as_deref().and_then(|change| change.inverse(Default::default()));
    assert!(inverse.is_some(), "{:?}", run.rows[0]);
}

#[tokio::test]
async fn nothing_is_written_but_to_the_side_of_the_plan_and_nothing_is_unlinked_for_what_is_not_told() {
    let (left, right) = (TestService::start().await, TestService::start().await);
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a.txt", "b.txt"] {
        let asset = rich(&left.client, name, name).await;
        assert!(tree(&left.client, &asset).await["tags"]["iterable"][0]["text"] == "rust");
    }
    let comparison = compared(&left.client, &right.client).await;
    all_done(&copied(folder.path(), &comparison, &plan(&comparison, |_| true, Position::Right).await).await);
    update(&right.client, &comparison.rows[0].first().id.parse().expect("an id"), |asset| {
        asset["name"] = "renamed".into();
    })
    .await;
    // A service of another program that leaves the tags out of its answers.
    let untelling = MutatingProxy::named("other/1.0", left.port(), |asked| match asked.path.starts_with("/asset") {
        true => ProxyAction::Change(Box::new(|reply: &mut Reply| {
            reply.json(|tree| {
                let assets = tree["iterable"].as_array_mut();
                let assets: Vec<&mut Value> = assets.map(|assets| assets.iter_mut().collect()).unwrap_or_default();
                for asset in assets {
                    asset.as_object_mut().and_then(|asset| asset.shift_remove("tags"));
                }
                tree.as_object_mut().and_then(|asset| asset.shift_remove("tags"));
            });
        })),
        false => ProxyAction::Pass,
    });
    let watched = MutatingProxy::start(right.port(), |_| ProxyAction::Pass);
    let (from, to) = (client_at(&untelling.url(), Limits::default()), client_at(&watched.url(), Limits::default()));
    let comparison = compared_as([(&from, Vendor::Other), (&to, Vendor::Lunette)]).await;
    assert_eq!(states(&comparison), [(RowState::Different, 1), (RowState::NotTold, 1)]);
    assert_eq!(comparison.rows[1].untold.names(), "tags");
    let run = copied(folder.path(), &comparison, &plan(&comparison, |_| true, Position::Right).await).await;
    all_done(&run);
    let writes = |proxy: &MutatingProxy| {
        let posts = proxy.asked().into_iter().filter(|asked| asked.method != "GET");
        posts.map(|asked| asked.path).collect::<Vec<_>>()
    };
    assert_eq!(writes(&untelling), [""; 0], "the side that is read");
    assert_eq!(writes(&watched), ["/asset/update"], "and no link was removed");
    let whole = compared(&left.client, &right.client).await;
    assert_eq!(states(&whole), [(RowState::Same, 2)]);
}

#[tokio::test]
async fn what_a_service_says_by_fingerprints_is_what_its_records_say() {
    let service = TestService::start().await;
    for number in 0..3 {
        rich(&service.client, &format!("{number}.rs"), &format!("fn main() {{ {number} }}")).await;
    }
    text_asset(&service.client, "empty of links", "text").await;
    let (ours, other) = ((&service.client, Vendor::Lunette), (&service.client, Vendor::Other));
    let comparison = compared_as([ours, other]).await;
    assert_eq!(states(&comparison), [(RowState::Same, 4)], "{:?}", comparison.rows.iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn a_field_that_a_service_of_another_program_leaves_out_is_not_told_and_is_not_emptied_elsewhere() {
    let (left, right) = (TestService::start().await, TestService::start().await);
    let folder = tempfile::tempdir().expect("a folder");
    rich(&left.client, "a.txt", "a").await;
    let first = compared(&left.client, &right.client).await;
    all_done(&copied(folder.path(), &first, &plan(&first, |_| true, Position::Right).await).await);
    // Its records have all that the public clients require.
    let untelling = MutatingProxy::named("other/1.0", left.port(), |asked| match asked.path.starts_with("/asset") {
        true => ProxyAction::Change(Box::new(|reply: &mut Reply| {
            reply.json(|tree| {
                for asset in tree["iterable"].as_array_mut().into_iter().flatten() {
                    let fields = asset.as_object_mut().expect("an asset");
                    ["annotations", "favorited", "name"].iter().for_each(|field| drop(fields.shift_remove(*field)));
                }
            });
        })),
        false => ProxyAction::Pass,
    });
    let from = client_at(&untelling.url(), Limits::default());
    let comparison = compared_as([(&from, Vendor::Other), (&right.client, Vendor::Lunette)]).await;
    assert_eq!(states(&comparison), [(RowState::NotTold, 1)]);
    assert_eq!(comparison.rows[0].untold.names(), "name, description, favourite");
    assert!(plan(&comparison, |_| true, Position::Right).await.is_empty());
}

#[tokio::test]
async fn what_a_service_was_is_a_side() {
    let service = TestService::start().await;
    let asset = rich(&service.client, "a.txt", "before").await;
    let kept = text_asset(&service.client, "kept.txt", "kept").await;
    let then = jiff::Timestamp::now().to_string();
    set_text(&service.client, &asset, "after").await;
    text_asset(&service.client, "new.txt", "new").await;
    let (source, cancel) = (VersionSource::Service(Ok(service.client.clone())), CancelFlag::default());
    let left = Side::of_past("@then".to_owned(), &source, &then, &|_| {}, &cancel).await.expect("the past is read");
    let right = side("now", &service.client, Vendor::Lunette).await;
    let comparison = Comparison::of(Arc::new(Sides { left, right }), Matches::default(), Arc::new(Base::default()));
    assert_eq!(states(&comparison), [(RowState::OnlyRight, 1), (RowState::Different, 1), (RowState::Same, 1)]);
    let row = comparison.rows.iter().find(|row| row.state == RowState::Different).expect("a row");
    assert_eq!(row.differs.names(), "content");
    let before = comparison.sides.left.record(asset.as_str()).await.expect("a record");
    assert_eq!(before.tree()["original"]["reference"]["fragment"]["string"]["raw"], "before");
    assert!(comparison.rows.iter().any(|row| row.state == RowState::Same && *row.first().id == *kept.as_str()));
    // And it can be copied to what it is now.
    let folder = tempfile::tempdir().expect("a folder");
    all_done(&copied(folder.path(), &comparison, &plan(&comparison, |_| true, Position::Right).await).await);
    assert_eq!(tree(&service.client, &asset).await["name"], "a.txt");
}

#[tokio::test]
async fn a_folder_is_a_side_that_is_matched_by_content_and_cannot_be_written_to() {
    let service = TestService::start().await;
    let files = tempfile::tempdir().expect("a folder");
    text_asset(&service.client, "a.txt", "a").await;
    text_asset(&service.client, "b.txt", "b").await;
    std::fs::write(files.path().join("a.txt"), "a").expect("a file");
    std::fs::write(files.path().join("b.txt"), "changed").expect("a file");
    std::fs::write(files.path().join("c.txt"), "c").expect("a file");
    let left = Side::of_files("files".to_owned(), files.path().to_owned(), &CancelFlag::default()).await.expect("read");
    let right = side("service", &service.client, Vendor::Lunette).await;
    let sides = Arc::new(Sides { left, right });
    let comparison = Comparison::of(Arc::clone(&sides), Matches::default(), Arc::new(Base::default()));
    assert_eq!(states(&comparison), [(RowState::OnlyLeft, 1), (RowState::Different, 1), (RowState::NotTold, 1)]);
    let to_files = copy::plan(&sides, &[], Position::Left, &|_| {}, &CancelFlag::default()).await;
    assert!(to_files.expect_err("refused").to_string().contains("cannot be written to"));
    let folder = tempfile::tempdir().expect("a folder");
    all_done(&copied(folder.path(), &comparison, &plan(&comparison, |_| true, Position::Right).await).await);
    let names: Vec<_> =
        side("service", &service.client, Vendor::Lunette).await.facts.iter().map(|one| one.name.to_string()).collect();
    assert_eq!(names, ["a.txt", "b.txt", "c.txt"]);
    assert!(SideRow::COLUMNS.iter().all(|column| !column.title.is_empty()));
}
