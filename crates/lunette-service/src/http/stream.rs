//! Streams over WebSocket, of changes and about the service itself: a request is upgraded and continues in its
//! connection's task.
//!
//! What must hold: the guard checks the request like any other; streams use at most half of the connections and are
//! never evicted as idle; a client that is gone or does not read is detected by its silence; clients may send next to
//! nothing; when the service stops, a stream ends with a Close frame.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use axum::extract::FromRequestParts as _;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::header::{CONNECTION, SEC_WEBSOCKET_VERSION, UPGRADE};
use axum::http::{HeaderValue, Method, Request, Response, StatusCode};
use axum::routing::{any, get};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use crate::Service;
use crate::resources::streams::{self, Next};
use crate::store::feed::FeedEnd;
use lunette_client::operation::unsupported::{QUESTION_STREAM, unsupported};
use lunette_client::operation::{CHANGES_ONLY, NO_SNAPSHOT, STATUS_STREAMS, STREAMS, StatusStream, StreamKind};

use super::mount::{ApiSurface, AppState, Routes};
use super::progress::{CountGuard, Progress};
use super::response;
use super::semantics::members;

/// The largest message a client may send, in bytes.
const MAX_CLIENT_BYTES: usize = 4096;
/// The maximum size of a message with a question, which may be long, in bytes.
const MAX_QUESTION_BYTES: usize = 64 * 1024;
/// How many messages of a client are ignored between two pings.
const MAX_CLIENT_MESSAGES: usize = 64;
/// The size of the write buffer.
const WRITE_BUFFER: usize = 16 * 1024;

/// Whether there is no stream at this path, and nothing else that says why.
pub(super) fn is_not_known(path: &str) -> bool {
    let mut paths = STREAMS.iter().map(|info| info.path).chain(STATUS_STREAMS.iter().map(|info| info.path));
    !paths.any(|stream| stream == path) && unsupported(path).is_none()
}

/// Whether a request asks for a WebSocket upgrade: a GET with both headers (RFC 6455, 4.1). Any other protocol is ignored,
/// as RFC 9110 (7.8) permits: some programs offer HTTP/2 with their first request.
pub(super) fn wants_websocket<B>(request: &Request<B>) -> bool {
    let has = |name, token: &[u8]| members(request.headers(), &name).any(|member| member.eq_ignore_ascii_case(token));
    request.method() == Method::GET && has(CONNECTION, b"upgrade") && has(UPGRADE, b"websocket")
}

impl Routes {
    /// Mounts the streams, if extension operations are offered.
    pub(crate) fn with_streams(mut self) -> Self {
        if self.surface == ApiSurface::Interface {
            return self;
        }
        let permits = Arc::new(Semaphore::new(self.state.limits.connections / 2));
        for info in &STREAMS {
            self = self.with_stream(info.path, Subject::Changes(info.kind), &permits);
        }
        for info in &STATUS_STREAMS {
            self = self.with_stream(info.path, Subject::Status(info.kind), &permits);
        }
        self.with_questions(permits)
    }

    /// Mounts the stream of questions, which is a stream for those alone that open it as one.
    fn with_questions(mut self, permits: Arc<Semaphore>) -> Self {
        let state = Arc::clone(&self.state);
        let answer = async move |request: Request<Body>| match wants_websocket(&request) {
            true => open(Arc::clone(&state), Subject::Questions, Arc::clone(&permits), request).await,
            false => response::unsupported(QUESTION_STREAM),
        };
        self.router = self.router.route(QUESTION_STREAM, any(answer));
        self
    }

    fn with_stream(mut self, path: &'static str, subject: Subject, permits: &Arc<Semaphore>) -> Self {
        let (state, permits) = (Arc::clone(&self.state), Arc::clone(permits));
        let open = move |request| open(Arc::clone(&state), subject, Arc::clone(&permits), request);
        self.router = self.router.route(path, get(open));
        self
    }
}

/// The stream of a connection, once an upgrade was accepted.
#[derive(Clone, Default)]
pub(super) struct PendingUpgrade(Arc<Mutex<Option<Stream>>>);

impl PendingUpgrade {
    /// Takes the stream that the connection continues with.
    pub(super) fn take(&self) -> Option<Stream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, stream: Stream) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(stream);
    }
}

/// What a stream is about.
#[derive(Clone, Copy, Debug)]
enum Subject {
    /// Records of a kind, and every change of one.
    Changes(StreamKind),
    /// The service itself.
    Status(StatusStream),
    /// Language models, of which there are none.
    Questions,
}

impl Subject {
    /// The largest message that a client may send, in bytes.
    fn max_client_bytes(self) -> usize {
        match self {
            Self::Changes(_) | Self::Status(_) => MAX_CLIENT_BYTES,
            Self::Questions => MAX_QUESTION_BYTES,
        }
    }
}

