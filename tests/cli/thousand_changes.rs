//! A thousand changes by two clients: every state that was read is a version, and any of them is restored and taken back.

use std::net::{Ipv4Addr, TcpStream};

use serde_json::{Value, json};

use crate::program::{Served, run, run_with_input};
use crate::raw::{read_answer, request};

const CHANGES: usize = 1000;
/// One in so many versions is restored.
const RESTORED: usize = 90;

/// An asset of a service that keeps all of its versions, changed by two clients.
struct Story {
    data: tempfile::TempDir,
    service: Served,
    asset: String,
    tags: Vec<String>,
    seed: u64,
}

impl Story {
    fn begin() -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let service = Served::start(data.path(), &["--history-versions", "5000"]);
        let folder = data.path().to_str().expect("UTF-8");
        let made = run_with_input(&["new", "--name", "a", "--language", "rs", "--data", folder], &text(0, 0));
        let asset = made.out.split(' ').next().expect("an id").to_owned();
        let mut story = Self { data, service, asset, tags: Vec::new(), seed: 1 };
        for tag in ["x", "y", "z"] {
            let made = story.send("first/1", "POST", "/tags/create", Some(&json!({ "text": tag })));
            story.tags.push(made["id"].as_str().expect("an id").to_owned());
        }
        story
    }

    fn random(&mut self, below: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as usize % below
    }

    fn send(&self, client: &str, method: &str, target: &str, body: Option<&Value>) -> Value {
        let port = self.service.url.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
        let body = body.map(Value::to_string);
        let request = request(method, target, port, &[("User-Agent", client)], body.as_deref());
        std::io::Write::write_all(&mut stream, &request).expect("sent");
        let answer = read_answer(&mut stream, false);
        assert!(matches!(answer.status, 200 | 204), "{method} {target}: {} {}", answer.status, answer.text());
        if answer.body.is_empty() { Value::Null } else { answer.json() }
    }

    /// What the asset is: record, links and content, as an own program reads it.
    fn state(&self) -> Value {
        let asset = self.send("first/1", "GET", &format!("/asset/{}?transferables=true", self.asset), None);
        let format = &asset["original"]["reference"];
        let mut tags: Vec<String> =
            asset["tags"]["iterable"].as_array().into_iter().flatten().map(|tag| tag["text"].to_string()).collect();
        tags.sort();
        json!({
            "name": asset["name"], "favorited": asset["favorited"] == true, "tags": tags,
            "language": format["classification"]["specific"], "text": format["fragment"]["string"]["raw"],
        })
    }

    /// A version, as [`Self::state`] has what an asset is.
    fn version(&self, number: usize) -> Value {
        let path = format!("/asset/{}/versions/{number}", self.asset);
        let (then, content) =
            (self.send("first/1", "GET", &path, None), self.send("first/1", "GET", &format!("{path}/content"), None));
        let mut tags: Vec<String> =
            then["tags"].as_array().into_iter().flatten().map(|tag| tag["text"].to_string()).collect();
        tags.sort();
        json!({
            "name": then["name"], "favorited": then["favorited"], "tags": tags, "language": then["specific"],
            "text": content["text"],
        })
    }

    fn change(&mut self, number: usize) {
        let client = ["first/1", "second/2"][self.random(2)];
        let asset = self.asset.clone();
        let tag = self.random(3);
        let tag = self.tags[tag].clone();
        match self.random(8) {
            0 => self.update(client, |record| record["name"] = format!("name {number}").into()),
            1 => self.update(client, |record| record["favorited"] = number.is_multiple_of(2).into()),
            2 => drop(self.send(client, "POST", &format!("/asset/{asset}/tags/associate/{tag}"), None)),
            3 => drop(self.send(client, "POST", &format!("/asset/{asset}/tags/disassociate/{tag}"), None)),
            4 => {
                let language = ["rs", "py", "go"][self.random(3)];
                let body = json!({ "asset": { "id": asset }, "ext": language });
                self.send(client, "POST", "/asset/reclassify", Some(&body));
            }
            _ => {
                let record = self.send(client, "GET", &format!("/asset/{asset}?transferables=false"), None);
                let line = self.random(40);
                let format = json!({
                    "id": record["original"]["id"], "fragment": { "string": { "raw": text(line, number) } }
                });
                self.send(client, "POST", "/format/update/value", Some(&format));
            }
        }
    }

    /// Changes the record of the asset.
    fn update(&self, client: &str, change: impl FnOnce(&mut Value)) {
        let mut record = self.send(client, "GET", &format!("/asset/{}?transferables=false", self.asset), None);
        change(&mut record);
        self.send(client, "POST", "/asset/update", Some(&record));
    }

    fn command(&self, arguments: &[&str]) {
        let folder = self.data.path().to_str().expect("UTF-8");
        let ended = run(&[arguments, &["--data", folder]].concat());
        assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
    }
}

/// A text of many lines of which one was changed.
fn text(line: usize, number: usize) -> String {
    let lines = (0..40).map(|at| if at == line { format!("changed by {number}\n") } else { format!("line {at}\n") });
    lines.collect()
}

#[test]
fn every_state_of_a_thousand_changes_by_two_clients_is_a_version_that_is_restored_and_taken_back() {
    let mut story = Story::begin();
    let mut states = vec![story.state()];
    for number in 1..=CHANGES {
        story.change(number);
        let state = story.state();
        if states.last() != Some(&state) {
            states.push(state);
        }
    }
    let listed = story.send("first/1", "GET", &format!("/asset/{}/versions", story.asset), None);
    let listed = listed["iterable"].as_array().expect("a list").clone();
    assert_eq!(listed.len(), states.len(), "a version of each state, and of nothing else");
    for (index, version) in listed.iter().rev().enumerate() {
        assert_eq!(version["version"], index + 1);
        let client = version["client"].as_str().unwrap_or("none");
        assert!(index == 0 || ["first/1", "second/2"].contains(&client), "{version}");
    }
    for (index, state) in states.iter().enumerate() {
        assert_eq!(&story.version(index + 1), state, "version {}", index + 1);
    }
    for index in (0..states.len()).step_by(RESTORED) {
        let before = story.state();
        if states[index] == before {
            continue;
        }
        story.command(&["history", "restore", &story.asset, &(index + 1).to_string()]);
        assert_eq!(story.state(), states[index], "version {} is restored", index + 1);
        story.command(&["undo"]);
        assert_eq!(story.state(), before, "and its undo gives what was before");
    }
}
