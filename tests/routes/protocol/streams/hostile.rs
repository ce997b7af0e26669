//! The client's side of a stream against services that do not behave: each ends it with an error that says what happened,
//! within its time, and nothing is asked for again. Time-outs are made small; nothing is timed.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

use lunette_client::client::{CallError, Change, Limits, StreamKind, TimeoutPhase};
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use crate::support::client_at;
use crate::support::hostile::{Behaviour, Hostile};

fn short() -> Limits {
    Limits {
        connect: Duration::from_millis(500),
        total: Duration::from_millis(300),
        silence: Duration::from_millis(300),
        json_bytes: 100_000,
        ..Limits::default()
    }
}

/// What following a service of this behaviour ends with.
async fn refused(behaviour: Behaviour) -> CallError {
    let server = Hostile::start(behaviour);
    let error = client_at(&server.url(), short()).follow(StreamKind::Assets).await.err().expect("no stream");
    let shown = error.to_string();
    assert!(shown.starts_with(&format!("GET {}/assets/stream/identifiers: ", server.url())), "{shown}");
    assert!(!error.outcome_unknown(), "a stream changes nothing");
    assert!(server.requests().len() <= 1, "it is asked for once");
    error
}

#[tokio::test]
async fn refusing_a_stream_is_an_ordinary_error() {
    for (behaviour, phase) in [
        (Behaviour::Never, "timed out"),
        (Behaviour::Drip, "timed out"),
        (Behaviour::Continue, "timed out"),
        (Behaviour::HangBody, "timed out"),
        (Behaviour::HalfBody, "reset"),
        (Behaviour::Announce(1 << 40), "too large"),
        (Behaviour::Reset, "reset"),
        (Behaviour::NotHttp, "not this service"),
        (Behaviour::ok("{\"iterable\": []}"), "not this service"),
        (Behaviour::ok("<!doctype html><title>Hello</title>"), "not this service"),
        (Behaviour::Answer(204, "", Vec::new()), "not this service"),
        (Behaviour::Answer(500, "", b"<html>".to_vec()), "not this service"),
        (Behaviour::Answer(500, "", b"a fault".to_vec()), "status"),
        (Behaviour::Answer(403, "", b"refused".to_vec()), "status"),
        (Behaviour::Answer(302, "Location: http://127.0.0.1:9/elsewhere\r\n", Vec::new()), "status"),
        (Behaviour::Answer(101, "", Vec::new()), "not this service"),
        (Behaviour::Answer(101, "Upgrade: websocket\r\nConnection: upgrade\r\n", Vec::new()), "not this service"),
        (
            Behaviour::Answer(
                101,
                "Upgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n",
                Vec::new(),
            ),
            "not this service",
        ),
    ] {
        let error = refused(behaviour.clone()).await;
        assert_eq!(error.phase(), phase, "{behaviour:?}: {error}");
        assert!(!error.missing(), "{behaviour:?}: {error}");
    }
}

#[tokio::test]
async fn a_service_without_streams_is_detected() {
    for status in [404, 405, 501] {
        for body in [b"no such route".as_slice(), b"<html>"] {
            let error = refused(Behaviour::Answer(status, "", body.to_vec())).await;
            assert!(error.missing(), "{error}");
        }
    }
    let error = refused(Behaviour::Answer(404, "", b"no such\x1b[31m route".to_vec())).await;
    assert!(error.to_string().ends_with("status 404: no such<U+001B>[31m route"), "{error}");
}

#[tokio::test]
async fn opening_a_stream_without_a_listener_is_refused() {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let url = format!("http://127.0.0.1:{}", free.local_addr().expect("its address").port());
    drop(free);
    let error = client_at(&url, short()).follow(StreamKind::Tags).await.err().expect("no stream");
    assert!(matches!(error, CallError::Refused { .. }), "{error}");
}

