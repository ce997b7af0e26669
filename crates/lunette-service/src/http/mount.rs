//! From a row of the table to a route: read the parts, run the handler, write the answer.
//!
//! axum brings the matching of paths: literal segments before parameters, HEAD where there is GET, 405 with `Allow`.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::http::header::USER_AGENT;
use axum::http::request;
use axum::http::{Request, Response, StatusCode};
use axum::routing::{get, post};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::memory::MemoryPermit;
use crate::spool::ResponseText;
use crate::{HttpLimits, RequestContext, Service, ServiceError};
use lunette_client::model::record::Schema;
use lunette_client::operation::{
    BodyKind, Group, InputLocation, Method, Operation, OperationInfo, RequestParts, ResponseBody as _,
};

use super::json_body::ScannedJson;
use super::progress::Progress;
use super::request_body::Received;
use super::{request_body, response, response_body};

/// What does an operation: it may block, and runs on a thread where it may.
pub(crate) type Handler<O> = fn(&Service, &RequestContext, O) -> Result<<O as Operation>::Output, ServiceError>;

/// The same, giving the bytes of the answer's record: for those that are too large, or asked for too often, to be made a
/// tree of first. Whatever is written so must read as the operation's output.
pub(crate) type Written<O> = fn(&Service, &RequestContext, O) -> Result<ResponseText, ServiceError>;

/// How many requests read at a time: as many as the store keeps connections for. Writes are not counted, since those
/// that wait together are committed together.
const READS: usize = 8;

/// The routes of a service.
pub(crate) struct Routes {
    pub(super) state: Arc<AppState>,
    pub(super) surface: ApiSurface,
    pub(super) router: Router,
    mounted: Vec<&'static OperationInfo>,
}

/// Which operations are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ApiSurface {
    /// The interface's 27 operations.
    Interface,
    /// The companions too.
    Everything,
}

/// What every request is worked on with.
pub(super) struct AppState {
    service: Arc<Service>,
    pub(super) limits: HttpLimits,
    reads: Arc<Semaphore>,
    /// Held by each handler that runs; when the last one is gone, the store may be closed.
    busy: mpsc::Sender<()>,
}

impl AppState {
    /// What the handlers work on; for what does not block.
    pub(super) fn service(&self) -> &Service {
        &self.service
    }

    /// Waits until few enough read.
    async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        Arc::clone(&self.reads).acquire_owned().await.ok()
    }

    /// Runs work on a thread that may block. A panic there is a fault of this work alone.
    async fn run_blocking<T: Send + 'static>(
        &self,
        permit: Option<OwnedSemaphorePermit>,
        name: &'static str,
        work: impl FnOnce(&Service) -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let (service, busy) = (Arc::clone(&self.service), self.busy.clone());
        let task = tokio::task::spawn_blocking(move || {
            // Dropped in the other order: who waits for `busy` may count on the service having been let go.
            let _busy = busy;
            let (service, _turn) = (service, permit);
            work(&service)
        });
        task.await.unwrap_or_else(|panic| Err(ServiceError::internal(format!("{name} failed: {panic}"))))
    }

    /// Reads from the store, when it is this one's turn.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        name: &'static str,
        work: impl FnOnce(&Service) -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let permit = self.permit().await;
        self.run_blocking(permit, name, work).await
    }
}

impl Routes {
    pub(crate) fn new(service: Arc<Service>, surface: ApiSurface, limits: HttpLimits, busy: mpsc::Sender<()>) -> Self {
        let state = Arc::new(AppState { service, limits, reads: Arc::new(Semaphore::new(READS)), busy });
        Self { state, surface, router: Router::new(), mounted: Vec::new() }
    }

    /// Mounts the handler of an operation, if the operation is offered.
    pub(crate) fn on<O: Operation>(self, handler: Handler<O>) -> Self {
        self.mount::<O>(move |service, caller, operation| Ok(handler(service, caller, operation)?.write().into()))
    }

    /// Mounts a handler that writes its answer itself, if the operation is offered.
    pub(crate) fn on_written<O: Operation>(self, handler: Written<O>) -> Self {
        self.mount::<O>(handler)
    }

