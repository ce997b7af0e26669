//! Whatever the other side does, a call ends by itself, in a phase that has a name.
//!
//! Nothing is timed tightly, since a busy machine is slow: each call has a limit of 300 ms and the test a hundred times
//! that. Where the other side never ends, the error must say that it was the limit that ended the call.

use std::time::{Duration, Instant};

use lunette_client::client::{CallError, TimeoutPhase};
use lunette_client::operation::table::{ApplicationsSnapshot, Call};

use super::{NONE, short};
use crate::support::client_at;
use crate::support::hostile::{Behaviour, Hostile};

/// The names a failure may have.
const PHASES: [&str; 7] = ["refused", "timed out", "reset", "status", "not this service", "not JSON", "wrong shape"];

const PATIENCE: Duration = Duration::from_secs(30);

/// How a read of the applications ends, whatever it is.
async fn ending(behaviour: Behaviour) -> Result<(), CallError> {
    let server = Hostile::start(behaviour.clone());
    let client = client_at(&server.url(), short());
    let begun = Instant::now();
    let ended = tokio::time::timeout(PATIENCE, client.call(ApplicationsSnapshot {})).await;
    let ended = ended.unwrap_or_else(|_| panic!("{behaviour:?}: nothing but the test's patience ended it"));
    if let Err(error) = &ended {
        assert!(PHASES.contains(&error.phase()), "{behaviour:?}: {error}");
        let target = format!("GET {}/applications: ", server.url());
        assert!(error.to_string().starts_with(&target), "{behaviour:?}: {error}");
    }
    println!("{:>6} ms {:?}", begun.elapsed().as_millis(), ended.as_ref().err().map(CallError::phase));
    ended.map(|_| ())
}

fn head(lines: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\n{lines}\r\n").into_bytes()
}

#[tokio::test]
async fn an_endless_response_is_aborted_at_the_limit_with_an_error() {
    for (behaviour, awaited) in [
        (Behaviour::Never, TimeoutPhase::Response),
        (Behaviour::NeverTakes, TimeoutPhase::Response),
        (Behaviour::Continue, TimeoutPhase::Response),
        (Behaviour::DripHead, TimeoutPhase::Response),
        (Behaviour::HangBody, TimeoutPhase::Body),
        (Behaviour::Drip, TimeoutPhase::Body),
        (Behaviour::Announce(10_000_000), TimeoutPhase::Body),
    ] {
        let error = ending(behaviour.clone()).await.expect_err("it never ends by itself");
        let limit = short().total;
        let by_limit = matches!(&error, CallError::TimedOut { waiting, limit: message, .. }
            if *waiting == awaited && *message == limit);
        assert!(by_limit, "{behaviour:?}: {error:?}");
    }
}

#[tokio::test]
async fn contradictory_framing_is_reported() {
    let chunked = |chunks: &str| [head("Transfer-Encoding: chunked\r\n"), chunks.as_bytes().to_vec()].concat();
    for (bytes, phase) in [
        (chunked("-1\r\n{}\r\n"), "reset"),
        (chunked("ffffffffffffffffff\r\n"), "reset"),
        (chunked("zz\r\n"), "reset"),
        (chunked("5\r\n{\"ite"), "reset"),
        ([head("Content-Length: 100\r\n"), NONE.into()].concat(), "reset"),
        ([head("Content-Length: -5\r\n"), NONE.into()].concat(), "not this service"),
        ([head("Content-Length: 3\r\nContent-Length: 4\r\n"), NONE.into()].concat(), "not this service"),
        (b"HTTP/1.1 200 OK\r\nContent-Length".to_vec(), "reset"),
        (b"HTTP/9.9 200 OK\r\n\r\n".to_vec(), "not this service"),
        (b"HTTP/1.1 20 OK\r\n\r\n".to_vec(), "not this service"),
        (b"\0\0\0\0\0\0\0\0\0\0\r\n\r\n".to_vec(), "not this service"),
    ] {
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        let error = ending(Behaviour::Bytes(bytes)).await.expect_err("it is not an answer");
        assert_eq!(error.phase(), phase, "{shown:?}: {error}");
    }
    assert_eq!(ending(Behaviour::EndlessHead).await.expect_err("no head").phase(), "not this service");
}

#[tokio::test]
async fn a_length_with_chunks_and_informational_responses_are_tolerated() {
    let chunks = format!("{:x}\r\n{NONE}\r\n0\r\n\r\n", NONE.len());
    let both = [head("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"), chunks.into()].concat();
    // RFC 9112, 6.3: the chunks count; refusing both is as good.
    let read = ending(Behaviour::Bytes(both)).await;
    assert!(read.is_ok() || read.is_err_and(|error| error.phase() == "not this service"));
    let length = format!("Content-Length: {}\r\n", NONE.len());
    let hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\nServer: first\r\n\r\n".to_vec();
    assert_eq!(ending(Behaviour::Bytes([hints, head(&length), NONE.into()].concat())).await, Ok(()));
    assert_eq!(ending(Behaviour::Late(100, NONE.into())).await, Ok(()));
}

/// Of what is sent beyond an answer nothing is ever taken for the answer to the next request.
#[tokio::test]
async fn an_unsolicited_second_response_is_ignored() {
    let answer = |body: &str| [head(&format!("Content-Length: {}\r\n", body.len())), body.into()].concat();
    let smuggled = r#"{"iterable": [], "smuggled": true}"#;
    for extra in [answer(smuggled), smuggled.as_bytes().to_vec(), vec![0; 70_000]] {
        let server = Hostile::start(Behaviour::Each([answer(NONE), extra].concat()));
        let client = client_at(&server.url(), short());
        for _ in 0..10 {
            let exchange = client.exchange(&Call::from(ApplicationsSnapshot {})).await;
            assert!(!String::from_utf8_lossy(&exchange.response_body).contains("smuggled"));
            assert!(exchange.outcome.is_ok() || exchange.status.is_none(), "read whole or not at all");
        }
    }
}

#[tokio::test]
async fn random_response_bytes_always_give_a_named_error() {
    let mut drawn: u64 = 6;
    let mut byte = || {
        drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (drawn >> 33) as u8
    };
    let mut answers = Vec::new();
    for turn in 0..1_000 {
        let start: &[u8] =
            [&b""[..], b"HTTP/1.1 ", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n"]
                [turn % 4];
        answers.push([start.to_vec(), (0..40).map(|_| byte()).collect(), b"\r\n\r\n".to_vec()].concat());
    }
    for part in answers.chunks(50) {
        let failed = part.iter().map(|bytes| ending(Behaviour::Bytes(bytes.clone())));
        let failed = futures_util::future::join_all(failed).await;
        assert!(failed.iter().all(Result::is_err), "random bytes are not a list");
    }
}

#[tokio::test]
async fn a_hundred_rounds_leak_no_connection() {
    let server = Hostile::start(Behaviour::HangBody);
    let client = client_at(&server.url(), short());
    for _ in 0..10 {
        let calls = (0..10).map(|_| client.call(ApplicationsSnapshot {}));
        let ended = futures_util::future::join_all(calls).await;
        assert!(ended.iter().all(|end| matches!(end, Err(CallError::TimedOut { .. }))));
    }
    drop(client);
    let end = Instant::now() + PATIENCE;
    while server.open() > 0 {
        assert!(Instant::now() < end, "{} connections are still open", server.open());
        tokio::task::yield_now().await;
    }
    assert_eq!(server.requests().len(), 100);
}
