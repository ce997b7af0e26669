//! Change streams: subscribes to a WebSocket on which the service pushes identifiers (records, section 3).
//!
//! What must hold: the handshake completes within the client's limits or fails; a message is buffered only up to the
//! limit; a service that is silent and answers no ping is detected; the client never reconnects by itself. Hostile
//! messages can end a stream with an error, and nothing else.

use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION, UPGRADE};
use reqwest::{Response, StatusCode, Upgraded};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::error::{Error, ProtocolError};
use tokio_tungstenite::tungstenite::handshake::{client::generate_key, derive_accept_key};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};

use crate::operation::{CHANGES_ONLY, Change, Method, NO_SNAPSHOT, StreamKind};

use super::error::TimeoutPhase;
use super::send::{RawResponse, decode, transport_error};
use super::text::{error_text, sentence};
use super::{CallError, Client, Limits, Target};

/// How long to try to send the reply to a Close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(200);

type Socket = WebSocketStream<Upgraded>;

/// A subscription to one stream of a service. Dropping it closes the stream.
pub struct Stream {
    /// None after the stream has ended.
    socket: Option<Socket>,
    target: Target,
    limits: Limits,
    /// A received message that is being decoded; kept here so that `next` is cancel-safe.
    reading: Option<BoxFuture<'static, Result<Vec<Change>, CallError>>>,
    /// When anything was last received.
    last_received: Instant,
    /// When the unanswered ping was sent, if any.
    pinged: Option<Instant>,
    /// Whether it begins with all ids.
    snapshot: bool,
}

impl Client {
    /// Subscribes to the changes of one kind: first a snapshot of all ids, in one or more messages, then each creation,
    /// change and deletion. A service without this stream fails with [`CallError::missing`].
    pub async fn follow(&self, kind: StreamKind) -> Result<Stream, CallError> {
        self.follow_at(kind.info().path).await
    }

    /// Subscribes to the changes of one kind without the snapshot, where the service can do that: see [`Stream::has_snapshot`].
    pub async fn follow_changes(&self, kind: StreamKind) -> Result<Stream, CallError> {
        self.follow_at(&format!("{}?{CHANGES_ONLY}", kind.info().path)).await
    }

    async fn follow_at(&self, path: &str) -> Result<Stream, CallError> {
        let target = Target { method: Method::Get, url: self.address.join(path), writes: false, content: false };
        let limits = self.limits;
        let begun = timeout(limits.total, self.handshake(&target)).await.unwrap_or_else(|_| {
            Err(CallError::TimedOut { target: target.clone(), waiting: TimeoutPhase::Response, limit: limits.total })
        });
        let (socket, snapshot) = begun?;
        let (socket, last_received) = (Some(socket), Instant::now());
        Ok(Stream { socket, target, limits, reading: None, last_received, pinged: None, snapshot })
    }

    /// Sends the upgrade request and takes over the connection if the service accepts (RFC 6455, 4.1); returns also
    /// whether the stream begins with a snapshot.
    async fn handshake(&self, target: &Target) -> Result<(Socket, bool), CallError> {
        let limits = &self.limits;
        let key = generate_key();
        // Uses the client without pooling: a pooled connection may be closed just now, and this request is not retried.
        let request = self
            .writes
            .get(&target.url)
            .header(CONNECTION, "Upgrade")
            .header(UPGRADE, "websocket")
            .header(SEC_WEBSOCKET_VERSION, "13")
            .header(SEC_WEBSOCKET_KEY, &key);
        let answer = request.send().await.map_err(|error| transport_error(target, limits, &error))?;
        if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
            let status = answer.status().as_u16();
            let refused = RawResponse::of(answer, target, limits.json_bytes)
                .await
                .and_then(|last_received| last_received.validate(target));
            let found = format!("status {status} instead of a stream");
            let status = Some(status);
            let foreign = || CallError::NotThisService { target: target.clone(), found, status };
            return Err(refused.err().unwrap_or_else(foreign));
        }
        if !accepts_upgrade(&answer, &key) {
            let found = "it switched to a protocol other than WebSocket".to_owned();
            let status = Some(answer.status().as_u16());
            return Err(CallError::NotThisService { target: target.clone(), found, status });
        }
        let snapshot = !answer.headers().contains_key(NO_SNAPSHOT);
        let connection = answer.upgrade().await.map_err(|error| transport_error(target, limits, &error))?;
        let config = WebSocketConfig::default()
            .read_buffer_size(16 * 1024)
            .max_message_size(Some(limits.json_bytes))
            .max_frame_size(Some(limits.json_bytes));
        Ok((WebSocketStream::from_raw_socket(connection, Role::Client, Some(config)).await, snapshot))
    }
}

impl Stream {
    /// Whether it begins with all ids there are.
    pub fn has_snapshot(&self) -> bool {
        self.snapshot
    }

