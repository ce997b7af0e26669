//! How long it takes to read a version among many, and all assets as they were.

use lunette_client::model::id::VersionNumber;
use lunette_client::operation::table::{AssetVersionContent, AssetsThen};

use super::*;

/// How many versions an asset has whose versions are read.
const VERSIONS: usize = 200;
/// How many times each of them is read.
const READS: usize = 15;

/// Reads each version of an asset.
pub(crate) async fn print_versions() {
    let mut bench = Bench::start(PastBounds::default()).await;
    bench.create(1, Shape::SMALL).await;
    for version in 1..VERSIONS {
        bench.edit(0, Shape::SMALL.text(0, version)).await;
    }
    bench.rest();
    let mut slowest = [Duration::ZERO; 2];
    for version in 1..=VERSIONS {
        let mut took = Vec::new();
        for _ in 0..READS {
            let (asset, number) = (bench.assets[0].parse().expect("an id"), u32::try_from(version).expect("few"));
            let version = VersionNumber::of(number).expect("a number");
            let call = AssetVersionContent { asset, version, offset: None, limit: None };
            let began = Instant::now();
            let read = bench.client.call(call).await.expect("read").into_tree();
            took.push(began.elapsed());
            assert_eq!(read["text"], Shape::SMALL.text(0, number as usize - 1), "it is what was written");
        }
        let among_newest = usize::from(version + 32 <= VERSIONS);
        slowest[among_newest] = slowest[among_newest].max(median(took));
    }
    println!(
        "reading a version over HTTP, the slowest of all by their medians: {} us of the newest 32, {} us of {VERSIONS}",
        slowest[0].as_micros(),
        slowest[1].as_micros(),
    );
    bench.running.stop().await;
}

/// Lists all assets as they were before each was changed.
pub(crate) async fn print_then(assets: usize) {
    let mut bench = Bench::start(PastBounds::default()).await;
    bench.create(assets, Shape::SMALL).await;
    let at = bench.client.call(AssetsThen { at: "2200-01-01T00:00:00Z".to_owned() }).await.expect("a list").into_tree();
    let at = at["iterable"].as_array().and_then(|all| all.last()).map(|last| last["updated"]["value"].clone());
    let at = at.as_ref().and_then(Value::as_str).expect("a time").to_owned();
    for version in 1..=3 {
        bench.edit_all(version, Shape::SMALL, CLIENTS).await;
    }
    bench.rest();
    let mut took = Vec::new();
    for _ in 0..7 {
        let began = Instant::now();
        let listed = bench.client.call(AssetsThen { at: at.clone() }).await.expect("a list").into_tree();
        took.push(began.elapsed());
        assert_eq!(listed["iterable"].as_array().map(Vec::len), Some(assets), "all are listed");
        assert_eq!(listed["iterable"][0]["version"], 1, "as they were");
    }
    println!(
        "{assets} assets as they were three changes ago, over HTTP, parsed: {} ms in the median of 7",
        median(took).as_millis()
    );
    bench.running.stop().await;
}
