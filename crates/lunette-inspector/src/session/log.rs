//! The log of calls, and the client that writes it.
//!
//! Every call of the window goes through `LoggedClient::exchange`, so the log cannot miss one.

mod columns;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use crate::journal::Entry;
use crate::session::{PendingCall, SLOW};
use crate::tasks::Waker;
use crate::{CallError, ProgressEvent, WritePolicy, broken};
use lunette_client::client::{self, Client, Exchange, Limiter, PaceView};
use lunette_client::operation::{Call, DecodeError, Operation, OperationInfo, Reply, RequestParts};

/// How many bytes of a body the log keeps; the full size is recorded.
const BODY_KEPT: usize = 64 * 1024;
/// The same for background calls and for larger pages of a list: there are many, and few are viewed.
const BACKGROUND_BODY_KEPT: usize = 2 * 1024;

/// A call and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// The number of the call, from 1.
    pub number: u64,
    /// The operation.
    pub info: &'static OperationInfo,
    /// When it was sent.
    pub at: jiff::Timestamp,
    /// The URL.
    pub url: String,
    /// The status, if there was a response.
    pub status: Option<u16>,
    /// How long it took.
    pub elapsed: Duration,
    /// The size of the response body, in bytes.
    pub size: usize,
    /// The content type of the response.
    pub content_type: Option<String>,
    /// The request body, truncated if it is long.
    pub request_body: Option<String>,
    /// The response body, truncated if it is long.
    pub response_body: String,
    /// Why it failed, if it did.
    pub error: Option<CallError>,
    /// The call as a shell command.
    pub curl: String,
    /// Whether it is a background call of live updates.
    pub background: bool,
    /// Whether its bodies were dropped: the log keeps only the newest.
    pub dropped: bool,
    /// Its size in memory, in bytes.
    weight: usize,
}

impl LogEntry {
    /// Returns the outcome: the status and what became of the call.
    pub fn outcome(&self) -> String {
        match (self.status, &self.error) {
            (Some(status), None) => format!("{status} done"),
            (Some(status @ 400..), Some(_)) => format!("{status} refused"),
            (Some(status), Some(error)) => format!("{status} {}", error.phase()),
            (None, Some(error)) => error.phase().to_owned(),
            (None, None) => "unknown".to_owned(),
        }
    }

    fn of<T>(number: u64, exchange: &Exchange<T>, background: bool, most: usize) -> Self {
        let truncated = |body: &[u8]| truncated(body, most);
        Self {
            number,
            info: exchange.info,
            at: exchange.at,
            url: exchange.url.clone(),
            status: exchange.status,
            elapsed: exchange.elapsed,
            size: exchange.response_body.len(),
            content_type: exchange.content_type.clone(),
            request_body: exchange.request_body.as_deref().map(&truncated),
            response_body: truncated(&exchange.response_body),
            error: exchange.outcome.as_ref().err().cloned(),
            curl: curl(exchange),
            background,
            dropped: false,
            weight: 0,
        }
        .weighed()
    }

    /// The same with its weight, which is computed once because the log adds up all weights at each call.
    fn weighed(mut self) -> Self {
        let Self { url, content_type, request_body, response_body, error, curl, .. } = &self;
        let texts = [content_type, request_body].map(|text| text.as_ref().map_or(0, String::len));
        // An error contains the same texts as its message.
        let error = error.as_ref().map_or(0, |error| error.to_string().len());
        let texts = texts.iter().sum::<usize>() + url.len() + response_body.len() + curl.len() + error;
        self.weight = size_of::<Self>() + texts;
        self
    }

    /// Its size in memory, in bytes.
    pub(crate) fn weight(&self) -> usize {
        self.weight
    }

    /// Returns the same call without its bodies.
    pub(crate) fn without_bodies(&self) -> Self {
        let command = client::curl(self.info, &self.url, None);
        let curl = match self.request_body {
            Some(_) => format!("{command} --data-binary @body.json # the body is no longer available"),
            None => command,
        };
        let Self { url, content_type, error, .. } = self;
        Self {
            url: url.clone(),
            content_type: content_type.clone(),
            request_body: None,
            response_body: String::new(),
            error: error.clone(),
            curl,
            dropped: true,
            ..*self
        }
        .weighed()
    }

    /// A call with a URL and a body of these sizes, for tests.
    #[cfg(test)]
    pub(crate) fn sample(number: u64, url: usize, body: usize) -> Self {
        use lunette_client::operation::table::AssetUpdate;
        Self {
            number,
            info: AssetUpdate::INFO,
            at: jiff::Timestamp::UNIX_EPOCH,
            url: format!("http://localhost/{}", "a".repeat(url)),
            status: Some(200),
            elapsed: Duration::ZERO,
            size: body,
            content_type: None,
            request_body: Some("{}".to_owned()),
            response_body: "x".repeat(body),
            error: None,
            curl: String::new(),
            background: false,
            dropped: false,
            weight: 0,
        }
        .weighed()
    }
}

