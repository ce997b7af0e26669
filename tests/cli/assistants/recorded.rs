//! What is recorded of an applied proposal: the calls, the journal and the history name the client that proposed it.

use std::collections::BTreeSet;

use lunette_inspector::journal::AskedBy;
use lunette_inspector::undo::HeadlessHistory;
use serde_json::{Value, json};

use super::Place;
use crate::program::run;

/// What `lunette` prints as JSON about the data folder of a place.
fn printed(place: &Place, arguments: &[&str]) -> Vec<Value> {
    let printed = run(&[arguments, &["--data", place.data(), "--json"]].concat()).json();
    printed.as_array().unwrap_or_else(|| panic!("{printed}")).clone()
}

#[test]
fn the_calls_the_journal_and_the_history_name_the_client_of_an_applied_proposal_and_of_no_other_step() {
    let place = Place::new();
    let asset = place.asset("a.txt", "a");
    let mut other = place.assistant("other client");
    other.call("find", json!({}));
    other.end();
    let mut assistant = place.assistant("helper");
    let changes = json!([
        { "do": "rename", "asset": asset, "to": "b.txt" },
        { "do": "create", "name": "new.txt", "text": "b" },
    ]);
    assistant.call("propose", json!({ "reason": "to have both", "changes": changes }));
    assert_eq!(run(&["proposals", "apply", "1", "--data", place.data()]).code, Some(0));
    assert_eq!(run(&["edit", &asset, "--name", "mine.txt", "--data", place.data()]).code, Some(0));
    assistant.end();

    let calls = printed(&place, &["assistants", "calls"]);
    let calls: Vec<_> = calls.iter().map(|call| (call["client"].as_str(), call["tool"].as_str())).collect();
    assert_eq!(calls, [(Some("helper"), Some("propose")), (Some("other client"), Some("find"))]);

    let history = HeadlessHistory::open(place.folder.path(), "embedded").expect("opened");
    let by_helper = Some(AskedBy { client: "helper".to_owned(), proposal: 1 });
    let of_journal = |asked_by: &Option<AskedBy>| {
        let steps = history.entries().iter().filter(|entry| entry.asked_by == *asked_by);
        steps.map(|entry| entry.id.0.to_string()).collect::<BTreeSet<_>>()
    };
    let asked = of_journal(&by_helper);
    assert_eq!((asked.len(), of_journal(&None).len()), (2, 2), "the user created one and renamed it");

    let steps = printed(&place, &["history"]);
    let is_named =
        |step: &&Value| step["title"].as_str().is_some_and(|title| title.ends_with("(asked by helper, proposal 1)"));
    let named: BTreeSet<_> =
        steps.iter().filter(is_named).map(|step| step["id"].as_str().unwrap_or_default().to_owned()).collect();
    assert_eq!(named, asked, "{steps:?}");
    let proposal = &printed(&place, &["proposals", "--all"])[0];
    assert_eq!((&proposal["client"], &proposal["state"]), (&json!("helper"), &json!("applied")));
}

#[test]
fn the_tool_history_names_the_steps_that_wrote_versions_as_the_command_does() {
    let place = Place::new();
    let asset = place.asset("a.txt", "a");
    let mut assistant = place.assistant("helper");
    let changes = json!([{ "do": "rename", "asset": asset, "to": "b.txt" }]);
    assistant.call("propose", json!({ "reason": "a name", "changes": changes }));
    assert_eq!(run(&["proposals", "apply", "1", "--data", place.data()]).code, Some(0));
    assert_eq!(run(&["edit", &asset, "--name", "c.txt", "--data", place.data()]).code, Some(0));

    let told = assistant.call("history", json!({ "asset": asset }));
    let steps = |rows: &[Value]| rows.iter().map(|row| row["step"].clone()).collect::<Vec<_>>();
    let told = steps(told["rows"].as_array().unwrap_or_else(|| panic!("{told}")));
    let title = told[1]["title"].as_str().unwrap_or_else(|| panic!("{told:?}"));
    assert!(title.ends_with("(asked by helper, proposal 1)"), "{title}");
    assert!(told.iter().all(Value::is_object), "all three were written by a step: {told:?}");
    assert_eq!(told, steps(&printed(&place, &["history", &asset])));
    assistant.end();
}
