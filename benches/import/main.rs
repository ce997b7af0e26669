//! Import of a source tree of 1,000 files, and of libraries of 10,000 snippets, into a service on the same machine, over
//! HTTP, every asset durable. A library is previewed (`preview/FORMAT`) and imported (`import/FORMAT`).

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use lunette_client::client::{Client, Limits};
use lunette_inspector::Vendor;
use lunette_inspector::import::engine::{SendMode, import, import_entries};
use lunette_inspector::import::mapping::Mapping;
use lunette_inspector::import::sources::open;
use lunette_inspector::tasks::CancelFlag;
use lunette_service::detect::NoDetector;
use lunette_service::{Data, Ports, Running, Settings, start};
use tempfile::TempDir;

mod libraries;

use libraries::{SNIPPETS, libraries};

const FILES: usize = 1_000;

/// A tree of small sources, as a project has them.
fn plant(folder: &Path) {
    for index in 0..FILES {
        let below = folder.join(format!("part{:02}", index % 20));
        std::fs::create_dir_all(&below).expect("a folder");
        let lines = (0..60).map(|line| format!("    let value_{line} = {index} * {line};\n"));
        let text: String = lines.collect();
        std::fs::write(below.join(format!("file{index}.rs")), format!("fn main() {{\n{text}}}\n")).expect("a file");
    }
}

async fn fresh(tree: &Path) -> (TempDir, Running, Client, PathBuf) {
    let data = TempDir::new().expect("a folder");
    let settings = Settings::new(Data::Folder(data.path().to_owned()), Ports::Any, Arc::new(NoDetector));
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
                let report =
                    runtime.block_on(import(client, vec![tree], Vendor::Lunette, |_| {}, CancelFlag::default()));
                assert_eq!(report.imported.len(), FILES);
                black_box((data, running))
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

fn import_libraries(c: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = TempDir::new().expect("a folder");
    let preview = |path: &Path| {
        let plan = open(path, None, Mapping::default(), &CancelFlag::default())
            .expect("it is read")
            .library()
            .expect("it is recognised");
        assert_eq!(plan.entries().len(), SNIPPETS, "{}", path.display());
        plan
    };
    for (format, path) in libraries(folder.path()).expect("libraries") {
        let mut group = c.benchmark_group("10000_snippets");
        group.sample_size(10);
        group.bench_function(format!("preview/{format}"), |bench| bench.iter(|| black_box(preview(&path))));
        let entries = preview(&path).entries();
        group.bench_function(format!("import/{format}"), |bench| {
            bench.iter_batched(
                || (runtime.block_on(fresh(&path)), entries.clone()),
                |((data, running, client, _), entries)| {
                    let import = import_entries(client, entries, SendMode::Batches, |_| {}, CancelFlag::default());
                    assert_eq!(runtime.block_on(import).imported.len(), SNIPPETS);
                    black_box((data, running))
                },
                BatchSize::PerIteration,
            );
        });
        group.finish();
    }
}

criterion_group!(benches, import_a_tree, import_libraries);
criterion_main!(benches);
