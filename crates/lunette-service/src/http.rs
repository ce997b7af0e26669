//! The HTTP server: accepts connections, checks each request with the guard, and dispatches it to its route.
//!
//! What must hold: a request can fail, by a panic or a disconnect, without affecting the next one; slow, silent or
//! non-reading clients occupy a connection for seconds only and do not block others; an error in accept slows the loop
//! down and never ends it.

use std::convert::Infallible;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode};
use futures_util::FutureExt as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tracing::Level;

use super::{HttpLimits, ServiceError};

mod cache;
mod connections;
mod endpoint;
mod guard;
mod json_body;
pub(crate) mod memory;
mod mount;
mod progress;
pub(crate) mod queued_write;
mod request_body;
mod response;
mod response_body;
pub(crate) mod response_stream;
mod semantics;
pub(crate) mod spool;
mod stream;
mod text_encoding;

use connections::Connections;
use guard::RequestOrigin;
use mount::AppState;
use progress::{Progress, ProgressStream};
use response_body::Outgoing;
use semantics::Asked;
use stream::PendingUpgrade;

pub use endpoint::Endpoint;
pub(super) use guard::Guard;
pub use guard::admits;
pub(super) use mount::{ApiSurface, Routes};

/// Backoff after a failed accept; doubled with each further failure.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(10);

/// The largest read and write buffer of a connection, and so the longest request head.
const MAX_BUFFER: usize = 128 * 1024;

/// Everything a connection needs.
pub(super) struct Server {
    guard: Arc<Guard>,
    state: Arc<AppState>,
    router: TowerToHyperService<Router>,
    connections: Arc<Connections>,
    limits: HttpLimits,
}

impl Server {
    pub(super) fn new(routes: Routes, guard: Arc<Guard>, limits: HttpLimits) -> Self {
        let state = Arc::clone(&routes.state);
        let router = TowerToHyperService::new(routes.into_router());
        Self { guard, state, router, connections: Arc::new(Connections::new(limits.connections)), limits }
    }

