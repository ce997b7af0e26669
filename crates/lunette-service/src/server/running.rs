//! Starting and stopping a service.
//!
//! What must hold: it listens on 127.0.0.1 and ::1 under one port, and on nothing else, so that no other program can
//! take half of `localhost` (guard, rule 1); and once it has stopped, every acknowledged write is on disk and the data
//! folder is free.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use serde_json::Value;

use crate::resources::restored::{self, RestoredKind};
use crate::store::records::restored::Outcome;
use crate::store::{Store, now};

use super::address::{AddressFile, Lasts};
use super::maintenance::{Backup, Health, StoreError};
use super::settings::{Blocked, Data, HttpLimits, Ports, Settings, StartError};
use crate::http::memory::Memory;
use crate::http::spool::Spool;
use crate::http::{ApiSurface, Guard, Routes, Server};
use crate::{Service, ServiceError, routes};

/// How many ports to try if any will do and the chosen one is taken on ::1.
const PORT_ATTEMPTS: usize = 16;
/// How long to wait for running handlers when the service stops, after the drain time of one second: quitting takes at
/// most two.
const HANDLER_GRACE: Duration = Duration::from_secs(1);

/// A running service. Dropping it stops it soon; [`Running::stop`] waits for the end.
pub struct Running {
    /// Removes the address file on drop, so it comes first.
    address_file: Option<AddressFile>,
    port: u16,
    guard: Arc<Guard>,
    service: Arc<Service>,
    server: Arc<Server>,
    stop: watch::Sender<bool>,
    accepting: Vec<JoinHandle<()>>,
    /// Closed when no handler runs any more.
    handlers: mpsc::Receiver<()>,
    /// The session of the service's own application that is open while it runs.
    own_session: Option<String>,
}

/// Starts a service in this tokio runtime. It answers from the moment this gives it back.
pub async fn start(settings: Settings) -> Result<Running, StartError> {
    start_within(settings, HttpLimits::default()).await
}

/// Starts a service whose address is not in the data folder, so that no other program connects to it, until
/// [`Running::publish`].
pub async fn start_unpublished(settings: Settings) -> Result<Running, StartError> {
    run(settings, HttpLimits::default()).await
}

/// Whether the clock fits the header `Date`: hyper writes it for every response and panics if it cannot.
fn clock_fits_date_header() -> bool {
    const YEAR_10000: Duration = Duration::from_secs(253_402_300_800);
    SystemTime::now().duration_since(UNIX_EPOCH).is_ok_and(|since| since < YEAR_10000)
}

/// Starts a service with limits of its own.
pub async fn start_within(settings: Settings, limits: HttpLimits) -> Result<Running, StartError> {
    let mut running = run(settings, limits).await?;
    running.publish(Lasts::UntilStopped);
    Ok(running)
}

async fn run(settings: Settings, limits: HttpLimits) -> Result<Running, StartError> {
    if !clock_fits_date_header() {
        return Err(StartError::Clock);
    }
    let guard = Arc::new(Guard::default());
    if let Some(origin) = settings.allowed_origins.iter().find(|origin| !guard.allow(origin)) {
        return Err(StartError::Origin(origin.clone()));
    }
    let (port, listeners) = listen(&settings.ports).await?;
    let surface = if settings.interface_only { ApiSurface::Interface } else { ApiSurface::Everything };
    let folder = match &settings.data {
        Data::Folder(folder) => Some(folder.clone()),
        Data::Memory => None,
    };
    let version = settings.announced_version.clone();
    let endpoint = settings.endpoint.clone().filter(|_| surface == ApiSurface::Everything);
    let opened = tokio::task::spawn_blocking(move || open(settings)).await;
    let mut service: Service = opened.map_err(|panic| StartError::Broken(panic.to_string()))??;
    service.memory = Memory::new(&limits);
    service.version = version.unwrap_or(service.version);
    if let Some(folder) = &folder {
        service.spool = Spool::new(folder);
    }
    let service = Arc::new(service);

    let (busy, handlers) = mpsc::channel(1);
    let all = routes::all(Routes::new(Arc::clone(&service), surface, limits, busy));
    let all = endpoint.into_iter().fold(all, Routes::with_endpoint);
    let server = Arc::new(Server::new(all, Arc::clone(&guard), limits));
    let (stop, stopping) = watch::channel(false);
    let accepting = listeners
        .into_iter()
        .map(|listener| tokio::spawn(Arc::clone(&server).accept(listener, stopping.clone())))
        .collect();
    tracing::info!(port, "service started");
    Ok(Running { address_file: None, port, guard, service, server, stop, accepting, handlers, own_session: None })
}

