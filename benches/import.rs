//! Import of a source tree of 1,000 files into a service on the same machine, over HTTP, every asset durable.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use lunette::app::import::engine::import;
use lunette::app::tasks::CancelFlag;
use lunette_client::client::{Client, Limits};
use lunette_service::detect::NoDetector;
use lunette_service::{Data, Ports, Running, Settings, start};
use tempfile::TempDir;

const FILES: usize = 1_000;

/// A tree of small sources, as a project has them.
fn plant(folder: &Path) {
    for place in 0..FILES {
        let below = folder.join(format!("part{:02}", place % 20));
        std::fs::create_dir_all(&below).expect("a folder");
        let lines = (0..60).map(|line| format!("    let value_{line} = {place} * {line};\n"));
        let text: String = lines.collect();
        std::fs::write(below.join(format!("file{place}.rs")), format!("fn main() {{\n{text}}}\n")).expect("a file");
    }
}

async fn fresh(tree: &Path) -> (TempDir, Running, Client, PathBuf) {
    let data = TempDir::new().expect("a folder");
    let settings = Settings {
        data: Data::Folder(data.path().to_owned()),
        ports: Ports::Any,
        announced_version: None,
        interface_only: false,
        allowed_origins: Vec::new(),
        detector: Arc::new(NoDetector),
    };
    let running = start(settings).await.expect("a service");
    let client = Client::new(running.url().parse().expect("an address"), Limits::default()).expect("a client");
    (data, running, client, tree.to_owned())
}

fn import_a_tree(c: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let tree = TempDir::new().expect("a folder");
    plant(tree.path());
    let mut group = c.benchmark_group("import");
    group.sample_size(10);
    group.bench_function("1000_files", |bench| {
        bench.iter_batched(
            || runtime.block_on(fresh(tree.path())),
            |(data, running, client, tree)| {
                let report = runtime.block_on(import(client, vec![tree], true, |_| {}, CancelFlag::default()));
                assert_eq!(report.taken.len(), FILES);
                black_box((data, running))
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, import_a_tree);
criterion_main!(benches);
