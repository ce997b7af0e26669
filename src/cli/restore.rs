//! `lunette restore`: a backup becomes the database of a folder again.

use std::path::PathBuf;

use anyhow::Error;

use lunette_service::maintenance;

use super::{Failure, inside};

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

/// Restores the backup and says where what was there is now.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let data = inside::folder(arguments.data.as_deref())?;
    let Some(file) = &arguments.file else {
        let backups = maintenance::backups(&data);
        if backups.is_empty() {
            super::say(&format!("no backups found for {}", data.display()));
        }
        let paths = backups.into_iter().map(|backup| format!("{}\n", backup.path.display()));
        return super::print(&paths.collect::<String>());
    };
    let restored = maintenance::restore(&data, file)
        .map_err(|error| Failure::failed(Error::new(error).context("the backup was not restored")))?;
    if !restored.summed {
        super::say("the backup has no checksum file; SQLite found no damage in it");
    }
    match restored.previous {
        Some(aside) => super::say(&format!("the previous database is now in {}", aside.display())),
        None => super::say("there was no previous database"),
    }
    super::print(&format!("restored {}\n", file.display()))
}
