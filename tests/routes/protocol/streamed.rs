//! Answers without a limit, which are sent while they are written: the same bytes as before, however slow, impatient or
//! old the client is.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use lunette_client::operation::OPERATIONS;
use lunette_service::HttpLimits;
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::{summary, text_seed};
use crate::support::raw::{Answer, request};

async fn post(service: &TestService, path: &str, body: &Value) -> Value {
    let made = service.send("POST", path, Some(&body.to_string())).await;
    assert_eq!(made.status, 200, "{path}: {}", made.text());
    made.json()
}

/// A service with more than a chunk of everything but ids.
async fn filled() -> TestService {
    let service = TestService::start().await;
    let mut asset = String::new();
    for number in 0..60 {
        let seed = text_seed(&format!("needle {number} \"ü\""), &"x".repeat(2_000));
        let made = post(&service, "/assets/create?transferables=false", &seed).await;
        asset = made["id"].as_str().expect("an id").to_owned();
        if number < 30 {
            let deleted = service.send("POST", &format!("/assets/{asset}/delete"), None).await;
            assert_eq!(deleted.status, 200, "{}", deleted.text());
        }
    }
    let (name, text) = ("n".repeat(30 << 10), "t".repeat(60 << 10));
    for number in 0..4 {
        let name = format!("{number}{name}");
        let mut tags = Vec::new();
        for part in 0..30 {
            let tag = json!({ "text": format!("{number} {part} {}", "g".repeat(900)) });
            tags.push(post(&service, "/tags/create", &tag).await);
        }
        post(&service, "/websites/create", &json!({ "url": format!("https://a.example/{number}"), "name": name }))
            .await;
        summary(&service.client, &name).await;
        post(&service, "/conversations/create", &json!({ "type": "COPILOT", "name": name })).await;
        post(&service, "/annotations/create", &json!({ "type": "COMMENT", "text": text, "asset": asset })).await;
        let anchor = json!({ "type": "FILE", "fullpath": format!("/{number}{}", "p".repeat(8_000)), "name": name });
        post(&service, "/anchors/create", &anchor).await;
        post(&service, "/hints/create", &json!({ "type": "SUGGESTED_QUERY", "text": text })).await;
        let tag = tags[0]["id"].as_str().expect("an id");
        let linked = service.send("POST", &format!("/asset/{asset}/tags/associate/{tag}"), None).await;
        assert_eq!(linked.status, 204, "{}", linked.text());
    }
    service
}

/// The targets of GETs whose answers are streamed.
fn targets() -> impl Iterator<Item = String> {
    let rows = OPERATIONS.iter().filter(|info| info.streamed && info.method.as_str() == "GET");
    rows.filter(|info| !info.path.contains('{')).map(|info| match info.name {
        "assetsThen" => format!("{}?at=2999-01-01T00:00:00Z", info.path),
        "searchAssets" => format!("{}?query=needle", info.path),
        _ => info.path.to_owned(),
    })
}

#[tokio::test]
async fn a_long_list_comes_in_chunks_and_is_the_same_as_one_with_its_length() {
    let service = filled().await;
    let mut in_chunks = 0;
    for target in targets() {
        let answer = service.send("GET", &target, None).await;
        // HTTP/1.0 knows no chunks.
        let old = format!("GET {target} HTTP/1.0\r\nHost: 127.0.0.1:{}\r\n\r\n", service.port());
        let finished = service.raw(old).await;
        assert_eq!((answer.status, finished.status, answer.broken), (200, 200, false), "{target}");
        assert!(answer.body == finished.body, "{target}");
        let length = finished.header("content-length").and_then(|length| length.parse().ok());
        assert_eq!((length, finished.header("transfer-encoding")), (Some(answer.body.len()), None), "{target}");
        let chunked = answer.header("transfer-encoding") == Some("chunked");
        assert_eq!(chunked, answer.body.len() >= 64 << 10, "{target} has {} bytes", answer.body.len());
        in_chunks += usize::from(chunked);
        indexed_rightly(&target, &answer);
    }
    assert!(in_chunks >= 11, "{in_chunks}");
}

/// The indices of a list say where each record is.
fn indexed_rightly(target: &str, answer: &Answer) {
    let tree = answer.json();
    let records = tree["iterable"].as_array().cloned().unwrap_or_default();
    for (id, index) in tree["indices"].as_object().into_iter().flatten() {
        let index = usize::try_from(index.as_u64().expect("an index")).expect("a small one");
        assert_eq!(records[index]["id"], *id, "{target}");
    }
    if tree["indices"].is_object() {
        assert_eq!(tree["indices"].as_object().map(|indices| indices.len()), Some(records.len()), "{target}");
    }
}