    fn mount<O: Operation>(mut self, handler: impl Handle<O>) -> Self {
        if self.surface == ApiSurface::Interface && O::INFO.group == Group::Extension {
            return self;
        }
        let state = Arc::clone(&self.state);
        let run = move |request| run(Arc::clone(&state), handler, request);
        let method = match O::INFO.method {
            Method::Get => get(run),
            Method::Post => post(run),
        };
        self.router = self.router.route(O::INFO.path, method);
        self.mounted.push(O::INFO);
        self
    }

    /// The rows mounted so far.
    #[cfg(test)]
    pub(crate) fn mounted(&self) -> &[&'static OperationInfo] {
        &self.mounted
    }

    /// All of it, with an answer for what is not there.
    pub(super) fn into_router(self) -> Router {
        self.router
            .fallback(async || response::text(StatusCode::NOT_FOUND, "unknown path\n"))
            .method_not_allowed_fallback(async || {
                response::text(
                    StatusCode::METHOD_NOT_ALLOWED,
                    "method not allowed; the header `Allow` lists the methods of this path\n",
                )
            })
    }
}

/// A handler of either kind.
trait Handle<O>:
    Fn(&Service, &RequestContext, O) -> Result<ResponseText, ServiceError> + Copy + Send + Sync + 'static
{
}

impl<O, H: Fn(&Service, &RequestContext, O) -> Result<ResponseText, ServiceError> + Copy + Send + Sync + 'static>
    Handle<O> for H
{
}

async fn run<O: Operation>(state: Arc<AppState>, handler: impl Handle<O>, request: Request<Body>) -> Response<Body> {
    let (head, body) = request.into_parts();
    let limits = &state.limits;
    let most = if O::INFO.brings_content { limits.content_bytes } else { limits.body_bytes };
    let done = match request_body::read(&head, body, most, limits, &state.service.memory).await {
        Ok(body) => work(&state, handler, head, body).await,
        Err(error) => Err(error),
    };
    let sent = match done {
        Ok(text) => response_body::of_text(&state.service, text).await,
        Err(error) => Err(error),
    };
    match sent {
        Ok(body) => response::success::<O::Output>(O::INFO, body),
        Err(error) => response::error_response(&error),
    }
}

/// Reads the request, runs the handler and writes its answer, on a thread that may block. A panic there is a fault of
/// this request alone.
async fn work<O: Operation>(
    state: &AppState,
    handler: impl Handle<O>,
    head: request::Parts,
    body: Received,
) -> Result<ResponseText, ServiceError> {
    // Only now: a client that is slow to send its body is not at work.
    let _work = head.extensions.get::<Progress>().map(Progress::work);
    let permit = match (O::INFO.reads, O::Output::KIND) {
        (true, BodyKind::Record) => state.permit().await,
        // Writes, and the few texts that only say that the service is there: those are waited for by programs that
        // look for services, and not for long.
        (_, _) => None,
    };
    let answered = state.run_blocking(permit, O::INFO.name, move |service| {
        let Received { text, mut memory } = body;
        let operation = operation::<O>(service, &head, text, &mut memory)?;
        handler(service, &caller(&head, memory), operation)
    });
    answered.await
}

/// Reads a request. The memory of its tree is taken before that is made.
fn operation<O: Operation>(
    service: &Service,
    head: &request::Parts,
    text: Vec<u8>,
    memory: &mut MemoryPermit,
) -> Result<O, ServiceError> {
    let record = O::INFO
        .inputs
        .iter()
        .any(|input| matches!((input.place, input.schema), (InputLocation::Body, Schema::Record(_))));
    let (path, query) = (head.uri.path(), head.uri.query());
    if !record || text.is_empty() {
        return Ok(O::read(&RequestParts::from_target(O::INFO, path, query, text)?)?);
    }
    let measured = ScannedJson::new(text)?;
    memory.add(service.memory.acquire_blocking(measured.tree_bytes())?);
    let tree = measured.into_tree()?;
    Ok(O::read_with_body(&RequestParts::from_target(O::INFO, path, query, Vec::new())?, Some(tree))?)
}

fn caller(head: &request::Parts, memory: MemoryPermit) -> RequestContext {
    let user_agent = head.headers.get(USER_AGENT).map(|agent| String::from_utf8_lossy(agent.as_bytes()).into_owned());
    RequestContext { user_agent, body: Arc::new(Mutex::new(memory)) }
}

