//! What an answer of any length costs: no more memory than its cap, a few times over while it grows; and what its values
//! cost once it is parsed.

use lunette_client::client::{CallError, Limits};
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{ApplicationsSnapshot, AssetSpecificAssetExport};
use lunette_inspector::assets::load::PagedList;

use crate::support::client_at;
use crate::support::hostile::{Behaviour, Hostile};

const MIB: u64 = 1024;

/// The most memory this process ever used, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_ascii_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// The peak of a process never falls, so each test runs in one of its own.
fn alone(name: &str) {
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux tells the most memory a process ever used");
        return;
    }
    let mut child = std::process::Command::new(std::env::current_exe().expect("this program"));
    child.args(["--exact", &format!("client::memory::alone_{name}"), "--ignored", "--nocapture"]);
    let output = child.output().expect("it runs");
    let message = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && message.contains("KiB more"), "{message}");
    println!("{message}");
}

/// Fails where more than so many KiB were needed since then.
fn within(before: u64, most: u64) {
    let more = peak() - before;
    println!("{more} KiB more");
    assert!(more <= most, "{more} KiB");
}

/// A service whose every answer is this JSON.
fn answering(body: &str) -> Hostile {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len());
    Hostile::start(Behaviour::Each([head.as_bytes(), body.as_bytes()].concat()))
}

/// A list of so many bytes at most.
fn list_of(element: &str, bytes: usize) -> String {
    let count = (bytes - 20) / (element.len() + 1);
    format!("{{\"iterable\":[{}]}}", vec![element; count].join(","))
}

#[test]
fn a_response_of_ten_gigabytes_uses_no_more_memory_than_the_limit() {
    alone("endless");
}

#[tokio::test]
#[ignore = "its neighbour runs it in a process of its own"]
async fn alone_endless() {
    let gzip = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10000000000\r\n\r\n\x1f\x8b\x08";
    let before = peak();
    for behaviour in [Behaviour::Huge, Behaviour::Announce(10_000_000_000), Behaviour::Each(gzip.to_vec())] {
        let server = Hostile::start(behaviour);
        let client = client_at(&server.url(), Limits::default());
        let error = client.call(ApplicationsSnapshot {}).await.expect_err("it is too large");
        let limit = Limits::default().json_bytes;
        assert!(matches!(error, CallError::TooLarge { limit: message, .. } if message == limit), "{error:?}");
        assert!(error.to_string().contains(&limit.to_string()), "{error}");
    }
    within(before, 64 * MIB);
}

#[test]
fn a_response_of_too_many_small_values_is_refused_at_twice_its_size() {
    alone("refused");
}

#[tokio::test]
#[ignore = "its neighbour runs it in a process of its own"]
async fn alone_refused() {
    let limits = Limits::default();
    let servers = ["1", "[]", r#"{"a":{}}"#, "[[[0]]]"].map(|element| answering(&list_of(element, limits.json_bytes)));
    let before = peak();
    for server in &servers {
        let error = client_at(&server.url(), limits).call(ApplicationsSnapshot {}).await.expect_err("too many values");
        assert!(matches!(error, CallError::TooManyValues { .. }), "{error:?}");
        assert!(error.to_string().contains("values") && error.phase() == "too large", "{error}");
    }
    within(before, 2 * 16 * MIB + 16 * MIB);
}

#[test]
fn an_export_of_too_many_small_values_is_refused_at_twice_its_size() {
    alone("export");
}

#[tokio::test]
#[ignore = "its neighbour runs it in a process of its own"]
async fn alone_export() {
    let server = answering(&list_of("1", 100_000_000));
    let call = AssetSpecificAssetExport { asset: AssetId::random(), export_type: "RAW".parse().expect("a kind") };
    let before = peak();
    let error = client_at(&server.url(), Limits::default()).call(call).await.expect_err("too many values");
    assert!(matches!(error, CallError::TooManyValues { .. }), "{error:?}");
    within(before, 2 * 98 * MIB);
}

#[test]
fn a_page_of_assets_costs_four_times_its_size_at_most() {
    alone("page");
}

#[tokio::test]
#[ignore = "its neighbour runs it in a process of its own"]
async fn alone_page() {
    let asset = || {
        let (id, time) = (AssetId::random(), r#"{"value": "2026-11-20T12:00:00Z", "readable": "today"}"#);
        format!(
            r#"{{"id": "{id}", "name": "an asset", "creator": "{id}", "created": {time}, "updated": {time}, "mechanism":
            "MANUAL", "formats": {{"iterable": []}}, "original": {{"id": "{id}"}}, "preview": {{"base": {{"id": "{id}"}}}}}}"#
        )
    };
    let assets: Vec<String> = (0..30_000).map(|_| asset()).collect();
    let body = format!("{{\"iterable\":[{}]}}", assets.join(","));
    assert!(body.len() > 10_000_000 && body.len() < Limits::default().json_bytes, "{}", body.len());
    let (server, size) = (answering(&body), body.len() as u64 / 1024);
    let before = peak();
    let rows = PagedList::new(client_at(&server.url(), Limits::default())).next().await.expect("a page").expect("rows");
    assert_eq!(rows.len(), assets.len());
    within(before, 4 * size);
}
