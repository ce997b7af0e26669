//! Related assets and near duplicates on many assets: whether planted copies are found, that nothing else is called a near
//! duplicate, and how long it takes. `cargo bench --features bench --bench related -- [ASSETS] [FOLDER]`; without numbers on
//! 20,000 assets, in a temporary folder. A store that is in FOLDER already is used again. It fails if a figure is missed.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record;
use lunette_client::operation::table::{AssetsCreateBatch, AssetsSpecificAssetRelatedSnapshot, SearchAssets};
use lunette_service::Service;
use lunette_service::detect::NoDetector;
use lunette_service::store::Store;
use made_assets::{Made, made};
use serde_json::{Value, json};

#[path = "../tests/support/made_assets.rs"]
mod made_assets;
#[path = "../tests/support/near_copies.rs"]
mod near_copies;

const BATCH: usize = 128;
/// How many copies are planted, and how many other assets are asked about.
const COPIES: usize = 200;
/// How many copies must be among the first five, in percent.
const FOUND_PERCENT: usize = 95;
/// How long the slowest twentieth of the answers may take.
const LIMIT: Duration = Duration::from_millis(50);

fn record<R: Record>(tree: Value) -> R {
    R::from_tree(tree).expect("a record")
}

fn seed(name: &str, content: &str, tags: &[Value], website: Option<&String>) -> Value {
    let websites: Vec<Value> = website.iter().map(|url| json!({ "url": url, "name": url })).collect();
    json!({ "type": "SEEDED_ASSET", "asset": {
        "application": { "id": "a", "name": "OPEN_SOURCE", "version": "1", "platform": "LINUX",
            "onboarded": false, "privacy": "OPEN" },
        "format": { "fragment": { "string": { "raw": content } } },
        "metadata": { "name": name, "tags": tags, "websites": websites },
    } })
}

/// Creates assets; returns their ids.
fn create(service: &Service, seeds: Vec<Value>) -> Vec<AssetId> {
    let op = AssetsCreateBatch { once: None, records: Some(false), seeds: Some(record(json!({ "iterable": seeds }))) };
    let outcomes: Value = serde_json::from_slice(&service.create_assets(op).expect("assets")).expect("outcomes");
    let outcomes = outcomes["iterable"].as_array().expect("a list").iter();
    outcomes.map(|outcome| outcome["id"].as_str().expect("an id").parse().expect("an id")).collect()
}

fn search(service: &Service, query: &str) -> Value {
    let query = Some(query.to_owned());
    let op = SearchAssets { query, transferables: Some(false), searchable_tags: None, pseudo: None, exact: Some(true) };
    serde_json::from_slice(&service.search(op).expect("a search")).expect("hits")
}

/// The id of the asset with this name.
fn named(service: &Service, name: &str) -> AssetId {
    let found = search(service, name);
    found["iterable"][0]["identifier"].as_str().expect("the asset").parse().expect("an id")
}

/// The assets, and a copy of every so many of them.
fn fill(service: &Service, count: usize) {
    for start in (0..count).step_by(BATCH) {
        let seeds = (start..count.min(start + BATCH)).map(|number| {
            let Made { number, name, content, tags, website } = made(number);
            assert!(name.contains(&number.to_string()));
            let tags: Vec<Value> = tags.iter().map(|text| json!({ "text": text })).collect();
            seed(&name, &content, &tags, website.as_ref())
        });
        create(service, seeds.collect());
    }
    let copies = (0..COPIES).map(|number| {
        let content = near_copies::edited(number, &made(number * (count / COPIES)).content);
        seed(&near_copies::name(number), &content, &[], None)
    });
    let copies: Vec<Value> = copies.collect();
    copies.chunks(BATCH).for_each(|copies| drop(create(service, copies.to_vec())));
}

/// What the assets and the copies gave.
#[derive(Default)]
struct Figures {
    /// How many copies were among the first five, and how many were called near duplicates.
    first_five: usize,
    near: usize,
    /// How many other assets were called near duplicates.
    wrong: usize,
    times: Vec<Duration>,
}

impl Figures {
    /// Asks about an asset; returns names of related ones, and whether each is a near duplicate.
    fn ask(&mut self, service: &Service, number: usize) -> Vec<(String, bool)> {
        let asset = named(service, &made(number).name);
        let began = Instant::now();
        let op = AssetsSpecificAssetRelatedSnapshot { asset, limit: None };
        let related = service.related(op).expect("related assets");
        self.times.push(began.elapsed());
        let each = related.view().iterable();
        each.iter().map(|one| (one.name().unwrap_or_default().to_owned(), one.near_duplicate().is_some())).collect()
    }

    fn of(service: &Service, count: usize) -> Self {
        let mut figures = Self::default();
        for number in 0..COPIES {
            let (original, copy) = (number * (count / COPIES), near_copies::name(number));
            let found = figures.ask(service, original);
            figures.first_five += usize::from(found.iter().take(5).any(|(name, _)| *name == copy));
            figures.near += found.iter().filter(|(name, near)| *near && *name == copy).count();
            figures.wrong += found.iter().filter(|(name, near)| *near && *name != copy).count();
            let other = figures.ask(service, original + count / COPIES / 2);
            figures.wrong += other.iter().filter(|(_, near)| *near).count();
        }
        figures.times.sort_unstable();
        figures
    }

    fn report(&self) -> bool {
        let at = |percent: usize| self.times[(self.times.len() - 1) * percent / 100];
        println!("{} of {COPIES} copies are in the first five, {} are near duplicates", self.first_five, self.near);
        println!("{} other assets are called near duplicates", self.wrong);
        println!("median {:.1?}, 95 % {:.1?}, slowest {:.1?}", at(50), at(95), at(100));
        self.first_five * 100 >= COPIES * FOUND_PERCENT && self.wrong == 0 && at(95) <= LIMIT
    }
}

fn main() -> ExitCode {
    // `cargo bench` adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let count: usize = arguments.first().map_or(20_000, |count| count.parse().expect("ASSETS is a number"));
    if count < 2 * COPIES {
        println!("ASSETS is at least {}", 2 * COPIES);
        return ExitCode::FAILURE;
    }
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = arguments.get(1).map_or(temporary.path(), Path::new);
    let filled = folder.join("lunette.sqlite3").exists();
    let store = Store::open(folder).expect("a store");
    let service = Service::new(store, Arc::new(NoDetector)).expect("a service");
    if !filled {
        let began = Instant::now();
        fill(&service, count);
        println!("made {count} assets in {:.1?}", began.elapsed());
    }
    while search(&service, "usual").get("unindexed").is_some() {
        std::thread::sleep(Duration::from_millis(100));
    }
    match Figures::of(&service, count).report() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
