//! One request on the wire: sent once, read up to a limit, then validated: status first, then bytes, then JSON.
//!
//! What must hold: a call ends within its time limit whatever the server does; no more than the size limit is ever
//! buffered; a write is never sent twice, and one blocked by the write policy opens no connection.

use std::any::Any;
use std::error::Error;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use reqwest::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, LOCATION, RETRY_AFTER, SERVER};
use reqwest::{Request, Response, Url};
use tokio::sync::Semaphore;

use crate::operation::{BodyKind, DecodeError, Method, OperationInfo, RequestParts};

use super::error::TimeoutPhase;
use super::pace::{CallOutcome, Permit, retry_after};
use super::text::{error_text, sentence, web_page};
use super::{CallError, Client, Exchange, Limits, Target, Vendor};

/// The most bytes read of an error response.
const MAX_ERROR_BYTES: usize = 64 * 1024;
/// The most bytes read of a response that should have no content.
const MAX_VOID_BYTES: usize = 256;
/// The most bytes reserved up front for a response with Content-Length.
const MAX_RESERVED_BYTES: usize = 32 * 1024 * 1024;
/// A response of this size or larger is decoded on a blocking thread.
const LARGE_BYTES: usize = 256 * 1024;

/// What happens to a body larger than the limit.
#[derive(Clone, Copy)]
enum SizeCap {
    /// Fail with an error.
    Refuse(usize),
    /// Truncate at the limit.
    Truncate(usize),
}

/// A response as received, not decoded yet.
#[derive(Debug, Default)]
pub(super) struct RawResponse {
    pub(super) status: Option<u16>,
    pub(super) content_type: Option<String>,
    pub(super) server: Option<String>,
    pub(super) body: Vec<u8>,
    pub(super) elapsed: Duration,
    location: Option<String>,
    retry_after: Option<Duration>,
}

/// Why a suspended client sends nothing.
const SUSPENDED: &str = "the service no longer responds";

