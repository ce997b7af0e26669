//! Mounts the rows of the table as routes: read the parts, run the handler, write the response.
//!
//! Handlers may block, and run on blocking threads, except those that only queue a write.
//!
//! axum matches paths: literal segments before parameters, HEAD where there is GET, 405 with `Allow`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::http::header::USER_AGENT;
use axum::http::request;
use axum::http::{self, HeaderMap, Request, Response, StatusCode, Uri, Version};
use axum::routing::{get, post};
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::Instant;

use super::endpoint::Endpoint as ProgramEndpoint;
use super::memory::MemoryPermit;
use super::queued_write::QueuedWrite;
use super::response_stream::{self, ChunkSender};
use super::spool::ResponseText;
use crate::store::interrupt::InterruptToken;
use crate::store::past;
use crate::{HttpLimits, RequestContext, Service, ServiceError};
use lunette_client::operation::{BodyKind, Group, Method, Operation, OperationInfo, RequestParts, ResponseBody as _};

use super::cache::{CachedBody, ResponseCache};
use super::progress::Progress;
use super::request_body::{Received, Scanned};
use super::response_body::{HandlerOutput, Outgoing};
use super::semantics::{Conditions, precondition_failed};
use super::{request_body, response, response_body, semantics};

/// The handler of an operation. It may block, and runs on a blocking thread.
pub(crate) type Handler<O> = fn(&Service, &RequestContext, O) -> Result<<O as Operation>::Output, ServiceError>;

/// A handler that writes its response as text, for records too large or too frequent to build a tree first. The text
/// must parse as the operation's output.
pub(crate) type Written<O> = fn(&Service, &RequestContext, O) -> Result<ResponseText, ServiceError>;

/// A handler that only queues a write. It must not block: it runs on a thread of the runtime.
pub(crate) type Queues<O> = fn(&Service, O) -> Result<QueuedWrite, ServiceError>;

/// A handler without its types: it reads the operation from the parts of a request, with the tree of its body if that is
/// a record, and writes the response.
///
/// Everything asynchronous is written against this and so compiled once, instead of once for each operation.
type Erased = Box<dyn Fn(&Service, &RequestContext, &RequestParts, Option<Value>) -> Handled + Send + Sync>;

type Handled = Result<ResponseText, ServiceError>;

/// A handler without its types that only queues a write.
type ErasedQueues =
    Box<dyn Fn(&Service, &RequestParts, Option<Value>) -> Result<QueuedWrite, ServiceError> + Send + Sync>;

/// A row of the table with its handler.
struct Endpoint {
    info: &'static OperationInfo,
    handler: Erased,
    /// What runs instead if the body is small.
    queues: Option<ErasedQueues>,
}

/// A larger body is parsed on a blocking thread.
const MAX_PARSED_AT_ONCE: usize = 4 * 1024;

/// How many requests read at a time: as many as the store has pooled connections. Writes are not limited, since waiting
/// ones are committed together.
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
    /// The extensions too.
    Everything,
}

/// The state shared by all requests.
pub(super) struct AppState {
    service: Arc<Service>,
    pub(super) limits: HttpLimits,
    reads: Arc<Semaphore>,
    cache: ResponseCache,
    /// Held by each running handler; when the last one is dropped, the store may be closed.
    busy: mpsc::Sender<()>,
}

impl AppState {
    /// The service, for work that does not block.
    pub(super) fn service(&self) -> &Service {
        &self.service
    }

    /// Responds with the bytes of the last response to such a request, if its records are unchanged.
    pub(super) async fn respond_from_cache<B>(&self, request: &Request<B>, now: Instant) -> Option<Response<Outgoing>> {
        if !matches!(*request.method(), http::Method::GET | http::Method::HEAD) {
            return None;
        }
        let cached = self.cache.get(target(request), self.service.store.versions(), now)?;
        Some(respond_cached(self, request.headers(), &cached).await)
    }

