//! The browser guard, by the raw requests that were seen from real pages and real clients. A refusal is made before
//! routing, so that a handler sees nothing of it.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::support::TestService;
use crate::support::raw::{self, Answer};

const READ: &str = "GET /.well-known/health HTTP/1.1\r\n";
const WRITE: &str = "POST /applications/session/open HTTP/1.1\r\n";

/// A request by its first line and its header lines, PORT standing for the service's port.
async fn send(service: &TestService, line: &str, headers: &str) -> Answer {
    let head = format!("{line}{headers}Connection: close\r\n\r\n").replace("PORT", &service.port().to_string());
    service.raw(head).await
}

/// What every attacker gets, whoever it is and whatever it asked for.
fn assert_refused(answer: &Answer, case: &str) {
    assert_eq!(answer.status, 403, "{case}");
    assert!(answer.text().starts_with("rejected by the browser guard: "), "{case}: {}", answer.text());
    assert_eq!(answer.header("access-control-allow-origin"), None, "{case}");
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"), "{case}");
}

/// The senders of the table that are pages of others: their header lines.
const PAGES: [&str; 12] = [
    // An evil page, without CORS: reads, then writes with no body, a Blob, a form.
    "Host: 127.0.0.1:PORT\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n",
    "Host: 127.0.0.1:PORT\r\nOrigin: http://evil.test\r\nSec-Fetch-Site: cross-site\r\nContent-Length: 0\r\n",
    "Host: 127.0.0.1:PORT\r\nOrigin: http://evil.test\r\nContent-Length: 0\r\n",
    // A sandboxed frame, a file, a redirect.
    "Host: 127.0.0.1:PORT\r\nOrigin: null\r\nSec-Fetch-Site: cross-site\r\nContent-Length: 0\r\n",
    "Host: 127.0.0.1:PORT\r\nOrigin: null\r\nContent-Length: 0\r\n",
    // Another program's page on this machine.
    "Host: localhost:PORT\r\nOrigin: http://localhost:8001\r\nSec-Fetch-Site: same-site\r\nContent-Length: 0\r\n",
    "Host: localhost:PORT\r\nSec-Fetch-Site: same-site\r\n",
    // A page whose name was made to lead here, with whatever else it says.
    "Host: rebind.test:PORT\r\n",
    "Host: rebind.test:PORT\r\nOrigin: http://rebind.test:PORT\r\nContent-Length: 0\r\n",
    "Host: rebind.test:PORT\r\nX-Forwarded-Host: localhost:PORT\r\nForwarded: host=localhost:PORT\r\n",
    // An extension that writes.
    "Host: 127.0.0.1:PORT\r\nOrigin: chrome-extension://abcdefgh\r\nSec-Fetch-Site: none\r\nContent-Length: 0\r\n",
    // Two origins, one of them ours.
    "Host: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\nOrigin: http://evil.test\r\nContent-Length: 0\r\n",
];

#[tokio::test]
async fn foreign_web_pages_are_refused_with_identical_responses() {
    let service = TestService::start().await;
    let mut bodies = Vec::new();
    for page in PAGES {
        for line in [READ, WRITE, "OPTIONS /assets HTTP/1.1\r\n", "GET /no/such/path HTTP/1.1\r\n"] {
            let answer = send(&service, line, page).await;
            assert_refused(&answer, &format!("{line}{page}"));
            bodies.push(answer.body);
        }
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]), "nothing can be told from a refusal");
    assert_eq!(service.running.blocked().requests, bodies.len() as u64);
}

#[tokio::test]
async fn a_websocket_of_a_web_page_is_refused() {
    let service = TestService::start().await;
    let socket = "Host: 127.0.0.1:PORT\r\nOrigin: http://evil.test\r\nUpgrade: websocket\r\n";
    assert_refused(&send(&service, READ, socket).await, socket);
    let program = "Host: 127.0.0.1:PORT\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
    assert_eq!(send(&service, READ, program).await.status, 404);
}

