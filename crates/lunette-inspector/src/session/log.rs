//! The log of calls, and the observer of the client that writes it.
//!
//! The client shows every call to its observer, so the log cannot miss one.

mod columns;
mod run_calls;

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jiff::Timestamp;

use crate::Vendor;
use crate::session::PendingCall;
use crate::session::reporter::Reporter;
use crate::{CallError, ProgressEvent};
use lunette_client::client::{self, CallGroup, Client, Exchange, Observer, Purpose};
#[cfg(test)]
use lunette_client::operation::Operation as _;
use lunette_client::operation::OperationInfo;
pub use run_calls::RunCalls;
pub(crate) use run_calls::count_call;

/// How many bytes of a body the log keeps; the full size is recorded.
const BODY_KEPT: usize = 64 * 1024;
/// How many bytes of a body it keeps of background calls and of larger pages of a list: there are many, and few are viewed.
const BACKGROUND_BODY_KEPT: usize = 2 * 1024;

/// A call and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// The number of the call, from 1.
    pub number: u64,
    /// The operation.
    pub info: &'static OperationInfo,
    /// When it was sent.
    pub at: Timestamp,
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
    /// The run that it belongs to.
    pub run: Option<Arc<CallGroup>>,
    /// All calls of the run, if the entry stands for them.
    pub calls: Option<RunCalls>,
    /// Whether its bodies were dropped: the log keeps only the newest.
    pub dropped: bool,
    /// Its size in memory, in bytes.
    weight: usize,
}

impl LogEntry {
    /// Returns the outcome: the status and what became of the call.
    pub fn outcome(&self) -> String {
        if let Some(calls) = &self.calls {
            return calls.to_string();
        }
        match (self.status, &self.error) {
            (Some(status), None) => format!("{status} OK"),
            (Some(status @ 400..), Some(_)) => format!("{status} refused"),
            (Some(status), Some(error)) => format!("{status} {}", error.phase()),
            (None, Some(error)) => error.phase().to_owned(),
            (None, None) => "unknown".to_owned(),
        }
    }

    /// Makes the entry of a call with this number and purpose.
    pub(crate) fn of<T>(number: u64, exchange: &Exchange<T>, purpose: Purpose) -> Self {
        let long_page = purpose == Purpose::Part && exchange.response_body.len() > BODY_KEPT;
        let background = purpose == Purpose::Background;
        let most = if background || long_page { BACKGROUND_BODY_KEPT } else { BODY_KEPT };
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
            run: None,
            calls: None,
            dropped: false,
            weight: 0,
        }
        .weighed()
    }

    /// The same call as one of a run.
    pub(crate) fn of_run(self, run: Option<Arc<CallGroup>>) -> Self {
        Self { run, ..self }
    }

    /// Sets its weight, which is computed once because the log adds up all weights at each call.
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
            run: self.run.clone(),
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
            at: Timestamp::UNIX_EPOCH,
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
            run: None,
            calls: None,
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

/// Writes the log of the calls of a connection.
pub(crate) struct CallLog {
    reporter: Reporter,
    /// The number of calls so far, over all connections.
    count: Arc<AtomicU64>,
}

impl CallLog {
    /// Creates the log of a connection; `count` is shared by the logs of all connections.
    pub(crate) fn new(reporter: Reporter, count: Arc<AtomicU64>) -> Self {
        Self { reporter, count }
    }
}

impl Observer for CallLog {
    fn slow(&self, operation: &'static str, since: Timestamp) -> Box<dyn Send> {
        let call = Arc::new(PendingCall { operation, since });
        self.reporter.report(ProgressEvent::Waiting(Arc::clone(&call)));
        Box::new(ShownWaiting { reporter: self.reporter.clone(), call })
    }

    fn ended(&self, client: &Client, exchange: &Exchange<Box<dyn Any + Send>>) -> u64 {
        let purpose = client.purpose();
        if purpose == Purpose::Liveness {
            return 0;
        }
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let line = Arc::new(LogEntry::of(number, exchange, purpose).of_run(client.group().cloned()));
        let vendor = Vendor::of_server(exchange.server.as_deref());
        let pace = client.pace();
        let called = ProgressEvent::Called { line: Arc::clone(&line), vendor, pace };
        // Other calls wake the window with their results.
        match &line.error {
            Some(CallError::Refused { .. }) => self.reporter.report(called),
            _ if purpose == Purpose::Request => self.reporter.report(called),
            _ => self.reporter.report_quietly(called),
        }
        number
    }
}

/// Removes a pending call from the window when it ends, also if it is cancelled.
struct ShownWaiting {
    reporter: Reporter,
    call: Arc<PendingCall>,
}

impl Drop for ShownWaiting {
    fn drop(&mut self) {
        self.reporter.report(ProgressEvent::Waited(Arc::clone(&self.call)));
    }
}