    /// Waits for a permit to read.
    async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        // The semaphore is never closed.
        Arc::clone(&self.reads).acquire_owned().await.ok()
    }

    /// Starts work on a blocking thread; gives its result. A panic fails this work alone.
    fn run_blocking<T: Send + 'static, W>(
        &self,
        permit: Option<OwnedSemaphorePermit>,
        name: &'static str,
        work: W,
    ) -> impl Future<Output = Result<T, ServiceError>> + Send + use<T, W>
    where
        W: FnOnce(&Service) -> Result<T, ServiceError> + Send + 'static,
    {
        let (service, busy) = (Arc::clone(&self.service), self.busy.clone());
        let task = tokio::task::spawn_blocking(move || {
            // Dropped in reverse order: the service is released before `busy`.
            let _busy = busy;
            let (service, _permit) = (service, permit);
            work(&service)
        });
        async move { task.await.unwrap_or_else(|panic| Err(ServiceError::internal(format!("{name} failed: {panic}")))) }
    }

    /// Reads from the store, after a read permit is free.
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
        let state = Arc::new(AppState {
            service,
            limits,
            reads: Arc::new(Semaphore::new(READS)),
            cache: ResponseCache::default(),
            busy,
        });
        Self { state, surface, router: Router::new(), mounted: Vec::new() }
    }

    /// Mounts the handler of an operation, if the operation is offered.
    pub(crate) fn on<O: Operation>(self, handler: Handler<O>) -> Self {
        let erased = move |service: &Service, context: &RequestContext, parts: &RequestParts, tree| {
            Ok(handler(service, context, read::<O>(parts, tree)?)?.write().into())
        };
        self.mount(O::INFO, Box::new(erased), None)
    }

    /// Mounts a handler that only queues a write, if the operation is offered.
    pub(crate) fn on_queued<O: Operation<Output = ()>>(self, queues: Queues<O>) -> Self {
        let erased = move |service: &Service, _: &RequestContext, parts: &RequestParts, tree| {
            queues(service, read::<O>(parts, tree)?)?.wait(service)?;
            Ok(().write().into())
        };
        let queues = move |service: &Service, parts: &RequestParts, tree| queues(service, read::<O>(parts, tree)?);
        self.mount(O::INFO, Box::new(erased), Some(Box::new(queues)))
    }

    /// Mounts a handler that writes its response as text, if the operation is offered.
    pub(crate) fn on_written<O: Operation>(self, handler: Written<O>) -> Self {
        let erased = move |service: &Service, context: &RequestContext, parts: &RequestParts, tree| {
            handler(service, context, read::<O>(parts, tree)?)
        };
        self.mount(O::INFO, Box::new(erased), None)
    }

    fn mount(mut self, info: &'static OperationInfo, handler: Erased, queues: Option<ErasedQueues>) -> Self {
        if self.surface == ApiSurface::Interface && info.group == Group::Extension {
            return self;
        }
        let endpoint = Arc::new(Endpoint { info, handler, queues });
        let state = Arc::clone(&self.state);
        let run = move |request| run(Arc::clone(&state), Arc::clone(&endpoint), request);
        let method = match info.method {
            Method::Get => get(run),
            Method::Post => post(run),
        };
        self.router = self.router.route(info.path, method);
        self.mounted.push(info);
        self
    }

    /// Has the program answer the requests for a path that is not an operation.
    pub(crate) fn with_endpoint(mut self, endpoint: ProgramEndpoint) -> Self {
        self.router = self.router.merge(endpoint.into_router());
        self
    }

    /// The rows mounted so far.
    #[cfg(test)]
    pub(crate) fn mounted(&self) -> &[&'static OperationInfo] {
        &self.mounted
    }

    /// The router, with responses for unsupported and unknown paths and for other methods.
    pub(super) fn into_router(self) -> Router {
        let surface = self.surface;
        let fallback = move |uri: Uri| async move {
            match surface {
                ApiSurface::Everything => response::unsupported(uri.path()),
                ApiSurface::Interface => response::text(StatusCode::NOT_FOUND, "unknown path\n"),
            }
        };
        self.router.fallback(fallback).method_not_allowed_fallback(async || {
            response::text(
                StatusCode::METHOD_NOT_ALLOWED,
                "method not allowed; the header `Allow` lists the methods of this path\n",
            )
        })
    }
}

