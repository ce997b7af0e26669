//! Memory used by a large request is released after the response, and a list of everything takes little of it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::program::{Served, command};

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

/// How many assets there are; their list is about 70 MB without their contents.
const ASSETS: usize = 20_000;
/// How many clients make them at a time: what waits is committed together.
const MAKERS: usize = 16;

/// Makes a part of the assets on one connection, all with the same tag.
fn make(address: &str, count: usize) {
    let mut stream = TcpStream::connect(address).expect("a connection");
    let body = r#"{"type": "SEEDED_ASSET", "asset": {"application": {"id": "a", "name": "OPEN_SOURCE", "version": "1",
        "platform": "LINUX", "onboarded": false, "privacy": "OPEN"}, "metadata": {"tags": [{"text": "all"}]},
        "format": {"fragment": {"string": {"raw": "x"}}}}}"#;
    let request = format!(
        "POST /assets/create?transferables=false HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    for _ in 0..count {
        stream.write_all(request.as_bytes()).expect("sent");
        let (mut answer, mut part) = (Vec::new(), [0; 16 * 1024]);
        while !whole(&answer) {
            let length = stream.read(&mut part).expect("an answer");
            assert!(length > 0, "{}", String::from_utf8_lossy(&answer));
            answer.extend_from_slice(&part[..length]);
        }
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    }
}

/// Whether an answer is there with all its body.
fn whole(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length =
        head.to_ascii_lowercase().split("content-length: ").nth(1).map(|rest| rest.lines().next().map(str::parse));
    matches!(length, Some(Some(Ok(length))) if body.len() >= length)
}

/// Reads an answer without keeping it; gives its length.
fn read_through(address: &str, path: &str) -> usize {
    sent_through(address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"))
}

/// The same of any request.
fn sent_through(address: &str, request: &str) -> usize {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.write_all(request.as_bytes()).expect("sent");
    let (mut length, mut end, mut part) = (0, Vec::new(), vec![0; 64 * 1024]);
    loop {
        match stream.read(&mut part).expect("the answer") {
            0 => break,
            read => {
                length += read;
                end.extend_from_slice(&part[read.saturating_sub(8)..read]);
                end.drain(..end.len().saturating_sub(8));
            }
        }
    }
    assert!(end.ends_with(b"\r\n0\r\n\r\n"), "the answer to {request} is whole");
    length
}

/// What 64 clients do at once; the argument is the number of the client.
fn at_once<T: Send>(client: impl Fn(usize) -> T + Sync) {
    std::thread::scope(|scope| {
        for number in 0..64 {
            let client = &client;
            scope.spawn(move || client(number));
        }
    });
}

#[test]
fn a_list_of_everything_takes_little_memory_and_so_do_64_of_them() {
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux tells how much memory another process has");
        return;
    }
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let address = service.url.trim_start_matches("http://");
    std::thread::scope(|scope| {
        for _ in 0..MAKERS {
            scope.spawn(|| make(address, ASSETS / MAKERS));
        }
    });
    let peak = || figure(service.pid(), "VmHWM");
    let before = peak();
    let found = ask(&service.url, "GET", "/tags?assets=false", "");
    let tag = found.split("\"id\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a tag").to_owned();
    let tag = format!("/tag/{tag}");
    at_once(|_| read_through(address, &tag));
    let grown = (peak() - before) / MIB;
    assert!(grown < 64, "64 readers of a tag with {ASSETS} assets took {grown} MiB");
    for path in ["/assets?transferables=false", "/assets", "/assets/identifiers", "/activities"] {
        let length = read_through(address, path);
        let grown = (peak() - before) / MIB;
        assert!(grown < 48, "{path} with {} MiB took {grown} MiB", length >> 20);
    }
    // Without a limit, together about 900 MB: each list by some, as many of the largest as read at a time.
    let paths = [
        "/assets?transferables=false",
        "/assets/rows",
        "/assets/identifiers",
        "/activities",
        "/activity/identifiers",
        "/tags",
        "/formats?transferables=false",
        &tag,
    ];
    at_once(|client| read_through(address, paths[client % paths.len()]));
    let grown = (peak() - before) / MIB;
    assert!(grown < 256, "64 clients that asked for everything took {grown} MiB");
}

/// The elements of a list in JSON, each with its number for `@`.
fn listed(count: usize, element: &str) -> String {
    (0..count).map(|number| element.replace('@', &number.to_string())).collect::<Vec<_>>().join(",")
}

#[test]
fn importing_a_library_of_many_small_parts_takes_at_most_300_mib() {
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux tells how much memory another process has");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let snippets = listed(130_000, r#"{"name":"snippet @","text":"text","keyword":"k@"}"#);
    let prefixes = listed(500_000, "\"p@\"");
    let files = listed(110_000, r#""f@":{"content":"x"}"#);
    for (name, program, text) in [
        ("s.json", "Raycast", format!("[{snippets}]")),
        ("a.code-snippets", "VS Code", format!(r#"{{"a":{{"body":"x","prefix":[{prefixes}]}}}}"#)),
        ("g.json", "GitHub gists", format!(r#"[{{"id":"1","files":{{{files}}}}}]"#)),
    ] {
        let (path, data) = (folder.path().join(name), folder.path().join("data"));
        std::fs::write(&path, text).expect("a file");
        let (path, data) = (path.to_str().expect("UTF-8"), data.to_str().expect("UTF-8"));
        let mut import = command(&["import", "--dry-run", "--data", data, path]);
        let printed = folder.path().join("printed");
        let out = std::fs::File::create(&printed).expect("a file");
        let mut child = import.stdout(Stdio::null()).stderr(out).spawn().expect("the program starts");
        let mut peak = 0;
        let ended = loop {
            peak = figure(child.id(), "VmHWM").max(peak);
            if let Some(ended) = child.try_wait().expect("its status") {
                break ended;
            }
            std::thread::yield_now();
        };
        let printed = std::fs::read_to_string(&printed).expect("what it printed");
        assert!(ended.success() && printed.contains(program), "{name}: {ended}");
        println!("{name}: {} MiB", peak / MIB);
        assert!((1..300 * MIB).contains(&peak), "{name} took {} MiB", peak / MIB);
    }
}
