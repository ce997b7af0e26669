//! The client: any operation of the table, sent to any service of the interface.
//!
//! It knows no operation by name; the rows say what is sent. What must hold (reliability): a call ends within its
//! limit, no redirect is followed, no proxy is used for services on this machine, a write is sent once and only when
//! the write policy allows it, and a response is never buffered beyond its limit. Every failure is a [`CallError`] that
//! names method, address, phase and reason.

use std::sync::Arc;
use std::time::Duration;

use crate::operation::{Call, DecodeError, Operation, OperationInfo, RequestParts, ResponseBody as _};

mod address;
mod discover;
mod error;
mod exchange;
mod observer;
mod pace;
mod refusal;
mod send;
mod stream;
mod text;
mod unknown_path;
mod vendor;
mod write_policy;

pub use address::Address;
pub use discover::{FoundService, Owner, Probe, ProbeStatus, discover, discover_each, owner_of, probe, probe_with};
pub use error::{CallError, Target, TimeoutPhase};
pub use exchange::{Exchange, curl};
pub use observer::{CallGroup, Observer, Purpose, SLOW};
pub use pace::{
    Admission, CallOutcome, DEFAULT_CONCURRENCY, LONGEST_WAIT, Limiter, MAX_CONCURRENCY, Pace, PaceView, Permit,
};
pub use refusal::Refusal;
pub use stream::Stream;
pub use vendor::Vendor;
pub use write_policy::WritePolicy;

pub use crate::operation::{Change, StreamKind};

use observer::Observed;
use send::downcast;
use write_policy::SharedPolicy;

/// How long and how large a call may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time to establish a connection.
    pub connect: Duration,
    /// From the first byte sent to the last byte read.
    pub total: Duration,
    /// From the first byte sent to the last byte read, for an export.
    pub export: Duration,
    /// How long a stream may be silent, with pings unanswered, before it counts as disconnected.
    pub silence: Duration,
    /// The most bytes of a response, or of a message of a stream.
    pub json_bytes: usize,
    /// The most bytes of an export.
    pub export_bytes: usize,
    /// Whether a larger response is truncated at the limit instead of being rejected.
    pub truncate: bool,
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
            truncate: false,
        }
    }
}