fn read<O: Operation>(parts: &RequestParts, tree: Option<Value>) -> Result<O, ServiceError> {
    Ok(match tree {
        Some(tree) => O::read_with_body(parts, Some(tree))?,
        None => O::read(parts)?,
    })
}

async fn run(state: Arc<AppState>, endpoint: Arc<Endpoint>, request: Request<Body>) -> Response<Body> {
    match endpoint.info.cached {
        true => run_cached(&state, endpoint, request).await,
        // Before anything is done: the response will have no `ETag`.
        false if semantics::conditions(request.headers(), None) == Conditions::Failed => precondition_failed(),
        false if endpoint.queues.is_some() => run_queued(&state, endpoint, request).await,
        false => run_handler(&state, endpoint, request).await,
    }
}

/// Queues a write and responds when it is durable, without a thread that waits for it.
async fn run_queued(state: &Arc<AppState>, endpoint: Arc<Endpoint>, request: Request<Body>) -> Response<Body> {
    let info = endpoint.info;
    let (head, body) = request.into_parts();
    let handled = async {
        let received = receive(state, info, &head, body).await?;
        let Some(queues) = endpoint.queues.as_ref().filter(|_| received.text.len() <= MAX_PARSED_AT_ONCE) else {
            return begin(state, endpoint, head, received, None).await.await;
        };
        // Only now, as in `begin`.
        let _busy = (head.extensions.get::<Progress>().map(Progress::work), state.busy.clone());
        let Received { text, mut memory } = received;
        let scanned = caught(info, || Scanned::new(info, &head, text))?;
        memory.add(state.service.memory.acquire(scanned.tree_bytes()).await?);
        let client = user_agent(&head);
        let queued = caught(info, || {
            let (parts, tree) = scanned.into_parts()?;
            past::as_client(client.as_deref(), || queues(&state.service, &parts, tree))
        })?;
        if let Some(work) = queued.done().await? {
            state.run_blocking(None, info.name, work).await?;
        }
        Ok(().write().into())
    };
    match handled.await {
        Ok(text) => respond(info, response_body::of_text(&state.service, text).await),
        Err(error) => respond(info, Err(error)),
    }
}

/// Runs a part of a request on a thread of the runtime. A panic fails this request alone.
fn caught<T>(info: &OperationInfo, work: impl FnOnce() -> Result<T, ServiceError>) -> Result<T, ServiceError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(ServiceError::internal(format!("{} panicked", info.name))))
}

/// Runs the handler and caches its response.
async fn run_cached(state: &Arc<AppState>, endpoint: Arc<Endpoint>, request: Request<Body>) -> Response<Body> {
    // Before the queries begin: what they read is at least as new.
    let (info, version) = (endpoint.info, state.service.store.versions().current());
    let (target, headers) = (target(&request).to_owned(), request.headers().clone());
    let output = match run_streaming(state, endpoint, request).await {
        Ok(output) => output,
        Err(error) => return respond(info, Err(error)),
    };
    if let HandlerOutput::Finished(ResponseText::Memory(text)) = &output
        && let Some(cached) = state.cache.insert(&target, version, text)
    {
        return respond_cached(state, &headers, &cached).await.map(Body::new);
    }
    // It is too long to be kept, and has no `ETag`.
    match semantics::conditions(&headers, None) {
        Conditions::Failed => precondition_failed(),
        _ => respond(info, response_body::of_output(&state.service, output).await),
    }
}

/// What a response is cached by.
fn target<B>(request: &Request<B>) -> &str {
    request.uri().path_and_query().map_or("", |target| target.as_str())
}

/// Responds with a cached body, or with 304 to a client that has it.
async fn respond_cached(state: &AppState, request: &HeaderMap, cached: &CachedBody) -> Response<Outgoing> {
    match semantics::conditions(request, Some(cached.tag())) {
        Conditions::NotModified => return response::not_modified(cached.tag()).map(Outgoing::from),
        Conditions::Failed => return precondition_failed().map(Outgoing::from),
        Conditions::Met => {}
    }
    match response_body::of_bytes(&state.service, cached.text()).await {
        Ok(body) => response::record(cached.tag(), body),
        Err(error) => response::error_response(&error).map(Outgoing::from),
    }
}

