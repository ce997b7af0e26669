//! Reads request bodies within limits on size, time and memory.
//!
//! What must hold: no bytes means no body, whatever Content-Type says (records, section 0, surprise 5); a body must be
//! labelled as JSON (guard, rule 5), so that no HTML form passes; memory is reserved before it is used; a rejected body
//! gets its response at once, while the rest of it is drained.

use std::future::poll_fn;
use std::pin::Pin;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, EXPECT};
use axum::http::request;
use serde_json::Value;

use crate::memory::{Memory, MemoryPermit};
use crate::{HttpLimits, ServiceError};
use lunette_client::model::record::Schema;
use lunette_client::operation::{InputLocation, OperationInfo, RequestParts};

use super::json_body::ScannedJson;
use super::progress::Progress;

/// The most of a rejected body that is drained, so that its sender receives the response instead of a broken pipe.
const MAX_DRAINED_BYTES: usize = 512 * 1024 * 1024;
/// Initial capacity for a body without Content-Length.
const INITIAL_CAPACITY: usize = 16 * 1024;
/// A body above this is parsed within its own memory; below, each string may be copied on the way.
const LARGE_BYTES: usize = 256 * 1024;

/// A body, and the memory it holds.
#[derive(Debug, Default)]
pub(super) struct Received {
    pub(super) text: Vec<u8>,
    pub(super) memory: MemoryPermit,
}

/// The memory that a body of this length needs until its response, except for its tree: the text is copied into the
/// store's input, its record and its statement.
fn memory_cost(length: usize) -> usize {
    if length <= LARGE_BYTES { length * 3 } else { length / 2 * 5 + LARGE_BYTES }
}

/// Reads a body. Fails when it is not called JSON, is larger than `max_bytes` bytes, breaks off, takes too long, or when there
/// is no memory for it.
pub(super) async fn read(
    head: &request::Parts,
    mut body: Body,
    max_bytes: usize,
    limits: &HttpLimits,
    memory: &Memory,
) -> Result<Received, ServiceError> {
    if body.is_end_stream() {
        return Ok(Received::default());
    }
    match tokio::time::timeout(limits.body, receive(&head.headers, &mut body, max_bytes, memory)).await {
        Ok(Err(ReadError::Rejected(error))) => {
            // A client that expects `100 Continue` has sent nothing yet.
            if !head.headers.contains_key(EXPECT) {
                let draining = head.extensions.get::<Progress>().map(Progress::drain);
                let limit = limits.body;
                tokio::spawn(async move {
                    tokio::time::timeout(limit, drain(&mut body)).await.ok(); // Draining is only a courtesy.
                    drop(draining);
                });
            }
            Err(error)
        }
        Ok(Err(ReadError::Disconnected(error))) => Err(error),
        Ok(Ok(received)) => Ok(received),
        Err(_) => {
            let limit = limits.body;
            Err(ServiceError::bad_request(format!("the body did not arrive within {limit:?}")).with_status(408))
        }
    }
}

enum ReadError {
    /// The rest of the body may still come.
    Rejected(ServiceError),
    /// Nothing more can come.
    Disconnected(ServiceError),
}

async fn receive(
    headers: &HeaderMap,
    body: &mut Body,
    max_bytes: usize,
    memory: &Memory,
) -> Result<Received, ReadError> {
    let content_length = body.size_hint().exact();
    let mut received = Received::default();
    let mut capacity = INITIAL_CAPACITY.min(max_bytes);
    if let Some(content_length) = content_length {
        require_json(headers)?;
        capacity = usize::try_from(content_length)
            .ok()
            .filter(|length| *length <= max_bytes)
            .ok_or_else(|| too_large(max_bytes))?;
    }
    received.memory = memory.acquire(memory_cost(capacity)).await.map_err(ReadError::Rejected)?;
    received.text.reserve_exact(capacity);
    while let Some(chunk) = next(body).await.map_err(ReadError::Disconnected)? {
        if received.text.is_empty() && !chunk.is_empty() {
            require_json(headers)?;
        }
        let length = received.text.len() + chunk.len();
        if length > max_bytes {
            return Err(too_large(max_bytes));
        }
        if length > capacity {
            let more = length.max(capacity.saturating_mul(8)).min(max_bytes);
            received
                .memory
                .add(memory.acquire(memory_cost(more) - memory_cost(capacity)).await.map_err(ReadError::Rejected)?);
            capacity = more;
        }
        received.text.extend_from_slice(&chunk);
    }
    Ok(received)
}

fn too_large(max_bytes: usize) -> ReadError {
    ReadError::Rejected(ServiceError::too_large(max_bytes))
}

/// Rejects a body that is not labelled as JSON.
fn require_json(headers: &HeaderMap) -> Result<(), ReadError> {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let json = types.next().is_some_and(|value| {
        let essence = value.as_bytes().split(|&byte| byte == b';').next().unwrap_or_default();
        essence.trim_ascii().eq_ignore_ascii_case(b"application/json")
    });
    if json && types.next().is_none() {
        return Ok(());
    }
    Err(ReadError::Rejected(ServiceError::unsupported_type(
        "the body must be JSON: send it with `Content-Type: application/json` (curl: -H 'Content-Type: \
         application/json')",
    )))
}

async fn next(body: &mut Body) -> Result<Option<Bytes>, ServiceError> {
    loop {
        match poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx)).await {
            // Trailers are ignored.
            Some(Ok(frame)) => {
                if let Ok(chunk) = frame.into_data() {
                    return Ok(Some(chunk));
                }
            }
            Some(Err(_)) => return Err(ServiceError::bad_request("the body is incomplete")),
            None => return Ok(None),
        }
    }
}

async fn drain(body: &mut Body) {
    let mut read = 0;
    while let Ok(Some(chunk)) = next(body).await {
        read += chunk.len();
        if read > MAX_DRAINED_BYTES {
            return;
        }
    }
}

/// A request whose body was scanned, before there is memory for its tree.
pub(super) struct Scanned {
    parts: RequestParts,
    /// The body, if it is a record.
    record: Option<ScannedJson>,
}

impl Scanned {
    /// Reads the parts of a request, and scans its body if that is a record.
    pub(super) fn new(
        info: &'static OperationInfo,
        head: &request::Parts,
        text: Vec<u8>,
    ) -> Result<Self, ServiceError> {
        let is_record = |schema| matches!(schema, Schema::Record(_));
        let record = info.inputs.iter().any(|input| input.location == InputLocation::Body && is_record(input.schema));
        let (path, query) = (head.uri.path(), head.uri.query());
        if !record || text.is_empty() {
            return Ok(Self { parts: RequestParts::from_target(info, path, query, text)?, record: None });
        }
        let record = Some(ScannedJson::new(text)?);
        Ok(Self { parts: RequestParts::from_target(info, path, query, Vec::new())?, record })
    }

    /// The memory that the tree needs.
    pub(super) fn tree_bytes(&self) -> usize {
        self.record.as_ref().map_or(0, ScannedJson::tree_bytes)
    }

    /// The parts, and the tree of the body if that is a record. The memory of the tree must have been reserved.
    pub(super) fn into_parts(self) -> Result<(RequestParts, Option<Value>), ServiceError> {
        Ok((self.parts, self.record.map(ScannedJson::into_tree).transpose()?))
    }
}