/// The call as a shell command; a body that is too large to keep is replaced by a file name.
fn curl<T>(exchange: &Exchange<T>) -> String {
    match &exchange.request_body {
        Some(body) if body.len() > BODY_KEPT => {
            let short = client::curl(exchange.info, &exchange.url, None);
            format!("{short} --data-binary @body.json # the body ({} bytes) was too large to keep", body.len())
        }
        Some(_) | None => exchange.curl(),
    }
}

/// The beginning of a body as text.
fn truncated(body: &[u8], most: usize) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(most)]);
    match body.len() {
        length if length > most => format!("{text}\n… {most} of {length} bytes"),
        _ => text.into_owned(),
    }
}

/// Whether a `Server` header is that of our own service.
pub(crate) fn is_own(server: &str) -> bool {
    server.starts_with("lunette/")
}

/// A client whose every call is logged.
#[derive(Clone)]
pub struct LoggedClient {
    client: Client,
    /// The pace of its runs, at a service of others.
    limiter: Option<Limiter>,
    events: Sender<ProgressEvent>,
    waker: Waker,
    count: Arc<AtomicU64>,
    /// The number of the connection; responses of older ones are not shown.
    pub(crate) generation: u64,
    /// Whether its calls are background calls.
    background: bool,
    /// Whether its calls wake the window.
    wakes: bool,
}

impl LoggedClient {
    /// Adds the log to a client.
    pub(crate) fn new(
        client: Client,
        events: Sender<ProgressEvent>,
        waker: Waker,
        count: Arc<AtomicU64>,
        generation: u64,
    ) -> Self {
        Self { client, limiter: None, events, waker, count, generation, background: false, wakes: true }
    }

    /// The same for background calls: they are logged as such, and wake the window only if the service no longer
    /// responds.
    pub(crate) fn in_background(&self) -> Self {
        Self { background: true, ..self.clone() }
    }

    /// The same at its service: at one of others, runs begin with one call at a time and have so many at most.
    pub(crate) fn at_its_pace(self, own: bool, most: usize) -> Self {
        Self { limiter: (!own).then(|| Limiter::new(most)), ..self }
    }

    /// The pace of its runs; None at a service of our own.
    pub(crate) fn limiter(&self) -> Option<&Limiter> {
        self.limiter.as_ref()
    }

    /// The same for the calls of a run: at a service of others each waits for its turn.
    pub(crate) fn in_run(&self) -> Self {
        match &self.limiter {
            Some(limiter) => Self { client: self.client.clone().paced(limiter.clone()), ..self.clone() },
            None => self.clone(),
        }
    }

    /// How the runs at this service are paced; None where they are not.
    pub(crate) fn pace(&self) -> Option<PaceView> {
        self.client.pace().map(Limiter::view)
    }

    /// The same for calls whose results are reported separately: their log entries wake the window only if the service
    /// no longer responds.
    pub(crate) fn without_waking(&self) -> Self {
        Self { wakes: false, ..self.clone() }
    }

    /// The same for responses of at most this many bytes.
    pub(crate) fn at_most(&self, bytes: usize) -> Self {
        Self { client: self.client.clone().at_most(bytes), ..self.clone() }
    }

    /// The same for calls that read only this many bytes of the response.
    pub(crate) fn beginning(&self, bytes: usize) -> Self {
        Self { client: self.client.clone().beginning(bytes), ..self.clone() }
    }

    /// The same for JSON responses that are this many times as large as usual.
    pub(crate) fn with_room(&self, times: usize) -> Self {
        Self { client: self.client.clone().with_room(times), ..self.clone() }
    }

    /// The client, for streams, which are not calls.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Calls, logs, and returns the response with its log entry.
    pub(crate) async fn exchange(&self, call: &Call) -> (Exchange, Arc<LogEntry>) {
        // Waiting for its turn is no waiting for an answer.
        let client = self.client.with_permit().await;
        let exchange = self.watched(call.info().name, client.exchange(call)).await;
        self.log(exchange)
    }

