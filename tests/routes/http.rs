//! The wire itself: ports, statuses, headers, limits, stopping.

use lunette::operation::table::{GetWellKnownHealth, GetWellKnownVersion};

use crate::support::TestService;

#[tokio::test]
async fn the_service_says_that_it_is_there() {
    let service = TestService::start().await;
    let health = service.client.call(GetWellKnownHealth {}).await.expect("an answer");
    assert!(health.starts_with("ok:"), "{health}");
    assert_eq!(service.client.call(GetWellKnownVersion {}).await.as_deref(), Ok(env!("CARGO_PKG_VERSION")));
    service.running.stop().await;
}
