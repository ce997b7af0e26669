//! A write goes out once, whatever becomes of it, and where nobody knows what became of it that is said.

use std::time::{Duration, Instant};

use lunette_client::client::{CallError, Limits};
use lunette_client::operation::OPERATIONS;

use super::short;
use crate::support::hostile::{Behaviour, Hostile};
use crate::support::{client_at, least};

const PAGE: &str = "<!doctype html><title>Gateway</title>";

/// A target with its ids left out, since they are others each time.
fn shape(target: &str) -> String {
    let parts = target.split('/').map(|part| if part.len() == 36 { "{}" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

fn sorted(shapes: impl Iterator<Item = String>) -> Vec<String> {
    let mut shapes: Vec<_> = shapes.collect();
    shapes.sort();
    shapes
}

#[tokio::test]
async fn every_writing_operation_is_sent_exactly_once_regardless_of_the_response() {
    let writes: Vec<_> = OPERATIONS.iter().copied().filter(|info| info.writes()).collect();
    assert!(writes.len() >= 14, "{}", writes.len());
    let answer = |head: &str, page: &str| {
        let length = page.len();
        Behaviour::Bytes(format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\n\r\n{page}").into())
    };
    for behaviour in [
        Behaviour::Never,
        Behaviour::HangBody,
        Behaviour::HalfBody,
        Behaviour::Reset,
        Behaviour::DripHead,
        Behaviour::Bytes(b"\x01\x02 no HTTP\r\n\r\n".to_vec()),
        Behaviour::EndlessHead,
        answer("200 OK", PAGE),
        answer("504 Late", PAGE),
        answer("502 Bad", "no answer from behind"),
        answer("503 Busy", "whether it was stored is unknown"),
        answer("500 Broken", "a fault"),
    ] {
        let server = Hostile::start(behaviour.clone());
        let client = client_at(&server.url(), short());
        for some in writes.chunks(40) {
            let calls: Vec<_> = some.iter().map(|info| least(info)).collect();
            let ended = futures_util::future::join_all(calls.iter().map(|call| client.exchange(call))).await;
            for exchange in ended {
                let error = exchange.outcome.expect_err("it fails");
                // A void that is taken with any body is done by its status.
                assert!(error.outcome_unknown(), "{behaviour:?}, {}: {error}", exchange.info.name);
                assert!(error.advice().contains("unknown"), "{}", error.advice());
            }
        }
        // On a busy machine the server may read a request only after the client has given up.
        let deadline = Instant::now() + Duration::from_secs(10);
        while server.requests().len() < writes.len() && Instant::now() < deadline {
            tokio::task::yield_now().await;
        }
        let requests = server.requests();
        assert_eq!(requests.len(), writes.len(), "{behaviour:?}");
        // Of a request that is reset nothing was read.
        if !matches!(behaviour, Behaviour::Reset) {
            let asked = requests.iter().map(|request| shape(request.split(' ').nth(1).unwrap_or_default()));
            let meant = writes.iter().map(|info| shape(&least(info).parts().target(info)));
            assert_eq!(sorted(asked), sorted(meant), "{behaviour:?}");
        }
    }
}

#[tokio::test]
async fn a_refusing_status_means_that_a_write_was_not_applied() {
    for status in [302, 400, 401, 403, 404, 405, 409, 410, 413, 415, 429, 501, 507] {
        for body in ["no", PAGE] {
            let server = Hostile::start(Behaviour::Answer(status, "", body.into()));
            let client = client_at(&server.url(), Limits::default());
            let call = lunette_client::operation::table::ApplicationsSessionOpen {};
            let error = client.call(call).await.expect_err("it is refused");
            assert!(!error.outcome_unknown(), "{status} {body}: {error}");
        }
    }
}

#[tokio::test]
async fn an_unreadable_success_is_unknown_for_a_write_and_an_error_for_a_read() {
    for body in ["{", "[]", "\"text\""] {
        let server = Hostile::start(Behaviour::ok(body));
        let client = client_at(&server.url(), Limits::default());
        let error =
            client.call(lunette_client::operation::table::ApplicationsSessionOpen {}).await.expect_err("unreadable");
        assert!(error.outcome_unknown() && error.advice().contains("unknown"), "{body}: {error}");
        let error =
            client.call(lunette_client::operation::table::ApplicationsSnapshot {}).await.expect_err("unreadable");
        assert!(!error.outcome_unknown(), "{body}: {error}");
    }
}

#[tokio::test]
async fn a_write_does_not_follow_a_redirect() {
    let other = Hostile::start(Behaviour::ok("{}"));
    for status in [301, 302, 303, 307, 308] {
        let location: &'static str = format!("Location: {}/applications/session/open\r\n", other.url()).leak();
        let server = Hostile::start(Behaviour::Answer(status, location, Vec::new()));
        let client = client_at(&server.url(), short());
        for _ in 0..2 {
            let call = lunette_client::operation::table::ApplicationsSessionOpen {};
            let error = client.call(call).await.expect_err("a redirect");
            assert!(matches!(error, CallError::Status { status: message, .. } if message == status), "{error:?}");
        }
        assert_eq!(server.requests().len(), 2, "one for each, and no loop");
    }
    assert_eq!(other.requests(), Vec::<String>::new());
}
