//! The window's verb: makes what the window is handed, opens it, and stops the service inside at the end.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use tokio::sync::Mutex;

use crate::app::state::Target;
use crate::app::{BoxFuture, Embed};
use crate::client::{Address, Found, Limits, discover};
use crate::service::{FAMILY_PORTS, Ports, Running, StartError, start};
use crate::ui::dialogs::SystemDialogs;
use crate::ui::{self, Options};

use super::{Failure, inside, reach};

/// What the window is opened on.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The service at an address.
    pub url: Option<String>,
    /// The service inside, whatever else runs.
    pub embedded: bool,
    /// The folder of the service inside; None for the user's own.
    pub data: Option<PathBuf>,
}

/// Opens the window and stays until it is closed.
pub fn run(wanted: Wanted) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the threads of the window could not be started")
        .map_err(Failure::failed)?;
    let Wanted { url, embedded, data } = wanted;
    if let Some(url) = &url {
        url.parse::<Address>().map_err(reach::failure)?;
    }
    let target = match url {
        Some(url) => Some(Target::Url(url)),
        None if embedded || data.is_some() => Some(Target::Embedded),
        None => None,
    };
    let inside = Inside { data: data.clone(), running: Arc::default() };
    let options = Options {
        runtime: runtime.handle().clone(),
        target,
        embed: Arc::new(inside.clone()),
        dialogs: Arc::new(SystemDialogs),
        journal: inside::folder(data.as_deref()).ok().map(|folder| folder.join("journal")),
        settings: settings_file(data),
        limits: Limits::default(),
    };
    let ended = ui::run(options).map_err(|error| Failure::no_window(error.into()));
    runtime.block_on(inside.stop());
    // A call to a service that does not answer must not hold the program back.
    runtime.shutdown_background();
    ended
}

/// Where the settings are kept: beside the data when its folder was named, else where the system keeps such files.
fn settings_file(data: Option<PathBuf>) -> Option<PathBuf> {
    let own = || directories::ProjectDirs::from("", "", "lunette").map(|folders| folders.config_dir().to_owned());
    Some(data.or_else(own)?.join("settings.json"))
}

/// The service inside, started when the window first asks for it.
#[derive(Clone)]
struct Inside {
    data: Option<PathBuf>,
    running: Arc<Mutex<Option<Running>>>,
}

impl Inside {
    async fn start(self) -> Result<String, String> {
        let mut running = self.running.lock().await;
        if let Some(running) = &*running {
            return Ok(running.url());
        }
        // Our choice: a port where clients of this family look, so that `lunette call` finds an open window's service.
        let settings = |ports| inside::settings(self.data.as_deref(), ports).map_err(|failure| failure.to_string());
        let started = match start(settings(Ports::FirstOf(FAMILY_PORTS))?).await {
            Err(StartError::AllTaken(_)) => start(settings(Ports::Any)?).await,
            started => started,
        };
        let started = match started {
            Err(error) if error.folder_in_use() => return join(&error).await,
            started => started.map_err(|error| error.to_string())?,
        };
        let url = started.url();
        *running = Some(started);
        Ok(url)
    }

    async fn stop(self) {
        if let Some(running) = self.running.lock().await.take() {
            running.stop().await;
        }
    }
}

/// The service of the program that has the data folder. Our choice: where several services of ours run, none is taken,
/// since it is not known which of them has this folder.
async fn join(error: &StartError) -> Result<String, String> {
    let own = |found: &Found| found.server.as_deref().is_some_and(|server| server.starts_with("lunette/"));
    let probes = discover(Limits::default()).await;
    let mut running = probes.iter().filter(|probe| probe.result.as_ref().is_ok_and(own));
    match (running.next(), running.next()) {
        (Some(probe), None) => Ok(probe.address.to_string()),
        (Some(_), Some(_)) => Err(format!("{error}; several services of Lunette run: choose one of them")),
        (None, _) => Err(error.to_string()),
    }
}

impl Embed for Inside {
    fn start(&self) -> BoxFuture<Result<String, String>> {
        Box::pin(self.clone().start())
    }
}
