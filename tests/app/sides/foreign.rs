//! Copying to a service that gives its own ids: links come along, and the new ids are remembered. And what is in the
//! Trash, or may be at a side that was not read to its end.

use std::sync::atomic::{AtomicBool, Ordering};

use lunette_client::operation::table::AssetsDeleteAsset;
use lunette_inspector::runs::RowSelection;

use super::*;

/// A service of another program in front of this one. While `broken`, it answers no link to a summary.
fn other(service: &TestService, broken: &Arc<AtomicBool>) -> MutatingProxy {
    let broken = Arc::clone(broken);
    MutatingProxy::named("other/1.0", service.port(), move |asked| {
        let links =
            asked.method == "POST" && asked.path.contains("workstream_summar") && asked.path.contains("associate");
        match links && broken.load(Ordering::Relaxed) {
            true => ProxyAction::Respond(Reply { status: 500, content_type: String::new(), body: Vec::new() }),
            false => ProxyAction::Pass,
        }
    })
}

/// The names of the items of a list of an asset, in order.
fn names(asset: &Value, list: &str, field: &str) -> Vec<String> {
    let entries = asset[list]["iterable"].as_array().expect("a list").iter();
    let mut names: Vec<_> = entries.map(|entry| entry[field].as_str().expect("a text").to_owned()).collect();
    names.sort();
    names
}

/// Two assets on the left with a summary in common, and a service of another program on the right.
async fn two_assets(left: &TestService) -> [AssetId; 2] {
    let ids = [rich(&left.client, "a.txt", "a").await, rich(&left.client, "b.txt", "b").await];
    let common = summary(&left.client, "common").await;
    for asset in &ids {
        let linked = AssetAssociateWorkstreamSummary { asset: asset.clone(), workstream_summary: common.clone() };
        left.client.call(linked).await.expect("linked");
    }
    ids
}

#[tokio::test]
async fn a_service_that_gives_its_own_ids_gets_all_links_and_the_favourite_and_the_new_ids_are_remembered() {
    let (left, right) = (TestService::start().await, TestService::start().await);
    let folder = tempfile::tempdir().expect("a folder");
    let ids = two_assets(&left).await;
    let proxy = other(&right, &Arc::default());
    let to = client_at(&proxy.url(), Limits::default());
    let comparison = compared_as([(&left.client, Vendor::Lunette), (&to, Vendor::Other)]).await;
    let copy = plan(&comparison, |_| true, Position::Right).await;
    let run = copied(folder.path(), &comparison, &copy).await;
    all_done(&run);
    let mapping = copy.mapping(&run);
    assert_eq!(mapping.len(), 2);
    for (old, new) in &mapping {
        assert!(ids.iter().any(|id| id.as_str() == &**old) && !ids.contains(new), "{old} is {new}");
        let (was, is) = (tree(&left.client, &old.parse().expect("an id")).await, tree(&right.client, new).await);
        for (list, field) in [("tags", "text"), ("websites", "url"), ("summaries", "name")] {
            assert_eq!(names(&is, list, field), names(&was, list, field));
        }
        assert_eq!((&is["favorited"], &is["name"]), (&json!(true), &was["name"]));
    }
    let summaries = json!({ "all": right.send("GET", "/workstream_summaries?transferables=true", None).await.json() });
    assert_eq!(names(&summaries, "all", "name"), ["common", "work on a.txt", "work on b.txt"], "each was created once");

    // A second comparison knows them, though name and content differ by now, whichever side is named first.
    let written = Base::default().with_copied(mapping.iter().map(|(old, new)| (old.clone(), Arc::from(new.as_str()))));
    written.save(folder.path(), ["left", "right"]).expect("saved");
    set_text(&left.client, &ids[0], "another text").await;
    update(&left.client, &ids[0], |asset| asset["name"] = "another name".into()).await;
    let again = compared_as([(&left.client, Vendor::Lunette), (&to, Vendor::Other)]).await;
    assert_eq!(states(&again), [(RowState::OnlyLeft, 1), (RowState::OnlyRight, 1), (RowState::Same, 1)]);
    let (one, turned) = (Arc::clone(&again.sides), ["right", "left"]);
    let known = Comparison::of(one, Matches::default(), Arc::new(Base::load(folder.path(), ["left", "right"])));
    assert_eq!(states(&known), [(RowState::Different, 1), (RowState::Same, 1)]);
    let back = Base::load(folder.path(), turned);
    let sides = Sides {
        left: side("right", &to, Vendor::Other).await,
        right: side("left", &left.client, Vendor::Lunette).await,
    };
    assert_eq!(Comparison::of(Arc::new(sides), Matches::default(), Arc::new(back)).counts, known.counts);
    // This one changes no content by an update of the record, and the run says so.
    let run = copied(folder.path(), &known, &plan(&known, |_| true, Position::Right).await).await;
    let said: Vec<_> = run.rows.iter().filter_map(|row| row.message.as_deref()).collect();
    assert!(said.iter().any(|said| said.contains("did not store the text")), "{said:?}");
    let evened = compared_as([(&left.client, Vendor::Lunette), (&to, Vendor::Other)]).await;
    let different = evened.rows.iter().filter(|row| row.state.is_difference());
    assert_eq!(different.map(|row| row.differs.names()).collect::<Vec<_>>(), ["content"], "the name was copied");
}

