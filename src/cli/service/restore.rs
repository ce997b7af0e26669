//! `lunette restore`: replaces the database of a folder by a backup.

use std::path::PathBuf;

use anyhow::Error;

use lunette_service::maintenance;

use crate::cli::{Failure, data_dir, turn};

/// What `restore` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Backup to restore. Without it, the available backups are listed, newest first.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Data folder; no service may be running on it.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Restores the backup and says where the previous database was moved.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let data = data_dir::folder(arguments.data.as_deref())?;
    let Some(file) = &arguments.file else {
        let backups = maintenance::backups(&data);
        if backups.is_empty() {
            crate::cli::print_message(&format!("no backups found for {}", data.display()));
        }
        let paths = backups.into_iter().map(|backup| format!("{}\n", backup.path.display()));
        return crate::cli::print(&paths.collect::<String>());
    };
    let _turn = turn::take_existing_blocking(&data)?;
    let restored = maintenance::restore(&data, file)
        .map_err(|error| Failure::failed(Error::new(error).context("the backup was not restored")))?;
    if !restored.summed {
        crate::cli::print_message("the backup has no checksum file; no damage was found in it");
    }
    if restored.damaged_records > 0 {
        let count = restored.damaged_records;
        crate::cli::print_message(&format!("{count} records were damaged already when the backup was taken"));
    }
    match restored.previous {
        Some(aside) => crate::cli::print_message(&format!("the previous database is now in {}", aside.display())),
        None => crate::cli::print_message("there was no previous database"),
    }
    crate::cli::print(&format!("restored {}\n", file.display()))
}
