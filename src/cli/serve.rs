//! `lunette serve`: the service alone, until a signal ends it.

use std::path::PathBuf;

use anyhow::{Error, anyhow};

use crate::service::{FAMILY_PORTS, Ports, Running, Settings, safekeeping, start};

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
    /// Where the database is damaged or gone, keep it aside and begin with an empty one. A sound one is served as it is.
    #[arg(long)]
    set_aside: bool,
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
        // A large database is looked at for a while; nobody waits for that who wants it to end.
        let running = tokio::select! {
            running = begun(arguments, settings) => running?,
            () = signals.next() => return Ok(()),
        };
        super::print(&format!("listening on {}\n", running.url()))?;
        signals.next().await;
        tokio::select! {
            () = running.stop() => Ok(()),
            () = signals.next() => Err(Failure::failed(anyhow!("ended at once by a second signal; what was acknowledged is kept"))),
        }
    })
}

async fn begun(arguments: &Arguments, settings: Settings) -> Result<Running, Failure> {
    match start(settings.clone()).await {
        Err(error) if arguments.set_aside && error.damaged() => {
            set_aside(arguments)?;
            inside::started(settings).await
        }
        started => started.map_err(inside::not_started),
    }
}

fn set_aside(arguments: &Arguments) -> Result<(), Failure> {
    let data = inside::folder(arguments.data.as_deref())?;
    let aside = safekeeping::set_aside(&data).map_err(|error| Failure::usage(Error::new(error)))?;
    super::say(&match aside {
        None => format!("nothing was left of the database; begun with an empty one in {}", data.display()),
        Some(aside) => format!("the damaged database is kept in {}; begun with an empty one", aside.display()),
    });
    Ok(())
}
