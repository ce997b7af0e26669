//! The conformance check: calls the 27 operations of the interface one after another and compares each response with
//! the interface document and its public clients.
//!
//! What must hold: writes go only to records that the check created itself (an application, an asset, a tag, a website,
//! a workstream summary). They are deleted at the end, as far as the service supports that, also when the check is
//! cancelled, and those that remain are reported. A read-only check sends no write. No malformed response ends the
//! check early, but an unresponsive service does.

use lunette_client::client::Client;
use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::CallError;
use crate::tasks::CancelFlag;
use lunette_client::model::id::AssetId;
use lunette_client::operation::{Call, Group, OPERATIONS, Operation, OperationInfo};

mod applications;
mod assets;
mod clear;
mod gather;
mod links;
mod locations;
pub mod report;
mod scratch;
mod shape;
pub mod window;

use gather::Gathered;
use scratch::Scratch;

/// The options of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether it sends no write.
    pub read_only: bool,
    /// The asset that is read; without one the scratch asset, or the first that the service lists.
    pub asset: Option<AssetId>,
    /// Number of times each read is sent to measure its time.
    pub samples: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { read_only: false, asset: None, samples: 20 }
    }
}

/// What a check found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The service's address.
    pub address: String,
    /// Its version, if it reports one.
    pub version: Option<String>,
    /// Its `Server` header, if it has one.
    pub server: Option<String>,
    /// One row for each operation, in the order of the document.
    pub rows: Vec<CheckRow>,
    /// The accepted locations of an export's kind, of those that the document leaves open.
    pub export_type: Vec<&'static str>,
    /// The accepted locations of the choice against content.
    pub transferables: Vec<&'static str>,
    /// What the check created and could not delete.
    pub left: Vec<String>,
    /// Whether it was cancelled.
    pub cancelled: bool,
    /// Whether it was stopped because the service no longer responded.
    pub stopped: bool,
}

/// The findings on one operation.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckRow {
    /// The operation.
    pub info: &'static OperationInfo,
    /// The status.
    pub verdict: Verdict,
    /// Fields of its responses that the interface does not have, by JSON path; `[*]` is any index of a list.
    pub unknown: Vec<String>,
    /// How many calls were timed.
    pub calls: usize,
    /// The median duration of the calls.
    pub p50: Option<Duration>,
    /// The 95th percentile of the durations.
    pub p95: Option<Duration>,
}

/// The verdict on an operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It behaves as documented.
    Works,
    /// It responds, but differs from the document.
    Differs(Vec<Difference>),
    /// The service does not support it; the status of the response.
    Missing(u16),
    /// There is no response to check; why.
    Failed(String),
    /// It was not called; why.
    NotAsked(String),
}

/// A way in which a response differs from the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path in the JSON of the response (`$.score.reuse`), or the part of the response: `status`, `content type`,
    /// `body`.
    pub path: String,
    /// The difference.
    pub problem: String,
}

impl Report {
    /// Whether every called operation works.
    pub fn passed(&self) -> bool {
        !self.cancelled
            && !self.stopped
            && self.rows.iter().all(|row| matches!(row.verdict, Verdict::Works | Verdict::NotAsked(_)))
    }
}

/// A check in progress.
struct Checker<'a> {
    caller: &'a Client,
    options: &'a Options,
    cancel: &'a CancelFlag,
    on_progress: &'a (dyn Fn(usize, usize) + Send + Sync),
    gathered: BTreeMap<&'static str, Gathered>,
    server: Option<String>,
    /// The number of consecutive timeouts.
    silent: usize,
}

/// After this many consecutive timeouts the service counts as unresponsive.
const TIME_OUTS: usize = 3;