#[cfg(test)]
mod tests {
    use std::sync::Condvar;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use hyper::service::Service as _;
    use hyper_util::service::TowerToHyperService;

    use super::*;
    use crate::detect::NoDetector;
    use crate::store::Store;
    use lunette_client::model::search_result::SearchedTags;
    use lunette_client::operation::table::{GetWellKnownHealth, GetWellKnownVersion, SearchTags, TagsCreateNewTag};

    fn routes(surface: ApiSurface) -> Routes {
        let service = Service::new(Store::in_memory().expect("a store"), Arc::new(NoDetector)).expect("a service");
        let (busy, _) = mpsc::channel(1);
        Routes::new(Arc::new(service), surface, HttpLimits::default(), busy)
            .on::<GetWellKnownHealth>(|_, _, _| panic!("a fault of ours: secret"))
            .on::<GetWellKnownVersion>(|_, caller, _| Ok(caller.user_agent.clone().unwrap_or_default()))
    }

    async fn get(router: &TowerToHyperService<Router>, path: &str) -> (StatusCode, String) {
        let request = Request::get(path).header(USER_AGENT, "someone").body(Body::empty()).expect("a request");
        let response = router.call(request).await.unwrap_or_else(|never| match never {});
        let (head, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.expect("a body");
        (head.status, String::from_utf8_lossy(&bytes).into_owned())
    }

    #[tokio::test]
    async fn a_panic_fails_its_own_request_and_tells_nothing() {
        let router = TowerToHyperService::new(routes(ApiSurface::Everything).into_router());
        for _ in 0..2 {
            let (status, text) = get(&router, "/.well-known/health").await;
            assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
            assert!(!text.contains("secret"), "{text}");
            assert_eq!(get(&router, "/.well-known/version").await, (StatusCode::OK, "someone".to_owned()));
        }
    }

    static RUNNING: AtomicUsize = AtomicUsize::new(0);
    static HELD: (Mutex<bool>, Condvar) = (Mutex::new(true), Condvar::new());

    fn held(_: &Service, _: &RequestContext, _: SearchTags) -> Result<SearchedTags, ServiceError> {
        RUNNING.fetch_add(1, Ordering::SeqCst);
        let guard = HELD.0.lock().expect("no panic");
        drop(HELD.1.wait_while(guard, |held| *held).expect("no panic"));
        Err(ServiceError::bad_request("it was held"))
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_post_that_reads_waits_for_its_turn_as_a_get_does_and_one_that_writes_does_not() {
        let service = Service::new(Store::in_memory().expect("a store"), Arc::new(NoDetector)).expect("a service");
        let routes = Routes::new(Arc::new(service), ApiSurface::Everything, HttpLimits::default(), mpsc::channel(1).0)
            .on::<SearchTags>(held)
            .on::<TagsCreateNewTag>(|_, _, _| Err(ServiceError::bad_request("a write")));
        let router = Arc::new(TowerToHyperService::new(routes.into_router()));
        let post = |path: &'static str| {
            let router = Arc::clone(&router);
            tokio::spawn(async move {
                let request = Request::post(path).body(Body::empty()).expect("a request");
                router.call(request).await.unwrap_or_else(|never| match never {}).status()
            })
        };
        let searches: Vec<_> = (0..READS + 4).map(|_| post("/tags/search")).collect();
        while RUNNING.load(Ordering::SeqCst) < READS {
            tokio::task::yield_now().await;
        }
        for _ in 0..50 {
            assert_eq!(post("/tags/create").await.expect("an answer"), StatusCode::BAD_REQUEST);
        }
        assert_eq!(RUNNING.load(Ordering::SeqCst), READS);
        *HELD.0.lock().expect("no panic") = false;
        HELD.1.notify_all();
        for search in searches {
            assert_eq!(search.await.expect("an answer"), StatusCode::BAD_REQUEST);
        }
        assert_eq!(RUNNING.load(Ordering::SeqCst), READS + 4);
    }

    #[tokio::test]
    async fn companions_are_mounted_only_where_they_are_offered() {
        let router = TowerToHyperService::new(routes(ApiSurface::Interface).into_router());
        assert_eq!(get(&router, "/.well-known/version").await.0, StatusCode::NOT_FOUND);
        assert_eq!(routes(ApiSurface::Everything).mounted().len(), 2);
    }
}