#[tokio::test]
async fn programs_are_accepted_regardless_of_the_headers_of_their_library() {
    let service = TestService::start().await;
    for headers in [
        // The Python SDKs; the TypeScript SDK in node, whose fetch names a mode but no site; curl; reqwest.
        "Host: localhost:PORT\r\nAccept-Encoding: identity\r\nUser-Agent: OpenAPI-Generator/1.0.0/python\r\n",
        "Host: localhost:PORT\r\nsec-fetch-mode: cors\r\naccept-language: *\r\nuser-agent: node\r\n",
        "Host: 127.0.0.1:PORT\r\nUser-Agent: curl/8\r\nAccept: */*\r\n",
        "Host: [::1]:PORT\r\n",
        // A typed address, and an extension that reads.
        "Host: localhost:PORT\r\nSec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\n",
        "Host: 127.0.0.1:PORT\r\nSec-Fetch-Site: none\r\n",
        // Context that some clients add.
        "Host: localhost:PORT\r\nX-Application-ID: a\r\napplication: b\r\n",
        // Our own origin; a forwarded port; any case; no port.
        "Host: localhost:PORT\r\nOrigin: http://localhost:PORT\r\nSec-Fetch-Site: same-origin\r\n",
        "Host: localhost:4711\r\n",
        "Host: LocalHost:PORT\r\n",
        "Host: 127.0.0.1\r\n",
    ] {
        let answer = send(&service, READ, headers).await;
        assert!(answer.status == 200 && answer.text().starts_with("ok:"), "{headers}: {answer:?}");
    }
    assert_eq!(service.running.blocked().requests, 0);
}

#[tokio::test]
async fn no_spelling_of_a_foreign_host_passes() {
    let service = TestService::start().await;
    let long = format!("{}:1", "a".repeat(64 * 1024));
    let hosts: [&[u8]; 48] = [
        b"",
        b" ",
        b"evil.test",
        b"evil.test:PORT",
        b"localhost@evil.test",
        b"evil.test@localhost",
        b"localhost:PORT@evil.test",
        b"user:localhost@127.0.0.1",
        b"127.1:PORT",
        b"127.0.1",
        b"2130706433:PORT",
        b"0x7f.1",
        b"0x7f000001",
        b"0177.0.0.1",
        b"127.0.0.2:PORT",
        b"0.0.0.0:PORT",
        b"0:PORT",
        b"[::]:PORT",
        b"[::ffff:127.0.0.1]:PORT",
        b"[0:0:0:0:0:0:0:1]:PORT",
        b"::1",
        b"[::1",
        b"[::1]evil.test",
        b"[::1]]:PORT",
        b"[::1].",
        b"[::1].:PORT",
        b"[::1%25lo]:PORT",
        b"localhost.evil.test:PORT",
        b"127.0.0.1.nip.io:PORT",
        b"evil-localhost:PORT",
        b"localhost.:PORT",
        b"127.0.0.1.",
        b"localhost..:PORT",
        b"localhost:",
        b"localhost:0",
        b"localhost:65536",
        b"localhost:+80",
        b"localhost:080",
        b"localhost:80:80",
        b"localhost:80/",
        b"localhost:8o",
        b"localhost, evil.test",
        b"localhost evil.test",
        b"http://localhost:PORT",
        b"local\xe9host:PORT",
        b"\xef\xbd\x8clocalhost",
        b"*",
        long.as_bytes(),
    ];
    for host in hosts {
        let mut request = [READ.as_bytes(), b"Host: ", host, b"\r\nConnection: close\r\n\r\n"].concat();
        let port = service.port().to_string();
        if let Some(offset) = request.windows(4).position(|four| four == b"PORT") {
            request.splice(offset..offset + 4, port.bytes());
        }
        let answer = service.raw(request).await;
        assert_refused(&answer, &String::from_utf8_lossy(&host[..host.len().min(60)]));
    }
    assert_eq!(service.running.blocked().requests, hosts.len() as u64);
}

#[tokio::test]
async fn the_host_header_is_sent_once_and_matches_the_target() {
    let service = TestService::start().await;
    for (line, headers) in [
        (READ, ""),
        ("GET /.well-known/health HTTP/1.0\r\n", ""),
        (READ, "Host: localhost:PORT\r\nHost: localhost:PORT\r\n"),
        (READ, "Host: localhost:PORT\r\nHost: evil.test\r\n"),
        ("GET http://evil.test/.well-known/health HTTP/1.1\r\n", "Host: localhost:PORT\r\n"),
        ("GET http://me@localhost:PORT/.well-known/health HTTP/1.1\r\n", "Host: localhost:PORT\r\n"),
        ("GET https://localhost:PORT/.well-known/health HTTP/1.1\r\n", "Host: localhost:PORT\r\n"),
        ("CONNECT evil.test:443 HTTP/1.1\r\n", "Host: localhost:PORT\r\n"),
    ] {
        assert_refused(&send(&service, line, headers).await, &format!("{line}{headers}"));
    }
    let same = "GET http://localhost:PORT/.well-known/health HTTP/1.1\r\n";
    assert_eq!(send(&service, same, "Host: localhost:PORT\r\n").await.status, 200);
    assert_eq!(send(&service, "GET /.well-known/health HTTP/1.0\r\n", "Host: localhost\r\n").await.status, 200);
}

