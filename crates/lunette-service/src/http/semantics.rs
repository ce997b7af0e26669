//! What HTTP lets a client do beyond a plain request, where the libraries below leave it to us: equivalent spellings of a
//! path, `OPTIONS`, transfer codings, ranges and conditions (RFC 9110 and RFC 9112).
//!
//! What must hold: each is answered as the specification says, or refused with a sentence that names it; nothing that a
//! client asks for in this way is ignored where ignoring it changes the meaning of the request.

use axum::body::Body;
use axum::http::header::{
    ACCEPT_RANGES, ALLOW, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH, RANGE, TRANSFER_ENCODING,
};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri};

use super::response;
use super::response_body::Outgoing;

/// The methods of the whole service, for `OPTIONS *` (RFC 9110, 9.3.7).
const METHODS: HeaderValue = HeaderValue::from_static("GET,HEAD,POST,OPTIONS");

/// What the answer needs to know of its request.
pub(super) struct Asked {
    options: bool,
    range: bool,
}

impl Asked {
    pub(super) fn of<B>(request: &Request<B>) -> Self {
        Self { options: request.method() == Method::OPTIONS, range: request.headers().contains_key(RANGE) }
    }

    /// Answers `OPTIONS` for paths that have other methods, lists it among the methods of a path, and tells a client that
    /// asked for a range that there are none (RFC 9110, 9.3.7, 10.2.1 and 14.3).
    pub(super) fn complete(self, mut response: Response<Outgoing>) -> Response<Outgoing> {
        if response.status() == StatusCode::METHOD_NOT_ALLOWED {
            if self.options {
                *response.status_mut() = StatusCode::NO_CONTENT;
                *response.body_mut() = Body::empty().into();
                response.headers_mut().remove(CONTENT_TYPE);
                response.headers_mut().remove(CONTENT_LENGTH);
            }
            let known = response.headers().get(ALLOW).and_then(|known| known.to_str().ok()).unwrap_or_default();
            if let Ok(all) = HeaderValue::from_str(&format!("{known},OPTIONS")) {
                response.headers_mut().insert(ALLOW, all);
            }
        }
        if self.range {
            response.headers_mut().insert(ACCEPT_RANGES, HeaderValue::from_static("none"));
        }
        response
    }
}

/// The answer to a request that no route can answer; `None` for all others.
pub(super) fn answer<B>(request: &Request<B>) -> Option<Response<Body>> {
    if has_unknown_coding(request.headers()) {
        let sentence = "the only transfer coding that is understood is `chunked`: send the body without compression\n";
        let mut response = response::text(StatusCode::NOT_IMPLEMENTED, sentence);
        // It is unknown where the sender ends the body (RFC 9112, 6.1).
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        return Some(response);
    }
    if request.method() == Method::OPTIONS && request.uri().path() == "*" {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        response.headers_mut().insert(ALLOW, METHODS);
        return Some(response);
    }
    None
}

/// Whether a body has a transfer coding beside `chunked`.
fn has_unknown_coding(headers: &HeaderMap) -> bool {
    let mut codings = members(headers, &TRANSFER_ENCODING);
    codings.any(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case(b"chunked"))
}

/// The members of a header that is a list of tokens (RFC 9110, 5.6.1).
pub(super) fn members<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a [u8]> {
    let values = headers.get_all(name).into_iter();
    values.flat_map(|value| value.as_bytes().split(|&byte| byte == b',')).map(<[u8]>::trim_ascii)
}

/// Writes the path of a request in its plain form: an unreserved character is the same with and without
/// percent-encoding (RFC 9110, 4.2.3; RFC 3986, 2.3). Everything else stays as it is.
pub(super) fn plain_path(uri: &mut Uri) {
    let Some(path) = decoded_unreserved(uri.path()) else { return };
    let target = match uri.query() {
        Some(query) => format!("{path}?{query}"),
        None => path,
    };
    let mut parts = std::mem::take(uri).into_parts();
    parts.path_and_query = PathAndQuery::try_from(target).ok();
    // Only characters that a path may hold were replaced.
    *uri = Uri::from_parts(parts).unwrap_or_default();
}

