//! A proxy that changes responses: every request reaches a real service, unless it is swallowed.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use super::fault::read_request;

/// A response that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    pub content_type: String,
    pub body: Vec<u8>,
}

impl Reply {
    /// Changes the JSON of the body; a body that is not JSON stays.
    pub fn json(&mut self, change: impl FnOnce(&mut serde_json::Value)) {
        if let Ok(mut tree) = serde_json::from_slice(&self.body) {
            change(&mut tree);
            self.body = tree.to_string().into_bytes();
        }
    }
}

/// A request to be decided about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub method: String,
    /// The path without its query.
    pub path: String,
}

/// What happens to a request.
pub enum ProxyAction {
    /// It is forwarded, and its response is changed.
    Change(Box<dyn FnOnce(&mut Reply)>),
    /// It is not forwarded; this is the response.
    Respond(Reply),
    /// It is forwarded, and so is its response.
    Pass,
}

type Decide = dyn Fn(&Asked) -> ProxyAction + Send + Sync;

/// The proxy.
pub struct MutatingProxy {
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl MutatingProxy {
    /// In front of the service at this port.
    pub fn start(service: u16, decide: impl Fn(&Asked) -> ProxyAction + Send + Sync + 'static) -> Self {
        Self::named("lunette/mutated", service, decide)
    }

    /// Changes the JSON of the responses to requests whose path ends so.
    pub fn changing(service: u16, end: &str, change: fn(&mut serde_json::Value)) -> Self {
        let end = end.to_owned();
        Self::start(service, move |asked| match asked.path.ends_with(&end) {
            true => ProxyAction::Change(Box::new(move |reply| reply.json(change))),
            false => ProxyAction::Pass,
        })
    }

    /// The same under another name, as the header `Server` has it.
    pub fn named(
        server: &'static str,
        service: u16,
        decide: impl Fn(&Asked) -> ProxyAction + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let (decide, asked): (Arc<Decide>, _) = (Arc::new(decide), Arc::<Mutex<Vec<Asked>>>::default());
        let seen = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (decide, seen) = (Arc::clone(&decide), Arc::clone(&seen));
                // A client that disconnects ends the thread, which is intended.
                std::thread::spawn(move || pass(stream, server, (port, service), decide.as_ref(), &seen).ok());
            }
        });
        Self { port, asked }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Every request so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// One request, then the connection ends.
fn pass(
    mut stream: TcpStream,
    server: &str,
    (port, service): (u16, u16),
    decide: &Decide,
    seen: &Mutex<Vec<Asked>>,
) -> io::Result<()> {
    let (head, body) = read_request(&mut stream)?;
    let mut words = head.split([' ', '?']);
    let mut word = || words.next().unwrap_or_default().to_owned();
    let asked = Asked { method: word(), path: word() };
    seen.lock().unwrap_or_else(PoisonError::into_inner).push(asked.clone());
    let reply = match decide(&asked) {
        ProxyAction::Respond(reply) => reply,
        ProxyAction::Pass => ask(&head, &body, port, service)?,
        ProxyAction::Change(change) => {
            let mut reply = ask(&head, &body, port, service)?;
            change(&mut reply);
            reply
        }
    };
    let Reply { status, content_type, body } = reply;
    let kind = if content_type.is_empty() { String::new() } else { format!("Content-Type: {content_type}\r\n") };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status} As told\r\nServer: {server}\r\n{kind}Content-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(&body)
}

/// Forwards a request to the service with its own Host header, on a connection of its own.
fn ask(head: &str, body: &[u8], port: u16, service: u16) -> io::Result<Reply> {
    let (ours, theirs) = (format!("127.0.0.1:{port}"), format!("127.0.0.1:{service}"));
    let head = head.replace(&ours, &theirs).replacen("\r\n", "\r\nConnection: close\r\n", 1);
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, service))?;
    stream.write_all(&[head.as_bytes(), body].concat())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").ok_or(io::ErrorKind::InvalidData)?;
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let line =
        |name: &str| head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix(name).map(str::to_owned));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
    let mut body = answer[end + 4..].to_vec();
    if line("transfer-encoding: ").is_some_and(|coding| coding.contains("chunked")) {
        body = unchunked(&body);
    }
    Ok(Reply { status, content_type: line("content-type: ").unwrap_or_default(), body })
}

fn unchunked(mut chunks: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = chunks.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(String::from_utf8_lossy(&chunks[..end]).trim(), 16).unwrap_or_default();
        let Some(chunk) = chunks.get(end + 2..end + 2 + size).filter(|_| size > 0) else { break };
        whole.extend_from_slice(chunk);
        chunks = &chunks[(end + 4 + size).min(chunks.len())..];
    }
    whole
}
