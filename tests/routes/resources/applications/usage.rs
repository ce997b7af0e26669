//! Usage events: echoes, voids, and what is counted of them.

use lunette_client::operation::table::{
    ApplicationsUsageEngagementInteraction, ApplicationsUsageEngagementKeyboard, ApplicationsUsageInstallation,
    PostApplicationsUsageUpdated,
};

use super::*;
use crate::support::assets::{ODD, refusal};

const INTERACTION: &str = "/applications/usage/engagement/interaction";
const KEYBOARD: &str = "/applications/usage/engagement/keyboard";
const INSTALLATION: &str = "/applications/usage/installation";
const UPDATED: &str = "/applications/usage/updated";

#[tokio::test]
async fn an_interaction_is_echoed_regardless_of_its_text() {
    let service = TestService::start().await;
    for text in ODD {
        let event = json!({ "description": text, "element": text, "identifier_description_pair":
            { "assets_list_refreshed": "the_assets_list_was_refreshed_through_ui_element" } });
        let call = ApplicationsUsageEngagementInteraction { event: Some(record(event)) };
        let echo = service.client.call(call).await.expect("an echo").into_tree();
        assert_eq!(echo, json!({ "description": text, "element": text }));
    }
}

#[tokio::test]
async fn a_keyboard_event_is_echoed_regardless_of_its_text() {
    let service = TestService::start().await;
    for (text, shortcut) in ODD.iter().zip([json!([]), json!([17, 83])].iter().cycle()) {
        let event = json!({ "description": text, "shortcut": shortcut });
        let call = ApplicationsUsageEngagementKeyboard { event: Some(record(event.clone())) };
        assert_eq!(service.client.call(call).await.expect("an echo").into_tree(), event);
    }
}

#[tokio::test]
async fn installations_and_updates_answer_200_with_nothing() {
    let service = TestService::start().await;
    let user = json!({ "id": "u", "username": "ü 😀", "granularity": "DEVICE" });
    let install = json!({ "application": editor("1"), "user": user });
    let update = json!({ "current": editor("2"), "previous": editor("1"), "user": user });
    for (path, body) in [(INSTALLATION, &install), (UPDATED, &update)] {
        let answer = post_as(&service, "x", path, Some(body)).await;
        assert_eq!((answer.status, answer.body.len()), (200, 0), "{}", answer.text());
    }
    let call = ApplicationsUsageInstallation { install: Some(record(install)) };
    service.client.call(call).await.expect("recorded");
    service.client.call(PostApplicationsUsageUpdated { update: Some(record(update)) }).await.expect("recorded");
    register_as(&service, "x", &editor("2")).await;
    let engagement = &read_editor(&service).await["engagement"];
    assert_eq!((&engagement["installs"], &engagement["updates"]), (&json!(2), &json!(2)));
}

#[tokio::test]
async fn an_event_without_a_body_returns_400() {
    let service = TestService::start().await;
    for path in [INTERACTION, KEYBOARD, INSTALLATION, UPDATED] {
        for body in [None, Some(""), Some("null")] {
            assert_refused(&service.send("POST", path, body).await, 400, &["body", "event"]);
        }
    }
    assert_eq!(refusal(service.client.call(PostApplicationsUsageUpdated { update: None }).await).0, 400);
}

#[tokio::test]
async fn a_malformed_event_returns_400_with_the_position_and_is_not_counted() {
    let service = TestService::start().await;
    register_as(&service, "x", &editor("1")).await;
    let cases = [
        (INTERACTION, "{}", "$.description"),
        (INTERACTION, r#"{"description":7}"#, "$.description"),
        (KEYBOARD, r#"{"description":"x"}"#, "$.shortcut"),
        (KEYBOARD, r#"{"description":"x","shortcut":["1"]}"#, "$.shortcut[0]"),
        (KEYBOARD, r#"{"description":"x","shortcut":[1,1.5]}"#, "$.shortcut[1]"),
        (INSTALLATION, r#"{"application":{"id":"x"}}"#, "$.application.name"),
        (UPDATED, r#"{"previous":{}}"#, "$.current"),
        (UPDATED, "{\"current\":", "JSON"),
    ];
    for (path, body, word) in cases {
        let request = raw::request("POST", path, service.port(), &[("User-Agent", "x")], Some(body));
        assert_refused(&service.raw(request).await, 400, &[word]);
    }
    assert_eq!(read_editor(&service).await["engagement"]["days"], json!([]));
}

#[tokio::test]
async fn events_of_concurrent_clients_are_counted_exactly() {
    let service = std::sync::Arc::new(TestService::start().await);
    register_as(&service, "editor/1", &editor("1")).await;
    let mut senders = tokio::task::JoinSet::new();
    for sender in 0..48 {
        let service = service.clone();
        senders.spawn(async move {
            let (agent, path) = match sender % 3 {
                0 => ("editor/1", INTERACTION),
                1 => ("editor/1", KEYBOARD),
                _ => ("other/1", INTERACTION),
            };
            let event = json!({ "description": "x", "shortcut": [] });
            assert_eq!(post_as(&service, agent, path, Some(&event)).await.status, 200);
        });
    }
    senders.join_all().await;
    let engagement = &read_editor(&service).await["engagement"];
    assert_eq!((&engagement["interactions"], &engagement["keyboard"]), (&json!(16), &json!(16)));
    let days = engagement["days"].as_array().expect("days");
    assert_eq!(days.iter().filter_map(|day| day["events"].as_i64()).sum::<i64>(), 32);
}

#[tokio::test]
async fn an_update_event_changes_the_tracked_version_permanently() {
    let service = TestService::start().await;
    register_as(&service, "x", &editor("1 ü")).await;
    let update = json!({ "current": editor("2 😀"), "previous": editor("1 ü") });
    post_as(&service, "x", UPDATED, Some(&update)).await;
    let read = read_editor(&service).await;
    assert_eq!(read["version"], "2 😀");
    let change = &read["engagement"]["versions"][0];
    assert_eq!((&change["previous"], &change["current"]), (&json!("1 ü"), &json!("2 😀")));
}
