//! The client against services that behave and services that do not. Time-outs are made small; nothing is timed.

use std::time::Duration;

use lunette_client::client::{CallError, Limits, TimeoutPhase, probe};
use lunette_client::model::id::{AssetId, TagId};
use lunette_client::operation::table::{
    ApplicationsSessionOpen, ApplicationsSnapshot, AssetAssociateTag, AssetSpecificAssetExport, Call,
    GetWellKnownHealth,
};
use lunette_client::operation::{Accept, Method, OPERATIONS, Operation as _, RequestParts};

use crate::support::hostile::{Behaviour, Hostile};
use crate::support::{TestService, client_at, least};

mod deep;
mod endings;
mod memory;
mod once;
mod void;

const NONE: &str = r#"{"iterable": []}"#;

fn short() -> Limits {
    Limits { connect: Duration::from_millis(500), total: Duration::from_millis(300), ..Limits::default() }
}

/// What a read of the applications ends with.
async fn failure(behaviour: Behaviour) -> CallError {
    let server = Hostile::start(behaviour);
    let client = client_at(&server.url(), short());
    let error = client.call(ApplicationsSnapshot {}).await.expect_err("it fails");
    let shown = error.to_string();
    assert!(shown.starts_with(&format!("GET {}/applications: ", server.url())), "{shown}");
    assert!(error.advice().ends_with('.'), "{}", error.advice());
    assert!(!error.outcome_unknown(), "a read can be repeated");
    error
}

#[tokio::test]
async fn every_protocol_error_is_reported_with_its_phase() {
    let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
    for (behaviour, phase) in [
        (Behaviour::Never, "timed out"),
        (Behaviour::Continue, "timed out"),
        (Behaviour::HangBody, "timed out"),
        (Behaviour::Drip, "timed out"),
        (Behaviour::HalfBody, "reset"),
        (Behaviour::Reset, "reset"),
        (Behaviour::NotHttp, "not this service"),
        (Behaviour::ok("<!doctype html><title>Hello</title>"), "not this service"),
        (Behaviour::Answer(500, "", b"<html>".to_vec()), "not this service"),
        (Behaviour::Answer(404, "", b"no such route".to_vec()), "status"),
        (Behaviour::Answer(404, "", b"<html>".to_vec()), "status"),
        (Behaviour::Answer(503, "Retry-After: 0\r\n", Vec::new()), "status"),
        (Behaviour::Answer(304, "", Vec::new()), "status"),
        (Behaviour::ok(*b"{\"iterable\": [\xff\xfe]}"), "not JSON"),
        (Behaviour::ok("{\"iterable\": ["), "not JSON"),
        (Behaviour::ok(""), "not JSON"),
        (Behaviour::Answer(204, "", Vec::new()), "not JSON"),
        (Behaviour::ok(deep), "not JSON"),
        (Behaviour::Answer(200, "Content-Encoding: gzip\r\n", b"\x1f\x8b\x08bomb".to_vec()), "not JSON"),
        (Behaviour::Answer(200, "Content-Length: 3\r\n", NONE.as_bytes().to_vec()), "not this service"),
        (Behaviour::ok("[1, 2]"), "wrong shape"),
        (Behaviour::ok("\"applications\""), "wrong shape"),
    ] {
        let error = failure(behaviour.clone()).await;
        assert_eq!(error.phase(), phase, "{behaviour:?}: {error}");
    }
}

#[tokio::test]
async fn a_timeout_names_the_awaited_condition() {
    for (behaviour, awaited) in [(Behaviour::Never, TimeoutPhase::Response), (Behaviour::Drip, TimeoutPhase::Body)] {
        let error = failure(behaviour).await;
        assert!(matches!(error, CallError::TimedOut { waiting, .. } if waiting == awaited), "{error:?}");
    }
}

#[tokio::test]
async fn a_refused_connection_is_reported_without_an_unknown_outcome() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
    let client = client_at(&format!("http://127.0.0.1:{port}"), short());
    let error = client.call(ApplicationsSessionOpen {}).await.expect_err("nobody is there");
    assert_eq!(error.phase(), "refused");
    assert!(!error.outcome_unknown(), "nothing was sent");
    assert!(error.to_string().starts_with("POST http://127.0.0.1:"), "{error}");
}

#[tokio::test]
async fn a_refusal_shows_the_reason_of_the_service_escaped() {
    let body = "no\u{202e}such \u{1b}[31masset\r\n".as_bytes().to_vec();
    let error = failure(Behaviour::Answer(404, "", body)).await;
    let CallError::Status { status, sentence, .. } = &error else { panic!("{error:?}") };
    assert_eq!((*status, sentence.as_str()), (404, "no<U+202E>such <U+001B>[31masset"));
    assert!(error.missing());
}

