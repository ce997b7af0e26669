//! One request on the wire: sent once, read under a cap, and judged: status first, then bytes, then JSON.
//!
//! What must hold: a call ends within its limit whatever the other side does; no more than the cap is ever held; a
//! write is never sent twice, and where the write policy holds it back no connection is made for it.

use std::error::Error as _;
use std::time::{Duration, Instant};

use reqwest::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderName, LOCATION, SERVER};
use reqwest::{Request, Response, Url};
use tokio::sync::Semaphore;

use crate::operation::{DecodeError, Method, OperationInfo, RequestParts};

use super::error::TimeoutPhase;
use super::text::{sentence, web_page};
use super::{CallError, Client, Limits, Target};

/// The most bytes of a refusal that are read.
const MAX_ERROR_BYTES: usize = 64 * 1024;
/// The most bytes of the body of an answer that has no content.
const MAX_VOID_BYTES: usize = 256;
/// The most bytes that are reserved for an answer that says how long it is.
const MAX_RESERVED_BYTES: usize = 32 * 1024 * 1024;
/// An answer of so many bytes is read on a thread of its own.
const LARGE_BYTES: usize = 256 * 1024;

/// What happens to a body that is larger than it may be.
#[derive(Clone, Copy)]
enum SizeCap {
    /// It is an error.
    Refuse(usize),
    /// It is read so far.
    Truncate(usize),
}

/// What was heard of an answer.
#[derive(Debug, Default)]
pub(super) struct RawResponse {
    pub(super) status: Option<u16>,
    pub(super) content_type: Option<String>,
    pub(super) server: Option<String>,
    pub(super) body: Vec<u8>,
    pub(super) elapsed: Duration,
    location: Option<String>,
}

/// Why a suspended client sends nothing.
const SUSPENDED: &str = "the service no longer responds";

impl Client {
    /// Sends a request and reads its answer, as far as it comes. Fails on everything but a success that was read whole.
    pub(super) async fn send(
        &self,
        info: &OperationInfo,
        parts: &RequestParts,
    ) -> (Target, RawResponse, Result<(), CallError>) {
        self.send_with(info, parts, None).await
    }

    /// The same with one header more.
    pub(super) async fn send_with(
        &self,
        info: &OperationInfo,
        parts: &RequestParts,
        header: Option<(&'static str, String)>,
    ) -> (Target, RawResponse, Result<(), CallError>) {
        let limits = &self.limits;
        let target = self.target(info, parts);
        let mut raw = RawResponse::default();
        let total = if is_export(info) { limits.export } else { limits.total };
        // The one door: whoever calls comes by here.
        if self.write_policy.suspended() {
            return (target, raw, Err(CallError::Disconnected { problem: SUSPENDED.to_owned() }));
        }
        if info.writes() && !self.write_policy().allows_writes() {
            return (target.clone(), raw, Err(CallError::ReadOnly { target }));
        }
        let start = Instant::now();
        let timed = match self.request(&target, info, parts, header) {
            Err(error) => Ok(Err(error)),
            Ok(request) => tokio::time::timeout(total, self.receive(request, info, &target, &mut raw)).await,
        };
        raw.elapsed = start.elapsed();
        let outcome = timed.unwrap_or_else(|_| {
            let waiting = if raw.status.is_some() { TimeoutPhase::Body } else { TimeoutPhase::Response };
            Err(CallError::TimedOut { target: target.clone(), waiting, limit: total })
        });
        (target, raw, outcome)
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
        // A reader of URLs that drops or follows a part of the path would turn one operation into another.
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
            // Some servers want it of every POST (RFC 9110, 8.6), and it is not sent by itself.
            None if info.method == Method::Post => builder.header(CONTENT_LENGTH, 0),
            None => builder,
        };
        builder.build().map_err(|error| internal(root_cause(&error)))
    }

    /// The head of the answer. A read that broke off is asked again, once: a connection kept alive may be closed just
    /// when the request goes out. A write is not, ever.
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
        raw.take_head(&response);
        let limit = match info.answer {
            "void" => MAX_VOID_BYTES,
            _ if is_export(info) => self.limits.export_bytes,
            _ => self.limits.json_bytes,
        };
        let cap = if self.limits.beginning { SizeCap::Truncate(limit) } else { SizeCap::Refuse(limit) };
        match raw.read_body(response, target, cap).await {
            Err(CallError::TooLarge { target, .. }) if info.answer == "void" => {
                let found = format!("more than {MAX_VOID_BYTES} bytes");
                return Err(CallError::UnexpectedBody { target, found });
            }
            read => read?,
        }
        raw.validate(target)?;
        if info.answer == "void" { raw.check_void(target) } else { Ok(()) }
    }
}

/// One answer of this size or larger is parsed at a time, so that what several of them need never adds up.
const ONE_AT_A_TIME: usize = 1024 * 1024;
static PARSING: Semaphore = Semaphore::const_new(1);

