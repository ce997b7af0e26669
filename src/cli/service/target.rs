//! The arguments that say which service a verb works on, in the same words for every verb.

use std::path::{Path, PathBuf};

use lunette_client::client::Limits;

use crate::cli::connect::{Access, Wanted};
use crate::cli::number::number_in;

/// The service that a verb works on.
#[derive(Debug, Default, clap::Args)]
pub(in crate::cli) struct ServiceTarget {
    /// Use this service. Default: your own, whether it is running or not.
    #[arg(long, value_name = "URL", conflicts_with = "data")]
    url: Option<String>,
    /// Use the service of this data folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl ServiceTarget {
    /// Returns the address if one was given.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// Returns the data folder if it was given.
    pub fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// Returns the service wanted, with the usual limits and as many requests at once as are usual.
    pub fn wanted(&self, access: Access) -> Wanted<'_> {
        let (url, data) = (self.url(), self.data());
        Wanted { url, data, access, limits: Limits::default(), identify: false, in_flight: None, patience: None }
    }
}

/// The service to read from.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ReadTarget {
    #[command(flatten)]
    service: ServiceTarget,
    /// Maximum number of parallel requests to a service that is not Lunette's, 1 to 8. Default: 4. It begins with one,
    /// and sends more while responses are quick.
    #[arg(long, value_name = "N", value_parser = number_in(1_u8..=8))]
    in_flight: Option<u8>,
}

impl ReadTarget {
    /// Returns the data folder if it was given.
    pub fn data(&self) -> Option<&Path> {
        self.service.data()
    }

    /// Returns the options that mean the same service to a command that is started elsewhere. Fails if the data folder has
    /// no absolute path.
    #[cfg(feature = "mcp")]
    pub fn options(&self) -> std::io::Result<Vec<String>> {
        let mut options = Vec::new();
        if let Some(url) = self.service.url() {
            options.extend(["--url".to_owned(), url.to_owned()]);
        }
        if let Some(data) = self.data() {
            options.extend(["--data".to_owned(), std::path::absolute(data)?.to_string_lossy().into_owned()]);
        }
        if let Some(in_flight) = self.in_flight {
            options.extend(["--in-flight".to_owned(), in_flight.to_string()]);
        }
        Ok(options)
    }

    /// Returns the service wanted.
    pub fn wanted(&self) -> Wanted<'_> {
        let wanted = self.service.wanted(Access::Read);
        Wanted { limits: generous(), identify: true, in_flight: self.in_flight, ..wanted }
    }
}

/// Returns limits for content that the user asked for: the smaller limit for records does not apply.
pub(in crate::cli) fn generous() -> Limits {
    let defaults = Limits::default();
    Limits { json_bytes: defaults.export_bytes, ..defaults }
}

/// The service to write to, and what to print of the changes.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct WriteTarget {
    #[command(flatten)]
    service: ServiceTarget,
    /// Allow writes to a service on another machine, which are sent unencrypted.
    #[arg(long)]
    allow_writes: bool,
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
        let wanted = self.service.wanted(access);
        Wanted { limits: generous(), identify: true, in_flight: self.in_flight, ..wanted }
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
        self.service.data()
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
