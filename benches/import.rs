//! Import of a source tree of 1,000 files, and of libraries of 10,000 snippets of each main format, into a service on the same
//! machine, over HTTP, every asset durable. A library is previewed (`preview/FORMAT`) and imported (`import/FORMAT`).

#![expect(clippy::too_many_lines, reason = "a measurement is easier to read in one piece")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use lunette::app::import::engine::{SendMode, import, import_entries};
use lunette::app::import::mapping::Mapping;
use lunette::app::import::sources::open;
use lunette::app::tasks::CancelFlag;
use lunette_client::client::{Client, Limits};
use lunette_service::detect::NoDetector;
use lunette_service::{Data, Ports, Running, Settings, start};
use tempfile::TempDir;

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
                assert_eq!(report.imported.len(), FILES);
                black_box((data, running))
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

/// The number of snippets of a library.
const SNIPPETS: usize = 10_000;

/// The content of a snippet, without characters that any of the formats escapes.
fn snippet(number: usize) -> String {
    (0..20).map(|line| format!("let value_{line} = {number} * {line}; ")).collect()
}

/// One document with all snippets, with a prefix, separator and suffix.
fn document(begin: &str, one: impl Fn(usize) -> String, between: &str, end: &str) -> String {
    let all: Vec<String> = (0..SNIPPETS).map(one).collect();
    format!("{begin}{}{end}", all.join(between))
}

/// Writes a library of each format below a folder; returns their paths.
fn libraries(folder: &Path) -> Vec<(&'static str, PathBuf)> {
    let masscode = |number| {
        format!(
            r#"{{"id": "s{number}", "name": "Snippet {number}", "folderId": "f", "tagsIds": ["t{}"], "isDeleted": false,
            "isFavorites": false, "createdAt": 1704164645000, "updatedAt": 1704164646000, "description": null,
            "content": [{{"label": "", "language": "rust", "value": "{}"}}]}}"#,
            number % 50,
            snippet(number)
        )
    };
    let tags: Vec<String> = (0..50).map(|tag| format!(r#"{{"id": "t{tag}", "name": "tag {tag}"}}"#)).collect();
    let masscode_begin = format!(
        r#"{{"folders": [{{"id": "f", "name": "Work", "parentId": null}}], "tags": [{}], "snippets": ["#,
        tags.join(",")
    );
    let vscode = |number| format!(r#""Snippet {number}": {{"prefix": "s{number}", "body": "{}"}}"#, snippet(number));
    let snippetslab = |number| {
        format!(
            r#"{{"uuid": "00000000-0000-4000-8000-{number:012}", "title": "Snippet {number}", "tags": [],
            "fragments": [{{"title": "", "content": "{}", "language": "RustLexer", "note": ""}}]}}"#,
            snippet(number)
        )
    };
    let jetbrains = |number| format!(r#"<template name="s{number}" value="{}" description=""/>"#, snippet(number));
    let espanso = |number| format!("  - trigger: \":s{number}\"\n    replace: \"{}\"\n", snippet(number));
    let lab = r#"{"schema": "2.6", "app": "2.6.4", "contents": {"folders": [], "tags": [], "snippets": ["#;
    let documents = [
        ("masscode", "db.json", document(&masscode_begin, masscode, ",", "]}")),
        ("vscode", "all.code-snippets", document("{", vscode, ",", "}")),
        ("snippetslab", "export.json", document(lab, snippetslab, ",", "]}}")),
        ("jetbrains", "user.xml", document("<templateSet group=\"user\">", jetbrains, "", "</templateSet>")),
        ("espanso", "base.yml", document("matches:\n", espanso, "", "")),
    ];
    let written = documents.into_iter().map(|(format, name, text)| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a library");
        (format, path)
    });
    let mut libraries: Vec<_> = written.collect();
    let vault = folder.join("vault");
    std::fs::create_dir_all(vault.join(".obsidian")).expect("a folder");
    std::fs::write(vault.join(".obsidian/app.json"), "{}").expect("the vault's settings");
    for number in 0..SNIPPETS {
        let text = format!("---\ntags: [a, b]\n---\n# Note {number}\n\n{}\n", snippet(number));
        std::fs::write(vault.join(format!("Note {number}.md")), text).expect("a note");
    }
    libraries.push(("obsidian", vault));
    libraries
}

fn import_libraries(c: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = TempDir::new().expect("a folder");
    let preview = |path: &Path| {
        let plan = open(path, None, Mapping::default(), &CancelFlag::default())
            .expect("it is read")
            .expect("it is recognised");
        assert_eq!(plan.entries().len(), SNIPPETS, "{}", path.display());
        plan
    };
    for (format, path) in libraries(folder.path()) {
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