/// What came back, read off the threads that wait for others: a large answer takes its time.
pub(super) async fn decode<T: Send + 'static>(
    target: &Target,
    body: Vec<u8>,
    read: impl FnOnce(&[u8]) -> Result<T, DecodeError> + Send + 'static,
) -> (Vec<u8>, Result<T, CallError>) {
    let (body, answer) = if body.len() < LARGE_BYTES {
        let answer = read(&body);
        (body, answer)
    } else {
        // The semaphore is never closed. The permit goes with the work: a call that is given up does not end its parse.
        let permit = if body.len() < ONE_AT_A_TIME { None } else { PARSING.acquire().await.ok() };
        let work = tokio::task::spawn_blocking(move || {
            let answer = read(&body);
            drop(permit);
            (body, answer)
        });
        match work.await {
            Ok(done) => done,
            Err(panic) => {
                let problem = panic.to_string();
                return (Vec::new(), Err(CallError::Internal { target: Some(target.clone()), problem }));
            }
        }
    };
    let answer = answer.map_err(|bad| match bad {
        DecodeError::OverBudget(over) => CallError::TooManyValues { target: target.clone(), over },
        DecodeError::NotJson(problem) => CallError::NotJson { target: target.clone(), problem },
        DecodeError::Schema(wrong) => {
            CallError::SchemaError { target: target.clone(), path: wrong.path(), problem: wrong.problem().to_owned() }
        }
    });
    (body, answer)
}

fn is_export(info: &OperationInfo) -> bool {
    info.answer == "ExportedAsset"
}

impl RawResponse {
    /// An answer of another sender than [`Client::send`], read whole under this cap.
    pub(super) async fn of(answer: Response, target: &Target, limit: usize) -> Result<Self, CallError> {
        let mut raw = Self::default();
        raw.take_head(&answer);
        raw.read_body(answer, target, SizeCap::Refuse(limit)).await?;
        Ok(raw)
    }

    fn take_head(&mut self, response: &Response) {
        let text = |name: HeaderName| header(response.headers(), &name);
        self.status = Some(response.status().as_u16());
        self.content_type = text(CONTENT_TYPE);
        self.server = text(SERVER);
        self.location = text(LOCATION);
    }

    fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }

    async fn read_body(&mut self, mut response: Response, target: &Target, cap: SizeCap) -> Result<(), CallError> {
        let (limit, truncates) = match cap {
            SizeCap::Refuse(limit) => (limit, false),
            SizeCap::Truncate(limit) => (limit, true),
        };
        let too_large = || CallError::TooLarge { target: target.clone(), limit };
        let content_length =
            response.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if self.succeeded() && !truncates && content_length.is_some_and(|length: u64| length > limit as u64) {
            return Err(too_large());
        }
        // In one piece where its size is known, so that it is not moved while it grows.
        let length = content_length.and_then(|length: u64| usize::try_from(length).ok()).unwrap_or_default();
        self.body.reserve_exact(length.min(limit).min(MAX_RESERVED_BYTES));
        loop {
            let chunk = match response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => return Ok(()),
                // A refusal stands by its status, even where its text is broken off.
                Err(_) if !self.succeeded() => return Ok(()),
                Err(error) => {
                    return Err(CallError::Reset { target: target.clone(), problem: root_cause(&error) });
                }
            };
            if self.succeeded() {
                let room = limit - self.body.len();
                if truncates && chunk.len() >= room {
                    self.body.extend_from_slice(&chunk[..room]);
                    return Ok(());
                }
                if chunk.len() > room {
                    return Err(too_large());
                }
                self.body.extend_from_slice(&chunk);
            } else {
                let room = MAX_ERROR_BYTES - self.body.len();
                self.body.extend_from_slice(&chunk[..chunk.len().min(room)]);
                if self.body.len() == MAX_ERROR_BYTES {
                    return Ok(());
                }
            }
        }
    }

    /// Whether the body of an answer without content is empty, or says in JSON that it is.
    ///
    /// Our choice: `null` and `{}` count as empty, since some servers send them with a 200.
    fn check_void(&self, target: &Target) -> Result<(), CallError> {
        match self.body.trim_ascii() {
            b"" | b"null" | b"{}" => Ok(()),
            _ => Err(CallError::UnexpectedBody { target: target.clone(), found: sentence(&self.body) }),
        }
    }

    /// Status first; then whether it is this service at all.
    pub(super) fn validate(&self, target: &Target) -> Result<(), CallError> {
        let target = || target.clone();
        let status = self.status.unwrap_or_default();
        let page = web_page(&self.body);
        match (self.succeeded(), page) {
            (true, None) => Ok(()),
            (true, Some(found)) => Err(CallError::NotThisService { target: target(), found, status: self.status }),
            // A page that says "not found" may be a service that offers a part only.
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

/// Why there is no answer at all.
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
    // How hyper names an answer that is no HTTP, or that comes before it was asked; it has no other sign to go by here.
    let foreign = ["message head is too large", "received unexpected message"];
    if problem.ends_with(" parsed") || foreign.iter().any(|sign| problem.starts_with(sign)) {
        let found = format!("the response is not HTTP: {problem}");
        return CallError::NotThisService { target, found, status: None };
    }
    CallError::Reset { target, problem }
}

/// The innermost reason: the ones around it only say that a request failed.
fn root_cause(error: &reqwest::Error) -> String {
    let mut reason = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        reason = inner.to_string();
        source = inner.source();
    }
    sentence(reason.as_bytes())
}
