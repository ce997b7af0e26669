//! The cache of responses: reads that are repeated are answered with the bytes of the last response, before the router and
//! without a query, until one of the records in it changes.
//!
//! What must hold: a response is never older than a write that was acknowledged before its request came. A cached one
//! belongs to the version of the store that was current before its queries began, and is used only while every record
//! whose id it contains is unchanged since. Memory is bounded.

use std::collections::HashMap;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::HeaderValue;
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;
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
    young: HashMap<String, Arc<CachedBody>>,
    young_bytes: usize,
    old: HashMap<String, Arc<CachedBody>>,
}

/// The body of a cached response.
pub(super) struct CachedBody {
    /// The last version of the store that it is known to be the content of.
    version: AtomicU64,
    made: Instant,
    /// The ids in the body. What else may appear in it is linked to one of these, and a link changes both its ends.
    records: Box<[Uuid]>,
    text: Bytes,
    /// Identifies this text: a strong validator (RFC 9110, 8.8.3).
    tag: HeaderValue,
}

impl ResponseCache {
    /// Returns the cached response to a request for this path and query, unless one of its records has changed or it is
    /// too old by now.
    pub(super) fn get(&self, target: &str, versions: &Versions, now: Instant) -> Option<Arc<CachedBody>> {
        let body = self.lock().get(target)?;
        body.is_current(versions, now).then_some(body)
    }

    /// Adds a response whose queries began at this version of the store, and returns it. `None` if it is too large.
    pub(super) fn insert(&self, target: &str, version: u64, text: &[u8]) -> Option<Arc<CachedBody>> {
        if text.len() > MAX_BODY_BYTES {
            return None;
        }
        let body = Arc::new(CachedBody {
            version: AtomicU64::new(version),
            made: Instant::now(),
            records: ids_in(text),
            text: Bytes::copy_from_slice(text),
            tag: tag(text),
        });
        self.lock().insert(target, Arc::clone(&body));
        Some(body)
    }

    fn lock(&self) -> MutexGuard<'_, Generations> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Generations {
    fn get(&mut self, target: &str) -> Option<Arc<CachedBody>> {
        if let Some(body) = self.young.get(target) {
            return Some(Arc::clone(body));
        }
        let body = self.old.remove(target)?;
        self.insert(target, Arc::clone(&body));
        Some(body)
    }

    fn insert(&mut self, target: &str, body: Arc<CachedBody>) {
        let size = body.size(target);
        if self.young_bytes + size > MAX_BYTES / 2 {
            self.old = mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += size;
        if let Some(replaced) = self.young.insert(target.to_owned(), body) {
            self.young_bytes -= replaced.size(target);
        }
    }
}

impl CachedBody {
    fn is_current(&self, versions: &Versions, now: Instant) -> bool {
        if now.saturating_duration_since(self.made) >= MAX_AGE {
            return false;
        }
        let unchanged = versions.unchanged_since(self.version.load(Ordering::Relaxed), &self.records);
        unchanged.inspect(|version| self.version.store(*version, Ordering::Relaxed)).is_some()
    }

    fn size(&self, target: &str) -> usize {
        target.len() + self.text.len() + mem::size_of_val(&*self.records) + ENTRY_BYTES
    }

    /// The text, shared with the cache.
    pub(super) fn text(&self) -> Bytes {
        self.text.clone()
    }

    /// The entity tag.
    pub(super) fn tag(&self) -> &HeaderValue {
        &self.tag
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
        let get = |target| cache.get(target, &versions, Instant::now());
        insert();
        assert!(get("/asset/1?transferables=false").is_none());
        versions.advance([other.to_string()].iter().map(String::as_str));
        assert!(get("/asset/1").is_some());
        for changed in [asset, tag] {
            versions.advance([changed.to_string()].iter().map(String::as_str));
            assert!(get("/asset/1").is_none());
            insert();
        }
        assert!(cache.get("/asset/1", &versions, Instant::now() + MAX_AGE).is_none(), "it is too old");
        versions.advance_all();
        assert!(get("/asset/1").is_none());
    }

    #[test]
    fn a_response_that_was_read_before_a_change_is_not_used_after_it() {
        let (cache, versions) = (ResponseCache::default(), Versions::default());
        let asset = Uuid::from_u128(1);
        let before = versions.current();
        versions.advance([asset.to_string()].iter().map(String::as_str));
        cache.insert("/asset/1", before, format!(r#"{{"id":"{asset}"}}"#).as_bytes());
        assert!(cache.get("/asset/1", &versions, Instant::now()).is_none());
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
            assert!(cache.get("/asset/0", &versions, Instant::now()).is_some(), "what is used often stays: {number}");
        }
        assert!(cache.get("/asset/1", &versions, Instant::now()).is_none());
        assert!(cache.get("/asset/299", &versions, Instant::now()).is_some());
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
