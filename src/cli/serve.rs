//! `lunette serve`: the service alone, until a signal ends it.

use std::path::PathBuf;

use anyhow::anyhow;

use crate::service::{FAMILY_PORTS, Ports, Settings};

use super::inside::{self, Signals};
use super::{Failure, reach};

/// What `serve` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The port on 127.0.0.1 and ::1; 0 for any free one. Without it: the first free one of 39300 to 39333.
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// The folder the data is kept in.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Serve exactly the 27 operations of the interface, without the companions.
    #[arg(long)]
    interface_only: bool,
    /// Let web pages of this origin use the service, such as http://localhost:8888; may be given again.
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
}

/// Serves until SIGINT or SIGTERM.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let ports = match arguments.port {
        None => Ports::FirstOf(FAMILY_PORTS),
        Some(0) => Ports::Any,
        Some(port) => Ports::Exactly(port),
    };
    let settings = Settings {
        interface_only: arguments.interface_only,
        allowed_origins: arguments.allow_origin.clone(),
        ..inside::settings(arguments.data.as_deref(), ports)?
    };
    reach::run(async {
        let mut signals = Signals::listen()?;
        let running = inside::started(settings).await?;
        super::print(&format!("listening on {}\n", running.url()))?;
        signals.next().await;
        tokio::select! {
            () = running.stop() => Ok(()),
            () = signals.next() => Err(Failure::failed(anyhow!("ended at once by a second signal; what was acknowledged is kept"))),
        }
    })
}
