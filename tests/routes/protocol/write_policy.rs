//! Write policies of the client: no write leaves where the write policy holds it back, not even a connection is made
//! for it.

use lunette_client::client::{CallError, Limits, WritePolicy};
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{AssetFormats, AssetsDeleteAsset};
use lunette_client::operation::{OPERATIONS, Operation as _};

use crate::support::counter::Counter;
use crate::support::{TestService, client_at, least};

#[tokio::test]
async fn a_read_only_client_sends_no_write() {
    let counter = Counter::start();
    let client = client_at(&counter.url(), Limits::default()).with_write_policy(WritePolicy::ReadOnly);
    let writes: Vec<_> = OPERATIONS.iter().filter(|info| info.writes()).collect();
    assert!(writes.len() > 20, "most of the interface writes");
    for info in writes {
        let call = least(info);
        let exchange = client.exchange(&call).await;
        let error = exchange.outcome.expect_err("it is held back");
        assert!(matches!(error, CallError::ReadOnly { .. }), "{}: {error}", info.name);
        assert!(!error.outcome_unknown(), "{}: it is known that nothing was sent", info.name);
        assert!(error.to_string().contains("read-only") && error.advice().contains("Connection"), "{error}");
    }
    assert_eq!(counter.connections(), 0, "no connection was made");
    client.exchange(&least(AssetFormats::INFO)).await.outcome.expect_err("nobody answers");
    assert!(counter.connections() > 0, "what only reads goes out, and is counted");
}

#[tokio::test]
async fn changing_the_write_policy_affects_every_clone_at_once() {
    let counter = Counter::start();
    let client = client_at(&counter.url(), Limits::default());
    let copy = client.clone();
    assert_eq!(client.write_policy(), WritePolicy::Allow, "this machine is free from the start");
    client.set_write_policy(WritePolicy::ReadOnly);
    let delete = || AssetsDeleteAsset { asset: AssetId::random() };
    let held = copy.call(delete()).await;
    assert!(matches!(held, Err(CallError::ReadOnly { .. })), "{held:?}");
    assert_eq!(counter.connections(), 0);
    client.set_write_policy(WritePolicy::Confirm);
    copy.call(delete()).await.expect_err("nobody answers");
    assert_eq!(counter.connections(), 1);
}

#[tokio::test]
async fn an_address_of_another_machine_is_read_only_by_default() {
    let client = client_at("http://192.0.2.1:39300", Limits::default());
    assert_eq!(client.write_policy(), WritePolicy::ReadOnly);
    let held = client.call(AssetsDeleteAsset { asset: AssetId::random() }).await;
    assert!(matches!(held, Err(CallError::ReadOnly { .. })), "{held:?}");
}

#[tokio::test]
async fn a_read_only_client_can_call_every_read() {
    let service = TestService::start().await;
    let client = service.client.clone().with_write_policy(WritePolicy::ReadOnly);
    for info in OPERATIONS.iter().filter(|info| !info.writes()) {
        let exchange = client.exchange(&least(info)).await;
        assert!(!matches!(exchange.outcome, Err(CallError::ReadOnly { .. })), "{}", info.name);
    }
}
