//! Services that a command or the window starts beside its own: on a copy to try things on, and on a backup that is read.
//!
//! What must hold: no other program finds them; what they are on is removed with them, and nothing else is.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lunette_inspector::BoxFuture;
use lunette_inspector::rescue::Destination;
use lunette_inspector::sides::{Scratch, ScratchError, Scratches};
use lunette_service::{Data, Ports, Running, Settings, detect, maintenance, start_unpublished};

use super::rescue::Here;

/// The folder of all copies, within the data folder.
const FOLDER: &str = "scratch";

/// Starts copies beside a data folder.
#[derive(Clone, Debug)]
pub struct ScratchFolder {
    data: PathBuf,
}

impl ScratchFolder {
    /// Copies below this data folder, or below the system's folder for temporary files if there is no data yet.
    pub fn below(data: &Path) -> Self {
        Self { data: data.to_owned() }
    }

    fn fresh(&self) -> Result<Removed, ScratchError> {
        let parent = if self.data.is_dir() { self.data.join(FOLDER) } else { std::env::temp_dir() };
        let folder = parent.join(format!("lunette-{}", uuid::Uuid::new_v4()));
        fs::create_dir_all(&folder)?;
        Ok(Removed(folder))
    }

    /// Starts a service on a copy of a backup, which is not changed.
    pub async fn of_backup(&self, backup: &Path) -> Result<ScratchServer, ScratchError> {
        let (folder, backup) = (self.fresh()?, backup.to_owned());
        let data = folder.0.clone();
        let copied = tokio::task::spawn_blocking(move || maintenance::restore(&data, &backup)).await;
        let copied = copied.map_err(|panic| ScratchError::NotStarted(panic.to_string()))?;
        copied.map_err(|error| ScratchError::NotStarted(error.to_string()))?;
        ScratchServer::start(folder).await
    }

    async fn of_data(&self) -> Result<ScratchServer, ScratchError> {
        let folder = self.fresh()?;
        let (data, backup) = (self.data.clone(), folder.0.join("copy.sqlite3"));
        let taken = tokio::task::spawn_blocking({
            let backup = backup.clone();
            move || maintenance::back_up(&data, Some(&backup))
        });
        let taken = taken.await.map_err(|panic| ScratchError::NotStarted(panic.to_string()))?;
        taken.map_err(|error| ScratchError::NotStarted(error.to_string()))?;
        // Its folder is removed with what it is about.
        let server = self.of_backup(&backup).await;
        drop(folder);
        server
    }
}

impl Scratches for ScratchFolder {
    fn empty(&self) -> BoxFuture<Result<Box<dyn Scratch>, ScratchError>> {
        let scratches = self.clone();
        Box::pin(async move { boxed(ScratchServer::start(scratches.fresh()?).await?) })
    }

    fn of_own(&self) -> BoxFuture<Result<Box<dyn Scratch>, ScratchError>> {
        let scratches = self.clone();
        Box::pin(async move { boxed(scratches.of_data().await?) })
    }
}

fn boxed(server: ScratchServer) -> Result<Box<dyn Scratch>, ScratchError> {
    Ok(Box::new(server))
}

/// A service on a folder of its own.
pub struct ScratchServer {
    here: Arc<Here>,
    folder: Removed,
}

impl ScratchServer {
    async fn start(folder: Removed) -> Result<Self, ScratchError> {
        let settings = Settings::new(Data::Folder(folder.0.clone()), Ports::Any, detect::of_this_machine());
        let running: Running =
            start_unpublished(settings).await.map_err(|error| ScratchError::NotStarted(error.to_string()))?;
        Ok(Self { here: Arc::new(Here { running }), folder })
    }

    /// Stops it, and removes its folder.
    pub async fn stop(self) -> Result<(), ScratchError> {
        let Self { here, folder } = self;
        if let Some(Here { running }) = Arc::into_inner(here) {
            running.stop().await;
        }
        folder.remove()
    }
}

impl Scratch for ScratchServer {
    fn url(&self) -> String {
        self.here.running.url()
    }

    fn destination(&self) -> Arc<dyn Destination> {
        Arc::<Here>::clone(&self.here)
    }

    fn discard(self: Box<Self>) -> BoxFuture<Result<(), ScratchError>> {
        Box::pin(self.stop())
    }
}

/// A folder that is removed when it is dropped.
struct Removed(PathBuf);

impl Removed {
    /// Removes it. Fails if the disk does.
    fn remove(self) -> Result<(), ScratchError> {
        Ok(self.clear()?)
    }

    fn clear(&self) -> std::io::Result<()> {
        if self.0.exists() {
            fs::remove_dir_all(&self.0)?;
        }
        // The folder of all copies stays while there are others.
        if let Some(parent) = self.0.parent().filter(|parent| parent.ends_with(FOLDER)) {
            fs::remove_dir(parent).ok();
        }
        Ok(())
    }
}

impl Drop for Removed {
    fn drop(&mut self) {
        self.clear().ok(); // Whoever wants to know calls `remove`.
    }
}
