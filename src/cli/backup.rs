//! `lunette backup`: a copy of the database, whether a service runs on it or not.

use std::path::PathBuf;

use anyhow::Error;

use crate::service::safekeeping;

use super::{Failure, inside};

/// What `backup` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The file to write the copy to; without it, one in the folder of backups beside the data.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The folder the data is kept in.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Takes the copy and prints its path. Its checksum stands beside it.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let data = inside::folder(arguments.data.as_deref())?;
    let taken = safekeeping::back_up(&data, arguments.file.as_deref());
    let backup = taken.map_err(|error| Failure::failed(Error::new(error).context("nothing was backed up")))?;
    super::say(&format!("backed up {} bytes; the checksum stands beside it", backup.bytes));
    super::print(&format!("{}\n", backup.path.display()))
}
