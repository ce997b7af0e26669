//! Who connects, and whose the service is.

use serde_json::{Value, json};

use crate::resources::conversations::{get, post};
use crate::support::TestService;
use crate::support::raw;

async fn connect(service: &TestService, agent: &str, application: Value) -> Value {
    let body = json!({ "application": application }).to_string();
    let request = raw::request("POST", "/connect", service.port(), &[("User-Agent", agent)], Some(&body));
    let answer = service.raw(request).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

#[tokio::test]
async fn each_client_is_tracked_once_with_its_own_activities() {
    let service = TestService::start().await;
    let application_of = |version: &str| json!({ "name": "OPEN_SOURCE", "version": version, "platform": "LINUX" });
    let context = connect(&service, "tool", application_of("1.0.0")).await;
    let id = context["application"]["id"].as_str().expect("an id").to_owned();
    let health = service.send("GET", "/.well-known/health", None).await.text();
    assert_eq!(health, format!("ok:{}", context["os"].as_str().expect("an id")));
    assert_eq!(context["health"]["os"]["id"], context["os"]);
    let again = connect(&service, "tool", application_of("2.0.0")).await["application"].clone();
    assert_eq!((again["id"].as_str(), &again["version"]), (Some(id.as_str()), &json!("2.0.0")));
    let other = json!({ "name": "VS_CODE", "version": "1", "platform": "LINUX", "privacy": "CLOSED" });
    let other = connect(&service, "another", other).await["application"].clone();
    assert_eq!(other["privacy"], "CLOSED");
    let open = raw::request("POST", "/applications/session/open", service.port(), &[("User-Agent", "tool")], None);
    assert_eq!(service.raw(open).await.status, 200);
    let sessions = |application: &Value| application["engagement"]["sessions"].clone();
    assert_eq!(sessions(&get(&service, &format!("/applications/{id}")).await), 1);
    let target = format!("/applications/{}", other["id"].as_str().expect("an id"));
    assert_eq!(sessions(&get(&service, &target).await), 0);
    let all = get(&service, "/applications").await;
    assert_eq!(all["iterable"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn a_connect_request_without_an_application_returns_400_in_plain_text() {
    let service = TestService::start().await;
    for body in ["", "{}", "[]", "{\"application\":{}}", "{\"application\":{\"name\":1}}"] {
        let answer = service.send("POST", "/connect", Some(body)).await;
        assert_eq!((answer.status, answer.header("content-type")), (400, Some("text/plain; charset=utf-8")), "{body}");
    }
}

#[tokio::test]
async fn the_user_is_a_local_one() {
    let service = TestService::start().await;
    let user = get(&service, "/user").await["user"].clone();
    assert!(user["id"].is_string() && user["aesthetics"]["font"]["size"].is_i64());
    assert_eq!(get(&service, "/users").await, json!({ "iterable": [user] }));
}

#[tokio::test]
async fn an_application_is_updated_by_merging() {
    let service = TestService::start().await;
    let body = json!({ "name": "VIM", "version": "1", "platform": "LINUX", "capabilities": "LOCAL" });
    let mut application = connect(&service, "tool", body).await["application"].clone();
    application["version"] = "2".into();
    application["capabilities"] = Value::Null;
    application["status"] = "Invented".into();
    let updated = post(&service, "/application/update", &application).await;
    assert_eq!((&updated["version"], &updated["capabilities"]), (&json!("2"), &json!("LOCAL")));
    assert_eq!(updated["status"], "Idle");
    application["id"] = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159".into();
    let unknown = service.send("POST", "/application/update", Some(&application.to_string())).await;
    assert_eq!(unknown.status, 404);
    assert_eq!(service.send("POST", "/application/update", None).await.status, 400);
}