#[tokio::test]
async fn a_short_list_has_its_length_and_an_error_its_status() {
    let service = TestService::start().await;
    for target in targets() {
        let answer = service.send("GET", &target, None).await;
        assert_eq!((answer.status, answer.header("transfer-encoding")), (200, None), "{target}");
        assert_eq!(answer.header("content-length"), Some(answer.body.len().to_string().as_str()), "{target}");
    }
    assert_eq!(service.send("GET", "/assets/search", None).await.status, 400);
    assert_eq!(service.send("GET", "/activity/identifiers?activity_filter_enum=NONE", None).await.status, 400);
    assert_eq!(service.send("GET", "/asset/00000000-0000-4000-8000-000000000000/activities", None).await.status, 404);
}

#[tokio::test]
async fn a_head_request_of_a_long_list_has_no_body_and_keeps_the_connection() {
    let service = large(HttpLimits::default()).await;
    let port = service.port();
    let text = tokio::task::spawn_blocking(move || {
        let mut stream = connect(port);
        let head = format!("HEAD /assets HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("sent");
        stream.write_all(&request("GET", "/.well-known/version", port, &[], None)).expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("two answers");
        text
    });
    let text = text.await.expect("no panic");
    assert_eq!(text.matches("HTTP/1.1 200 OK").count(), 2, "{text:.500}");
    assert!(!text.contains("iterable"), "{text:.500}");
}

fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
    stream
}

/// Asks for a list and reads its first byte.
fn begin(port: u16, target: &str) -> TcpStream {
    let mut stream = connect(port);
    stream.write_all(&request("GET", target, port, &[], None)).expect("sent");
    stream.read_exact(&mut [0]).expect("it begins");
    stream
}

/// A service whose list of assets is far larger than what sockets hold.
async fn large(limits: HttpLimits) -> TestService {
    let service = TestService::within(limits, |_| {}).await;
    for number in 0..20 {
        let seed = text_seed(&number.to_string(), &"x".repeat(1 << 20));
        post(&service, "/assets/create?transferables=false", &seed).await;
    }
    service
}

#[tokio::test]
async fn clients_that_do_not_read_hold_no_reader_and_get_everything_later() {
    let service = large(HttpLimits::default()).await;
    let port = service.port();
    // More than may read at a time: each begins only when those before it gave their readers back.
    let begun = tokio::task::spawn_blocking(move || (0..20).map(|_| begin(port, "/assets")).collect::<Vec<_>>());
    let mut begun = begun.await.expect("all begin");
    assert_eq!(service.send("GET", "/assets?transferables=false", None).await.status, 200);
    let mut late = begun.pop().expect("one of them");
    let rest = tokio::task::spawn_blocking(move || {
        let mut rest = Vec::new();
        late.read_to_end(&mut rest).expect("the rest");
        rest
    });
    let rest = rest.await.expect("no panic");
    assert!(rest.len() > 40 << 20 && rest.ends_with(b"\r\n0\r\n\r\n"), "{} bytes", rest.len());
}

#[tokio::test]
async fn clients_that_go_away_in_the_middle_leave_their_readers_to_others() {
    let service = large(HttpLimits::default()).await;
    let port = service.port();
    let gone = tokio::task::spawn_blocking(move || {
        for _ in 0..40 {
            drop(begin(port, "/assets"));
        }
    });
    gone.await.expect("all begin");
    let answer = service.send("GET", "/assets", None).await;
    assert_eq!((answer.status, answer.broken), (200, false));
    assert_eq!(answer.json()["iterable"].as_array().map(Vec::len), Some(20));
    // It closes its store at once: nobody reads from it any more.
    tokio::time::timeout(Duration::from_secs(30), service.running.stop()).await.expect("it stops");
}

#[tokio::test]
async fn a_service_that_stops_breaks_off_the_lists_that_are_not_read() {
    let service = large(HttpLimits { drain: Duration::from_millis(100), ..HttpLimits::default() }).await;
    let port = service.port();
    let begun = tokio::task::spawn_blocking(move || begin(port, "/assets"));
    let mut begun = begun.await.expect("it begins");
    tokio::time::timeout(Duration::from_secs(30), service.running.stop()).await.expect("it stops");
    let rest = tokio::task::spawn_blocking(move || {
        let mut rest = Vec::new();
        begun.read_to_end(&mut rest).ok(); // The connection may be reset.
        rest
    });
    assert!(!rest.await.expect("no panic").ends_with(b"\r\n0\r\n\r\n"), "it was not the whole list");
}

#[tokio::test]
async fn a_list_shows_one_moment_though_assets_are_made_while_it_is_sent() {
    let service = large(HttpLimits::default()).await;
    let port = service.port();
    let mut begun = tokio::task::spawn_blocking(move || begin(port, "/assets")).await.expect("it begins");
    post(&service, "/assets/create?transferables=false", &text_seed("late", "it is not in the list")).await;
    let rest = tokio::task::spawn_blocking(move || {
        let mut rest = Vec::new();
        begun.read_to_end(&mut rest).expect("the rest");
        String::from_utf8_lossy(&rest).into_owned()
    });
    let rest = rest.await.expect("no panic");
    assert!(rest.ends_with("\r\n0\r\n\r\n") && !rest.contains("it is not in the list"));
}
