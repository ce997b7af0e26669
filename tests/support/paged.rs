//! A third-party service with a list of assets of any size, which records the requests.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use lunette_client::model::id::AssetId;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{AssetsSnapshot, GetWellKnownHealth, TagsSnapshot};
use tokio::runtime::Runtime;
use tokio::sync::watch;

/// The id of the asset at an index.
pub fn asset_id(index: usize) -> AssetId {
    format!("00000000-0000-4000-8000-{index:012x}").parse().expect("twelve digits make a UUID")
}

/// A requested part of the list: offset and length.
pub type Asked = (u64, u64);

/// The list of the service.
pub struct List {
    /// How many assets it has.
    pub count: usize,
    /// More JSON fields of the asset at an index, each followed by a comma.
    pub fields: fn(usize) -> String,
    /// Whether it is sent in pages.
    pub pages: bool,
    /// How many assets each of its two tags references.
    pub tagged: usize,
}

/// The service.
pub struct Paged {
    url: String,
    inner: Arc<Inner>,
    open: watch::Sender<bool>,
    _runtime: Runtime,
}

struct Inner {
    list: Mutex<List>,
    asked: Mutex<Vec<Asked>>,
    /// Whether pages after the first are answered.
    open: watch::Receiver<bool>,
}

impl Paged {
    /// With this list.
    pub fn start(list: List) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let (open, opened) = watch::channel(true);
        let inner = Arc::new(Inner { list: Mutex::new(list), asked: Mutex::default(), open: opened });
        let app = Router::new()
            .route(GetWellKnownHealth::INFO.path, get(async || "ok"))
            .route(AssetsSnapshot::INFO.path, get(page))
            .route("/asset/{id}", get(one))
            .route(TagsSnapshot::INFO.path, get(tags))
            .with_state(Arc::clone(&inner));
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("its address"));
        runtime.spawn(async move { axum::serve(listener, app).await });
        Self { url, inner, open, _runtime: runtime }
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the requested parts of the list.
    pub fn asked(&self) -> Vec<Asked> {
        held(&self.inner.asked).clone()
    }

    /// Replaces the list.
    pub fn put(&self, list: List) {
        *held(&self.inner.list) = list;
    }

    /// Sets whether pages after the first wait.
    pub fn hold_back(&self, held_back: bool) {
        self.open.send_replace(!held_back);
    }
}

fn held<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn json(body: String) -> Response {
    ([("content-type", "application/json")], body).into_response()
}

async fn page(State(inner): State<Arc<Inner>>, uri: Uri) -> Response {
    let number = |name: &str| {
        let of = |part: &str| part.strip_prefix(name)?.strip_prefix('=')?.parse::<u64>().ok();
        uri.query().and_then(|query| query.split('&').find_map(of))
    };
    let (offset, limit) = (number("offset").unwrap_or_default(), number("limit").unwrap_or(u64::MAX));
    held(&inner.asked).push((offset, limit));
    if offset > 0 {
        // The sender is dropped with the service.
        inner.open.clone().wait_for(|open| *open).await.ok();
    }
    let list = held(&inner.list);
    let (offset, limit) = if list.pages { (offset, limit) } else { (0, u64::MAX) };
    let at = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).min(list.count);
    let assets: Vec<String> = (at(offset)..at(offset.saturating_add(limit))).map(|index| asset(&list, index)).collect();
    json(format!(r#"{{"iterable": [{}]}}"#, assets.join(",")))
}

/// An asset by its id. One that is not in the list is one that nobody saved.
async fn one(State(inner): State<Arc<Inner>>, Path(id): Path<String>) -> Response {
    let list = held(&inner.list);
    let index = (0..list.count + 10).find(|index| asset_id(*index).as_str() == id);
    match index {
        Some(index) => json(asset(&list, index)),
        None => StatusCode::GONE.into_response(),
    }
}

async fn tags(State(inner): State<Arc<Inner>>) -> Response {
    let count = held(&inner.list).tagged;
    let named: Vec<String> = (0..count).map(|index| reference(&asset_id(index))).collect();
    let named = named.join(",");
    let tag = |text: &str| {
        format!(
            r#"{{"id": "{text}", "assets": {{"iterable": [{named}]}}, "text": "{text}", "category": "MANUAL",
            "created": {TIME}, "updated": {TIME}}}"#
        )
    };
    json(format!(r#"{{"iterable": [{}, {}]}}"#, tag("one"), tag("two")))
}

/// Returns the reference of a tag to an asset.
fn reference(id: &AssetId) -> String {
    format!(
        r#"{{"id": "{id}", "reference": null, "schema": {{"migration": 0, "semantic": "MAJOR_0_MINOR_0_PATCH_1"}}}}"#
    )
}

const TIME: &str = r#"{"value": "2026-11-20T12:00:00Z"}"#;

/// A minimal asset, with the extra fields.
fn asset(list: &List, index: usize) -> String {
    let id = asset_id(index);
    let fields = if index < list.count { (list.fields)(index) } else { r#""pseudo": true,"#.to_owned() };
    format!(
        r#"{{{fields}"id": "{id}", "creator": "{id}", "created": {TIME}, "updated": {TIME}, "mechanism": "MANUAL",
        "formats": {{"iterable": []}}, "original": {{"id": "{id}"}}, "preview": {{"base": {{"id": "{id}"}}}}}}"#
    )
}
