//! What the family has and this service does not: 501 with a sentence, whatever the method, and never before the guard.

use lunette_client::operation::unsupported::UNSUPPORTED;
use serde_json::json;

use crate::resources::conversations::get;
use crate::support::{TestService, raw};

#[tokio::test]
async fn unsupported_input_is_rejected_with_the_reason() {
    let service = TestService::start().await;
    for part in &UNSUPPORTED {
        for method in ["GET", "POST"] {
            let answer = service.send(method, &format!("{}anything/at/all", part.prefix), None).await;
            assert_eq!((answer.status, answer.text().trim_end()), (501, part.reason), "{method} {}", part.prefix);
            assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
        }
    }
}

#[tokio::test]
async fn a_page_cannot_detect_unsupported_operations() {
    let service = TestService::start().await;
    let page = [("Origin", "http://evil.test")];
    let ask = async |path: &str| service.raw(raw::request("GET", path, service.port(), &page, None)).await;
    let (unsupported, unknown) = (ask("/os/restart").await, ask("/no/such/path").await);
    assert_eq!((unsupported.status, &unsupported.body), (403, &unknown.body));
}

#[tokio::test]
async fn no_version_of_the_model_context_protocol_is_offered() {
    let service = TestService::start().await;
    assert_eq!(get(&service, "/model_context_protocol/schema_versions").await, json!({ "iterable": [] }));
}
