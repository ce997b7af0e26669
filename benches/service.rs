//! What the store and the records cost without HTTP: reading an asset and a page, searching; linking and unlinking a tag
//! durably, by one client and by many at once, beside one SQLite connection that commits one change at a time. What a
//! group needs is made when it is measured: `cargo bench --features bench --bench service -- durable` is quick. What is
//! searched is kept in the folder that `LUNETTE_BENCH_STORE` names, where that is set, and used again.

use std::cell::LazyCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lunette_client::model::id::{AssetId, TagId};
use lunette_client::model::record::Record;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetDisassociateTag, AssetSnapshot, AssetsCreateBatch, AssetsCreateNewAsset, AssetsSnapshot,
    SearchAssets, TagsCreateNewTag,
};
use lunette_service::Service;
use lunette_service::detect::NoDetector;
use lunette_service::store::Store;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The number of concurrent clients.
const CLIENTS: usize = 64;
/// How many assets lists are made on.
const ASSETS: usize = 10_000;
/// How many assets searches are made on.
const SEARCHED: usize = 100_000;
/// How many of them are made at a time.
const BATCH: usize = 256;

fn record<R: Record>(tree: Value) -> R {
    R::from_tree(tree).expect("a record")
}

fn service() -> (Service, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    (Service::new(store, Arc::new(NoDetector)).expect("a service"), folder)
}

fn create(service: &Service, name: &str, text: &str) -> AssetId {
    let seed = json!({ "asset": {
        "application": { "id": "a", "name": "OPEN_SOURCE", "version": "1", "platform": "LINUX", "onboarded": false,
            "privacy": "OPEN" },
        "format": { "fragment": { "string": { "raw": text } } },
        "metadata": { "name": name, "tags": [{ "text": "bench" }] },
    } });
    let op = AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(record(seed)) };
    service.create_asset(op).expect("an asset").view().id().parse().expect("an id")
}

fn tag(service: &Service, text: &str) -> TagId {
    let op = TagsCreateNewTag { transferables: None, tag: Some(record(json!({ "text": text }))) };
    service.create_tag(op).expect("a tag").view().id().parse().expect("an id")
}

/// Creates this many items with many concurrent clients.
fn create_all(count: usize, create: impl Fn(usize) + Sync) {
    std::thread::scope(|scope| {
        for part in 0..CLIENTS {
            let create = &create;
            scope.spawn(move || (part..count).step_by(CLIENTS).for_each(create));
        }
    });
}

fn reading(criterion: &mut Criterion) {
    let (service, _folder) = service();
    let asset = create(&service, "main.rs", &"fn main() {}\n".repeat(1000));
    let mut group = criterion.benchmark_group("snapshot");
    for (name, transferables) in [("without content", false), ("with 13 kB of text", true)] {
        let op = AssetSnapshot { asset: asset.clone(), transferables: Some(transferables) };
        group.bench_function(name, |bencher| bencher.iter(|| service.snapshot(op.clone()).expect("the asset")));
    }
    group.finish();
    let many = LazyCell::new(|| {
        create_all(ASSETS, |number| {
            let text = format!("fn number_{number}() {{}}\n").repeat(40);
            create(&service, &format!("file {number}.rs"), &text);
        });
        &service
    });
    let mut group = criterion.benchmark_group("of 10,000 assets");
    group.sample_size(20);
    let page = AssetsSnapshot {
        transferables: Some(false),
        suggested: None,
        pseudo: None,
        offset: Some(5_000),
        limit: Some(100),
    };
    group.bench_function("a page of 100", |bencher| {
        let service = *many;
        bencher.iter(|| service.list(page.clone()).expect("a page"))
    });
    group.finish();
}

/// The words that the texts to be searched are made of: few of them are common, most are rare.
fn word(random: &mut u64) -> String {
    // An xorshift generator: the same words in every run.
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    let rank = (*random >> 11) as f64 / (1_u64 << 53) as f64;
    let number = (20_000.0_f64.powf(rank)) as u64;
    let letters = ["ba", "ne", "ti", "ro", "su", "ka", "le", "mo"];
    (0..5).map(|index| letters[(number >> (3 * index) & 7) as usize]).collect()
}

fn words(random: &mut u64, count: usize) -> String {
    (0..count).map(|_| word(random)).collect::<Vec<_>>().join(" ")
}

/// The seed of one of the assets to be searched.
fn searched(number: usize) -> Value {
    let mut random = number as u64 * 0x9E37_79B9_7F4A_7C15 + 1;
    let name = format!("{} file {number}.rs", words(&mut random, 2));
    json!({ "asset": {
        "application": { "id": "a", "name": "OPEN_SOURCE", "version": "1", "platform": "LINUX",
            "onboarded": false, "privacy": "OPEN" },
        "format": { "fragment": { "string": { "raw": format!("usual {}", words(&mut random, 95)) } } },
        "metadata": { "name": name, "tags": [{ "text": "bench" }, { "text": word(&mut random) }],
            "annotations": [{ "type": "DESCRIPTION", "text": words(&mut random, 12) }] },
    } })
}

