//! An environment for a window without a built-in service, whose dialogs are closed at once.

use std::path::PathBuf;

use lunette_inspector::{BoxFuture, Dialogs, EmbeddedError, EmbeddedService};

/// Neither a built-in service nor a user who answers a dialog.
pub struct Headless;

impl EmbeddedService for Headless {
    fn start(&self) -> BoxFuture<Result<String, EmbeddedError>> {
        Box::pin(async { Err(EmbeddedError::NotHere) })
    }
}

impl Dialogs for Headless {
    fn files(&self) -> BoxFuture<Vec<PathBuf>> {
        Box::pin(async { Vec::new() })
    }

    fn folder(&self) -> BoxFuture<Option<PathBuf>> {
        Box::pin(async { None })
    }

    fn save(&self, _file_name: &str) -> BoxFuture<Option<PathBuf>> {
        Box::pin(async { None })
    }
}
