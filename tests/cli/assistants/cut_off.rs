//! Proposals whose program is killed between the agreement and the answer of the service.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::Place;
use super::client::Assistant;
use crate::program::{Served, command, run};

/// What becomes of a request that writes.
const PASSED: u8 = 0;
const LOST_BEFORE: u8 = 1;
const ANSWER_LOST: u8 = 2;

/// How the requests begin that write.
const WRITES: [&[u8]; 2] = [b"POST /asset/update", b"POST /assets/create"];

/// Passes requests on to a service, and loses a write or its answer on the way if it is told to.
struct Gate {
    url: String,
    loses: Arc<AtomicU8>,
    /// Says that a write was lost.
    lost: Receiver<()>,
}

impl Gate {
    fn to(service: &Served) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (loses, (tell, lost)) = (Arc::new(AtomicU8::new(PASSED)), channel());
        let (target, shared) = (service.url.trim_start_matches("http://").to_owned(), Arc::clone(&loses));
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(service) = TcpStream::connect(&target) else { continue };
                let (shared, tell) = (Arc::clone(&shared), tell.clone());
                std::thread::spawn(move || pass(&client, &service, &shared, &tell));
            }
        });
        Self { url, loses, lost }
    }
}

/// Passes one connection on until either side ends it.
fn pass(mut client: &TcpStream, mut service: &TcpStream, loses: &AtomicU8, lost: &Sender<()>) {
    let (answers, receiver) = (service.try_clone().expect("a stream"), client.try_clone().expect("a stream"));
    let silent = Arc::new(AtomicU8::new(PASSED));
    let answers = {
        let (silent, lost) = (Arc::clone(&silent), lost.clone());
        std::thread::spawn(move || back(answers, receiver, &silent, &lost))
    };
    let mut buffer = [0; 64 * 1024];
    while let Ok(count @ 1..) = client.read(&mut buffer) {
        let is_write = WRITES.iter().any(|write| buffer[..count].starts_with(write));
        match (is_write, loses.load(Ordering::SeqCst)) {
            (true, LOST_BEFORE) => {
                lost.send(()).ok();
                continue;
            }
            (true, ANSWER_LOST) => silent.store(ANSWER_LOST, Ordering::SeqCst),
            _ => {}
        }
        if service.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    service.shutdown(std::net::Shutdown::Both).ok();
    answers.join().expect("it ends");
}

/// Passes answers back, unless one is to be lost.
fn back(mut service: TcpStream, mut client: TcpStream, silent: &AtomicU8, lost: &Sender<()>) {
    let mut buffer = [0; 64 * 1024];
    while let Ok(count @ 1..) = service.read(&mut buffer) {
        if silent.load(Ordering::SeqCst) == ANSWER_LOST {
            lost.send(()).ok();
        } else if client.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
}

/// A service behind a gate, and a home of its own in which the proposals for it are.
struct Setting {
    place: Place,
    home: TempDir,
    _served: Served,
    gate: Gate,
}

impl Setting {
    fn new() -> Self {
        let (place, home) = (Place::new(), tempfile::tempdir().expect("a home"));
        let served = Served::start(place.folder.path(), &[]);
        let gate = Gate::to(&served);
        Self { place, home, _served: served, gate }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(&[arguments, &["--url", &self.gate.url]].concat());
        let home = self.home.path();
        command.env("HOME", home).env("XDG_DATA_HOME", home).env("XDG_CONFIG_HOME", home);
        command
    }

    fn assistant(&self) -> Assistant {
        let can = json!({ "elicitation": {} });
        Assistant::with("helper", (&can, Some(self.home.path())), &["--url", &self.gate.url])
    }

    /// Proposes to create an asset, and returns the number.
    fn propose_new(&self) -> String {
        let changes = json!([{ "do": "create", "name": "new", "text": "some text" }]);
        let answer = self.assistant().call("propose", json!({ "reason": "x", "changes": changes }));
        answer["proposal"]["number"].to_string()
    }

    /// How many assets the service has.
    fn count(&self) -> usize {
        let listed = run(&["list", "--json", "--data", self.place.data()]).json();
        listed.as_array().expect("a list").len()
    }

    /// Proposes to rename assets, and returns the number.
    fn propose(&self, assets: &[&str]) -> String {
        let change = |asset: &&str| json!({ "do": "rename", "asset": asset, "to": "new" });
        let changes: Value = assets.iter().map(change).collect();
        let answer = self.assistant().call("propose", json!({ "reason": "x", "changes": changes }));
        answer["proposal"]["number"].to_string()
    }

    /// Waits until a write is lost on the way, then kills the program as `kill -9` does.
    fn kill(&self, mut child: Child) {
        self.gate.lost.recv().expect("a write is lost");
        child.kill().expect("killed");
        child.wait().expect("it ends");
        self.gate.loses.store(PASSED, Ordering::SeqCst);
    }

    /// Agrees to a proposal, and is killed between that and the answer.
    fn killed(&self, number: &str, loses: u8) {
        self.gate.loses.store(loses, Ordering::SeqCst);
        self.kill(self.command(&["proposals", "apply", number]).spawn().expect("it starts"));
    }

    fn listed(&self) -> (Value, String) {
        let ended = self.command(&["proposals", "--all", "--json"]).output().expect("it ends");
        assert_eq!(ended.status.code(), Some(0), "{ended:?}");
        let text = String::from_utf8_lossy(&ended.stderr).into_owned();
        (serde_json::from_slice(&ended.stdout).expect("JSON"), text)
    }
}

#[test]
fn a_change_whose_answer_was_lost_is_read_again_and_found_made() {
    let setting = Setting::new();
    let asset = setting.place.asset("old", "a");
    let number = setting.propose(&[&asset]);
    setting.killed(&number, ANSWER_LOST);
    assert_eq!(setting.place.show(&asset)["name"], "new", "the service made it");
    let (listed, said) = setting.listed();
    assert!(said.contains("was cut off") && said.contains("1 done"), "{said}");
    assert_eq!((&listed[0]["state"], &listed[0]["status"]["applied"]["done"]), (&json!("applied"), &json!(1)));
    assert!(!setting.listed().1.contains("cut off"), "once");
    let undone = setting.command(&["undo", "--client", "helper"]).output().expect("it ends");
    assert_eq!(undone.status.code(), Some(0), "{undone:?}");
    assert_eq!(setting.place.show(&asset)["name"], "old");
}

#[test]
fn a_change_that_did_not_arrive_is_found_not_made_and_is_not_sent_again() {
    let setting = Setting::new();
    let (one, two) = (setting.place.asset("one", "a"), setting.place.asset("two", "b"));
    let number = setting.propose(&[&one, &two]);
    setting.killed(&number, LOST_BEFORE);
    // The assistant asks for it before anybody else does.
    let told = setting.assistant().call("proposal", json!({ "number": number.parse::<u64>().expect("a number") }));
    let result = &told["proposal"]["result"];
    assert_eq!((&result["done"], &result["failed"]), (&json!(0), &json!(2)), "{told}");
    assert_eq!([&one, &two].map(|asset| setting.place.show(asset)["name"].clone()), [json!("one"), json!("two")]);
    let again = setting.command(&["proposals", "apply", &number]).output().expect("it ends");
    assert_eq!(again.status.code(), Some(1), "it is decided: {again:?}");
    assert_eq!([&one, &two].map(|asset| setting.place.show(asset)["name"].clone()), [json!("one"), json!("two")]);
}

#[test]
fn a_client_that_is_killed_after_its_user_agreed_leaves_what_can_be_read_again() {
    let setting = Setting::new();
    let asset = setting.place.asset("old", "a");
    let number: u64 = setting.propose(&[&asset]).parse().expect("a number");
    let mut assistant = setting.assistant();
    setting.gate.loses.store(ANSWER_LOST, Ordering::SeqCst);
    assistant.request("tools/call", json!({ "name": "approve", "arguments": { "number": number } }));
    let question = assistant.next();
    let apply = json!({ "action": "accept", "content": { "decision": "apply" } });
    assistant.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": apply }));
    setting.gate.lost.recv().expect("an answer is lost");
    drop(assistant);
    setting.gate.loses.store(PASSED, Ordering::SeqCst);
    let (listed, said) = setting.listed();
    assert!(said.contains("1 done"), "{said}");
    assert_eq!(listed[0]["state"], "applied", "{listed}");
}

#[test]
fn a_new_asset_whose_answer_was_lost_is_looked_for_and_found() {
    let setting = Setting::new();
    let number = setting.propose_new();
    setting.killed(&number, ANSWER_LOST);
    assert_eq!(setting.count(), 1, "the service made it");
    let (listed, said) = setting.listed();
    assert!(said.contains("was cut off") && said.contains("1 done"), "{said}");
    assert_eq!(listed[0]["state"], "applied", "{listed}");
    let undone = setting.command(&["undo", "--client", "helper"]).output().expect("it ends");
    assert_eq!((undone.status.code(), setting.count()), (Some(0), 0), "{undone:?}");
}

#[test]
fn a_new_asset_whose_request_did_not_arrive_is_found_not_made_and_is_not_created_again() {
    let setting = Setting::new();
    let number = setting.propose_new();
    setting.killed(&number, LOST_BEFORE);
    let (listed, said) = setting.listed();
    assert!(said.contains("1 failed"), "{said}");
    assert_eq!((&listed[0]["state"], setting.count()), (&json!("failed"), 0), "{listed}");
}

#[test]
fn a_command_that_was_killed_while_it_created_an_asset_can_look_for_it() {
    let setting = Setting::new();
    setting.gate.loses.store(ANSWER_LOST, Ordering::SeqCst);
    let mut child = setting.command(&["new", "--name", "new"]).stdin(Stdio::piped()).spawn().expect("it starts");
    child.stdin.take().expect("a pipe").write_all(b"some text").expect("written");
    setting.kill(child);
    let steps = setting.command(&["history", "--json"]).output().expect("it ends");
    let steps: Value = serde_json::from_slice(&steps.stdout).expect("JSON");
    assert_eq!(steps[0]["status"], "unknown", "{steps}");
    let resumed = setting.command(&["resume", steps[0]["id"].as_str().expect("an id")]).output().expect("it ends");
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert!(resumed.status.success() && said.contains("it was done: Created “new”"), "{resumed:?}");
    assert_eq!(setting.count(), 1, "it is not created again");
    let undone = setting.command(&["undo"]).output().expect("it ends");
    assert_eq!((undone.status.code(), setting.count()), (Some(0), 0), "{undone:?}");
}
