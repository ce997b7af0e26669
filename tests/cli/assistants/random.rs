//! Two hundred proposals of all kinds of change, applied one after another, and all taken back by one command.

use serde_json::{Value, json};

use super::Place;
use super::client::Assistant;
use crate::program::{Served, run};

const PROPOSALS: usize = 200;
const ASSETS: usize = 40;

/// How often a change of a kind is tried with other values, where it is not possible or would change nothing.
const TRIES: usize = 500;
const SEED: u64 = 0x1f2e_3d4c_5b6a_7988;

/// Numbers that look random and are the same in each run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        for shift in [13_i32, -7, 17] {
            let moved = if shift > 0 { self.0 << shift } else { self.0 >> -shift };
            self.0 ^= moved;
        }
        usize::try_from(self.0 % u64::try_from(end).expect("small")).expect("small")
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const KINDS: [&str; 12] = [
    "link",
    "unlink",
    "rename",
    "describe",
    "favourite",
    "text",
    "diff",
    "reclassify",
    "score",
    "create",
    "delete",
    "merge",
];

/// A change that may or may not be possible.
fn change(numbers: &mut Numbers, kind: &str, assets: &[String]) -> Value {
    let number = numbers.below(1_000);
    let item = numbers.one(&["tag", "website", "summary"]);
    let name = format!("{item} {}", numbers.below(4));
    let url = format!("https://example.com/{name}").replace(' ', "-");
    let asset = &assets[numbers.below(assets.len())];
    match kind {
        "link" if item == "website" => {
            json!({ "do": "link", "kind": item, "name": name, "url": url, "asset": asset })
        }
        "link" if number.is_multiple_of(5) => {
            json!({ "do": "link", "kind": item, "name": name, "filter": "is:favourite" })
        }
        "link" | "unlink" => json!({ "do": kind, "kind": item, "name": name, "asset": asset }),
        "rename" => json!({ "do": "rename", "asset": asset, "to": format!("name {number}.txt") }),
        "describe" => json!({ "do": "describe", "asset": asset, "to": format!("about {number}") }),
        "favourite" => json!({ "do": "favourite", "asset": asset, "on": number.is_multiple_of(2) }),
        "text" => json!({ "do": "edit", "asset": asset, "text": format!("first\nline {number}\nlast\n") }),
        "diff" => {
            json!({ "do": "edit", "asset": asset, "diff": format!("@@ -1 +1,2 @@\n first\n+added {number}\n") })
        }
        "reclassify" => {
            json!({ "do": "reclassify", "asset": asset, "language": numbers.one(&["rs", "py", "md", "txt", "js"]) })
        }
        "score" => json!({ "do": "score", "asset": asset, "counter": numbers.one(&["reuse", "update", "priority"]) }),
        "create" => {
            json!({ "do": "create", "name": format!("new {number}"), "text": format!("new {number}\n"), "tags": [name] })
        }
        "delete" => json!({ "do": "delete", "asset": asset }),
        _ => json!({ "do": "merge", "kind": item, "names": [name], "into": format!("{item} {}", numbers.below(4)) }),
    }
}

/// Everything that the service has of assets, without scores and the times of changes.
fn everything(served: &Served) -> Value {
    let mut all = served.call(&["assetsSnapshot", "transferables=true"]).json();
    lasting(&mut all);
    let rows = all["iterable"].as_array_mut().expect("a list");
    rows.sort_by_key(|row| row["id"].to_string());
    all
}

fn lasting(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for field in ["updated", "score"] {
                fields.shift_remove(field);
            }
            // Links come back as new links, in another order.
            for of_item in ["tags", "websites", "workstream_summaries"] {
                if let Some(items) = fields.get_mut(of_item).and_then(|items| items.get_mut("iterable")) {
                    let list = items.as_array_mut().into_iter().flatten();
                    let mut ids: Vec<String> = list.map(|item| item["id"].to_string()).collect();
                    ids.sort();
                    *items = ids.into();
                }
            }
            fields.values_mut().for_each(lasting);
        }
        Value::Array(values) => values.iter_mut().for_each(lasting),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Proposes a change; `None` if it is not possible, or would change nothing.
fn propose(assistant: &mut Assistant, changes: &Value) -> Option<u64> {
    let arguments = json!({ "name": "propose", "arguments": { "reason": "x", "changes": changes } });
    let answer = assistant.ask("tools/call", arguments);
    answer["result"]["structuredContent"]["data"]["proposal"]["number"].as_u64()
}

/// Has the user of the client agree; returns how it ended.
fn approve(assistant: &mut Assistant, number: u64) -> Value {
    assistant.request("tools/call", json!({ "name": "approve", "arguments": { "number": number } }));
    let question = assistant.next();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    let apply = json!({ "action": "accept", "content": { "decision": "apply" } });
    assistant.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": apply }));
    assistant.next()["result"]["structuredContent"]["data"]["proposal"].clone()
}

/// Imports texts and links some of them; returns the ids.
fn assets(place: &Place) -> Vec<String> {
    let files = tempfile::tempdir().expect("a folder");
    for number in 0..ASSETS {
        std::fs::write(files.path().join(format!("{number}.txt")), format!("first\n{number}\n")).expect("written");
    }
    let folder = files.path().to_str().expect("UTF-8");
    let imported = run(&["import", folder, "--json", "--data", place.data()]).json();
    let id = |item: &Value| item["asset"].as_str().expect("an id").to_owned();
    let assets: Vec<String> = imported["imported"].as_array().expect("a list").iter().map(id).collect();
    for number in 0..4 {
        let name = format!("tag {number}");
        let tag = ["tag", &name, &assets[number], &assets[number + 4], "--data", place.data()];
        assert_eq!(run(&tag).code, Some(0));
    }
    assets
}

#[test]
fn two_hundred_proposals_of_all_kinds_are_taken_back_to_what_was_before() {
    let place = Place::new();
    let assets = assets(&place);
    let served = Served::start(place.folder.path(), &[]);
    let before = everything(&served);
    let can = json!({ "elicitation": {} });
    let mut assistant = Assistant::with("random", (&can, None), &["--data", place.data()]);
    let mut numbers = Numbers(SEED);
    for count in 0..PROPOSALS {
        let kind = KINDS[count % KINDS.len()];
        let mut tried = (0..TRIES).map(|_| json!([change(&mut numbers, kind, &assets)]));
        let proposed = tried.find_map(|changes| Some((propose(&mut assistant, &changes)?, changes)));
        let (number, changes) = proposed.unwrap_or_else(|| panic!("no change of {kind} is possible"));
        let ended = approve(&mut assistant, number);
        assert_eq!(ended["state"], "applied", "{changes}: {ended}");
    }
    let between = everything(&served);
    assert_ne!(between, before);
    let undone = run(&["undo", "--client", "random", "--data", place.data()]);
    let after = everything(&served);
    let rows = |all: &Value| all["iterable"].as_array().expect("a list").clone();
    let (after, before) = (rows(&after), rows(&before));
    let differs: Vec<_> = before.iter().filter(|row| !after.contains(row)).collect();
    let instead: Vec<_> = after.iter().filter(|row| !before.contains(row)).collect();
    assert!(differs.is_empty() && instead.is_empty(), "{undone:?}\n{differs:?}\n{instead:?}");
    let scores = PROPOSALS.div_ceil(KINDS.len()) - usize::from(PROPOSALS % KINDS.len() <= 8);
    assert_eq!(
        undone.err.matches("was not undone: none of its changes can be undone").count(),
        scores,
        "each score is named: {undone:?}"
    );
    assert_eq!(undone.code, Some(1), "and the command says that not all of it was undone");
}
