//! Clients that take more than their share: what they announce, what they do not read, and what they hold open.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use lunette_client::operation::table::GetWellKnownHealth;
use lunette_service::HttpLimits;
use tokio::io::{AsyncWriteExt as _, Interest};

use crate::support::TestService;
use crate::support::assets::text_seed;
use crate::support::raw::{read_answer, request};

fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
    stream
}

/// The head of a POST with a JSON body of this length, and nothing of the body.
fn head(target: &str, port: u16, length: usize) -> Vec<u8> {
    let length = length.to_string();
    request("POST", target, port, &[("Content-Type", "application/json"), ("Content-Length", &length)], None)
}

#[tokio::test]
async fn a_content_length_over_the_limit_is_refused_before_the_body_is_read() {
    let service = TestService::start().await;
    let port = service.port();
    let answers = tokio::task::spawn_blocking(move || {
        [100 << 20, 1 << 62].map(|length| {
            let mut stream = connect(port);
            stream.write_all(&head("/assets/create", port, length)).expect("it is sent");
            read_answer(&mut stream, false)
        })
    });
    for answer in answers.await.expect("answers") {
        assert_eq!(answer.status, 413);
        assert!(answer.text().contains(&HttpLimits::default().content_bytes.to_string()), "{}", answer.text());
    }
}

/// What sockets buffer of an answer is far below this.
const LARGE: usize = 24 << 20;

