//! Answers, and the headers that every one of them carries (guard, rule 7).

use axum::body::{Body, HttpBody as _};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL,
    CONTENT_TYPE, HeaderName, RETRY_AFTER, SERVER, VARY,
};
use axum::http::{HeaderValue, Response, StatusCode};

use crate::ServiceError;
use lunette_client::operation::{BodyKind, OperationInfo, ResponseBody};

use super::guard::RequestOrigin;
use super::response_body::GuardedBody;

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// What an answer tells of itself: no page may embed, sniff, keep or run it.
const ALWAYS: [(HeaderName, HeaderValue); 5] = [
    (SERVER, HeaderValue::from_static(concat!("lunette/", env!("CARGO_PKG_VERSION")))),
    (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("content-security-policy"),
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
    ),
];

/// An answer that keeps something for as long as it is being sent.
pub(super) fn holding_until_sent(response: Response<Body>, held: impl Send + Unpin + 'static) -> Response<Body> {
    response.map(|body| if body.is_end_stream() { body } else { Body::new(GuardedBody { body, _held: held }) })
}

/// A status with a sentence.
pub(super) fn text(status: StatusCode, sentence: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(sentence.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, TEXT);
    response
}

/// What a handler refused.
pub(super) fn error_response(error: &ServiceError) -> Response<Body> {
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = text(status, error.sentence().to_owned());
    if let Some(seconds) = error.retry_after() {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(u16::from(seconds)));
    }
    response
}

/// What an operation answered, with the status of its row.
pub(super) fn success<A: ResponseBody>(info: &OperationInfo, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(info.status).unwrap_or(StatusCode::OK);
    let content_type = match A::KIND {
        BodyKind::Void => return response,
        BodyKind::Text => TEXT,
        BodyKind::Record => JSON,
    };
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    response
}

/// The answer to a page on the list that asks what it may do (CORS preflight).
pub(super) fn preflight() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
    response
}

/// Adds what every answer carries; a page on the list is named, and no other ever.
pub(super) fn with_security_headers(
    mut response: Response<Body>,
    sender: &RequestOrigin,
    by_origin: bool,
) -> Response<Body> {
    let headers = response.headers_mut();
    headers.extend(ALWAYS);
    if by_origin {
        headers.insert(VARY, HeaderValue::from_static("Origin"));
    }
    if let RequestOrigin::Page(origin) = sender {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    }
    response
}
