//! What RFC 9110 and RFC 9112 let a client do, over real connections: each is answered, or refused with a sentence that
//! names it.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};

use crate::support::TestService;
use crate::support::assets::text_asset;
use crate::support::raw::{Answer, read_answer};

const JSON: &str = "Content-Type: application/json\r\n";
const TAG: &str = r#"{"value":"x"}"#;
const EXISTS: &str = "POST /tags/exists HTTP/1.1";
const VERSION: &str = "GET /.well-known/version HTTP/1.1";

/// One request, and what must come back.
struct Case {
    name: &'static str,
    line: String,
    headers: String,
    body: Vec<u8>,
    status: u16,
    /// A part of the body.
    says: &'static str,
    /// Headers of the response, by their names in lower case.
    has: &'static [(&'static str, &'static str)],
}

fn case(
    name: &'static str,
    line: &str,
    headers: &str,
    body: impl Into<Vec<u8>>,
    status: u16,
    says: &'static str,
) -> Case {
    let (line, headers) = (line.to_owned(), headers.to_owned());
    Case { name, line, headers, body: body.into(), status, says, has: &[] }
}

impl Case {
    fn with(self, has: &'static [(&'static str, &'static str)]) -> Self {
        Self { has, ..self }
    }

    /// The bytes of the request; PORT stands for the service's port. A body has its length unless a header says how long
    /// it is.
    fn bytes(&self, port: u16) -> Vec<u8> {
        let host = if self.headers.contains("Host:") { "" } else { "Host: 127.0.0.1:PORT\r\n" };
        let mut head = format!("{}\r\n{host}{}", self.line, self.headers);
        if !self.body.is_empty() && !head.contains("Transfer-Encoding") && !head.contains("Content-Length") {
            head.push_str(&format!("Content-Length: {}\r\n", self.body.len()));
        }
        let head = format!("{head}Connection: close\r\n\r\n").replace("PORT", &port.to_string());
        [head.into_bytes(), self.body.clone()].concat()
    }
}