/// A service with all assets to be searched, in the named folder or a temporary one.
fn searched_service() -> (Service, Option<TempDir>) {
    let Some(folder) = std::env::var_os("LUNETTE_BENCH_STORE") else {
        let (service, folder) = service();
        create_searched(&service);
        return (service, Some(folder));
    };
    let store = Store::open(folder.as_ref()).expect("a store");
    let service = Service::new(store, Arc::new(NoDetector)).expect("a service");
    let page = AssetsSnapshot {
        transferables: Some(false),
        suggested: None,
        pseudo: None,
        offset: Some(SEARCHED as u64 - 1),
        limit: Some(1),
    };
    let list: Value = serde_json::from_slice(&service.list(page).expect("a page")).expect("a list");
    if list["iterable"].as_array().is_none_or(Vec::is_empty) {
        create_searched(&service);
    }
    (service, None)
}

/// Creates them in batches, and waits until their contents are indexed.
fn create_searched(service: &Service) {
    for first in (0..SEARCHED).step_by(BATCH) {
        let seeds: Vec<Value> = (first..SEARCHED.min(first + BATCH)).map(searched).collect();
        let seeds = Some(record(json!({ "iterable": seeds })));
        service.create_assets(AssetsCreateBatch { once: None, records: None, seeds }).expect("assets");
    }
    let query = Some("anything".to_owned());
    let search = SearchAssets { query, transferables: Some(false), searchable_tags: None, pseudo: None, exact: None };
    let unindexed = || {
        let found: Value = serde_json::from_slice(&service.search(search.clone()).expect("a search")).expect("hits");
        found.get("unindexed").is_some()
    };
    while unindexed() {
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// A search of many assets that have a name, two tags, a description and 1 kB of content each; the answer as it goes out.
fn searching(criterion: &mut Criterion) {
    let made = LazyCell::new(searched_service);
    let mut group = criterion.benchmark_group("search of 100,000 assets");
    group.sample_size(20);
    for (kind, query) in [
        ("a common word", "nebabababa"),
        ("a word of every name", "file"),
        ("a word of every content", "usual"),
        ("a rare word", "tibarolene"),
        ("two words", "nebabababa tibabababa"),
        ("two common words, in names and in contents", "usual nebabababa"),
        ("a part of words", "tirol"),
        ("the end of a name", "77777.rs"),
        ("one letter", "b"),
        ("nothing", "nowhere"),
    ] {
        let op = SearchAssets {
            query: Some(query.to_owned()),
            transferables: Some(false),
            searchable_tags: None,
            pseudo: None,
            exact: None,
        };
        group.bench_function(format!("{kind}: {query:?}"), |bencher| {
            let search = || made.0.search(op.clone()).expect("a search");
            let answer: Value = serde_json::from_slice(&search()).expect("an answer");
            println!("{} found", answer["iterable"].as_array().map_or(0, Vec::len));
            bencher.iter(search);
        });
    }
    group.finish();
}

/// One connection, one change a commit, with the store's own durability.
fn one_at_a_time(changes: u64) -> Duration {
    let folder = tempfile::tempdir().expect("a folder");
    let db = rusqlite::Connection::open(folder.path().join("db")).expect("a database");
    db.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE link (asset INTEGER, item INTEGER, PRIMARY KEY (asset, item)) WITHOUT ROWID;",
    )
    .expect("a table");
    let began = Instant::now();
    for change in 0..changes {
        db.execute("INSERT INTO link VALUES (1, ?1)", [change as i64]).expect("inserted");
    }
    began.elapsed()
}

/// Performs this many links and unlinks, spread over this many threads.
fn links(service: &Service, asset: &AssetId, tags: &[TagId], changes: u64) -> Duration {
    let began = Instant::now();
    std::thread::scope(|scope| {
        for (index, tag) in tags.iter().enumerate() {
            let mine = changes / tags.len() as u64 + u64::from((index as u64) < changes % tags.len() as u64);
            scope.spawn(move || {
                for change in 0..mine {
                    let (asset, tag) = (asset.clone(), tag.clone());
                    match change % 2 {
                        0 => service.associate_tag(AssetAssociateTag { asset, tag }),
                        _ => service.disassociate_tag(AssetDisassociateTag { asset, tag }),
                    }
                    .expect("durable");
                }
            });
        }
    });
    began.elapsed()
}

fn writing(criterion: &mut Criterion) {
    let (service, _folder) = service();
    let asset = create(&service, "main.rs", "fn main() {}\n");
    let tags: Vec<TagId> = (0..CLIENTS).map(|number| tag(&service, &format!("tag {number}"))).collect();
    let mut group = criterion.benchmark_group("durable changes");
    group.sample_size(10).measurement_time(Duration::from_secs(5)).throughput(Throughput::Elements(1));
    group.bench_function("one connection, one commit each", |bencher| bencher.iter_custom(one_at_a_time));
    group.bench_function("link and unlink, 1 client", |bencher| {
        bencher.iter_custom(|changes| links(&service, &asset, &tags[..1], changes))
    });
    group.bench_function("link and unlink, 64 clients", |bencher| {
        bencher.iter_custom(|changes| links(&service, &asset, &tags, changes))
    });
    group.finish();
}

criterion_group!(benches, reading, searching, writing);
criterion_main!(benches);