/// Calls all 27 operations of a service. `on_progress` receives the number of completed and of all operations.
///
/// The future is boxed, so that its code is compiled here and not again in each crate that awaits it.
pub fn check<'a>(
    caller: &'a Client,
    options: &'a Options,
    cancel: &'a CancelFlag,
    on_progress: &'a (dyn Fn(usize, usize) + Send + Sync),
) -> BoxFuture<'a, Report> {
    Box::pin(async move {
        let caller = &caller.ignoring_refusals();
        let gathered = BTreeMap::new();
        Checker { caller, options, cancel, on_progress, gathered, server: None, silent: 0 }.report().await
    })
}

/// The 27 operations, in the order of the document.
fn interface() -> impl Iterator<Item = &'static OperationInfo> {
    OPERATIONS.iter().copied().filter(|info| info.group != Group::Extension)
}

impl Checker<'_> {
    async fn report(mut self) -> Report {
        let mut scratch = Scratch::default();
        self.applications(&mut scratch).await;
        self.make_scratch(&mut scratch).await;
        self.assets(&scratch).await;
        let (export_type, transferables) = self.locations(&scratch).await;
        let left = self.clear_away(scratch).await;
        let version = self.version().await;
        let rows = interface().map(|info| self.gathered.remove(info.name).unwrap_or_default().row(info)).collect();
        Report {
            address: self.caller.address().to_string(),
            version,
            server: self.server,
            rows,
            export_type,
            transferables,
            left,
            cancelled: self.cancel.cancelled(),
            stopped: self.silent >= TIME_OUTS,
        }
    }

    /// Calls an operation this many times, checks each response, and returns the JSON of the last one; `None` if it has
    /// none, or if nothing is to be sent.
    async fn ask(&mut self, call: impl Into<Call>, times: usize) -> Option<Value> {
        let call = call.into();
        let info = call.info();
        let mut answer = None;
        for _ in 0..times.max(1) {
            if !self.may_ask(info) {
                return None;
            }
            let exchange = self.caller.exchange(&call).await;
            self.server = self.server.take().or_else(|| exchange.server.clone());
            self.count_time_outs(exchange.outcome.as_ref().err());
            let gathered = self.gathered.entry(info.name).or_default();
            answer = gathered.judge(&exchange);
            if gathered.gave_up() {
                break;
            }
        }
        self.report_progress();
        answer
    }

    fn may_ask(&mut self, info: &'static OperationInfo) -> bool {
        let reason = if self.cancel.cancelled() {
            "the check was cancelled"
        } else if self.stopped() {
            "the service no longer responds: 3 calls in a row timed out"
        } else if info.writes() && self.options.read_only {
            "it makes changes, and the check is read-only"
        } else {
            return true;
        };
        self.not_asked(info, reason);
        false
    }

    /// Sends a call that is not checked itself; returns `None` if it fails, or if nothing more is to be sent.
    async fn send<O: Operation>(&mut self, operation: O) -> Option<O::Output> {
        if self.cancel.cancelled() || self.stopped() {
            return None;
        }
        let answer = self.caller.call(operation).await;
        self.count_time_outs(answer.as_ref().err());
        answer.ok()
    }

    fn count_time_outs(&mut self, error: Option<&CallError>) {
        match error {
            _ if self.stopped() => {}
            Some(CallError::TimedOut { .. }) => self.silent += 1,
            _ => self.silent = 0,
        }
    }

    /// Whether the service counts as unresponsive.
    fn stopped(&self) -> bool {
        self.silent >= TIME_OUTS
    }

    /// Records why an operation is not called, unless it was.
    fn not_asked(&mut self, info: &'static OperationInfo, reason: &str) {
        self.gathered.entry(info.name).or_default().not_asked(reason);
        self.report_progress();
    }

    /// Records a difference from the sent or documented value if `wrong` is one.
    fn expect(&mut self, info: &'static OperationInfo, path: &str, wrong: Option<String>) {
        if let Some(problem) = wrong {
            self.gathered.entry(info.name).or_default().differ(path, problem);
        }
    }

    fn report_progress(&self) {
        let done = interface().filter(|info| self.gathered.contains_key(info.name)).count();
        (self.on_progress)(done, interface().count());
    }
}