    /// The same with other request parts than those of the table, and a header.
    pub(crate) async fn exchange_as(
        &self,
        call: &Call,
        parts: RequestParts,
        header: Option<(&'static str, String)>,
    ) -> Exchange {
        let client = self.client.with_permit().await;
        self.log(self.watched(call.info().name, client.exchange_as(call, parts, header)).await).0
    }

    /// Awaits a call, and shows that it is pending if it takes long.
    pub(crate) async fn watched<T>(&self, operation: &'static str, call: impl Future<Output = T>) -> T {
        let since = jiff::Timestamp::now();
        let mut call = std::pin::pin!(call);
        if let Ok(done) = tokio::time::timeout(SLOW, call.as_mut()).await {
            return done;
        }
        let call_shown = Arc::new(PendingCall { operation, since });
        self.report(ProgressEvent::Waiting { call: Arc::clone(&call_shown), generation: self.generation });
        let _shown = ShownWaiting { client: self, call: call_shown };
        call.await
    }

    /// The base address of the service.
    pub(crate) fn base(&self) -> String {
        self.client.address().to_string()
    }

    /// Calls and logs, and reads the response in another way than as the record of the operation.
    pub(crate) async fn exchange_reading<T: Send + 'static>(
        &self,
        call: &Call,
        read: impl FnOnce(&[u8]) -> Result<T, DecodeError> + Send + 'static,
    ) -> Exchange<T> {
        let client = self.client.with_permit().await;
        self.log(self.watched(call.info().name, client.exchange_reading(call, read)).await).0
    }

    fn log<T>(&self, exchange: Exchange<T>) -> (Exchange<T>, Arc<LogEntry>) {
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let long_page = !self.wakes && exchange.response_body.len() > BODY_KEPT;
        let most = if self.background || long_page { BACKGROUND_BODY_KEPT } else { BODY_KEPT };
        let line = Arc::new(LogEntry::of(number, &exchange, self.background, most));
        let own = exchange.server.as_deref().is_some_and(is_own);
        let note =
            ProgressEvent::Called { line: Arc::clone(&line), own, pace: self.pace(), generation: self.generation };
        match &line.error {
            Some(CallError::Refused { .. }) => self.report(note),
            _ if self.background || !self.wakes => self.report_quietly(note),
            _ => self.report(note),
        }
        (exchange, line)
    }

    /// Requests an unknown path, and logs it like any other call.
    pub(crate) async fn probe_unknown_path(&self) -> Arc<LogEntry> {
        self.log(self.client.probe_unknown_path().await).1
    }

    /// The same client sharing the write policy of another one.
    pub(crate) fn sharing_write_policy(self, other: &Self) -> Self {
        Self { client: self.client.sharing_write_policy(&other.client), ..self }
    }

    /// Blocks or unblocks all calls, also of running work.
    pub(crate) fn suspend(&self, suspended: bool) {
        self.client.suspend(suspended);
    }

    /// The write policy.
    pub(crate) fn write_policy(&self) -> WritePolicy {
        self.client.write_policy()
    }

    /// Sets the write policy, also for running work.
    pub(crate) fn set_write_policy(&self, policy: WritePolicy) {
        self.client.set_write_policy(policy);
    }

    /// Calls and logs; the reply of any operation.
    pub(crate) async fn reply(&self, call: &Call) -> Result<Reply, CallError> {
        self.exchange(call).await.0.outcome
    }

    /// Calls and logs an operation; its own response.
    pub(crate) async fn call<O: Operation>(&self, operation: O) -> Result<O::Output, CallError> {
        let call: Call = operation.into();
        let reply = self.reply(&call).await?;
        O::output(reply).ok_or_else(|| broken("the response belongs to another operation"))
    }

    /// Reports that an entry of the journal began or ended; `problem` says why its end could not be recorded.
    pub(crate) fn report_entry(&self, entry: Entry, problem: Option<String>) {
        self.report(self.entry_event(entry, problem));
    }

    /// The same without waking the window.
    pub(crate) fn report_entry_quietly(&self, entry: Entry) {
        self.report_quietly(self.entry_event(entry, None));
    }

    fn entry_event(&self, entry: Entry, problem: Option<String>) -> ProgressEvent {
        let title = &entry.title;
        let problem = problem.map(|why| format!("“{title}” has ended, but its result could not be recorded: {why}"));
        ProgressEvent::Step { entry: Arc::new(entry), problem, generation: self.generation }
    }

    /// Reports an event, and wakes the window.
    pub(crate) fn report(&self, event: ProgressEvent) {
        self.report_quietly(event);
        (self.waker)();
    }

    /// Reports an event without waking the window.
    pub(crate) fn report_quietly(&self, event: ProgressEvent) {
        // Without a receiver the window is closed, and the event is dropped.
        self.events.send(event).ok();
    }
}

/// Removes a pending call from the window when it ends, also if it is cancelled.
struct ShownWaiting<'a> {
    client: &'a LoggedClient,
    call: Arc<PendingCall>,
}

impl Drop for ShownWaiting<'_> {
    fn drop(&mut self) {
        self.client.report(ProgressEvent::Waited { call: Arc::clone(&self.call), generation: self.client.generation });
    }
}
