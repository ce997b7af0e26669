//! A path beside the operations, answered by what the program hands over: it is behind the same guard as every route.

use std::convert::Infallible;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, Response};
use axum::{BoxError, Router};
use tower_service::Service;

/// What answers the requests for one path.
#[derive(Clone)]
pub struct Endpoint(Router);

impl Endpoint {
    /// Has a service answer all requests for this path, whatever their method.
    pub fn new<S, B>(path: &'static str, service: S) -> Self
    where
        S: Service<Request<Body>, Response = Response<B>, Error = Infallible> + Clone + Send + Sync + 'static,
        S::Future: Send + 'static,
        B: HttpBody<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        Self(Router::new().route_service(path, service))
    }

    pub(super) fn into_router(self) -> Router {
        self.0
    }
}
