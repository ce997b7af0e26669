//! A service whose list of assets never ends: every page is full of assets that nobody knows.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::Uri;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use lunette_client::model::id::AssetId;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{AssetsSnapshot, GetWellKnownHealth};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// The service.
pub struct Endless {
    url: String,
    lists: Arc<AtomicUsize>,
    _runtime: Runtime,
}

impl Endless {
    pub fn start() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let lists = Arc::new(AtomicUsize::new(0));
        let app = Router::new()
            .route(GetWellKnownHealth::INFO.path, get(async || "ok"))
            .route(AssetsSnapshot::INFO.path, get(list))
            .with_state(Arc::clone(&lists));
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("its address"));
        runtime.spawn(async move { axum::serve(listener, app).await });
        Self { url, lists, _runtime: runtime }
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// How often a part of the list was asked for.
    pub fn lists(&self) -> usize {
        self.lists.load(Ordering::SeqCst)
    }
}

async fn list(State(lists): State<Arc<AtomicUsize>>, uri: Uri) -> Response {
    lists.fetch_add(1, Ordering::SeqCst);
    let wanted = uri.query().and_then(|query| query.split('&').find_map(|part| part.strip_prefix("limit=")));
    let count: usize = wanted.and_then(|limit| limit.parse().ok()).unwrap_or(1);
    let assets: Vec<Value> = (0..count).map(|_| asset()).collect();
    ([("content-type", "application/json")], json!({ "iterable": assets }).to_string()).into_response()
}

/// The least of an asset, of which there is no other.
fn asset() -> Value {
    let id = AssetId::random().to_string();
    let time = json!({ "value": "2026-11-20T12:00:00Z" });
    json!({ "id": id, "name": "one more", "creator": id, "created": time, "updated": time, "mechanism": "MANUAL",
        "formats": { "iterable": [] }, "original": { "id": id }, "preview": { "base": { "id": id } } })
}