fn open(settings: Settings) -> Result<Service, StartError> {
    let store = match &settings.data {
        Data::Folder(folder) => Store::open_keeping(folder, settings.past)?,
        Data::Memory => Store::in_memory_keeping(settings.past)?,
    };
    Ok(Service::new(store, settings.detector)?)
}

impl Running {
    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its address, by number: another program may listen as `localhost` on ::1.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Writes the address to the data folder until the service stops. In memory there is none.
    pub fn publish(&mut self, lasts: Lasts) {
        let store = &self.service.store;
        self.address_file =
            store.folder().map(|folder| AddressFile::publish(&folder, self.port, &store.identity().folder, lasts));
    }

    /// Does what the service does once a day at rest: takes a daily backup if one is due, and permanently deletes the
    /// expired assets in the Trash. A failed backup is logged.
    pub async fn run_daily(&self) {
        let service = Arc::clone(&self.service);
        tokio::task::spawn_blocking(move || service.store.run_daily()).await.ok(); // A panic has been logged.
    }

    /// Does at once what waits until the service has nothing else to do: content is indexed, and versions of assets are
    /// moved into order. Fails if the disk does. Blocks.
    #[cfg(feature = "bench")]
    pub fn rest(&self) -> Result<(), StoreError> {
        self.service.store.rest()
    }

    /// Whether a daily backup is due.
    pub fn daily_is_due(&self) -> bool {
        self.service.store.daily_is_due()
    }

    /// What the browser guard blocked so far.
    pub fn blocked(&self) -> Blocked {
        self.guard.blocked()
    }

    /// Allows pages of this exact origin to use the service until it stops. Returns false for an invalid origin.
    pub fn allow_origin(&self, origin: &str) -> bool {
        self.guard.allow(origin)
    }

    /// Disallows pages of this origin, from the next request on.
    pub fn disallow_origin(&self, origin: &str) {
        self.guard.disallow(origin);
    }

    /// The origins whose pages may use the service.
    pub fn allowed_origins(&self) -> Vec<String> {
        self.guard.allowed()
    }

    /// The health of the store, by its last commits.
    pub fn health(&self) -> Health {
        self.service.store.health()
    }

    /// Why the last daily backup failed; None where none did.
    pub fn daily_failure(&self) -> Option<String> {
        self.service.store.daily_failure()
    }

    /// How many records were found damaged since the start. Each fails by itself and is left out of lists.
    pub fn damaged_records(&self) -> usize {
        self.service.store.damaged_records()
    }