#[tokio::test]
async fn allowed_pages_are_matched_by_exact_origin() {
    let allowed = "http://localhost:8888";
    let service = TestService::with(|settings| settings.allowed_origins = vec![allowed.to_owned()]).await;
    let page = |origin: &str| format!("Host: localhost:PORT\r\nOrigin: {origin}\r\nSec-Fetch-Site: same-site\r\n");
    let answer = send(&service, READ, &page(allowed)).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), Some(allowed));
    assert_eq!(answer.header("vary"), Some("Origin"));
    assert_eq!(answer.header("access-control-allow-credentials"), None);
    for other in [
        "http://localhost:8889",
        "https://localhost:8888",
        "http://localhost:8888/",
        "http://localhost:88888",
        "http://localhost",
        "http://evil.localhost:8888",
        "http://LOCALHOST:8888",
        "null",
        "*",
        "",
    ] {
        assert_refused(&send(&service, READ, &page(other)).await, other);
    }
    assert_refused(
        &send(&service, READ, &page(allowed).replace("localhost:PORT", "rebind.test:PORT")).await,
        "rebound",
    );
}

#[tokio::test]
async fn a_preflight_succeeds_only_for_allowed_pages() {
    let allowed = "app://obsidian.md";
    let service = TestService::with(|settings| settings.allowed_origins = vec![allowed.to_owned()]).await;
    let asks = "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n";
    let line = "OPTIONS /.well-known/health HTTP/1.1\r\n";
    let answer = send(&service, line, &format!("Host: localhost:PORT\r\nOrigin: {allowed}\r\n{asks}")).await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    assert_eq!(answer.header("access-control-allow-origin"), Some(allowed));
    assert_eq!(answer.header("access-control-allow-methods"), Some("GET, POST"));
    assert_eq!(answer.header("access-control-allow-headers"), Some("content-type"));
    assert_eq!(answer.header("vary"), Some("Origin"));
    for (asked, granted) in [
        ("content-type, sentry-trace,baggage", "content-type, sentry-trace,baggage"),
        ("not a name", "content-type"),
        ("", "content-type"),
        ("*, (x)", "content-type"),
        (&format!("x-{}", "y".repeat(5_000)), "content-type"),
    ] {
        let asks = format!("Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: {asked}\r\n");
        let answer = send(&service, line, &format!("Host: localhost:PORT\r\nOrigin: {allowed}\r\n{asks}")).await;
        assert_eq!((answer.status, answer.header("access-control-allow-headers")), (204, Some(granted)), "{asked:.80}");
    }
    assert_refused(&send(&service, line, &format!("Host: localhost:PORT\r\nOrigin: null\r\n{asks}")).await, "null");
    let program = send(&service, line, "Host: localhost:PORT\r\n").await;
    assert_eq!((program.status, program.header("access-control-allow-methods")), (204, None));
    assert_eq!(program.header("allow"), Some("GET,HEAD,OPTIONS"));
}

#[tokio::test]
async fn blocked_pages_are_reported_and_can_be_allowed_at_run_time() {
    let service = TestService::start().await;
    let page = "Host: localhost:PORT\r\nOrigin: http://localhost:8888\r\n";
    assert_refused(&send(&service, READ, page).await, page);
    let blocked = service.running.blocked();
    assert_eq!(blocked.last_origin.as_deref(), Some("http://localhost:8888"));
    assert_eq!(blocked.last_host, Some(format!("localhost:{}", service.port())));
    assert!(service.running.allow_origin("http://localhost:8888"));
    assert_eq!(send(&service, READ, page).await.status, 200);
    assert_eq!(service.running.allowed_origins(), ["http://localhost:8888"]);
    service.running.disallow_origin("http://localhost:8888");
    assert_refused(&send(&service, READ, page).await, page);
    for none in ["*", "null", "", "localhost:8888", "http://", "http://a/b", "http://*.a"] {
        assert!(!service.running.allow_origin(none), "{none:?}");
    }
}

