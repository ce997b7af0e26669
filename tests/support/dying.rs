//! A service that ends: slow, without a part of its links, refusing every write, and gone for a while now and then. It
//! has records of many kinds, some of which our service does not have. A test may change them.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::fault::read_request;

/// How many records of each kind there are for a size of 1, by the path of their list; 200 together.
const COUNTS: [(&str, usize); 13] = [
    ("assets", 60),
    ("activity", 40),
    ("messages", 30),
    ("annotations", 20),
    ("tags", 10),
    ("websites", 10),
    ("conversations", 6),
    ("workstream_summaries", 5),
    ("persons", 4),
    ("anchors", 6),
    ("hints", 6),
    ("applications", 1),
    ("ranges", 2),
];

/// The service.
#[derive(Clone, Debug)]
pub struct Dying {
    port: u16,
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// The records of each list, byte for byte.
    lists: Mutex<BTreeMap<&'static str, Vec<String>>>,
    seen: Mutex<Seen>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Seen {
    requests: usize,
    writes: usize,
    /// The status and the text of the response to a write; `None` for 403.
    refusal: Option<(u16, &'static str)>,
    /// Whether it lists assets with more than their ids.
    lists_assets: bool,
    /// How often each path was answered.
    paths: HashMap<String, usize>,
    /// The numbers of the requests whose connections are closed without a response.
    lost: Vec<std::ops::Range<usize>>,
    /// Whether every connection is closed.
    gone: bool,
    /// Whether it no longer listens.
    ended: bool,
}

impl Dying {
    /// With records of this many times the smallest size.
    pub fn start(size: usize) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let lists: BTreeMap<_, Vec<String>> = COUNTS
            .into_iter()
            .map(|(list, count)| (list, (0..count * size).map(|n| record(list, n, size)).collect()))
            .collect();
        let inner = Arc::new(Inner { lists: Mutex::new(lists), seen: Mutex::default(), changed: Condvar::new() });
        let shared = Arc::clone(&inner);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if shared.seen().ended {
                    break;
                }
                let shared = Arc::clone(&shared);
                // A client that disconnects ends the thread, which is intended.
                std::thread::spawn(move || shared.answer(stream).ok());
            }
        });
        Self { port, inner }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// From now on these requests, counted from 0, have no response.
    pub fn lose(&self, lost: impl IntoIterator<Item = std::ops::Range<usize>>) {
        self.inner.seen().lost = lost.into_iter().collect();
    }

    /// Sets whether it is gone.
    pub fn set_gone(&self, gone: bool) {
        self.inner.seen().gone = gone;
    }

    /// Ends it, so that another service can listen at its address.
    pub fn end(&self) {
        self.inner.seen().ended = true;
        // The connection that it no longer answers; its listener is closed before the next one could be.
        let mut last = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("it listens");
        last.read_to_end(&mut Vec::new()).ok(); // A connection that was reset has ended, too.
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_ok() {
            std::thread::yield_now();
        }
    }

    /// The port that it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Changes a record of a list.
    pub fn change(&self, list: &str, number: usize, change: impl FnOnce(&mut Value)) {
        let mut lists = self.inner.lists();
        let raw = &mut lists.get_mut(list).expect("a list")[number];
        let mut record = serde_json::from_str(raw).expect("JSON");
        change(&mut record);
        *raw = record.to_string();
    }

    /// Lists assets with all but their content from now on, and not by their ids alone.
    pub fn list_assets(&self) {
        self.inner.seen().lists_assets = true;
    }

    /// Answers writes with this status and text from now on.
    pub fn refuse_with(&self, status: u16, text: &'static str) {
        self.inner.seen().refusal = Some((status, text));
    }

    /// Waits until it had this many requests.
    pub fn until_asked(&self, requests: usize) {
        let seen = self.inner.seen();
        drop(
            self.inner
                .changed
                .wait_while(seen, |seen| seen.requests < requests)
                .unwrap_or_else(PoisonError::into_inner),
        );
    }

    /// How many requests it had.
    pub fn requests(&self) -> usize {
        self.inner.seen().requests
    }

    /// How many writes it refused.
    pub fn writes(&self) -> usize {
        self.inner.seen().writes
    }

    /// How often assets were asked for, together.
    pub fn asset_reads(&self) -> usize {
        let seen = self.inner.seen();
        seen.paths.iter().filter(|(path, _)| path.starts_with("/asset/")).map(|(_, count)| count).sum()
    }

    /// The records of a list, byte for byte.
    pub fn list(&self, name: &str) -> Vec<String> {
        self.inner.lists()[name].clone()
    }

    /// The names of its lists, with the number of records in each.
    pub fn counts(&self) -> BTreeMap<&'static str, usize> {
        self.inner.lists().iter().map(|(name, list)| (*name, list.len())).collect()
    }
}

