//! `lunette rescue`: stores everything of a service in a data folder, and says what is there.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Error, anyhow};
use lunette_client::client::{Address, Client, DEFAULT_CONCURRENCY, Limiter, Limits, WritePolicy, probe};
use lunette_inspector::rescue::{
    Destination, Kind, Phase, Progress, Receipt, RescueError, kept, rescue, rescued, write_kept,
};
use lunette_inspector::tasks::CancelFlag;
use lunette_service::{Ports, start_unpublished};

use crate::cli::progress::ProgressLine;
use crate::cli::service::restored::Here;
use crate::cli::signals::Signals;
use crate::cli::time_out_report::TimeOutReport;
use crate::cli::{Failure, connect, data_dir, turn};

/// What `rescue` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The service to read from; it is never written to.
    #[arg(long, value_name = "URL", required_unless_present = "kept")]
    from: Option<Address>,
    /// Data folder to store everything in, with the same ids; a service must not be running on it.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Print the receipt as JSON.
    #[arg(long)]
    json: bool,
    /// Print what was received of a kind, byte for byte, as one JSON array, or without a kind how much there is of
    /// each.
    #[arg(long, value_name = "KIND", num_args = 0..=1, conflicts_with_all = ["from", "json"])]
    kept: Option<Option<String>>,
}

/// Rescues everything, or prints what was received.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let folder = data_dir::folder(arguments.to.as_deref())?;
    match (&arguments.kept, &arguments.from) {
        (Some(None), _) => print_counts(&folder),
        (Some(Some(kind)), _) => print_kept(&folder, kind),
        (None, Some(from)) => connect::run(rescue_into(from.clone(), &folder, arguments)),
        (None, None) => Err(Failure::usage(anyhow!("name the service with --from URL"))),
    }
}

async fn rescue_into(from: Address, folder: &Path, arguments: &Arguments) -> Result<(), Failure> {
    probe(from.clone(), Limits::default()).await.result.map_err(connect::failure)?;
    let client = Client::new(from, Limits::default()).map_err(connect::failure)?;
    let client = client.with_write_policy(WritePolicy::ReadOnly).observed_by(TimeOutReport);
    let client = client.paced(Limiter::new(DEFAULT_CONCURRENCY)).for_run();
    let settings = data_dir::settings(Some(folder), Ports::Any)?;
    let _turn = turn::take(folder).await;
    let running = start_unpublished(settings).await.map_err(|error| match error.folder_in_use() {
        true => Failure::usage(anyhow!("another program serves {}; stop it first", folder.display())),
        false => data_dir::not_started(error),
    })?;
    let ended = read_and_store(&client, folder, Arc::new(Here(running.restorer()))).await;
    running.stop().await;
    report(&ended?, arguments)
}

/// The first signal ends it after the call in flight; what was received is kept.
async fn read_and_store(client: &Client, folder: &Path, here: Arc<dyn Destination>) -> Result<Receipt, Failure> {
    let cancel = CancelFlag::default();
    let line = Mutex::new(ProgressLine::of(client));
    let progress = |progress: Progress| {
        let Progress { phase, kind, done, named } = progress;
        match kind {
            _ if phase != Phase::Reading => {}
            Kind::Assets => line.lock().unwrap_or_else(PoisonError::into_inner).show(done, named, Some(kind.name())),
            _ => crate::cli::print_message(&format!("{named} {}", kind.name())),
        }
    };
    let work = rescue(client, folder, here, &progress, &cancel);
    tokio::pin!(work);
    let mut signals = Signals::listen()?;
    let ended = tokio::select! {
        ended = &mut work => ended,
        () = signals.next() => {
            cancel.cancel();
            work.await
        }
    };
    ended.map_err(|error: RescueError| Failure::failed(Error::new(error)))
}

/// Prints the receipt; something missing is a failure.
fn report(receipt: &Receipt, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.json {
        crate::cli::print_json(&receipt.json())?;
    } else {
        crate::cli::print(&table(receipt))?;
    }
    match receipt.missing() {
        0 => Ok(()),
        missing => Err(Failure::failed(anyhow!("{missing} records are missing or differ; the receipt names each"))),
    }
}

fn table(receipt: &Receipt) -> String {
    let mut text =
        format!("{:<14}{:>9}{:>10}{:>9}{:>9}{:>9}\n", "kind", "named", "received", "stored", "equal", "missing");
    for kind in &receipt.kinds {
        let count = |count: Option<usize>| count.map_or_else(|| "kept".to_owned(), |count| count.to_string());
        let row = match &kind.absent {
            Some(_) if kind.received == 0 => format!("{:<14}  not offered\n", kind.kind),
            Some(_) | None => format!(
                "{:<14}{:>9}{:>10}{:>9}{:>9}{:>9}\n",
                kind.kind,
                kind.named,
                kind.received,
                count(kind.stored),
                count(kind.equal),
                kind.missing.len()
            ),
        };
        text.push_str(&row);
    }
    let stored_as: usize = receipt.kinds.iter().map(|kind| kind.stored_as.len()).sum();
    if stored_as > 0 {
        text.push_str(&format!("{stored_as} were here before under another id; the receipt names each\n"));
    }
    text.push_str(&format!("receipt {}\n", receipt.sha256));
    text
}

fn print_counts(folder: &Path) -> Result<(), Failure> {
    for service in rescued(folder) {
        crate::cli::print(&format!("{}\n", service.display()))?;
        for kind in Kind::ALL {
            let mut count = 0;
            kept(&service, kind, |_, _| {
                count += 1;
                Ok(())
            })
            .map_err(unreadable)?;
            crate::cli::print(&format!("  {:<14}{count:>9}\n", kind.name()))?;
        }
    }
    Ok(())
}

fn print_kept(folder: &Path, kind: &str) -> Result<(), Failure> {
    let Some(kind) = Kind::of(kind) else {
        let names = Kind::ALL.map(Kind::name).join(", ");
        return Err(Failure::usage(anyhow!("there is no kind {kind:?}; there are {names}")));
    };
    write_kept(&rescued(folder), kind, &mut io::stdout().lock()).map_err(unreadable)
}

fn unreadable(error: io::Error) -> Failure {
    Failure::failed(Error::new(error).context("what was received cannot be read"))
}