/// A client of one service. Clones are cheap and share connections, write policy, pace and observer.
#[derive(Clone, Debug)]
pub struct Client {
    address: Address,
    limits: Limits,
    write_policy: SharedPolicy,
    limiter: Option<Limiter>,
    /// Whether each call waits for a permit of the limiter.
    for_run: bool,
    /// Whether it learns that the service refuses writes, and sends none then.
    heeds_refusals: bool,
    group: Option<Arc<CallGroup>>,
    observer: Observed,
    purpose: Purpose,
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
        let (observer, purpose) = (Observed::default(), Purpose::default());
        Ok(Self {
            address,
            limits,
            write_policy,
            limiter: None,
            for_run: false,
            heeds_refusals: true,
            group: None,
            observer,
            purpose,
            reads,
            writes,
        })
    }

    /// Returns the client with an observer, which sees every call of it and of its clones.
    pub fn observed_by(self, observer: impl Observer + 'static) -> Self {
        Self { observer: Observed::by(observer), ..self }
    }

    /// Names this moment for the observer: something is about to begin that concerns these assets, by their ids, or all
    /// (None). Sends nothing.
    pub fn mark(&self, name: &str, assets: Option<&[String]>) {
        self.observer.marked(name, assets);
    }

    /// Returns a client whose calls have this purpose; the observer decides what that means.
    pub fn for_purpose(&self, purpose: Purpose) -> Self {
        Self { purpose, ..self.clone() }
    }

    /// The purpose of its calls.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Returns the client with another write policy, not shared with earlier clones.
    pub fn with_write_policy(self, policy: WritePolicy) -> Self {
        Self { write_policy: SharedPolicy::new(policy), ..self }
    }

    /// Returns a client with a lower limit on response bytes; the other limits stay.
    pub fn with_response_limit(&self, bytes: usize) -> Self {
        let Limits { json_bytes, export_bytes, .. } = self.limits;
        let limits = Limits { json_bytes: json_bytes.min(bytes), export_bytes: export_bytes.min(bytes), ..self.limits };
        Self { limits, ..self.clone() }
    }

    /// Returns a client that reads at most this many bytes of a response: a longer one is truncated, not rejected.
    pub fn with_prefix(&self, bytes: usize) -> Self {
        let client = self.with_response_limit(bytes);
        Self { limits: Limits { truncate: true, ..client.limits }, ..client }
    }

    /// Returns a client whose limit on JSON responses is this many times as high.
    pub fn with_json_limit(&self, times: usize) -> Self {
        let limits = Limits { json_bytes: self.limits.json_bytes.saturating_mul(times), ..self.limits };
        Self { limits, ..self.clone() }
    }

    /// Returns the client with the write policy of another one: a change through either affects both.
    pub fn sharing_write_policy(self, other: &Self) -> Self {
        Self { write_policy: other.write_policy.clone(), ..self }
    }

    /// Suspends this client and every clone of it: it sends nothing, and its calls fail with
    /// [`CallError::Disconnected`]. Used while it is unknown which service listens at the address.
    pub fn suspend(&self) {
        self.write_policy.set_suspended(true);
    }

    /// Resumes this client and every clone of it.
    pub fn resume(&self) {
        self.write_policy.set_suspended(false);
    }

    /// Returns the client with a limiter for the calls of runs ([`Self::for_run`]); other calls are not limited.
    pub fn paced(self, limiter: Limiter) -> Self {
        Self { limiter: Some(limiter), ..self }
    }

    /// Returns the client without a limiter.
    pub fn unpaced(self) -> Self {
        Self { limiter: None, ..self }
    }

    /// Returns a client for the calls of a run: each waits for a permit of the limiter, if there is one.
    pub fn for_run(&self) -> Self {
        Self { for_run: true, ..self.clone() }
    }

    /// The limiter of the calls of runs; `None` if they are not limited.
    pub fn limiter(&self) -> Option<&Limiter> {
        self.limiter.as_ref()
    }

    /// The pace of the calls of this client; `None` if they are not limited.
    pub fn pace(&self) -> Option<PaceView> {
        self.limiter().filter(|_| self.for_run).map(Limiter::view)
    }

    /// Returns a client whose calls belong to a group.
    pub fn grouped(&self, group: CallGroup) -> Self {
        Self { group: Some(Arc::new(group)), ..self.clone() }
    }

    /// The group that its calls belong to.
    pub fn group(&self) -> Option<&Arc<CallGroup>> {
        self.group.as_ref()
    }

    /// The current write policy.
    pub fn write_policy(&self) -> WritePolicy {
        self.write_policy.get()
    }

    /// Sets the write policy of this client and every clone of it.
    pub fn set_write_policy(&self, policy: WritePolicy) {
        self.write_policy.set(policy);
    }

    /// The refusal after which this client and its clones send no write; `None` while they do.
    pub fn refusal(&self) -> Option<Refusal> {
        self.write_policy.refusal()
    }

    /// Lets this client and every clone of it send writes again after a refusal.
    pub fn forget_refusal(&self) {
        self.write_policy.forget_refusal();
    }

    /// Returns a client that sends every write, also after one was refused, and does not conclude from a refusal that
    /// the service accepts none: for checking each operation by itself.
    pub fn ignoring_refusals(&self) -> Self {
        Self { heeds_refusals: false, ..self.clone() }
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
        self.exchange_with(O::INFO, operation.write(), None, O::Output::read).await.outcome
    }

    /// Calls an operation and returns everything sent and received. A failure is in the exchange's outcome.
    pub async fn exchange(&self, call: &Call) -> Exchange {
        self.exchange_as(call, call.parts(), None).await
    }

    /// Calls an operation with other request parts than the table's and an extra header, to find out where a service
    /// reads an input from. The response is decoded as the call's.
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

    /// A thin typed shell over [`Self::exchange_any`], which is compiled once.
    async fn exchange_with<T: Send + 'static>(
        &self,
        info: &'static OperationInfo,
        parts: RequestParts,
        header: Option<(&'static str, String)>,
        read: impl FnOnce(&[u8]) -> Result<T, DecodeError> + Send + 'static,
    ) -> Exchange<T> {
        let exchange = self.exchange_any(info, parts, header, Box::new(move |body| Ok(Box::new(read(body)?)))).await;
        exchange.and_then(downcast)
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
