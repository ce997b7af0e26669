//! The parts from which the program assembles an inspector at startup.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use tokio::runtime::Handle;

use crate::app::embedded::{Backup, ServiceStatus};
use crate::app::settings::{Loaded, Settings, Target};
use crate::app::shell;
use crate::app::sync;
use crate::app::tasks::Waker;
use crate::app::{Address, Limits, Owner};
use lunette_client::client::owner_of;

/// A future that can be kept and sent.
pub type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The system's dialogs.
pub trait Dialogs: Send + Sync {
    /// Files to import; none when the user changed their mind.
    fn files(&self) -> BoxFuture<Vec<PathBuf>>;
    /// A folder to import.
    fn folder(&self) -> BoxFuture<Option<PathBuf>>;
    /// A folder to export to.
    fn place(&self) -> BoxFuture<Option<PathBuf>> {
        self.folder()
    }
    /// Where to save a file; the system asks before one is overwritten.
    fn save(&self, file_name: &str) -> BoxFuture<Option<PathBuf>>;
    /// Why this system has no such dialogs, and what to do; None where it has. Asked where nothing was chosen.
    fn missing(&self) -> BoxFuture<Option<String>> {
        Box::pin(async { None })
    }
    /// Opens a file in the program that the system has for it.
    fn open(&self, _path: PathBuf) -> BoxFuture<Result<(), String>> {
        Box::pin(async { Err("this system knows no way".to_owned()) })
    }
    /// Shows a file in its folder, in the system's file manager.
    fn show_in_folder(&self, _path: PathBuf) -> BoxFuture<Result<(), String>> {
        Box::pin(async { Err("this system knows no way".to_owned()) })
    }
    /// Offers a file to the program it is dragged onto; true where one took it.
    fn drag(&self, _path: PathBuf) -> BoxFuture<Result<bool, String>> {
        Box::pin(async { Err("this system does not support it".to_owned()) })
    }
}

/// What an inspector is made of.
pub struct Setup {
    /// Runs the background work.
    pub runtime: Handle,
    /// Wakes the window.
    pub waker: Waker,
    /// The service to connect to; `None` for the last one, or at the first start a running one, else the embedded one.
    pub target: Option<Target>,
    /// Starts the embedded service.
    pub embed: Arc<dyn EmbeddedService>,
    /// The system's dialogs.
    pub dialogs: Arc<dyn Dialogs>,
    /// The data folder, whose database stores settings, drafts and history; `None` keeps them in memory.
    pub data: Option<PathBuf>,
    /// The settings file of earlier versions, which is read in once; None keeps no settings.
    pub settings: Option<PathBuf>,
    /// The client's limits.
    pub limits: Limits,
    /// How often changes of others are read.
    pub pace: sync::SyncIntervals,
    /// Receives the requests of other starts of this program, if there can be any.
    pub open_requests: Option<shell::open_requests::OpenRequestReceiver>,
}

impl Setup {
    /// Reads the settings that are kept. Blocks.
    pub fn load_settings(&self) -> Loaded {
        match (&self.data, &self.settings) {
            (Some(data), Some(legacy)) => Settings::read(data, legacy),
            (None, _) | (_, None) => Loaded::default(),
        }
    }
}

/// Starts the embedded service this program, and tells how it stands. The command line hands this in. What a window
/// without a service of its own cannot do says so.
pub trait EmbeddedService: Send + Sync {
    /// Starts it, or finds it running, and gives back its address; fails with a sentence.
    fn start(&self) -> BoxFuture<Result<String, String>>;

    /// The address of the service that already serves this program's data folder; None if none does.
    fn serving(&self) -> BoxFuture<Option<String>> {
        Box::pin(async { None })
    }

    /// Whose program listens at an address. Blocks shortly.
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

    /// Lets pages of these exact origins use it, beside those the program was started with, and of no others; from now
    /// on, and whenever it is started later.
    fn allow(&self, _origins: Vec<String>) -> BoxFuture<()> {
        Box::pin(async {})
    }

    /// The backups of its data, newest first.
    fn backups(&self) -> BoxFuture<Result<Vec<Backup>, String>> {
        not_here()
    }

    /// Makes one now.
    fn back_up(&self) -> BoxFuture<Result<Backup, String>> {
        not_here()
    }

    /// Stops it and puts a backup in the place of its data; gives back where what was there is kept, if anything was.
    fn restore(&self, _backup: PathBuf) -> BoxFuture<Result<Option<PathBuf>, String>> {
        not_here()
    }

    /// Moves data that cannot be opened aside, so that the next start begins empty; gives back where it is kept, where
    /// anything was left of it.
    fn begin_empty(&self) -> BoxFuture<Result<Option<PathBuf>, String>> {
        not_here()
    }
}

fn not_here<T: Send + 'static>() -> BoxFuture<Result<T, String>> {
    Box::pin(async { Err("this window has no built-in service".to_owned()) })
}

/// What was picked. Fails where nothing was, because there is no dialog to pick in.
pub(in crate::app) async fn picked<T: Default + PartialEq>(
    picking: BoxFuture<T>,
    dialogs: Arc<dyn Dialogs>,
) -> Result<T, String> {
    let picked = picking.await;
    if picked != T::default() {
        return Ok(picked);
    }
    dialogs.missing().await.map_or(Ok(picked), Err)
}