#[tokio::test]
async fn a_stream_is_requested_below_the_base_path_without_an_origin() {
    let server = Hostile::start(Behaviour::Answer(404, "", Vec::new()));
    let client = client_at(&format!("{}/base/", server.url()), short());
    assert!(client.follow(StreamKind::WorkstreamSummaries).await.is_err());
    let request = server.requests().remove(0).to_ascii_lowercase();
    assert!(request.starts_with("get /base/workstream_summaries/stream/identifiers http/1.1\r\n"), "{request}");
    let host = server.url().replace("http://", "host: ");
    assert!(request.contains(&format!("\r\n{host}\r\n")), "{request}");
    assert!(request.contains("\r\nuser-agent: lunette/"), "{request}");
    assert!(!request.contains("\r\norigin:") && !request.contains("extensions"), "{request}");
}

/// The end of a stream of a server that shakes hands, says this, and then goes on like that; and all that came before.
async fn received(message: Vec<u8>, then: fn(&mut TcpStream)) -> (Vec<Change>, Option<CallError>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let url = format!("http://127.0.0.1:{}", listener.local_addr().expect("its address").port());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client");
        shake_hands(&mut stream);
        // A client that goes away early is what some of these want.
        if stream.write_all(&message).is_ok() {
            then(&mut stream);
        }
    });
    let mut stream = client_at(&url, short()).follow(StreamKind::Assets).await.expect("a stream");
    let mut all = Vec::new();
    loop {
        match tokio::time::timeout(Duration::from_secs(60), stream.next()).await.expect("an end") {
            Some(Ok(changes)) => all.extend(changes),
            end => {
                assert!(stream.next().await.is_none(), "nothing comes after the end");
                return (all, end.map(|error| error.expect_err("the end")));
            }
        }
    }
}

fn shake_hands(stream: &mut TcpStream) {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).expect("a request");
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).expect("text");
    let key =
        head.lines().find_map(|line| line.to_ascii_lowercase().starts_with("sec-websocket-key: ").then(|| &line[19..]));
    let accept = derive_accept_key(key.expect("a key").as_bytes());
    write!(
        stream,
        "HTTP/1.1 101 Switching\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    )
    .expect("it is sent");
}

/// A frame as a server sends it.
fn frame(first: u8, body: &[u8]) -> Vec<u8> {
    let length = match u8::try_from(body.len()) {
        Ok(short) if short < 126 => vec![short],
        _ => [vec![127], (body.len() as u64).to_be_bytes().to_vec()].concat(),
    };
    [vec![first], length, body.to_vec()].concat()
}

const TEXT: u8 = 0x81;

fn close(_: &mut TcpStream) {}

/// Waits until the client goes away.
fn hold(stream: &mut TcpStream) {
    while stream.read(&mut [0; 1024]).is_ok_and(|count| count > 0) {}
}

