//! Approval in the client, in both ways of the protocol: what the user of the client agreed to is applied, and nothing
//! else.

use lunette_client::client::WritePolicy;
use lunette_inspector::settings::Settings;
use serde_json::{Value, json};

use super::Place;
use super::client::Assistant;
use crate::program::{Served, run};

/// Proposes to rename an asset.
fn propose(assistant: &mut Assistant, asset: &str, to: &str) -> u64 {
    let changes = json!([{ "do": "rename", "asset": asset, "to": to }]);
    let answer = assistant.call("propose", json!({ "reason": "a better name", "changes": changes }));
    answer["proposal"]["number"].as_u64().unwrap_or_else(|| panic!("{answer}"))
}

/// Has a client of 2025-11-25 ask its user, who answers this; returns the question and what the tool says then.
fn approve(assistant: &mut Assistant, number: u64, reply: Value) -> (Value, Value) {
    assistant.request("tools/call", json!({ "name": "approve", "arguments": { "number": number } }));
    let question = assistant.next();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    assistant.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": reply }));
    (question["params"].clone(), assistant.next()["result"].clone())
}

#[test]
fn a_client_asks_its_user_by_a_request_and_only_what_says_apply_is_applied() {
    let place = Place::new();
    let _served = Served::start(place.folder.path(), &[]);
    let asset = place.asset("a.txt", "a");
    let can = json!({ "elicitation": {} });
    let mut assistant = Assistant::with("helper", (&can, None), &["--data", place.data()]);
    let number = propose(&mut assistant, &asset, "b.txt");
    for reply in [
        json!({ "action": "cancel" }),
        json!({ "action": "accept", "content": {} }),
        json!({ "action": "accept", "content": { "decision": "yes" } }),
    ] {
        let (_, result) = approve(&mut assistant, number, reply.clone());
        let state = &result["structuredContent"]["data"]["proposal"]["state"];
        assert_eq!(state, "waiting", "{reply}: {result}");
    }
    assert_eq!(place.show(&asset)["name"], "a.txt", "nothing was sent");
    let apply = json!({ "action": "accept", "content": { "decision": "apply" } });
    let (question, result) = approve(&mut assistant, number, apply.clone());
    let text = question["message"].as_str().expect("a text");
    assert!(text.contains("helper proposes") && text.contains("“a better name”") && text.contains("b.txt"), "{text}");
    assert_eq!(result["structuredContent"]["data"]["proposal"]["state"], "applied", "{result}");
    assert_eq!(place.show(&asset)["name"], "b.txt");
    assert!(assistant.refused("approve", json!({ "number": number })).contains("no longer waiting"), "once");
    let history = run(&["history", "--data", place.data()]).out;
    assert!(history.contains("asked by helper, proposal 1"), "{history}");
    assert_eq!(run(&["undo", "--data", place.data()]).code, Some(0));
    let declined = propose(&mut assistant, &asset, "c.txt");
    let reply = json!({ "action": "accept", "content": { "decision": "decline", "reply": "keep it" } });
    let (_, result) = approve(&mut assistant, declined, reply);
    let proposal = &result["structuredContent"]["data"]["proposal"];
    assert_eq!((&proposal["state"], &proposal["reply"]), (&json!("declined"), &json!("keep it")), "{result}");
    let refused = propose(&mut assistant, &asset, "d.txt");
    let (_, result) = approve(&mut assistant, refused, json!({ "action": "decline" }));
    assert_eq!(result["structuredContent"]["data"]["proposal"]["state"], "declined", "{result}");
    assert_eq!(place.show(&asset)["name"], "a.txt");
}

