//! Two sides of 100,000 assets, measured.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lunette_client::client::{Client, Limits, Vendor};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record;
use lunette_client::model::seed::{BATCH_SEEDS, Seeds};
use lunette_client::operation::table::{AssetUpdate, AssetsCreateBatch, AssetsDeleteAsset};
use lunette_inspector::sides::{Base, Comparison, Matches, RowState, ServiceReader, Side, Sides};
use lunette_inspector::tasks::CancelFlag;
use lunette_service::Data;
use lunette_service::maintenance;
use serde_json::json;

use crate::support::assets::{text_asset, text_seed, tree};
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction};
use crate::support::{client, client_at, settings};

const ASSETS: usize = 100_000;
/// How many assets differ in each of four ways.
const EACH: usize = 250;

async fn side(client: &Client, vendor: Vendor) -> Side {
    let mut reader = ServiceReader::new(client.clone(), vendor);
    reader.read(&|_| {}, &CancelFlag::default()).await.expect("the side is read");
    Side::of_service(client.address().to_string(), client.clone(), vendor, reader)
}

async fn compared(left: (&Client, Vendor), right: (&Client, Vendor)) -> (Comparison, Duration) {
    let begun = Instant::now();
    let (left, right) = tokio::join!(side(left.0, left.1), side(right.0, right.1));
    let sides = Arc::new(Sides { left, right });
    (Comparison::of(sides, Matches::default(), Arc::new(Base::default())), begun.elapsed())
}

async fn fill(client: &Client) {
    let numbers: Vec<usize> = (0..ASSETS).collect();
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

/// Checks that a comparison has exactly the known differences.
fn all_and_only(comparison: &Comparison, differing: &[AssetId]) {
    let counts = RowState::ALL.map(|state| comparison.counts.of(state));
    assert_eq!(counts, [EACH, EACH, 0, 2 * EACH, 0, ASSETS - 3 * EACH], "by state");
    let mut found: Vec<String> = comparison
        .rows
        .iter()
        .filter(|row| row.state == RowState::Different)
        .map(|row| row.first().id.to_string())
        .collect();
    let mut expected: Vec<String> = differing.iter().map(ToString::to_string).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes: 100,000 assets are made first"]
async fn a_thousand_differences_of_two_services_of_100_000_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, other) = (folder.path().join("left"), folder.path().join("right"));
    let left = lunette_service::start(settings(Data::Folder(one))).await.expect("it starts");
    fill(&client(&left)).await;
    let backup = left.back_up().await.expect("a backup");
    maintenance::restore(&other, &backup.path).expect("restored");
    let right = lunette_service::start(settings(Data::Folder(other))).await.expect("it starts");
    let (ours, theirs) = (client(&left), client(&right));
    let known = side(&ours, Vendor::Lunette).await;
    let id = |index: usize| known.facts[index * 97].id.parse::<AssetId>().expect("an id");
    let mut differing = Vec::new();
    for number in 0..EACH {
        theirs.call(AssetsDeleteAsset { asset: id(number) }).await.expect("deleted");
        text_asset(&theirs, &format!("new {number}"), &format!("only here {number}")).await;
        for (which, field) in [(1, "name"), (2, "favorited")] {
            let asset = id(which * EACH + number);
            let mut record = tree(&theirs, &asset).await;
            record[field] = if field == "name" { json!("another") } else { json!(true) };
            let asset_record = Some(Record::from_any(record).expect("a record"));
            theirs.call(AssetUpdate { transferables: Some(false), asset: asset_record }).await.expect("updated");
            differing.push(asset);
        }
    }
    let (comparison, took) = compared((&ours, Vendor::Lunette), (&theirs, Vendor::Lunette)).await;
    all_and_only(&comparison, &differing);
    eprintln!("two services of ours: {took:?}");
    // One of another program that answers in 10 ms.
    let slow = MutatingProxy::named("other/1.0", right.port(), |_| {
        std::thread::sleep(Duration::from_millis(10));
        ProxyAction::Pass
    });
    let slow = client_at(&slow.url(), Limits::default());
    let (comparison, took) = compared((&ours, Vendor::Lunette), (&slow, Vendor::Other)).await;
    all_and_only(&comparison, &differing);
    eprintln!("one of another program: {took:?}");
    left.stop().await;
    right.stop().await;
}
