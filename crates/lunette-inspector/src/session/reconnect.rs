//! Reconnecting: a lost connection is detected, retried automatically, and resumed if it is the same service.
//!
//! What must hold: displayed data is kept and marked as stale; only the requests that identify the service are sent
//! until it is known to be the same one, and a write is never repeated; another service at the address is reported, not
//! used.

use crate::Vendor;
use crate::event::ConnectionEvent;
use std::sync::Arc;

use jiff::Timestamp;
use tokio::task::AbortHandle;

use crate::context::Context;
use crate::output::{Handshake, ProgressEvent};
use crate::session::log::LogEntry;
use crate::session::support::Capabilities;
use crate::settings::Target;
use crate::tasks::{log_panic, spawn_supervised};
use crate::{CallError, Remote};
use lunette_client::client::{self, Address, FoundService, Probe};

use super::identity::{backoff_delay, jitter};
use super::{Identity, Output, Retry, Session, Status};

/// The state of a lost connection, apart from what is displayed.
#[derive(Default)]
pub(crate) struct ReconnectState {
    /// When the service last responded.
    answered: Option<Timestamp>,
    /// The number of retries since.
    attempts: u32,
    /// Whether a liveness check is in progress.
    liveness_checked: bool,
    timer: Option<Timer>,
}

/// Starts the next retry, unless it is dropped first.
struct Timer(AbortHandle);

impl Drop for Timer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Session {
    /// Updates the connection status from the result of a call.
    pub(crate) fn record_call_status(&mut self, line: &LogEntry, vendor: Vendor, named: bool, cx: &mut Context<'_>) {
        let reached = cx.known_client().is_some();
        let connection = &mut cx.connection;
        connection.calls.record(line);
        if line.status.is_some() {
            self.lost.answered = Some(Timestamp::now());
        }
        match (&line.error, &connection.status) {
            // The handshake is in progress: the connection is up once its journal is open.
            _ if !reached => {}
            (Some(CallError::Refused { .. }), Status::Up) => {
                self.went_down("the service no longer responds".to_owned(), cx)
            }
            // It may be a failure of this call only.
            (Some(CallError::Reset { .. } | CallError::TimedOut { .. }), Status::Up) => self.check_liveness(cx),
            (None, Status::Up) => {
                connection.latency = Some(line.elapsed);
                if connection.vendor != vendor {
                    self.check_liveness(cx);
                }
            }
            // A call that was pending all the time: the service responds, and will be identified.
            (None, Status::Down(_)) if connection.other.is_none() => self.try_again(cx),
            _ => {}
        }
        if line.info.writes() {
            cx.heed_refusal();
        }
        self.learn(line, named, cx);
    }

    /// Checks that the service still responds, and is the same one.
    pub(crate) fn check_liveness(&mut self, cx: &mut Context<'_>) {
        let Some(address) = cx.connection.address.as_ref().and_then(|address| address.parse::<Address>().ok()) else {
            return;
        };
        if std::mem::replace(&mut self.lost.liveness_checked, true) {
            return;
        }
        let (embed, limits) = (Arc::clone(&cx.setup().embed), cx.setup().limits);
        let ask = async move {
            let Probe { owner, result, .. } = client::probe_with(address, limits, |address| embed.owner(address)).await;
            Ok(result.map(|FoundService { server, health, .. }| Identity { server, health, owner }))
        };
        let failure = "Could not check whether the service is still running";
        cx.run_reporting(failure, ask, |found| {
            Output::LivenessChecked(found.unwrap_or_else(|ended| Err(ended.into())))
        });
    }

    pub(crate) fn liveness_checked(&mut self, found: Result<Identity, CallError>, cx: &mut Context<'_>) {
        self.lost.liveness_checked = false;
        if cx.connection.status != Status::Up {
            return;
        }
        match found {
            Ok(identity) => {
                if !cx.connection.identity.same(&identity) {
                    self.is_another(identity, cx);
                }
            }
            Err(CallError::Internal { .. }) => {}
            Err(error) => self.went_down(error.reason(), cx),
        }
    }

    /// The connection is lost. Loaded data stays, with the age of the last response.
    pub(crate) fn went_down(&mut self, problem: String, cx: &mut Context<'_>) {
        let reached = cx.known_client().is_some();
        let connection = &mut cx.connection;
        connection.status = Status::Down(problem);
        if reached && connection.stale_since.is_none() {
            connection.stale_since = Some(self.lost.answered.unwrap_or_else(Timestamp::now));
        }
        self.lost.liveness_checked = false;
        // Pending and automatic requests must not reach another service at the address.
        if let Some(client) = cx.known_client() {
            client.suspend();
        }
        // Background reads stop too until the service is identified.
        cx.emit(ConnectionEvent::Lost);
        self.schedule(cx);
    }

