//! Finished answers of reads that are repeated: sent as they are, without a query, until the store changes.
//!
//! What must hold: an answer is never older than a write that was acknowledged before it was asked for. An entry belongs
//! to the version of the store that was current before its queries began, and counts only while that version does; every
//! commit makes another version before it is acknowledged. Memory is bounded.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::header::{ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};
use sha2::{Digest as _, Sha256};

use super::response;
use lunette_client::operation::OperationInfo;

/// The largest answer that is kept. A response up to this size is not counted while a client reads it.
const MAX_ANSWER_BYTES: usize = 16 * 1024;
/// How much is kept in all, keys included.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// How long an answer counts at most: then its content is checked against its checksum again.
const MAX_AGE: Duration = Duration::from_secs(120);
/// What an entry takes beside its key and its answer.
const ENTRY_BYTES: usize = 160;

/// The answers that are kept, by path and query.
#[derive(Default)]
pub(super) struct Answers(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    entries: HashMap<String, Entry>,
    bytes: usize,
}

struct Entry {
    version: u64,
    made: Instant,
    answer: Answer,
}

/// A finished answer.
#[derive(Clone)]
pub(super) struct Answer {
    text: Bytes,
    /// Names this text: a strong validator (RFC 9110, 8.8.3).
    tag: HeaderValue,
}

impl Answers {
    /// The answer to a request, if it is of this version of the store.
    pub(super) fn get(&self, target: &str, version: u64) -> Option<Answer> {
        let kept = self.lock();
        let entry = kept.entries.get(target)?;
        (entry.version == version && entry.made.elapsed() < MAX_AGE).then(|| entry.answer.clone())
    }

    /// Keeps an answer whose queries began at this version of the store; returns it. None if it is too large.
    pub(super) fn keep(&self, target: &str, version: u64, text: &[u8]) -> Option<Answer> {
        if text.len() > MAX_ANSWER_BYTES {
            return None;
        }
        let answer = Answer { tag: tag(text), text: Bytes::copy_from_slice(text) };
        let size = target.len() + text.len() + ENTRY_BYTES;
        let mut kept = self.lock();
        if kept.bytes + size > MAX_BYTES {
            *kept = Kept::default();
        }
        let entry = Entry { version, made: Instant::now(), answer: answer.clone() };
        let replaced = kept.entries.insert(target.to_owned(), entry);
        let before = replaced.map_or(0, |entry| target.len() + entry.answer.text.len() + ENTRY_BYTES);
        kept.bytes = kept.bytes + size - before;
        Some(answer)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Answer {
    /// The response: 304 without a body if the request has this answer already.
    pub(super) fn response(self, info: &OperationInfo, request: &HeaderMap) -> Response<Body> {
        let mut response = if self.is_known(request) {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response
        } else {
            response::success(info, Body::from(self.text))
        };
        response.headers_mut().insert(ETAG, self.tag);
        response
    }

    /// Whether the request names this answer, or any (RFC 9110, 13.1.2).
    fn is_known(&self, request: &HeaderMap) -> bool {
        let tags = request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        tags.flat_map(|value| value.split(','))
            .map(|tag| tag.trim().trim_start_matches("W/"))
            .any(|tag| tag == "*" || tag.as_bytes() == self.tag.as_bytes())
    }
}

fn tag(text: &[u8]) -> HeaderValue {
    let sum = Sha256::digest(text);
    let hex: String = sum.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    // Always printable ASCII.
    HeaderValue::from_str(&format!("\"{hex}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_counts_for_its_version_of_the_store_only() {
        let answers = Answers::default();
        assert!(answers.keep("/asset/1", 7, b"{}").is_some());
        assert!(answers.get("/asset/1", 7).is_some());
        assert!(answers.get("/asset/1", 8).is_none(), "a write came");
        assert!(answers.get("/asset/1?transferables=false", 7).is_none());
    }

    #[test]
    fn memory_is_bounded_and_large_answers_are_not_kept() {
        let answers = Answers::default();
        assert!(answers.keep("/large", 1, &vec![b'x'; MAX_ANSWER_BYTES + 1]).is_none());
        for number in 0..3_000 {
            answers.keep(&format!("/asset/{number}"), 1, &vec![b'x'; MAX_ANSWER_BYTES]);
            assert!(answers.lock().bytes <= MAX_BYTES);
        }
        let kept = answers.lock();
        let held: usize =
            kept.entries.iter().map(|(key, entry)| key.len() + entry.answer.text.len() + ENTRY_BYTES).sum();
        assert_eq!(held, kept.bytes);
    }

    #[test]
    fn the_same_text_has_the_same_tag_and_another_text_another() {
        assert_eq!(tag(b"a"), tag(b"a"));
        assert_ne!(tag(b"a"), tag(b"b"));
    }
}
