//! What never happens, whatever two sides are: random stores, of which one leaves out fields, are evened out.

use std::collections::BTreeSet;

use lunette_client::operation::table::AssetsDeleteAsset;
use lunette_inspector::sides::PartKind;

use super::*;
use crate::support::partial::Numbers;

/// So many stores are made.
const ROUNDS: u64 = 6;
/// How many assets each has at first.
const ASSETS: usize = 10;
/// The fields that a service may leave out.
const FIELDS: [&str; 6] = ["tags", "websites", "summaries", "annotations", "favorited", "name"];

/// The links of all assets of a service: the asset, the kind, and what is linked.
type Links = BTreeSet<(String, &'static str, String)>;

async fn links(service: &TestService) -> (BTreeSet<String>, Links) {
    let (mut ids, mut links) = (BTreeSet::new(), Links::new());
    for facts in &side("all", &service.client, Vendor::Lunette).await.facts {
        let asset = tree(&service.client, &facts.id.parse().expect("an id")).await;
        for (list, field) in [("tags", "text"), ("websites", "url"), ("summaries", "name")] {
            for entry in asset[list]["iterable"].as_array().expect("a list") {
                links.insert((facts.id.to_string(), list, entry[field].as_str().expect("a text").to_owned()));
            }
        }
        ids.insert(facts.id.to_string());
    }
    (ids, links)
}

/// Changes a store in ways that this number says.
async fn change(service: &TestService, numbers: &mut Numbers, mark: &str) {
    let ids: Vec<AssetId> = side("all", &service.client, Vendor::Lunette)
        .await
        .facts
        .iter()
        .map(|facts| facts.id.parse().expect("an id"))
        .collect();
    let client = &service.client;
    for (index, id) in ids.iter().enumerate() {
        match numbers.below(8) {
            0 => set_text(client, id, &format!("{mark} {index}")).await,
            1 => update(client, id, |asset| asset["name"] = format!("{mark} {index}.txt").into()).await,
            2 => update(client, id, |asset| asset["favorited"] = (index % 2 == 0).into()).await,
            3 => {
                let tag = tag(client, &format!("{mark} tag")).await;
                client.call(AssetAssociateTag { asset: id.clone(), tag }).await.expect("linked");
            }
            4 => {
                let tag = tag(client, "rust").await;
                // It may not be linked, which is not an error of the test.
                client.call(AssetDisassociateTag { asset: id.clone(), tag }).await.ok();
            }
            5 => {
                let workstream_summary = summary(client, &format!("{mark} work")).await;
                let link = AssetAssociateWorkstreamSummary { asset: id.clone(), workstream_summary };
                client.call(link).await.expect("linked");
            }
            6 => drop(client.call(AssetsDeleteAsset { asset: id.clone() }).await.expect("deleted")),
            _ => {}
        }
    }
    for number in 0..numbers.below(3) {
        rich(client, &format!("{mark} new {number}.txt"), &format!("{mark} new {number}")).await;
    }
}

/// A service of another program in front of one, which leaves these fields out of its answers.
fn untelling(service: &TestService, left_out: Vec<&'static str>) -> MutatingProxy {
    MutatingProxy::named("other/1.0", service.port(), move |asked| {
        let left_out = left_out.clone();
        match asked.method == "GET" && asked.path.starts_with("/asset") {
            true => ProxyAction::Change(Box::new(move |reply: &mut Reply| {
                reply.json(|tree| {
                    let listed = tree["iterable"].as_array_mut().into_iter().flatten();
                    let strip = |asset: &mut Value| {
                        let fields = asset.as_object_mut().into_iter();
                        fields.for_each(|asset| left_out.iter().for_each(|field| drop(asset.shift_remove(*field))));
                    };
                    listed.for_each(strip);
                    strip(tree);
                });
            })),
            false => ProxyAction::Pass,
        }
    })
}

fn writes(proxy: &MutatingProxy) -> usize {
    proxy.asked().iter().filter(|asked| asked.method != "GET").count()
}

/// Copies everything that differs to a side, and checks what must not happen: `there` is that side, which is written
/// to, and `read` the proxy in front of the other one. `untold` are the kinds of links that one of them leaves out.
async fn copy_all(comparison: &Comparison, to: Position, there: &TestService, read: &MutatingProxy, untold: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let (before, written) = (links(there).await, writes(read));
    let copy = plan(comparison, |row| row.state != RowState::Same, to).await;
    let run = copied(folder.path(), comparison, &copy).await;
    all_done(&run);
    let after = links(there).await;
    assert_eq!(writes(read), written, "the side that is not named in the plan");
    assert!(before.0.is_subset(&after.0), "an asset was deleted");
    for lost in before.1.difference(&after.1) {
        assert!(!untold.contains(&lost.1), "unlinked for what was not told: {lost:?}");
    }
}

#[tokio::test]
async fn nothing_is_deleted_or_unlinked_for_what_is_not_told_nothing_is_written_elsewhere_and_both_end_up_the_same() {
    for round in 0..ROUNDS {
        let mut numbers = Numbers::from(round + 1);
        let (left, right) = (TestService::start().await, TestService::start().await);
        let folder = tempfile::tempdir().expect("a folder");
        for number in 0..ASSETS {
            rich(&left.client, &format!("{number}.txt"), &format!("{number}")).await;
        }
        let first = compared(&left.client, &right.client).await;
        all_done(&copied(folder.path(), &first, &plan(&first, |_| true, Position::Right).await).await);
        change(&left, &mut numbers, "left").await;
        change(&right, &mut numbers, "right").await;
        let left_out: Vec<_> = FIELDS.into_iter().filter(|_| numbers.below(3) == 0).collect();
        let proxies = [untelling(&left, left_out.clone()), MutatingProxy::start(right.port(), |_| ProxyAction::Pass)];
        let clients = proxies.each_ref().map(|proxy| client_at(&proxy.url(), Limits::default()));
        let sides = [(&clients[0], Vendor::Other), (&clients[1], Vendor::Lunette)];
        // Twice: what comes back from the Trash comes back as it was.
        for _ in 0..2 {
            let comparison = compared_as(sides).await;
            copy_all(&comparison, Position::Right, &right, &proxies[0], &left_out).await;
        }
        let comparison = compared_as(sides).await;
        copy_all(&comparison, Position::Left, &left, &proxies[1], &left_out).await;
        let comparison = compared_as(sides).await;
        let rows: Vec<_> = comparison.rows.iter().filter(|row| row.state.is_difference()).collect();
        assert!(rows.is_empty(), "round {round}, without {left_out:?}: {rows:?}");
        assert!(comparison.rows.iter().all(|row| !row.differs_in(PartKind::Links)));
    }
}