    /// Returns the next message; None if the service closed the stream normally. After None or an error the stream is
    /// over. Cancel-safe: no message is lost if the future is dropped.
    pub async fn next(&mut self) -> Option<Result<Vec<Change>, CallError>> {
        let message = self.receive().await;
        if !matches!(message, Some(Ok(_))) {
            self.socket = None;
        }
        message
    }

    async fn receive(&mut self) -> Option<Result<Vec<Change>, CallError>> {
        loop {
            if let Some(reading) = &mut self.reading {
                let message = reading.await;
                self.reading = None;
                return Some(message);
            }
            let next_deadline = self.next_deadline();
            let socket = self.socket.as_mut()?;
            // A received message counts even if it is polled late.
            let message = tokio::select! {
                biased;
                message = socket.next() => message?,
                () = sleep_until(next_deadline) => match self.ping().await {
                    Ok(()) => continue,
                    Err(error) => return Some(Err(error)),
                },
            };
            (self.last_received, self.pinged) = (Instant::now(), None);
            match message {
                Ok(Message::Text(text)) => self.begin(Vec::from(text.as_bytes())),
                // Some services label their text so.
                Ok(Message::Binary(bytes)) => self.begin(bytes.into()),
                Ok(Message::Close(frame)) => {
                    timeout(CLOSE_TIMEOUT, socket.flush()).await.ok(); // The reply is optional.
                    return self.close_error(frame).map(Err);
                }
                // tungstenite answers a ping by itself, with the next read.
                Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_)) => {}
                Err(error) => return Some(Err(stream_error(&self.target, self.limits, error))),
            }
        }
    }

    /// When the next ping, or the reply to the last one, is due.
    fn next_deadline(&self) -> Instant {
        match self.pinged {
            None => self.last_received + self.limits.silence / 3,
            Some(moment) => moment + self.limits.silence * 2 / 3,
        }
    }

    /// Sends a ping. Fails if the last one is still unanswered.
    async fn ping(&mut self) -> Result<(), CallError> {
        let limit = self.limits.silence;
        let silent = || CallError::TimedOut { target: self.target.clone(), waiting: TimeoutPhase::Response, limit };
        let Some(socket) = self.socket.as_mut().filter(|_| self.pinged.is_none()) else { return Err(silent()) };
        self.pinged = Some(Instant::now());
        match timeout(limit * 2 / 3, socket.send(Message::Ping(Vec::new().into()))).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(stream_error(&self.target, self.limits, error)),
            Err(_) => Err(silent()),
        }
    }

    fn begin(&mut self, body: Vec<u8>) {
        let target = self.target.clone();
        self.reading = Some(Box::pin(async move { decode(&target, body, Change::read).await }));
    }

    /// The error that a Close frame means; None for a normal closure.
    fn close_error(&self, frame: Option<CloseFrame>) -> Option<CallError> {
        let frame = frame.filter(|frame| !matches!(frame.code, CloseCode::Normal | CloseCode::Away))?;
        let reason = sentence(frame.reason.as_str().as_bytes());
        let problem = format!("the service ended the stream with {}: {reason}", frame.code);
        Some(CallError::Reset { target: self.target.clone(), problem })
    }
}

/// Whether the response accepts the upgrade with the right key.
fn accepts_upgrade(answer: &Response, key: &str) -> bool {
    let says = |name, word: &str| {
        let value = answer.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        value.is_some_and(|value| value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word)))
    };
    let accepted = answer.headers().get(SEC_WEBSOCKET_ACCEPT).map(|value| value.as_bytes().trim_ascii());
    says(UPGRADE, "websocket")
        && says(CONNECTION, "upgrade")
        && accepted == Some(derive_accept_key(key.as_bytes()).as_bytes())
}

/// Converts an error that ended an open stream.
fn stream_error(target: &Target, limits: Limits, error: Error) -> CallError {
    match error {
        Error::Capacity(_) => CallError::TooLarge { target: target.clone(), limit: limits.json_bytes },
        Error::Utf8(problem) => CallError::NotJson { target: target.clone(), problem: sentence(problem.as_bytes()) },
        Error::Io(error) => reset(target, &error_text(&error)),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake)
        | Error::ConnectionClosed
        | Error::AlreadyClosed => reset(target, "it was closed without a reason"),
        other => not_a_websocket(target, &other),
    }
}

fn reset(target: &Target, problem: &str) -> CallError {
    CallError::Reset { target: target.clone(), problem: sentence(problem.as_bytes()) }
}

fn not_a_websocket(target: &Target, error: &Error) -> CallError {
    let found = format!("it does not speak WebSocket: {}", sentence(error.to_string().as_bytes()));
    CallError::NotThisService { target: target.clone(), found, status: None }
}
