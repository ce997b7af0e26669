//! Cached responses: never older than an acknowledged write, identified by their content, and not sent twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use lunette_client::client::CallError;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::{AssetId, TagId};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetDisassociateTag, AssetScoresIncrement, AssetSnapshot, AssetUpdate,
};
use serde_json::{Value, json};

use crate::resources::conversations::post;
use crate::support::TestService;
use crate::support::assets::{record, tag, text_asset};
use crate::support::raw;

#[tokio::test]
async fn an_answer_has_a_tag_and_is_not_sent_again_to_whoever_names_it() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "hello").await;
    let target = format!("/asset/{asset}?transferables=false");
    let port = service.running.port();
    let get =
        async |headers: &[(&str, &str)]| raw::send(port, &raw::request("GET", &target, port, headers, None)).await;
    let (first, second) = (get(&[]).await, get(&[]).await);
    let tag = first.header("etag").expect("a tag").to_owned();
    assert_eq!((first.status, second.status, second.header("etag")), (200, 200, Some(tag.as_str())));
    assert_eq!(first.text(), second.text());
    for known in [tag.clone(), format!("\"other\", W/{tag}"), "*".to_owned()] {
        let again = get(&[("If-None-Match", &known)]).await;
        assert_eq!(
            (again.status, again.text().as_str(), again.header("etag")),
            (304, "", Some(tag.as_str())),
            "{known}"
        );
    }
    let rename = json!({ "id": asset.as_str(), "name": "renamed" });
    let rename = AssetUpdate { transferables: Some(false), asset: Some(record(whole(&service, &asset, rename).await)) };
    service.client.call(rename).await.expect("renamed");
    let changed = get(&[("If-None-Match", &tag)]).await;
    assert_eq!((changed.status, changed.json()["name"].as_str()), (200, Some("renamed")));
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
}

/// The record of an asset with some fields replaced.
async fn whole(service: &TestService, asset: &AssetId, fields: Value) -> Value {
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    let mut tree = service.client.call(call).await.expect("the asset").into_tree();
    for (name, value) in fields.as_object().into_iter().flatten() {
        tree[name.as_str()] = value.clone();
    }
    tree
}

/// What each kind of write leaves in the record: the numbers of the name, the score, the text and the comment.
#[derive(Clone, Copy, Debug, Default)]
struct Written {
    name: u64,
    score: u64,
    text: u64,
    comment: u64,
    tagged: bool,
}

