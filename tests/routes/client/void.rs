//! Answers without content: they must end, and be empty.

use std::time::Duration;

use lunette_client::client::{CallError, Limits};
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::AssetScoresIncrement;

use crate::support::client_at;
use crate::support::hostile::{Behaviour, Hostile};

async fn outcome(behaviour: Behaviour) -> Result<(), CallError> {
    let server = Hostile::start(behaviour);
    let limits = Limits { total: Duration::from_secs(20), ..Limits::default() };
    let call = AssetScoresIncrement { asset: AssetId::random(), increment: None };
    client_at(&server.url(), limits).call(call).await
}

fn answer(head: &str, body: &[u8]) -> Behaviour {
    Behaviour::Bytes([head.as_bytes(), b"\r\n\r\n", body].concat())
}

#[tokio::test]
async fn an_empty_response_and_equivalent_json_are_accepted() {
    for behaviour in [
        answer("HTTP/1.1 204 No Content", b""),
        Behaviour::ok(""),
        Behaviour::ok("null"),
        Behaviour::ok(" {}\n"),
        answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", b"2\r\n{}\r\n0\r\n\r\n"),
    ] {
        assert_eq!(outcome(behaviour.clone()).await, Ok(()), "{behaviour:?}");
    }
}

#[tokio::test]
async fn an_unexpected_response_is_an_error_and_the_outcome_of_a_write_unknown() {
    let noise = b"\x1f\x8b\x08\x00noise".to_vec();
    for behaviour in [
        Behaviour::Huge,
        Behaviour::Announce(10_000_000_000),
        Behaviour::ok("done"),
        Behaviour::ok("{\"a\":1}"),
        Behaviour::ok(noise),
        Behaviour::ok("x".repeat(300)),
    ] {
        let error = outcome(behaviour.clone()).await.expect_err("no empty answer");
        assert!(matches!(error, CallError::UnexpectedBody { .. }), "{behaviour:?}: {error:?}");
        assert!(error.outcome_unknown() && error.to_string().contains("unexpected body"), "{error}");
    }
    for broken in ["-5\r\nxx", "FFFFFFFFFFFFFFFFF\r\n", "4\r\n{}"] {
        let chunked = answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", broken.as_bytes());
        let error = outcome(chunked).await.expect_err("it does not end");
        assert!(matches!(error, CallError::Reset { .. }) && error.outcome_unknown(), "{broken:?}: {error:?}");
    }
}
