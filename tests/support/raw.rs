//! HTTP by bytes: exactly what was written is sent, and the response is parsed by hand.

use std::io::{BufRead as _, BufReader, ErrorKind, Read, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpStream};
use std::time::Duration;

/// A raw response.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// 0 if the connection was closed without a response.
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Whether a response in chunks ended before its last one.
    pub broken: bool,
}

impl Answer {
    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

/// The bytes of a request with a correct Host, more headers, and a JSON body if there is one.
pub fn request(method: &str, target: &str, port: u16, headers: &[(&str, &str)], body: Option<&str>) -> Vec<u8> {
    let mut head = format!("{method} {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if let Some(body) = body {
        head.push_str(&format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len()));
    }
    format!("{head}\r\n{}", body.unwrap_or_default()).into_bytes()
}

/// Sends these bytes to a port of this machine and returns the response.
pub async fn send(port: u16, request: &[u8]) -> Answer {
    let request = request.to_vec();
    tokio::task::spawn_blocking(move || converse(port, &request)).await.expect("the exchange ends")
}

fn converse(port: u16, request: &[u8]) -> Answer {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
    // So that a service that never answers fails the test instead of blocking it.
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
    // The service may refuse before it has read everything.
    stream.write_all(request).ok();
    let answer = read_answer(&mut stream, request.starts_with(b"HEAD "));
    stream.shutdown(Shutdown::Both).ok();
    answer
}

/// Reads one response; that of a HEAD has no body whatever its head says.
pub fn read_answer(stream: &mut TcpStream, to_head: bool) -> Answer {
    let mut bytes = Vec::new();
    let mut chunk = [0; 64 * 1024];
    let head_end = loop {
        if let Some(offset) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break offset;
        }
        match stream.read(&mut chunk) {
            Ok(0) => return Answer::default(),
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted) => {
                return Answer::default();
            }
            Err(error) => panic!("no answer: {error}"),
        }
    };
    let mut answer = parse_head(&String::from_utf8_lossy(&bytes[..head_end]));
    answer.body = bytes.split_off(head_end + 4);
    if answer.header("transfer-encoding") == Some("chunked") && !to_head {
        let begun = std::mem::take(&mut answer.body);
        (answer.body, answer.broken) = read_chunks(&mut begun.as_slice().chain(stream));
        return answer;
    }
    let length = answer.header("content-length").and_then(|length| length.parse().ok());
    let length: usize = if to_head || answer.status == 204 { 0 } else { length.unwrap_or(usize::MAX) };
    while answer.body.len() < length {
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => break,
            Ok(count) => answer.body.extend_from_slice(&chunk[..count]),
        }
    }
    answer
}

/// Reads a body in chunks; says whether it broke off before the last one.
fn read_chunks(stream: &mut impl Read) -> (Vec<u8>, bool) {
    let (mut stream, mut body) = (BufReader::new(stream), Vec::new());
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).is_err() {
            return (body, true);
        }
        let Ok(length) = u64::from_str_radix(line.trim(), 16) else { return (body, true) };
        let before = body.len() as u64;
        stream.by_ref().take(length).read_to_end(&mut body).ok(); // What is missing shows in the length.
        let mut end = [0; 2];
        let whole = body.len() as u64 == before + length && stream.read_exact(&mut end).is_ok();
        if !whole || length == 0 {
            return (body, !whole);
        }
    }
}

fn parse_head(head: &str) -> Answer {
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
    let headers = lines.filter_map(|line| line.split_once(": "));
    Answer {
        status: status.expect("a status line"),
        headers: headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect(),
        body: Vec::new(),
        broken: false,
    }
}
