//! The Applications group: what is tracked, what is found on the machine, sessions and usage.

mod external;
mod sessions;
mod tracked;
mod usage;

use lunette_client::model::application::Application;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::ApplicationsSpecificApplicationSnapshot;
use serde_json::{Value, json};

use crate::support::raw::{self, Answer};
use crate::support::{TestService, assets::record};

const EDITOR: &str = "00000003-0000-4000-8000-000000000003";

/// An application's record with this version.
fn editor(version: &str) -> Value {
    json!({ "id": EDITOR, "name": "VS_CODE", "version": version, "platform": "LINUX", "onboarded": true,
        "privacy": "OPEN" })
}

/// Sends a POST with a JSON body as the program of this User-Agent.
async fn post_as(service: &TestService, agent: &str, path: &str, body: Option<&Value>) -> Answer {
    let body = body.map(Value::to_string);
    let request = raw::request("POST", path, service.port(), &[("User-Agent", agent)], body.as_deref());
    service.raw(request).await
}

/// Registers an application as the program of this User-Agent.
async fn register_as(service: &TestService, agent: &str, application: &Value) -> Value {
    let answer = post_as(service, agent, "/applications/register", Some(application)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    record::<Application>(answer.json()).into_tree()
}

/// Reads the editor's record.
async fn read_editor(service: &TestService) -> Value {
    let call = ApplicationsSpecificApplicationSnapshot { application: EDITOR.parse().expect("an id") };
    service.client.call(call).await.expect("the editor is tracked").into_tree()
}

/// Asserts a refusal with a sentence that holds these words.
fn assert_refused(answer: &Answer, status: u16, words: &[&str]) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    for word in words {
        assert!(answer.text().contains(word), "{word:?} is not in {:?}", answer.text());
    }
}

/// Odd texts as segments of a path; none is a UUID, and none may lead to another operation.
const ODD_SEGMENTS: &[&str] =
    &["a%20b", "%22", "a%2Fb", "100%25", "%2e%2e", "%C3%BC", "%F0%9F%98%80", "%D7%A9%D7%9C", "%FF", "%", "x"];
