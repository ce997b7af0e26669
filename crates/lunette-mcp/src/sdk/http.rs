//! Streamable HTTP, for the service that is served by the same program.
//!
//! What must hold: a request without the token of the user is refused before the SDK reads it; the token is compared by
//! its verifier alone. The SDK refuses a request with the `Origin` of a page or with another `Host` than this
//! machine's, although the guard of the service has refused both before.

use std::convert::Infallible;
use std::fmt::Display;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HOST, ORIGIN, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tower_service::Service;

use lunette_inspector::assistants::TokenVerifier;
use lunette_inspector::tasks::blocking;

use super::sessions::BoundedSessions;
use super::{Handler, LazyBackend};
use crate::backend::{Backend, NotOpened};

/// The most bytes of a request.
const MOST_BYTES: usize = 8 << 20;

/// What answers the requests that were let in.
#[derive(Clone)]
enum Answering {
    Tools(StreamableHttpService<Handler, BoundedSessions>),
    #[cfg(debug_assertions)]
    Fixtures(StreamableHttpService<super::fixtures::Fixtures, BoundedSessions>),
}

/// Answers requests at one path.
#[derive(Clone)]
pub struct HttpService {
    answering: Answering,
    backend: Arc<LazyBackend>,
    token: TokenVerifier,
}

impl HttpService {
    /// A service that lets in whoever shows the token of a data folder. It answers once it has a backend.
    pub fn new(token: TokenVerifier) -> Self {
        let backend = Arc::new(LazyBackend::default());
        let opened = Arc::clone(&backend);
        let handler = move || Ok(Handler::of(Arc::clone(&opened)));
        let answering = Answering::Tools(StreamableHttpService::new(handler, Arc::default(), config()));
        Self { answering, backend, token }
    }

    /// The same with what the conformance suite of the protocol expects in place of the tools.
    #[cfg(debug_assertions)]
    #[must_use]
    pub fn with_fixtures(self) -> Self {
        let fixtures = super::fixtures::Fixtures::default();
        let handler = move || Ok(fixtures.clone());
        let answering = Answering::Fixtures(StreamableHttpService::new(handler, Arc::default(), config()));
        Self { answering, ..self }
    }

    /// Says how to open the backend, once the service that is read has started; a second way is ignored. It is opened
    /// when a client first needs it.
    pub fn set_backend(&self, open: impl Fn() -> Result<Backend, NotOpened> + Send + Sync + 'static) {
        self.backend.open.set(Box::new(open)).ok();
    }

    async fn is_let_in(&self, headers: &HeaderMap) -> bool {
        let mut shown = headers.get_all(AUTHORIZATION).iter();
        let (Some(shown), None) = (shown.next(), shown.next()) else { return false };
        let Some((scheme, shown)) = shown.to_str().ok().and_then(|shown| shown.split_once(' ')) else { return false };
        if !scheme.eq_ignore_ascii_case("Bearer") {
            return false;
        }
        let (token, shown) = (self.token.clone(), shown.trim().to_owned());
        blocking(move || token.accepts(&shown)).await.unwrap_or(false)
    }
}

impl Answering {
    async fn handle<B>(&self, request: Request<B>) -> Response<BoxBody<Bytes, Infallible>>
    where
        B: Body + Send + 'static,
        B::Error: Display,
        B::Data: Send + 'static,
    {
        match self {
            Self::Tools(tools) => tools.handle(request).await,
            #[cfg(debug_assertions)]
            Self::Fixtures(fixtures) => fixtures.handle(request).await,
        }
    }
}

/// How requests are answered over HTTP: those of no page, and of this machine alone.
fn config() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .enforce_origin_validation()
        .with_allowed_hosts(["localhost", "127.0.0.1", "::1", "[::1]"])
        .with_max_request_body_bytes(MOST_BYTES)
}

impl<B> Service<Request<B>> for HttpService
where
    B: Body + Send + 'static,
    B::Error: Display,
    B::Data: Send + 'static,
{
    type Response = Response<BoxBody<Bytes, Infallible>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let service = self.clone();
        if is_own_origin(request.headers()) {
            // As for every other route: no page is served here, so only a program sends this.
            request.headers_mut().remove(ORIGIN);
        }
        Box::pin(async move {
            Ok(match service.is_let_in(request.headers()).await {
                true => service.answering.handle(request).await,
                false => refused(),
            })
        })
    }
}

/// Whether a request says that it comes from this service itself.
fn is_own_origin(headers: &HeaderMap) -> bool {
    let (mut origins, host) = (headers.get_all(ORIGIN).iter(), headers.get(HOST));
    match (origins.next(), origins.next(), host) {
        (Some(origin), None, Some(host)) => origin.as_bytes().strip_prefix(b"http://") == Some(host.as_bytes()),
        _ => false,
    }
}

/// The answer to every request without the token.
fn refused() -> Response<BoxBody<Bytes, Infallible>> {
    let text = "this needs the token of the user: `lunette assistants token` prints it\n";
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *response.status_mut() = StatusCode::UNAUTHORIZED;
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}