/// Makes an asset of that much text; gives its id.
async fn large_asset(service: &TestService) -> String {
    let seed = text_seed("large", &"x".repeat(LARGE)).to_string();
    let made = service.send("POST", "/assets/create?transferables=false", Some(&seed)).await;
    assert_eq!(made.status, 200, "{}", made.text());
    made.json()["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn a_client_that_does_not_read_its_response_is_disconnected() {
    let limits = HttpLimits { write: Duration::from_millis(200), ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let asset = large_asset(&service).await;
    let mut stream = tokio::net::TcpStream::connect((Ipv4Addr::LOCALHOST, service.port())).await.expect("a connection");
    let ask = request("GET", &format!("/asset/{asset}"), service.port(), &[], None);
    stream.write_all(&ask).await.expect("it is sent");
    // Who writes to a closed connection is told so, though the end of the answer cannot come for lack of room.
    let closed = async {
        while stream.write_all(b"x").await.is_ok() {
            let error = tokio::time::timeout(Duration::from_millis(20), stream.ready(Interest::ERROR)).await;
            if matches!(error, Ok(Ok(ready)) if ready.is_error()) {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), closed).await.expect("the connection is closed");
    assert!(service.client.call(GetWellKnownHealth {}).await.is_ok());
}

#[tokio::test]
async fn a_slow_reader_gets_its_whole_response() {
    let limits = HttpLimits { write: Duration::from_millis(500), ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let asset = large_asset(&service).await;
    let port = service.port();
    let ask = request("GET", &format!("/asset/{asset}"), port, &[], None);
    let read = tokio::task::spawn_blocking(move || {
        let mut stream = connect(port);
        stream.write_all(&ask).expect("it is sent");
        let (mut total, mut chunk) = (0, vec![0; 64 * 1024]);
        loop {
            match stream.read(&mut chunk).expect("the connection stays") {
                0 => return total,
                count => total += count,
            }
        }
    });
    assert!(read.await.expect("it ends") > LARGE);
}

#[tokio::test]
async fn a_progressing_upload_survives_a_flood_of_idle_connections() {
    let limits = HttpLimits { connections: 6, ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let port = service.port();
    let body = text_seed("uploaded", &"x".repeat(100_000)).to_string();
    let mut upload = connect(port);
    upload.write_all(&head("/assets/create", port, body.len())).expect("the head is sent");
    let mut idle = Vec::new();
    for part in body.as_bytes().chunks(body.len() / 10 + 1) {
        upload.write_all(part).expect("the upload goes on");
        // Twice as many as there are slots; and one that is answered, so that all of them have come in.
        idle.extend((0..12).map(|_| connect(port)));
        assert_eq!(service.send("GET", "/.well-known/health", None).await.status, 200);
    }
    let answer = tokio::task::spawn_blocking(move || read_answer(&mut upload, false)).await.expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.text());
    drop(idle);
}

#[tokio::test]
async fn large_bodies_wait_for_memory_or_get_a_retry_response_while_small_ones_pass() {
    let limits = HttpLimits { memory_bytes: 8 << 20, wait: Duration::from_millis(100), ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let port = service.port();
    // It sends a part of a large body and takes its time with the rest.
    let mut slow = connect(port);
    slow.write_all(&head("/assets/create", port, 6 << 20)).expect("the head is sent");
    slow.write_all(&[b' '; 100_000]).expect("a part is sent");
    let large = text_seed("large", &"x".repeat(5 << 20)).to_string();
    let mut refused = service.send("POST", "/assets/create", Some(&large)).await;
    while refused.status == 200 {
        // The slow one was not yet looked at.
        refused = service.send("POST", "/assets/create", Some(&large)).await;
    }
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    let small = text_seed("small", "x").to_string();
    assert_eq!(service.send("POST", "/assets/create", Some(&small)).await.status, 200);
    drop(slow);
    let mut taken = service.send("POST", "/assets/create", Some(&large)).await;
    while taken.status == 503 {
        taken = service.send("POST", "/assets/create", Some(&large)).await;
    }
    assert_eq!(taken.status, 200);
}

#[tokio::test]
async fn a_body_of_too_many_values_is_refused_and_one_with_large_content_accepted() {
    let service = TestService::start().await;
    let many = format!("{{\"asset\": [{}]}}", vec!["1"; 300_000].join(","));
    for path in ["/assets/create", "/asset/update", "/tags/create", "/activities/create"] {
        let answer = service.send("POST", path, Some(&many)).await;
        assert!(answer.status == 413 && answer.text().contains("250000"), "{path}: {}", answer.text());
    }
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
    let numbers = bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
    let mut seed = text_seed("numbers", "");
    seed["asset"]["format"] = serde_json::json!({ "file": { "bytes": { "raw": "NUMBERS" } } });
    let body = seed.to_string().replace("\"NUMBERS\"", &format!("[{numbers}]"));
    let made = service.send("POST", "/assets/create?transferables=false", Some(&body)).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let read = service.send("GET", &format!("/asset/{}", made.json()["id"].as_str().expect("an id")), None).await;
    let record = read.json();
    let base64 = record["preview"]["base"]["reference"]["file"]["string"]["base64"].as_str().expect("the content");
    assert_eq!(base64.len(), bytes.len().div_ceil(3) * 4);
    assert_eq!(record["original"]["reference"]["bytes"]["value"], 3_000_000);
}

/// What is created can be updated as it is read: base64 is a third longer than the bytes.
#[tokio::test]
async fn any_valid_content_can_be_set_and_sent_back_with_its_record() {
    let limits = HttpLimits { content_bytes: 3 << 20, body_bytes: 1 << 20, ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let mut seed = text_seed("binary", "");
    let base64 = "AAAA".repeat((3 << 20) / 4 - 1_000);
    seed["asset"]["format"] = serde_json::json!({ "file": { "string": { "base64": base64 } } });
    let made = service.send("POST", "/assets/create", Some(&seed.to_string())).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let record = made.json();
    let sent_back = service.send("POST", "/asset/update?transferables=false", Some(&made.text())).await;
    assert_eq!(sent_back.status, 200, "{}", sent_back.text());
    let row = lunette_client::operation::OperationInfo::named("formatUpdateValue").expect("a row");
    let value = serde_json::json!({ "id": record["original"]["id"], "file": { "string": { "base64": base64 } } });
    let put = service.send("POST", &format!("{}?transferable=false", row.path), Some(&value.to_string())).await;
    assert_eq!(put.status, 200, "{}", put.text());
    let beyond = serde_json::json!({ "text": "x".repeat(1 << 20) }).to_string();
    assert_eq!(service.send("POST", "/tags/create", Some(&beyond)).await.status, 413);
}

/// Begins requests with a body of this length, of which this much is sent.
fn begin(count: usize, port: u16, length: usize, sent: usize) -> Vec<TcpStream> {
    let mut said = head("/assets/create", port, length);
    said.extend(std::iter::repeat_n(b' ', sent));
    let begun = (0..count).map(|_| {
        let mut stream = connect(port);
        // Those before it may have been closed for it.
        stream.write_all(&said).ok();
        stream
    });
    begun.collect()
}

/// Each of them would have to be waited for, if it were given a second.
#[tokio::test(flavor = "multi_thread")]
async fn begun_bodies_give_their_connections_to_others_at_once() {
    let limits = HttpLimits { connections: 4, ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let port = service.port();
    for (length, sent) in [(1_000, 10), (100_000, 900)] {
        let begun = tokio::task::spawn_blocking(move || begin(400, port, length, sent)).await.expect("begun");
        let small = text_seed("small", &format!("{length}")).to_string();
        assert_eq!(service.send("POST", "/assets/create", Some(&small)).await.status, 200);
        drop(begun);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn announced_and_begun_bodies_hold_no_memory_that_small_requests_need() {
    let limits = HttpLimits { wait: Duration::from_millis(50), ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let port = service.port();
    for (length, sent) in [(340_000, 100), (340_000, 20_000), (80 << 20, 100), (80 << 20, 20_000)] {
        let begun = tokio::task::spawn_blocking(move || begin(60, port, length, sent)).await.expect("begun");
        for number in 0..20 {
            let small = text_seed("small", &format!("{length} {sent} {number}")).to_string();
            let made = service.send("POST", "/assets/create", Some(&small)).await;
            assert_eq!(made.status, 200, "beside {sent} of {length} bytes: {}", made.text());
        }
        drop(begun);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_without_progress_gives_its_memory_to_one_that_waits() {
    let service = TestService::start().await;
    let port = service.port();
    // All of the memory for large bodies.
    let mut stalled = begin(1, port, 88 << 20, 3 << 20);
    let large = text_seed("large", &"x".repeat(2 << 20)).to_string();
    for _ in 0..2 {
        let made = service.send("POST", "/assets/create?transferables=false", Some(&large)).await;
        assert_eq!(made.status, 200, "{}", made.text());
    }
    let answer = tokio::task::spawn_blocking(move || read_answer(&mut stalled[0], false)).await.expect("an answer");
    assert!(answer.status == 408 && answer.text().contains("no progress"), "{} {}", answer.status, answer.text());
}
