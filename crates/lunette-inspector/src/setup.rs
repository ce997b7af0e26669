//! The parts from which the program assembles an inspector at startup.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use tokio::runtime::Handle;

use crate::embedded::{Backup, ServiceStatus};
use crate::rescue::Destination;
use crate::settings::{Loaded, Settings, Target};
use crate::shell;
use crate::sides::{Scratch, Scratches};
use crate::sync;
use crate::tasks::{Ended, RepaintSignal};
use crate::{Address, Limits, Owner};
use lunette_client::client::owner_of;

/// A future that can be kept and sent.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A service that stores what another one has, and its data folder.
pub type RescueDestination = (Arc<dyn Destination>, PathBuf);

/// Why the desktop did not do something with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DesktopError {
    /// No program of this system opens files for others.
    #[error("this system knows no way")]
    NoWay,
    /// Files cannot be dragged out of a window of this system.
    #[error("this system does not support it")]
    NoDrag,
    /// The system or a program refused it, and why.
    #[error("{0}")]
    Failed(String),
    /// The work panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// Why nothing was picked, apart from a user who cancelled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotPicked {
    /// This system has no dialogs; the reason, and what to do.
    #[error("{0}")]
    NoDialog(String),
    /// The work panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// Why the embedded service did not do something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmbeddedError {
    /// This window has none.
    #[error("this window has no built-in service")]
    NotHere,
    /// It was not started.
    #[error("the built-in service is not running")]
    NotRunning,
    /// Another program runs it.
    #[error("the service belongs to another window or to “lunette serve”: do this there")]
    Joined,
    /// The window is closing.
    #[error("the window is closing")]
    Closing,
    /// It cannot be started, or its data cannot be read or written; why, with advice.
    #[error("{0}")]
    Failed(String),
    /// The work panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// The system's dialogs.
pub trait Dialogs: Send + Sync {
    /// Picks files to import; returns none if the user cancelled.
    fn files(&self) -> BoxFuture<Vec<PathBuf>>;
    /// Picks a folder to import.
    fn folder(&self) -> BoxFuture<Option<PathBuf>>;
    /// Picks a folder to export to.
    fn export_folder(&self) -> BoxFuture<Option<PathBuf>> {
        self.folder()
    }
    /// Picks a path to save a file to; the system asks before one is overwritten.
    fn save(&self, file_name: &str) -> BoxFuture<Option<PathBuf>>;
    /// Why this system has no such dialogs, and what to do; `None` if it has. Called if nothing was picked.
    fn missing(&self) -> BoxFuture<Option<String>> {
        Box::pin(async { None })
    }
    /// Opens a file in the default program of the system.
    fn open(&self, _path: PathBuf) -> BoxFuture<Result<(), DesktopError>> {
        Box::pin(async { Err(DesktopError::NoWay) })
    }
    /// Shows a file in its folder, in the system's file manager.
    fn show_in_folder(&self, _path: PathBuf) -> BoxFuture<Result<(), DesktopError>> {
        Box::pin(async { Err(DesktopError::NoWay) })
    }
    /// Offers a file to the program it is dragged onto; returns whether one accepted it.
    fn drag(&self, _path: PathBuf) -> BoxFuture<Result<bool, DesktopError>> {
        Box::pin(async { Err(DesktopError::NoDrag) })
    }
}

/// The parts of an inspector.
pub struct Setup {
    /// Runs the background work.
    pub runtime: Handle,
    /// Wakes the window.
    pub repaint: RepaintSignal,
    /// The service to connect to; `None` for the last one, or at the first start a running one, else the embedded one.
    pub target: Option<Target>,
    /// Starts the embedded service.
    pub embed: Arc<dyn EmbeddedService>,
    /// The system's dialogs.
    pub dialogs: Arc<dyn Dialogs>,
    /// The data folder, whose database stores settings, drafts and history; `None` keeps them in memory.
    pub data: Option<PathBuf>,
    /// The client's limits.
    pub limits: Limits,
    /// The intervals of following changes made elsewhere.
    pub pace: sync::SyncIntervals,
    /// Receives the requests of other starts of this program, if there can be any.
    pub open_requests: Option<shell::open_requests::OpenRequestReceiver>,
}

impl Setup {
    /// Reads the saved settings. Blocks.
    pub fn load_settings(&self) -> Loaded {
        self.data.as_deref().map(Settings::read).unwrap_or_default()
    }
}

/// Starts the embedded service and reports its status. The command line implements this. Methods that need a service of
/// this window fail without one.
pub trait EmbeddedService: Send + Sync {
    /// Starts it, or finds it running, and returns its address.
    fn start(&self) -> BoxFuture<Result<String, EmbeddedError>>;

    /// The address of the running service of this program's data folder, if there is one.
    fn serving(&self) -> BoxFuture<Option<String>> {
        Box::pin(async { None })
    }

    /// The owner of the program that listens at an address. Blocks shortly.
    fn owner(&self, address: &Address) -> Owner {
        owner_of(address)
    }

    /// Messages about earlier runs when a window opens; each is returned once.
    fn news(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the current status. Never blocks.
    fn look(&self) -> ServiceStatus {
        ServiceStatus::default()
    }

    /// Allows exactly the pages of these origins to use it, apart from those that the program was started with; also
    /// after later starts.
    fn allow(&self, _origins: Vec<String>) -> BoxFuture<()> {
        Box::pin(async {})
    }

    /// The service of this window as one that stores what another service has, with the same ids, and its data folder.
    /// Starts it if it is not running.
    fn rescue_destination(&self) -> BoxFuture<Result<RescueDestination, EmbeddedError>> {
        not_here()
    }

    /// A service on a copy of a backup or of a data folder, which is not changed; it ends with what is returned.
    fn serve_copy(&self, _of: PathBuf) -> BoxFuture<Result<Box<dyn Scratch>, EmbeddedError>> {
        not_here()
    }

    /// Starts copies to try things on; `None` if this window cannot.
    fn scratches(&self) -> Option<Arc<dyn Scratches>> {
        None
    }

    /// The backups of its data, newest first.
    fn backups(&self) -> BoxFuture<Result<Vec<Backup>, EmbeddedError>> {
        not_here()
    }

    /// Creates a backup.
    fn back_up(&self) -> BoxFuture<Result<Backup, EmbeddedError>> {
        not_here()
    }

    /// Stops it and replaces its data by a backup; returns the path of the previous data, if there was any.
    fn restore(&self, _backup: PathBuf) -> BoxFuture<Result<Option<PathBuf>, EmbeddedError>> {
        not_here()
    }

    /// Moves data aside that cannot be opened, so that the next start begins empty; returns its new path, if there was
    /// any data.
    fn begin_empty(&self) -> BoxFuture<Result<Option<PathBuf>, EmbeddedError>> {
        not_here()
    }
}

fn not_here<T: Send + 'static>() -> BoxFuture<Result<T, EmbeddedError>> {
    Box::pin(async { Err(EmbeddedError::NotHere) })
}

/// The picked value. Fails if nothing was picked because there is no dialog.
pub(crate) async fn picked<T: Default + PartialEq>(
    picking: BoxFuture<T>,
    dialogs: Arc<dyn Dialogs>,
) -> Result<T, NotPicked> {
    let picked = picking.await;
    if picked != T::default() {
        return Ok(picked);
    }
    dialogs.missing().await.map_or(Ok(picked), |why| Err(NotPicked::NoDialog(why)))
}
