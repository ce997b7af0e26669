//! What earlier versions of assets cost: `cargo bench --bench versions -- [ASSETS]`.
//!
//! It prints by how much a database grows for each byte that was changed, where 10 % of texts of 2 kB are changed ten times,
//! in one block, in ten places, or moved; and what a write takes with and without versions, in turn, with one client and
//! with many.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::stream::{self, StreamExt as _};
use lunette_client::client::{Client, Limits};
use lunette_client::model::record::Record;
use lunette_client::operation::table::{AssetsCreateBatch, FormatUpdateValue};
use lunette_service::detect::NoDetector;
use lunette_service::{Data, PastBounds, Ports, Running, Settings};
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

/// The bytes of a text, and how many of them one version changes.
const TEXT: usize = 2048;
const CHANGED: usize = 204;
const VERSIONS: usize = 10;
const ASSETS: usize = 100_000;
/// How many assets one request creates.
const BATCH: usize = 128;
/// How many clients write at once.
const CLIENTS: usize = 64;
/// How many writes one turn of the comparison makes, and how many turns there are.
const WRITES: usize = 400;
const TURNS: usize = 7;

/// How a text is changed.
#[derive(Clone, Copy, Debug)]
enum Pattern {
    /// One block is replaced.
    Block,
    /// Ten places are.
    Places,
    /// The window that the text is of a longer one moves on.
    Moved,
}

/// Text that hardly compresses, the same for the same seed.
fn noise(seed: u64, bytes: usize) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let letter = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[(state >> 32) as usize % 64])
    };
    std::iter::repeat_with(letter).take(bytes).collect()
}

/// The text of a version of an asset.
fn text(asset: usize, version: usize, pattern: Pattern) -> String {
    let seed = asset as u64;
    let mut text = noise(seed, TEXT);
    let new = |version: usize, bytes| noise(seed << 8 | version as u64, bytes);
    match pattern {
        Pattern::Block => {
            for version in 1..=version {
                let at = (version * 331) % (TEXT - CHANGED);
                text.replace_range(at..at + CHANGED, &new(version, CHANGED));
            }
        }
        Pattern::Places => {
            for version in 1..=version {
                for place in 0..10 {
                    let at = place * TEXT / 10 + version * 17;
                    text.replace_range(at..at + CHANGED / 10, &new(version * 10 + place, CHANGED / 10));
                }
            }
        }
        Pattern::Moved => {
            for version in 1..=version {
                text.replace_range(..CHANGED, "");
                text.push_str(&new(version, CHANGED));
            }
        }
    }
    text
}

/// A service on a folder.
struct Bench {
    running: Running,
    client: Client,
    /// The ids of the formats of its assets.
    formats: Vec<String>,
}

fn record<R: Record>(tree: Value) -> R {
    R::from_tree(tree).expect("a record")
}

impl Bench {
    async fn start(folder: &Path, past: PastBounds) -> Self {
        let settings = Settings::new(Data::Folder(folder.to_owned()), Ports::Any, Arc::new(NoDetector));
        let running = lunette_service::start(Settings { past, ..settings }).await.expect("the service starts");
        let client = Client::new(running.url().parse().expect("an address"), Limits::default()).expect("a client");
        Self { running, client, formats: Vec::new() }
    }

    async fn create(&mut self, assets: usize, pattern: Pattern) {
        let seed = |asset: usize| {
            json!({ "type": "SEEDED_ASSET", "asset": {
                "application": { "id": "a", "name": "OPEN_SOURCE", "version": "1", "platform": "LINUX",
                    "onboarded": false, "privacy": "OPEN" },
                "format": { "fragment": { "string": { "raw": text(asset, 0, pattern) } } },
                "metadata": { "name": format!("asset {asset}") },
            } })
        };
        let numbers: Vec<usize> = (0..assets).collect();
        for part in numbers.chunks(BATCH) {
            let seeds = part.iter().map(|asset| seed(*asset)).collect::<Value>();
            let seeds = Some(record(json!({ "iterable": seeds })));
            let call = AssetsCreateBatch { once: None, records: Some(true), seeds };
            let created = self.client.call(call).await.expect("created").into_tree();
            let format = |one: &Value| one["asset"]["original"]["id"].as_str().expect("an id").to_owned();
            self.formats.extend(created["iterable"].as_array().expect("a list").iter().map(format));
        }
    }

    async fn edit(&self, asset: usize, text: String) {
        let format = json!({ "id": self.formats[asset], "fragment": { "string": { "raw": text } } });
        let format = Some(lunette_client::model::asset::Format::from_any(format).expect("a format"));
        self.client.call(FormatUpdateValue { transferable: Some(false), format }).await.expect("edited");
    }