    /// Accepts connections until told to stop.
    pub(super) async fn accept(self: Arc<Self>, listener: TcpListener, mut stop: watch::Receiver<bool>) {
        let mut backoff = ACCEPT_BACKOFF;
        let mut warned_at: Option<Instant> = None;
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = stop.changed() => return,
            };
            match accepted {
                Ok((stream, _)) => {
                    backoff = ACCEPT_BACKOFF;
                    tokio::select! {
                        () = self.connections.wait_for_room() => {}
                        _ = stop.changed() => return,
                    }
                    let progress = Progress::new();
                    let run = Arc::clone(&self).serve_connection(stream, progress.clone(), stop.clone());
                    self.connections.spawn(run, progress);
                    // Lets it run before it can count as a connection that never sent anything.
                    tokio::task::yield_now().await;
                }
                Err(problem) => {
                    // Usually too many open files: another connection must close first.
                    if warned_at.is_none_or(|moment| moment.elapsed() > Duration::from_secs(60)) {
                        tracing::warn!(%problem, "could not accept a connection; closing idle ones");
                        warned_at = Some(Instant::now());
                    }
                    self.connections.close_one();
                    tokio::time::sleep(backoff).await;
                    backoff = (backoff * 2).min(Duration::from_secs(1));
                }
            }
        }
    }

    /// Waits for running requests for the drain time, then closes all connections.
    pub(super) async fn drain(&self) {
        if tokio::time::timeout(self.limits.drain, self.connections.all_ended()).await.is_err() {
            self.connections.abort_all();
            self.connections.all_ended().await;
        }
    }

    /// Serves one connection: its requests, and then the stream if one of them upgraded.
    async fn serve_connection(self: Arc<Self>, stream: TcpStream, progress: Progress, stop: watch::Receiver<bool>) {
        stream.set_nodelay(true).ok(); // Only latency depends on it.
        let pending_upgrade = PendingUpgrade::default();
        Arc::clone(&self).serve_requests(stream, progress, pending_upgrade.clone(), stop.clone()).await;
        if let Some(stream) = pending_upgrade.take() {
            stream.run(stop).await;
        }
    }

    /// Serves the requests of one connection.
    async fn serve_requests(
        self: Arc<Self>,
        stream: TcpStream,
        progress: Progress,
        pending_upgrade: PendingUpgrade,
        mut stop: watch::Receiver<bool>,
    ) {
        let io = TokioIo::new(ProgressStream { stream, progress: progress.clone() });
        let server = Arc::clone(&self);
        let service = service_fn(|request| {
            let (server, progress, pending_upgrade) = (Arc::clone(&server), progress.clone(), pending_upgrade.clone());
            async move {
                let logged = tracing::enabled!(Level::DEBUG).then(|| (request.method().clone(), request.uri().clone()));
                let by_origin = server.guard.has_pages();
                let response = server.respond(request, &progress, pending_upgrade, by_origin);
                let response = catch_panic(response, by_origin).await;
                if let Some((method, target)) = logged {
                    tracing::debug!(%method, path = target.path(), status = response.status().as_u16(), "answered");
                }
                Ok::<_, Infallible>(response.map(|body| body.responding(progress.answered())))
            }
        });
        // `Progress` has the time limits.
        let mut builder = http1::Builder::new();
        let builder = builder.header_read_timeout(None).max_buf_size(MAX_BUFFER);
        let connection = builder.serve_connection(io, service).with_upgrades();
        let mut connection = pin!(connection);
        // Errors of a connection are the client's; there is nothing to do about them.
        tokio::select! {
            // So that the time limits are those after what the connection has just done.
            biased;
            _ = progress.track(connection.as_mut()) => {}
            () = progress.overdue(&self.limits) => {}
            _ = stop.changed() => {
                connection.as_mut().graceful_shutdown();
                progress.track(connection).await.ok();
            }
        }
    }

    /// Responds to one request: the guard first, then the cache, then the routes. Handlers catch their panics; `catch_panic` catches
    /// any other of this request.
    async fn respond(
        &self,
        mut request: Request<Incoming>,
        progress: &Progress,
        pending_upgrade: PendingUpgrade,
        by_origin: bool,
    ) -> Response<Outgoing> {
        let now = progress.head_complete();
        let sender = match self.guard.check(request.uri(), request.headers()) {
            Ok(sender) => sender,
            Err(guard::Rejected) => {
                let error_response = response::text(StatusCode::FORBIDDEN, guard::REFUSAL).map(Outgoing::from);
                return response::with_security_headers(error_response, &RequestOrigin::Program, by_origin);
            }
        };
        semantics::plain_path(request.uri_mut());
        let asked = Asked::of(&request);
        let response = if let Some(response) = without_route(&request, &sender) {
            response.map(Outgoing::from)
        } else if let Some(response) = self.state.respond_from_cache(&request, now).await {
            asked.complete(response)
        } else {
            request.extensions_mut().insert(progress.clone());
            request.extensions_mut().insert(pending_upgrade);
            // In a box, so that it takes no room in the futures of the requests that are answered before.
            let response = Box::pin(self.router.call(request)).await.unwrap_or_else(|never| match never {});
            asked.complete(response.map(Outgoing::from))
        };
        response::with_security_headers(response, &sender, by_origin)
    }
}

/// The response to a request that is for no route; `None` for all others.
fn without_route(request: &Request<Incoming>, sender: &RequestOrigin) -> Option<Response<Body>> {
    if let Some(response) = semantics::answer(request) {
        return Some(response);
    }
    if stream::wants_websocket(request) && stream::is_not_known(request.uri().path()) {
        let sentence = "there is no stream at this path; use HTTP/1.1 for requests\n";
        return Some(response::text(StatusCode::NOT_FOUND, sentence));
    }
    let preflight = request.method() == Method::OPTIONS && matches!(sender, RequestOrigin::Page(_));
    preflight.then(|| response::preflight(request.headers()))
}

