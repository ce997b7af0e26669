//! What real clients send, as it was recorded from them (`tests/clients/*.http`): the guard lets all of it through, and
//! no body is refused for its type.
//!
//! A file holds the requests of one client, each after a line that begins with `###` and says what was called. In them
//! `PORT` stands for the service's port; `ASSET`, `TAG`, `WEBSITE`, `SUMMARY`, `APPLICATION` and `SESSION` stand for
//! ids of what is there, and `LENGTH` for the length that the body then has.

use std::fs;
use std::path::{Path, PathBuf};

use lunette_service::restored::RestoredKind;
use serde_json::{Value, json};

use crate::support::TestService;
use crate::support::assets::text_asset;
use crate::support::dying::{Dying, id};

const SUMMARY: &str = include_str!("../examples/SeededWorkstreamSummary.json");

/// One recorded request, and what is said of it.
struct Recorded {
    client: String,
    title: String,
    head: String,
    body: String,
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
    let entries = fs::read_dir(folder).expect("the folder of the recordings");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "http"));
    files.sort();
    files
}

fn recorded() -> Vec<Recorded> {
    let mut all = Vec::new();
    for path in files() {
        let client = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a text");
        for request in text.split("###").skip(1) {
            let (title, request) = request.split_once('\n').expect("a title");
            let (head, body) = request.split_once("\n\n").unwrap_or((request.trim_end(), ""));
            let (head, body) = (head.replace('\n', "\r\n"), body.trim_end().to_owned());
            all.push(Recorded { client: client.clone(), title: title.trim().to_owned(), head, body });
        }
    }
    all
}

/// The ids of what is there, by the words that stand for them.
async fn planted(service: &TestService) -> Vec<(&'static str, String)> {
    let asset = text_asset(&service.client, "greeting.py", "print('hello')\n").await.to_string();
    let made = async |path: &str, body: serde_json::Value| {
        let answer = service.send("POST", path, Some(&body.to_string())).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()["id"].as_str().expect("an id").to_owned()
    };
    let tag = made("/tags/create", json!({ "text": "a tag" })).await;
    let website = made("/websites/create", json!({ "url": "https://example.org/", "name": "example" })).await;
    let summary = serde_json::from_str(SUMMARY).expect("an example");
    let summary = made("/workstream_summaries/create", summary).await;
    let session = service.send("POST", "/applications/session/open", None).await.json();
    let session = session["id"].as_str().expect("an id").to_owned();
    let tracked = service.send("GET", "/applications", None).await.json();
    let application = tracked["iterable"][0]["id"].as_str().map_or_else(|| asset.clone(), str::to_owned);
    let port = service.port().to_string();
    vec![
        ("ASSET", asset),
        ("TAG", tag),
        ("WEBSITE", website),
        ("SUMMARY", summary),
        ("SESSION", session),
        ("APPLICATION", application),
        ("PORT", port),
    ]
}

/// The records of a service that ended, stored with their ids, and the ids of some of them by the words that stand for
/// them.
async fn rescued(service: &TestService) -> Vec<(&'static str, String)> {
    let old = Dying::start(1);
    let lists = [
        (RestoredKind::Application, "applications"),
        (RestoredKind::Tag, "tags"),
        (RestoredKind::Website, "websites"),
        (RestoredKind::Summary, "workstream_summaries"),
        (RestoredKind::Person, "persons"),
        (RestoredKind::Anchor, "anchors"),
        (RestoredKind::Hint, "hints"),
        (RestoredKind::Conversation, "conversations"),
        (RestoredKind::Message, "messages"),
        (RestoredKind::Asset, "assets"),
        (RestoredKind::Annotation, "annotations"),
        (RestoredKind::Activity, "activity"),
    ];
    let records = lists.map(|(kind, list)| {
        let records: Vec<Value> = old.list(list).iter().map(|raw| serde_json::from_str(raw).expect("JSON")).collect();
        (kind, records)
    });
    for (kind, records) in &records {
        let outcomes = service.running.restorer().restore(*kind, records).expect("stored");
        assert!(outcomes.iter().all(Result::is_ok), "{kind:?}: {outcomes:?}");
    }
    for (kind, records) in &records {
        assert_eq!(service.running.restorer().link(*kind, records).expect("linked"), []);
    }
    let session = service.send("POST", "/applications/session/open", None).await.json();
    vec![
        ("ASSET", id("assets", 1)),
        ("TAG", id("tags", 1)),
        ("WEBSITE", id("websites", 1)),
        ("SUMMARY", id("workstream_summaries", 1)),
        ("SESSION", session["id"].as_str().expect("an id").to_owned()),
        ("APPLICATION", id("applications", 0)),
        ("PORT", service.port().to_string()),
    ]
}

#[tokio::test]
async fn requests_of_real_clients_pass_the_guard_and_the_content_type_check() {
    let service = TestService::start().await;
    let words = planted(&service).await;
    replay(&service, &words).await;
}

#[tokio::test]
async fn requests_of_real_clients_pass_on_what_was_rescued_by_the_ids_that_they_know() {
    let service = TestService::start().await;
    let words = rescued(&service).await;
    replay(&service, &words).await;
}

/// Sends every recorded request with these ids; each must pass.
async fn replay(service: &TestService, words: &[(&'static str, String)]) {
    let put = |text: &str| words.iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, value));
    let recorded = recorded();
    assert!(recorded.len() >= 60, "{} requests are recorded", recorded.len());
    for Recorded { client, title, head, body } in &recorded {
        let body = put(body);
        let head = put(head).replace("LENGTH", &body.len().to_string());
        let answer = service.raw(format!("{head}\r\nConnection: close\r\n\r\n{body}")).await;
        let described = format!("{client}, {title}: {} {}", answer.status, answer.text());
        assert!(!matches!(answer.status, 0 | 403 | 405 | 413 | 415 | 500..), "{described}");
        assert!(answer.status < 300 || client.starts_with("curl"), "{described}");
    }
    assert_eq!(service.running.blocked().requests, 0);
    println!("{} requests of {} clients pass", recorded.len(), files().len());
}

#[tokio::test]
async fn a_body_without_a_json_content_type_is_refused_with_a_reason() {
    let service = TestService::start().await;
    for kind in ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"] {
        let head = format!(
            "POST /assets/create HTTP/1.1\r\nHost: localhost:{}\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\
             Content-Length: 2\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n{{}}",
            service.port()
        );
        let answer = service.raw(head).await;
        assert_eq!(answer.status, 415, "{kind}");
        assert!(answer.text().contains("-H 'Content-Type: application/json'"), "{}", answer.text());
    }
}
