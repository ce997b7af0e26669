//! A proxy that makes a service of ours one of others: it answers late or not at all, and counts what is on its way.
//!
//! What must hold: how a request is answered depends only on its number; a request counts from the moment it was read
//! until its answer is about to be written.

use std::io::{self, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::fault::{ask_service, read_request};

/// How a request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// At once.
    Quick,
    /// After this time.
    Slow(Duration),
    /// With this status and `Retry-After`, and it does not reach the service.
    Overloaded(u16, &'static str),
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub target: String,
    pub writes: bool,
    pub at: Instant,
    /// How many were on their way then, this one included.
    pub in_flight: usize,
}

/// The proxy.
#[derive(Clone, Debug)]
pub struct Busy {
    port: u16,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Debug, Default)]
struct Seen {
    arrivals: Vec<Arrival>,
    in_flight: usize,
}

impl Busy {
    /// In front of the service at this port; each request, counted from 0, is answered in this mood.
    pub fn start(service: u16, mood: fn(usize) -> Mood) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let busy = Self { port, seen: Arc::default() };
        let shared = busy.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = shared.clone();
                // A client that disconnects ends the thread.
                std::thread::spawn(move || shared.pass(stream, service, mood).ok());
            }
        });
        busy
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The requests so far, in the order in which they came.
    pub fn arrivals(&self) -> Vec<Arrival> {
        self.seen().arrivals.clone()
    }

    /// The most that were on their way at once.
    pub fn most(&self) -> usize {
        self.seen().arrivals.iter().map(|arrival| arrival.in_flight).max().unwrap_or_default()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One request, then the connection ends.
    fn pass(&self, mut stream: TcpStream, service: u16, mood: fn(usize) -> Mood) -> io::Result<()> {
        let (head, body) = read_request(&mut stream)?;
        let number = {
            let mut seen = self.seen();
            seen.in_flight += 1;
            let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
            let (writes, in_flight) = (head.starts_with("POST "), seen.in_flight);
            seen.arrivals.push(Arrival { target, writes, at: Instant::now(), in_flight });
            seen.arrivals.len() - 1
        };
        let answer = match mood(number) {
            Mood::Quick => ask_service(&head, &body, self.port, service),
            Mood::Slow(time) => {
                std::thread::sleep(time);
                ask_service(&head, &body, self.port, service)
            }
            Mood::Overloaded(status, retry_after) => Ok(format!(
                "HTTP/1.1 {status} Busy\r\nRetry-After: {retry_after}\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbusy"
            )
            .into_bytes()),
        };
        self.seen().in_flight -= 1;
        stream.write_all(&of_others(answer?))
    }
}

/// The answer of a service that is not ours, by its `Server` header.
fn of_others(answer: Vec<u8>) -> Vec<u8> {
    let (ours, theirs) = (b"server: lunette/", b"server: another/");
    let offset = answer.windows(ours.len()).position(|bytes| bytes.eq_ignore_ascii_case(ours));
    let mut answer = answer;
    if let Some(offset) = offset {
        answer[offset..offset + theirs.len()].copy_from_slice(theirs);
    }
    answer
}
