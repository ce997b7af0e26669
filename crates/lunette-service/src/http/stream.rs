//! Streams on the wire: a request becomes a WebSocket, which goes on in its connection's task and place.
//!
//! What must hold: the guard has looked at the request as at any other; streams take half of the places at most, and are
//! not idle; a client that is gone, or does not read, is noticed by its silence; a client says next to nothing here; when
//! the service stops, a stream ends with a Close.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, HttpBody as _};
use axum::extract::FromRequestParts as _;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::header::{CONNECTION, SEC_WEBSOCKET_VERSION, UPGRADE};
use axum::http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use axum::routing::get;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use crate::store::feed::FeedEnd;
use crate::streams::{self, Next};
use lunette_client::operation::{STREAMS, StreamKind};

use super::mount::{ApiSurface, AppState, Routes};
use super::progress::{CountGuard, Progress};
use super::response;

/// The most bytes a client may say at once.
const MAX_CLIENT_BYTES: usize = 4096;
/// How many messages of a client are passed over between two pings.
const MAX_CLIENT_MESSAGES: usize = 64;
/// Bytes of messages that are sent in one go.
const WRITE_BUFFER: usize = 16 * 1024;

/// Whether a stream has this path.
pub(super) fn is_stream_path(path: &str) -> bool {
    STREAMS.iter().any(|info| info.path == path)
}

/// Whether a request wants to become a WebSocket. Any other protocol that it offers to change to is passed over, as RFC
/// 9110 (7.8) lets a server do: some programs offer HTTP/2 with each first request.
pub(super) fn wants_websocket(headers: &HeaderMap) -> bool {
    let mut offers = headers.get_all(UPGRADE).iter().flat_map(|value| value.as_bytes().split(|&byte| byte == b','));
    offers.any(|surface| surface.trim_ascii().eq_ignore_ascii_case(b"websocket"))
}

impl Routes {
    /// Mounts the streams, if companions are offered.
    pub(crate) fn with_streams(mut self) -> Self {
        if self.surface == ApiSurface::Interface {
            return self;
        }
        let permits = Arc::new(Semaphore::new(self.state.limits.connections / 2));
        for info in &STREAMS {
            let (state, permits) = (Arc::clone(&self.state), Arc::clone(&permits));
            let open = move |request| open(Arc::clone(&state), info.kind, Arc::clone(&permits), request);
            self.router = self.router.route(info.path, get(open));
        }
        self
    }
}

/// A connection's stream, once one was promised to its client.
#[derive(Clone, Default)]
pub(super) struct PendingUpgrade(Arc<Mutex<Option<Stream>>>);

impl PendingUpgrade {
    /// The stream that the connection goes on with.
    pub(super) fn take(&self) -> Option<Stream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, stream: Stream) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(stream);
    }
}

/// A stream and all it holds until it ends.
pub(super) struct Stream {
    kind: StreamKind,
    state: Arc<AppState>,
    /// Comes when the client has been told so.
    socket: oneshot::Receiver<WebSocket>,
    _permit: OwnedSemaphorePermit,
    /// A connection with a stream is at work.
    _work: Option<CountGuard>,
}

/// Answers a request for a stream.
async fn open(
    state: Arc<AppState>,
    kind: StreamKind,
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
    pending_upgrade.set(Stream { kind, state, socket, _permit: permit, _work: work });
    upgrade
        .read_buffer_size(MAX_CLIENT_BYTES)
        .write_buffer_size(WRITE_BUFFER)
        .max_message_size(MAX_CLIENT_BYTES)
        .max_frame_size(MAX_CLIENT_BYTES)
        .on_upgrade(|socket| async move {
            socket_sender.send(socket).ok(); // The connection may have been closed meanwhile.
        })
}

/// 426: the path is a stream, and what was asked is none.
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

/// Why a stream ends: what its client is told, or nothing where there is nobody to tell.
type CloseReason = Option<(u16, &'static str)>;

const CLOSE_STOPPING: CloseReason = Some((close_code::AWAY, "the service is stopping"));
const CLOSE_FAILED: CloseReason = Some((close_code::ERROR, "internal error; see the log of the service"));
const CLOSE_BEHIND: CloseReason = Some((close_code::AGAIN, "too many deletions were missed: open the stream again"));
const CLOSE_FLOOD: CloseReason = Some((close_code::POLICY, "clients must send only a few small messages on a stream"));

impl Stream {
    /// Tells what there is to tell, until one of both sides ends it.
    pub(super) async fn run(self, mut stop: watch::Receiver<bool>) {
        let Self { kind, state, socket, _permit, _work } = self;
        let Ok(socket) = socket.await else { return };
        tracing::debug!(?kind, "stream opened");
        let (mut sink, mut source) = socket.split();
        let activity = Mutex::new(ClientActivity { at: Instant::now(), messages: 0 });
        let close_reason = tokio::select! {
            close_reason = send_changes(&state, kind, &mut sink, &activity) => close_reason,
            close_reason = receive(&mut source, &activity) => close_reason,
            // An error says that nobody can stop it any more, which is a stop too.
            _ = stop.wait_for(|stop| *stop) => CLOSE_STOPPING,
        };
        tracing::debug!(?kind, ?close_reason, "stream closed");
        if let Some((code, reason)) = close_reason {
            let frame = CloseFrame { code, reason: reason.into() };
            // So that it ends well within the time that a stopping service gives.
            timeout(state.limits.drain / 2, close(sink, source, frame)).await.ok();
        }
    }
}

/// Says goodbye, and waits for the answer: whoever closes with something unread breaks the connection off.
async fn close(mut sink: SplitSink<WebSocket, Message>, mut source: SplitStream<WebSocket>, frame: CloseFrame) {
    if sink.send(Message::Close(Some(frame))).await.is_ok() {
        while let Some(Ok(_)) = source.next().await {}
    }
}

/// What a client said.
struct ClientActivity {
    /// When anything last came.
    at: Instant,
    /// How many messages came since the last ping.
    messages: usize,
}

/// Tells what changes, and pings. Ends when the client does not take it, or is silent.
async fn send_changes(
    state: &AppState,
    kind: StreamKind,
    sink: &mut SplitSink<WebSocket, Message>,
    activity: &Mutex<ClientActivity>,
) -> CloseReason {
    let ping_interval: Duration = state.limits.ping;
    let mut stream = streams::begin(state.service(), kind);
    let mut ticks = interval_at(Instant::now() + ping_interval, ping_interval);
    // A client that took long over a message has its time for the next answer all the same.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut pinged_at: Option<Instant> = None;
    loop {
        let message = tokio::select! {
            next = stream.next() => match next {
                Next::Message(message) => Message::Text(message.into()),
                Next::Read(cursor) => {
                    let page = state.read(kind.info().name, move |service| streams::read(service, kind, cursor)).await;
                    let Ok(page) = page else { return CLOSE_FAILED };
                    Message::Text(stream.page_message(page).into())
                }
                Next::FeedEnd(FeedEnd::TooFarBehind) => return CLOSE_BEHIND,
                Next::FeedEnd(FeedEnd::Closed) => return CLOSE_STOPPING,
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
            // The client is gone, or does not read.
            Ok(Err(_)) | Err(_) => return None,
        }
    }
}

/// Hears that the client is there. Ends when it leaves, or says too much.
async fn receive(source: &mut SplitStream<WebSocket>, activity: &Mutex<ClientActivity>) -> CloseReason {
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
    }
    None
}
