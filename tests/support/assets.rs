//! Assets and linked items, created over HTTP for tests.

use lunette_client::client::{CallError, Client};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::{AssetId, TagId, WebsiteId, WorkstreamSummaryId};
use lunette_client::model::record::Record;
use lunette_client::model::seed::Seed;
use lunette_client::operation::table::{
    AssetSnapshot, AssetsCreateNewAsset, TagsCreateNewTag, WebsitesCreateNewWebsite,
    WorkstreamSummariesCreateNewWorkstreamSummary,
};
use serde_json::{Value, json};

/// Texts that break hand-written formats: as names, tags and contents.
pub const ODD: &[&str] = &[
    "two words",
    "it's \"quoted\"",
    "a/b",
    "100%",
    "%2F",
    "..",
    "ü",
    "😀",
    "שלום \u{202e}abc",
    "'; DROP TABLE asset; --",
    "\u{0}\u{1b}[31m",
    "<script>alert(1)</script>",
];

/// The moment of a field with a timestamp.
pub fn moment(field: &Value) -> jiff::Timestamp {
    let text = field["value"].as_str().expect("a timestamp");
    text.parse().expect("a timestamp in RFC 3339")
}

/// A record from a tree.
pub fn record<R: Record>(tree: Value) -> R {
    R::from_tree(tree).expect("a record of this shape")
}

/// An application as a seed names it.
pub fn application() -> Value {
    json!({ "id": "00000003-0000-4000-8000-000000000003", "name": "OPEN_SOURCE", "version": "1.0.0",
        "platform": "LINUX", "onboarded": false, "privacy": "OPEN" })
}

/// A text seed with a name.
pub fn text_seed(name: &str, text: &str) -> Value {
    json!({ "type": "SEEDED_ASSET", "asset": {
        "application": application(),
        "format": { "fragment": { "string": { "raw": text } } },
        "metadata": { "name": name },
    } })
}

/// A text seed as an import makes it of a file at this path.
pub fn imported_seed(path: &str, text: &str) -> Value {
    let mut seed = text_seed(path.rsplit('/').next().unwrap_or_default(), text);
    seed["asset"]["metadata"]["annotations"] =
        json!([{ "type": "DESCRIPTION", "text": format!("Imported from {path}") }]);
    seed
}

/// Creates an asset from a seed.
pub async fn create(client: &Client, seed: Value) -> Result<Asset, CallError> {
    let seed = Some(record::<Seed>(seed));
    client.call(AssetsCreateNewAsset { transferables: None, once: None, seed }).await
}

/// Creates a text asset; returns its id.
pub async fn text_asset(client: &Client, name: &str, text: &str) -> AssetId {
    let asset = create(client, text_seed(name, text)).await.expect("an asset");
    asset.view().id().parse().expect("an asset's id")
}

/// Creates a text asset as an import makes it of a file at this path; returns its id.
pub async fn imported_asset(client: &Client, path: &str, text: &str) -> AssetId {
    let asset = create(client, imported_seed(path, text)).await.expect("an asset");
    asset.view().id().parse().expect("an asset's id")
}

/// Reads the tree of an asset, with content.
pub async fn tree(client: &Client, asset: &AssetId) -> Value {
    let call = AssetSnapshot { asset: asset.clone(), transferables: None };
    client.call(call).await.expect("the asset").into_tree()
}

/// Creates a tag.
pub async fn tag(client: &Client, text: &str) -> TagId {
    let tag = Some(record(json!({ "text": text })));
    let made = client.call(TagsCreateNewTag { transferables: None, tag }).await.expect("a tag");
    made.view().id().parse().expect("an id")
}

/// Creates a website.
pub async fn website(client: &Client, url: &str) -> WebsiteId {
    let website = Some(record(json!({ "url": url, "name": "a website" })));
    let made = client.call(WebsitesCreateNewWebsite { transferables: None, website }).await.expect("a website");
    made.view().id().parse().expect("an id")
}

/// Creates a workstream summary.
pub async fn summary(client: &Client, name: &str) -> WorkstreamSummaryId {
    let summary = Some(record(json!({ "name": name, "model": {
        "id": "0000000e-0000-4000-8000-00000000000e", "version": "1", "created": { "value": "2024-05-01T12:00:00Z" },
        "name": "local", "cloud": false, "type": "BALANCED", "usage": "CODE_TITLE"
    } })));
    let made = client
        .call(WorkstreamSummariesCreateNewWorkstreamSummary { transferables: None, summary })
        .await
        .expect("a summary");
    made.view().id().parse().expect("an id")
}

/// Returns the status and message of a refusal.
pub fn refusal<T: std::fmt::Debug>(answer: Result<T, CallError>) -> (u16, String) {
    match answer {
        Err(CallError::Status { status, sentence, .. }) => (status, sentence),
        other => panic!("a refusal was expected, {other:?} came"),
    }
}