#[tokio::test]
async fn a_redirect_is_reported_and_not_followed() {
    let other = Hostile::start(Behaviour::ok(NONE));
    for status in [301, 302, 307, 308] {
        let location: &'static str = format!("Location: {}/applications\r\n", other.url()).leak();
        let error = failure(Behaviour::Answer(status, location, Vec::new())).await;
        assert!(error.to_string().contains(&other.url()), "{error}");
    }
    assert_eq!(other.requests(), Vec::<String>::new());
}

#[tokio::test]
async fn a_response_over_the_limit_is_aborted() {
    for behaviour in [Behaviour::Huge, Behaviour::Announce(10_000_000_000)] {
        let server = Hostile::start(behaviour);
        let limits = Limits { json_bytes: 1024 * 1024, export_bytes: 2 * 1024 * 1024, ..Limits::default() };
        let client = client_at(&server.url(), limits);
        let error = client.call(ApplicationsSnapshot {}).await.expect_err("it is too large");
        assert!(matches!(error, CallError::TooLarge { limit: 1_048_576, .. }), "{error:?}");
        let export_type = "HTML".parse().expect("a kind");
        let export = AssetSpecificAssetExport { asset: AssetId::random(), export_type };
        let error = client.call(export).await.expect_err("it is too large");
        assert!(matches!(error, CallError::TooLarge { limit: 2_097_152, .. }), "{error:?}");
    }
}

#[tokio::test]
async fn only_the_beginning_of_a_response_is_read() {
    let server = Hostile::start(Behaviour::Huge);
    let client = client_at(&server.url(), Limits::default()).with_prefix(10_000);
    let export = AssetSpecificAssetExport { asset: AssetId::random(), export_type: "RAW".parse().expect("a kind") };
    let read = client.exchange_reading(&export.into(), |body| Ok(body.len())).await;
    assert_eq!(read.outcome.expect("its beginning"), 10_000);
}

#[tokio::test]
async fn a_write_is_sent_once_and_an_unknown_outcome_is_reported() {
    for behaviour in [Behaviour::Never, Behaviour::HangBody, Behaviour::HalfBody, Behaviour::Reset] {
        let server = Hostile::start(behaviour.clone());
        let client = client_at(&server.url(), short());
        let error = client.call(ApplicationsSessionOpen {}).await.expect_err("it fails");
        assert!(error.outcome_unknown(), "{error:?}");
        assert!(error.advice().contains("unknown"), "{}", error.advice());
        assert_eq!(server.requests().len(), 1, "{behaviour:?}");
    }
}

#[tokio::test]
async fn a_write_never_uses_a_connection_that_is_being_closed() {
    let session = r#"{"id": "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159", "opened": {"value": "2026-01-01T00:00:00Z"}}"#;
    let server = Hostile::start(Behaviour::StaleClose(session.into()));
    let client = client_at(&server.url(), short());
    for count in 1..=3 {
        client.call(ApplicationsSessionOpen {}).await.expect("each has a connection of its own");
        assert_eq!(server.requests().len(), count);
    }
}

