//! Streams by the bytes of their clients: who may open one, what a client may say, and how its silence is noticed.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

use lunette_client::operation::{STATUS_STREAMS, STREAMS, StatusStream};
use lunette_service::HttpLimits;

use crate::support::TestService;
use crate::support::raw::{Answer, read_answer};

const SOCKET: &str = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

fn connect(port: u16) -> TcpStream {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
    // So that a service that never answers fails the test instead of hanging it.
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
    stream
}

/// The answer to a request line and header lines, PORT standing for the service's port.
async fn asked(service: &TestService, line: &str, headers: &str) -> Answer {
    service.raw(format!("{line}{headers}\r\n").replace("PORT", &service.port().to_string())).await
}

/// An open stream of tags whose empty snapshot was read.
fn open(port: u16) -> TcpStream {
    let mut stream = open_at(port, "/tags/stream/identifiers");
    assert_eq!(frame(&mut stream), Some((1, br#"{"iterable":[]}"#.to_vec())));
    stream
}

/// An open stream of which nothing was read.
fn open_at(port: u16, path: &str) -> TcpStream {
    let mut stream = connect(port);
    let head = format!("GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\n{SOCKET}\r\n");
    stream.write_all(head.as_bytes()).expect("it is sent");
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).expect("an answer");
        answer.push(byte[0]);
    }
    let answer = String::from_utf8(answer).expect("text");
    assert!(answer.starts_with("HTTP/1.1 101 "), "{answer}");
    assert!(answer.to_ascii_lowercase().contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=\r\n"), "{answer}");
    stream
}

/// The next frame: its kind and what it holds. None at the end.
fn frame(stream: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let mut head = [0; 2];
    match stream.read_exact(&mut head) {
        Ok(()) => {}
        Err(error) if matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset) => return None,
        Err(error) => panic!("no frame: {error}"),
    }
    assert!(head[0] & 0xf0 == 0x80 && head[1] < 126, "one short frame a message, not masked: {head:?}");
    let mut body = vec![0; usize::from(head[1])];
    stream.read_exact(&mut body).expect("the frame is whole");
    Some((head[0] & 0x0f, body))
}

/// The next frame that is not a ping; each ping is answered.
fn frame_but_pings(stream: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    loop {
        match frame(stream) {
            Some((9, _)) => stream.write_all(&client_frame(10, b"")).expect("an answer"),
            other => return other,
        }
    }
}

/// A frame as a client sends it: masked, with a mask of zeros.
fn client_frame(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = match u8::try_from(body.len()) {
        Ok(short) if short < 126 => vec![0x80 | short],
        _ => [vec![0x80 | 127], (body.len() as u64).to_be_bytes().to_vec()].concat(),
    };
    [vec![0x80 | kind], length, vec![0; 4], body.to_vec()].concat()
}

fn code(body: &[u8]) -> u16 {
    u16::from_be_bytes([body[0], body[1]])
}

#[tokio::test]
async fn web_pages_cannot_open_a_stream_and_programs_can() {
    let allowed = "http://localhost:8888";
    let service = TestService::with(|settings| settings.allowed_origins = vec![allowed.to_owned()]).await;
    let mut bodies = Vec::new();
    for info in &STREAMS {
        let line = format!("GET {} HTTP/1.1\r\n", info.path);
        for page in [
            "Host: localhost:PORT\r\nOrigin: http://evil.test\r\n",
            "Host: localhost:PORT\r\nOrigin: http://evil.test\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: websocket\r\n",
            "Host: localhost:PORT\r\nSec-Fetch-Site: same-site\r\n",
            "Host: localhost:PORT\r\nOrigin: null\r\n",
            "Host: localhost:PORT\r\nOrigin: http://localhost:8889\r\n",
            "Host: localhost:PORT\r\nOrigin: http://localhost:PORT\r\nOrigin: http://evil.test\r\n",
            "Host: rebind.test:PORT\r\nOrigin: http://rebind.test:PORT\r\n",
            "Host: rebind.test:PORT\r\n",
            "",
        ] {
            let answer = asked(&service, &line, &format!("{page}{SOCKET}")).await;
            assert_eq!(answer.status, 403, "{page}");
            assert!(answer.text().starts_with("rejected by the browser guard: "), "{}", answer.text());
            assert_eq!(answer.header("upgrade"), None);
            bodies.push(answer.body);
        }
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]), "nothing can be told from a refusal");
    assert_eq!(service.running.blocked().requests, bodies.len() as u64);
    for program in [
        "Host: localhost:PORT\r\n",
        "Host: localhost:PORT\r\nOrigin: http://localhost:PORT\r\n",
        &format!("Host: localhost:PORT\r\nOrigin: {allowed}\r\nSec-Fetch-Site: same-site\r\n"),
    ] {
        let head = format!("GET {} HTTP/1.1\r\n{program}{SOCKET}\r\n", STREAMS[0].path);
        let (port, head) = (service.port(), head.replace("PORT", &service.port().to_string()));
        let answered = tokio::task::spawn_blocking(move || {
            let mut stream = connect(port);
            stream.write_all(head.as_bytes()).expect("it is sent");
            let mut line = [0; 12];
            stream.read_exact(&mut line).expect("an answer");
            line
        });
        assert_eq!(&answered.await.expect("an answer"), b"HTTP/1.1 101", "{program}");
    }
}

