//! A server that misbehaves, each time in one known way. It runs on threads of its own, so that a client that blocks
//! does not stop it, and it records every request.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What such a server does with a request.
#[derive(Clone, Debug)]
pub enum Behaviour {
    /// Reads, and never answers.
    Never,
    /// Sends `100 Continue` repeatedly, and nothing else.
    Continue,
    /// Sends a head that promises more than follows, and hangs.
    HangBody,
    /// The same, and closes.
    HalfBody,
    /// Sends a byte at a time, without end.
    Drip,
    /// Sends an endless chunked response.
    Huge,
    /// Announces a response of this length.
    Announce(u64),
    /// Closes with the request half read, which resets the connection.
    Reset,
    /// Speaks first, and not HTTP.
    NotHttp,
    /// Answers with this status, these header lines and this body.
    Answer(u16, &'static str, Vec<u8>),
    /// Sends a head a byte at a time, without end.
    DripHead,
    /// Sends a head without end.
    EndlessHead,
    /// Sends these bytes, and closes.
    Bytes(Vec<u8>),
    /// Sends these bytes for each request, and keeps the connection.
    Each(Vec<u8>),
    /// Reads nothing.
    NeverTakes,
    /// Answers correctly, after up to this many milliseconds, chosen at random.
    Late(u64, Vec<u8>),
    /// Answers correctly, once per connection; the second request on it is read, and then the connection is closed.
    StaleClose(Vec<u8>),
}

impl Behaviour {
    /// A success with this body.
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::Answer(200, "", body.into())
    }
}

/// The server.
#[derive(Debug)]
pub struct Hostile {
    port: u16,
    requests: Arc<Mutex<Vec<String>>>,
    open: Arc<AtomicUsize>,
}

impl Hostile {
    pub fn start(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let open = Arc::new(AtomicUsize::new(0));
        let opened = Arc::clone(&open);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (behaviour, seen, opened) = (behaviour.clone(), Arc::clone(&seen), Arc::clone(&opened));
                opened.fetch_add(1, Ordering::SeqCst);
                std::thread::spawn(move || {
                    // A client that disconnects ends the thread, which is intended.
                    misbehave(stream, &behaviour, &seen).ok();
                    opened.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        Self { port, requests, open }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns how many connections are open.
    pub fn open(&self) -> usize {
        self.open.load(Ordering::SeqCst)
    }

    /// Returns every request so far, head and body.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn misbehave(mut stream: TcpStream, behaviour: &Behaviour, seen: &Mutex<Vec<String>>) -> std::io::Result<()> {
    if matches!(behaviour, Behaviour::NotHttp) {
        stream.write_all(b"220 mail.example.test ESMTP\r\n")?;
    }
    for turn in 0.. {
        if matches!(behaviour, Behaviour::Reset) {
            // Closing a socket with unread data makes the system send a reset.
            stream.read_exact(&mut [0; 8])?;
            seen.lock().unwrap_or_else(PoisonError::into_inner).push(String::new());
            return Ok(());
        }
        if matches!(behaviour, Behaviour::NeverTakes) {
            seen.lock().unwrap_or_else(PoisonError::into_inner).push(String::new());
            // It stays open as long as the program runs, and is never read.
            std::mem::forget(stream);
            return Ok(());
        }
        let request = read_request(&mut stream)?;
        seen.lock().unwrap_or_else(PoisonError::into_inner).push(request);
        match behaviour {
            Behaviour::Never => return hold(&mut stream),
            Behaviour::Continue => return repeat(&mut stream, b"HTTP/1.1 100 Continue\r\n\r\n"),
            Behaviour::HangBody => {
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"iter")?;
                return hold(&mut stream);
            }
            Behaviour::HalfBody => {
                return stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"iter");
            }
            Behaviour::Drip => {
                stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
                return repeat(&mut stream, b"1\r\n \r\n");
            }
            Behaviour::Huge => {
                stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")?;
                let chunk = [b"10000\r\n".as_slice(), &[b' '; 0x10000], b"\r\n"].concat();
                loop {
                    stream.write_all(&chunk)?;
                }
            }
            Behaviour::Announce(length) => {
                write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n")?;
                return hold(&mut stream);
            }
            Behaviour::DripHead => {
                stream.write_all(b"HTTP/1.1 200 OK\r\nX-Slow: ")?;
                return repeat(&mut stream, b"x");
            }
            Behaviour::EndlessHead => {
                stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
                loop {
                    stream.write_all(b"X-Long: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n")?;
                }
            }
            Behaviour::Bytes(bytes) => {
                stream.write_all(bytes)?;
                // The rest of the request is read, so that closing does not reset.
                stream.shutdown(std::net::Shutdown::Write)?;
                return hold(&mut stream);
            }
            Behaviour::Each(bytes) => stream.write_all(bytes)?,
            Behaviour::Late(most, body) => {
                std::thread::sleep(Duration::from_millis(drawn() % most.max(&1)));
                answer(&mut stream, 200, "", body)?;
            }
            Behaviour::NeverTakes => return Ok(()),
            Behaviour::Answer(status, headers, body) => answer(&mut stream, *status, headers, body)?,
            Behaviour::StaleClose(body) if turn == 0 => answer(&mut stream, 200, "", body)?,
            Behaviour::StaleClose(_) | Behaviour::NotHttp | Behaviour::Reset => return Ok(()),
        }
    }
    Ok(())
}

/// Returns an unpredictable number.
fn drawn() -> u64 {
    std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0)
}

fn answer(stream: &mut TcpStream, status: u16, headers: &str, body: &[u8]) -> std::io::Result<()> {
    let length = if status == 204 { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
    write!(stream, "HTTP/1.1 {status} Whatever\r\n{headers}{length}\r\n")?;
    stream.write_all(body)
}

/// Waits until the client disconnects.
fn hold(stream: &mut TcpStream) -> std::io::Result<()> {
    while stream.read(&mut [0; 1024])? > 0 {}
    Ok(())
}

/// Sends the same bytes every few milliseconds until the client disconnects.
fn repeat(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_millis(5)))?;
    loop {
        stream.write_all(bytes)?;
        if stream.read(&mut [0; 1024]).is_ok_and(|count| count == 0) {
            return Ok(());
        }
    }
}

/// Reads a request head and a body of the length in it.
fn read_request(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        bytes.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next()?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body)?;
    bytes.extend(body);
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
