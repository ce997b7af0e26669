//! The arguments that say which service a verb works on, in the same words for every verb.

use std::path::{Path, PathBuf};

use lunette_client::client::Limits;

use crate::cli::connect::{Access, Wanted};
use crate::cli::number::number_in;

/// The service to read from.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ReadTarget {
    /// Use this service. Default: your own, whether it is running or not.
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    url: Option<String>,
    /// Use the service of this data folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Maximum number of parallel requests to a service that is not Lunette's, 1 to 8. Default: 4. It begins with one,
    /// and sends more while responses are quick.
    #[arg(long, value_name = "N", value_parser = number_in(1_u8..=8))]
    in_flight: Option<u8>,
}

impl ReadTarget {
    /// Returns the data folder if it was given.
    pub fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// Returns the service wanted.
    pub fn wanted(&self) -> Wanted<'_> {
        let (url, data) = (self.url.as_deref(), self.data.as_deref());
        Wanted {
            url,
            data,
            access: Access::Read,
            limits: generous(),
            identify: true,
            in_flight: self.in_flight,
            patience: None,
        }
    }
}

/// Returns limits for content that the user asked for: the smaller limit for records does not apply.
fn generous() -> Limits {
    let defaults = Limits::default();
    Limits { json_bytes: defaults.export_bytes, ..defaults }
}

/// The service to write to, and what to print of the changes.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct WriteTarget {
    /// Use this service. Default: your own, whether it is running or not.
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    url: Option<String>,
    /// Allow writes to a service on another machine, which are sent unencrypted.
    #[arg(long)]
    allow_writes: bool,
    /// Use the service of this data folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Maximum number of parallel requests to a service that is not Lunette's, 1 to 8. Default: 4. It begins with one,
    /// and sends more while responses are quick.
    #[arg(long, value_name = "N", value_parser = number_in(1_u8..=8))]
    in_flight: Option<u8>,
    /// Print what would change without changing anything.
    #[arg(long)]
    dry_run: bool,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

impl WriteTarget {
    /// Returns the service wanted: for a dry run only to read from.
    pub fn wanted(&self) -> Wanted<'_> {
        let access = match self.dry_run {
            true => Access::Read,
            false => Access::Write { allowed: self.allow_writes },
        };
        Wanted {
            url: self.url.as_deref(),
            data: self.data.as_deref(),
            access,
            limits: generous(),
            identify: true,
            in_flight: self.in_flight,
            patience: None,
        }
    }

    /// Returns the service that a change of existing assets needs.
    pub fn to_change(&self) -> Wanted<'_> {
        let access = match self.dry_run {
            true => Access::Read,
            false => Access::Change { allowed: self.allow_writes },
        };
        Wanted { access, ..self.wanted() }
    }

    /// Returns the data folder if it was given.
    pub fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// Whether nothing is to be changed.
    pub fn dry_run(&self) -> bool {
        self.dry_run
    }

    /// Whether the result is to be printed as JSON.
    pub fn json(&self) -> bool {
        self.json
    }
}
