//! Makes a data folder with many assets, to try the program and to measure it:
//! `cargo bench --bench make_store -- FOLDER ASSETS [CONTENTS]`. With CONTENTS, the contents are also written as files
//! below that folder, for programs that search files.
//!
//! What must hold: names, contents and links are the same in every run (ids and times differ); each asset has three
//! links, and its content begins with its name, so that a search of files can find what a search of assets finds.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::stream::{self, StreamExt as _};
use lunette_client::client::{Client, Limits};
use lunette_client::model::id::{AssetId, WorkstreamSummaryId};
use lunette_client::model::record::Record;
use lunette_client::operation::table::{
    AssetAssociateWorkstreamSummary, AssetsCreateBatch, SearchAssets, WorkstreamSummariesCreateNewWorkstreamSummary,
};
use lunette_service::detect::NoDetector;
use lunette_service::{Data, Ports, Settings};
use made_assets::{LINKED_TO_SUMMARY, Made, made};
use serde_json::{Value, json};

#[path = "../tests/support/made_assets.rs"]
mod made_assets;

/// How many assets one request creates, as an import does.
const BATCH: usize = 128;
/// How many requests are in flight: some are read while one is stored.
const BATCHES_IN_FLIGHT: usize = 4;
const LINKS_IN_FLIGHT: usize = 64;
const SUMMARIES: usize = 200;

fn seed(made: &Made) -> Value {
    let tags: Vec<Value> = made.tags.iter().map(|text| json!({ "text": text })).collect();
    let websites: Vec<Value> = made.website.iter().map(|url| json!({ "url": url, "name": url })).collect();
    json!({ "type": "SEEDED_ASSET", "asset": {
        "application": { "id": "a", "name": "OPEN_SOURCE", "version": "1", "platform": "LINUX",
            "onboarded": false, "privacy": "OPEN" },
        "format": { "fragment": { "string": { "raw": made.content } } },
        "metadata": { "name": made.name, "tags": tags, "websites": websites },
    } })
}

fn write(made: &Made, folder: &Path) {
    let below = folder.join(format!("part{:04}", made.number / 500));
    std::fs::create_dir_all(&below).expect("a folder");
    std::fs::write(below.join(&made.name), &made.content).expect("a file");
}

fn record<R: Record>(tree: Value) -> R {
    R::from_tree(tree).expect("a record")
}

async fn create_summaries(client: &Client) -> Vec<WorkstreamSummaryId> {
    stream::iter(0..SUMMARIES)
        .map(|number| {
            let model = json!({ "id": "00000000-0000-4000-8000-000000000001", "version": "1", "name": "none",
                "created": { "value": "2026-01-01T00:00:00Z" }, "cloud": false, "type": "BALANCED",
                "usage": "CODE_CONVERSATION" });
            let summary = json!({ "name": format!("Work of day {number}"), "model": model });
            let op = WorkstreamSummariesCreateNewWorkstreamSummary {
                transferables: Some(false),
                summary: Some(record(summary)),
            };
            async move { client.call(op).await.expect("a summary").view().id().parse().expect("an id") }
        })
        .buffered(LINKS_IN_FLIGHT)
        .collect()
        .await
}

/// Creates the assets of one request, and links those that have no website.
async fn create_batch(
    client: &Client,
    numbers: std::ops::Range<usize>,
    contents: Option<&Path>,
    summaries: &[WorkstreamSummaryId],
) {
    let assets: Vec<Made> = numbers.map(made).collect();
    if let Some(folder) = contents {
        assets.iter().for_each(|asset| write(asset, folder));
    }
    let seeds: Vec<Value> = assets.iter().map(seed).collect();
    let seeds = Some(record(json!({ "iterable": seeds })));
    let op = AssetsCreateBatch { once: None, records: Some(false), seeds };
    let created = client.call(op).await.expect("the assets");
    let ids: Vec<AssetId> = created
        .view()
        .iterable()
        .iter()
        .map(|outcome| outcome.id().expect("it is created").to_string().parse().expect("an id"))
        .collect();
    assert_eq!(ids.len(), assets.len(), "every seed became an asset");
    let linked = assets.iter().zip(ids).filter(|(asset, _)| asset.website.is_none());
    stream::iter(linked)
        .for_each_concurrent(LINKS_IN_FLIGHT, |(made, asset)| async move {
            let workstream_summary = summaries[made.number / LINKED_TO_SUMMARY % summaries.len()].clone();
            client.call(AssetAssociateWorkstreamSummary { asset, workstream_summary }).await.expect("a link");
        })
        .await;
}

async fn make(folder: PathBuf, count: usize, contents: Option<PathBuf>) {
    let settings = Settings::new(Data::Folder(folder), Ports::Any, Arc::new(NoDetector));
    let running = lunette_service::start(settings).await.expect("the service starts");
    let limits = Limits { total: Duration::from_secs(120), ..Limits::default() };
    let client = Client::new(running.url().parse().expect("an address"), limits).expect("a client");
    let summaries = create_summaries(&client).await;
    let starts = (0..count).step_by(BATCH);
    stream::iter(starts)
        .for_each_concurrent(BATCHES_IN_FLIGHT, |first| {
            let numbers = first..count.min(first + BATCH);
            create_batch(&client, numbers, contents.as_deref(), &summaries)
        })
        .await;
    until_searchable(&client).await;
    running.stop().await;
}

/// Waits until the contents of all assets are indexed.
async fn until_searchable(client: &Client) {
    loop {
        let query = Some("anything".to_owned());
        let search =
            SearchAssets { query, transferables: Some(false), searchable_tags: None, pseudo: None, exact: None };
        if client.call(search).await.expect("a search").tree().get("unindexed").is_none() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn main() {
    // `cargo bench` adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let (folder, count, contents) = match arguments.as_slice() {
        [folder, count] => (folder, count, None),
        [folder, count, contents] => (folder, count, Some(contents.into())),
        _ => return println!("usage: cargo bench --bench make_store -- FOLDER ASSETS [CONTENTS]"),
    };
    let count = count.parse().expect("ASSETS is a number");
    let began = Instant::now();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(make(folder.into(), count, contents));
    println!("made {count} assets in {:.1} s", began.elapsed().as_secs_f64());
}
