//! The body of a request, read whole under a cap, a time and a share of the memory.
//!
//! What must hold: no bytes means no body, whatever the head says of its type (records, section 0, surprise 5); a body
//! that is there is JSON by name (guard, rule 5), so that no form of a web page passes for one; memory is taken before it
//! is used; and a body that is refused is refused at once, while the rest of it is read and thrown away.

use std::future::poll_fn;
use std::pin::Pin;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, EXPECT};
use axum::http::request;

use crate::memory::{Memory, Taken};
use crate::{HttpLimits, ServiceError};

use super::progress::Progress;

/// The most of a refused body that is read and thrown away, so that its sender hears why instead of a broken pipe.
const DRAINED: usize = 512 * 1024 * 1024;
/// A body that does not say its length has room for this much at first.
const FIRST: usize = 16 * 1024;
/// A body above this is parsed within its own memory; below, each string may be copied on the way.
const LARGE: usize = 256 * 1024;

/// A body, and the memory it holds.
#[derive(Debug, Default)]
pub(super) struct Received {
    pub(super) text: Vec<u8>,
    pub(super) memory: Taken,
}

/// The memory that a body of this length takes until its request is answered, but for its tree: a text stands in what the
/// store is given, in what it makes of it, and in what it writes.
fn cost(length: usize) -> usize {
    if length <= LARGE { length * 3 } else { length / 2 * 5 + LARGE }
}

/// Reads a body. Fails when it is not called JSON, is larger than `most` bytes, breaks off, takes too long, or when there
/// is no memory for it.
pub(super) async fn read(
    head: &request::Parts,
    mut body: Body,
    most: usize,
    limits: &HttpLimits,
    memory: &Memory,
) -> Result<Received, ServiceError> {
    if body.is_end_stream() {
        return Ok(Received::default());
    }
    match tokio::time::timeout(limits.body, receive(&head.headers, &mut body, most, memory)).await {
        Ok(Err(Stop::Refuse(error))) => {
            // Who asks before sending has sent nothing yet.
            if !head.headers.contains_key(EXPECT) {
                let draining = head.extensions.get::<Progress>().map(Progress::drain);
                let limit = limits.body;
                tokio::spawn(async move {
                    tokio::time::timeout(limit, drain(&mut body)).await.ok(); // It is only a courtesy.
                    drop(draining);
                });
            }
            Err(error)
        }
        Ok(Err(Stop::Broken(error))) => Err(error),
        Ok(Ok(received)) => Ok(received),
        Err(_) => {
            let limit = limits.body;
            Err(ServiceError::bad_request(format!("the body did not arrive within {limit:?}")).with_status(408))
        }
    }
}

enum Stop {
    /// The rest of the body may still come.
    Refuse(ServiceError),
    /// Nothing more can come.
    Broken(ServiceError),
}

async fn receive(headers: &HeaderMap, body: &mut Body, most: usize, memory: &Memory) -> Result<Received, Stop> {
    let announced = body.size_hint().exact();
    let mut received = Received::default();
    let mut room = FIRST.min(most);
    if let Some(announced) = announced {
        refuse_others(headers)?;
        room = usize::try_from(announced).ok().filter(|length| *length <= most).ok_or_else(|| too_large(most))?;
    }
    received.memory = memory.take(cost(room)).await.map_err(Stop::Refuse)?;
    received.text.reserve_exact(room);
    while let Some(chunk) = next(body).await.map_err(Stop::Broken)? {
        if received.text.is_empty() && !chunk.is_empty() {
            refuse_others(headers)?;
        }
        let length = received.text.len() + chunk.len();
        if length > most {
            return Err(too_large(most));
        }
        if length > room {
            let more = length.max(room.saturating_mul(8)).min(most);
            received.memory.add(memory.take(cost(more) - cost(room)).await.map_err(Stop::Refuse)?);
            room = more;
        }
        received.text.extend_from_slice(&chunk);
    }
    Ok(received)
}

fn too_large(most: usize) -> Stop {
    Stop::Refuse(ServiceError::too_large(most))
}

/// A body that is called something else than JSON is refused.
fn refuse_others(headers: &HeaderMap) -> Result<(), Stop> {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let json = types.next().is_some_and(|value| {
        let essence = value.as_bytes().split(|&byte| byte == b';').next().unwrap_or_default();
        essence.trim_ascii().eq_ignore_ascii_case(b"application/json")
    });
    if json && types.next().is_none() {
        return Ok(());
    }
    Err(Stop::Refuse(ServiceError::unsupported_type(
        "the body must be JSON: send it with `Content-Type: application/json` (curl: -H 'Content-Type: \
         application/json')",
    )))
}

async fn next(body: &mut Body) -> Result<Option<Bytes>, ServiceError> {
    loop {
        match poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx)).await {
            // Trailers say nothing here.
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
        if read > DRAINED {
            return;
        }
    }
}
