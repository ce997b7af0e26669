//! Responses, and the security headers that all of them carry (guard, rule 7).

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_REQUEST_HEADERS, CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderName, RETRY_AFTER, SERVER, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};

use crate::ServiceError;
use lunette_client::operation::{BodyKind, OperationInfo, unsupported};

use super::guard::RequestOrigin;
use super::response_body::Outgoing;

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// How long the names of the headers may be together that a page asks to send.
const MAX_HEADER_NAMES: usize = 1024;

/// Headers of every response: no page may embed, sniff, cache or run it.
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

/// The headers of a response with an entity tag and without a body, made once. Each response has a copy, which takes less
/// than to insert them one by one.
static TAGGED: LazyLock<HeaderMap> = LazyLock::new(|| {
    let mut headers = HeaderMap::from_iter(ALWAYS);
    headers.insert(ETAG, HeaderValue::from_static(""));
    headers
});

/// Those of a record with its entity tag.
static TAGGED_RECORD: LazyLock<HeaderMap> = LazyLock::new(|| {
    let mut headers = TAGGED.clone();
    headers.insert(CONTENT_TYPE, JSON);
    headers
});

/// A record with its entity tag.
pub(super) fn record(tag: &HeaderValue, body: Outgoing) -> Response<Outgoing> {
    let mut response = Response::new(body);
    *response.headers_mut() = TAGGED_RECORD.clone();
    response.headers_mut().insert(ETAG, tag.clone());
    response
}

/// The response 304 to a client that has what the entity tag identifies.
pub(super) fn not_modified(tag: &HeaderValue) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    *response.headers_mut() = TAGGED.clone();
    response.headers_mut().insert(ETAG, tag.clone());
    response
}

/// A status with a sentence.
pub(super) fn text(status: StatusCode, sentence: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(sentence.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, TEXT);
    response
}

/// The response at a path of a part of the family's interface that this service does not have; 404 for any other.
pub(super) fn unsupported(path: &str) -> Response<Body> {
    match unsupported::unsupported(path) {
        Some(part) => text(StatusCode::NOT_IMPLEMENTED, format!("{}\n", part.reason)),
        None => text(StatusCode::NOT_FOUND, "unknown path\n"),
    }
}

/// The response to an error of a handler.
pub(super) fn error_response(error: &ServiceError) -> Response<Body> {
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = text(status, error.sentence().to_owned());
    if let Some(seconds) = error.retry_after() {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(u16::from(seconds)));
    }
    if response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        // What a body may be (RFC 9110, 15.5.16).
        response.headers_mut().insert(ACCEPT, JSON);
        response.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    }
    response
}

/// The response to a success, with the status of its row.
pub(super) fn success(info: &OperationInfo, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(info.status).unwrap_or(StatusCode::OK);
    let content_type = match info.body_kind {
        BodyKind::Void => return response,
        BodyKind::Text => TEXT,
        BodyKind::Record => JSON,
    };
    response.headers_mut().insert(CONTENT_TYPE, content_type);
    response
}

/// The response to a CORS preflight of an allowed page, which may send the headers that it asks for: pages add some that
/// mean nothing here, such as those that trace a request. No header of a request grants anything.
pub(super) fn preflight(request: &HeaderMap) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
    let requested = request.get(ACCESS_CONTROL_REQUEST_HEADERS).filter(|names| are_header_names(names.as_bytes()));
    let allowed = requested.cloned().unwrap_or(HeaderValue::from_static("content-type"));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    response
}

/// Whether a value is a list of names of headers (Fetch, 2.2.2), and not endless.
fn are_header_names(value: &[u8]) -> bool {
    let name = |name: &[u8]| HeaderName::from_bytes(name.trim_ascii()).is_ok();
    value.len() <= MAX_HEADER_NAMES && value.split(|byte| *byte == b',').all(name)
}

/// Adds the security headers, and the CORS header for an allowed page only.
pub(super) fn with_security_headers<B>(
    mut response: Response<B>,
    sender: &RequestOrigin,
    by_origin: bool,
) -> Response<B> {
    let headers = response.headers_mut();
    // A response with an entity tag has them already.
    if !headers.contains_key(SERVER) {
        headers.extend(ALWAYS);
    }
    if by_origin {
        headers.insert(VARY, HeaderValue::from_static("Origin"));
    }
    if let RequestOrigin::Page(origin) = sender {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    }
    response
}
