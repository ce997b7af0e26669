//! The file dialogs of the desktop.

use std::path::PathBuf;

use rfd::AsyncFileDialog;

#[cfg(all(unix, not(target_os = "macos")))]
use lunette_inspector::tasks::blocking;
use lunette_inspector::{BoxFuture, DesktopError, Dialogs};

#[cfg(all(unix, not(target_os = "macos")))]
use super::drag::x11::drag_file;

mod open_file;
#[cfg(all(unix, not(target_os = "macos")))]
mod portal;

/// The dialogs of the desktop; they run beside the window, which continues to draw.
#[derive(Debug, Default)]
pub struct SystemDialogs;

impl Dialogs for SystemDialogs {
    fn files(&self) -> BoxFuture<Vec<PathBuf>> {
        let picked = AsyncFileDialog::new().set_title("Import files").pick_files();
        Box::pin(async move {
            let files = picked.await.unwrap_or_default();
            files.into_iter().map(PathBuf::from).collect()
        })
    }

    fn folder(&self) -> BoxFuture<Option<PathBuf>> {
        let picked = AsyncFileDialog::new().set_title("Import a folder").pick_folder();
        Box::pin(async move { picked.await.map(PathBuf::from) })
    }

    fn export_folder(&self) -> BoxFuture<Option<PathBuf>> {
        let picked = AsyncFileDialog::new().set_title("Export to a folder").pick_folder();
        Box::pin(async move { picked.await.map(PathBuf::from) })
    }

    fn save(&self, file_name: &str) -> BoxFuture<Option<PathBuf>> {
        let picked = AsyncFileDialog::new().set_title("Save").set_file_name(file_name).save_file();
        Box::pin(async move { picked.await.map(PathBuf::from) })
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    fn missing(&self) -> BoxFuture<Option<String>> {
        Box::pin(portal::missing())
    }

    fn open(&self, path: PathBuf) -> BoxFuture<Result<(), DesktopError>> {
        Box::pin(open_file::open(path))
    }

    fn show_in_folder(&self, path: PathBuf) -> BoxFuture<Result<(), DesktopError>> {
        Box::pin(open_file::show_in_folder(path))
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    fn drag(&self, path: PathBuf) -> BoxFuture<Result<bool, DesktopError>> {
        Box::pin(async move {
            blocking(move || drag_file(None, &path)).await?.map_err(|error| DesktopError::Failed(error.to_string()))
        })
    }
}