impl Inner {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lists(&self) -> MutexGuard<'_, BTreeMap<&'static str, Vec<String>>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One request, then the connection ends.
    fn answer(&self, mut stream: TcpStream) -> io::Result<()> {
        let (head, _) = read_request(&mut stream)?;
        let (method, target) = {
            let mut words = head.split(' ');
            (words.next().unwrap_or_default().to_owned(), words.next().unwrap_or_default().to_owned())
        };
        let path = target.split('?').next().unwrap_or_default().to_owned();
        let (lost, refusal) = {
            let mut seen = self.seen();
            let number = seen.requests;
            seen.requests += 1;
            seen.writes += usize::from(method == "POST");
            self.changed.notify_all();
            let lost = seen.gone || seen.lost.iter().any(|lost| lost.contains(&number));
            *seen.paths.entry(path.clone()).or_default() += usize::from(!lost);
            (lost, seen.refusal.unwrap_or((403, "read-only")))
        };
        if lost {
            return stream.shutdown(Shutdown::Both);
        }
        let (status, body) = if method == "POST" { (refusal.0, refusal.1.to_owned()) } else { self.read(&path) };
        let length = body.len();
        write!(
            stream,
            "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
    }

    fn read(&self, path: &str) -> (u16, String) {
        let name = path.trim_start_matches('/');
        let lists = self.lists();
        if let Some(id) = name.strip_prefix("asset/") {
            let start = format!("{{\"id\":\"{id}\"");
            let found = lists["assets"].iter().find(|raw| raw.starts_with(&start));
            return found.map_or((404, "unknown asset".to_owned()), |raw| (200, raw.clone()));
        }
        match name {
            ".well-known/health" => (200, "ok".to_owned()),
            "assets/identifiers" => {
                let ids: Vec<Value> = lists["assets"].iter().map(|raw| json!({ "id": parsed(raw)["id"] })).collect();
                (200, json!({ "iterable": ids }).to_string())
            }
            "activities" => (200, list(&lists["activity"])),
            "assets" if self.seen().lists_assets => {
                (200, list(&lists["assets"].iter().map(|raw| without_content(raw)).collect::<Vec<_>>()))
            }
            name => match lists.get(name) {
                Some(records) => (200, list(records)),
                None => (404, "unknown path".to_owned()),
            },
        }
    }
}

fn parsed(raw: &str) -> Value {
    serde_json::from_str(raw).expect("JSON")
}

/// An asset as a list has it that withholds contents.
fn without_content(raw: &str) -> String {
    let mut asset = parsed(raw);
    let fields = asset.as_object_mut().expect("an object");
    ["formats", "preview"].iter().for_each(|field| drop(fields.shift_remove(*field)));
    fields["original"] = json!({ "id": fields["original"]["id"] });
    asset.to_string()
}

fn list(records: &[String]) -> String {
    format!("{{ \"iterable\" : [ {} ] }}", records.join(" ,\n "))
}

/// The id of a record of a list.
pub fn id(list: &str, number: usize) -> String {
    let kind = COUNTS.iter().position(|(name, _)| *name == list).expect("a list");
    format!("{kind:08x}-0000-4000-8000-{number:012x}")
}

fn references(list: &str, numbers: impl Iterator<Item = usize>) -> Value {
    let entries: Vec<Value> = numbers.map(|number| json!({ "id": id(list, number) })).collect();
    json!({ "iterable": entries })
}

fn at(day: usize) -> Value {
    json!({ "value": format!("2024-{:02}-{:02}T08:09:10.123Z", 1 + day % 12, 1 + day % 28) })
}

/// A record of a list, with what a record of such a service has.
fn record(list: &str, number: usize, size: usize) -> String {
    let assets = COUNTS[0].1 * size;
    let mut record = json!({ "id": id(list, number), "created": at(number), "updated": at(number) });
    let fields = match list {
        "assets" => asset(number, size),
        "activity" => json!({
            "event": { "asset": {
                "asset": { "id": id("assets", number % assets) },
                "identifier_description_pair": { "asset_viewed": "an_asset_was_viewed" },
            } },
            "application": application(0), "asset": { "id": id("assets", number % assets) }, "rank": 1,
            "mechanism": "AUTOMATIC",
        }),
        "messages" => json!({
            "conversation": { "id": id("conversations", number % (6 * size)) }, "role": "USER",
            "fragment": { "string": { "raw": format!("message {number}\nö") } },
        }),
        "annotations" => json!({
            "type": "COMMENT", "text": format!("comment {number}"), "asset": { "id": id("assets", number % assets) },
        }),
        "tags" => json!({
            "text": format!("tag {number}"), "category": "UNKNOWN",
            "assets": references("assets", (0..assets).filter(|asset| asset % (10 * size) == number)),
            "score": { "manual": 0, "automatic": 0, "reuse": number },
        }),
        "websites" => json!({ "url": format!("https://example.org/{number}"), "name": format!("site {number}") }),
        "conversations" => json!({
            "name": format!("conversation {number}"), "type": "COPILOT", "favorited": number.is_multiple_of(2),
            "messages": references("messages", (0..30 * size).filter(|message| message % (6 * size) == number)),
            "assets": references("assets", [number % assets].into_iter()),
        }),
        "workstream_summaries" => json!({
            "name": format!("summary {number}"), "assets": references("assets", [number % assets].into_iter()),
            "model": { "id": "00000000-0000-4000-8000-000000000001", "version": "1", "created": at(0), "name": "a model" },
        }),
        "persons" => json!({
            "type": { "basic": { "email": format!("{number}@example.org"), "name": "somebody" } },
            "assets": references("assets", [number % assets].into_iter()),
        }),
        "anchors" => json!({
            "type": "FILE", "name": format!("anchor {number}"),
            "points": { "iterable": [{ "id": id("anchors", 900_000 + number), "reference": {
                "id": id("anchors", 900_000 + number), "fullpath": format!("/home/user/{number}.rs") } }] },
            "assets": references("assets", [number % assets].into_iter()),
        }),
        "hints" => json!({
            "type": "SUGGESTED_QUERY", "text": format!("question {number}?"),
            "assets": references("assets", [number % assets].into_iter()),
        }),
        "applications" => application(number),
        _ => {
            // What no service of ours has, written as nobody would.
            return format!(
                "{{ \"id\" : \"{}\",  \"odd\":[1 , 2.50, \"ü\\u00e9\"],\n\t\"n\": {number}e0 }}",
                id(list, number)
            );
        }
    };
    let fields = fields.as_object().expect("an object").clone();
    record.as_object_mut().expect("an object").extend(fields);
    record.to_string()
}

fn application(number: usize) -> Value {
    json!({
        "id": id("applications", number), "name": "OPEN_SOURCE", "version": "1.0.0", "platform": "LINUX", "onboarded": false,
        "privacy": "OPEN",
    })
}

fn asset(number: usize, size: usize) -> Value {
    let format = format!("f0000000-0000-4000-8000-{number:012x}");
    let content = match number % 5 {
        0 => json!({ "file": { "bytes": { "raw": [0, 159, 146, 150, number % 256] }, "metadata": { "ext": "png" } } }),
        _ => {
            json!({ "fragment": { "string": { "raw": format!("fn number_{number}() {{}}\n") }, "metadata": { "ext": "rs" } } })
        }
    };
    let mut whole = json!({
        "id": format, "creator": "00000000-0000-4000-8000-00000000000a", "role": "BOTH", "application": application(0),
        "asset": { "id": id("assets", number) }, "bytes": { "value": 5 }, "created": at(number), "updated": at(number),
        "classification": { "generic": "CODE", "specific": "rs" },
    });
    whole.as_object_mut().expect("an object").extend(content.as_object().expect("an object").clone());
    let mut asset = json!({
        "name": format!("asset {number}"), "creator": "00000000-0000-4000-8000-00000000000a", "mechanism": "MANUAL",
        "favorited": number.is_multiple_of(7), "formats": { "iterable": [whole] },
        "original": { "id": format, "reference": whole }, "preview": { "base": { "id": format, "reference": whole } },
        // One activity each, of the first ones.
        "score": { "manual": 0, "automatic": usize::from(number < COUNTS[1].1 * size), "reuse": number % 4 },
        "unknown": { "kept": number },
        "websites": references("websites", [number % (10 * size)].into_iter()),
    });
    // Every other asset leaves its tags out; the tags name their assets.
    if number.is_multiple_of(2) {
        asset["tags"] = references("tags", [number % (10 * size)].into_iter());
    }
    asset
}
