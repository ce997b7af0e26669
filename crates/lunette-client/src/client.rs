//! The client: any operation of the table, sent to any service of the interface.
//!
//! It knows no operation by name; the rows say what is sent. What must hold (reliability): a call ends within its
//! limit, no redirect is followed, no proxy stands before this machine's own services, a write is sent once and only
//! where the write policy lets it, and no more of an answer is held than its cap. Every failure is a [`CallError`] that
//! names method, address, phase and reason.

use std::time::Duration;

use jiff::Timestamp;

use crate::operation::{Call, DecodeError, Operation, OperationInfo, RequestParts, ResponseBody as _};

mod address;
mod discover;
mod error;
mod exchange;
mod send;
mod stream;
mod text;
mod unknown_path;
mod write_policy;

pub use address::Address;
pub use discover::{FoundService, Owner, Probe, ProbeStatus, discover, discover_each, owner_of, probe, probe_with};
pub use error::{CallError, Target, TimeoutPhase};
pub use exchange::{Exchange, curl, quoted};
pub use stream::Stream;
pub use write_policy::WritePolicy;

pub use crate::operation::{Change, StreamKind};

use send::decode;
use write_policy::SharedPolicy;

/// How long and how large a call may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Until a connection stands.
    pub connect: Duration,
    /// From the first byte sent to the last one read.
    pub total: Duration,
    /// The same, for an export.
    pub export: Duration,
    /// How long a stream may be silent, pings unanswered, until it counts as broken off.
    pub silence: Duration,
    /// The most bytes of an answer, or of a message of a stream.
    pub json_bytes: usize,
    /// The most bytes of an export.
    pub export_bytes: usize,
    /// Whether an answer that is larger is read up to its limit and no further, instead of being refused.
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

/// A client of one service. A copy of it is cheap and shares its connections and its write policy.
#[derive(Clone, Debug)]
pub struct Client {
    address: Address,
    limits: Limits,
    write_policy: SharedPolicy,
    /// Keeps connections alive.
    reads: reqwest::Client,
    /// Opens a connection for each call: one kept alive may be closed just when a write goes out, and then nobody knows
    /// whether it was done.
    writes: reqwest::Client,
}

impl Client {
    /// A client of the service at this address, free to write where that is this machine, else read-only. Nothing is
    /// sent yet. Fails only where the system gives no client.
    pub fn new(address: Address, limits: Limits) -> Result<Self, CallError> {
        let reads = build_http_client(&address, limits, usize::MAX)?;
        let writes = build_http_client(&address, limits, 0)?;
        let write_policy = SharedPolicy::new(WritePolicy::of(&address));
        Ok(Self { address, limits, write_policy, reads, writes })
    }

    /// The same client with another write policy, which it shares with no copy made before.
    pub fn with_write_policy(self, policy: WritePolicy) -> Self {
        Self { write_policy: SharedPolicy::new(policy), ..self }
    }

    /// The same client for answers of so many bytes at most; its other limits stay.
    pub fn at_most(self, bytes: usize) -> Self {
        let Limits { json_bytes, export_bytes, .. } = self.limits;
        let limits = Limits { json_bytes: json_bytes.min(bytes), export_bytes: export_bytes.min(bytes), ..self.limits };
        Self { limits, ..self }
    }

    /// The same client for calls of which only the beginning of the answer is needed, so many bytes: the rest is not
    /// read.
    pub fn beginning(self, bytes: usize) -> Self {
        let client = self.at_most(bytes);
        Self { limits: Limits { beginning: true, ..client.limits }, ..client }
    }

    /// The same client for JSON answers that are so many times as large as usual.
    pub fn with_room(self, times: usize) -> Self {
        let limits = Limits { json_bytes: self.limits.json_bytes.saturating_mul(times), ..self.limits };
        Self { limits, ..self }
    }

    /// The same client with the write policy of another one: what is chosen for either holds for both.
    pub fn sharing_write_policy(self, other: &Self) -> Self {
        Self { write_policy: other.write_policy.clone(), ..self }
    }

    /// Suspends this client and every copy of it, or resumes them: a suspended client sends nothing, and its calls fail
    /// with [`CallError::Disconnected`]. For as long as it is not known which service answers at the address.
    pub fn suspend(&self, suspended: bool) {
        self.write_policy.suspend(suspended);
    }

    /// Which writes leave.
    pub fn write_policy(&self) -> WritePolicy {
        self.write_policy.get()
    }

    /// Says which writes leave from now on, through this client and every copy of it.
    pub fn set_write_policy(&self, policy: WritePolicy) {
        self.write_policy.set(policy);
    }

    /// The service's address.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// What a request asks for, and where; for errors of a call that does not reach its end.
    pub fn target(&self, info: &OperationInfo, parts: &RequestParts) -> Target {
        Target::new(info, self.address.join(&parts.target(info)))
    }

    /// Calls an operation and reads its answer.
    pub async fn call<O: Operation>(&self, operation: O) -> Result<O::Output, CallError> {
        let (target, raw, outcome) = self.send(O::INFO, &operation.write()).await;
        outcome?;
        decode(&target, raw.body, O::Output::read).await.1
    }

    /// Calls an operation and gives back all that was sent and heard. A failure stands in the exchange's outcome.
    pub async fn exchange(&self, call: &Call) -> Exchange {
        self.exchange_as(call, call.parts(), None).await
    }

    /// The same with other parts than the table writes, and a header: for finding out where a service takes an input
    /// from. The answer is read as the call's.
    pub async fn exchange_as(
        &self,
        call: &Call,
        parts: RequestParts,
        header: Option<(&'static str, String)>,
    ) -> Exchange {
        let read = call.clone();
        self.exchange_with(call.info(), parts, header, move |body| read.answer(body)).await
    }

    /// Calls an operation and reads its answer in another way than as the operation's record: for answers that are too
    /// large to be held whole.
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

/// The one place where an HTTP client is made.
fn build_http_client(address: &Address, limits: Limits, idle_connections: usize) -> Result<reqwest::Client, CallError> {
    let builder = reqwest::Client::builder()
        .user_agent(concat!("lunette/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .connect_timeout(limits.connect)
        .pool_max_idle_per_host(idle_connections)
        // Shorter than any server's: a read, too, should not meet a connection that is just being closed.
        .pool_idle_timeout(Duration::from_secs(4));
    let builder = if address.is_loopback() { builder.no_proxy() } else { builder };
    builder.build().map_err(|error| CallError::Internal { target: None, problem: error.to_string() })
}