#[test]
fn an_agreement_to_what_changed_or_was_decided_meanwhile_writes_nothing() {
    let place = Place::new();
    let _served = Served::start(place.folder.path(), &[]);
    let asset = place.asset("a.txt", "a");
    let can = json!({ "elicitation": { "form": {} } });
    let mut assistant = Assistant::with("helper", (&can, None), &["--data", place.data()]);
    let apply = json!({ "action": "accept", "content": { "decision": "apply" } });
    // The asset changes while the user looks at the question.
    let number = propose(&mut assistant, &asset, "b.txt");
    assistant.request("tools/call", json!({ "name": "approve", "arguments": { "number": number } }));
    let question = assistant.next();
    assert_eq!(run(&["edit", &asset, "--name", "mine.txt", "--data", place.data()]).code, Some(0));
    assistant.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": apply }));
    let result = assistant.next()["result"].clone();
    assert_eq!(result["structuredContent"]["data"]["proposal"]["result"]["failed"], 1, "{result}");
    // A person declines it elsewhere meanwhile, and the assistant is turned off meanwhile.
    for meanwhile in [&["proposals", "decline", "2"][..], &["assistants", "off", "helper"]] {
        let number = propose(&mut assistant, &asset, "b.txt");
        assistant.request("tools/call", json!({ "name": "approve", "arguments": { "number": number } }));
        let question = assistant.next();
        assert_eq!(run(&[meanwhile, &["--data", place.data()]].concat()).code, Some(0));
        assistant.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": apply }));
        let result = assistant.next()["result"].clone();
        assert_eq!(result["isError"], true, "{meanwhile:?}: {result}");
    }
    assert_eq!(place.show(&asset)["name"], "mine.txt");
}

/// A client of 2026-07-28 that can ask its user: each call says who it is.
struct Newest {
    assistant: Assistant,
    name: &'static str,
}

impl Newest {
    fn start(place: &Place, name: &'static str) -> Self {
        Self { assistant: Assistant::unopened(None, &["--data", place.data()]), name }
    }

    /// Calls a tool, with what the user said to the question of the call before.
    fn call(&mut self, tool: &str, arguments: &Value, more: Value) -> Value {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": self.name, "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
        });
        let mut params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
        for (name, value) in more.as_object().into_iter().flatten() {
            params[name] = value.clone();
        }
        let answer = self.assistant.ask("tools/call", params);
        // A call of a tool that is not there fails as a request.
        answer.get("result").unwrap_or(&answer).clone()
    }

    fn propose(&mut self, asset: &str, to: &str) -> Value {
        let changes = json!([{ "do": "rename", "asset": asset, "to": to }]);
        let result = self.call("propose", &json!({ "reason": "a name", "changes": changes }), json!({}));
        json!({ "number": result["structuredContent"]["data"]["proposal"]["number"] })
    }

    /// The state of a new question about a proposal.
    fn asked(&mut self, number: &Value) -> String {
        let result = self.call("approve", number, json!({}));
        assert_eq!(result["resultType"], "input_required", "{result}");
        assert_eq!(result["inputRequests"]["decision"]["method"], "elicitation/create", "{result}");
        result["requestState"].as_str().expect("a state").to_owned()
    }

    fn answered(&mut self, number: &Value, state: &str, content: &Value) -> Value {
        let reply = json!({ "decision": { "action": "accept", "content": content } });
        self.call("approve", number, json!({ "inputResponses": reply, "requestState": state }))
    }
}

#[test]
fn a_client_that_calls_again_applies_what_its_user_agreed_to_once() {
    let place = Place::new();
    let _served = Served::start(place.folder.path(), &[]);
    let asset = place.asset("a.txt", "a");
    let apply = json!({ "decision": "apply" });
    let (mut one, mut two) = (Newest::start(&place, "one"), Newest::start(&place, "two"));
    let number = one.propose(&asset, "b.txt");
    let of_two = two.propose(&asset, "z.txt");
    let state = one.asked(&number);
    let refused = |result: Value, why: &str| {
        assert_eq!(result["isError"], true, "{why}: {result}");
        assert_eq!(place.show(&asset)["name"], "a.txt", "{why}");
    };
    refused(one.answered(&number, &format!("{state}0"), &apply), "altered");
    refused(one.answered(&of_two, &state, &apply), "for a proposal of another client");
    refused(two.answered(&of_two, &state, &apply), "of another client");
    // Another program is as good as the same after a restart: it knows none of the questions.
    let mut again = Newest::start(&place, "one");
    refused(again.answered(&number, &state, &apply), "from before a restart");
    let waits = one.call("approve", &number, json!({ "requestState": state, "inputResponses": { "other": {} } }));
    assert_eq!(waits["resultType"], "input_required", "without an answer it is asked again: {waits}");
    let result = one.answered(&number, &state, &apply);
    assert_eq!(result["structuredContent"]["data"]["proposal"]["state"], "applied", "{result}");
    assert_eq!(place.show(&asset)["name"], "b.txt");
    assert_eq!(run(&["undo", "--data", place.data()]).code, Some(0));
    refused(one.answered(&number, &state, &apply), "replayed");
    // The asset changes between the question and the answer.
    let number = one.propose(&asset, "c.txt");
    let state = one.asked(&number);
    assert_eq!(run(&["edit", &asset, "--name", "mine.txt", "--data", place.data()]).code, Some(0));
    let result = one.answered(&number, &state, &apply);
    assert_eq!(result["structuredContent"]["data"]["proposal"]["result"]["failed"], 1, "stale: {result}");
    let number = one.propose(&asset, "d.txt");
    let state = one.asked(&number);
    let result = one.answered(&number, &state, &json!({ "decision": "decline", "reply": "no" }));
    assert_eq!(result["structuredContent"]["data"]["proposal"]["reply"], "no", "{result}");
    assert_eq!(place.show(&asset)["name"], "mine.txt");
}