#[tokio::test]
async fn a_request_without_an_upgrade_is_answered_with_a_hint_to_use_a_websocket() {
    let service = TestService::start().await;
    let host = "Host: localhost:PORT\r\n";
    for info in &STREAMS {
        let line = format!("GET {} HTTP/1.1\r\n", info.path);
        for headers in [
            "",
            "Upgrade: h2c\r\n",
            "Upgrade: websocket\r\n",
            &SOCKET.replace("13", "8"),
            &format!("{SOCKET}Content-Length: 2\r\n"),
        ] {
            let answer = asked(&service, &line, &format!("{host}{headers}")).await;
            assert_eq!(answer.status, 426, "{headers}");
            assert_eq!(answer.header("upgrade"), Some("websocket"));
            assert!(answer.text().starts_with("this path is a stream: "), "{}", answer.text());
        }
        let posted = asked(&service, &line.replace("GET", "POST"), &format!("{host}Content-Length: 0\r\n")).await;
        assert_eq!((posted.status, posted.header("allow")), (405, Some("GET,HEAD,OPTIONS")));
    }
}

#[tokio::test]
async fn a_websocket_on_another_path_is_not_found() {
    let service = TestService::start().await;
    let host = "Host: localhost:PORT\r\n";
    for (path, status, says) in [
        ("/assets", 404, "HTTP/1.1"),
        ("/tags/stream", 404, "HTTP/1.1"),
        ("/no/such", 404, "HTTP/1.1"),
        // What the family has there, and why it is not here.
        ("/os/settings/stream", 501, "other programs"),
        ("/workstream_pattern_engine/processors/vision/status/stream", 501, "long-term memory"),
    ] {
        let answer = asked(&service, &format!("GET {path} HTTP/1.1\r\n"), &format!("{host}{SOCKET}")).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.text().contains(says), "{}", answer.text());
    }
}

#[tokio::test]
async fn an_upgrade_to_another_protocol_is_ignored() {
    let service = TestService::start().await;
    let offer =
        "Host: localhost:PORT\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n";
    let answer = asked(&service, "GET /assets HTTP/1.1\r\n", offer).await;
    assert_eq!((answer.status, answer.header("upgrade")), (200, None));
}

#[tokio::test]
async fn small_websocket_messages_are_accepted_and_large_ones_refused() {
    let service = TestService::start().await;
    let port = service.port();
    let ended = tokio::task::spawn_blocking(move || {
        let mut modest = open(port);
        for _ in 0..64 {
            modest.write_all(&client_frame(1, b"hello")).expect("it is sent");
        }
        modest.write_all(&client_frame(9, b"are you there")).expect("it is sent");
        assert_eq!(frame(&mut modest), Some((10, b"are you there".to_vec())));
        let endings = [
            client_frame(1, &[b'x'; 5000]),
            client_frame(2, &[b'x'; 5000]),
            client_frame(3, b"x"),
            client_frame(1, b"x").repeat(65),
        ];
        endings.map(|bytes| {
            let mut stream = open(port);
            stream.write_all(&bytes).expect("it is sent");
            let (kind, body) = frame(&mut stream).expect("a Close");
            (kind, code(&body))
        })
    });
    assert_eq!(ended.await.expect("they end"), [(8, 1008); 4]);
}

