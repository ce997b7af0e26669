//! The cache of responses: reads that are repeated are answered with the bytes of the last response, without a query,
//! until one of the records in it changes.
//!
//! What must hold: a response is never older than a write that was acknowledged before its request came. A cached one
//! belongs to the version of the store that was current before its queries began, and is used only while every record
//! whose id it contains is unchanged since. Memory is bounded.

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::header::ETAG;
use axum::http::{HeaderValue, Response, StatusCode};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::store::Versions;

/// The largest body that is cached. Of a streamed operation, only a response that ended before its first chunk is.
const MAX_BODY_BYTES: usize = 256 * 1024;
/// How much is cached in all, keys included.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Our choice: after two minutes a response is made anew, so that its content is checked against its checksum again.
const MAX_AGE: Duration = Duration::from_secs(120);
/// What an entry takes beside its key, its body and the ids in it.
const ENTRY_BYTES: usize = 160;
/// The length of a UUID as text.
const UUID_LENGTH: usize = 36;

/// The cached responses, by path and query.
#[derive(Default)]
pub(super) struct ResponseCache(Mutex<Generations>);

/// Entries used since the last exchange of generations, and those before. When the young ones fill half of the memory,
/// the old ones that were not used meanwhile are dropped.
#[derive(Default)]
struct Generations {
    young: HashMap<String, Entry>,
    young_bytes: usize,
    old: HashMap<String, Entry>,
}

#[derive(Clone)]
struct Entry {
    version: u64,
    made: Instant,
    /// The ids in the body. What else may appear in it is linked to one of these, and a link changes both its ends.
    records: Box<[Uuid]>,
    body: CachedBody,
}

/// The body of a cached response.
#[derive(Clone)]
pub(super) struct CachedBody {
    text: Bytes,
    /// Identifies this text: a strong validator (RFC 9110, 8.8.3).
    tag: HeaderValue,
}

impl ResponseCache {
    /// Returns the cached response to a request for this path and query, unless one of its records has changed.
    pub(super) fn get(&self, target: &str, versions: &Versions) -> Option<CachedBody> {
        let entry = self.lock().get(target)?;
        let current = entry.made.elapsed() < MAX_AGE && versions.unchanged_since(entry.version, &entry.records);
        current.then_some(entry.body)
    }

    /// Adds a response whose queries began at this version of the store, and returns it. `None` if it is too large.
    pub(super) fn insert(&self, target: &str, version: u64, text: &[u8]) -> Option<CachedBody> {
        if text.len() > MAX_BODY_BYTES {
            return None;
        }
        let body = CachedBody { tag: tag(text), text: Bytes::copy_from_slice(text) };
        let entry = Entry { version, made: Instant::now(), records: ids_in(text), body: body.clone() };
        self.lock().insert(target, entry);
        Some(body)
    }

    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn get(&mut self, target: &str) -> Option<Entry> {
        if let Some(entry) = self.young.get(target) {
            return Some(entry.clone());
        }
        let entry = self.old.remove(target)?;
        self.insert(target, entry.clone());
        Some(entry)
    }

    fn insert(&mut self, target: &str, entry: Entry) {
        let size = entry.size(target);
        if self.young_bytes + size > MAX_BYTES / 2 {
            self.old = mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += size;
        if let Some(replaced) = self.young.insert(target.to_owned(), entry) {
            self.young_bytes -= replaced.size(target);
        }
    }
}

impl Entry {
    fn size(&self, target: &str) -> usize {
        target.len() + self.body.text.len() + mem::size_of_val(&*self.records) + ENTRY_BYTES
    }
}

impl CachedBody {
    /// The text, shared with the cache.
    pub(super) fn text(&self) -> Bytes {
        self.text.clone()
    }

    /// The entity tag.
    pub(super) fn tag(&self) -> &HeaderValue {
        &self.tag
    }

    /// The response 304, without a body.
    pub(super) fn not_modified(self) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        self.tagged(response)
    }

