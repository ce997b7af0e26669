//! Sessions: opening, closing, reading.

use lunette_client::model::id::SessionId;
use lunette_client::operation::table::{
    ApplicationsSessionClose, ApplicationsSessionOpen, ApplicationsSessionSnapshot,
};

use super::*;
use crate::support::assets::{moment, refusal};

async fn opened(service: &TestService) -> SessionId {
    let session = service.client.call(ApplicationsSessionOpen {}).await.expect("a session");
    session.view().id().parse().expect("a session's id")
}

async fn closed(service: &TestService, session: Option<SessionId>) -> Value {
    service.client.call(ApplicationsSessionClose { session }).await.expect("the session is closed").into_tree()
}

#[tokio::test]
async fn a_session_is_open_until_it_is_closed() {
    let service = TestService::start().await;
    let session = opened(&service).await;
    let read = || service.client.call(ApplicationsSessionSnapshot { session: session.clone() });
    assert_eq!(read().await.expect("the session").into_tree().get("closed"), None);
    let after = closed(&service, Some(session.clone())).await;
    assert!(moment(&after["closed"]) >= moment(&after["opened"]));
    assert_eq!(read().await.expect("the session").into_tree(), after);
}

#[tokio::test]
async fn closing_a_session_twice_returns_the_same_record() {
    let service = TestService::start().await;
    let session = opened(&service).await;
    let first = closed(&service, Some(session.clone())).await;
    assert_eq!(closed(&service, Some(session)).await, first);
}

#[tokio::test]
async fn closing_without_an_id_closes_the_newest_session_until_none_is_open() {
    let service = TestService::start().await;
    let (first, second) = (opened(&service).await, opened(&service).await);
    assert_eq!(closed(&service, None).await["id"], second.as_str());
    assert_eq!(closed(&service, None).await["id"], first.as_str());
    let (status, sentence) = refusal(service.client.call(ApplicationsSessionClose { session: None }).await);
    assert_eq!(status, 404);
    assert!(sentence.contains("no session is open"), "{sentence}");
}

#[tokio::test]
async fn a_session_is_closed_by_a_quoted_or_a_bare_id() {
    let service = TestService::start().await;
    for quote in ["\"", ""] {
        let session = opened(&service).await;
        let body = format!("{quote}{session}{quote}");
        let answer = service.send("POST", "/applications/session/close", Some(&body)).await;
        assert_eq!((answer.status, &answer.json()["id"]), (200, &json!(session.as_str())));
    }
}

#[tokio::test]
async fn an_unknown_session_returns_404_with_its_id() {
    let service = TestService::start().await;
    let body = json!(EDITOR).to_string();
    let answer = service.send("POST", "/applications/session/close", Some(&body)).await;
    assert_refused(&answer, 404, &["session", EDITOR]);
    let answer = service.send("GET", &format!("/applications/sessions/{EDITOR}"), None).await;
    assert_refused(&answer, 404, &["session", EDITOR]);
}

#[tokio::test]
async fn an_invalid_session_id_returns_400_and_closes_nothing() {
    let service = TestService::start().await;
    let session = opened(&service).await;
    for body in ["\"\"", "\"..\"", "{}", "[1]", "7", "\"ü😀\"", "not json", "\"'; DROP TABLE session; --\""] {
        let answer = service.send("POST", "/applications/session/close", Some(body)).await;
        assert_refused(&answer, 400, &["session"]);
    }
    for segment in ODD_SEGMENTS {
        let answer = service.send("GET", &format!("/applications/sessions/{segment}"), None).await;
        assert_refused(&answer, 400, &["session"]);
    }
    let read = service.client.call(ApplicationsSessionSnapshot { session }).await.expect("the session");
    assert!(read.view().closed().is_none());
}

#[tokio::test]
async fn sessions_count_for_the_application_that_registered_with_the_same_user_agent() {
    let service = TestService::start().await;
    register_as(&service, "editor/1", &editor("1")).await;
    for agent in ["editor/1", "editor/1", "other/1"] {
        let answer = post_as(&service, agent, "/applications/session/open", None).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    let read = read_editor(&service).await;
    assert_eq!((&read["status"], &read["engagement"]["sessions"]), (&json!("Open"), &json!(2)));
}
