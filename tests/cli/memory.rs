//! Memory used by a large request is released after the response.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::program::Served;

/// How long the program may take to release memory, on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);
const MIB: u64 = 1024;

/// A figure of the process, in KiB.
fn figure(pid: u32, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|line| line.split_ascii_whitespace().next()?.parse().ok()).unwrap_or_default()
}

fn ask(url: &str, method: &str, path: &str, body: &str) -> String {
    let address = url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).expect("a connection");
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn memory_of_a_large_request_is_released() {
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux tells how much memory another process has");
        return;
    }
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let body = format!("{{\"value\": \"x\", \"more\": [{}]}}", vec!["{\"k\":1}"; 120_000].join(","));
    ask(&service.url, "GET", "/.well-known/health", "");
    let before = figure(service.pid(), "VmRSS");
    for _ in 0..4 {
        let answer = ask(&service.url, "POST", "/tags/exists", &body);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer:.200}");
    }
    let peak = figure(service.pid(), "VmHWM");
    assert!(peak > before + 20 * MIB, "the body took memory: {before} KiB before, {peak} KiB at most");
    let end = Instant::now() + TIMEOUT;
    // Memory is released at each request.
    while figure(service.pid(), "VmRSS") > before + 16 * MIB {
        assert!(Instant::now() < end, "{before} KiB before, {} KiB after", figure(service.pid(), "VmRSS"));
        ask(&service.url, "GET", "/.well-known/health", "");
    }
}