    /// Who beside its owner may write into the data folder, as a phrase, if anyone may.
    pub fn other_writers(&self) -> Option<&'static str> {
        self.service.store.other_writers()
    }

    /// Takes a manual backup while reads and writes go on. Fails if the disk does, and for a service that keeps its
    /// data in memory.
    pub fn back_up(&self) -> impl Future<Output = Result<Backup, StoreError>> + Send + use<> {
        let service = Arc::clone(&self.service);
        let task = tokio::task::spawn_blocking(move || service.store.back_up());
        async move { task.await.unwrap_or_else(|panic| Err(StoreError::Broken(panic.to_string()))) }
    }

    /// Stores records of another service with their ids, times and counters; returns what became of each, or why it was
    /// not stored. Fails if the disk does. Blocks.
    pub fn restore(
        &self,
        kind: RestoredKind,
        records: &[Value],
    ) -> Result<Vec<Result<Outcome, ServiceError>>, StoreError> {
        restored::restore(&self.service, kind, records)
    }

    /// Links what stored records of a kind name, without recording an activity; returns the links that were not made:
    /// the id of the asset, that of the other end, and why. Fails if the disk does. Blocks.
    pub fn restore_links(
        &self,
        kind: RestoredKind,
        records: &[Value],
    ) -> Result<Vec<(String, String, String)>, StoreError> {
        restored::restore_links(&self.service, kind, records)
    }

    /// Records the time until it stops as a session of Lunette's own application. Our choice: the service of a window
    /// does so; one started by the command line does not, so that it contains only what its clients wrote.
    pub async fn open_own_session(&mut self) {
        let service = Arc::clone(&self.service);
        let opened = tokio::task::spawn_blocking(move || service.store.open_own_session(now())).await;
        match opened.map_err(|panic| panic.to_string()).and_then(|end| end.map_err(|error| error.to_string())) {
            Ok(session) => self.own_session = Some(session.id),
            // For example a full disk: that has its own banner, and nothing else depends on the session.
            Err(problem) => tracing::warn!("the session of the service itself was not opened: {problem}"),
        }
    }

    /// Stops: accepts nothing more, gives requests under way a second, and closes the store.
    pub async fn stop(self) {
        let Self { address_file, port, guard: _, service, server, stop, accepting, mut handlers, own_session } = self;
        drop(address_file);
        stop.send(true).ok(); // No receiver is fine: the tasks have ended.
        for task in accepting {
            task.await.ok(); // A panic ends the task as well.
        }
        server.drain().await;
        drop(server);
        // A running handler cannot be cancelled; its write completes even though no client gets the response.
        if tokio::time::timeout(HANDLER_GRACE, handlers.recv()).await.is_err() {
            tracing::warn!("a request is still in progress; the store closes when it ends");
        }
        let close = move || {
            if let Some(Err(problem)) = own_session.map(|id| service.store.close_session(Some(id), now())) {
                tracing::warn!("could not close the session of the service: {problem}");
            }
            drop(service);
        };
        tokio::task::spawn_blocking(close).await.ok(); // Closing the store blocks.
        tracing::info!(port, "service stopped");
    }
}

/// Listens on one port of both loopback addresses.
async fn listen(ports: &Ports) -> Result<(u16, Vec<TcpListener>), StartError> {
    match ports {
        Ports::Exactly(port) => listen_on(*port).await,
        Ports::Any => {
            let mut tried = Vec::new();
            loop {
                match listen_on(0).await {
                    // The next try would be given the same port if this one were closed before.
                    Err(StartError::AddressInUse { address }) if tried.len() < PORT_ATTEMPTS => {
                        tried.push(TcpListener::bind((Ipv4Addr::LOCALHOST, address.port())).await.ok());
                    }
                    ended => return ended,
                }
            }
        }
        Ports::FirstOf(range) => {
            for port in range.clone() {
                match listen_on(port).await {
                    Err(StartError::AddressInUse { .. }) => {}
                    ended => return ended,
                }
            }
            Err(StartError::AllTaken(range.clone()))
        }
    }
}

async fn listen_on(port: u16) -> Result<(u16, Vec<TcpListener>), StartError> {
    let four = bind(Ipv4Addr::LOCALHOST.into(), port).await?;
    let port = four.local_addr().map_err(|problem| StartError::Broken(problem.to_string()))?.port();
    match bind(Ipv6Addr::LOCALHOST.into(), port).await {
        Ok(six) => Ok((port, vec![four, six])),
        // A machine without IPv6: no other program can listen on ::1 either.
        Err(StartError::Listen { problem, .. }) if has_no_such_address(&problem) => Ok((port, vec![four])),
        Err(error) => Err(error),
    }
}

async fn bind(address: IpAddr, port: u16) -> Result<TcpListener, StartError> {
    let address = SocketAddr::new(address, port);
    TcpListener::bind(address).await.map_err(|problem| match problem.kind() {
        io::ErrorKind::AddrInUse => StartError::AddressInUse { address },
        _ => StartError::Listen { address, problem },
    })
}

/// EADDRNOTAVAIL, or EAFNOSUPPORT, for which Rust has no kind: 97 on Linux, 47 on macOS, 10047 on Windows.
fn has_no_such_address(problem: &io::Error) -> bool {
    problem.kind() == io::ErrorKind::AddrNotAvailable || matches!(problem.raw_os_error(), Some(97 | 47 | 10047))
}