impl Client {
    /// Sends an observed call, once it has its permit, and decodes the response as a value of any type.
    pub(super) async fn exchange_any(
        &self,
        info: &'static OperationInfo,
        parts: RequestParts,
        header: Option<(&'static str, String)>,
        decoder: Decoder,
    ) -> Exchange<Box<dyn Any + Send>> {
        // Waiting for a permit is not waiting for the service.
        let permit = self.permit().await;
        let at = Timestamp::now();
        let call = async {
            let (target, mut raw, outcome) = self.send(info, &parts, header, permit).await;
            let outcome = match outcome {
                Ok(()) => run_decoder(&target, &mut raw.body, decoder).await,
                Err(error) => Err(error),
            };
            (target, raw, outcome)
        };
        let (target, raw, outcome) = self.observer.watch(info.name, call).await;
        self.ended(info, at, parts, (target, raw, outcome))
    }

    /// Makes the exchange of a call that ended, and shows it to the observer.
    pub(super) fn ended(
        &self,
        info: &'static OperationInfo,
        at: Timestamp,
        parts: RequestParts,
        (target, raw, outcome): (Target, RawResponse, Result<Box<dyn Any + Send>, CallError>),
    ) -> Exchange<Box<dyn Any + Send>> {
        let mut exchange = Exchange {
            number: 0,
            info,
            at,
            method: info.method,
            url: target.url,
            request_body: parts.body,
            status: raw.status,
            content_type: raw.content_type,
            server: raw.server,
            response_body: raw.body,
            elapsed: raw.elapsed,
            outcome,
        };
        exchange.number = self.observer.ended(self, &exchange);
        exchange
    }

    /// Waits for the permit of a call of a run. Fails with the pause that the service asked for if it is too long to wait.
    pub(super) async fn permit(&self) -> Result<Option<Permit>, Duration> {
        match self.limiter().filter(|_| self.for_run) {
            None => Ok(None),
            Some(limiter) => limiter.acquire().await.map(Some),
        }
    }

    /// Sends a request and reads its response as far as possible. Fails unless it is a success that was read whole.
    pub(super) async fn send(
        &self,
        info: &OperationInfo,
        parts: &RequestParts,
        header: Option<(&'static str, String)>,
        permit: Result<Option<Permit>, Duration>,
    ) -> (Target, RawResponse, Result<(), CallError>) {
        let limits = &self.limits;
        let target = self.target(info, parts);
        let mut raw = RawResponse::default();
        let total = if is_export(info) { limits.export } else { limits.total };
        let mut permit = match permit {
            Ok(permit) => permit,
            Err(pause) => {
                let problem = format!("the service asked for a pause of {} more seconds", pause.as_secs());
                return (target, raw, Err(CallError::Disconnected { problem }));
            }
        };
        // Every call passes this check.
        if self.write_policy.suspended() {
            return (target, raw, Err(CallError::Disconnected { problem: SUSPENDED.to_owned() }));
        }
        if let Some(error) = self.blocked(info, &target) {
            return (target, raw, Err(error));
        }
        let start = Instant::now();
        let timed = match self.request(&target, info, parts, header) {
            Err(error) => Ok(Err(error)),
            Ok(request) => tokio::time::timeout(total, self.receive(request, info, &target, &mut raw)).await,
        };
        raw.elapsed = start.elapsed();
        if let Some(permit) = &mut permit {
            permit.record(CallOutcome::of(raw.status, raw.retry_after, raw.elapsed));
        }
        let outcome = timed.unwrap_or_else(|_| {
            let waiting = if raw.status.is_some() { TimeoutPhase::Body } else { TimeoutPhase::Response };
            Err(CallError::TimedOut { target: target.clone(), waiting, limit: total })
        });
        if self.heeds_refusals {
            self.write_policy.learn(info, Vendor::of_server(raw.server.as_deref()), &outcome);
        }
        (target, raw, outcome)
    }

    /// Why a write is not sent: the write policy blocks it, or the service has refused one because it accepts none.
    fn blocked(&self, info: &OperationInfo, target: &Target) -> Option<CallError> {
        if !info.writes() {
            return None;
        }
        let refusal = self.refusal().filter(|_| self.heeds_refusals);
        let blocked = refusal.is_some() || !self.write_policy().allows_writes();
        blocked.then(|| CallError::ReadOnly { target: target.clone(), refusal })
    }

    fn request(
        &self,
        target: &Target,
        info: &OperationInfo,
        parts: &RequestParts,
        header: Option<(&'static str, String)>,
    ) -> Result<Request, CallError> {
        let internal = |problem: String| CallError::Internal { target: Some(target.clone()), problem };
        let url = Url::parse(&target.url).map_err(|error| internal(error.to_string()))?;
        // A URL parser that normalises the path could turn one operation into another.
        if url.as_str() != target.url {
            return Err(internal(format!("the address would be read as {url}")));
        }
        let (client, method) = match info.method {
            Method::Get => (&self.reads, reqwest::Method::GET),
            Method::Post => (&self.writes, reqwest::Method::POST),
        };
        let mut builder = client.request(method, url);
        // Without a value reqwest sends `*/*`, which says the same as no header (RFC 9110, 12.5.1).
        if let Some(accept) = info.accept.header() {
            builder = builder.header(ACCEPT, accept);
        }
        if let Some((name, text)) = header {
            builder = builder.header(name, text);
        }
        builder = match &parts.body {
            Some(body) => builder.header(CONTENT_TYPE, "application/json").body(body.clone()),
            // Some servers require it for every POST (RFC 9110, 8.6), and reqwest does not send it without a body.
            None if info.method == Method::Post => builder.header(CONTENT_LENGTH, 0),
            None => builder,
        };
        builder.build().map_err(|error| internal(root_cause(&error)))
    }

    /// Sends a request and returns the response head. A read whose connection was lost is retried once, since a pooled
    /// connection may be closed just then. A write is never retried.
    async fn send_with_retry(
        &self,
        request: Request,
        info: &OperationInfo,
        target: &Target,
    ) -> Result<Response, CallError> {
        if info.method == Method::Post {
            let sent = self.writes.execute(request).await;
            return sent.map_err(|error| transport_error(target, &self.limits, &error));
        }
        let retry = request.try_clone();
        let error = match self.reads.execute(request).await {
            Ok(response) => return Ok(response),
            Err(error) => transport_error(target, &self.limits, &error),
        };
        match (error, retry) {
            (CallError::Reset { .. }, Some(request)) => {
                self.reads.execute(request).await.map_err(|error| transport_error(target, &self.limits, &error))
            }
            (error, _) => Err(error),
        }
    }

    async fn receive(
        &self,
        request: Request,
        info: &OperationInfo,
        target: &Target,
        raw: &mut RawResponse,
    ) -> Result<(), CallError> {
        let response = self.send_with_retry(request, info, target).await?;
        raw.record_head(&response);
        let void = info.body_kind == BodyKind::Void;
        let limit = match void {
            true => MAX_VOID_BYTES,
            false if is_export(info) => self.limits.export_bytes,
            false => self.limits.json_bytes,
        };
        let cap = if self.limits.truncate { SizeCap::Truncate(limit) } else { SizeCap::Refuse(limit) };
        match raw.read_body(response, target, cap).await {
            Err(CallError::TooLarge { target, .. }) if void => {
                let found = format!("more than {MAX_VOID_BYTES} bytes");
                return Err(CallError::UnexpectedBody { target, found });
            }
            read => read?,
        }
        raw.validate(target)?;
        if void { raw.check_void(target) } else { Ok(()) }
    }
}

/// Responses of this size or larger are parsed one at a time, so that their memory never adds up.
const ONE_AT_A_TIME: usize = 1024 * 1024;
static PARSING: Semaphore = Semaphore::const_new(1);

/// Decodes a message of a stream.
pub(super) async fn decode<T: Send + 'static>(
    target: &Target,
    mut body: Vec<u8>,
    read: impl FnOnce(&[u8]) -> Result<T, DecodeError> + Send + 'static,
) -> Result<T, CallError> {
    run_decoder(target, &mut body, Box::new(move |body| Ok(Box::new(read(body)?)))).await.and_then(downcast)
}

/// The value that a decoder of this type returned.
pub(super) fn downcast<T: 'static>(decoded: Box<dyn Any + Send>) -> Result<T, CallError> {
    let other = |_| CallError::Internal { target: None, problem: "the decoder returned another type".to_owned() };
    decoded.downcast::<T>().map(|value| *value).map_err(other)
}

/// Reads a body as a value of any type.
pub(super) type Decoder = Box<dyn FnOnce(&[u8]) -> Result<Box<dyn Any + Send>, DecodeError> + Send>;

/// Decodes a body; a large one on a blocking thread, so that it does not stall the async workers.
async fn run_decoder(target: &Target, body: &mut Vec<u8>, decoder: Decoder) -> Result<Box<dyn Any + Send>, CallError> {
    let decoded = if body.len() < LARGE_BYTES {
        decoder(body)
    } else {
        // The semaphore is never closed. The permit moves into the task: dropping the call does not stop its parse.
        let permit = if body.len() < ONE_AT_A_TIME { None } else { PARSING.acquire().await.ok() };
        let moved = std::mem::take(body);
        let work = tokio::task::spawn_blocking(move || {
            let decoded = decoder(&moved);
            drop(permit);
            (moved, decoded)
        });
        let (moved, decoded) = work.await.map_err(|panic| {
            let problem = panic.to_string();
            CallError::Internal { target: Some(target.clone()), problem }
        })?;
        *body = moved;
        decoded
    };
    decoded.map_err(|error| match error {
        DecodeError::OverBudget(over) => CallError::TooManyValues { target: target.clone(), over },
        DecodeError::NotJson(problem) => CallError::NotJson { target: target.clone(), problem },
        DecodeError::Schema(wrong) => {
            CallError::SchemaError { target: target.clone(), path: wrong.path(), problem: wrong.problem().to_owned() }
        }
    })
}

fn is_export(info: &OperationInfo) -> bool {
    info.answer == "ExportedAsset"
}

impl RawResponse {
    /// Reads a response that was not sent by [`Client::send`], up to this limit.
    pub(super) async fn of(answer: Response, target: &Target, limit: usize) -> Result<Self, CallError> {
        let mut raw = Self::default();
        raw.record_head(&answer);
        raw.read_body(answer, target, SizeCap::Refuse(limit)).await?;
        Ok(raw)
    }

