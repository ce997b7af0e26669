//! Waits for the turn of this command on a data folder, and says so if that takes long.

use std::path::Path;

use lunette_service::turn::Turn;

use crate::cli::{Failure, connect};

/// Waits for the turn. Creates the folder if it is missing.
pub(in crate::cli) async fn take(folder: &Path) -> Turn {
    Turn::take(folder, || waiting(folder)).await
}

/// Takes a turn in a folder that commands have used; creates nothing where none has.
pub(in crate::cli) async fn take_existing(folder: &Path) -> Turn {
    Turn::take_existing(folder, || waiting(folder)).await
}

/// Takes a turn as [`take_existing`] does. Blocks.
pub(in crate::cli) fn take_existing_blocking(folder: &Path) -> Result<Turn, Failure> {
    connect::run(async { Ok(take_existing(folder).await) })
}

fn waiting(folder: &Path) {
    crate::cli::print_message(&format!(
        "waiting for another command that uses {}; while `lunette serve` runs, commands work side by side",
        folder.display()
    ));
}