#[tokio::test]
async fn scores_that_a_copy_does_not_get_are_told_before_it_is_made() {
    let (left, right) = (TestService::start().await, TestService::start().await);
    two_assets(&left).await;
    let scored = side("left", &left.client, Vendor::Lunette).await;
    for facts in &scored.facts {
        let asset = tree(&left.client, &facts.id.parse().expect("an id")).await;
        assert!(asset["score"]["manual"].as_i64().is_some_and(|score| score > 0), "{asset}");
    }
    let proxy = other(&right, &Arc::default());
    let to = client_at(&proxy.url(), Limits::default());
    for (client, vendor, told) in [
        (&right.client, Vendor::Lunette, "“manual” and “automatic” of 2 assets are not copied: right makes them"),
        (&to, Vendor::Other, "The scores of 2 assets are not copied: right sets its own"),
    ] {
        let comparison = compared_as([(&left.client, Vendor::Lunette), (client, vendor)]).await;
        let copy = plan(&comparison, |_| true, Position::Right).await;
        let lost = copy.lost_scores.expect("scores that are not copied");
        assert!(lost.sentence.contains(told), "{lost:?}");
        assert_eq!(lost.short, "scores of 2 assets not copied");
    }
}

#[tokio::test]
async fn what_follows_a_creation_is_about_the_new_asset_also_after_the_run_was_interrupted() {
    let (left, right) = (TestService::start().await, TestService::start().await);
    let folder = tempfile::tempdir().expect("a folder");
    two_assets(&left).await;
    let broken = Arc::new(AtomicBool::new(true));
    let proxy = other(&right, &broken);
    let to = client_at(&proxy.url(), Limits::default());
    let comparison = compared_as([(&left.client, Vendor::Lunette), (&to, Vendor::Other)]).await;
    let copy = plan(&comparison, |_| true, Position::Right).await;
    let run = copied(folder.path(), &comparison, &copy).await;
    assert_eq!(run.counts().done, 4, "two assets and their favourites: {run:?}");
    broken.store(false, Ordering::Relaxed);
    let url = to.address().to_string();
    for rows in [RowSelection::Failed, RowSelection::Open] {
        let resumed = HeadlessRun::resume(folder.path(), &url, run.id, rows).expect("a run");
        resumed.carry_out(to.clone(), &url, Vendor::Other, Control::new(4), |_| {}).await.expect("carried out");
    }
    let evened = compared_as([(&left.client, Vendor::Lunette), (&to, Vendor::Other)]).await;
    assert_eq!(states(&evened), [(RowState::Same, 2)]);
}

#[tokio::test]
async fn an_asset_in_the_trash_of_the_other_side_comes_back_under_its_id() {
    let (left, right) = (TestService::start().await, TestService::start().await);
    let folder = tempfile::tempdir().expect("a folder");
    let asset = rich(&left.client, "a.txt", "a").await;
    let first = compared(&left.client, &right.client).await;
    all_done(&copied(folder.path(), &first, &plan(&first, |_| true, Position::Right).await).await);
    right.client.call(AssetsDeleteAsset { asset: asset.clone() }).await.expect("deleted");
    let comparison = compared(&left.client, &right.client).await;
    assert_eq!(states(&comparison), [(RowState::OnlyLeft, 1)]);
    let copy = plan(&comparison, |_| true, Position::Right).await;
    assert!(copy.left.iter().any(|left| left.contains("in the Trash there")), "{:?}", copy.left);
    all_done(&copied(folder.path(), &comparison, &copy).await);
    assert_eq!(states(&compared(&left.client, &right.client).await), [(RowState::Same, 1)]);
    assert_eq!(tree(&right.client, &asset).await["name"], "a.txt");
}

#[tokio::test]
async fn what_may_be_at_a_side_that_was_not_read_to_its_end_is_not_created_there() {
    let (left, right) = (TestService::start().await, TestService::start().await);
    let hidden = text_asset(&right.client, "hidden.txt", "hidden").await;
    text_asset(&left.client, "a.txt", "a").await;
    let path = format!("/asset/{hidden}");
    let proxy = MutatingProxy::named("other/1.0", right.port(), move |asked| {
        let refused = if asked.path == "/assets" { 404 } else { 400 };
        match asked.path == "/assets" || asked.path == path {
            true => ProxyAction::Respond(Reply { status: refused, content_type: String::new(), body: Vec::new() }),
            false => ProxyAction::Pass,
        }
    });
    let to = client_at(&proxy.url(), Limits::default());
    let comparison = compared_as([(&left.client, Vendor::Lunette), (&to, Vendor::Other)]).await;
    assert_eq!(states(&comparison), [(RowState::NotTold, 1)], "{:?}", comparison.sides.right.left_out);
    let copy = plan(&comparison, |_| true, Position::Right).await;
    assert!(copy.is_empty() && copy.left.iter().any(|left| left.contains("may have it")), "{:?}", copy.left);
}
