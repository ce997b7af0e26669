//! The tracked applications: listing, reading, registering.

use lunette_client::operation::table::{ApplicationsRegister, ApplicationsSnapshot};
use lunette_service::{Data, start};

use super::*;
use crate::support::assets::{ODD, refusal};
use crate::support::{client, settings};

#[tokio::test]
async fn the_list_has_lunette_first_and_then_the_registered_applications() {
    let service = TestService::start().await;
    register_as(&service, "x", &editor("1")).await;
    let answer = service.send("GET", "/applications", None).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let list = answer.json();
    let names: Vec<_> = list["iterable"].as_array().expect("a list").iter().map(|one| one["name"].as_str()).collect();
    assert_eq!(names, [Some("OPEN_SOURCE"), Some("VS_CODE")]);
    let own = &list["iterable"][0];
    assert_eq!((&own["version"], &own["onboarded"]), (&json!(env!("CARGO_PKG_VERSION")), &json!(true)));
}

#[tokio::test]
async fn a_registered_application_reads_back_with_status_and_engagement() {
    let service = TestService::start().await;
    let registered = register_as(&service, "x", &editor("1")).await;
    assert_eq!(read_editor(&service).await, registered);
    assert_eq!(registered["status"], "Idle");
    let engagement = json!({ "sessions": 0, "open_seconds": 0, "interactions": 0, "keyboard": 0, "installs": 0,
        "updates": 0, "days": [], "versions": [] });
    assert_eq!(registered["engagement"], engagement);
}

#[tokio::test]
async fn an_unknown_application_returns_404_with_its_id() {
    let service = TestService::start().await;
    let answer = service.send("GET", &format!("/applications/{EDITOR}"), None).await;
    assert_refused(&answer, 404, &["application", EDITOR]);
}

#[tokio::test]
async fn an_invalid_application_id_returns_400() {
    let service = TestService::start().await;
    for segment in ODD_SEGMENTS {
        let answer = service.send("GET", &format!("/applications/{segment}"), None).await;
        assert_refused(&answer, 400, &["application"]);
    }
}

#[tokio::test]
async fn registering_without_a_body_returns_400() {
    let service = TestService::start().await;
    for body in [None, Some(""), Some("null")] {
        let answer = service.send("POST", "/applications/register", body).await;
        assert_refused(&answer, 400, &["body"]);
    }
    let refused = service.client.call(ApplicationsRegister { application: None }).await;
    assert_eq!(refusal(refused).0, 400);
}

#[tokio::test]
async fn an_invalid_application_returns_400_with_the_position_and_is_not_stored() {
    let service = TestService::start().await;
    let mut half = editor("1");
    half["onboarded"] = json!("true");
    for (body, word) in
        [("{", "JSON"), ("[]", "object"), ("{\"id\":\"x\"}", "$.name"), (&half.to_string(), "$.onboarded")]
    {
        assert_refused(&service.send("POST", "/applications/register", Some(body)).await, 400, &[word]);
    }
    let mut nameless = editor("1");
    nameless["id"] = json!("..");
    let answer = service.send("POST", "/applications/register", Some(&nameless.to_string())).await;
    assert_refused(&answer, 400, &["`id`"]);
    let list = service.client.call(ApplicationsSnapshot {}).await.expect("a list");
    assert_eq!(list.view().iterable().len(), 1);
}

#[tokio::test]
async fn unusual_text_in_a_registration_round_trips() {
    let service = TestService::start().await;
    for text in ODD {
        let mut given = editor(text);
        given["enrichment"] = json!({ *text: [text, 1] });
        register_as(&service, text.split(char::is_control).next().unwrap_or_default(), &given).await;
        let read = read_editor(&service).await;
        assert_eq!((&read["version"], &read["enrichment"][*text]), (&json!(text), &json!([text, 1])));
    }
}

#[tokio::test]
async fn registering_again_keeps_omitted_fields() {
    let service = TestService::start().await;
    let mut first = editor("1");
    first["automaticUnload"] = json!(true);
    first["later_field"] = json!({ "digits": 1.0 });
    register_as(&service, "x", &first).await;
    let second = register_as(&service, "y", &editor("2")).await;
    assert_eq!((&second["automaticUnload"], &second["later_field"]), (&json!(true), &json!({ "digits": 1.0 })));
    assert_eq!(second["engagement"]["versions"][0]["previous"], "1");
    let list = service.client.call(ApplicationsSnapshot {}).await.expect("a list");
    assert_eq!(list.view().iterable().len(), 2);
}

#[tokio::test]
async fn tracked_applications_survive_a_restart() {
    let service = TestService::start().await;
    register_as(&service, "x", &editor("1")).await;
    post_as(&service, "x", "/applications/session/open", None).await;
    let TestService { running, folder, .. } = service;
    running.stop().await;
    let running = start(settings(Data::Folder(folder.path().to_owned()))).await.expect("it starts again");
    let list = client(&running).call(ApplicationsSnapshot {}).await.expect("a list").into_tree();
    assert_eq!(list["iterable"].as_array().map(Vec::len), Some(2));
    assert_eq!(list["iterable"][1]["status"], "Open");
}
