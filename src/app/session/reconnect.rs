//! A service that was lost: noticed, tried again by itself, and gone on with where it is the same.
//!
//! What must hold: what is shown stays and is marked as old; nothing but the look at the service itself is sent until it
//! is known to be the same one, and a write is never sent again; another service at its address is told, not taken.

use std::sync::Arc;

use jiff::Timestamp;
use tokio::task::AbortHandle;

use crate::app::background::report_failure;
use crate::app::output::SessionOutput;
use crate::app::output::{Handshake, ProgressEvent, TaskOutput};
use crate::app::session::capability::Capabilities;
use crate::app::session::log::LogEntry;
use crate::app::session::{Status, Target};
use crate::app::{App, CallError, Remote};
use lunette_client::client::{self, Address, FoundService, Probe};

use super::identity::{backoff_delay, jitter};
use super::{Identity, Retry};

/// What is known of a loss beside what is shown of it.
#[derive(Default)]
pub(in crate::app) struct ReconnectState {
    /// When the service answered last.
    answered: Option<Timestamp>,
    /// How often it was tried since.
    attempts: u32,
    /// Whether it is being asked if it is still there.
    liveness_checked: bool,
    timer: Option<Timer>,
}

/// Wakes the next try, unless it is dropped first.
struct Timer(AbortHandle);

impl Drop for Timer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl App {
    /// Notes from a call's end how the connection stands.
    pub(in crate::app) fn record_call_status(&mut self, line: &LogEntry, own: bool) {
        let connection = &mut self.state.connection;
        connection.calls.record(line);
        if line.status.is_some() {
            self.state.session.lost.answered = Some(Timestamp::now());
        }
        match (&line.error, &connection.status) {
            // Still saying hello: it is up once its journal is open.
            _ if self.runtime.client.is_none() => {}
            (Some(CallError::Refused { .. }), Status::Up) => {
                self.went_down("the service no longer responds".to_owned())
            }
            // It may be a fault of one call only.
            (Some(CallError::Reset { .. } | CallError::TimedOut { .. }), Status::Up) => self.check_liveness(),
            (None, Status::Up) => {
                connection.latency = Some(line.elapsed);
                if connection.own != own {
                    self.check_liveness();
                }
            }
            // A call that was under way all the time: the service is there, and which one it is will be asked.
            (None, Status::Down(_)) if connection.other.is_none() => self.try_again(),
            _ => {}
        }
        self.learn(line);
    }

    /// Asks the service whether it is still there, and still the same.
    pub(in crate::app) fn check_liveness(&mut self) {
        let Some(address) = self.state.connection.address.as_ref().and_then(|address| address.parse::<Address>().ok())
        else {
            return;
        };
        if std::mem::replace(&mut self.state.session.lost.liveness_checked, true) {
            return;
        }
        let (embed, limits) = (Arc::clone(&self.runtime.setup.embed), self.runtime.setup.limits);
        let ask = async move {
            let Probe { owner, result, .. } = client::probe_with(address, limits, |address| embed.owner(address)).await;
            TaskOutput::Session(SessionOutput::LivenessChecked(
                result.map(|FoundService { server, health, .. }| Identity { server, health, owner }),
            ))
        };
        let failed = report_failure("Could not check whether the service is still running", |error| {
            TaskOutput::Session(SessionOutput::LivenessChecked(Err(error)))
        });
        self.start(ask, failed);
    }

    pub(in crate::app) fn liveness_checked(&mut self, found: Result<Identity, CallError>) {
        self.state.session.lost.liveness_checked = false;
        if self.state.connection.status != Status::Up {
            return;
        }
        match found {
            Ok(identity) => {
                if !self.state.connection.identity.same(&identity) {
                    self.is_another(identity);
                }
            }
            Err(CallError::Internal { .. }) => {}
            Err(error) => self.went_down(error.reason()),
        }
    }

    /// The service is gone. What was read of it stays, and is as old as its last answer.
    pub(in crate::app) fn went_down(&mut self, problem: String) {
        let connection = &mut self.state.connection;
        connection.status = Status::Down(problem);
        if self.runtime.client.is_some() && connection.stale_since.is_none() {
            connection.stale_since = Some(self.state.session.lost.answered.unwrap_or_else(Timestamp::now));
        }
        self.state.session.lost.liveness_checked = false;
        // What was asked for just before, or goes on by itself, must not reach another service at the address.
        if let Some(client) = &self.runtime.client {
            client.suspend(true);
        }
        // Nothing is read beside the window's thread either, before it is known who answers.
        self.leave_live();
        self.state.connection.live = Default::default();
        self.schedule();
    }

