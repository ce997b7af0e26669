//! `lunette backup`: copies the database, even while a service is using it.

use std::path::PathBuf;

use anyhow::{Error, anyhow};

use lunette_service::maintenance;

use crate::cli::{Failure, connect, data_dir, turn};

/// What `backup` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// File to write the backup to. Default: a new file in the backups folder next to the data.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Data folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Makes the copy and prints its path. Its checksum is written beside it.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let data = data_dir::folder(arguments.data.as_deref())?;
    if arguments.data.is_some() && maintenance::never_used(&data) {
        return Err(connect::no_data(&data));
    }
    if let Some(file) = arguments.file.as_deref().filter(|file| file.symlink_metadata().is_ok()) {
        return Err(Failure::usage(anyhow!("{} already exists; choose another name", file.display())));
    }
    let _turn = turn::take_existing_blocking(&data)?;
    let taken = maintenance::back_up(&data, arguments.file.as_deref());
    let backup = taken.map_err(|error| Failure::failed(Error::new(error).context("the backup failed")))?;
    crate::cli::print_message(&format!(
        "backed up {} bytes; the checksum is in a file next to the backup",
        backup.bytes
    ));
    crate::cli::print(&format!("{}\n", backup.path.display()))
}
