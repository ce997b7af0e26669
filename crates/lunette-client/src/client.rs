//! The client: any operation of the table, sent to any service of the interface.
//!
//! It knows no operation by name; the rows say what is sent. What must hold (reliability): a call ends within its
//! limit, no redirect is followed, no proxy is used for services on this machine, a write is sent once and only when
//! the write policy allows it, and a response is never buffered beyond its limit. Every failure is a [`CallError`] that
//! names method, address, phase and reason.

use std::time::Duration;

use jiff::Timestamp;

use crate::operation::{Call, DecodeError, Operation, OperationInfo, RequestParts, ResponseBody as _};

mod address;
mod discover;
mod error;
mod exchange;
mod pace;
mod pacing;
mod send;
mod stream;
mod text;
mod unknown_path;
mod write_policy;

pub use address::Address;
pub use discover::{FoundService, Owner, Probe, ProbeStatus, discover, discover_each, owner_of, probe, probe_with};
pub use error::{CallError, Target, TimeoutPhase};
pub use exchange::{Exchange, curl, quoted};
pub use pace::{
    Admission, CallOutcome, DEFAULT_CONCURRENCY, LONGEST_WAIT, Limiter, MAX_CONCURRENCY, Pace, PaceView, Permit,
};
pub use stream::Stream;
pub use write_policy::WritePolicy;

pub use crate::operation::{Change, StreamKind};

use pacing::Pacing;
use send::decode;
use write_policy::SharedPolicy;

/// How long and how large a call may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time to establish a connection.
    pub connect: Duration,
    /// From the first byte sent to the last byte read.
    pub total: Duration,
    /// The same for an export.
    pub export: Duration,
    /// How long a stream may be silent, with pings unanswered, before it counts as disconnected.
    pub silence: Duration,
    /// The most bytes of a response, or of a message of a stream.
    pub json_bytes: usize,
    /// The most bytes of an export.
    pub export_bytes: usize,
    /// Whether a larger response is truncated at the limit instead of being rejected.
    pub beginning: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(2),
            total: Duration::from_secs(30),
            export: Duration::from_secs(120),
            silence: Duration::from_secs(90),
            json_bytes: 16 * 1024 * 1024,
            export_bytes: 256 * 1024 * 1024,
            beginning: false,
        }
    }
}

/// A client of one service. Clones are cheap and share connections and write policy.
#[derive(Clone, Debug)]
pub struct Client {
    address: Address,
    limits: Limits,
    write_policy: SharedPolicy,
    pacing: Pacing,
    /// Pools connections (keep-alive).
    reads: reqwest::Client,
    /// Opens a connection for each call: a pooled one may be closed just when a write is sent, and then its outcome is
    /// unknown.
    writes: reqwest::Client,
}

impl Client {
    /// Creates a client of the service at this address: it may write to this machine, and is read-only elsewhere. Sends
    /// nothing yet. Fails only if the HTTP client cannot be built.
    pub fn new(address: Address, limits: Limits) -> Result<Self, CallError> {
        let reads = build_http_client(&address, limits, usize::MAX)?;
        let writes = build_http_client(&address, limits, 0)?;
        let write_policy = SharedPolicy::new(WritePolicy::of(&address));
        Ok(Self { address, limits, write_policy, pacing: Pacing::None, reads, writes })
    }

    /// The same client with another write policy, not shared with earlier clones.
    pub fn with_write_policy(self, policy: WritePolicy) -> Self {
        Self { write_policy: SharedPolicy::new(policy), ..self }
    }

    /// The same client with a lower limit on response bytes; the other limits stay.
    pub fn at_most(self, bytes: usize) -> Self {
        let Limits { json_bytes, export_bytes, .. } = self.limits;
        let limits = Limits { json_bytes: json_bytes.min(bytes), export_bytes: export_bytes.min(bytes), ..self.limits };
        Self { limits, ..self }
    }

    /// The same client, but responses are truncated at this many bytes instead of being rejected.
    pub fn beginning(self, bytes: usize) -> Self {
        let client = self.at_most(bytes);
        Self { limits: Limits { beginning: true, ..client.limits }, ..client }
    }

    /// The same client with the limit on JSON responses multiplied by this factor.
    pub fn with_room(self, times: usize) -> Self {
        let limits = Limits { json_bytes: self.limits.json_bytes.saturating_mul(times), ..self.limits };
        Self { limits, ..self }
    }