#[test]
fn a_client_that_cannot_ask_is_told_that_a_person_decides_elsewhere() {
    let place = Place::new();
    let _served = Served::start(place.folder.path(), &[]);
    let asset = place.asset("a.txt", "a");
    let mut assistant = place.assistant("helper");
    let number = propose(&mut assistant, &asset, "b.txt");
    let told = assistant.call("approve", json!({ "number": number }));
    assert_eq!((&told["asked"], &told["proposal"]["state"]), (&json!(false), &json!("waiting")), "{told}");
    assert_eq!(place.show(&asset)["name"], "a.txt");
}

/// Has the user choose a write policy for the service inside.
fn set_policy(place: &Place, policy: WritePolicy) {
    let base = Settings::read(place.folder.path()).settings;
    let mut settings = base.clone();
    settings.write_policies.insert("embedded".to_owned(), policy);
    settings.save(&base, place.folder.path()).expect("saved");
}

#[test]
fn an_answer_to_a_question_that_is_open_writes_nothing_after_the_user_decided_otherwise() {
    let place = Place::new();
    let _served = Served::start(place.folder.path(), &[]);
    let asset = place.asset("a.txt", "a");
    let (apply, mut one) = (json!({ "decision": "apply" }), Newest::start(&place, "one"));
    let command = |arguments: &[&str]| {
        let ended = run(&[arguments, &["--data", place.data()]].concat());
        assert_eq!(ended.code, Some(0), "{ended:?}");
    };
    let refused = |result: Value, why: &str| {
        assert_eq!(result["isError"], true, "{why}: {result}");
        assert_eq!(place.show(&asset)["name"], "a.txt", "{why}");
    };
    let number = one.propose(&asset, "b.txt");
    let state = one.asked(&number);
    command(&["proposals", "decline", &number["number"].to_string()]);
    refused(one.answered(&number, &state, &apply), "declined elsewhere");

    let number = one.propose(&asset, "b.txt");
    let (state, other) = (one.asked(&number), one.asked(&number));
    one.answered(&number, &state, &json!({ "decision": "decline" }));
    refused(one.answered(&number, &state, &apply), "replayed after a decline");
    refused(one.answered(&number, &other, &apply), "by another question about it");

    let number = one.propose(&asset, "b.txt");
    let state = one.asked(&number);
    command(&["assistants", "off", "one"]);
    refused(one.answered(&number, &state, &apply), "turned off");
    command(&["assistants", "on", "one"]);

    let number = one.propose(&asset, "b.txt");
    let state = one.asked(&number);
    set_policy(&place, WritePolicy::ReadOnly);
    let answer = one.answered(&number, &state, &apply);
    let why = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(why.contains("there is no tool"), "read-only: {answer}");
    set_policy(&place, WritePolicy::Allow);
    assert_eq!(place.show(&asset)["name"], "a.txt", "read-only");

    let number = one.propose(&asset, "b.txt");
    let state = one.asked(&number);
    let withdrawn = one.call("withdraw", &number, json!({}));
    assert_eq!(withdrawn["structuredContent"]["data"]["proposal"]["state"], "withdrawn", "{withdrawn}");
    refused(one.answered(&number, &state, &apply), "withdrawn");
}