/// The path without percent-encoding of unreserved characters; `None` if it has none.
fn decoded_unreserved(path: &str) -> Option<String> {
    let mut plain: Option<String> = None;
    let (mut rest, mut kept) = (path, 0);
    while let Some(offset) = memchr::memchr(b'%', rest.as_bytes()) {
        let letter = rest.get(offset + 1..offset + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let after = offset + if letter.is_some() { 3 } else { 1 };
        if let Some(letter) = letter.filter(|letter| letter.is_ascii_alphanumeric() || b"-._~".contains(letter)) {
            let start = path.len() - rest.len();
            let text = plain.get_or_insert_default();
            text.push_str(&path[kept..start + offset]);
            text.push(char::from(letter));
            kept = start + after;
        }
        rest = &rest[after..];
    }
    plain.map(|text| text + &path[kept..])
}

/// How the conditions of a request came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conditions {
    /// There are none, or they hold.
    Met,
    /// The client has this response: 304.
    NotModified,
    /// The client asked to do nothing then: 412.
    Failed,
}

/// Evaluates the conditions of a request against the entity tag of its response (RFC 9110, 13.2.2); `None` for a response
/// that has none. Those by date are ignored, as the specification wants it where nothing has a date (13.1.3 and 13.1.4).
pub(super) fn conditions(headers: &HeaderMap, tag: Option<&HeaderValue>) -> Conditions {
    let tag = tag.map(HeaderValue::as_bytes);
    let named = |name: &HeaderName, weak: Weak| {
        let mut values = headers.get_all(name).iter();
        values.any(|value| names_tag(value.as_bytes(), tag, weak))
    };
    if headers.contains_key(IF_MATCH) && !named(&IF_MATCH, Weak::Never) {
        return Conditions::Failed;
    }
    if tag.is_some() && named(&IF_NONE_MATCH, Weak::Equal) {
        return Conditions::NotModified;
    }
    Conditions::Met
}

/// Whether a weak entity tag equals a strong one of the same text (RFC 9110, 8.8.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weak {
    Equal,
    Never,
}

/// Whether a list of entity tags has this one, or is `*`.
fn names_tag(list: &[u8], tag: Option<&[u8]>, weak: Weak) -> bool {
    let mut rest = list.trim_ascii();
    if rest == b"*" {
        return true;
    }
    while let Some(start) = rest.iter().position(|byte| *byte == b'"') {
        let is_weak = rest[..start].ends_with(b"W/");
        let Some(length) = rest[start + 1..].iter().position(|byte| *byte == b'"') else { return false };
        let end = start + length + 2;
        if (weak == Weak::Equal || !is_weak) && tag == Some(&rest[start..end]) {
            return true;
        }
        rest = &rest[end..];
    }
    false
}

/// 412: the client named another state of the record, or a state where there is none to compare.
pub(super) fn precondition_failed() -> Response<Body> {
    response::text(
        StatusCode::PRECONDITION_FAILED,
        "`If-Match` does not name the current state: only `GET` of one record has an `ETag`; nothing was changed\n",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_alike_with_and_without_percent_encoding() {
        for (given, plain) in [
            ("/%74ags", "/tags"),
            ("/tag%73?a=%62", "/tags?a=%62"),
            ("/%2ewell%2Dknown/version", "/.well-known/version"),
            ("/%74%61%67/%7E", "/tag/~"),
            ("http://localhost:1/%74ags", "http://localhost:1/tags"),
        ] {
            let mut uri: Uri = given.parse().expect("a target");
            plain_path(&mut uri);
            assert_eq!(uri.to_string(), plain, "{given}");
        }
        for same in
            ["/tag/a%2Fb", "/tag/%C3%BC", "/tag/%", "/tag/%zz", "/tag/%3F%23%25", "/a?b=%74", "*", "/%7", "/%%74x"]
        {
            let mut uri: Uri = same.parse().expect("a target");
            plain_path(&mut uri);
            let expected = same.replace("%%74", "%t");
            assert_eq!(uri.to_string(), expected, "{same}");
        }
    }

    #[test]
    fn entity_tags_are_compared_as_their_header_wants_it() {
        let tag = HeaderValue::from_static("\"a,b\"");
        let asked = |name: HeaderName, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_static(value));
            conditions(&headers, Some(&tag))
        };
        for (value, known) in [
            ("\"a,b\"", true),
            ("W/\"a,b\"", true),
            ("\"x\", W/\"y\",,\"a,b\"", true),
            ("*", true),
            ("\"a\"", false),
            ("a,b", false),
            ("\"a,b", false),
            ("", false),
        ] {
            let expected = if known { Conditions::NotModified } else { Conditions::Met };
            assert_eq!(asked(IF_NONE_MATCH, value), expected, "{value}");
            let met = known && value != "W/\"a,b\"";
            assert_eq!(asked(IF_MATCH, value), if met { Conditions::Met } else { Conditions::Failed }, "{value}");
        }
    }
}