    /// The same client, sharing the write policy of another one: a change through either affects both.
    pub fn sharing_write_policy(self, other: &Self) -> Self {
        Self { write_policy: other.write_policy.clone(), ..self }
    }

    /// Suspends or resumes this client and every clone of it: a suspended client sends nothing, and its calls fail with
    /// [`CallError::Disconnected`]. Used while it is unknown which service listens at the address.
    pub fn suspend(&self, suspended: bool) {
        self.write_policy.suspend(suspended);
    }

    /// The same client for calls of a run: each leaves at the pace of its service.
    pub fn paced(self, limiter: Limiter) -> Self {
        Self { pacing: Pacing::Limited(limiter), ..self }
    }

    /// The same client for calls that leave at once.
    pub fn unpaced(self) -> Self {
        Self { pacing: Pacing::None, ..self }
    }

    /// The pace of a client for calls of a run at a service of others; `None` for all others.
    pub fn pace(&self) -> Option<&Limiter> {
        self.pacing.limiter()
    }

    /// Waits until one call may leave; returns the same client for this one call.
    pub async fn with_permit(&self) -> Self {
        Self { pacing: self.pacing.with_permit().await, ..self.clone() }
    }

    /// The current write policy.
    pub fn write_policy(&self) -> WritePolicy {
        self.write_policy.get()
    }

    /// Sets the write policy of this client and every clone of it.
    pub fn set_write_policy(&self, policy: WritePolicy) {
        self.write_policy.set(policy);
    }

    /// The service's address.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Describes a request (method and URL), for the errors of a call that never completes.
    pub fn target(&self, info: &OperationInfo, parts: &RequestParts) -> Target {
        Target::new(info, self.address.join(&parts.target(info)))
    }

    /// Calls an operation and decodes its response.
    pub async fn call<O: Operation>(&self, operation: O) -> Result<O::Output, CallError> {
        let (target, raw, outcome) = self.send(O::INFO, &operation.write()).await;
        outcome?;
        decode(&target, raw.body, O::Output::read).await.1
    }

    /// Calls an operation and returns everything sent and received. A failure is in the exchange's outcome.
    pub async fn exchange(&self, call: &Call) -> Exchange {
        self.exchange_as(call, call.parts(), None).await
    }

    /// The same with other request parts than the table's and an extra header, to find out where a service reads an
    /// input from. The response is decoded as the call's.
    pub async fn exchange_as(
        &self,
        call: &Call,
        parts: RequestParts,
        header: Option<(&'static str, String)>,
    ) -> Exchange {
        let read = call.clone();
        self.exchange_with(call.info(), parts, header, move |body| read.answer(body)).await
    }

    /// Calls an operation and decodes the response with `read` instead of as the operation's record, for responses too
    /// large to keep whole.
    pub async fn exchange_reading<T: Send + 'static>(
        &self,
        call: &Call,
        read: impl FnOnce(&[u8]) -> Result<T, DecodeError> + Send + 'static,
    ) -> Exchange<T> {
        self.exchange_with(call.info(), call.parts(), None, read).await
    }

    async fn exchange_with<T: Send + 'static>(
        &self,
        info: &'static OperationInfo,
        parts: RequestParts,
        header: Option<(&'static str, String)>,
        read: impl FnOnce(&[u8]) -> Result<T, DecodeError> + Send + 'static,
    ) -> Exchange<T> {
        let at = Timestamp::now();
        let (target, raw, outcome) = self.send_with(info, &parts, header).await;
        let (response_body, outcome) = match outcome {
            Ok(()) => decode(&target, raw.body, read).await,
            Err(error) => (raw.body, Err(error)),
        };
        Exchange {
            info,
            at,
            method: info.method,
            url: target.url,
            request_body: parts.body,
            status: raw.status,
            content_type: raw.content_type,
            server: raw.server,
            response_body,
            elapsed: raw.elapsed,
            outcome,
        }
    }
}

/// The only place that builds an HTTP client.
fn build_http_client(address: &Address, limits: Limits, idle_connections: usize) -> Result<reqwest::Client, CallError> {
    let builder = reqwest::Client::builder()
        .user_agent(concat!("lunette/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .connect_timeout(limits.connect)
        .pool_max_idle_per_host(idle_connections)
        // Shorter than any server's idle timeout, so that a read rarely meets a connection that is just being closed.
        .pool_idle_timeout(Duration::from_secs(4));
    let builder = if address.is_loopback() { builder.no_proxy() } else { builder };
    builder.build().map_err(|error| CallError::Internal { target: None, problem: error.to_string() })
}