#[tokio::test]
async fn an_invalid_origin_is_refused_at_startup() {
    let mut settings = crate::support::settings(lunette_service::Data::Memory);
    settings.allowed_origins = vec!["*".to_owned()];
    let error = lunette_service::start(settings).await.err().expect("it does not start");
    assert!(error.to_string().contains("\"*\""), "{error}");
}

#[tokio::test]
async fn every_response_forbids_use_by_web_pages() {
    let service = TestService::start().await;
    let port = service.port();
    for request in [
        raw::request("GET", "/.well-known/health", port, &[], None),
        raw::request("GET", "/no/such/path", port, &[], None),
        raw::request("DELETE", "/.well-known/health", port, &[], None),
        raw::request("GET", "/.well-known/health", port, &[("Origin", "http://evil.test")], None),
    ] {
        let answer = service.raw(request).await;
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
            ("content-type", "text/plain; charset=utf-8"),
            ("server", concat!("lunette/", env!("CARGO_PKG_VERSION"))),
        ] {
            assert_eq!(answer.header(name), Some(value), "{}", answer.status);
        }
        assert_eq!(answer.header("vary"), None);
    }
}

/// Hosts and origins put together of what could be taken for a name of this machine.
fn made_up_heads() -> impl Strategy<Value = (String, Option<String>)> {
    let piece = "localhost|LOCALHOST|127\\.0\\.0\\.1|\\[::1\\]|127\\.1|0\\.0\\.0\\.0|\\[::\\]|evil\\.test|:PORT|:80|:0|:99999|:|@|\\.|/|\\?\
                 |#|\\\\|%|%00|,| |\t|-|http://|https://|[a-z0-9]{1,2}|é|\u{2024}|\u{ff0e}";
    let text = |most| {
        let piece = proptest::string::string_regex(piece).expect("a pattern");
        prop::collection::vec(piece, 0..most).prop_map(|pieces| pieces.concat())
    };
    let name = "(localhost|LocalHost|127\\.0\\.0\\.1|\\[::1\\])";
    let host = prop_oneof![
        1 => text(5),
        1 => (name, "\\.?(:PORT|:[0-9]{1,6})?", text(2)).prop_map(|(name, port, more)| name + &port + &more),
        1 => (name, "\\.?(:PORT)?").prop_map(|(name, port)| name + &port),
    ];
    let page = "(http|https|file|app)://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:PORT|:[0-9]{1,5})?";
    (host, prop::option::of(prop_oneof![text(5), page.prop_map(|origin| origin)]))
}

/// Whether a text is one name of this machine with or without a port, as the URL standard reads it.
fn is_this_machine(host: &str) -> bool {
    let Ok(url) = url::Url::parse(&format!("http://{host}/")) else { return false };
    let name = url.host_str().unwrap_or_default().to_owned();
    let bare = url.username().is_empty() && url.password().is_none() && url.path() == "/" && url.query().is_none();
    ["localhost", "127.0.0.1", "[::1]"].contains(&name.as_str()) && bare && url.fragment().is_none()
}

#[tokio::test]
async fn every_accepted_host_is_loopback_by_an_independent_parser() {
    let service = TestService::start().await;
    let (mut runner, heads) = (TestRunner::deterministic(), made_up_heads());
    let (mut passed, mut refused) = (0, 0);
    for _ in 0..2_500 {
        let (host, origin) = heads.new_tree(&mut runner).expect("a head").current();
        let port = service.port().to_string();
        let (host, origin) = (host.replace("PORT", &port), origin.map(|origin| origin.replace("PORT", &port)));
        let message = origin.as_ref().map(|origin| format!("Origin: {origin}\r\n")).unwrap_or_default();
        let answer = send(&service, READ, &format!("Host: {host}\r\n{message}")).await;
        if answer.status == 403 {
            refused += 1;
            continue;
        }
        assert_eq!(answer.status, 200, "{host:?} {origin:?}: {}", answer.text());
        // White space around a header's value is not part of it.
        let (host, origin) = (host.trim(), origin.as_deref().map(str::trim));
        assert!(is_this_machine(host), "{host:?}");
        let same = |origin: &str| origin.eq_ignore_ascii_case(&format!("http://{host}"));
        assert!(origin.is_none_or(same), "{host:?} {origin:?}");
        passed += 1;
    }
    println!("{passed} passed, {refused} refused");
    assert!(passed >= 100 && refused >= 1_000, "{passed} passed, {refused} refused");
    assert_eq!(service.running.blocked().requests, refused);
}
