//! Sends the request of a later start to the first instance.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

use super::{LaunchRequest, ListenAddress, Message, Reply};

/// Why there is no reply.
#[derive(Debug)]
pub(super) enum AskError {
    /// Nothing was sent, so it can be retried.
    NotSent,
    /// It was sent, and the outcome is unknown.
    Sent(String),
}

/// A connection closed sooner than this was refused unread; an instance that read it takes longer to give up.
const REFUSED_WITHIN: Duration = Duration::from_secs(1);
/// Maximum size of a reply, in bytes.
const MAX_REPLY: u64 = 64;

impl ListenAddress {
    /// Sends a request to the first instance, and waits for the reply until `end`.
    pub(super) fn ask(&self, request: &LaunchRequest, end: Instant) -> Result<Reply, AskError> {
        let left =
            || end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()).ok_or(AskError::NotSent);
        let address = (Ipv4Addr::LOCALHOST, self.port).into();
        let stream = TcpStream::connect_timeout(&address, left()?).map_err(|_| AskError::NotSent)?;
        let left = left()?;
        let limited = stream.set_read_timeout(Some(left)).and_then(|()| stream.set_write_timeout(Some(left)));
        limited.map_err(|_| AskError::NotSent)?;
        let message = Message { word: self.word.clone(), request: request.clone() };
        let mut line = serde_json::to_string(&message).map_err(|error| AskError::Sent(error.to_string()))?;
        line.push('\n');
        let timed_out = || AskError::Sent(format!("it did not respond within {} s", left.as_secs_f64().ceil()));
        let begun = Instant::now();
        let mut reply = String::new();
        let heard = (&stream).write_all(line.as_bytes()).and_then(|()| {
            let mut reader = BufReader::new((&stream).take(MAX_REPLY));
            reader.read_line(&mut reply)
        });
        match heard {
            Ok(1..) => serde_json::from_str(&reply).map_err(|_| timed_out()),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Err(timed_out()),
            // Closed at once: the instance had too many connections and did not read this one.
            Ok(0) | Err(_) if begun.elapsed() < REFUSED_WITHIN => Err(AskError::NotSent),
            Ok(0) | Err(_) => Err(timed_out()),
        }
    }
}
