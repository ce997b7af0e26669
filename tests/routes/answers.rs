//! Answers of every kind to every operation of the interface: each is read or refused by a phase that has a name, none is
//! lost on the way, and none ends the program.
//!
//! All combinations would be millions, so that some thousands are drawn, the same at every run; `LUNETTE_ANSWERS` says
//! how many instead.

use std::io::Write as _;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use lunette_client::client::{CallError, Limits};
use lunette_client::operation::{BodyKind, Group, OPERATIONS, ResponseBody as _};

use crate::support::fault::read_request;
use crate::support::{client_at, least};

const STATUSES: [u16; 26] = [
    200, 201, 202, 203, 204, 205, 206, 226, 299, 300, 301, 302, 304, 307, 400, 401, 403, 404, 405, 410, 413, 429, 500,
    501, 503, 599,
];

const TYPES: [&str; 12] = [
    "",
    "application/json",
    "application/json; charset=utf-16",
    "text/plain",
    "text/html; charset=utf-8",
    "image/png",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
    "APPLICATION/JSON",
    "a/b/c;;;=",
    "\u{fc}",
    "application/problem+json",
];

const PHASES: [&str; 5] = ["status", "not this service", "not JSON", "wrong shape", "unexpected body"];

/// Bodies: JSON of right and wrong shapes, JSON that is none, text, bytes, pages.
fn bodies() -> Vec<Vec<u8>> {
    let whole = [
        "",
        "null",
        "true",
        "0",
        "1.10",
        "-0",
        "1e400",
        "\"\"",
        "\"text\"",
        "[]",
        "[[]]",
        "{}",
        "{\"id\": 1}",
        "{\"iterable\": []}",
        "{\"iterable\": null}",
        "{\"iterable\": [null]}",
        "{\"iterable\": [{\"id\": \"x\"}]}",
        "{\"iterable\": {\"0\": {}}}",
        "{\"id\": \"x\", \"id\": \"y\"}",
        "{\"a\": NaN}",
        "{\"a\": 01}",
        "{'a': 1}",
        "{\"a\": \"\\ud800\"}",
        "{\"a\": 1,}",
        "{",
        "}",
        "]",
        "\u{feff}{}",
        "{} {}",
        "ok",
        "ok:1",
        "no such asset",
        "\u{202e}txt",
        "\u{1b}[31mred",
        "<!doctype html><title>x</title>",
        "<html",
        "<?xml version='1.0'?>",
        "\0",
        "\n\n",
        " {\"iterable\": []} ",
    ];
    let mut bodies: Vec<Vec<u8>> = whole.iter().map(|text| text.as_bytes().to_vec()).collect();
    bodies.extend([
        b"\xff\xfe{\0}\0".to_vec(),
        b"{\"iterable\": [\xc3\x28]}".to_vec(),
        vec![0x80; 300],
        vec![b'9'; 5_000],
    ]);
    bodies.push([vec![b'['; 127], vec![b']'; 127]].concat());
    bodies.push([vec![b'['; 128], vec![b']'; 128]].concat());
    bodies.push([vec![b'['; 50_000], vec![b']'; 50_000]].concat());
    bodies
}

struct Answer {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

/// Answers each request with what is set before it.
struct Server {
    port: u16,
    next: Arc<Mutex<Answer>>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let next = Arc::new(Mutex::new(Answer { status: 200, kind: "", body: Vec::new() }));
        let shared = Arc::clone(&next);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                // A client that goes away ends the thread, which is all that is wanted.
                std::thread::spawn(move || serve(stream, &shared).ok());
            }
        });
        Self { port, next }
    }
}

fn serve(mut stream: TcpStream, next: &Mutex<Answer>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    loop {
        read_request(&mut stream)?;
        let Answer { status, kind, body } = &*next.lock().unwrap_or_else(PoisonError::into_inner);
        let kind = if kind.is_empty() { String::new() } else { format!("Content-Type: {kind}\r\n") };
        // Neither has a body (RFC 9110, 6.4.1).
        let bare = matches!(status, 204 | 304);
        let length = if bare { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        let mut answer = format!("HTTP/1.1 {status} As told\r\n{kind}{length}\r\n").into_bytes();
        answer.extend_from_slice(if bare { &[] } else { body });
        stream.write_all(&answer)?;
        stream.flush()?;
    }
}

#[tokio::test]
async fn every_response_of_every_operation_is_decoded_or_rejected_by_name_and_kept() {
    let wanted = std::env::var("LUNETTE_ANSWERS").ok().and_then(|count| count.parse().ok()).unwrap_or(4_000_usize);
    let rows: Vec<_> = OPERATIONS.iter().copied().filter(|info| info.group != Group::Extension).collect();
    assert_eq!(rows.len(), 27);
    let (server, bodies) = (Server::start(), bodies());
    let client = client_at(&format!("http://127.0.0.1:{}", server.port), Limits::default()).ignoring_refusals();
    let mut drawn: u64 = 29;
    let mut draw = |most: usize| {
        drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(drawn >> 33).expect("small") % most
    };
    let (mut read, mut refused) = (0, 0);
    for turn in 0..wanted {
        let info = rows[turn % rows.len()];
        let (status, kind) = (STATUSES[draw(STATUSES.len())], TYPES[draw(TYPES.len())]);
        let body = bodies[draw(bodies.len())].clone();
        *server.next.lock().unwrap_or_else(PoisonError::into_inner) = Answer { status, kind, body: body.clone() };
        let exchange = client.exchange(&least(info)).await;
        let described = || format!("{} answered {status} {kind:?} {:?}", info.name, String::from_utf8_lossy(&body));
        assert_eq!(exchange.status, Some(status), "{}", described());
        let bare = matches!(status, 204 | 304);
        let kept = if bare { &[][..] } else { &body[..body.len().min(64 * 1024)] };
        assert!(exchange.response_body.starts_with(kept) || status < 300, "{}", described());
        // A void that goes on is not read to its end.
        let cut = matches!(exchange.outcome, Err(CallError::UnexpectedBody { .. }));
        assert!(exchange.response_body == body || bare || cut || status >= 300, "{}", described());
        match &exchange.outcome {
            Ok(reply) => {
                read += 1;
                assert!((200..300).contains(&status), "{}", described());
                reply.to_tree();
            }
            Err(error) => {
                refused += 1;
                assert!(PHASES.contains(&error.phase()), "{}: {error}", described());
                let hidden = |letter: char| lunette_client::model::display::is_hidden(letter);
                assert!(!error.to_string().chars().any(hidden), "{}: {error:?}", described());
                let void = info.answer == <()>::NAME && <()>::KIND == BodyKind::Void;
                let page = matches!(error, CallError::NotThisService { .. });
                let unexpected = (page || cut) && !body.trim_ascii().is_empty();
                let succeeded = (200..300).contains(&status);
                assert!(!(void && succeeded) || unexpected, "a void takes any success without a body: {}", described());
                assert!(void || !cut, "{}", described());
            }
        }
    }
    println!("{read} read, {refused} refused, 0 without a name");
    assert!(read > wanted / 50 && refused > wanted / 2, "{read} read, {refused} refused");
}
