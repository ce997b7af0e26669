//! A faulty proxy: it forwards every request to a real service, except for some of the writes.
//!
//! What must hold: which write fails depends only on its number, so that a test can name exact counts; every write that
//! reached the service is recorded, so that a test can tell whether one reached it twice.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What happens to a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It is forwarded, and its response is returned.
    Passed,
    /// It is refused, and does not reach the service.
    Failed,
    /// The connection ends without a response, and it does not reach the service.
    Disconnected,
    /// It reaches the service, whose response is held back until the client gives up.
    Delayed,
    /// It reaches the service, and the connection ends without a response.
    Dropped,
    /// It reaches the service, and a gateway answers with 504 instead.
    Late,
}

/// Of a hundred writes seven fail and three are delayed, spread over the hundred.
pub fn seven_and_three(write: usize) -> FaultKind {
    match write * 37 % 100 {
        0..7 => FaultKind::Failed,
        7..10 => FaultKind::Delayed,
        _ => FaultKind::Passed,
    }
}

/// The proxy.
#[derive(Clone, Debug)]
pub struct Fault {
    port: u16,
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    service: u16,
    port: u16,
    kind: Mutex<fn(usize) -> FaultKind>,
    writes: AtomicUsize,
    /// The targets of the writes that reached the service, in order.
    reached: Mutex<Vec<String>>,
    cut: AtomicBool,
    /// How many connections are open.
    open: Mutex<usize>,
    closed: Condvar,
}

impl Fault {
    /// In front of the service at this port; each write, counted from 0, has this fault.
    pub fn start(service: u16, kind: fn(usize) -> FaultKind) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let inner = Arc::new(Inner {
            service,
            port,
            kind: Mutex::new(kind),
            writes: AtomicUsize::new(0),
            reached: Mutex::default(),
            cut: AtomicBool::new(false),
            open: Mutex::new(0),
            closed: Condvar::new(),
        });
        let shared = Arc::clone(&inner);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                *shared.open() += 1;
                std::thread::spawn(move || {
                    // A client that disconnects ends the thread, which is intended.
                    shared.pass(stream).ok();
                    *shared.open() -= 1;
                    shared.closed.notify_all();
                });
            }
        });
        Self { port, inner }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Sets the fault of each write from now on; counting continues.
    pub fn set(&self, kind: fn(usize) -> FaultKind) {
        *self.inner.kind.lock().unwrap_or_else(PoisonError::into_inner) = kind;
    }

    /// Sets whether every connection is closed as soon as it is made.
    pub fn cut(&self, cut: bool) {
        self.inner.cut.store(cut, Ordering::SeqCst);
    }

    /// Waits until no connection is open.
    pub fn quiet(&self) {
        let open = self.inner.closed.wait_while(self.inner.open(), |open| *open > 0);
        drop(open.unwrap_or_else(PoisonError::into_inner));
    }

    /// Returns the targets of the writes that reached the service, in order.
    pub fn reached(&self) -> Vec<String> {
        self.inner.reached.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Inner {
    fn open(&self) -> MutexGuard<'_, usize> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One request, then the connection ends.
    fn pass(&self, mut stream: TcpStream) -> io::Result<()> {
        if self.cut.load(Ordering::SeqCst) {
            return stream.shutdown(Shutdown::Both);
        }
        let (head, body) = read_request(&mut stream)?;
        let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
        // A checkpoint changes no asset, and what follows goes on without it.
        let is_write = head.starts_with("POST ") && target != "/checkpoints/create";
        let kind = if is_write {
            let kind = *self.kind.lock().unwrap_or_else(PoisonError::into_inner);
            kind(self.writes.fetch_add(1, Ordering::SeqCst))
        } else {
            FaultKind::Passed
        };
        if kind == FaultKind::Failed {
            let text = "no such luck";
            let length = text.len();
            return write!(
                stream,
                "HTTP/1.1 400 Refused\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}"
            );
        }
        if kind == FaultKind::Disconnected {
            return stream.shutdown(Shutdown::Both);
        }
        let answer = self.ask(&head, &body)?;
        if is_write {
            self.reached.lock().unwrap_or_else(PoisonError::into_inner).push(target);
        }
        if kind == FaultKind::Delayed {
            while stream.read(&mut [0; 64])? > 0 {}
            return Ok(());
        }
        if kind == FaultKind::Dropped {
            return stream.shutdown(Shutdown::Both);
        }
        if kind == FaultKind::Late {
            let page = "<html><head><title>504 Gateway Time-out</title></head></html>";
            let length = page.len();
            return write!(
                stream,
                "HTTP/1.1 504 Late\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{page}"
            );
        }
        stream.write_all(&answer)
    }

    /// Forwards a request to the service with its own Host header, on a connection of its own; returns the raw
    /// response.
    fn ask(&self, head: &str, body: &[u8]) -> io::Result<Vec<u8>> {
        ask_service(head, body, self.port, self.service)
    }
}

/// Forwards a request from a proxy at one port to the service at another one.
pub fn ask_service(head: &str, body: &[u8], port: u16, service: u16) -> io::Result<Vec<u8>> {
    let (ours, theirs) = (format!("127.0.0.1:{port}"), format!("127.0.0.1:{service}"));
    let head = head.replace(&ours, &theirs).replacen("\r\n", "\r\nConnection: close\r\n", 1);
    let mut service = TcpStream::connect((Ipv4Addr::LOCALHOST, service))?;
    service.write_all(&[head.as_bytes(), body].concat())?;
    let mut answer = Vec::new();
    service.read_to_end(&mut answer)?;
    Ok(answer)
}

/// Reads a request head and a body of the length in it.
pub fn read_request(stream: &mut TcpStream) -> io::Result<(String, Vec<u8>)> {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end + 4]).into_owned();
            let lower = head.to_ascii_lowercase();
            let length =
                lower.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next()?.parse().ok());
            let mut body = bytes.split_off(end + 4);
            let have = body.len();
            body.resize(length.unwrap_or(0), 0);
            if have < body.len() {
                stream.read_exact(&mut body[have..])?;
            }
            return Ok((head, body));
        }
        match stream.read(&mut part)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => bytes.extend_from_slice(&part[..count]),
        }
    }
}