async fn run_handler(state: &Arc<AppState>, endpoint: Arc<Endpoint>, request: Request<Body>) -> Response<Body> {
    let info = endpoint.info;
    let body = match run_streaming(state, endpoint, request).await {
        Ok(output) => response_body::of_output(&state.service, output).await,
        Err(error) => Err(error),
    };
    respond(info, body)
}

/// Runs the handler until its output is complete, or begins to be sent if the operation is streamed.
async fn run_streaming(
    state: &Arc<AppState>,
    endpoint: Arc<Endpoint>,
    request: Request<Body>,
) -> Result<HandlerOutput, ServiceError> {
    let info = endpoint.info;
    let (head, body) = request.into_parts();
    // HTTP/1.0 has no chunks: its clients could not tell a response that was broken off from a finished one.
    let streamed = info.streamed && head.version != Version::HTTP_10;
    let received = receive(state, info, &head, body).await?;
    match streamed.then(|| response_stream::open(&state.service.memory)).flatten() {
        None => Ok(HandlerOutput::Finished(begin(state, endpoint, head, received, None).await.await?)),
        Some((sender, chunks)) => {
            let handler = begin(state, endpoint, head, received, Some(sender)).await;
            response_body::streamed(Arc::clone(&state.service), chunks, handler).await
        }
    }
}

/// Reads the body within the limit of its row.
async fn receive(
    state: &AppState,
    info: &OperationInfo,
    head: &request::Parts,
    body: Body,
) -> Result<Received, ServiceError> {
    let limits = &state.limits;
    let max_bytes = if info.brings_content { limits.content_bytes } else { limits.body_bytes };
    request_body::read(head, body, max_bytes, limits, &state.service.memory).await
}

fn respond(info: &OperationInfo, body: Result<Body, ServiceError>) -> Response<Body> {
    match body {
        Ok(body) => response::success(info, body),
        Err(error) => response::error_response(&error),
    }
}

/// Starts the handler on a blocking thread, where it reads the request and writes its response; gives that. A panic
/// fails this request alone.
async fn begin(
    state: &AppState,
    endpoint: Arc<Endpoint>,
    head: request::Parts,
    body: Received,
    stream: Option<ChunkSender>,
) -> impl Future<Output = Handled> + Send + use<> {
    // Only now: a client that is slowly sending its body does not count as busy.
    let busy = head.extensions.get::<Progress>().map(Progress::work);
    let info = endpoint.info;
    let permit = match (info.reads, info.body_kind) {
        (true, BodyKind::Record) => state.permit().await,
        // Writes, and the few texts for discovery, whose clients do not wait long.
        (_, _) => None,
    };
    let client = WaitingClient::default();
    let interrupt = Arc::clone(&client.0);
    let work = move |service: &Service| {
        // A streamed response begins before the handler ends.
        let _busy = busy;
        let Received { text, mut memory } = body;
        let scanned = Scanned::new(info, &head, text)?;
        memory.add(service.memory.acquire_blocking(scanned.tree_bytes())?);
        let (parts, tree) = scanned.into_parts()?;
        let context = context(&head, memory, stream, interrupt);
        past::as_client(context.user_agent.as_deref(), || (endpoint.handler)(service, &context, &parts, tree))
    };
    let handled = state.run_blocking(permit, info.name, work);
    async move {
        let _client = client;
        handled.await
    }
}

/// Interrupts the handler when the client is gone, and so this is dropped before the handler has ended.
#[derive(Default)]
struct WaitingClient(Arc<InterruptToken>);

impl Drop for WaitingClient {
    fn drop(&mut self) {
        self.0.interrupt();
    }
}

fn context(
    head: &request::Parts,
    memory: MemoryPermit,
    stream: Option<ChunkSender>,
    interrupt: Arc<InterruptToken>,
) -> RequestContext {
    let user_agent = user_agent(head);
    RequestContext { user_agent, body: Arc::new(Mutex::new(memory)), stream: Arc::new(Mutex::new(stream)), interrupt }
}

/// What the client calls itself.
fn user_agent(head: &request::Parts) -> Option<String> {
    head.headers.get(USER_AGENT).map(|agent| String::from_utf8_lossy(agent.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests;