    /// Changes all assets once.
    async fn edit_all(&self, version: usize, pattern: Pattern) {
        let edits = (0..self.formats.len()).map(|asset| self.edit(asset, text(asset, version, pattern)));
        stream::iter(edits).buffer_unordered(CLIENTS).collect::<Vec<()>>().await;
    }
}

fn open(folder: &Path) -> Connection {
    let file = folder.join("lunette.sqlite3");
    Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("a database")
}

fn number(db: &Connection, query: &str) -> i64 {
    db.query_row(query, [], |row| row.get(0)).expect("a number")
}

/// Waits until all versions are in order, and the log has been checkpointed.
async fn at_rest(folder: &Path) {
    let db = open(folder);
    while number(&db, "SELECT count(*) FROM past_log") > 0 {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
}

/// The bytes of the pages of a database that are in use.
async fn size_after(assets: usize, pattern: Pattern, past: PastBounds) -> (i64, Duration) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut bench = Bench::start(folder.path(), past).await;
    bench.create(assets, pattern).await;
    let began = Instant::now();
    for version in 1..=VERSIONS {
        bench.edit_all(version, pattern).await;
    }
    let took = began.elapsed();
    at_rest(folder.path()).await;
    bench.running.stop().await;
    let db = open(folder.path());
    let pages = number(&db, "PRAGMA page_count") - number(&db, "PRAGMA freelist_count");
    (pages * number(&db, "PRAGMA page_size"), took)
}

async fn growth(assets: usize) {
    let changed = (assets * VERSIONS * CHANGED) as f64;
    for pattern in [Pattern::Block, Pattern::Places, Pattern::Moved] {
        let (without, took_without) = size_after(assets, pattern, PastBounds::NONE).await;
        let (with, took_with) = size_after(assets, pattern, PastBounds::default()).await;
        println!(
            "{pattern:?}: {assets} assets x {VERSIONS} versions grow the file by {:.2} x the changed bytes \
             ({:.1} MB with, {:.1} MB without; {:.1} s with, {:.1} s without)",
            (with - without) as f64 / changed,
            with as f64 / 1e6,
            without as f64 / 1e6,
            took_with.as_secs_f64(),
            took_without.as_secs_f64(),
        );
    }
}

/// How many bytes this process has written to disk; None where the system does not tell.
fn written() -> Option<u64> {
    let io = std::fs::read_to_string("/proc/self/io").ok()?;
    io.lines().find_map(|line| line.strip_prefix("write_bytes: "))?.parse().ok()
}

/// Makes writes by so many clients at once; returns how long they took, and how many bytes were written meanwhile.
async fn writes(bench: &Bench, turn: usize, clients: usize) -> (Duration, Option<u64>) {
    let (began, before) = (Instant::now(), written());
    let edits = (0..WRITES).map(|asset| {
        let asset = asset % bench.formats.len();
        bench.edit(asset, text(asset, turn + 1, Pattern::Block))
    });
    stream::iter(edits).buffer_unordered(clients).collect::<Vec<()>>().await;
    (began.elapsed(), written().zip(before).map(|(after, before)| after - before))
}

fn median<T: Ord + Copy>(mut values: Vec<T>) -> Option<T> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

async fn cost(clients: usize) {
    let folders = [tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder")];
    let mut benches = Vec::new();
    for (folder, past) in folders.iter().zip([PastBounds::NONE, PastBounds::default()]) {
        let mut bench = Bench::start(folder.path(), past).await;
        bench.create(WRITES, Pattern::Block).await;
        benches.push(bench);
    }
    let mut took = [Vec::new(), Vec::new()];
    let mut bytes = [Vec::new(), Vec::new()];
    for turn in 0..TURNS {
        for (which, bench) in benches.iter().enumerate() {
            let (time, written) = writes(bench, turn, clients).await;
            took[which].push(time);
            bytes[which].extend(written);
            at_rest(folders[which].path()).await;
        }
    }
    let [without, with] = took.map(|times| median(times).unwrap_or_default().as_secs_f64() / WRITES as f64 * 1e6);
    println!(
        "{clients} clients: a write takes {with:.0} us with versions, {without:.0} us without: {:.3}",
        with / without
    );
    if let [Some(without), Some(with)] = bytes.map(median) {
        let ratio = with as f64 / without as f64;
        println!("{clients} clients: {with} bytes written with versions, {without} without: {ratio:.3}");
    }
}

fn main() {
    let assets = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(ASSETS);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        cost(1).await;
        cost(CLIENTS).await;
        growth(assets).await;
    });
}