    /// Something else answers at the address now: it is told, and the one that was is still waited for.
    fn is_another(&mut self, identity: Identity) {
        let words = identity.words();
        self.state.connection.other = Some(identity);
        self.went_down(format!("a different service now runs at this address: {words}"));
    }

    /// Sets the moment of the next try.
    fn schedule(&mut self) {
        let here = match &self.state.connection.target {
            Target::Embedded => true,
            Target::Url(url) => match url.parse::<Address>() {
                Ok(address) => address.is_loopback(),
                Err(_) => {
                    self.state.connection.retry = None; // A text that is no address never answers.
                    return;
                }
            },
        };
        let wait = backoff_delay(self.state.session.lost.attempts, here, jitter());
        self.state.session.lost.attempts = self.state.session.lost.attempts.saturating_add(1);
        self.state.connection.retry = Some(Retry::Due(Timestamp::now() + wait));
        let (notes, waker, generation) =
            (self.runtime.notes_in.clone(), self.runtime.tasks.waker(), self.runtime.generation);
        let sleeping = self.runtime.setup.runtime.spawn(async move {
            tokio::time::sleep(wait).await;
            notes.send(ProgressEvent::RetryDue { generation }).ok(); // The window is gone when nobody listens.
            waker();
        });
        self.state.session.lost.timer = Some(Timer(sleeping.abort_handle()));
    }

    /// The time of the next try has come.
    pub(in crate::app) fn retry_due(&mut self) {
        if matches!(self.state.connection.retry, Some(Retry::Due(_))) {
            self.try_again();
        }
    }

    /// The user wants it tried at once.
    pub(in crate::app) fn try_now(&mut self) {
        self.state.session.lost.attempts = 0;
        match self.state.connection.status {
            Status::Up | Status::Down(_) => self.try_again(),
            Status::Idle | Status::Connecting => self.connect(self.state.connection.target.clone()),
        }
    }

    /// Tries the same service again; nothing of what is shown or typed goes.
    fn try_again(&mut self) {
        if self.state.connection.retry == Some(Retry::Trying) {
            return;
        }
        self.state.session.lost.timer = None;
        self.state.connection.retry = Some(Retry::Trying);
        self.reach();
    }

    /// It was tried, and did not answer.
    pub(in crate::app) fn not_reached(&mut self, problem: String) {
        let never_up = self.runtime.client.is_none();
        self.state.connection.other = None;
        self.went_down(problem);
        // Nothing was found where the last one was: what else is there is offered.
        if never_up && matches!(self.state.connection.probes, Remote::Unasked) {
            self.discover();
        }
    }

    /// It answers again: the same one is gone on with, another one is told.
    pub(in crate::app) fn reached_again(&mut self, handshake: Handshake) {
        let connection = &mut self.state.connection;
        if !connection.identity.same(&handshake.identity) {
            self.is_another(handshake.identity);
            return;
        }
        let Handshake { client, address, version, latency, own, identity, kept: _ } = handshake;
        // Work that goes on over the connection from before is held back by the same write policy.
        self.runtime.client = Some(match &self.runtime.client {
            Some(before) => client.sharing_write_policy(before),
            None => client,
        });
        if let Some(client) = &self.runtime.client {
            client.suspend(false);
        }
        connection.status = Status::Up;
        // It may be another version of itself.
        connection.capabilities = Capabilities::default();
        connection.address = Some(address);
        connection.version = version;
        connection.latency = Some(latency);
        connection.own = own;
        connection.identity = identity;
        self.is_up();
        self.apply_write_policy();
        self.read_again();
        self.ask_for_trash();
        self.start_live();
        self.resume_pending_requests();
    }

    /// Forgets that it was lost.
    pub(in crate::app) fn is_up(&mut self) {
        self.state.session.lost = ReconnectState { answered: Some(Timestamp::now()), ..ReconnectState::default() };
        let connection = &mut self.state.connection;
        (connection.stale_since, connection.retry, connection.other) = (None, None, None);
    }

    /// Reads again what is shown; what was read before stays until then.
    fn read_again(&mut self) {
        self.load_applications();
        if let Some(page) = &self.state.applications.open {
            self.open_application(page.id.clone());
        }
        self.load_external();
        self.load_assets();
        self.trash_changed();
        for kind in crate::app::change::LinkKind::ALL {
            self.load_linkable(kind);
        }
        let Some(id) = self.state.pages.open.clone() else { return };
        self.load_asset(&id);
        let Some(page) = self.state.pages.of.get(&id) else { return };
        let asked = [
            page.formats != Remote::Unasked,
            page.activities != Remote::Unasked,
            page.conversations != Remote::Unasked,
        ];
        let reads = [Self::load_formats, Self::load_activities, Self::load_conversations];
        for (asked, read) in asked.into_iter().zip(reads) {
            if asked {
                read(self, id.clone());
            }
        }
    }
}
