//! Reads request bodies within limits on size, time and memory.
//!
//! What must hold: no bytes means no body, whatever Content-Type says (records, section 0, surprise 5); a body must be
//! labelled as JSON (guard, rule 5), so that no HTML form passes; memory is reserved before it is used, and by a body that
//! has begun to arrive, never by an announcement; a body without progress holds no memory that others wait for; a rejected
//! body gets its response at once, while the rest of it is drained.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, EXPECT};
use axum::http::request;
use axum::http::{HeaderMap, HeaderValue};
use serde_json::Value;
use tokio::time::Instant;

use super::memory::{Memory, MemoryPermit};
use crate::{HttpLimits, ServiceError};
use lunette_client::model::record::Schema;
use lunette_client::operation::{InputLocation, OperationInfo, RequestParts};

use super::json_body::ScannedJson;
use super::progress::{MIN_BYTES_PER_SECOND, Progress};
use super::semantics::members;
use super::text_encoding::utf8;

/// The most of a rejected body that is drained, so that its sender receives the response instead of a broken pipe.
const MAX_DRAINED_BYTES: usize = 512 * 1024 * 1024;
/// This much of a body is received without a reservation: the connections are limited.
const UNRESERVED: usize = 16 * 1024;
/// How long a body may make no progress while others wait for the memory that it holds.
const PATIENCE: Duration = Duration::from_secs(1);
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
    let progress = head.extensions.get::<Progress>();
    progress.inspect(|progress| progress.awaits_body());
    let received = tokio::time::timeout(limits.body, receive(&head.headers, &mut body, max_bytes, memory)).await;
    progress.inspect(|progress| progress.body_complete());
    match received {
        Ok(Err(ReadError::Rejected(error))) => {
            // A client that expects `100 Continue` has sent nothing yet.
            if !head.headers.contains_key(EXPECT) {
                let draining = progress.map(Progress::drain);
                let limit = limits.body;
                tokio::spawn(async move {
                    tokio::time::timeout(limit, drain(&mut body)).await.ok(); // Draining is only a courtesy.
                    drop(draining);
                });
            }
            Err(error)
        }
        Ok(Err(ReadError::Disconnected(error))) => Err(error),
        Ok(Ok(mut received)) => {
            if received.text.len() <= UNRESERVED {
                received.memory.add(memory.acquire(memory_cost(received.text.len())).await?);
            }
            Ok(received)
        }
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
    let mut announced = None;
    if let Some(content_length) = content_length {
        require_plain_json(headers)?;
        let length = usize::try_from(content_length).ok().filter(|length| *length <= max_bytes);
        announced = Some(length.ok_or_else(|| too_large(max_bytes))?);
    }
    let mut received = Received::default();
    let mut capacity = UNRESERVED.min(announced.unwrap_or(max_bytes));
    received.text.reserve_exact(capacity);
    let mut pace = Pace::new();
    while let Some(chunk) = pace.next(body, || memory.is_wanted(&received.memory)).await? {
        if received.text.is_empty() && !chunk.is_empty() {
            require_plain_json(headers)?;
        }
        let length = received.text.len() + chunk.len();
        if length > max_bytes {
            return Err(too_large(max_bytes));
        }
        if length > capacity {
            let more = announced.unwrap_or_else(|| length.max(capacity.saturating_mul(8)).min(max_bytes));
            let held = if capacity > UNRESERVED { memory_cost(capacity) } else { 0 };
            let more_memory = memory.acquire_arriving(memory_cost(more) - held).await.map_err(ReadError::Rejected)?;
            received.memory.add(more_memory);
            received.text.reserve_exact(more - received.text.len());
            capacity = more;
            // It was not the client that waited.
            pace = Pace::new();
        }
        received.text.extend_from_slice(&chunk);
    }
    Ok(received)
}

/// How fast a body arrives.
struct Pace {
    since: Instant,
    bytes: u64,
}

impl Pace {
    fn new() -> Self {
        Self { since: Instant::now(), bytes: 0 }
    }

    /// Waits for the next part of a body. Fails if it makes no progress and holds what others want.
    async fn next(&mut self, body: &mut Body, is_wanted: impl Fn() -> bool) -> Result<Option<Bytes>, ReadError> {
        loop {
            let part = tokio::time::timeout_at(self.since + PATIENCE, next(body)).await;
            if let Ok(Ok(Some(part))) = &part {
                self.bytes += part.len() as u64;
            }
            let seconds = self.since.elapsed().as_secs();
            if seconds >= PATIENCE.as_secs() && self.bytes / seconds < MIN_BYTES_PER_SECOND && is_wanted() {
                let problem = "the body made no progress while other requests waited for memory; send it again";
                return Err(ReadError::Rejected(ServiceError::bad_request(problem).with_status(408)));
            }
            if seconds >= PATIENCE.as_secs() {
                *self = Self::new();
            }
            if let Ok(part) = part {
                return part.map_err(ReadError::Disconnected);
            }
        }
    }
}

fn too_large(max_bytes: usize) -> ReadError {
    ReadError::Rejected(ServiceError::too_large(max_bytes))
}

/// Rejects a body that is not labelled as JSON, or is compressed. A type that is sent twice is the same type.
fn require_plain_json(headers: &HeaderMap) -> Result<(), ReadError> {
    let is_json = |value: &HeaderValue| {
        let essence = value.as_bytes().split(|&byte| byte == b';').next().unwrap_or_default();
        essence.trim_ascii().eq_ignore_ascii_case(b"application/json")
    };
    let types = headers.get_all(CONTENT_TYPE);
    if types.iter().next().is_none() || !types.iter().all(is_json) {
        return Err(ReadError::Rejected(ServiceError::unsupported_type(
            "the body must be JSON: send it with `Content-Type: application/json` (curl: -H 'Content-Type: \
             application/json')",
        )));
    }
    if members(headers, &CONTENT_ENCODING).any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case(b"identity"))
    {
        return Err(ReadError::Rejected(ServiceError::unsupported_type(
            "the body is compressed, which is not supported: send it without `Content-Encoding`",
        )));
    }
    Ok(())
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
        let text = utf8(text)?;
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
