//! The body of a request, read whole under a cap and a time.
//!
//! What must hold: no bytes means no body, whatever the head says of its type (records, section 0, surprise 5); a body
//! that is there is JSON by name (guard, rule 5), so that no form of a web page passes for one.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, EXPECT};

use crate::service::ServiceError;

/// The most of a refused body that is read and thrown away, so that its sender hears why instead of a broken pipe.
const DRAINED: usize = 512 * 1024 * 1024;

/// Reads a body. Fails when it is not called JSON, is larger than `most` bytes, breaks off, or takes too long.
pub(super) async fn read(
    headers: &HeaderMap,
    mut body: Body,
    most: usize,
    limit: Duration,
) -> Result<Vec<u8>, ServiceError> {
    if body.is_end_stream() {
        return Ok(Vec::new());
    }
    match tokio::time::timeout(limit, read_in_time(headers, &mut body, most)).await {
        Ok(Err(Stop::Refuse(error))) => {
            // Who asks before sending has sent nothing yet.
            if !headers.contains_key(EXPECT) {
                tokio::time::timeout(limit, drain(&mut body)).await.ok(); // It is only a courtesy.
            }
            Err(error)
        }
        Ok(Err(Stop::Broken(error))) => Err(error),
        Ok(Ok(bytes)) => Ok(bytes),
        Err(_) => Err(ServiceError::bad_request(format!("the body did not come within {limit:?}")).with_status(408)),
    }
}

enum Stop {
    /// The rest of the body may still come.
    Refuse(ServiceError),
    /// Nothing more can come.
    Broken(ServiceError),
}

async fn read_in_time(headers: &HeaderMap, body: &mut Body, most: usize) -> Result<Vec<u8>, Stop> {
    let announced = body.size_hint().lower();
    let mut bytes = Vec::new();
    if announced > 0 {
        refuse_others(headers)?;
        if announced > most as u64 {
            return Err(Stop::Refuse(ServiceError::too_large(most)));
        }
        bytes.reserve_exact(usize::try_from(announced).unwrap_or_default());
    }
    while let Some(chunk) = next(body).await.map_err(Stop::Broken)? {
        if bytes.is_empty() && !chunk.is_empty() {
            refuse_others(headers)?;
        }
        if bytes.len() + chunk.len() > most {
            return Err(Stop::Refuse(ServiceError::too_large(most)));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
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
        "a body must be JSON and say so: send it with `Content-Type: application/json` (curl: -H 'Content-Type: application/json')",
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
            Some(Err(_)) => return Err(ServiceError::bad_request("the body broke off before its end")),
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
