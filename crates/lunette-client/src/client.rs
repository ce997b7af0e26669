//! The client: any operation of the table, sent to any service of the interface.
//!
//! It knows no operation by name; the rows say what is sent. What must hold (reliability): a call ends within its
//! limit, no redirect is followed, no proxy stands before this machine's own services, a write is sent once and only
//! where the rail lets it, and no more of an answer is held than its cap. Every failure is a [`CallError`] that names method, address, phase and reason.

use std::time::Duration;

use jiff::Timestamp;

use crate::operation::{Answer as _, BadAnswer, Call, Operation, OperationInfo, Parts};

mod address;
mod discover;
mod error;
mod exchange;
mod nowhere;
mod rail;
mod send;
mod stream;
mod text;

pub use address::Address;
pub use discover::{Found, Owner, Probe, Standing, discover, discover_each, owner_of, probe, probe_with};
pub use error::{CallError, Target, Waiting};
pub use exchange::{Exchange, curl, quoted};
pub use rail::Rail;
pub use stream::Stream;

pub use crate::operation::{Change, StreamKind};

use rail::SharedRail;
use send::decoded;

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

/// A client of one service. A copy of it is cheap and shares its connections and its rail.
#[derive(Clone, Debug)]
pub struct Client {
    address: Address,
    limits: Limits,
    rail: SharedRail,
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
        let reads = built(&address, limits, usize::MAX)?;
        let writes = built(&address, limits, 0)?;
        let rail = SharedRail::new(Rail::of(&address));
        Ok(Self { address, limits, rail, reads, writes })
    }

    /// The same client with another rail, which it shares with no copy made before.
    pub fn with_rail(self, rail: Rail) -> Self {
        Self { rail: SharedRail::new(rail), ..self }
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

    /// The same client with the rail of another one: what is chosen for either holds for both.
    pub fn sharing_rail(self, other: &Self) -> Self {
        Self { rail: other.rail.clone(), ..self }
    }

    /// Suspends this client and every copy of it, or resumes them: a suspended client sends nothing, and its calls fail
    /// with [`CallError::Away`]. For as long as it is not known which service answers at the address.
    pub fn suspend(&self, suspended: bool) {
        self.rail.suspend(suspended);
    }

    /// Which writes leave.
    pub fn rail(&self) -> Rail {
        self.rail.get()
    }

    /// Says which writes leave from now on, through this client and every copy of it.
    pub fn set_rail(&self, rail: Rail) {
        self.rail.set(rail);
    }

    /// The service's address.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// What a request asks for, and where; for errors of a call that does not reach its end.
    pub fn target(&self, info: &OperationInfo, parts: &Parts) -> Target {
        Target::new(info, self.address.join(&parts.target(info)))
    }

    /// Calls an operation and reads its answer.
    pub async fn call<O: Operation>(&self, operation: O) -> Result<O::Output, CallError> {
        let (target, heard, outcome) = self.send(O::INFO, &operation.write()).await;
        outcome?;
        decoded(&target, heard.body, O::Output::read).await.1
    }

    /// Calls an operation and gives back all that was sent and heard. A failure stands in the exchange's outcome.
    pub async fn exchange(&self, call: &Call) -> Exchange {
        self.exchange_as(call, call.parts(), None).await
    }

    /// The same with other parts than the table writes, and a header: for finding out where a service takes an input
    /// from. The answer is read as the call's.
    pub async fn exchange_as(&self, call: &Call, parts: Parts, header: Option<(&'static str, String)>) -> Exchange {
        let read = call.clone();
        self.exchange_with(call.info(), parts, header, move |body| read.answer(body)).await
    }

    /// Calls an operation and reads its answer in another way than as the operation's record: for answers that are too
    /// large to be held whole.
    pub async fn exchange_reading<T: Send + 'static>(
        &self,
        call: &Call,
        read: impl FnOnce(&[u8]) -> Result<T, BadAnswer> + Send + 'static,
    ) -> Exchange<T> {
        self.exchange_with(call.info(), call.parts(), None, read).await
    }

    async fn exchange_with<T: Send + 'static>(
        &self,
        info: &'static OperationInfo,
        parts: Parts,
        header: Option<(&'static str, String)>,
        read: impl FnOnce(&[u8]) -> Result<T, BadAnswer> + Send + 'static,
    ) -> Exchange<T> {
        let at = Timestamp::now();
        let (target, heard, outcome) = self.send_with(info, &parts, header).await;
        let (response_body, outcome) = match outcome {
            Ok(()) => decoded(&target, heard.body, read).await,
            Err(error) => (heard.body, Err(error)),
        };
        Exchange {
            info,
            at,
            method: info.method,
            url: target.url,
            request_body: parts.body,
            status: heard.status,
            content_type: heard.content_type,
            server: heard.server,
            response_body,
            elapsed: heard.elapsed,
            outcome,
        }
    }
}

/// The one place where an HTTP client is made.
fn built(address: &Address, limits: Limits, idle_connections: usize) -> Result<reqwest::Client, CallError> {
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
    builder.build().map_err(|error| CallError::Broken { target: None, problem: error.to_string() })
}
