//! What the service costs over HTTP: reading an asset without its content, and linking a tag durably, by one client
//! and by many at once. Connections are kept alive and written by hand, so that no client library is measured.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lunette_client::client::{Client, Limits};
use lunette_client::model::record::Record;
use lunette_client::operation::table::{AssetsCreateNewAsset, TagsCreateNewTag};
use lunette_service::detect::NoDetector;
use lunette_service::{Data, Ports, Running, Settings};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// The number of concurrent clients.
const CLIENTS: usize = 64;

/// A service with one asset and one tag, and its data on disk.
struct Bench {
    port: u16,
    asset: String,
    tag: String,
    _running: Running,
    _folder: tempfile::TempDir,
    _runtime: Runtime,
}

impl Bench {
    fn start() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let folder = tempfile::tempdir().expect("a folder");
        let settings = Settings::new(Data::Folder(folder.path().to_owned()), Ports::Any, Arc::new(NoDetector));
        let running = runtime.block_on(lunette_service::start(settings)).expect("the service starts");
        let client = Client::new(running.url().parse().expect("an address"), Limits::default()).expect("a client");
        let seed = json!({ "asset": {
            "application": { "id": "a", "name": "OPEN_SOURCE", "version": "1", "platform": "LINUX", "onboarded": false,
                "privacy": "OPEN" },
            "format": { "fragment": { "string": { "raw": "fn main() {}\n".repeat(1000) } } },
            "metadata": { "name": "main.rs" },
        } });
        let create = AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(record(seed)) };
        let asset = runtime.block_on(client.call(create)).expect("an asset");
        let tag = TagsCreateNewTag { transferables: None, tag: Some(record(json!({ "text": "fast" }))) };
        let tag = runtime.block_on(client.call(tag)).expect("a tag");
        Self {
            port: running.port(),
            asset: asset.view().id().to_owned(),
            tag: tag.view().id().to_owned(),
            _running: running,
            _folder: folder,
            _runtime: runtime,
        }
    }

    fn connect(&self) -> Connection {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        Connection { stream, buffer: vec![0; 256 * 1024] }
    }

    fn read(&self) -> Vec<u8> {
        let Self { port, asset, .. } = self;
        format!("GET /asset/{asset}?transferables=false HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").into_bytes()
    }

    /// Linking, or the opposite.
    fn link(&self, verb: &str) -> Vec<u8> {
        let Self { port, asset, tag, .. } = self;
        let line = format!("POST /asset/{asset}/tags/{verb}/{tag} HTTP/1.1");
        format!("{line}\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 0\r\n\r\n").into_bytes()
    }
}

fn record<R: Record>(tree: Value) -> R {
    R::from_tree(tree).expect("a record")
}

/// A connection that is kept alive.
struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    /// Sends a request and reads the whole response; returns its length.
    fn exchange(&mut self, request: &[u8], status: &str) -> usize {
        self.stream.write_all(request).expect("it is sent");
        let mut filled = 0;
        loop {
            filled += self.stream.read(&mut self.buffer[filled..]).expect("an answer");
            let bytes = &self.buffer[..filled];
            let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
            let head = std::str::from_utf8(&bytes[..end]).expect("a head");
            assert!(head.starts_with(status), "{head}");
            let length = head.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
            let length: usize = length.map_or(0, |length| length.parse().expect("a number"));
            if filled == end + 4 + length {
                return filled;
            }
        }
    }
}

fn read(criterion: &mut Criterion) {
    let bench = Bench::start();
    let request = bench.read();
    let mut connection = bench.connect();
    let mut group = criterion.benchmark_group("GET /asset/{id}?transferables=false");
    group.throughput(Throughput::Elements(1));
    group.bench_function("one client", |bencher| bencher.iter(|| connection.exchange(&request, "HTTP/1.1 200")));
    group.bench_function(format!("{CLIENTS} clients"), |bencher| {
        bencher.iter_custom(|rounds| {
            at_once(&bench, rounds, |connection, _| {
                connection.exchange(&request, "HTTP/1.1 200");
            })
        });
    });
    group.finish();
}

fn link(criterion: &mut Criterion) {
    let bench = Bench::start();
    let (link, unlink) = (bench.link("associate"), bench.link("disassociate"));
    let mut connection = bench.connect();
    let mut group = criterion.benchmark_group("link or unlink, durable");
    group.throughput(Throughput::Elements(1)).measurement_time(Duration::from_secs(8));
    let mut turn = 0;
    group.bench_function("one client", |bencher| {
        bencher.iter(|| {
            turn += 1;
            connection.exchange(if turn % 2 == 1 { &link } else { &unlink }, "HTTP/1.1 204")
        });
    });
    group.bench_function(format!("{CLIENTS} clients"), |bencher| {
        bencher.iter_custom(|rounds| {
            at_once(&bench, rounds, |connection, turn| {
                connection.exchange(if turn % 2 == 0 { &link } else { &unlink }, "HTTP/1.1 204");
            })
        });
    });
    group.finish();
}

/// The time that all clients need together for this many rounds, shared among them.
fn at_once(bench: &Bench, rounds: u64, exchange: impl Fn(&mut Connection, u64) + Sync) -> Duration {
    let mut connections: Vec<_> = (0..CLIENTS).map(|_| bench.connect()).collect();
    let (exchange, many) = (&exchange, CLIENTS as u64);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for (index, connection) in connections.iter_mut().enumerate() {
            let share = rounds / many + u64::from((index as u64) < rounds % many);
            scope.spawn(move || (0..share).for_each(|turn| exchange(connection, turn)));
        }
    });
    start.elapsed()
}

criterion_group!(benches, read, link);
criterion_main!(benches);