/// Where the messages of a stream come from.
enum Source {
    Changes(streams::Stream),
    /// The only message, until it is sent. Our choice: nothing that these streams say changes while the service runs.
    Status(Option<String>),
    /// The answer to what the client asked, message by message, and then nothing.
    Answers(mpsc::UnboundedReceiver<Option<String>>),
}

/// Where the answers to a client's questions go; `None` if it may only listen.
type Answers = Option<mpsc::UnboundedSender<Option<String>>>;

impl Source {
    fn begin(service: &Service, subject: Subject, changes_only: bool) -> (Self, Answers) {
        match subject {
            Subject::Changes(kind) => (Self::Changes(streams::begin(service, kind, !changes_only)), None),
            Subject::Status(kind) => (Self::Status(Some(streams::status(service, kind))), None),
            Subject::Questions => {
                let (answers, source) = mpsc::unbounded_channel();
                (Self::Answers(source), Some(answers))
            }
        }
    }

    /// Waits for the next step. Cancel-safe.
    async fn next(&mut self) -> Next {
        match self {
            Self::Changes(changes) => changes.next().await,
            Self::Status(message) => match message.take() {
                Some(message) => Next::Message(message),
                None => std::future::pending().await,
            },
            Self::Answers(answers) => match answers.recv().await {
                Some(Some(answer)) => Next::Message(answer),
                Some(None) => Next::End(FeedEnd::Closed),
                None => std::future::pending().await,
            },
        }
    }

    /// The message of a step; an error is how the stream ends.
    async fn message(&mut self, step: Next, state: &AppState) -> Result<String, CloseReason> {
        match (step, self) {
            (Next::Message(message), _) => Ok(message),
            (Next::Read(cursor), Self::Changes(changes)) => {
                let kind = changes.kind();
                let page = state.read(kind.info().name, move |service| streams::read(service, kind, cursor)).await;
                page.map(|page| changes.page_message(page)).map_err(|_| CLOSE_FAILED)
            }
            (Next::Read(_), Self::Status(_) | Self::Answers(_)) => Err(CLOSE_FAILED),
            (Next::End(_), Self::Answers(_)) => Err(CLOSE_ANSWERED),
            (Next::End(FeedEnd::TooFarBehind), _) => Err(CLOSE_BEHIND),
            (Next::End(FeedEnd::Closed), _) => Err(CLOSE_STOPPING),
        }
    }
}

/// A stream and what it holds until it ends.
pub(super) struct Stream {
    subject: Subject,
    state: Arc<AppState>,
    /// Begun before the client was told that it follows.
    source: Source,
    answers: Answers,
    /// Ready when the upgrade is complete.
    socket: oneshot::Receiver<WebSocket>,
    _permit: OwnedSemaphorePermit,
    /// Marks the connection as busy.
    _work: Option<CountGuard>,
}

/// Responds to a request for a stream.
async fn open(
    state: Arc<AppState>,
    subject: Subject,
    permits: Arc<Semaphore>,
    request: Request<Body>,
) -> Response<Body> {
    let (mut head, body) = request.into_parts();
    let upgrade = WebSocketUpgrade::from_request_parts(&mut head, &()).await;
    let (Ok(upgrade), true) = (upgrade, body.is_end_stream()) else { return upgrade_required() };
    let Ok(permit) = permits.try_acquire_owned() else {
        return response::text(StatusCode::SERVICE_UNAVAILABLE, "too many open streams: close one, or poll instead\n");
    };
    let Some(pending_upgrade) = head.extensions.get::<PendingUpgrade>() else { return upgrade_required() };
    let (socket_sender, socket) = oneshot::channel();
    let work = head.extensions.get::<Progress>().map(Progress::work);
    let changes_only = head.uri.query().is_some_and(|query| query.split('&').any(|part| part == CHANGES_ONLY));
    let (source, answers) = Source::begin(state.service(), subject, changes_only);
    pending_upgrade.set(Stream { subject, state, source, answers, socket, _permit: permit, _work: work });
    let mut response = upgrade
        .read_buffer_size(MAX_CLIENT_BYTES)
        .write_buffer_size(WRITE_BUFFER)
        .max_message_size(subject.max_client_bytes())
        .max_frame_size(subject.max_client_bytes())
        .on_upgrade(|socket| async move {
            socket_sender.send(socket).ok(); // The connection may have been closed meanwhile.
        });
    if changes_only {
        response.headers_mut().insert(NO_SNAPSHOT, HeaderValue::from_static("1"));
    }
    response
}

/// 426: the path is a stream, and the request is not a WebSocket upgrade.
fn upgrade_required() -> Response<Body> {
    let mut response = response::text(
        StatusCode::UPGRADE_REQUIRED,
        "this path is a stream: open it as a WebSocket (ws://, version 13), with a GET that has no body\n",
    );
    let headers = response.headers_mut();
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
    response
}

