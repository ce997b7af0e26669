//! The service inside: where its data lives, and how it starts.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;

use lunette_client::client::{Address, FoundService, Limits, Owner, probe};
use lunette_service::address::Listening;
use lunette_service::{Data, Ports, Running, Settings, StartError, detect, start};

use super::Failure;

/// The settings of a service of this machine, with its data in this folder or in the usual one.
pub fn settings(data: Option<&Path>, ports: Ports) -> Result<Settings, Failure> {
    Ok(Settings {
        data: Data::Folder(folder(data)?),
        ports,
        interface_only: false,
        allowed_origins: Vec::new(),
        detector: detect::of_this_machine(),
    })
}

/// Starts a service. One that does not start is no service.
pub async fn started(settings: Settings) -> Result<Running, Failure> {
    start(settings).await.map_err(not_started)
}

/// What is said of a service that did not start.
pub fn not_started(error: StartError) -> Failure {
    Failure::usage(anyhow::Error::new(error).context("the service did not start"))
}

/// The service that serves this folder now, wherever it listens. It is known by the address it left in the folder and by
/// the folder's id in its health; and it is not another user's, who may have taken the port of one that crashed.
pub async fn serving(folder: &Path) -> Option<(Address, FoundService)> {
    let told = Listening::read(folder)?;
    let limits = Limits { total: Duration::from_secs(2), ..Limits::default() };
    let probe = probe(told.url().parse().ok()?, limits).await;
    let found = probe.result.ok().filter(|_| probe.owner != Owner::AnotherUser)?;
    (found.folder() == Some(&told.folder)).then_some((probe.address, found))
}

/// The data folder: the one named, or the one the system keeps for programs' data.
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

/// Where reports of panics are kept: beside the data when its folder was named, else where the system keeps what
/// programs note of themselves.
pub fn crashes(data: Option<&Path>) -> Option<PathBuf> {
    if let Some(folder) = data {
        return Some(folder.join("crashes"));
    }
    let folders = directories::ProjectDirs::from("", "", "lunette")?;
    Some(folders.state_dir().unwrap_or_else(|| folders.data_local_dir()).join("crashes"))
}
