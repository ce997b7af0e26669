//! The browser guard: tells requests of local programs from those of web pages.
//!
//! It is the first layer: it sees the raw values of a request's head, before anything is routed or read. What must
//! hold: a page that reaches us under a name of its own (DNS rebinding), or from another origin, gets the same refusal
//! as every other one; and the guard itself fails on no input.
//!
//! The rules: (1) listen on both loopback addresses, on nothing else; (2) exactly one `Host`, which is `localhost`,
//! `127.0.0.1` or `[::1]` with any port; (3) an `Origin` is our own or on the user's list; (4) `Sec-Fetch-Site` is
//! `none` or `same-origin`; (5) a body is `application/json`; (6) only the table's methods and paths, and GET changes
//! nothing; (7) answers cannot be framed, sniffed, cached or embedded; (8) every refusal is the same. Rules 1 and 5 to
//! 7 are kept by the modules around this one.

use std::sync::{Mutex, PoisonError, RwLock};

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri};

use crate::Blocked;
use lunette_client::model::origin::{is_loopback_host, is_valid_origin};

/// The response to every rejected request. It repeats nothing of the request and is always the same (rule 8).
pub(super) const REFUSAL: &str = "rejected by the browser guard: a request needs exactly one Host header with \
                                  localhost, 127.0.0.1 or [::1], and requests from web pages need an allowed origin \
                                  (--allow-origin ORIGIN, or Allow in the window)\n";

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The rules, and what they blocked.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    allowed: RwLock<Vec<String>>,
    blocked: Mutex<Blocked>,
}

/// The origin of an accepted request.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RequestOrigin {
    /// A program, or a page of our own.
    Program,
    /// An allowed page; its responses carry this origin.
    Page(HeaderValue),
}

/// The request was rejected.
#[derive(Debug, PartialEq)]
pub(super) struct Rejected;

impl Guard {
    /// Allows pages of this origin. Returns false for a text that is not an exact origin.
    pub(crate) fn allow(&self, origin: &str) -> bool {
        let one_page = is_valid_origin(origin);
        let mut allowed = self.allowed.write().unwrap_or_else(PoisonError::into_inner);
        if one_page && !allowed.iter().any(|known| known == origin) {
            allowed.push(origin.to_owned());
        }
        one_page
    }

    /// Disallows pages of this origin.
    pub(crate) fn disallow(&self, origin: &str) {
        self.allowed.write().unwrap_or_else(PoisonError::into_inner).retain(|known| known != origin);
    }

    /// The allowed origins, in the order they were added.
    pub(crate) fn allowed(&self) -> Vec<String> {
        self.allowed.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was blocked so far.
    pub(crate) fn blocked(&self) -> Blocked {
        self.blocked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether any origin is allowed; then responses vary by origin.
    pub(super) fn has_pages(&self) -> bool {
        !self.allowed.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Checks the head of a request.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<RequestOrigin, Rejected> {
        let verdict = self.classify(uri, headers);
        if verdict.is_err() {
            let mut blocked = self.blocked.lock().unwrap_or_else(PoisonError::into_inner);
            blocked.requests += 1;
            blocked.last_origin = headers.get(ORIGIN).and_then(|origin| printable(origin.as_bytes()));
            blocked.last_host = headers.get(HOST).and_then(|host| printable(host.as_bytes()));
        }
        verdict
    }

    fn classify(&self, uri: &Uri, headers: &HeaderMap) -> Result<RequestOrigin, Rejected> {
        let host = single(headers, &HOST)?.ok_or(Rejected)?.as_bytes();
        if !is_loopback_host(host) || !target_agrees(uri, host) {
            return Err(Rejected);
        }
        let page = match single(headers, &ORIGIN)? {
            Some(origin) if self.is_allowed(origin) => return Ok(RequestOrigin::Page(origin.clone())),
            Some(origin) => !is_own_origin(origin.as_bytes(), host),
            None => false,
        };
        let foreign =
            headers.get_all(SEC_FETCH_SITE).iter().any(|site| !matches!(site.as_bytes(), b"none" | b"same-origin"));
        if page || foreign { Err(Rejected) } else { Ok(RequestOrigin::Program) }
    }

    fn is_allowed(&self, origin: &HeaderValue) -> bool {
        let allowed = self.allowed.read().unwrap_or_else(PoisonError::into_inner);
        allowed.iter().any(|known| known.as_bytes() == origin.as_bytes())
    }
}

/// Whether a guard without allowed origins accepts a request with this target and these headers; false for an invalid
/// head.
pub fn admits(target: &str, headers: &[(&str, &[u8])]) -> bool {
    let Ok(uri) = target.parse::<Uri>() else { return false };
    let read = headers.iter().map(|(name, value)| {
        Some((HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_bytes(value).ok()?))
    });
    let Some(pairs) = read.collect::<Option<Vec<_>>>() else { return false };
    let mut all = HeaderMap::new();
    for (name, value) in pairs {
        all.append(name, value);
    }
    Guard::default().check(&uri, &all).is_ok()
}

/// The single value of a header; more than one is rejected.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a HeaderValue>, Rejected> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() { Err(Rejected) } else { Ok(first) }
}

/// A target with a host of its own (`GET http://…`) must name the same one.
fn target_agrees(uri: &Uri, host: &[u8]) -> bool {
    let scheme = uri.scheme_str().is_none_or(|scheme| scheme == "http");
    scheme && uri.authority().is_none_or(|authority| authority.as_str().as_bytes().eq_ignore_ascii_case(host))
}

fn is_own_origin(origin: &[u8], host: &[u8]) -> bool {
    origin.strip_prefix(b"http://").is_some_and(|rest| rest.eq_ignore_ascii_case(host))
}

/// A header's value for people to read: printable ASCII, not endless.
fn printable(value: &[u8]) -> Option<String> {
    let text: String =
        value.iter().take(200).map(|&byte| if byte.is_ascii_graphic() { char::from(byte) } else { '?' }).collect();
    (!text.is_empty()).then_some(text)
}