    fn record_head(&mut self, response: &Response) {
        let text = |name: HeaderName| header(response.headers(), &name);
        self.status = Some(response.status().as_u16());
        self.content_type = text(CONTENT_TYPE);
        self.server = text(SERVER);
        self.location = text(LOCATION);
        self.retry_after = text(RETRY_AFTER).and_then(|text| retry_after(&text, Timestamp::now()));
    }

    fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }

    async fn read_body(&mut self, mut response: Response, target: &Target, cap: SizeCap) -> Result<(), CallError> {
        // What an error response says is cut.
        let cap = if self.succeeded() { cap } else { SizeCap::Truncate(MAX_ERROR_BYTES) };
        let too_large = |limit| CallError::TooLarge { target: target.clone(), limit };
        let length = response.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if let (SizeCap::Refuse(limit), Some(length)) = (cap, length)
            && length > limit as u64
        {
            return Err(too_large(limit));
        }
        // Reserve the whole size if it is known, to avoid reallocation.
        let (SizeCap::Refuse(limit) | SizeCap::Truncate(limit)) = cap;
        let length = length.and_then(|length: u64| usize::try_from(length).ok()).unwrap_or_default();
        self.body.reserve_exact(length.min(limit).min(MAX_RESERVED_BYTES));
        loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => return Ok(()),
                // The status of an error response counts even if its text is incomplete.
                Err(_) if !self.succeeded() => return Ok(()),
                Err(error) => {
                    return Err(CallError::Reset { target: target.clone(), problem: root_cause(&error) });
                }
            };
            let room = limit - self.body.len();
            match cap {
                SizeCap::Refuse(limit) if chunk.len() > room => return Err(too_large(limit)),
                SizeCap::Refuse(_) => self.body.extend_from_slice(&chunk),
                SizeCap::Truncate(_) if chunk.len() < room => self.body.extend_from_slice(&chunk),
                SizeCap::Truncate(_) => {
                    self.body.extend_from_slice(&chunk[..room]);
                    return Ok(());
                }
            }
        }
    }

    /// Checks that a response without content is empty, or says so in JSON.
    ///
    /// Our choice: `null` and `{}` count as empty, since some servers send them with a 200.
    fn check_void(&self, target: &Target) -> Result<(), CallError> {
        match self.body.trim_ascii() {
            b"" | b"null" | b"{}" => Ok(()),
            _ => Err(CallError::UnexpectedBody { target: target.clone(), found: sentence(&self.body) }),
        }
    }

    /// Checks the status, then whether the response comes from a service of this interface.
    pub(super) fn validate(&self, target: &Target) -> Result<(), CallError> {
        let target = || target.clone();
        let status = self.status.unwrap_or_default();
        let page = web_page(&self.body);
        match (self.succeeded(), page) {
            (true, None) => Ok(()),
            (true, Some(found)) => Err(CallError::NotThisService { target: target(), found, status: self.status }),
            // A "not found" page may come from a service that supports only some operations.
            (false, Some(found)) if !matches!(status, 404 | 405 | 501) && self.location.is_none() => {
                let found = format!("{found}, status {status}");
                Err(CallError::NotThisService { target: target(), found, status: self.status })
            }
            (false, page) => {
                let sentence = match (&self.location, page, sentence(&self.body)) {
                    (Some(location), ..) if (300..400).contains(&status) => {
                        format!("redirected to {}", sentence(location.as_bytes()))
                    }
                    (_, Some(page), _) => page,
                    (.., text) if text.is_empty() => "no reason given".to_owned(),
                    (.., text) => text,
                };
                Err(CallError::Status { target: target(), status, sentence })
            }
        }
    }
}

pub(super) fn header(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(|value| sentence(value.as_bytes()))
}

/// Converts a transport error: there is no response at all.
pub(super) fn transport_error(target: &Target, limits: &Limits, error: &reqwest::Error) -> CallError {
    let target = target.clone();
    let problem = root_cause(error);
    if error.is_connect() && error.is_timeout() {
        return CallError::TimedOut { target, waiting: TimeoutPhase::Connect, limit: limits.connect };
    }
    if error.is_connect() {
        return CallError::Refused { target, problem };
    }
    if error.is_builder() {
        return CallError::Internal { target: Some(target), problem };
    }
    // hyper's messages for a response that is not HTTP, or that comes before its request; there is no error kind for
    // these.
    let foreign = ["message head is too large", "received unexpected message"];
    if problem.ends_with(" parsed") || foreign.iter().any(|sign| problem.starts_with(sign)) {
        let found = format!("the response is not HTTP: {problem}");
        return CallError::NotThisService { target, found, status: None };
    }
    CallError::Reset { target, problem }
}

/// The innermost source: the outer errors only say that a request failed.
fn root_cause(error: &reqwest::Error) -> String {
    let mut cause: &(dyn Error + 'static) = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    error_text(cause)
}