async fn assert_answered(cases: Vec<Case>) {
    let service = TestService::start().await;
    text_asset(&service.client, "here.py", "print('here')\n").await;
    let mut wrong = Vec::new();
    for case in cases {
        let answer = service.raw(case.bytes(service.port())).await;
        let missing = case.has.iter().find(|(name, value)| answer.header(name) != Some(*value));
        if answer.status != case.status || !answer.text().contains(case.says) || missing.is_some() {
            wrong.push(format!(
                "{}: {} {:?} {:?} {:?}",
                case.name,
                answer.status,
                missing,
                answer.headers,
                answer.text()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn wide<const N: usize, T>(text: &str, bytes: impl Fn(u32) -> [u8; N], units: impl Fn(&str) -> T) -> Vec<u8>
where
    T: IntoIterator<Item = u32>,
{
    units(text).into_iter().flat_map(bytes).collect()
}

fn utf16(text: &str) -> Vec<u32> {
    text.encode_utf16().map(u32::from).collect()
}

#[tokio::test]
async fn bodies_are_read_whatever_their_encoding_says_or_refused_by_it() {
    let little = |unit: u32| [unit.to_le_bytes()[0], unit.to_le_bytes()[1]];
    let big = |unit: u32| [unit.to_be_bytes()[2], unit.to_be_bytes()[3]];
    let marked = format!("\u{feff}{TAG}");
    let letters = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
    let gzip = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\xae\x05\x00\x43\xbf\xa6\xa3\x02\x00\x00\x00".as_slice();
    let refusal: &[_] = &[("accept-encoding", "identity"), ("accept", "application/json")];
    let close = "Content-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n";
    let one_chunk = "d\r\n{\"value\":\"x\"}\r\n0\r\n\r\n";
    assert_answered(vec![
        case("a byte order mark", EXISTS, JSON, marked.as_str(), 200, "{}"),
        case("a byte order mark alone", EXISTS, JSON, "\u{feff}", 400, "the body is missing"),
        case("UTF-16 LE", EXISTS, JSON, wide(TAG, little, utf16), 400, "UTF-16"),
        case("UTF-16 LE with a mark", EXISTS, JSON, wide(&marked, little, utf16), 400, "UTF-16"),
        case("UTF-16 BE", EXISTS, JSON, wide(TAG, big, utf16), 400, "UTF-16"),
        case("UTF-16 BE with a mark", EXISTS, JSON, wide(&marked, big, utf16), 400, "UTF-16"),
        case("UTF-32", EXISTS, JSON, wide(TAG, u32::to_le_bytes, letters), 400, "UTF-32"),
        case("Latin-1", EXISTS, JSON, b"{\"value\":\"\xe9\"}".as_slice(), 400, "not UTF-8 (the byte 0xe9 at offset 10"),
        case(
            "a session in UTF-16",
            "POST /applications/session/close HTTP/1.1",
            JSON,
            wide("\"a\"", little, utf16),
            400,
            "UTF-16",
        ),
        case("a charset", EXISTS, "Content-Type: application/json; charset=utf-8\r\n", TAG, 200, "{}"),
        case("a quoted charset", EXISTS, "Content-Type: Application/JSON;charset=\"UTF-8\"\r\n", TAG, 200, "{}"),
        case("a foreign charset", EXISTS, "Content-Type: application/json; charset=iso-8859-1\r\n", TAG, 200, "{}"),
        case("a type that is sent twice", EXISTS, &JSON.repeat(2), TAG, 200, "{}"),
        case("two types", EXISTS, &format!("{JSON}Content-Type: text/plain\r\n"), TAG, 415, "must be JSON")
            .with(refusal),
        case("gzip", EXISTS, &format!("{JSON}Content-Encoding: gzip\r\n"), gzip, 415, "compressed").with(refusal),
        case(
            "gzip within identity",
            EXISTS,
            &format!("{JSON}Content-Encoding: identity, br\r\n"),
            gzip,
            415,
            "compressed",
        ),
        case("identity", EXISTS, &format!("{JSON}Content-Encoding: identity\r\n"), TAG, 200, "{}"),
        case("no coding", EXISTS, &format!("{JSON}Content-Encoding: \r\n"), TAG, 200, "{}"),
        case("a compressed transfer", EXISTS, close, "0\r\n\r\n", 501, "transfer coding")
            .with(&[("connection", "close")]),
        case("chunks", EXISTS, &format!("{JSON}Transfer-Encoding: Chunked\r\n"), one_chunk, 200, "{}"),
        case(
            "an extension of a chunk and trailers",
            EXISTS,
            &format!("{JSON}Trailer: X-A\r\nTransfer-Encoding: chunked\r\n"),
            "d;a=\"b\"\r\n{\"value\":\"x\"}\r\n0\r\nX-A: b\r\nContent-Type: text/plain\r\n\r\n",
            200,
            "{}",
        ),
        case(
            "a chunk of no size",
            EXISTS,
            &format!("{JSON}Transfer-Encoding: chunked\r\n"),
            "ffffffffffffffffff\r\n",
            400,
            "incomplete",
        ),
        case("a body on a GET", "GET /tags HTTP/1.1", JSON, "{}", 200, "iterable"),
        case("equal lengths", EXISTS, &format!("{JSON}Content-Length: 13\r\nContent-Length: 13\r\n"), TAG, 200, "{}"),
    ])
    .await;
}

#[tokio::test]
async fn targets_of_one_meaning_get_one_answer() {
    assert_answered(vec![
        case("an absolute target", "GET http://127.0.0.1:PORT/.well-known/version HTTP/1.1", "", "", 200, "lunette"),
        case(
            "an absolute target in capitals",
            "GET HTTP://127.0.0.1:PORT/.well-known/version HTTP/1.1",
            "",
            "",
            200,
            "lunette",
        ),
        case(
            "an absolute target with a query",
            "GET http://127.0.0.1:PORT/assets?limit=0 HTTP/1.1",
            "",
            "",
            200,
            "iterable",
        ),
        case("an absolute target without a path", "GET http://127.0.0.1:PORT HTTP/1.1", "", "", 404, "unknown path"),
        case("an absolute target of another host", "GET http://example.org/tags HTTP/1.1", "", "", 403, "guard"),
        case("encoded letters", "GET /%74ag%73 HTTP/1.1", "", "", 200, "iterable"),
        case("an encoded dot", "GET /%2Ewell%2dknown/version HTTP/1.1", "", "", 200, "lunette"),
        case("an encoded slash", "GET /tag/a%2fb HTTP/1.1", "", "", 410, "\"a/b\""),
        case("an encoded name of the query", "GET /assets?%6cimit=0 HTTP/1.1", "", "", 200, "iterable"),
        case("a stream by encoded letters", "GET /tags/stream/%69dentifiers HTTP/1.1", "", "", 426, "WebSocket"),
        case("an empty query", "GET /tags? HTTP/1.1", "", "", 200, "iterable"),
        case("empty parts of a query", "GET /assets?&&limit=0&=&x HTTP/1.1", "", "", 200, "iterable"),
        case("an empty value", "GET /assets?limit= HTTP/1.1", "", "", 400, "`limit` must be a whole number"),
        case("a name without a value", "GET /assets?transferables HTTP/1.1", "", "", 400, "`transferables` must be"),
        case("an unknown name", "GET /tags?x=1 HTTP/1.1", "", "", 200, "iterable"),
        case("a plus for a blank", "GET /assets/search?query=a+b HTTP/1.1", "", "", 200, "iterable"),
        case(
            "a query in Latin-1",
            "GET /assets/search?query=%E9 HTTP/1.1",
            "",
            "",
            400,
            "`query` must be percent-encoded UTF-8",
        ),
        case("a query in UTF-8", "GET /assets/search?query=%C3%a9 HTTP/1.1", "", "", 200, "iterable"),
        case("a fragment", "GET /tags#x HTTP/1.1", "", "", 200, "iterable"),
        case("empty lines before a request", "\r\n\r\nGET /tags HTTP/1.1", "", "", 200, "iterable"),
    ])
    .await;
}

#[tokio::test]
async fn methods_expectations_and_accepted_types_are_answered() {
    let upgrade = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    assert_answered(vec![
        case("OPTIONS of all", "OPTIONS * HTTP/1.1", "", "", 204, "").with(&[("allow", "GET,HEAD,POST,OPTIONS")]),
        case("OPTIONS of a GET", "OPTIONS /tags HTTP/1.1", "", "", 204, "").with(&[("allow", "GET,HEAD,OPTIONS")]),
        case("OPTIONS of a POST", "OPTIONS /tags/create HTTP/1.1", "", "", 204, "").with(&[("allow", "POST,OPTIONS")]),
        case("OPTIONS of both", "OPTIONS /assets/search HTTP/1.1", "", "", 204, "")
            .with(&[("allow", "GET,HEAD,POST,OPTIONS")]),
        case("OPTIONS of a stream", "OPTIONS /user/stream HTTP/1.1", "", "", 204, "")
            .with(&[("allow", "GET,HEAD,OPTIONS")]),
        case("OPTIONS with a body", "OPTIONS /tags HTTP/1.1", JSON, "{}", 204, ""),
        case("OPTIONS of nothing", "OPTIONS /no HTTP/1.1", "", "", 404, "unknown path"),
        case("GET of all", "GET * HTTP/1.1", "", "", 404, "unknown path"),
        case("another method", "DELETE /tags HTTP/1.1", "", "", 405, "`Allow`").with(&[("allow", "GET,HEAD,OPTIONS")]),
        case("an unknown method", "PURGE /tags/create HTTP/1.1", "", "", 405, "`Allow`")
            .with(&[("allow", "POST,OPTIONS")]),
        case("a method in small letters", "get /tags HTTP/1.1", "", "", 405, "`Allow`"),
        case("a method in a header", "POST /tags HTTP/1.1", "X-HTTP-Method-Override: GET\r\n", "", 405, "`Allow`"),
        case("a range", VERSION, "Range: bytes=0-3\r\n", "", 200, "lunette").with(&[("accept-ranges", "none")]),
        case("a range of a range", VERSION, "Range: bytes=0-3\r\nIf-Range: \"x\"\r\n", "", 200, "lunette"),
        case("no type", "GET /tags HTTP/1.1", "Accept: */*;q=0\r\n", "", 200, "iterable"),
        case("another type", "GET /tags HTTP/1.1", "Accept: application/xml, text/html;q=0.1\r\n", "", 200, "iterable"),
        case("no coding", "GET /tags HTTP/1.1", "Accept-Encoding: identity;q=0, gzip\r\n", "", 200, "iterable"),
        case("a charset", "GET /tags HTTP/1.1", "Accept-Charset: iso-8859-1\r\n", "", 200, "iterable"),
        case("trailers", "GET /tags HTTP/1.1", "TE: trailers\r\n", "", 200, "iterable"),
        case("an expectation that is unknown", EXISTS, &format!("{JSON}Expect: something\r\n"), TAG, 200, "{}"),
        case("a WebSocket that is not an upgrade", "GET /tags HTTP/1.1", upgrade, "", 200, "iterable"),
        case("a WebSocket by POST", EXISTS, &format!("{upgrade}{JSON}Connection: Upgrade\r\n"), TAG, 200, "{}"),
        case("a Host in capitals", "GET /tags HTTP/1.1", "Host: LOCALHOST\r\n", "", 200, "iterable"),
        case("two Hosts", "GET /tags HTTP/1.1", "Host: localhost\r\nHost: localhost\r\n", "", 403, "exactly one Host"),
    ])
    .await;
}

#[tokio::test]
async fn conditions_are_evaluated_against_the_state_of_one_record() {
    let service = TestService::start().await;
    let id = text_asset(&service.client, "here.py", "print('here')\n").await.to_string();
    let ask = async |method: &str, headers: &str| {
        let head = format!("{method} /asset/{id} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n");
        service.raw(head).await
    };
    let tag = ask("GET", "").await.header("etag").expect("a tag").to_owned();
    for (headers, status) in [
        (format!("If-None-Match: {tag}\r\n"), 304),
        (format!("If-None-Match: W/{tag}\r\n"), 304),
        (format!("If-None-Match: \"x\", W/\"y\",{tag}\r\n"), 304),
        (format!("If-None-Match: \"x\"\r\nIf-None-Match: {tag}\r\n"), 304),
        ("If-None-Match: *\r\n".to_owned(), 304),
        ("If-None-Match: \"x\"\r\n".to_owned(), 200),
        (format!("If-Match: {tag}\r\n"), 200),
        (format!("If-Match: \"x\", {tag}\r\n"), 200),
        ("If-Match: *\r\n".to_owned(), 200),
        (format!("If-Match: W/{tag}\r\n"), 412),
        ("If-Match: \"x\"\r\n".to_owned(), 412),
        (format!("If-Match: \"x\"\r\nIf-None-Match: {tag}\r\n"), 412),
        // Nothing has a date, so that conditions by one are ignored.
        ("If-Modified-Since: Sat, 29 Oct 2094 19:43:31 GMT\r\n".to_owned(), 200),
        ("If-Unmodified-Since: Sat, 29 Oct 1994 19:43:31 GMT\r\n".to_owned(), 200),
    ] {
        for method in ["GET", "HEAD"] {
            let answer = ask(method, &headers).await;
            assert_eq!(answer.status, status, "{method} {headers}");
            assert_eq!(answer.header("etag").is_some(), status != 412, "{method} {headers}");
            assert!(status == 200 || status == 412 || answer.body.is_empty(), "{method} {headers}");
        }
    }
}

#[tokio::test]
async fn a_write_with_a_condition_that_cannot_be_met_changes_nothing() {
    let service = TestService::start().await;
    let send = async |condition: &str| {
        let body = r#"{"text":"a tag"}"#;
        let head = format!("POST /tags/create HTTP/1.1\r\nHost: localhost\r\n{JSON}Connection: close\r\n{condition}");
        service.raw(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len())).await
    };
    let refused = send("If-Match: \"a state\"\r\n").await;
    assert!(refused.status == 412 && refused.text().contains("nothing was changed"), "{refused:?}");
    assert_eq!(service.send("GET", "/tags", None).await.json()["iterable"], serde_json::json!([]));
    for met in ["If-Match: *\r\n", "If-None-Match: *\r\n"] {
        assert_eq!(send(met).await.status, 200, "{met}");
    }
}

/// What comes back for each request of one connection, and whether the service then closes it.
async fn on_one_connection(port: u16, requests: &[&str]) -> (Vec<Answer>, bool) {
    let requests: Vec<String> = requests.iter().map(|text| text.replace("PORT", &port.to_string())).collect();
    let talked = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
        stream.set_read_timeout(Some(std::time::Duration::from_secs(60))).expect("a time-out");
        let mut answers = Vec::new();
        for request in &requests {
            if stream.write_all(request.as_bytes()).is_err() {
                break;
            }
            answers.push(read_answer(&mut stream, request.starts_with("HEAD")));
        }
        // Whether it is still open is seen by one more request.
        stream.write_all(b"GET /no HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").ok();
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).ok();
        (answers, rest.is_empty())
    });
    talked.await.expect("it ends")
}

#[tokio::test]
async fn a_connection_stays_open_as_long_as_its_client_says() {
    let service = TestService::start().await;
    let host = "Host: localhost:PORT\r\n";
    let json = format!("{host}{JSON}");
    for (requests, statuses, closed) in [
        (vec![format!("GET /tags HTTP/1.1\r\n{host}\r\n"); 3], vec![200; 3], false),
        (vec![format!("GET /tags HTTP/1.1\r\n{host}Connection: keep-alive\r\n\r\n")], vec![200], false),
        (vec![format!("GET /tags HTTP/1.1\r\n{host}Connection: x, CLOSE\r\n\r\n")], vec![200], true),
        (vec![format!("GET /tags HTTP/1.0\r\n{host}\r\n")], vec![200], true),
        (vec![format!("GET /tags HTTP/1.0\r\n{host}Connection: Keep-Alive\r\n\r\n"); 2], vec![200; 2], false),
        (vec![format!("GET /assets HTTP/1.0\r\n{host}Connection: keep-alive\r\n\r\n"); 2], vec![200; 2], false),
        // A refused request leaves the connection to the next one, its body read or not.
        (
            vec![
                format!(
                    "POST /tags/create HTTP/1.1\r\n{host}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}"
                ),
                format!("DELETE /tags HTTP/1.1\r\n{host}\r\n"),
                format!("POST /tags/exists HTTP/1.1\r\n{json}Content-Length: 1\r\n\r\n{{"),
                format!("POST /no HTTP/1.1\r\n{json}Content-Length: 2\r\n\r\n{{}}"),
                format!("HEAD /tags HTTP/1.1\r\n{host}\r\n"),
                format!("OPTIONS * HTTP/1.1\r\n{host}\r\n"),
                format!("GET /tags HTTP/1.1\r\n{host}\r\n"),
            ],
            vec![415, 405, 400, 404, 200, 204, 200],
            false,
        ),
        // Where the body ends is unknown.
        (
            vec![format!("POST /tags/exists HTTP/1.1\r\n{json}Transfer-Encoding: br, chunked\r\n\r\n0\r\n\r\n")],
            vec![501],
            true,
        ),
    ] {
        let texts: Vec<&str> = requests.iter().map(String::as_str).collect();
        let (answers, ended) = on_one_connection(service.port(), &texts).await;
        let found: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        assert_eq!((found, ended), (statuses, closed), "{texts:?}");
    }
}

#[tokio::test]
async fn a_client_that_expects_100_continue_is_told_before_it_sends() {
    let service = TestService::start().await;
    let head = |version: &str, kind: &str| {
        format!(
            "POST /tags/exists HTTP/{version}\r\nHost: localhost\r\nContent-Type: {kind}\r\nExpect: 100-Continue\r\n\
             Content-Length: 13\r\nConnection: close\r\n\r\n"
        )
    };
    let port = service.port();
    for (head, body, first) in [
        (head("1.1", "application/json"), "", "HTTP/1.1 100 Continue\r\n\r\n"),
        (head("1.1", "text/plain"), "", "HTTP/1.1 415 "),
        // HTTP/1.0 has no interim responses (RFC 9110, 10.1.1).
        (head("1.0", "application/json"), TAG, "HTTP/1.0 200 "),
    ] {
        let begun = tokio::task::spawn_blocking(move || {
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
            stream.write_all(format!("{head}{body}").as_bytes()).expect("it is sent");
            let mut begun = vec![0; first.len()];
            stream.read_exact(&mut begun).expect("an answer");
            String::from_utf8_lossy(&begun).into_owned()
        });
        assert_eq!(begun.await.expect("it ends"), first);
    }
}

#[tokio::test]
async fn head_has_the_headers_of_get_for_every_operation_without_inputs() {
    let service = TestService::start().await;
    text_asset(&service.client, "here.py", "print('here')\n").await;
    let reads = lunette_client::operation::OPERATIONS.iter().filter(|info| info.method.as_str() == "GET");
    for info in reads.filter(|info| !info.path.contains('{')) {
        let target =
            if info.path.starts_with("/search/") { format!("{}?query=x", info.path) } else { info.path.to_owned() };
        let (get, head) = (service.send("GET", &target, None).await, service.send("HEAD", &target, None).await);
        assert!(head.body.is_empty() && head.status == get.status, "{target}: {head:?}");
        for name in ["content-type", "content-length", "etag", "server", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{target}: {name}");
        }
        assert!(get.header("date").is_some(), "{target}: no date");
    }
}
