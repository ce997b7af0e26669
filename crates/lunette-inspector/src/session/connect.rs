//! Choosing, connecting to and leaving a service, and discovering running ones.

use std::path::PathBuf;
use std::sync::Arc;

use crate::Vendor;
use crate::context::Context;
use crate::event::{ConnectionEvent, StepEvent};
use crate::journal::{Entry, JournalError};
use crate::notifications::Severity;
use crate::output::{Handshake, ProgressEvent};
use crate::session::{ConnectionStorage, Identity, Output, ReconnectState, Session, Status};
use crate::settings::Target;
use crate::setup::EmbeddedError;
use crate::tasks::{Ended, blocking};
use crate::{EmbeddedService, Owner, Probe, Remote, not_connected};
use lunette_client::client::{self, Address, CallError, Client, Limiter, Limits, Observer, Purpose};
use lunette_client::operation::table::{ApplicationsSnapshot, GetWellKnownHealth, GetWellKnownVersion};

impl Session {
    /// Resets the reconnect state, and for another service also its pending steps.
    pub(crate) fn leave(&mut self, same: bool, cx: &mut Context<'_>) {
        self.lost = ReconnectState::default();
        if !same {
            self.same_since = cx.generation();
            self.late.clear();
        }
    }

    /// Begins a connection after the previous one was left.
    pub(crate) fn begin(&mut self, target: Target, cx: &mut Context<'_>) {
        cx.connection.target = target;
        cx.connection.status = Status::Connecting;
        cx.connection.write_policy = cx.saved_write_policy();
    }

    /// Identifies the requested service. The storage of a connection is opened once, before it is first shown as up.
    pub(crate) fn reach(&mut self, cx: &mut Context<'_>) {
        let target = cx.connection.target.clone();
        let (first, again) = (cx.known_client().is_none(), cx.connection.retry.is_some());
        let below = cx.data();
        let (embed, limits) = (Arc::clone(&cx.setup().embed), cx.setup().limits);
        let origins = cx.newest_origins();
        let log = cx.call_log();
        let reach = async move {
            let address = match &target {
                Target::Embedded => {
                    origins.hand_over(embed.as_ref()).await;
                    embed.start().await?
                }
                // A failed attempt is not a call of the user, and not logged.
                Target::Url(url) if again => still_there(url, limits).await?,
                Target::Url(url) => url.clone(),
                Target::Copy(copy) => copy.url.clone(),
            };
            // While another service is at the address, the log shows only calls of the user.
            let handshake = handshake_with(&address, limits, again && !first, log).await;
            let handshake = owned(handshake?, embed.as_ref());
            if !first {
                return Ok(Box::new(handshake));
            }
            // All spellings of an address share one journal.
            let key = match target {
                Target::Embedded | Target::Copy(_) => target.key().to_owned(),
                Target::Url(_) => handshake.address.clone(),
            };
            Ok(Box::new(Handshake { storage: open_storage(below, key).await, ..handshake }))
        };
        cx.run(reach, Output::Connected);
    }

    pub(crate) fn connected(&mut self, handshake: Result<Box<Handshake>, NotReached>, cx: &mut Context<'_>) {
        cx.emit(ConnectionEvent::Tried);
        match handshake {
            Err(error) => self.not_reached(error.to_string(), cx),
            Ok(handshake) if cx.known_client().is_some() => self.reached_again(*handshake, cx),
            Ok(handshake) if self.must_ask(&handshake, cx) => self.ask_to_use(&handshake, cx),
            Ok(handshake) => self.first_reached(*handshake, cx),
        }
    }

    fn first_reached(&mut self, handshake: Handshake, cx: &mut Context<'_>) {
        let Handshake { client, address, version, latency, vendor, identity, storage } = handshake;
        self.apply_storage(storage, cx);
        cx.set_client(cx.paced(client, vendor));
        let connection = &mut cx.connection;
        connection.status = Status::Up;
        connection.address = Some(address.clone());
        connection.version = version;
        connection.latency = Some(latency);
        connection.vendor = vendor;
        connection.identity = identity;
        let target = connection.target.clone();
        cx.apply_write_policy();
        self.is_up(cx);
        self.remember_trust(cx);
        match &target {
            Target::Copy(_) => {}
            Target::Embedded => cx.set(|settings| settings.target = target),
            Target::Url(url) => cx.set(|settings| {
                settings.met(url);
                settings.target = target.clone();
            }),
        }
        cx.emit(ConnectionEvent::Reached { again: false });
    }

    fn apply_storage(&mut self, storage: ConnectionStorage, cx: &mut Context<'_>) {
        let ConnectionStorage { journal, entries, journal_problem, store, drafts, database, usage, messages } = storage;
        cx.set_journal(journal);
        cx.emit(ConnectionEvent::Journal(entries, journal_problem));
        for step in std::mem::take(&mut self.late) {
            cx.emit(StepEvent::Recorded(step));
        }
        cx.emit(ConnectionEvent::Drafts(store, drafts));
        cx.emit(ConnectionEvent::Database(database));
        cx.emit(ConnectionEvent::Usage(usage));
        messages.into_iter().for_each(|message| cx.notify(Severity::Failed, message));
    }

