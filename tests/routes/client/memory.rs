//! What an answer of any length costs: no more memory than its cap, a few times over while it grows.

use lunette::client::{CallError, Limits};
use lunette::operation::table::ApplicationsSnapshot;

use crate::support::client_at;
use crate::support::hostile::{Behaviour, Hostile};

/// The most that may be used beyond what is used before, in KiB.
const MOST: u64 = 64 * 1024;

/// The most memory this process ever used, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_ascii_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// The peak of a process never falls, so this runs in one of its own.
#[test]
fn an_answer_of_ten_gigabytes_costs_no_more_than_its_cap() {
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux tells the most memory a process ever used");
        return;
    }
    let mut child = std::process::Command::new(std::env::current_exe().expect("this program"));
    child.args(["--exact", "client::memory::in_a_process_of_its_own", "--ignored", "--nocapture"]);
    let output = child.output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("KiB more"), "{said}");
    println!("{said}");
}

#[tokio::test]
#[ignore = "its neighbour runs it in a process of its own"]
async fn in_a_process_of_its_own() {
    let gzip = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 10000000000\r\n\r\n\x1f\x8b\x08";
    let before = peak();
    for behaviour in [Behaviour::Huge, Behaviour::Announce(10_000_000_000), Behaviour::Each(gzip.to_vec())] {
        let server = Hostile::start(behaviour);
        let client = client_at(&server.url(), Limits::default());
        let error = client.call(ApplicationsSnapshot {}).await.expect_err("it is too large");
        let limit = Limits::default().json_bytes;
        assert!(matches!(error, CallError::TooLarge { limit: said, .. } if said == limit), "{error:?}");
        assert!(error.to_string().contains(&limit.to_string()), "{error}");
    }
    let more = peak() - before;
    println!("{more} KiB more");
    assert!(more <= MOST, "{more} KiB");
}