/// Turns a panic outside of a handler into a 500 for this request alone.
async fn catch_panic(response: impl Future<Output = Response<Outgoing>>, by_origin: bool) -> Response<Outgoing> {
    AssertUnwindSafe(response).catch_unwind().await.unwrap_or_else(|_| {
        tracing::error!("a panic outside of the handler of a request");
        let error = ServiceError::internal("a panic outside of the handler".to_owned());
        let response = response::error_response(&error).map(Outgoing::from);
        response::with_security_headers(response, &RequestOrigin::Program, by_origin)
    })
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::sync::mpsc;

    use super::spool::ResponseText;
    use super::*;
    use crate::detect::NoDetector;
    use crate::store::Store;
    use crate::{RequestContext, Service, record};
    use lunette_client::operation::table::{TagsSnapshot, WebsitesSnapshot};

    async fn answer_to(stream: &mut TcpStream, path: &str) -> String {
        let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let (mut answer, mut part) = (String::new(), [0; 4096]);
        while !answer.contains("the end") && !answer.contains("see the log of the service") {
            let count = stream.read(&mut part).await.expect("an answer");
            assert!(count > 0, "the connection was dropped after {answer:?}");
            answer.push_str(&String::from_utf8_lossy(&part[..count]));
        }
        answer
    }

    /// A list that fails after its first chunks.
    fn failing(service: &Service, caller: &RequestContext, _: TagsSnapshot) -> Result<ResponseText, ServiceError> {
        let mut list = record::List::plain(service, caller);
        let text = "x".repeat(200_000);
        assert!(list.add(&serde_json::json!({ "id": text })).is_continue());
        Err(ServiceError::internal("the disk failed"))
    }

    /// A list that panics after its first chunks.
    fn panicking(
        service: &Service,
        caller: &RequestContext,
        op: WebsitesSnapshot,
    ) -> Result<ResponseText, ServiceError> {
        failing(service, caller, TagsSnapshot { transferables: op.transferables, assets: op.assets, counts: op.counts })
            .map_err(|error| panic!("a fault of ours: {error}"))
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_streamed_response_that_fails_in_the_middle_breaks_the_connection() {
        let service = Service::new(Store::in_memory().expect("a store"), Arc::new(NoDetector)).expect("a service");
        let (busy, _) = mpsc::channel(1);
        let routes = Routes::new(Arc::new(service), ApiSurface::Everything, HttpLimits::default(), busy)
            .on_written::<TagsSnapshot>(failing)
            .on_written::<WebsitesSnapshot>(panicking);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("its address").port();
        let server = Arc::new(Server::new(routes, Arc::new(Guard::default()), HttpLimits::default()));
        let (_stop, stopping) = watch::channel(false);
        let accepting = tokio::task::spawn(server.accept(listener, stopping));
        for path in ["/tags", "/websites"] {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("a connection");
            let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            stream.write_all(request.as_bytes()).await.expect("sent");
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await.ok(); // A reset is as good an end.
            let text = String::from_utf8_lossy(&answer);
            assert!(text.starts_with("HTTP/1.1 200 ") && text.contains("xxx"), "{text:.300}");
            assert!(!text.ends_with("\r\n0\r\n\r\n") && !text.contains("the disk"), "{path} ended well");
        }
        accepting.abort();
    }

    #[tokio::test]
    async fn a_panic_outside_of_the_handlers_gets_a_response_and_keeps_the_connection() {
        let service = Service::new(Store::in_memory().expect("a store"), Arc::new(NoDetector)).expect("a service");
        let (busy, _) = mpsc::channel(1);
        let mut routes = Routes::new(Arc::new(service), ApiSurface::Everything, HttpLimits::default(), busy);
        let broken = async || -> String { panic!("a fault of ours: secret") };
        routes.router = routes.router.route("/broken", get(broken)).route("/well", get(async || "the end"));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("its address").port();
        let server = Arc::new(Server::new(routes, Arc::new(Guard::default()), HttpLimits::default()));
        let (_stop, stopping) = watch::channel(false);
        let accepting = tokio::task::spawn(server.accept(listener, stopping));
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("a connection");
        for _ in 0..3 {
            let answer = answer_to(&mut stream, "/broken").await;
            assert!(answer.starts_with("HTTP/1.1 500 ") && answer.contains("nosniff"), "{answer}");
            assert!(!answer.contains("secret"), "{answer}");
            let answer = answer_to(&mut stream, "/well").await;
            assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        }
        accepting.abort();
    }
}