#[tokio::test]
async fn every_invalid_message_is_named_and_ends_the_stream() {
    let deep = [vec![b'['; 100_000 / 2], vec![b']'; 100_000 / 2]].concat();
    for (message, phase) in [
        (frame(TEXT, b"{\"iterable\": ["), "not JSON"),
        (frame(TEXT, b"\xff\xfe"), "not JSON"),
        (frame(0x82, b"\xff\xfe"), "not JSON"),
        (frame(TEXT, b""), "not JSON"),
        (frame(TEXT, &deep), "not JSON"),
        (frame(TEXT, b"[]"), "wrong shape"),
        (frame(TEXT, b"{\"iterable\":[{\"asset\":{\"id\":7}}]}"), "wrong shape"),
        // Announced larger than anything; a little larger than the cap; in pieces that are larger together.
        ([vec![TEXT, 127], u64::MAX.to_be_bytes().to_vec()].concat(), "too large"),
        ([vec![TEXT, 127], (1_u64 << 62).to_be_bytes().to_vec()].concat(), "too large"),
        (frame(TEXT, &[b' '; 100_001]), "too large"),
        ([frame(0x01, &[b' '; 60_000]), frame(0x00, &[b' '; 60_000])].concat(), "too large"),
        // No frames of the protocol: masked, of an unknown kind, with a bit that means nothing, a piece of nothing.
        (vec![TEXT, 0x81, 0, 0, 0, 0, b'x'], "not this service"),
        (vec![0x83, 0], "not this service"),
        (vec![0xf1, 0], "not this service"),
        (frame(0x80, b"x"), "not this service"),
        (frame(0x89, &[b'x'; 126]), "not this service"),
        (b"HTTP/1.1 200 OK\r\n\r\n".repeat(9), "not this service"),
        // Ends that are none.
        (Vec::new(), "reset"),
        (frame(TEXT, b"{\"iterable\":[]}")[..8].to_vec(), "reset"),
        (frame(0x88, &[0x03, 0xf3, b'n', b'o']), "reset"),
    ] {
        let shown = message[..message.len().min(40)].escape_ascii().to_string();
        let (changes, error) = received(message, close).await;
        let error = error.unwrap_or_else(|| panic!("{shown} ended it well"));
        assert_eq!((error.phase(), changes), (phase, Vec::new()), "{shown}: {error}");
        assert!(error.to_string().len() < 1000 && error.advice().ends_with('.'));
    }
}

#[tokio::test]
async fn a_regular_close_is_not_an_error() {
    let change = Change { kind: StreamKind::Tags, id: "1".to_owned(), deleted: true };
    let message = Change::message([change.clone()]);
    for end in [frame(0x88, &[]), frame(0x88, &1000_u16.to_be_bytes()), frame(0x88, &1001_u16.to_be_bytes())] {
        // Text in two pieces with a ping between them; bytes; kinds that nobody follows here.
        let (first, second) = message.as_bytes().split_at(9);
        let pieces = [frame(0x01, first), frame(0x89, b"ping"), frame(0x80, second)].concat();
        let other = frame(TEXT, br#"{"iterable":[{"range":{"id":"r"},"updated":{}}]}"#);
        let text = [pieces, frame(0x82, message.as_bytes()), other, end].concat();
        assert_eq!(received(text, hold).await, (vec![change.clone(), change.clone()], None));
    }
}

#[tokio::test]
async fn an_unresponsive_service_is_detected() {
    let silent = |error: Option<CallError>| matches!(&error, Some(CallError::TimedOut { waiting: TimeoutPhase::Response, limit, .. }) if *limit == short().silence);
    assert!(silent(received(frame(TEXT, b"{\"iterable\":[]}"), hold).await.1));
    // A message that never ends is none, be its pieces empty or its bytes slow.
    assert!(silent(received(frame(0x01, b"{"), |stream| while stream.write_all(&frame(0x00, b"")).is_ok() {}).await.1));
    let slow = |stream: &mut TcpStream| {
        stream.set_read_timeout(Some(Duration::from_millis(5))).expect("a time-out");
        while stream.write_all(b" ").is_ok() {
            // Waits a little, whatever comes.
            if stream.read(&mut [0; 64]).is_ok_and(|count| count == 0) {
                return;
            }
        }
    };
    assert!(silent(received(frame(TEXT, &[b' '; 90_000])[..20].to_vec(), slow).await.1));
}

#[tokio::test]
async fn a_service_that_answers_pings_may_be_idle() {
    let answer_five = |stream: &mut TcpStream| {
        for _ in 0..5 {
            // A ping of a client: its head and its mask.
            let mut ping = [0; 6];
            stream.read_exact(&mut ping).expect("a ping");
            assert_eq!(ping[..2], [0x89, 0x80]);
            stream.write_all(&frame(0x8a, b"")).expect("an answer");
        }
        stream.write_all(&frame(0x88, b"")).expect("an end");
        hold(stream);
    };
    assert_eq!(received(frame(TEXT, b"{\"iterable\":[]}"), answer_five).await, (Vec::new(), None));
}