#[tokio::test]
async fn an_unresponsive_client_is_disconnected_and_a_responsive_one_stays() {
    let short = Duration::from_millis(100);
    // Neither the time of a head nor that of a connection without requests is a stream's.
    let limits = HttpLimits { ping: short, idle: short, head: short, ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let port = service.port();
    let pings = tokio::task::spawn_blocking(move || {
        let (mut silent, mut answering) = (open(port), open(port));
        let mut answered = 0;
        while answered < 5 {
            assert_eq!(frame(&mut answering), Some((9, Vec::new())));
            answering.write_all(&client_frame(10, b"")).expect("an answer");
            answered += 1;
        }
        let mut unanswered = 0;
        while let Some((kind, _)) = frame(&mut silent) {
            assert_eq!(kind, 9);
            unanswered += 1;
        }
        (unanswered, answering)
    });
    let (unanswered, mut answering) = pings.await.expect("it ends");
    assert_eq!(unanswered, 1);
    let made = crate::support::assets::tag(&service.client, "t").await.to_string();
    let answer = tokio::task::spawn_blocking(move || frame_but_pings(&mut answering)).await.expect("a frame");
    let (kind, body) = answer.expect("the stream is open");
    assert_eq!((kind, String::from_utf8_lossy(&body).contains(&made)), (1, true));
}

#[tokio::test]
async fn clients_that_disconnect_abruptly_leave_no_stream_open() {
    let service = TestService::start().await;
    let port = service.port();
    tokio::task::spawn_blocking(move || {
        for _ in 0..200 {
            drop(open(port)); // More than there are slots at a time.
        }
        let mut leaving = open(port);
        leaving.write_all(&client_frame(8, &1000_u16.to_be_bytes())).expect("it is sent");
        assert_eq!(frame(&mut leaving), Some((8, 1000_u16.to_be_bytes().to_vec())));
        assert_eq!(frame(&mut leaving), None);
    })
    .await
    .expect("it ends");
}

#[tokio::test]
async fn a_client_that_ignores_the_close_frame_delays_shutdown_only_briefly() {
    let limits = HttpLimits { drain: Duration::from_millis(200), ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let port = service.port();
    let mut deaf = tokio::task::spawn_blocking(move || open(port)).await.expect("a stream");
    let TestService { running, folder, .. } = service;
    tokio::time::timeout(Duration::from_secs(30), running.stop()).await.expect("it stops");
    assert!(lunette_service::store::Store::open(folder.path()).is_ok());
    let (kind, body) = frame(&mut deaf).expect("a Close");
    assert_eq!((kind, code(&body)), (8, 1001));
    assert_eq!(frame(&mut deaf), None);
}

#[tokio::test]
async fn an_upgrade_is_possible_on_a_connection_with_earlier_requests() {
    let service = TestService::start().await;
    let port = service.port();
    let begun = tokio::task::spawn_blocking(move || {
        let mut stream = connect(port);
        write!(stream, "GET /.well-known/health HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n").expect("it is sent");
        assert_eq!(read_answer(&mut stream, false).status, 200);
        write!(stream, "GET /tags/stream/identifiers HTTP/1.1\r\nHost: localhost:{port}\r\n{SOCKET}\r\n")
            .expect("it is sent");
        let mut line = [0; 12];
        stream.read_exact(&mut line).expect("an answer");
        line
    });
    assert_eq!(&begun.await.expect("an answer"), b"HTTP/1.1 101");
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_about_the_service_send_one_message_and_stay_open_until_it_stops() {
    let service = TestService::start().await;
    let health = service.send("GET", "/.well-known/health", None).await.text();
    let user = service.send("GET", "/user", None).await.json()["user"].clone();
    let mut streams: Vec<TcpStream> = STATUS_STREAMS.iter().map(|info| open_at(service.port(), info.path)).collect();
    for (info, stream) in STATUS_STREAMS.iter().zip(&mut streams) {
        let (kind, body) = text_frame(stream);
        match info.kind {
            StatusStream::Health => assert_eq!((kind, String::from_utf8(body)), (1, Ok(health.clone()))),
            StatusStream::User => {
                let sent: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
                assert_eq!((kind, &sent), (1, &user));
            }
        }
    }
    service.running.stop().await;
    for stream in &mut streams {
        let (kind, body) = frame_but_pings(stream).expect("a frame");
        assert_eq!((kind, code(&body)), (8, 1001), "it ends with the service");
    }
}

/// The next frame, which may be longer than a short one.
fn text_frame(stream: &mut TcpStream) -> (u8, Vec<u8>) {
    let mut head = [0; 2];
    stream.read_exact(&mut head).expect("a frame");
    let mut length = usize::from(head[1]);
    if length == 126 {
        let mut long = [0; 2];
        stream.read_exact(&mut long).expect("its length");
        length = usize::from(u16::from_be_bytes(long));
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).expect("the frame is whole");
    (head[0] & 0x0f, body)
}
