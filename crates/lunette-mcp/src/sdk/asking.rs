//! How a client asks its user: by a request of the server up to the revision of 2025-11-25, and by the result
//! `input_required` from that of 2026-07-28 on.

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitRequestParams, InputRequest, InputRequiredResult, ProtocolVersion,
    ServerRequest,
};
use rmcp::service::{Peer, PeerRequestOptions, RequestContext};
use serde_json::{Value, json};

use lunette_client::model::display::beginning;

use crate::approval::{Answer, Asking, OPEN_FOR, Question, Reply};

/// The name of the question among those of an answer.
const NAME: &str = "decision";

/// The name of the field for a reply to the assistant.
const REPLY: &str = "reply";

/// The most characters of a reply to the assistant.
const LONGEST_REPLY: usize = 2_000;

/// How the client of a call asks its user, with the answer that the call has.
pub(super) fn of(request: &CallToolRequestParams, context: &RequestContext<RoleServer>) -> Asking {
    let elicitation = context.client_capabilities().and_then(|can| can.elicitation);
    // A client that says neither form nor url has forms.
    if elicitation.is_none_or(|can| can.form.is_none() && can.url.is_some()) {
        return Asking::Never;
    }
    let by_request = context.protocol_version().is_none_or(|version| version < ProtocolVersion::V_2026_07_28);
    if by_request {
        let peer = context.peer.clone();
        return Asking::Now(Box::new(move |text| Box::pin(asked(peer.clone(), text))));
    }
    let replies = request.input_responses.as_ref().and_then(|replies| replies.get(NAME));
    Asking::Again(match (&request.request_state, replies) {
        (Some(state), Some(said)) => Some(Answer { state: state.clone(), reply: reply(said) }),
        _ => None,
    })
}

/// The result that has the client ask.
pub(super) fn required(question: Question) -> Option<InputRequiredResult> {
    let request = InputRequest::Elicitation(ElicitRequest::new(form(&question.text)?));
    Some(InputRequiredResult::new(Some([(NAME.to_owned(), request)].into()), Some(question.state)))
}

/// The form of a question. Nothing is chosen before the user does.
fn form(text: &str) -> Option<ElicitRequestParams> {
    let form = json!({
        "mode": "form",
        "message": text,
        "requestedSchema": {
            "type": "object",
            "properties": {
                NAME: { "type": "string", "title": "Decision", "enum": ["apply", "decline"] },
                REPLY: { "type": "string", "title": "Reply", "description": "For the assistant, if you decline." },
            },
            "required": [NAME],
        },
    });
    serde_json::from_value(form).ok()
}

/// Asks by a request, and waits.
async fn asked(peer: Peer<RoleServer>, text: String) -> Reply {
    let Some(form) = form(&text) else { return Reply::Nothing };
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(form));
    let sent = peer.send_request_with_option(request, PeerRequestOptions::with_timeout(OPEN_FOR)).await;
    let Ok(sent) = sent else { return Reply::Nothing };
    match sent.await_response().await {
        Ok(said) => serde_json::to_value(&said).map_or(Reply::Nothing, |said| reply(&said)),
        Err(_) => Reply::Nothing,
    }
}

/// What a user said, by the result of an elicitation. Only *apply*, in an answer that was accepted, applies.
fn reply(said: &Value) -> Reply {
    let content = &said["content"];
    match (said["action"].as_str(), content[NAME].as_str()) {
        (Some("accept"), Some("apply")) => Reply::Apply,
        (Some("accept"), Some("decline")) => {
            Reply::Decline(beginning(content[REPLY].as_str().unwrap_or_default(), LONGEST_REPLY).into_owned())
        }
        (Some("decline"), _) => Reply::Decline(String::new()),
        _ => Reply::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_answer_that_says_apply_applies() {
        let said = |action: &str, content: Value| reply(&json!({ "action": action, "content": content }));
        assert_eq!(said("accept", json!({ "decision": "apply" })), Reply::Apply);
        let declined = Reply::Decline("no".to_owned());
        assert_eq!(said("accept", json!({ "decision": "decline", "reply": "no" })), declined);
        assert_eq!(said("decline", json!({ "decision": "apply" })), Reply::Decline(String::new()));
        for (action, content) in [
            ("accept", json!({})),
            ("accept", json!({ "decision": true })),
            ("accept", json!({ "decision": "Apply" })),
            ("cancel", json!({ "decision": "apply" })),
            ("", Value::Null),
        ] {
            assert_eq!(said(action, content.clone()), Reply::Nothing, "{action} {content}");
        }
    }

    #[test]
    fn the_form_of_a_question_is_one_that_the_protocol_has() {
        let shown = serde_json::to_value(form("a text").expect("a form")).expect("JSON");
        assert_eq!(
            (&shown["message"], &shown["requestedSchema"]["required"]),
            (&json!("a text"), &json!(["decision"]))
        );
        assert!(shown["requestedSchema"]["properties"]["decision"]["default"].is_null(), "nothing is chosen: {shown}");
    }
}