    /// A response with the entity tag of this body.
    pub(super) fn tagged(self, mut response: Response<Body>) -> Response<Body> {
        response.headers_mut().insert(ETAG, self.tag);
        response
    }
}

/// Returns the entity tag of a body.
fn tag(text: &[u8]) -> HeaderValue {
    let sum = Sha256::digest(text);
    let hex: String = sum.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    // Always printable ASCII.
    HeaderValue::from_str(&format!("\"{hex}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// Returns the UUIDs that are strings or keys in a JSON text.
fn ids_in(text: &[u8]) -> Box<[Uuid]> {
    let mut ids: Vec<Uuid> = memchr::memchr_iter(b'"', text)
        .filter(|quote| text.get(quote + UUID_LENGTH + 1) == Some(&b'"'))
        .filter_map(|quote| Uuid::try_parse_ascii(&text[quote + 1..=quote + UUID_LENGTH]).ok())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_is_used_until_one_of_its_records_changes() {
        let (cache, versions) = (ResponseCache::default(), Versions::default());
        let (asset, tag, other) = (Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3));
        let body = format!(r#"{{"id":"{asset}","tags":{{"indices":{{"{tag}":0}}}}}}"#);
        let insert = || assert!(cache.insert("/asset/1", versions.current(), body.as_bytes()).is_some());
        insert();
        assert!(cache.get("/asset/1?transferables=false", &versions).is_none());
        versions.advance([other.to_string()].iter().map(String::as_str));
        assert!(cache.get("/asset/1", &versions).is_some());
        for changed in [asset, tag] {
            versions.advance([changed.to_string()].iter().map(String::as_str));
            assert!(cache.get("/asset/1", &versions).is_none());
            insert();
        }
        versions.advance_all();
        assert!(cache.get("/asset/1", &versions).is_none());
    }

    #[test]
    fn a_response_that_was_read_before_a_change_is_not_used_after_it() {
        let (cache, versions) = (ResponseCache::default(), Versions::default());
        let asset = Uuid::from_u128(1);
        let before = versions.current();
        versions.advance([asset.to_string()].iter().map(String::as_str));
        cache.insert("/asset/1", before, format!(r#"{{"id":"{asset}"}}"#).as_bytes());
        assert!(cache.get("/asset/1", &versions).is_none());
    }

    #[test]
    fn memory_is_bounded_and_large_responses_are_not_cached() {
        let (cache, versions) = (ResponseCache::default(), Versions::default());
        assert!(cache.insert("/large", 0, &vec![b'x'; MAX_BODY_BYTES + 1]).is_none());
        let used = |cache: &ResponseCache| {
            let generations = cache.lock();
            let entries = generations.young.iter().chain(&generations.old);
            entries.map(|(target, entry)| entry.size(target)).sum::<usize>()
        };
        for number in 0..300 {
            cache.insert(&format!("/asset/{number}"), 0, &vec![b'x'; MAX_BODY_BYTES]);
            assert!(used(&cache) <= MAX_BYTES);
            assert!(cache.get("/asset/0", &versions).is_some(), "what is used often stays: {number}");
        }
        assert!(cache.get("/asset/1", &versions).is_none());
        assert!(cache.get("/asset/299", &versions).is_some());
    }

    #[test]
    fn the_same_text_has_the_same_tag_and_another_text_another() {
        assert_eq!(tag(b"a"), tag(b"a"));
        assert_ne!(tag(b"a"), tag(b"b"));
    }

    #[test]
    fn ids_are_found_as_values_and_as_keys_and_nothing_else_is() {
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let text = format!(r#"{{"a":["{two}","{one}"],"{one}":1,"b":"not an id, but of the same length.."}}"#);
        assert_eq!(*ids_in(text.as_bytes()), [one, two]);
        assert!(ids_in(format!("\"{one}").as_bytes()).is_empty());
    }
}