    /// Handles a step that began or ended, also one from before the same service was retried.
    pub(crate) fn record_step(&mut self, step: Arc<Entry>, cx: &mut Context<'_>) {
        match cx.known_client() {
            Some(_) => cx.emit(StepEvent::Recorded(step)),
            None => self.late.push(step),
        }
    }

    pub(crate) fn discover(&mut self, cx: &mut Context<'_>) {
        cx.connection.probes.start_loading();
        let limits = cx.setup().limits;
        let events = cx.reporter();
        let on_probe = move |probe: &Probe| events.report(ProgressEvent::Probed(Box::new(probe.clone())));
        let failure = "Could not search for services on this machine";
        let discover = async move { Ok(client::discover_each(limits, on_probe).await) };
        cx.run_reporting(failure, discover, |probes| Output::Probed(probes.unwrap_or_default()));
    }

    /// Handles one probed port; the dialog fills while the others are probed.
    pub(crate) fn probed(&mut self, probe: Probe, cx: &mut Context<'_>) {
        let Remote::Loading { previous } = &mut cx.connection.probes else { return };
        let all = Arc::make_mut(previous.get_or_insert_default());
        match all.iter_mut().find(|known| known.address == probe.address) {
            Some(known) => *known = probe,
            None => all.push(probe),
        }
    }
}

/// Identifies a service: every service of this family responds with its health or, if it has only the interface, with
/// its applications. These calls are logged as background calls; the returned client is for calls of the user.
async fn handshake_with(
    address: &str,
    limits: Limits,
    by_itself: bool,
    log: impl Observer + 'static,
) -> Result<Handshake, CallError> {
    let address: Address = address.parse()?;
    let client = Client::new(address.clone(), limits)?.observed_by(log);
    let asking = if by_itself { client.for_purpose(Purpose::Background) } else { client.clone() };
    let health = asking.exchange(&GetWellKnownHealth {}.into()).await;
    let latency = health.elapsed;
    let message = String::from_utf8_lossy(&health.response_body).trim().to_owned();
    let (identity, version) = match health.outcome {
        Ok(_) => {
            let identity = Identity { server: health.server, health: Some(message), ..Identity::default() };
            (identity, asking.call(GetWellKnownVersion {}).await.ok().filter(|version| is_version(version)))
        }
        Err(error) if error.missing() => {
            let applications = asking.exchange(&ApplicationsSnapshot {}.into()).await;
            applications.outcome?;
            (Identity { server: applications.server, ..Identity::default() }, None)
        }
        Err(error) => return Err(error),
    };
    let vendor = identity.vendor();
    let (address, storage) = (address.to_string(), ConnectionStorage::default());
    Ok(Handshake { client, address, version, latency, vendor, identity, storage })
}

/// Whether a text can be a version: other services may answer any request with any text.
fn is_version(text: &str) -> bool {
    let text = text.trim();
    let usual = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+' | '_' | ' ' | '(' | ')' | '/');
    !text.is_empty() && text.len() <= 64 && text.chars().all(usual)
}

/// Adds the owner of the program to a handshake. It is determined after the response: whoever listens now has responded,
/// or took its place.
fn owned(mut handshake: Handshake, embed: &dyn EmbeddedService) -> Handshake {
    if let Ok(address) = handshake.address.parse::<Address>() {
        handshake.identity.owner = embed.owner(&address);
    }
    handshake
}

/// Why a service was not reached.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum NotReached {
    /// It does not answer as a service does.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The embedded service did not start.
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    /// The attempt panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// The address, if a service of the interface responds there.
async fn still_there(url: &str, limits: Limits) -> Result<String, CallError> {
    let address: Address = url.parse()?;
    client::probe_with(address, limits, |_| Owner::Unknown).await.result.map(|_| url.to_owned())
}

/// Opens the storage of a connection.
async fn open_storage(below: Option<PathBuf>, key: String) -> ConnectionStorage {
    let open = blocking(move || ConnectionStorage::open(below.as_deref(), &key));
    open.await
        .unwrap_or_else(|error| ConnectionStorage::closed(JournalError(format!("cannot open the history: {error}"))))
}

impl Context<'_> {
    /// Returns a client that limits parallel calls of runs; calls to our own kind of service are not limited.
    pub(super) fn paced(&self, client: Client, vendor: Vendor) -> Client {
        match vendor {
            Vendor::Lunette => client,
            Vendor::Other => client.paced(Limiter::new(self.preferences.settings.in_flight)),
        }
    }

    /// The client, or the error that every call has without one. A lost service is not called before it is known that
    /// the same one is back: another one may have taken its address.
    pub(crate) fn client(&self) -> Result<Client, CallError> {
        match (self.known_client(), &self.connection.status) {
            (Some(client), Status::Up) => Ok(client.clone()),
            (Some(_), Status::Down(problem)) => Err(not_connected(problem)),
            _ => Err(not_connected("no connection yet")),
        }
    }
}
