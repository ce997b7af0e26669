//! What earlier versions of assets cost: `cargo bench --features bench --bench versions -- [ASSETS] [PART …]`.
//!
//! The parts are `growth`, by how much a database grows for each byte that was changed, or of it alone `block`, `places` or
//! `moved`; `foreign`, by how much that of the inspector does for a service of others; `large`, texts of 1 MiB and 64 MiB;
//! `cost`, what a write takes with and without versions, in turn, with one client and with many; `reading`, a version among
//! many and all assets as they were; and `pruning`, how long a write waits meanwhile. Without any, all are measured.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::stream::{self, StreamExt as _};
use lunette_client::client::{Client, Limits};
use lunette_client::model::record::Record;
use lunette_client::operation::table::{AssetsCreateBatch, FormatUpdateValue};
use lunette_service::detect::NoDetector;
use lunette_service::{Data, PastBounds, Ports, Running, Settings};
use rusqlite::Connection;
use serde_json::{Value, json};

mod cost;
mod foreign;
mod growth;
mod pruning;
mod reading;
mod texts;

use texts::{Pattern, Shape};

/// How many assets grow, without a number.
const ASSETS: usize = 100_000;
/// How many assets one request creates.
const BATCH: usize = 128;
/// How many clients write at once.
const CLIENTS: usize = 64;

/// A service on a folder of its own.
struct Bench {
    folder: tempfile::TempDir,
    running: Running,
    client: Client,
    /// The ids of its assets, and of their formats.
    assets: Vec<String>,
    formats: Vec<String>,
}

fn record<R: Record>(tree: Value) -> R {
    R::from_tree(tree).expect("a record")
}

impl Bench {
    async fn start(past: PastBounds) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = Settings::new(Data::Folder(folder.path().to_owned()), Ports::Any, Arc::new(NoDetector));
        let running =
            lunette_service::start(Settings { past: Some(past), ..settings }).await.expect("the service starts");
        let limits = Limits { json_bytes: 256 << 20, ..Limits::default() };
        let client = Client::new(running.url().parse().expect("an address"), limits).expect("a client");
        Self { folder, running, client, assets: Vec::new(), formats: Vec::new() }
    }

    /// Creates assets with the first version of their texts.
    async fn create(&mut self, assets: usize, shape: Shape) {
        let seed = |asset: usize| {
            json!({ "type": "SEEDED_ASSET", "asset": {
                "application": { "id": "a", "name": "OPEN_SOURCE", "version": "1", "platform": "LINUX",
                    "onboarded": false, "privacy": "OPEN" },
                "format": { "fragment": { "string": { "raw": shape.text(asset, 0) } } },
                "metadata": { "name": format!("asset {asset}") },
            } })
        };
        let numbers: Vec<usize> = (self.assets.len()..self.assets.len() + assets).collect();
        let most = (BATCH * 2048 / shape.bytes).clamp(1, BATCH);
        for part in numbers.chunks(most) {
            let seeds = part.iter().map(|asset| seed(*asset)).collect::<Value>();
            let seeds = Some(record(json!({ "iterable": seeds })));
            let call = AssetsCreateBatch { once: None, records: Some(true), seeds };
            let created = self.client.call(call).await.expect("created").into_tree();
            for one in created["iterable"].as_array().expect("a list") {
                let id = |value: &Value| value.as_str().expect("an id").to_owned();
                self.assets.push(id(&one["asset"]["id"]));
                self.formats.push(id(&one["asset"]["original"]["id"]));
            }
        }
    }

    async fn edit(&self, asset: usize, text: String) {
        let format = json!({ "id": self.formats[asset], "fragment": { "string": { "raw": text } } });
        let format = Some(lunette_client::model::asset::Format::from_any(format).expect("a format"));
        self.client.call(FormatUpdateValue { transferable: Some(false), format }).await.expect("edited");
    }

    /// Changes all assets to a version, by so many clients at once.
    async fn edit_all(&self, version: usize, shape: Shape, clients: usize) {
        let edits = (0..self.formats.len()).map(|asset| self.edit(asset, shape.text(asset, version)));
        stream::iter(edits).buffer_unordered(clients).collect::<Vec<()>>().await;
    }

    /// Brings the service to rest: all versions are in order, and the log is folded into the database.
    fn rest(&self) {
        self.running.rest().expect("at rest");
        let busy = number(&self.open(), "PRAGMA wal_checkpoint(TRUNCATE)");
        assert_eq!(busy, 0, "the log is folded");
    }

    fn open(&self) -> Connection {
        Connection::open(self.folder.path().join("lunette.sqlite3")).expect("a database")
    }

    /// The bytes of the pages of the database that are in use.
    fn size(&self) -> i64 {
        used(&self.open())
    }

    /// How long the log of the database is, in bytes.
    fn log_bytes(&self) -> u64 {
        Path::new(self.folder.path()).join("lunette.sqlite3-wal").metadata().map(|file| file.len()).unwrap_or_default()
    }
}

/// The bytes of the pages of a database that are in use.
fn used(db: &Connection) -> i64 {
    let pages = number(db, "PRAGMA page_count") - number(db, "PRAGMA freelist_count");
    pages * number(db, "PRAGMA page_size")
}

fn number(db: &Connection, query: &str) -> i64 {
    db.query_row(query, [], |row| row.get(0)).expect("a number")
}

fn median<T: Ord + Copy + Default>(mut values: Vec<T>) -> T {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The processor time of this process so far; None where the system does not tell.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

/// How loaded the machine is, to be read beside the figures.
fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().next().unwrap_or("unknown").to_owned()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let assets = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(ASSETS);
    let parts: Vec<&String> = arguments.iter().filter(|argument| argument.parse::<usize>().is_err()).collect();
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|named| *named == part);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        println!("load {}", load());
        if wanted("cost") {
            cost::print(1).await;
            cost::print(CLIENTS).await;
            cost::print_creating().await;
        }
        if wanted("reading") {
            reading::print_versions().await;
            reading::print_then(assets).await;
        }
        if wanted("large") {
            growth::print(16, Shape { bytes: 1 << 20, changed: 10_486, pattern: Pattern::Places }).await;
            growth::print_largest().await;
        }
        if wanted("pruning") {
            pruning::print().await;
        }
        for (part, pattern) in [("block", Pattern::Block), ("places", Pattern::Places), ("moved", Pattern::Moved)] {
            let shape = Shape { pattern, ..Shape::SMALL };
            if wanted("growth") || wanted(part) {
                growth::print(assets, shape).await;
            }
            if wanted("foreign") {
                foreign::print(assets, shape).await;
            }
        }
        println!("load {}", load());
    });
}