/// The Close frame that ends a stream; None if the client is gone.
type CloseReason = Option<(u16, &'static str)>;

/// The public command line waits until its connection has ended.
const CLOSE_ANSWERED: CloseReason = Some((close_code::NORMAL, "there are no language models to ask"));
const CLOSE_STOPPING: CloseReason = Some((close_code::AWAY, "the service is stopping"));
const CLOSE_FAILED: CloseReason = Some((close_code::ERROR, "internal error; see the log of the service"));
const CLOSE_BEHIND: CloseReason = Some((close_code::AGAIN, "too many deletions were missed: open the stream again"));
const CLOSE_FLOOD: CloseReason = Some((close_code::POLICY, "clients must send only a few small messages on a stream"));

impl Stream {
    /// Sends changes until either side ends the stream.
    pub(super) async fn run(self, mut stop: watch::Receiver<bool>) {
        let Self { subject, state, source: messages, answers, socket, _permit, _work } = self;
        let Ok(socket) = socket.await else { return };
        tracing::debug!(?subject, "stream opened");
        let (mut sink, mut source) = socket.split();
        let activity = Mutex::new(ClientActivity { at: Instant::now(), messages: 0 });
        let close_reason = tokio::select! {
            close_reason = send_messages(&state, messages, &mut sink, &activity) => close_reason,
            close_reason = receive(&mut source, &activity, &answers) => close_reason,
            // An error means that the sender is gone, which is a stop too.
            _ = stop.wait_for(|stop| *stop) => CLOSE_STOPPING,
        };
        tracing::debug!(?subject, ?close_reason, "stream closed");
        if let Some((code, reason)) = close_reason {
            let frame = CloseFrame { code, reason: reason.into() };
            // So that it ends well within the drain time.
            timeout(state.limits.drain / 2, close(sink, source, frame, subject)).await.ok();
        }
    }
}

/// Sends a Close frame and waits for the reply: closing with unread data would reset the connection. Who asked a question
/// has nothing more to say; the public command line notices the end of its connection sooner than a Close frame.
async fn close(
    mut sink: SplitSink<WebSocket, Message>,
    mut source: SplitStream<WebSocket>,
    frame: CloseFrame,
    subject: Subject,
) {
    let sent = sink.send(Message::Close(Some(frame))).await;
    if sent.is_ok() && !matches!(subject, Subject::Questions) {
        while let Some(Ok(_)) = source.next().await {}
    }
}

/// What a client has sent.
struct ClientActivity {
    /// When anything was last received.
    at: Instant,
    /// How many messages were received since the last ping.
    messages: usize,
}

/// Sends messages and pings. Ends if the client does not read or is silent.
async fn send_messages(
    state: &AppState,
    mut messages: Source,
    sink: &mut SplitSink<WebSocket, Message>,
    activity: &Mutex<ClientActivity>,
) -> CloseReason {
    let ping_interval: Duration = state.limits.ping;
    let mut ticks = interval_at(Instant::now() + ping_interval, ping_interval);
    // A client that was slow to read a message still has the full time for its next reply.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut pinged_at: Option<Instant> = None;
    loop {
        let message = tokio::select! {
            step = messages.next() => match messages.message(step, state).await {
                Ok(message) => Message::Text(message.into()),
                Err(close_reason) => return close_reason,
            },
            _ = ticks.tick() => {
                let mut activity = activity.lock().unwrap_or_else(PoisonError::into_inner);
                activity.messages = 0;
                if pinged_at.is_some_and(|moment| activity.at < moment) {
                    return None;
                }
                pinged_at = Some(Instant::now());
                Message::Ping(Vec::new().into())
            }
        };
        match timeout(ping_interval, sink.send(message)).await {
            Ok(Ok(())) => {}
            // The client is gone or does not read.
            Ok(Err(_)) | Err(_) => return None,
        }
    }
}

/// Receives the client's messages, and answers its questions. Ends if it disconnects or sends too much.
async fn receive(
    source: &mut SplitStream<WebSocket>,
    activity: &Mutex<ClientActivity>,
    answers: &Answers,
) -> CloseReason {
    while let Some(message) = source.next().await {
        let Ok(message) = message else { return CLOSE_FLOOD };
        let mut activity = activity.lock().unwrap_or_else(PoisonError::into_inner);
        activity.at = Instant::now();
        if matches!(message, Message::Text(_) | Message::Binary(_)) {
            activity.messages += 1;
            if activity.messages > MAX_CLIENT_MESSAGES {
                return CLOSE_FLOOD;
            }
        }
        if let (Some(answers), Message::Text(question)) = (answers, &message) {
            let all = streams::refusal(question.as_bytes()).map(Some).into_iter().chain([None]);
            all.for_each(|answer| drop(answers.send(answer)));
        }
    }
    None
}
