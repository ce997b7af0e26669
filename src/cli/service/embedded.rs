//! The built-in service of a window: started when the window first needs it, or that of another window on the same
//! data.
//!
//! What must hold: one data folder is served by one service. A second window joins exactly the one that serves its
//! folder, identified by the id in its health; when that one ends, the first to ask takes over.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Mutex, watch};

use lunette_inspector::embedded::{Backup, Blocked, Health, Ownership, ServiceStatus};
use lunette_inspector::rescue::Destination;
use lunette_inspector::sides::{Scratch, Scratches};
use lunette_inspector::tasks::blocking;
use lunette_inspector::{BoxFuture, EmbeddedError, EmbeddedService, RescueDestination};
use lunette_service::maintenance::{self, Cause, StoreError};
use lunette_service::{FAMILY_PORTS, Ports, Running, Settings, StartError, start};

use crate::cli::assistants_endpoint::AssistantsEndpoint;
use crate::cli::data_dir::{self, serving};
use crate::cli::service::restored::Here;
use crate::cli::service::scratch::ScratchFolder;
use crate::cli::turn;

/// How long to wait for the service that holds the folder: it may be starting or stopping.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How often to check for it.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The built-in service of a window.
#[derive(Clone)]
pub struct EmbeddedServer {
    data: Option<PathBuf>,
    /// Origins from the command line.
    given: Vec<String>,
    running: Arc<Mutex<Option<Running>>>,
    /// Whether it is ending: a start in progress is then abandoned.
    ending: Arc<watch::Sender<bool>>,
    known: Arc<std::sync::Mutex<Known>>,
}

/// What is known without waiting.
#[derive(Default)]
struct Known {
    /// The last known status.
    seen: ServiceStatus,
    /// Origins that the user allows.
    allowed: Vec<String>,
    /// Whether the service of another program on the same data is used.
    joined: bool,
    /// Whether it did not start because its database is damaged.
    damaged: bool,
}

