//! The window's verb: makes what the window is handed, opens it, and stops the service inside at the end.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;

use crate::app::state::Target;
use crate::client::{Address, Limits};
use crate::ui::dialogs::SystemDialogs;
use crate::ui::{self, Options};

use super::embedded::Inside;
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
    let inside = Inside::new(data.clone());
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
