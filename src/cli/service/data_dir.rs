//! The data folder and its service: where the data is, how the service starts, and which one serves a folder.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;

use lunette_client::client::{Address, FoundService, Limits, Owner, probe};
use lunette_service::address::{Lasts, Listening};
use lunette_service::{Data, Ports, Running, Settings, StartError, detect, start};

use crate::cli::Failure;

/// Where this system keeps what the program keeps, for the help.
pub const DATA_FOLDERS: &str = if cfg!(windows) {
    r"  data      %LOCALAPPDATA%\lunette\data: the service's database, and the window's settings, history and drafts
  backups   %LOCALAPPDATA%\lunette\data-backups: five daily backups, manual backups, and one before each upgrade"
} else if cfg!(target_os = "macos") {
    "  data      ~/Library/Application Support/lunette: the service's database, and the window's settings, history and drafts
  backups   ~/Library/Application Support/lunette-backups: five daily backups, manual backups, and one before each upgrade"
} else {
    "  data      ~/.local/share/lunette: the service's database, and the window's settings, history and drafts
  backups   ~/.local/share/lunette-backups: five daily backups, manual backups, and one before each upgrade"
};

/// Returns the settings of a service on this machine, with its data in this folder or in the default one.
pub fn settings(data: Option<&Path>, ports: Ports) -> Result<Settings, Failure> {
    Ok(Settings::new(Data::Folder(folder(data)?), ports, detect::of_this_machine()))
}

/// Starts a service. Failing to start counts as having no service.
pub async fn started(settings: Settings) -> Result<Running, Failure> {
    start(settings).await.map_err(not_started)
}

/// Returns the failure for a service that did not start.
pub fn not_started(error: StartError) -> Failure {
    Failure::usage(anyhow::Error::new(error).context("the service did not start"))
}

/// Returns the service that serves this folder, wherever it listens. It is identified by the address it wrote to the
/// folder and by the folder's id in its health; a service of another user, which may have taken the port after a crash,
/// is ignored.
pub async fn serving(folder: &Path) -> Option<(Address, FoundService, Lasts)> {
    let listening = Listening::read(folder)?;
    let limits = Limits { total: Duration::from_secs(2), ..Limits::default() };
    let probe = probe(listening.url().parse().ok()?, limits).await;
    let found = probe.result.ok().filter(|_| probe.owner != Owner::AnotherUser)?;
    (found.folder() == Some(&listening.folder)).then_some((probe.address, found, listening.lasts))
}

/// Returns the data folder: the given one, or the default of the system.
pub fn folder(data: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(folder) = data {
        return Ok(folder.to_owned());
    }
    let folders = directories::ProjectDirs::from("", "", "lunette");
    let folder = folders.map(|folders| folders.data_local_dir().to_owned());
    folder.ok_or_else(|| {
        Failure::usage(anyhow!("the system does not say where to keep data; choose a folder with --data DIR"))
    })
}

/// Returns the folder of crash reports: beside the data if its folder was given, else the system's folder for program
/// state.
pub fn crashes(data: Option<&Path>) -> Option<PathBuf> {
    if let Some(folder) = data {
        return Some(folder.join("crashes"));
    }
    let folders = directories::ProjectDirs::from("", "", "lunette")?;
    Some(folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).join("crashes"))
}