impl EmbeddedServer {
    /// A service with its data in this folder, or in the default one, which allows pages of these origins. Nothing is
    /// started yet.
    pub fn new(data: Option<PathBuf>, given: Vec<String>) -> Self {
        Self { data, given, running: Arc::default(), ending: Arc::default(), known: Arc::default() }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stops the service if it belongs to this window.
    pub async fn stop(self) {
        self.ending.send_replace(true);
        if let Some(running) = self.running.lock().await.take() {
            running.stop().await;
        }
    }

    async fn begin(self) -> Result<String, EmbeddedError> {
        let mut ending = self.ending.subscribe();
        tokio::select! {
            begun = self.begin_now() => begun,
            _ = ending.wait_for(|ending| *ending) => Err(EmbeddedError::Closing),
        }
    }

    async fn begin_now(&self) -> Result<String, EmbeddedError> {
        let mut running = self.running.lock().await;
        if let Some(running) = &*running {
            return Ok(running.url());
        }
        self.known().joined = false;
        self.known().damaged = false;
        let folder = data_dir::folder(self.data.as_deref()).map_err(failed)?;
        let end = Instant::now() + TIMEOUT;
        let _turn = tokio::time::timeout(TIMEOUT, turn::take_existing(&folder)).await;
        loop {
            let error = match self.started().await? {
                Ok(mut started) => {
                    started.open_own_session().await;
                    return Ok(running.insert(started).url());
                }
                Err(error) => error,
            };
            if let Some((address, ..)) = serving(&folder).await {
                self.known().joined = true;
                return Ok(address.to_string());
            }
            if Instant::now() > end {
                return Err(failed(error));
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Starts the service; the inner error says that another program holds the folder, the outer one is any other
    /// reason.
    async fn started(&self) -> Result<Result<Running, StartError>, EmbeddedError> {
        // Our choice: a port where clients of this family look, so that `lunette call` finds the service of an open
        // window.
        let allowed_origins = [&*self.given, &*self.known().allowed].concat();
        let assistants = AssistantsEndpoint::of(&data_dir::folder(self.data.as_deref()).map_err(failed)?);
        let settings = |ports| {
            let endpoint = assistants.mounted();
            let settings = data_dir::settings(self.data.as_deref(), ports).map_err(failed);
            settings.map(|settings| Settings { allowed_origins: allowed_origins.clone(), endpoint, ..settings })
        };
        let started = match start(settings(Ports::FirstOf(FAMILY_PORTS))?).await {
            Err(StartError::AllTaken(_)) => start(settings(Ports::Any)?).await,
            started => started,
        };
        started.iter().for_each(|running| assistants.started(&running.url()));
        match started {
            Err(error) if !error.folder_in_use() => {
                self.known().damaged = error.damaged();
                Err(failed(error))
            }
            started => Ok(started),
        }
    }
}

impl EmbeddedService for EmbeddedServer {
    fn start(&self) -> BoxFuture<Result<String, EmbeddedError>> {
        Box::pin(self.clone().begin())
    }

    fn serving(&self) -> BoxFuture<Option<String>> {
        let folder = data_dir::folder(self.data.as_deref()).ok();
        Box::pin(async move { Some(serving(&folder?).await?.0.to_string()) })
    }

    fn news(&self) -> Vec<String> {
        let crashes = data_dir::crashes(self.data.as_deref());
        crashes.and_then(|folder| crate::cli::crash::unreported_crashes(&folder)).into_iter().collect()
    }

    fn look(&self) -> ServiceStatus {
        // While it is starting or stopping, the last status is kept.
        if let Ok(running) = self.running.try_lock() {
            let mut known = self.known();
            known.seen = self.seen(running.as_ref(), &known);
        }
        self.known().seen.clone()
    }

    fn rescue_destination(&self) -> BoxFuture<Result<RescueDestination, EmbeddedError>> {
        let server = self.clone();
        Box::pin(async move {
            server.clone().begin().await?;
            let folder = data_dir::folder(server.data.as_deref()).map_err(failed)?;
            let restorer = server.running.lock().await.as_ref().map(Running::restorer);
            let here: Arc<dyn Destination> = Arc::new(Here(restorer.ok_or(EmbeddedError::Joined)?));
            Ok((here, folder))
        })
    }

    fn serve_copy(&self, of: PathBuf) -> BoxFuture<Result<Box<dyn Scratch>, EmbeddedError>> {
        let folder = data_dir::folder(self.data.as_deref()).map_err(failed);
        Box::pin(async move {
            match of.is_dir() {
                true => ScratchFolder::below(&of).of_own().await.map_err(failed),
                false => {
                    let server = ScratchFolder::below(&folder?).of_backup(&of).await.map_err(failed)?;
                    Ok(Box::new(server) as Box<dyn Scratch>)
                }
            }
        })
    }

    fn scratches(&self) -> Option<Arc<dyn Scratches>> {
        let folder = data_dir::folder(self.data.as_deref()).ok()?;
        Some(Arc::new(ScratchFolder::below(&folder)))
    }

    fn backups(&self) -> BoxFuture<Result<Vec<Backup>, EmbeddedError>> {
        let folder = data_dir::folder(self.data.as_deref()).map_err(failed);
        Box::pin(async move {
            let folder = folder?;
            let found = run_blocking(move || Ok(maintenance::backups(&folder))).await?;
            Ok(found.into_iter().map(backup_of).collect())
        })
    }

    fn back_up(&self) -> BoxFuture<Result<Backup, EmbeddedError>> {
        let server = self.clone();
        Box::pin(async move {
            let making = server.running.lock().await.as_ref().map(Running::back_up);
            let making = making.ok_or(EmbeddedError::NotRunning)?;
            making.await.map(backup_of).map_err(failed)
        })
    }

    fn restore(&self, backup: PathBuf) -> BoxFuture<Result<Option<PathBuf>, EmbeddedError>> {
        let restored = self.clone().with_service_stopped(move |data| maintenance::restore(data, &backup));
        Box::pin(async move { Ok(restored.await?.previous) })
    }

    fn begin_empty(&self) -> BoxFuture<Result<Option<PathBuf>, EmbeddedError>> {
        Box::pin(self.clone().with_service_stopped(maintenance::quarantine))
    }

    fn allow(&self, origins: Vec<String>) -> BoxFuture<()> {
        let server = self.clone();
        Box::pin(async move {
            server.known().allowed.clone_from(&origins);
            let running = server.running.lock().await;
            let Some(running) = &*running else { return };
            let wanted = [server.given, origins].concat();
            running
                .allowed_origins()
                .iter()
                .filter(|known| !wanted.contains(known))
                .for_each(|gone| running.disallow_origin(gone));
            for origin in &wanted {
                running.allow_origin(origin);
            }
        })
    }
}

/// An error of the service, which includes advice.
fn failed(error: impl Display) -> EmbeddedError {
    EmbeddedError::Failed(error.to_string())
}

/// Runs work on the data that may take a while.
async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, EmbeddedError> {
    blocking(work).await?.map_err(failed)
}

fn health_of(health: maintenance::Health) -> Health {
    match health {
        maintenance::Health::Healthy => Health::Healthy,
        maintenance::Health::Full => Health::Full,
        maintenance::Health::ReadOnly => Health::ReadOnly,
        maintenance::Health::Failed => Health::Failed,
    }
}

fn backup_of(backup: maintenance::Backup) -> Backup {
    let maintenance::Backup { path, taken, bytes, cause } = backup;
    let cause = match cause {
        Cause::Daily => "daily",
        Cause::ByHand => "by hand",
        Cause::Migration => "before a new version",
    };
    Backup { path, taken: jiff::Timestamp::from_microsecond(taken).unwrap_or_default(), bytes, cause }
}

impl EmbeddedServer {
    /// Stops the service, runs this on its folder, and leaves it stopped. Fails if another program serves the folder.
    async fn with_service_stopped<T: Send + 'static>(
        self,
        work: impl FnOnce(&Path) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, EmbeddedError> {
        let mut running = self.running.lock().await;
        if self.known().joined {
            return Err(EmbeddedError::Joined);
        }
        let folder = data_dir::folder(self.data.as_deref()).map_err(failed)?;
        if let Some(running) = running.take() {
            running.stop().await;
        }
        let done = run_blocking(move || work(&folder)).await;
        self.known().damaged &= done.is_err();
        done
    }

    fn seen(&self, running: Option<&Running>, known: &Known) -> ServiceStatus {
        let blocked = running.map(Running::blocked).unwrap_or_default();
        ServiceStatus {
            whose: match running {
                Some(_) => Ownership::Own,
                None if known.joined => Ownership::Another,
                None => Ownership::Nobody,
            },
            blocked: Blocked { requests: blocked.requests, origin: blocked.last_origin, host: blocked.last_host },
            given: self.given.clone(),
            data: data_dir::folder(self.data.as_deref()).ok(),
            health: running.map(|running| health_of(running.health())).unwrap_or_default(),
            daily_failure: running.and_then(Running::daily_failure),
            damaged_records: running.map_or(0, Running::damaged_records),
            other_writers: running.and_then(Running::other_writers),
            damaged: known.damaged,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lunette_client::client::{Address, Client, Limits};
    use lunette_client::operation::table::GetWellKnownHealth;
    use lunette_service::address::Listening;

    async fn health(url: &str) -> Option<String> {
        let address: Address = url.parse().expect("an address");
        Client::new(address, Limits::default()).expect("a client").call(GetWellKnownHealth {}).await.ok()
    }

    #[tokio::test]
    async fn a_second_window_uses_the_service_of_the_first_and_takes_over_the_folder() {
        let (folder, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let server = |folder: &tempfile::TempDir| EmbeddedServer::new(Some(folder.path().to_owned()), Vec::new());
        let (first, second, third) = (server(&folder), server(&folder), server(&other));
        let url = first.start().await.expect("it starts");
        // Another service of ours causes no ambiguity about which one to join.
        let elsewhere = third.start().await.expect("it starts");
        assert_eq!(second.start().await, Ok(url.clone()));
        assert_ne!(elsewhere, url);
        let id = health(&url).await.expect("it answers");
        assert_ne!(health(&elsewhere).await, Some(id.clone()));

        first.stop().await;
        assert_eq!(Listening::read(folder.path()), None);
        let taken_over = second.start().await.expect("it starts");
        assert_eq!(health(&taken_over).await, Some(id));
        assert!(second.running.lock().await.is_some(), "it is its own now");
        second.stop().await;
        third.stop().await;
    }

    #[tokio::test]
    async fn a_stale_address_file_is_ignored() {
        let (folder, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let elsewhere = EmbeddedServer::new(Some(other.path().to_owned()), Vec::new());
        elsewhere.start().await.expect("it starts");
        // What a crash leaves: the address of a port that another program uses now.
        let left = std::fs::read_to_string(other.path().join("lunette.address")).expect("an address");
        let id = Listening::read(other.path()).expect("an address").folder;
        std::fs::write(folder.path().join("lunette.address"), left.replace(&id, "another")).expect("written");
        assert_eq!(serving(folder.path()).await, None);
        let own = EmbeddedServer::new(Some(folder.path().to_owned()), Vec::new());
        let url = own.start().await.expect("it starts all the same");
        assert_eq!(Listening::read(folder.path()).map(|listening| listening.url()), Some(url));
        own.stop().await;
        elsewhere.stop().await;
    }
}