    /// Another service responds at the address: report it, and keep waiting for the previous one.
    fn is_another(&mut self, identity: Identity, cx: &mut Context<'_>) {
        let words = identity.words();
        cx.connection.other = Some(identity);
        self.went_down(format!("a different service now runs at this address: {words}"), cx);
    }

    /// Schedules the next retry.
    fn schedule(&mut self, cx: &mut Context<'_>) {
        let here = match &cx.connection.target {
            Target::Embedded | Target::Copy(_) => true,
            Target::Url(url) => match url.parse::<Address>() {
                Ok(address) => address.is_loopback(),
                Err(_) => {
                    cx.connection.retry = None; // A text that is not an address never answers.
                    return;
                }
            },
        };
        let wait = backoff_delay(self.lost.attempts, here, jitter());
        self.lost.attempts = self.lost.attempts.saturating_add(1);
        cx.connection.retry = Some(Retry::Due(Timestamp::now() + wait));
        let events = cx.reporter();
        let sleep = async move {
            tokio::time::sleep(wait).await;
            events.report(ProgressEvent::RetryDue);
        };
        let timer = spawn_supervised(&cx.setup().runtime, sleep, log_panic("the timer of a retry"));
        self.lost.timer = Some(Timer(timer));
    }

    /// Handles the timer of a retry.
    pub(crate) fn retry_due(&mut self, cx: &mut Context<'_>) {
        if matches!(cx.connection.retry, Some(Retry::Due(_))) {
            self.try_again(cx);
        }
    }

    /// Retries at once, at the user's request.
    pub(crate) fn try_now(&mut self, cx: &mut Context<'_>) {
        self.lost.attempts = 0;
        match cx.connection.status {
            Status::Up | Status::Down(_) => self.try_again(cx),
            Status::Idle | Status::Connecting => cx.emit(ConnectionEvent::Chosen(cx.connection.target.clone())),
        }
    }

    /// Retries the same service; displayed data and input are kept.
    fn try_again(&mut self, cx: &mut Context<'_>) {
        if cx.connection.retry == Some(Retry::Trying) {
            return;
        }
        self.lost.timer = None;
        cx.connection.retry = Some(Retry::Trying);
        self.reach(cx);
    }

    /// Handles a failed attempt.
    pub(crate) fn not_reached(&mut self, problem: String, cx: &mut Context<'_>) {
        let never_up = cx.known_client().is_none();
        cx.connection.other = None;
        self.went_down(problem, cx);
        // The last used service does not respond: other services are offered.
        if never_up && matches!(cx.connection.probes, Remote::NotRequested) {
            self.discover(cx);
        }
    }

    /// The address responds again: resume with the same service, or report another one.
    pub(crate) fn reached_again(&mut self, handshake: Handshake, cx: &mut Context<'_>) {
        if !cx.connection.identity.same(&handshake.identity) {
            self.is_another(handshake.identity, cx);
            return;
        }
        let Handshake { client, address, version, latency, vendor, identity, storage: _ } = handshake;
        let client = cx.paced(client, vendor);
        // Work that continues over the previous connection obeys the same write policy.
        let client = match cx.known_client() {
            Some(before) => client.sharing_write_policy(before),
            None => client,
        };
        client.resume();
        // The service may have been started in another mode.
        client.forget_refusal();
        cx.set_client(client);
        let connection = &mut cx.connection;
        connection.status = Status::Up;
        // The service may have been updated.
        (connection.capabilities, connection.refusal) = (Capabilities::default(), None);
        connection.address = Some(address);
        connection.version = version;
        connection.latency = Some(latency);
        connection.vendor = vendor;
        connection.identity = identity;
        self.is_up(cx);
        cx.apply_write_policy();
        cx.emit(ConnectionEvent::Reached { again: true });
    }

    /// Resets the reconnect state.
    pub(crate) fn is_up(&mut self, cx: &mut Context<'_>) {
        self.lost = ReconnectState { answered: Some(Timestamp::now()), ..ReconnectState::default() };
        let connection = &mut cx.connection;
        (connection.stale_since, connection.retry, connection.other) = (None, None, None);
    }
}
