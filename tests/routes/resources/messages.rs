//! Messages of conversations, one by one: made, read, changed and deleted; and a conversation named after the first.

use serde_json::{Value, json};

use crate::resources::conversations::{get, post, status};
use crate::support::TestService;
use crate::support::assets::moment;

/// A conversation of one message; the message's record.
async fn add_message(service: &TestService, text: &str) -> (String, Value) {
    let body =
        json!({ "type": "COPILOT", "messages": [{ "role": "USER", "fragment": { "string": { "raw": text } } }] });
    let made = post(service, "/conversations/create", &body).await;
    let id = made["id"].as_str().expect("an id").to_owned();
    let messages = get(service, &format!("/conversation/{id}/messages")).await;
    (id, messages["iterable"][0].clone())
}

fn answer_to(conversation: &str, text: &str) -> Value {
    json!({ "role": "ASSISTANT", "conversation": { "id": conversation }, "sentiment": "LIKE", "of_tomorrow": 1,
        "fragment": { "string": { "raw": text }, "metadata": { "ext": "md" } } })
}

#[tokio::test]
async fn a_message_is_added_at_the_end_of_its_conversation_and_reads_back() {
    let service = TestService::start().await;
    let (id, first) = add_message(&service, "hello").await;
    let before = get(&service, &format!("/conversation/{id}")).await;
    let made = post(&service, "/messages/create", &answer_to(&id, "hi")).await;
    assert_eq!(
        (&made["role"], &made["sentiment"], &made["of_tomorrow"]),
        (&json!("ASSISTANT"), &json!("LIKE"), &json!(1))
    );
    assert_eq!(made["fragment"], json!({ "string": { "raw": "hi" }, "metadata": { "ext": "md" } }));
    assert_eq!(made["conversation"]["id"], id.as_str());
    let target = format!("/message/{}", made["id"].as_str().expect("an id"));
    assert_eq!(get(&service, &target).await, made);
    assert_eq!(get(&service, &format!("{target}?transferables=false")).await["fragment"].get("string"), None);
    let messages = get(&service, &format!("/conversation/{id}/messages")).await;
    assert_eq!(messages["iterable"], json!([first, made]));
    let after = get(&service, &format!("/conversation/{id}")).await;
    assert!(moment(&after["updated"]) > moment(&before["updated"]), "{after}");
}

#[tokio::test]
async fn all_messages_are_listed_by_conversation_in_their_order() {
    let service = TestService::start().await;
    assert_eq!(get(&service, "/messages").await["iterable"], json!([]));
    let (first, one) = add_message(&service, "one").await;
    let (_, three) = add_message(&service, "three").await;
    let two = post(&service, "/messages/create", &answer_to(&first, "two")).await;
    let listed = get(&service, "/messages").await;
    assert_eq!(listed["iterable"], json!([one, two, three]));
    assert_eq!(listed["indices"][two["id"].as_str().expect("an id")], 1);
}

#[tokio::test]
async fn a_message_is_updated_by_merging_and_an_update_without_a_change_changes_nothing() {
    let service = TestService::start().await;
    let (id, _) = add_message(&service, "hello").await;
    let made = post(&service, "/messages/create", &answer_to(&id, "hi")).await;
    for target in ["/message/update", "/message/update/value"] {
        let body = json!({ "id": made["id"], "fragment": { "string": { "raw": target } } });
        let updated = post(&service, target, &body).await;
        assert_eq!(updated["fragment"]["string"]["raw"], target);
        assert_eq!((&updated["role"], &updated["of_tomorrow"]), (&made["role"], &made["of_tomorrow"]));
        assert!(moment(&updated["updated"]) > moment(&made["updated"]));
        assert_eq!(post(&service, target, &body).await, updated);
    }
    let disliked = post(&service, "/message/update", &json!({ "id": made["id"], "sentiment": "DISLIKE" })).await;
    assert_eq!(
        (&disliked["sentiment"], &disliked["fragment"]["string"]["raw"]),
        (&json!("DISLIKE"), &json!("/message/update/value"))
    );
    // A record that was read without its text does not erase the text.
    let read = get(&service, &format!("/message/{}?transferables=false", made["id"].as_str().expect("an id"))).await;
    assert_eq!(post(&service, "/message/update", &read).await["fragment"], disliked["fragment"]);
}

#[tokio::test]
async fn a_deleted_message_is_gone_and_the_others_remain() {
    let service = TestService::start().await;
    let (id, first) = add_message(&service, "hello").await;
    let made = post(&service, "/messages/create", &answer_to(&id, "hi")).await;
    let delete = format!("/messages/{}/delete", made["id"].as_str().expect("an id"));
    assert_eq!(status(&service, "POST", &delete).await, 204);
    assert_eq!(status(&service, "POST", &delete).await, 404);
    assert_eq!(status(&service, "GET", &format!("/message/{}", made["id"].as_str().expect("an id"))).await, 404);
    assert_eq!(get(&service, &format!("/conversation/{id}/messages")).await["iterable"], json!([first]));
}

#[tokio::test]
async fn a_message_needs_an_existing_conversation_with_room() {
    let service = TestService::start().await;
    let send = async |body: &Value| service.send("POST", "/messages/create", Some(&body.to_string())).await;
    let mut body = answer_to("5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159", "hi");
    assert_eq!(send(&body).await.status, 404);
    body.as_object_mut().expect("an object").remove("conversation");
    let refused = send(&body).await;
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("`conversation`"), "{}", refused.text());
    let (id, _) = add_message(&service, "hello").await;
    let long = answer_to(&id, &"x".repeat(1 << 20));
    let mut statuses = Vec::new();
    for _ in 0..17 {
        statuses.push(send(&long).await.status);
    }
    assert_eq!(statuses[..15], [200; 15], "fifteen fit");
    assert_eq!(statuses.last(), Some(&400), "sixteen MiB is the limit");
    assert!(send(&long).await.text().contains("16777216"));
    assert_eq!(send(&answer_to(&id, "short")).await.status, 200, "a short one still fits");
}

#[tokio::test]
async fn a_conversation_is_named_after_the_first_message_of_the_user() {
    let service = TestService::start().await;
    let long = format!("\n# How do I sort a list of {} by its length?\nmore", "very ".repeat(20));
    for (text, name) in [
        ("How do I sort?\nThanks", "How do I sort?"),
        (long.as_str(), "How do I sort a list of very very very very very very very"),
    ] {
        let (id, _) = add_message(&service, text).await;
        let renamed = post(&service, &format!("/conversation/{id}/rename"), &Value::Null).await;
        assert_eq!(renamed["name"], name);
        assert_eq!(get(&service, &format!("/conversation/{id}")).await, renamed);
    }
    let (id, _) = add_message(&service, " \n").await;
    let kept = post(&service, &format!("/conversation/{id}/rename"), &Value::Null).await;
    assert_eq!(kept.get("name"), None, "there is nothing to name it after");
    assert_eq!(status(&service, "POST", "/conversation/unknown/rename").await, 404);
}
