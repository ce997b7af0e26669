//! A stand-in for the choices of a person in the file dialogs.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use lunette_inspector::{BoxFuture, DesktopError, Dialogs};

/// The choices of a person in the file dialogs.
#[derive(Clone, Default)]
pub struct Picked(Arc<Mutex<Vec<PathBuf>>>);

impl Picked {
    /// Sets the answer of the dialogs from now on.
    pub fn set(&self, paths: Vec<PathBuf>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = paths;
    }

    fn get(&self) -> Vec<PathBuf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Dialogs for Picked {
    fn files(&self) -> BoxFuture<Vec<PathBuf>> {
        let picked = self.get();
        Box::pin(async move { picked })
    }

    fn folder(&self) -> BoxFuture<Option<PathBuf>> {
        let picked = self.get().into_iter().next();
        Box::pin(async move { picked })
    }

    fn save(&self, _file_name: &str) -> BoxFuture<Option<PathBuf>> {
        self.folder()
    }

    fn missing(&self) -> BoxFuture<Option<String>> {
        let missing = self.get().is_empty().then(|| "this stage has no dialog".to_owned());
        Box::pin(async move { missing })
    }

    /// The test reads the opened file itself: it is recorded here.
    fn open(&self, path: PathBuf) -> BoxFuture<Result<(), DesktopError>> {
        let noted =
            std::fs::write(path.with_extension("opened"), "").map_err(|error| DesktopError::Failed(error.to_string()));
        Box::pin(async move { noted })
    }

    fn show_in_folder(&self, path: PathBuf) -> BoxFuture<Result<(), DesktopError>> {
        let noted =
            std::fs::write(path.with_extension("shown"), "").map_err(|error| DesktopError::Failed(error.to_string()));
        Box::pin(async move { noted })
    }

    /// A drag onto another program, which copies the file to the picked path.
    fn drag(&self, path: PathBuf) -> BoxFuture<Result<bool, DesktopError>> {
        let picked = self.get().into_iter().next();
        let copied = picked
            .map(|picked| std::fs::copy(path, picked).map_err(|error| DesktopError::Failed(error.to_string())))
            .transpose();
        Box::pin(async move { Ok(copied?.is_some()) })
    }
}