#[tokio::test]
async fn a_read_on_a_closed_connection_is_retried_once() {
    let server = Hostile::start(Behaviour::StaleClose(NONE.into()));
    let client = client_at(&server.url(), short());
    for _ in 0..3 {
        assert!(client.call(ApplicationsSnapshot {}).await.is_ok());
    }
    let server = Hostile::start(Behaviour::Reset);
    let client = client_at(&server.url(), short());
    assert_eq!(client.call(ApplicationsSnapshot {}).await.expect_err("it never answers").phase(), "reset");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_large_answer_is_read_like_a_small_one() {
    let tag = r#"{"id": "x", "text": "y"}"#;
    let large = format!("{{\"iterable\": [], \"extra\": [{tag}{}]}}", format!(",{tag}").repeat(50_000));
    let server = Hostile::start(Behaviour::ok(large.as_bytes()));
    let client = client_at(&server.url(), Limits::default());
    let exchange = client.exchange(&ApplicationsSnapshot {}.into()).await;
    assert_eq!(exchange.response_body.len(), large.len());
    assert!(exchange.outcome.is_ok());
    let broken = Hostile::start(Behaviour::ok(&large.as_bytes()[..large.len() - 1]));
    let client = client_at(&broken.url(), Limits::default());
    assert_eq!(client.call(ApplicationsSnapshot {}).await.expect_err("it is cut").phase(), "not JSON");
}

#[tokio::test]
async fn a_void_operation_accepts_any_success_with_an_empty_or_void_body() {
    for (status, body) in [(200, ""), (200, "null"), (201, "{}"), (202, " "), (204, "")] {
        let server = Hostile::start(Behaviour::Answer(status, "Content-Type: text/html\r\n", body.into()));
        let client = client_at(&server.url(), short());
        let call = AssetAssociateTag { asset: AssetId::random(), tag: "a/b".parse::<TagId>().expect("an id") };
        assert_eq!(client.call(call).await, Ok(()), "{status} {body:?}");
    }
}

#[tokio::test]
async fn every_operation_sends_the_request_of_its_table_row() {
    let server = Hostile::start(Behaviour::Answer(404, "", Vec::new()));
    let client = client_at(&server.url(), Limits::default());
    for info in OPERATIONS {
        let call = least(info);
        let exchange = client.exchange(&call).await;
        let request = server.requests().pop().expect("a request");
        let target = call.parts().target(info);
        assert!(request.starts_with(&format!("{} {target} HTTP/1.1\r\n", info.method)), "{request}");
        assert!(exchange.url.ends_with(&target) && exchange.status == Some(404), "{exchange:?}");
        let lower = request.to_ascii_lowercase();
        let accept = match info.accept {
            // What reqwest sends in place of no header; it means the same (RFC 9110, 12.5.1).
            Accept::Undefined => "*/*",
            other => other.header().expect("a value"),
        };
        assert!(lower.contains(&format!("accept: {accept}\r\n")), "{request}");
        assert!(!lower.contains("content-type"), "{request}");
        assert_eq!(info.method == Method::Post, lower.contains("content-length: 0"), "{request}");
        assert!(lower.contains(concat!("user-agent: lunette/", env!("CARGO_PKG_VERSION"))), "{request}");
    }
}

#[tokio::test]
async fn a_body_is_accepted_as_json_and_byte_by_byte() {
    let server = Hostile::start(Behaviour::Answer(404, "", Vec::new()));
    let client = client_at(&server.url(), Limits::default());
    let info = lunette_client::operation::table::TagsCreateNewTag::INFO;
    let body = r#"{"text": "ü 😀 שלום \u0000", "x": 18446744073709551616.10}"#;
    let parts = RequestParts { body: Some(body.into()), ..RequestParts::default() };
    let exchange = client.exchange(&Call::read(info, &parts).expect("a tag")).await;
    let request = server.requests().pop().expect("a request");
    assert!(request.to_ascii_lowercase().contains("content-type: application/json\r\n"), "{request}");
    let sent = request.split("\r\n\r\n").nth(1).expect("a body");
    assert_eq!(exchange.request_body.as_deref(), Some(sent.as_bytes()));
    let tree = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    assert_eq!(tree(sent), tree(body));
    assert!(sent.contains("18446744073709551616.10"), "{sent}");
}

#[tokio::test]
async fn an_exchange_records_everything_sent_and_received() {
    let service = TestService::start().await;
    let exchange = service.client.exchange(&GetWellKnownHealth {}.into()).await;
    assert_eq!(exchange.status, Some(200));
    assert_eq!(exchange.content_type.as_deref(), Some("text/plain; charset=utf-8"));
    assert_eq!(exchange.server.as_deref(), Some(concat!("lunette/", env!("CARGO_PKG_VERSION"))));
    assert!(exchange.response_body.starts_with(b"ok:"));
    assert_eq!(exchange.request_body, None);
    let body = String::from_utf8(exchange.response_body).expect("UTF-8");
    assert_eq!(exchange.outcome.map(|reply| reply.to_tree()), Ok(serde_json::json!(body)));
}

#[tokio::test]
async fn a_probe_distinguishes_a_service_from_other_programs() {
    let service = TestService::start().await;
    let found = probe(service.client.address().clone(), Limits::default()).await.result.expect("it is there");
    assert!(found.health.is_some_and(|health| health.starts_with("ok:")));
    assert_eq!(found.version.as_deref(), Some(concat!("12.4.1-lunette.", env!("CARGO_PKG_VERSION"))));
    for behaviour in [
        Behaviour::ok("<html>"),
        Behaviour::ok("fine"),
        Behaviour::NotHttp,
        Behaviour::Answer(404, "", b"nothing here".to_vec()),
        Behaviour::Never,
    ] {
        let server = Hostile::start(behaviour.clone());
        let probe = probe(server.url().parse().expect("an address"), short()).await;
        assert!(probe.result.is_err(), "{behaviour:?}: {probe:?}");
    }
}

/// Set in the process that runs the tests again.
const AGAIN: &str = "LUNETTE_TESTS_AGAIN";

/// The environment of a process cannot be changed safely, so all neighbours run again in another process.
#[test]
fn proxy_environment_variables_do_not_apply_to_loopback() {
    // In that process this test has nothing to run, whatever its name is.
    if std::env::var_os(AGAIN).is_some() {
        return;
    }
    let mut tests = std::process::Command::new(std::env::current_exe().expect("this program"));
    tests.args(["client::", "--skip", "memory", "--skip", "endings", "--skip", "deep"]);
    tests.env(AGAIN, "1");
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
        tests.env(name, "http://127.0.0.1:9");
    }
    let output = tests.output().expect("it runs");
    let message = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{message}");
    let passed = message.split(" passed").next().and_then(|before| before.rsplit(' ').next()?.parse::<usize>().ok());
    assert!(passed.is_some_and(|passed| passed >= 15), "{message}");
}