impl Written {
    fn of(asset: &Asset) -> Self {
        let tree = asset.tree();
        let number = |value: &Value| value.as_str().and_then(|text| text.parse().ok()).unwrap_or_default();
        Self {
            name: number(&tree["name"]),
            score: tree["score"]["reuse"].as_u64().unwrap_or_default(),
            text: number(&tree["original"]["reference"]["fragment"]["string"]["raw"]),
            comment: number(&tree["annotations"]["iterable"][0]["text"]),
            tagged: tree["tags"]["iterable"].as_array().is_some_and(|tags| !tags.is_empty()),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_read_is_older_than_a_write_that_was_acknowledged_before_it() {
    assert!(reads_beside_writes(25).await > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "takes minutes: 100,000 writes beside as many reads as four readers make"]
async fn no_read_is_older_than_any_of_100_000_writes() {
    println!("{} reads", reads_beside_writes(11_200).await);
}

/// What was acknowledged so far.
#[derive(Default)]
struct Acknowledged {
    name: AtomicU64,
    score: AtomicU64,
    text: AtomicU64,
    comment: AtomicU64,
    /// How often a deletion began or a restoration ended: odd while the asset may be in the Trash.
    moved: AtomicU64,
    over: AtomicBool,
}

/// An asset that is written and read.
struct Race {
    service: TestService,
    asset: AssetId,
    acknowledged: Acknowledged,
}

impl Race {
    async fn read(&self, content: bool) -> Result<Written, CallError> {
        let call = AssetSnapshot { asset: self.asset.clone(), transferables: Some(content) };
        Ok(Written::of(&self.service.client.call(call).await?))
    }

    /// Reads until the writer has ended; returns how often.
    async fn reads(self: Arc<Self>) -> u64 {
        let (mut reads, now) = (0_u64, |of: &AtomicU64| of.load(Ordering::SeqCst));
        let Acknowledged { name, score, text, comment, moved, over } = &self.acknowledged;
        while !over.load(Ordering::SeqCst) {
            let before = now(moved);
            let (name, score, text, comment) = (now(name), now(score), now(text), now(comment));
            let content = reads % 2 == 0;
            match self.read(content).await {
                Ok(read) => {
                    let fresh = read.name >= name && read.score >= score && read.comment >= comment;
                    assert!(fresh, "{read:?} after {name}, {score} and {comment}");
                    assert!(!content || read.text >= text, "{read:?} after {text}");
                }
                Err(CallError::Status { status: 410, .. }) => {
                    assert!(before % 2 == 1 || now(moved) != before, "it is not in the Trash");
                }
                Err(error) => panic!("{error:?}"),
            }
            reads += 1;
        }
        reads
    }

    async fn post(&self, path: &str, body: Option<Value>) {
        let answer = self.service.send("POST", path, body.map(|body| body.to_string()).as_deref()).await;
        assert!(answer.status < 300, "{path}: {}", answer.text());
    }

    /// Whether the record of the tag names the asset.
    async fn is_named_by(&self, tag: &TagId) -> bool {
        let record = self.service.send("GET", &format!("/tag/{tag}"), None).await.json();
        record["assets"]["indices"].get(self.asset.as_str()).is_some()
    }

    /// Each kind of write once; each shows in the next read.
    async fn write(&self, number: u64, tag: &TagId, format: &Value, comment: &Value) {
        let (Self { service, asset, acknowledged }, words) = (self, number.to_string());
        let fields = whole(service, asset, json!({ "name": words })).await;
        let update = AssetUpdate { transferables: Some(false), asset: Some(record(fields)) };
        service.client.call(update).await.expect("renamed");
        acknowledged.name.store(number, Ordering::SeqCst);
        let increment = Some(record(json!({ "asset": { "reuse": true } })));
        service.client.call(AssetScoresIncrement { asset: asset.clone(), increment }).await.expect("scored");
        acknowledged.score.store(number, Ordering::SeqCst);
        let text = json!({ "id": format, "fragment": { "string": { "raw": words } } });
        self.post("/format/update/value", Some(text)).await;
        acknowledged.text.store(number, Ordering::SeqCst);
        let mut comment = comment.clone();
        comment["text"] = words.into();
        self.post("/annotation/update", Some(comment)).await;
        acknowledged.comment.store(number, Ordering::SeqCst);
        service.client.call(AssetAssociateTag { asset: asset.clone(), tag: tag.clone() }).await.expect("linked");
        assert!(self.read(false).await.expect("the asset").tagged, "linked");
        assert!(self.is_named_by(tag).await, "linked");
        service.client.call(AssetDisassociateTag { asset: asset.clone(), tag: tag.clone() }).await.expect("unlinked");
        assert!(!self.read(false).await.expect("the asset").tagged, "unlinked");
        assert!(!self.is_named_by(tag).await, "unlinked");
        acknowledged.moved.fetch_add(1, Ordering::SeqCst);
        self.post(&format!("/assets/{asset}/delete"), None).await;
        let gone = self.read(false).await.expect_err("it is in the Trash");
        assert!(matches!(gone, CallError::Status { status: 410, .. }), "{gone:?}");
        self.post(&format!("/assets/trash/{asset}/restore"), None).await;
        acknowledged.moved.fetch_add(1, Ordering::SeqCst);
        let created = text_asset(&service.client, "created", "hello").await;
        let read = service.send("GET", &format!("/asset/{created}?transferables=false"), None).await;
        assert_eq!(read.status, 200, "created");
    }
}

/// Reads an asset from four readers while each kind of write is made in turn, so many times; checks that each read shows
/// the writes that were acknowledged before it, and returns the number of reads.
async fn reads_beside_writes(rounds: u64) -> u64 {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "0", "0").await;
    let tag = tag(&service.client, "x").await;
    let format = whole(&service, &asset, json!({})).await["original"]["id"].clone();
    let comment = json!({ "type": "COMMENT", "text": "0", "asset": asset.as_str() });
    let comment = post(&service, "/annotations/create", &comment).await;
    let race = Arc::new(Race { service, asset, acknowledged: Acknowledged::default() });
    let readers: Vec<_> = (0..4).map(|_| tokio::spawn(Arc::clone(&race).reads())).collect();
    for number in 1..=rounds {
        race.write(number, &tag, &format, &comment).await;
    }
    race.acknowledged.over.store(true, Ordering::SeqCst);
    let mut reads = 0;
    for reader in readers {
        reads += reader.await.expect("no stale read");
    }
    reads
}

#[tokio::test]
async fn each_kind_of_write_shows_in_the_next_response() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "hello").await;
    let target = format!("/asset/{asset}");
    let (mut last, mut fresh) = (Value::Null, 0);
    // An unknown parameter makes another key of the cache.
    let mut assert_changed = async |what: &str| {
        fresh += 1;
        let cached = service.send("GET", &target, None).await.json();
        let made = service.send("GET", &format!("{target}?fresh={fresh}"), None).await.json();
        assert_eq!(cached, made, "{what}");
        assert_ne!(cached, std::mem::replace(&mut last, cached.clone()), "{what}");
        let format = &cached["original"]["id"].as_str().expect("an id");
        for other in [
            format!("/format/{format}"),
            format!("/formats/{format}"),
            format!("/assets/{asset}/formats"),
            format!("/asset/{asset}/formats"),
        ] {
            let cached = service.send("GET", &other, None).await;
            let made = service.send("GET", &format!("{other}?fresh={fresh}"), None).await;
            assert_eq!((cached.status, cached.json()), (200, made.json()), "{other}: {what}");
            assert!(cached.header("etag").is_some(), "{other}");
        }
        cached
    };
    let record = assert_changed("created").await;
    let model = json!({ "id": "0000000e-0000-4000-8000-00000000000e", "version": "1", "name": "local", "cloud": false,
        "created": { "value": "2024-05-01T12:00:00Z" }, "type": "BALANCED", "usage": "CODE_TITLE" });
    for (kind, body) in [
        ("tag", json!({ "text": "one" })),
        ("website", json!({ "url": "https://one.example/", "name": "one" })),
        ("person", json!({ "type": { "basic": { "name": "one" } } })),
        ("anchor", json!({ "type": "FILE", "fullpath": "/one" })),
        ("hint", json!({ "type": "SUGGESTED_QUERY", "text": "one" })),
        ("conversation", json!({ "type": "COPILOT", "name": "one" })),
        ("workstream_summary", json!({ "name": "one", "model": model })),
    ] {
        let plural = if kind == "workstream_summary" { "workstream_summaries".to_owned() } else { format!("{kind}s") };
        let item = post(&service, &format!("/{plural}/create"), &body).await;
        let id = item["id"].as_str().expect("an id");
        let links = format!("{target}/{plural}");
        let linked = service.send("POST", &format!("{links}/associate/{id}"), None).await;
        assert!(linked.status < 300, "{kind}: {}", linked.text());
        assert_changed(&format!("{kind} linked")).await;
        let unlinked = service.send("POST", &format!("{links}/disassociate/{id}"), None).await;
        assert!(unlinked.status < 300, "{kind}: {}", unlinked.text());
        assert_changed(&format!("{kind} unlinked")).await;
        service.send("POST", &format!("{links}/associate/{id}"), None).await;
        assert_changed(&format!("{kind} linked again")).await;
        let deleted = service.send("POST", &format!("/{plural}/{id}/delete"), None).await;
        assert!(deleted.status < 300, "{kind}: {}", deleted.text());
        assert_changed(&format!("{kind} deleted")).await;
    }
    let tag = post(&service, "/tags/create", &json!({ "text": "two" })).await;
    let id = tag["id"].as_str().expect("an id");
    service.send("POST", &format!("/tag/{id}/assets/associate/{asset}"), None).await;
    assert_changed("linked from the other end").await;
    post(&service, "/tag/update", &json!({ "id": tag["id"], "text": "three" })).await;
    assert_changed("a linked tag renamed").await;
    let comment = json!({ "type": "COMMENT", "text": "first", "asset": asset.as_str() });
    let mut comment = post(&service, "/annotations/create", &comment).await;
    assert_changed("a comment").await;
    comment["text"] = "second".into();
    post(&service, "/annotation/update", &comment).await;
    assert_changed("a comment changed").await;
    let format = json!({ "id": record["original"]["id"], "fragment": { "string": { "raw": "good-bye" } } });
    post(&service, "/format/update/value", &format).await;
    assert_changed("another text").await;
    service.send("POST", &format!("{target}/scores/increment"), Some(r#"{"asset":{"reuse":true}}"#)).await;
    assert_changed("a score").await;
    service.send("POST", &format!("/assets/{asset}/delete"), None).await;
    assert_eq!(service.send("GET", &target, None).await.status, 410);
    service.send("POST", &format!("/assets/trash/{asset}/restore"), None).await;
    assert_changed("restored").await;
}

#[tokio::test]
async fn each_kind_of_write_shows_in_the_next_response_of_what_is_linked() {
    let service = TestService::start().await;
    let asset = text_asset(&service.client, "greeting", "hello").await;
    let model = json!({ "id": "0000000e-0000-4000-8000-00000000000e", "version": "1", "name": "local", "cloud": false,
        "created": { "value": "2024-05-01T12:00:00Z" }, "type": "BALANCED", "usage": "CODE_TITLE" });
    for (kind, plural, name, body) in [
        ("tag", "tags", "text", json!({ "text": "one" })),
        ("website", "websites", "name", json!({ "url": "https://one.example/", "name": "one" })),
        ("workstream_summary", "workstream_summaries", "name", json!({ "name": "one", "model": model })),
    ] {
        let item = post(&service, &format!("/{plural}/create"), &body).await;
        let target = format!("/{kind}/{}", item["id"].as_str().expect("an id"));
        let (mut last, mut fresh) = (Value::Null, 0);
        let mut assert_changed = async |what: &str| {
            fresh += 1;
            let cached = service.send("GET", &target, None).await;
            assert!(cached.header("etag").is_some(), "{kind}: {what}");
            // An unknown parameter makes another key of the cache.
            let made = service.send("GET", &format!("{target}?fresh={fresh}"), None).await;
            assert_eq!(cached.json(), made.json(), "{kind}: {what}");
            assert_ne!(cached.json(), std::mem::replace(&mut last, cached.json()), "{kind}: {what}");
        };
        let send = async |path: String, body: Option<&str>| {
            let answer = service.send("POST", &path, body).await;
            assert!(answer.status < 300, "{kind}: {path}: {}", answer.text());
        };
        assert_changed("created").await;
        for (end, path) in [("its own", format!("{target}/assets")), ("the other", format!("/asset/{asset}/{plural}"))]
        {
            let other = if end == "its own" { asset.as_str() } else { item["id"].as_str().expect("an id") };
            send(format!("{path}/associate/{other}"), None).await;
            assert_changed(&format!("linked from {end} end")).await;
            send(format!("{path}/disassociate/{other}"), None).await;
            assert_changed(&format!("unlinked from {end} end")).await;
        }
        send(format!("{target}/assets/associate/{asset}"), None).await;
        assert_changed("linked again").await;
        send(format!("/assets/{asset}/delete"), None).await;
        assert_changed("its asset deleted").await;
        send(format!("/assets/trash/{asset}/restore"), None).await;
        assert_changed("its asset restored").await;
        let mut renamed = service.send("GET", &target, None).await.json();
        renamed[name] = "two".into();
        send(format!("/{kind}/update"), Some(&renamed.to_string())).await;
        assert_changed("renamed").await;
        send(format!("{target}/scores/increment"), Some(&format!(r#"{{"{kind}":{{"reuse":true}}}}"#))).await;
        assert_changed("a score").await;
        send(format!("/{plural}/{}/delete", item["id"].as_str().expect("an id")), None).await;
        assert_eq!(service.send("GET", &target, None).await.status, 410, "{kind}");
    }
}

#[tokio::test]
async fn a_text_of_many_kilobytes_is_cached_and_one_that_is_streamed_is_not() {
    let service = TestService::start().await;
    let text = "a line of text\n".repeat(1_500);
    let asset = text_asset(&service.client, "long", &text).await;
    let target = format!("/asset/{asset}?transferables=true");
    let (first, second) = (service.send("GET", &target, None).await, service.send("GET", &target, None).await);
    assert!(first.text().len() > 64 << 10 && first.text() == second.text());
    let known = first.header("etag").expect("a tag").to_owned();
    assert_eq!(second.header("etag"), Some(known.as_str()));
    let tag = tag(&service.client, "of many").await;
    for number in 0..500 {
        let asset = text_asset(&service.client, &format!("asset {number}"), "hello").await;
        service.client.call(AssetAssociateTag { asset, tag: tag.clone() }).await.expect("linked");
    }
    let answer = service.send("GET", &format!("/tag/{tag}"), None).await;
    assert!(answer.text().len() > 64 << 10);
    assert_eq!(
        (answer.header("etag"), answer.json()["assets"]["iterable"].as_array().map(Vec::len)),
        (None, Some(500))
    );
}
