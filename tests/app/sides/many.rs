//! Two sides of 100,000 assets, measured.

use std::time::{Duration, Instant};

use lunette_client::operation::table::AssetsDeleteAsset;
use lunette_service::Data;
use lunette_service::maintenance;

use super::*;
use crate::support::{client, settings};

const ASSETS: usize = 100_000;
/// How many assets differ in each of four ways.
const EACH: usize = 250;
/// How long two services of ours may take, and one of another program that answers in 10 ms.
const BARS: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(20)];

async fn measured(left: (&Client, Vendor), right: (&Client, Vendor)) -> (Comparison, Duration) {
    let begun = Instant::now();
    let (left, right) = tokio::join!(side("left", left.0, left.1), side("right", right.0, right.1));
    let sides = Arc::new(Sides { left, right });
    (Comparison::of(sides, Matches::default(), Arc::new(Base::default())), begun.elapsed())
}

/// Checks that a comparison has exactly the known differences.
fn all_and_only(comparison: &Comparison, differing: &[AssetId]) {
    let counts = RowState::ALL.map(|state| comparison.counts.of(state));
    assert_eq!(counts, [EACH, EACH, 0, 2 * EACH, 0, ASSETS - 3 * EACH], "by state");
    let rows = comparison.rows.iter().filter(|row| row.state == RowState::Different);
    let mut found: Vec<String> = rows.map(|row| row.first().id.to_string()).collect();
    let mut expected: Vec<String> = differing.iter().map(ToString::to_string).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

/// Reports a time; in a build for release it is held to its bar.
fn held(what: &str, took: Duration, bar: Duration) {
    eprintln!("{what}: {took:?}");
    assert!(cfg!(debug_assertions) || took <= bar, "{what}: {took:?}, and not {bar:?}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes: 100,000 assets are made first"]
async fn a_thousand_differences_of_two_services_of_100_000_are_found_and_evened_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, other) = (folder.path().join("left"), folder.path().join("right"));
    let left = lunette_service::start(settings(Data::Folder(one))).await.expect("it starts");
    fill(&client(&left), ASSETS).await;
    let backup = left.back_up().await.expect("a backup");
    maintenance::restore(&other, &backup.path).expect("restored");
    let right = lunette_service::start(settings(Data::Folder(other))).await.expect("it starts");
    let (ours, theirs) = (client(&left), client(&right));
    let known = side("left", &ours, Vendor::Lunette).await;
    let id = |index: usize| known.facts[index * 97].id.parse::<AssetId>().expect("an id");
    let mut differing = Vec::new();
    for number in 0..EACH {
        theirs.call(AssetsDeleteAsset { asset: id(number) }).await.expect("deleted");
        text_asset(&theirs, &format!("new {number}"), &format!("only here {number}")).await;
        for (which, field) in [(1, "name"), (2, "favorited")] {
            let asset = id(which * EACH + number);
            let value = if field == "name" { json!("another") } else { json!(true) };
            update(&theirs, &asset, |record| record[field] = value).await;
            differing.push(asset);
        }
    }
    let (comparison, took) = measured((&ours, Vendor::Lunette), (&theirs, Vendor::Lunette)).await;
    all_and_only(&comparison, &differing);
    held("two services of ours", took, BARS[0]);
    // One of another program that answers in 10 ms.
    let slow = MutatingProxy::named("other/1.0", right.port(), |_| {
        std::thread::sleep(Duration::from_millis(10));
        ProxyAction::Pass
    });
    let slow = client_at(&slow.url(), Limits::default());
    let (of_slow, took) = measured((&ours, Vendor::Lunette), (&slow, Vendor::Other)).await;
    all_and_only(&of_slow, &differing);
    held("one of another program", took, BARS[1]);

    let begun = Instant::now();
    for to in Position::ALL.into_iter().rev() {
        let copy = plan(&comparison, |row| row.side(to).is_none() || to == Position::Right, to).await;
        all_done(&copied(folder.path(), &comparison, &copy).await);
    }
    eprintln!("copied both ways: {:?}", begun.elapsed());
    let (again, _) = measured((&ours, Vendor::Lunette), (&theirs, Vendor::Lunette)).await;
    assert_eq!(states(&again), [(RowState::Same, ASSETS + EACH)]);
    left.stop().await;
    right.stop().await;
}
