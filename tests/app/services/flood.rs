//! A service with many assets, all of which change at once: the least of one that has a list and a stream of changes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use lunette_client::operation::table::{AssetsSnapshot, GetWellKnownHealth};
use lunette_client::operation::{Change, Operation as _, StreamKind};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::support::paged::asset_id;

/// How many changes a message names.
const MESSAGE: usize = 100;

/// The service.
pub struct Flood {
    url: String,
    inner: Arc<Inner>,
    changes: watch::Sender<usize>,
    _runtime: Runtime,
}

struct Inner {
    count: usize,
    name: Mutex<String>,
    lists: AtomicUsize,
    changes: watch::Receiver<usize>,
}

impl Flood {
    /// With so many assets.
    pub fn start(count: usize) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let (changes, heard) = watch::channel(0);
        let name = Mutex::new("first".to_owned());
        let inner = Arc::new(Inner { count, name, lists: AtomicUsize::new(0), changes: heard });
        let app = Router::new()
            .route(GetWellKnownHealth::INFO.path, get(async || "ok"))
            .route(AssetsSnapshot::INFO.path, get(list))
            .route(StreamKind::Assets.info().path, get(stream))
            .with_state(Arc::clone(&inner));
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("its address"));
        runtime.spawn(async move { axum::serve(listener, app).await });
        Self { url, inner, changes, _runtime: runtime }
    }

    /// Its address.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// How often the list was asked for.
    pub fn lists(&self) -> usize {
        self.inner.lists.load(Ordering::SeqCst)
    }

    /// Gives every asset another name, and tells of each.
    pub fn change_all(&mut self, name: &str) {
        name.clone_into(&mut self.inner.name.lock().unwrap_or_else(PoisonError::into_inner));
        self.changes.send_modify(|changes| *changes += 1);
    }
}

async fn list(State(inner): State<Arc<Inner>>) -> Response {
    inner.lists.fetch_add(1, Ordering::SeqCst);
    let name = inner.name.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let assets: Vec<Value> = (0..inner.count).map(|index| asset(index, &name)).collect();
    let headers = [("content-type", "application/json")];
    (headers, json!({ "iterable": assets }).to_string()).into_response()
}

async fn stream(State(inner): State<Arc<Inner>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.on_upgrade(|socket| tell(inner, socket))
}

/// All there is, in one message; then all of it again, in many.
async fn tell(inner: Arc<Inner>, mut socket: WebSocket) {
    let all = |range: std::ops::Range<usize>| {
        let id = |index| asset_id(index).to_string();
        Change::message(range.map(|index| Change { kind: StreamKind::Assets, id: id(index), deleted: false }))
    };
    let mut changes = inner.changes.clone();
    if socket.send(Message::Text(all(0..inner.count).into())).await.is_err() {
        return;
    }
    while changes.changed().await.is_ok() {
        for start in (0..inner.count).step_by(MESSAGE) {
            if socket.send(Message::Text(all(start..start + MESSAGE).into())).await.is_err() {
                return;
            }
        }
    }
}

/// The least of an asset.
fn asset(index: usize, name: &str) -> Value {
    let id = asset_id(index).to_string();
    let time = json!({ "value": "2026-11-20T12:00:00Z" });
    json!({ "id": id, "name": name, "creator": id, "created": time, "updated": time, "mechanism": "MANUAL",
        "formats": { "iterable": [] }, "original": { "id": id }, "preview": { "base": { "id": id } } })
}
